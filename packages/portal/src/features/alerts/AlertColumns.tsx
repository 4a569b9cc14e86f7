/** Columns of tables of alerts, on their own page and in place. */
import type { Alert } from '../../api/routes/alerts';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { Badge } from '../../ui/Status';
import type { Column } from '../../ui/Table';
import { Time } from '../../ui/Values';
import type { SilenceOf } from './Silences';

const labels = labelsOf('alerts');

export const alertColumns: readonly Column<Alert>[] = [
  { id: 'alert', title: labels.columns.alert, cell: ({ kind }) => labels.kinds[kind] },
  { id: 'state', title: labels.columns.state, cell: (alert) => <AlertState of={alert} /> },
  { id: 'detail', title: labels.columns.detail, cell: ({ detail }) => detail },
  { id: 'since', title: labels.columns.since, cell: ({ firedAt }) => <Time at={firedAt} /> },
];

export function silenceColumn(onSilence: (of: SilenceOf) => void): Column<Alert> {
  return {
    id: 'actions',
    title: labels.columns.actions,
    cell: ({ kind, subject, detail }) => (
      <Button aria-label={labels.silences.silenceOf(detail)} onPress={() => onSilence({ kind, subject })}>
        {labels.silences.silence}
      </Button>
    ),
  };
}

function AlertState({ of: { resolvedAt, isTold } }: { of: Alert }) {
  if (!isTold) return <Badge tone="neutral" icon="pause" word={labels.firing.silenced} />;
  return resolvedAt === null ? (
    <Badge tone="bad" icon="warning" word={labels.firing.fires} />
  ) : (
    <Badge tone="ok" icon="check" word={labels.firing.over} />
  );
}
