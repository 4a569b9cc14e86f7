/** The silences, and the dialog that silences one alert, one kind, or all. */
import { useState } from 'react';
import type { AlertSilence } from '../../api/routes/alerts';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { Dialog, DialogActions } from '../../ui/Dialog';
import { Select } from '../../ui/Field';
import { Form, Panel } from '../../ui/Page';
import { Empty, FormFault } from '../../ui/States';
import { Table } from '../../ui/Table';
import { Time } from '../../ui/Values';
import { type Kind, useEndSilence, useSilence } from './alerts';

const alertsLabels = labelsOf('alerts');
const labels = alertsLabels.silences;

/** The alert that the dialog was opened for; null = all alerts. */
export interface SilenceOf {
  kind: Kind | null;
  subject: string | null;
}

export function Silences({ silences }: { silences: readonly AlertSilence[] }) {
  const end = useEndSilence();
  return (
    <Panel title={labels.title}>
      <p>{labels.what}</p>
      <FormFault error={end.error} />
      {silences.length === 0 ? (
        <Empty title={labels.none} />
      ) : (
        <Table
          caption={labels.title}
          rows={silences}
          keyOf={({ silenceId }) => silenceId}
          columns={[
            { id: 'alert', title: alertsLabels.columns.alert, cell: (one) => nameOf(one) },
            { id: 'until', title: alertsLabels.columns.until, cell: ({ until }) => <Time at={until} /> },
            { id: 'who', title: alertsLabels.columns.who, cell: ({ who }) => who },
            {
              id: 'actions',
              title: alertsLabels.columns.actions,
              cell: (one) => (
                <Button aria-label={labels.endOf(nameOf(one))} onPress={() => end.mutate(one.silenceId)}>
                  {labels.end}
                </Button>
              ),
            },
          ]}
        />
      )}
    </Panel>
  );
}

function nameOf({ kind, subject }: SilenceOf): string {
  const name = kind === null ? labels.all : alertsLabels.kinds[kind];
  return subject === null || subject === '' ? name : `${name}: ${subject}`;
}

const lengths = Object.entries(labels.lengths).map(([value, label]) => ({ value, label }));

export function SilenceDialog({ of: { kind, subject }, onClose }: { of: SilenceOf; onClose(): void }) {
  const silence = useSilence();
  const [minutes, setMinutes] = useState('60');
  const [scope, setScope] = useState(kind === null ? 'all' : 'one');
  const scopes = [
    ...(kind === null ? [] : [{ value: 'one', label: labels.scopes.one(nameOf({ kind, subject })) }]),
    ...(kind === null || subject === ''
      ? []
      : [{ value: 'kind', label: labels.scopes.kind(alertsLabels.kinds[kind]) }]),
    { value: 'all', label: labels.scopes.all },
  ];
  function submit(): void {
    const of = { kind: scope === 'all' ? null : kind, subject: scope === 'one' ? subject : null };
    silence.mutate({ ...of, minutes: Number(minutes) }, { onSuccess: onClose });
  }
  return (
    <Dialog title={labels.silence} open onClose={onClose}>
      <Form label={labels.silence} onSubmit={submit}>
        <FormFault error={silence.error} />
        <Select label={labels.scope} value={scope} onChange={setScope} choices={scopes} />
        <Select label={labels.length} value={minutes} onChange={setMinutes} choices={lengths} />
        <DialogActions>
          <Button onPress={onClose}>{labels.cancel}</Button>
          <Button look="primary" type="submit" isPending={silence.isPending}>
            {labels.silence}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
