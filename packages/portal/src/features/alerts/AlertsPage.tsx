/** Firing alerts, silences, limits, mail and history; for operators. */
import { useState } from 'react';
import type { AlertsNow } from '../../api/routes/alerts';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { Page, Panel, Row } from '../../ui/Page';
import { Empty, FormFault, Shown } from '../../ui/States';
import { Table } from '../../ui/Table';
import { useUrlText } from '../../ui/url';
import { Time } from '../../ui/Values';
import { alertColumns, silenceColumn } from './AlertColumns';
import { useAlerts, useHistory, useTestMail } from './alerts';
import { Rules } from './Rules';
import { SilenceDialog, type SilenceOf, Silences } from './Silences';

const { places } = labelsOf('frame');
const labels = labelsOf('alerts');

export function AlertsPage() {
  const now = useAlerts();
  const [silencing, setSilencing] = useState<SilenceOf | null>(null);
  return (
    <Page
      title={places.alerts}
      actions={
        <Button onPress={() => setSilencing({ kind: null, subject: null })}>{labels.silences.silenceAll}</Button>
      }
    >
      <p>{labels.intro}</p>
      <Shown of={now} leads>
        {({ firing, silences, rules, mail }) => (
          <>
            <Panel title={labels.firing.title}>
              {firing.length === 0 ? (
                <Empty title={labels.firing.none} />
              ) : (
                <Table
                  caption={labels.firing.title}
                  rows={firing}
                  keyOf={({ alertId }) => alertId}
                  columns={[...alertColumns, silenceColumn(setSilencing)]}
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

function Mail({ mail: { isOn, to } }: { mail: AlertsNow['mail'] }) {
  const test = useTestMail();
  return (
    <Panel title={labels.mail.title}>
      <p>{isOn ? (to.length > 0 ? labels.mail.to(to.join(', ')) : labels.mail.nobody) : labels.mail.off}</p>
      {isOn && (
        <>
          <FormFault error={test.error} />
          <Row>
            <Button isPending={test.isPending} onPress={() => test.mutate()}>
              {labels.mail.test}
            </Button>
            <span role="status">{test.data !== undefined && labels.mail.sent(test.data.data.to)}</span>
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
    <Panel title={labels.history.title}>
      <Shown of={history}>
        {({ alerts, next }) => (
          <>
            {alerts.length === 0 ? (
              <Empty title={labels.history.none} />
            ) : (
              <Table
                caption={labels.history.title}
                rows={alerts}
                keyOf={({ alertId }) => alertId}
                columns={[
                  ...alertColumns,
                  {
                    id: 'until',
                    title: labels.columns.until,
                    cell: ({ resolvedAt }) => (resolvedAt === null ? '—' : <Time at={resolvedAt} />),
                  },
                ]}
              />
            )}
            <Row>
              {before !== '' && <Button onPress={() => setBefore('')}>{labels.history.newest}</Button>}
              {next !== null && <Button onPress={() => setBefore(next)}>{labels.history.older}</Button>}
            </Row>
          </>
        )}
      </Shown>
    </Panel>
  );
}
