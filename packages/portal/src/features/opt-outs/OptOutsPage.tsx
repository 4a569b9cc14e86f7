/** Who opted out, when and with what evidence; adding, removing with a reason, import and export; the keywords. */

import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api, query } from '../../api/client';
import type { ImportedOptOuts } from '../../api/routes/opt-outs';
import { useMay, useMe } from '../../api/session';
import { timeZone as zoneShown } from '../../api/time-zone';
import { labelsOf } from '../../language/labels';
import { ApiRequest } from '../../ui/ApiRequest';
import { Button, LinkButton } from '../../ui/Button';
import { saveAnswer } from '../../ui/download';
import { ImportDialog } from '../../ui/ImportDialog';
import { Facts, Page, Panel, Row } from '../../ui/Page';
import { FilterViews } from '../../ui/SavedViews';
import { SearchForm } from '../../ui/SearchForm';
import { Empty, FormFault, Notice, Shown } from '../../ui/States';
import { type Column, Table } from '../../ui/Table';
import { useUrlText } from '../../ui/url';
import { Phone, phoneText, Time } from '../../ui/Values';
import { AddDialog, LiftDialog } from './OptOutDialogs';
import styles from './OptOuts.module.css';
import { digitsOf, importBody, type OptOut, readScope, useOptOuts } from './opt-outs';

const words = labelsOf('optOut');
const importWords = words.importer;

const example = 'contact,number,reason\n12025550100,12025550199,asked by e-mail on 4 May\n';

/** A file of opt-outs: imported entry by entry, with a table of rejected entries and the reasons. */
function ImportOptOuts({ onClose }: { onClose(): void }) {
  return (
    <ImportDialog<ImportedOptOuts>
      words={importWords}
      what={importWords.what}
      example={example}
      accept=".csv,.json,text/csv,application/json"
      send={(file) => api.upload('/opt-outs/import', file)}
      stale="opt-outs"
      bodyOf={importBody}
      subject={{ title: words.columns.contact, of: ({ contact }) => contact }}
      onClose={onClose}
    />
  );
}

/** As the gateway recognises them: whole replies, in any case of letters. */
const keywordList = {
  out: [
    'STOP',
    'STOPALL',
    'STOP ALL',
    'UNSUBSCRIBE',
    'CANCEL',
    'END',
    'QUIT',
    'REVOKE',
    'OPTOUT',
    'OPT OUT',
    'OPT-OUT',
    'REMOVE',
    'ARRET',
  ],
  in: ['START', 'YES', 'UNSTOP'],
  help: ['HELP', 'INFO', 'AYUDA'],
} as const;

export function OptOutsPage() {
  const mayManage = useMay('manageOptOuts');
  const [contact, setContact] = useUrlText('contact');
  const [scope, setScope] = useUrlText('scope');
  const [after, setAfter] = useUrlText('after');
  const [asked, ask] = useState<'add' | 'import' | OptOut | null>(null);
  const optOuts = useOptOuts({ contact, scope, after });
  const close = () => ask(null);
  return (
    <Page
      title={words.title}
      actions={
        <>
          <FilterViews list="opt-out" fields={{ contact: words.search, scope: words.columns.scope }} />
          <ApiRequest path={`/api/v1/opt-outs${query({ contact, scope, after })}`} />
          <Export />
          {mayManage && <Button onPress={() => ask('import')}>{words.import}</Button>}
          {mayManage && (
            <Button look="primary" icon="plus" onPress={() => ask('add')}>
              {words.add}
            </Button>
          )}
        </>
      }
    >
      <p>{words.what}</p>
      {!mayManage && <Notice tone="info" title={words.roleMissing} />}
      <SearchForm
        key={contact}
        value={contact}
        onFind={(text) => setContact(digitsOf(text), { after: '' })}
        words={words}
        help={words.searchHelp}
      />
      {scope !== '' && (
        <Row>
          <span>{words.onlyScope(scopeText(scope))}</span>
          <Button look="quiet" icon="cross" onPress={() => setScope('', { after: '' })}>
            {words.clear}
          </Button>
        </Row>
      )}
      <Shown of={optOuts} leads>
        {({ data, next }) =>
          data.length === 0 ? (
            <Nobody filtered={contact !== '' || scope !== ''} />
          ) : (
            <>
              <p>{words.count(data.length, next != null || after !== '')}</p>
              <Table
                caption={words.title}
                columns={columns({ lift: mayManage ? ask : null, only: (one) => setScope(one, { after: '' }) })}
                rows={data}
                keyOf={(one) => `${one.contact} ${one.scope}`}
              />
              {(after !== '' || next != null) && (
                <Row>
                  {after !== '' && <Button onPress={() => setAfter('')}>{words.newest}</Button>}
                  {next != null && <Button onPress={() => setAfter(next)}>{words.older}</Button>}
                </Row>
              )}
            </>
          )
        }
      </Shown>
      <Keywords />
      {asked === 'add' && <AddDialog onClose={close} />}
      {asked === 'import' && <ImportOptOuts onClose={close} />}
      {asked !== null && typeof asked === 'object' && <LiftDialog of={asked} onClose={close} />}
    </Page>
  );
}

function scopeText(scope: string): string {
  const { kind, id } = readScope(scope);
  return kind === 'campaign' ? words.campaign(id) : words.number(phoneText(id));
}

function Nobody({ filtered }: { filtered: boolean }) {
  const { sandbox } = useMe();
  if (filtered) return <Empty title={words.empty.filtered}>{words.empty.filteredDetail}</Empty>;
  return (
    <Empty title={words.empty.title} action={sandbox && <LinkButton to="/handsets">{words.empty.handset}</LinkButton>}>
      {sandbox && words.empty.detail}
    </Empty>
  );
}

function columns({
  lift,
  only,
}: {
  /** Null for people with read-only access. */
  lift: ((of: OptOut) => void) | null;
  only(scope: string): void;
}): Column<OptOut>[] {
  const all: Column<OptOut>[] = [
    { id: 'contact', title: words.columns.contact, cell: ({ contact }) => <Phone digits={contact} /> },
    {
      id: 'scope',
      title: words.columns.scope,
      cell: ({ scope }) => (
        <button type="button" className={styles.scope} onClick={() => only(scope)}>
          {scopeText(scope)}
        </button>
      ),
    },
    { id: 'how', title: words.columns.how, cell: ({ how }) => words.how[how] ?? how },
    { id: 'since', title: words.columns.since, cell: ({ at }) => <Time at={at} /> },
    { id: 'reason', title: words.columns.reason, cell: ({ reason }) => (reason === '' ? words.none : reason) },
    {
      id: 'evidence',
      title: words.columns.evidence,
      cell: ({ evidenceMessageId: messageId }) =>
        messageId === null ? (
          words.none
        ) : (
          <Link to="/messages/$messageId" params={{ messageId }}>
            {words.openMessage}
          </Link>
        ),
    },
  ];
  if (lift === null) return all;
  return [
    ...all,
    {
      id: 'actions',
      title: words.columns.actions,
      cell: (of) => (
        <Button look="quiet" aria-label={`${words.resubscribe} ${phoneText(of.contact)}`} onPress={() => lift(of)}>
          {words.resubscribe}
        </Button>
      ),
    },
  ];
}

/** Downloaded through the session, because a plain link would not name the environment. */
function Export() {
  const download = useMutation({
    mutationFn: () => {
      const timeZone = zoneShown() ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
      return saveAnswer('opt-outs.csv', `/opt-outs/export.csv${query({ timeZone })}`);
    },
  });
  return (
    <>
      <FormFault error={download.error} />
      <Button onPress={() => download.mutate()} isPending={download.isPending}>
        {words.export}
      </Button>
    </>
  );
}

function Keywords() {
  const list = (which: keyof typeof keywordList) => (
    <span className={styles.words}>
      {keywordList[which].map((word) => (
        <code key={word}>{word}</code>
      ))}
    </span>
  );
  return (
    <Panel title={words.keywords.title}>
      <p>{words.keywords.what}</p>
      <Facts
        facts={[
          [words.keywords.out, list('out')],
          [words.keywords.in, list('in')],
          [words.keywords.help, list('help')],
        ]}
      />
      <p className={styles.muted}>{words.keywords.inNote}</p>
      <p className={styles.muted}>{words.keywords.texts}</p>
    </Panel>
  );
}
