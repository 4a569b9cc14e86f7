/** Columns of tables of alerts, on their own page and in place. */
import type { Alert } from '../../api/routes/alerts';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { Badge } from '../../ui/Status';
import type { Column } from '../../ui/Table';
import { Time } from '../../ui/Values';
import type { SilenceOf } from './Silences';

const words = labelsOf('alerts');

export const alertColumns: readonly Column<Alert>[] = [
  { id: 'alert', title: words.columns.alert, cell: ({ kind }) => words.kinds[kind] },
  { id: 'state', title: words.columns.state, cell: (alert) => <AlertState of={alert} /> },
  { id: 'detail', title: words.columns.detail, cell: ({ detail }) => detail },
  { id: 'since', title: words.columns.since, cell: ({ firedAt }) => <Time at={firedAt} /> },
];

export function silenceColumn(onSilence: (of: SilenceOf) => void): Column<Alert> {
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
