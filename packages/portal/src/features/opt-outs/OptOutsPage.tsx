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

const labels = labelsOf('optOut');
const importLabels = labels.importer;

const example = 'contact,number,reason\n12025550100,12025550199,asked by e-mail on 4 May\n';

/** A file of opt-outs: imported entry by entry, with a table of rejected entries and the reasons. */
function ImportOptOuts({ onClose }: { onClose(): void }) {
  return (
    <ImportDialog<ImportedOptOuts>
      labels={importLabels}
      what={importLabels.what}
      example={example}
      accept=".csv,.json,text/csv,application/json"
      send={(file) => api.upload('/opt-outs/import', file)}
      stale="opt-outs"
      bodyOf={importBody}
      subject={{ title: labels.columns.contact, of: ({ contact }) => contact }}
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
  const [dialog, showDialog] = useState<'add' | 'import' | OptOut | null>(null);
  const optOuts = useOptOuts({ contact, scope, after });
  const close = () => showDialog(null);
  return (
    <Page
      title={labels.title}
      actions={
        <>
          <FilterViews list="opt-out" fields={{ contact: labels.search, scope: labels.columns.scope }} />
          <ApiRequest path={`/api/v1/opt-outs${query({ contact, scope, after })}`} />
          <Export />
          {mayManage && <Button onPress={() => showDialog('import')}>{labels.import}</Button>}
          {mayManage && (
            <Button look="primary" icon="plus" onPress={() => showDialog('add')}>
              {labels.add}
            </Button>
          )}
        </>
      }
    >
      <p>{labels.what}</p>
      {!mayManage && <Notice tone="info" title={labels.roleMissing} />}
      <SearchForm
        key={contact}
        value={contact}
        onFind={(text) => setContact(digitsOf(text), { after: '' })}
        labels={labels}
        help={labels.searchHelp}
      />
      {scope !== '' && (
        <Row>
          <span>{labels.onlyScope(scopeText(scope))}</span>
          <Button look="quiet" icon="cross" onPress={() => setScope('', { after: '' })}>
            {labels.clear}
          </Button>
        </Row>
      )}
      <Shown of={optOuts} leads>
        {({ data, next }) =>
          data.length === 0 ? (
            <Nobody filtered={contact !== '' || scope !== ''} />
          ) : (
            <>
              <p>{labels.count(data.length, next != null || after !== '')}</p>
              <Table
                caption={labels.title}
                columns={columns({ lift: mayManage ? showDialog : null, only: (one) => setScope(one, { after: '' }) })}
                rows={data}
                keyOf={(one) => `${one.contact} ${one.scope}`}
              />
              {(after !== '' || next != null) && (
                <Row>
                  {after !== '' && <Button onPress={() => setAfter('')}>{labels.newest}</Button>}
                  {next != null && <Button onPress={() => setAfter(next)}>{labels.older}</Button>}
                </Row>
              )}
            </>
          )
        }
      </Shown>
      <Keywords />
      {dialog === 'add' && <AddDialog onClose={close} />}
      {dialog === 'import' && <ImportOptOuts onClose={close} />}
      {dialog !== null && typeof dialog === 'object' && <LiftDialog of={dialog} onClose={close} />}
    </Page>
  );
}

function scopeText(scope: string): string {
  const { kind, id } = readScope(scope);
  return kind === 'campaign' ? labels.campaign(id) : labels.number(phoneText(id));
}

function Nobody({ filtered }: { filtered: boolean }) {
  const { sandbox } = useMe();
  if (filtered) return <Empty title={labels.empty.filtered}>{labels.empty.filteredDetail}</Empty>;
  return (
    <Empty
      title={labels.empty.title}
      action={sandbox && <LinkButton to="/handsets">{labels.empty.handset}</LinkButton>}
    >
      {sandbox && labels.empty.detail}
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
    { id: 'contact', title: labels.columns.contact, cell: ({ contact }) => <Phone digits={contact} /> },
    {
      id: 'scope',
      title: labels.columns.scope,
      cell: ({ scope }) => (
        <button type="button" className={styles.scope} onClick={() => only(scope)}>
          {scopeText(scope)}
        </button>
      ),
    },
    { id: 'how', title: labels.columns.how, cell: ({ how }) => labels.how[how] ?? how },
    { id: 'since', title: labels.columns.since, cell: ({ at }) => <Time at={at} /> },
    { id: 'reason', title: labels.columns.reason, cell: ({ reason }) => (reason === '' ? labels.none : reason) },
    {
      id: 'evidence',
      title: labels.columns.evidence,
      cell: ({ evidenceMessageId: messageId }) =>
        messageId === null ? (
          labels.none
        ) : (
          <Link to="/messages/$messageId" params={{ messageId }}>
            {labels.openMessage}
          </Link>
        ),
    },
  ];
  if (lift === null) return all;
  return [
    ...all,
    {
      id: 'actions',
      title: labels.columns.actions,
      cell: (of) => (
        <Button look="quiet" aria-label={`${labels.resubscribe} ${phoneText(of.contact)}`} onPress={() => lift(of)}>
          {labels.resubscribe}
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
        {labels.export}
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
    <Panel title={labels.keywords.title}>
      <p>{labels.keywords.what}</p>
      <Facts
        facts={[
          [labels.keywords.out, list('out')],
          [labels.keywords.in, list('in')],
          [labels.keywords.help, list('help')],
        ]}
      />
      <p className={styles.muted}>{labels.keywords.inNote}</p>
      <p className={styles.muted}>{labels.keywords.texts}</p>
    </Panel>
  );
}
