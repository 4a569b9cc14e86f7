/** What fires, what is silenced, the limits, the mail and the history: for operators. */
import { useState } from 'react';
import type { Alert, AlertsNow } from '../../api/routes/alerts';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { Page, Panel, Row } from '../../ui/Page';
import { Empty, FormFault, Shown } from '../../ui/States';
import { Badge } from '../../ui/Status';
import { type Column, Table } from '../../ui/Table';
import { useUrlText } from '../../ui/url';
import { Time } from '../../ui/Values';
import { useAlerts, useHistory, useTestMail } from './alerts';
import { Rules } from './Rules';
import { SilenceDialog, type SilenceOf, Silences } from './Silences';

const { places } = labelsOf('frame');
const words = labelsOf('alerts');

export function AlertsPage() {
  const now = useAlerts();
  const [silencing, setSilencing] = useState<SilenceOf | null>(null);
  return (
    <Page
      title={places.alerts}
      actions={<Button onPress={() => setSilencing({ kind: null, subject: null })}>{words.silences.silenceAll}</Button>}
    >
      <p>{words.intro}</p>
      <Shown of={now} leads>
        {({ firing, silences, rules, mail }) => (
          <>
            <Panel title={words.firing.title}>
              {firing.length === 0 ? (
                <Empty title={words.firing.none} />
              ) : (
                <Table
                  caption={words.firing.title}
                  rows={firing}
                  keyOf={({ alertId }) => alertId}
                  columns={[...columns, silenceColumn(setSilencing)]}
                />
              )}
            </Panel>
            <Silences silences={silences} />
            <Rules rules={rules} />
            <Mail mail={mail} />
          </>
        )}
      </Shown>
      <History />
      {silencing !== null && <SilenceDialog of={silencing} onClose={() => setSilencing(null)} />}
    </Page>
  );
}

const columns: readonly Column<Alert>[] = [
  { id: 'alert', title: words.columns.alert, cell: ({ kind }) => words.kinds[kind] },
  { id: 'state', title: words.columns.state, cell: (alert) => <AlertState of={alert} /> },
  { id: 'detail', title: words.columns.detail, cell: ({ detail }) => detail },
  { id: 'since', title: words.columns.since, cell: ({ firedAt }) => <Time at={firedAt} /> },
];

function silenceColumn(onSilence: (of: SilenceOf) => void): Column<Alert> {
  return {
    id: 'actions',
    title: words.columns.actions,
    cell: ({ kind, subject, detail }) => (
      <Button aria-label={words.silences.silenceOf(detail)} onPress={() => onSilence({ kind, subject })}>
        {words.silences.silence}
      </Button>
    ),
  };
}

function AlertState({ of: { resolvedAt, isTold } }: { of: Alert }) {
  if (!isTold) return <Badge tone="neutral" icon="pause" word={words.firing.silenced} />;
  return resolvedAt === null ? (
    <Badge tone="bad" icon="warning" word={words.firing.fires} />
  ) : (
    <Badge tone="ok" icon="check" word={words.firing.over} />
  );
}

function Mail({ mail: { isOn, to } }: { mail: AlertsNow['mail'] }) {
  const test = useTestMail();
  return (
    <Panel title={words.mail.title}>
      <p>{isOn ? (to.length > 0 ? words.mail.to(to.join(', ')) : words.mail.nobody) : words.mail.off}</p>
      {isOn && (
        <>
          <FormFault error={test.error} />
          <Row>
            <Button isPending={test.isPending} onPress={() => test.mutate()}>
              {words.mail.test}
            </Button>
            <span role="status">{test.data !== undefined && words.mail.sent(test.data.data.to)}</span>
          </Row>
        </>
      )}
    </Panel>
  );
}

function History() {
  const [before, setBefore] = useUrlText('before');
  const history = useHistory(before);
  return (
    <Panel title={words.history.title}>
      <Shown of={history}>
        {({ alerts, next }) => (
          <>
            {alerts.length === 0 ? (
              <Empty title={words.history.none} />
            ) : (
              <Table
                caption={words.history.title}
                rows={alerts}
                keyOf={({ alertId }) => alertId}
                columns={[
                  ...columns,
                  {
                    id: 'until',
                    title: words.columns.until,
                    cell: ({ resolvedAt }) => (resolvedAt === null ? '—' : <Time at={resolvedAt} />),
                  },
                ]}
              />
            )}
            <Row>
              {before !== '' && <Button onPress={() => setBefore('')}>{words.history.newest}</Button>}
              {next !== null && <Button onPress={() => setBefore(next)}>{words.history.older}</Button>}
            </Row>
          </>
        )}
      </Shown>
    </Panel>
  );
}
