/** The limits of all alerts, and the dialog that changes one. */
import { useState } from 'react';
import { ApiError } from '../../api/client';
import type { AlertRule } from '../../api/routes/alerts';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { Dialog, DialogActions } from '../../ui/Dialog';
import { Switch, TextField } from '../../ui/Field';
import { Form, Panel } from '../../ui/Page';
import { FormFault, faultOf, Notice } from '../../ui/States';
import { Badge } from '../../ui/Status';
import { Table } from '../../ui/Table';
import { useSaveRule } from './alerts';

const alertsLabels = labelsOf('alerts');
const labels = alertsLabels.rules;

export function Rules({ rules }: { rules: readonly AlertRule[] }) {
  const [changing, setChanging] = useState<AlertRule | null>(null);
  const [isSaved, setSaved] = useState(false);
  return (
    <Panel title={labels.title}>
      <Table
        caption={labels.title}
        rows={rules}
        keyOf={({ kind }) => kind}
        columns={[
          { id: 'alert', title: alertsLabels.columns.alert, cell: ({ kind }) => alertsLabels.kinds[kind] },
          {
            id: 'limit',
            title: alertsLabels.columns.limit,
            cell: ({ unit, limit }) => alertsLabels.units[unit](limit),
          },
          {
            id: 'held',
            title: alertsLabels.columns.held,
            cell: ({ forSeconds }) => alertsLabels.units.seconds(forSeconds),
          },
          {
            id: 'state',
            title: alertsLabels.columns.state,
            cell: ({ enabled }) =>
              enabled ? (
                <Badge tone="ok" icon="check" word={labels.on} />
              ) : (
                <Badge tone="neutral" icon="pause" word={labels.off} />
              ),
          },
          {
            id: 'actions',
            title: alertsLabels.columns.actions,
            cell: (rule) => (
              <Button
                aria-label={labels.changeOf(alertsLabels.kinds[rule.kind])}
                onPress={() => {
                  setSaved(false);
                  setChanging(rule);
                }}
              >
                {labels.change}
              </Button>
            ),
          },
        ]}
      />
      <p role="status">{isSaved && labels.saved}</p>
      {changing !== null && (
        <RuleDialog
          rule={changing}
          onClose={(saved) => {
            setSaved(saved);
            setChanging(null);
          }}
        />
      )}
    </Panel>
  );
}

/** `rule`: its state when the dialog was opened; later changes do not replace it. */
function RuleDialog({ rule, onClose }: { rule: AlertRule; onClose(saved: boolean): void }) {
  const { kind, unit, min, max, byDefault, version } = rule;
  const save = useSaveRule(kind);
  const [limit, setLimit] = useState(String(rule.limit));
  const [forSeconds, setForSeconds] = useState(String(rule.forSeconds));
  const [enabled, setEnabled] = useState(rule.enabled);
  const title = labels.changeOf(alertsLabels.kinds[kind]);
  const isOverwriting = save.error instanceof ApiError && save.error.status === 409;
  function submit(): void {
    const record = { limit: Number(limit), forSeconds: Number(forSeconds), enabled };
    save.mutate({ ...record, version }, { onSuccess: () => onClose(true) });
  }
  return (
    <Dialog title={title} open onClose={() => onClose(false)}>
      <Form label={title} onSubmit={submit}>
        {isOverwriting ? <Notice tone="warn" title={labels.changed} /> : <FormFault error={save.error} />}
        <Switch label={labels.enabled} isSelected={enabled} onChange={setEnabled} />
        <TextField
          label={labels.limit(labels.unitNames[unit])}
          help={labels.bounds(min, max, byDefault.limit)}
          inputMode="numeric"
          value={limit}
          onChange={setLimit}
          fault={faultOf(save.error, 'limit')}
          isRequired
        />
        <TextField
          label={labels.forSeconds}
          help={labels.forHelp(byDefault.forSeconds)}
          inputMode="numeric"
          value={forSeconds}
          onChange={setForSeconds}
          fault={faultOf(save.error, 'forSeconds')}
          isRequired
        />
        <DialogActions>
          <Button onPress={() => onClose(false)}>{alertsLabels.silences.cancel}</Button>
          <Button look="primary" type="submit" isPending={save.isPending}>
            {labels.save}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
