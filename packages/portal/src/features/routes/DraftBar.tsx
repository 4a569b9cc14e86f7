/** The changes of this tab's draft, and its actions; above all a conflict with another person. */
import { useState } from 'react';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { Dialog, DialogActions } from '../../ui/Dialog';
import { Row } from '../../ui/Page';
import { FormFault, Notice } from '../../ui/States';
import { Badge } from '../../ui/Status';
import { Table } from '../../ui/Table';
import { changesOf, type RuleChange } from './draft';
import { ImpactDialog } from './ImpactDialog';
import styles from './Routes.module.css';
import type { Rule } from './routes';
import type { DraftState } from './use-draft';

const routeLabels = labelsOf('route');

const labels = routeLabels.draft;

export function DraftBar({
  of,
  current,
  faultElsewhere,
}: {
  of: DraftState;
  current: readonly Rule[];
  /** A dialog over the page shows it. */
  faultElsewhere: boolean;
}) {
  const [dialog, showDialog] = useState<'impact' | 'discard' | null>(null);
  const { draft, changes, isBehind, step } = of;
  if (draft === null) return null;
  const discard = <Button onPress={() => showDialog('discard')}>{labels.discard}</Button>;
  return (
    <div className={styles.outcome}>
      {!faultElsewhere && <FormFault error={step.error} />}
      {isBehind ? (
        <Notice
          tone="warn"
          title={labels.behind.title}
          actions={
            <Row>
              <Button look="primary" onPress={of.rebase} isPending={step.isPending}>
                {labels.behind.rebase}
              </Button>
              {discard}
            </Row>
          }
        >
          <p>{labels.behind.detail}</p>
          <RuleChanges of={changesOf(draft.base, current)} caption={labels.behind.theirs} />
        </Notice>
      ) : (
        <Notice
          tone="info"
          title={labels.title(changes.length)}
          actions={
            <Row>
              <Button look="primary" onPress={() => showDialog('impact')}>
                {labels.impact}
              </Button>
              {discard}
            </Row>
          }
        >
          <p>{labels.detail}</p>
        </Notice>
      )}
      <RuleChanges of={changes} caption={labels.caption} />
      {dialog === 'impact' && (
        <ImpactDialog
          draft={draft}
          onClose={() => showDialog(null)}
          onDone={() => {
            showDialog(null);
            of.discard();
          }}
        />
      )}
      {dialog === 'discard' && (
        <DiscardDialog
          changes={changes.length}
          onClose={() => showDialog(null)}
          onDiscard={() => {
            showDialog(null);
            of.discard();
          }}
        />
      )}
    </div>
  );
}

function DiscardDialog({ changes, onClose, onDiscard }: { changes: number; onClose(): void; onDiscard(): void }) {
  const { title, what, go, stay } = routeLabels.discardDialog;
  return (
    <Dialog title={title} open onClose={onClose} urgent>
      <p>{what(changes)}</p>
      <DialogActions>
        <Button onPress={onClose}>{stay}</Button>
        <Button look="danger" onPress={onDiscard}>
          {go}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

const looks = {
  added: { tone: 'ok', icon: 'plus' },
  changed: { tone: 'info', icon: 'info' },
  removed: { tone: 'warn', icon: 'cross' },
} as const;

export function RuleChanges({ of, caption }: { of: readonly RuleChange[]; caption: string }) {
  return (
    <Table
      caption={caption}
      rows={of}
      keyOf={({ routeId }) => routeId}
      columns={[
        { id: 'rule', title: labels.columns.rule, cell: ({ routeId }) => <code>{routeId}</code> },
        { id: 'how', title: labels.columns.how, cell: ({ how }) => <Badge {...looks[how]} word={labels.how[how]} /> },
        {
          id: 'fields',
          title: labels.columns.fields,
          cell: ({ how, fields }) =>
            fields
              .map(({ name, before, after }) =>
                how === 'changed'
                  ? labels.field(labels.fields[name], before || labels.nothing, after || labels.nothing)
                  : labels.value(labels.fields[name], before || after),
              )
              .join(' · '),
        },
      ]}
    />
  );
}
