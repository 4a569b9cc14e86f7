/** Who did what: filters, changes, and whether the log is complete. */
import { useMutation } from '@tanstack/react-query';
import { query } from '../../api/client';
import { timeZone } from '../../api/time-zone';
import { numberText } from '../../language/formats';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { saveAnswer } from '../../ui/download';
import { Select } from '../../ui/Field';
import { Page } from '../../ui/Page';
import { FilterViews } from '../../ui/SavedViews';
import { SearchForm } from '../../ui/SearchForm';
import { Empty, FormFault, Notice, Shown } from '../../ui/States';
import { useUrlText } from '../../ui/url';
import { momentText } from '../../ui/Values';
import { usePeople } from '../settings/people';
import styles from './Audit.module.css';
import { readable } from './diff';
import { Entries } from './Entries';
import { Further } from './Further';
import { type AuditPage as Log, useAudit } from './log';

const labels = labelsOf('audit');

export function AuditPage() {
  const [who, setWho] = useUrlText('who');
  const [what, setWhat] = useUrlText('what');
  const [text, setText] = useUrlText('q');
  const [before, setBefore] = useUrlText('before');
  const people = usePeople();
  const filter = { who, what, text };
  const log = useAudit({ ...filter, before });
  const save = useMutation({
    mutationFn: (format: 'csv' | 'jsonl') =>
      saveAnswer(`audit.${format}`, `/audit.${format}${query({ ...filter, timeZone: zone() })}`),
  });
  const areas = Object.entries(labels.areas).map(([value, label]) => ({ value, label }));
  const known = what === '' || areas.some(({ value }) => value === what);
  return (
    <Page
      title={labels.title}
      actions={
        <>
          <FilterViews list="audit" fields={{ q: labels.search, who: labels.who, what: labels.what }} />
          <Button isPending={save.isPending} onPress={() => save.mutate('csv')}>
            {labels.export}
          </Button>
          <Button isPending={save.isPending} onPress={() => save.mutate('jsonl')}>
            {labels.exportLines}
          </Button>
        </>
      }
    >
      <FormFault error={save.error} />
      <div className={styles.filters}>
        <SearchForm
          key={text}
          value={text}
          onFind={(next) => setText(next, { before: '' })}
          labels={labels}
          placeholder={labels.searchFor}
        />
        <Select
          label={labels.who}
          value={who}
          onChange={(value) => setWho(value, { before: '' })}
          choices={[
            { value: '', label: labels.everybody },
            ...(people.data ?? []).map(({ userId, name }) => ({ value: userId, label: name })),
          ]}
        />
        <Select
          label={labels.what}
          value={what}
          onChange={(value) => setWhat(value, { before: '' })}
          choices={[
            { value: '', label: labels.everything },
            ...(known ? [] : [{ value: what, label: readable(what, labels.areas) }]),
            ...areas,
          ]}
        />
      </div>
      <Shown of={log}>
        {({ entries, chain, next, searchedTo }) => (
          <>
            <ChainState chain={chain} />
            {entries.length === 0 ? (
              <Empty
                title={searchedTo === null ? labels.none : labels.noneYet}
                action={<Button onPress={() => setWho('', { what: '', q: '', before: '' })}>{labels.all}</Button>}
              />
            ) : (
              <Entries entries={entries} people={people.data ?? []} />
            )}
            <Further of={{ next, searchedTo }} before={before} onTurn={(at) => setBefore(at)} />
          </>
        )}
      </Shown>
    </Page>
  );
}

/** The time zone of times on pages. */
function zone(): string {
  return timeZone() ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
}

function ChainState({ chain }: { chain: Log['chain'] }) {
  if (!chain.ok) {
    return (
      <Notice tone="bad" title={labels.chain.broken}>
        <p>{labels.chain.brokenAt(numberText(chain.brokenAt ?? 0))}</p>
      </Notice>
    );
  }
  const since = chain.since == null ? null : momentText(chain.since);
  return <Notice tone="ok" title={labels.chain.ok(numberText(chain.rows), since)} />;
}
