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

const words = labelsOf('audit');

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
  const areas = Object.entries(words.words).map(([value, label]) => ({ value, label }));
  const known = what === '' || areas.some(({ value }) => value === what);
  return (
    <Page
      title={words.title}
      actions={
        <>
          <FilterViews list="audit" fields={{ q: words.search, who: words.who, what: words.what }} />
          <Button isPending={save.isPending} onPress={() => save.mutate('csv')}>
            {words.export}
          </Button>
          <Button isPending={save.isPending} onPress={() => save.mutate('jsonl')}>
            {words.exportLines}
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
          words={words}
          placeholder={words.searchFor}
        />
        <Select
          label={words.who}
          value={who}
          onChange={(value) => setWho(value, { before: '' })}
          choices={[
            { value: '', label: words.everybody },
            ...(people.data ?? []).map(({ userId, name }) => ({ value: userId, label: name })),
          ]}
        />
        <Select
          label={words.what}
          value={what}
          onChange={(value) => setWhat(value, { before: '' })}
          choices={[
            { value: '', label: words.everything },
            ...(known ? [] : [{ value: what, label: readable(what, words.words) }]),
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
                title={searchedTo === null ? words.none : words.noneYet}
                action={<Button onPress={() => setWho('', { what: '', q: '', before: '' })}>{words.all}</Button>}
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
      <Notice tone="bad" title={words.chain.broken}>
        <p>{words.chain.brokenAt(numberText(chain.brokenAt ?? 0))}</p>
      </Notice>
    );
  }
  const since = chain.since == null ? null : momentText(chain.since);
  return <Notice tone="ok" title={words.chain.ok(numberText(chain.rows), since)} />;
}
