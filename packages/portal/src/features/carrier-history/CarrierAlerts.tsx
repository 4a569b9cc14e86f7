/** Alerts about carriers, shown in place: the firing ones, and those of one carrier, with a button that silences. */
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Alert } from '../../api/routes/alerts';
import { labelsOf } from '../../language/labels';
import { Panel } from '../../ui/Page';
import { Shown } from '../../ui/States';
import { Table } from '../../ui/Table';
import { Time } from '../../ui/Values';
import { alertColumns, silenceColumn } from '../alerts/AlertColumns';
import { useAlerts } from '../alerts/alerts';
import { SilenceDialog, type SilenceOf } from '../alerts/Silences';
import { useAlertsOf } from './history';

const labels = labelsOf('carrierHistory').alerts;
const alertLabels = labelsOf('alerts');

/** The subject of a budget is a company; an alert about the gateway has none. */
function isAboutCarrier({ kind, subject }: Alert): boolean {
  return subject !== '' && kind !== 'budget';
}

export function FiringAlerts() {
  const now = useAlerts();
  return (
    <Panel title={labels.title} actions={<Link to="/alerts">{labels.all}</Link>}>
      <Shown of={now} rows={2}>
        {({ firing }) => {
          const shown = firing.filter(isAboutCarrier);
          return <AlertTable alerts={shown} none={labels.noneFiring} />;
        }}
      </Shown>
    </Panel>
  );
}

export function AlertsOf({ carrierId }: { carrierId: string }) {
  const alerts = useAlertsOf(carrierId);
  return (
    <Panel title={labels.title} actions={<Link to="/alerts">{labels.all}</Link>}>
      <Shown of={alerts} rows={2}>
        {(list) => <AlertTable alerts={list} none={labels.none} />}
      </Shown>
    </Panel>
  );
}

function AlertTable({ alerts, none }: { alerts: readonly Alert[]; none: string }) {
  const [silencing, setSilencing] = useState<SilenceOf | null>(null);
  return (
    <>
      {alerts.length === 0 ? (
        <p>{none}</p>
      ) : (
        <Table
          caption={labels.title}
          rows={alerts}
          keyOf={({ alertId }) => alertId}
          columns={[
            ...alertColumns,
            {
              id: 'until',
              title: alertLabels.columns.until,
              cell: ({ resolvedAt }) => (resolvedAt === null ? '—' : <Time at={resolvedAt} />),
            },
            silenceColumn(setSilencing),
          ]}
        />
      )}
      {silencing !== null && <SilenceDialog of={silencing} onClose={() => setSilencing(null)} />}
    </>
  );
}
