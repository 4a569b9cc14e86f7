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

const routeWords = labelsOf('route');

const words = routeWords.draft;

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
  const [asked, ask] = useState<'impact' | 'discard' | null>(null);
  const { draft, changes, isBehind, step } = of;
  if (draft === null) return null;
  const discard = <Button onPress={() => ask('discard')}>{words.discard}</Button>;
  return (
    <div className={styles.outcome}>
      {!faultElsewhere && <FormFault error={step.error} />}
      {isBehind ? (
        <Notice
          tone="warn"
          title={words.behind.title}
          actions={
            <Row>
              <Button look="primary" onPress={of.rebase} isPending={step.isPending}>
                {words.behind.rebase}
              </Button>
              {discard}
            </Row>
          }
        >
          <p>{words.behind.detail}</p>
          <RuleChanges of={changesOf(draft.base, current)} caption={words.behind.theirs} />
        </Notice>
      ) : (
        <Notice
          tone="info"
          title={words.title(changes.length)}
          actions={
            <Row>
              <Button look="primary" onPress={() => ask('impact')}>
                {words.impact}
              </Button>
              {discard}
            </Row>
          }
        >
          <p>{words.detail}</p>
        </Notice>
      )}
      <RuleChanges of={changes} caption={words.caption} />
      {asked === 'impact' && (
        <ImpactDialog
          draft={draft}
          onClose={() => ask(null)}
          onDone={() => {
            ask(null);
            of.discard();
          }}
        />
      )}
      {asked === 'discard' && (
        <DiscardDialog
          changes={changes.length}
          onClose={() => ask(null)}
          onDiscard={() => {
            ask(null);
            of.discard();
          }}
        />
      )}
    </div>
  );
}

function DiscardDialog({ changes, onClose, onDiscard }: { changes: number; onClose(): void; onDiscard(): void }) {
  const { title, what, go, stay } = routeWords.discardDialog;
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
        { id: 'rule', title: words.columns.rule, cell: ({ routeId }) => <code>{routeId}</code> },
        { id: 'how', title: words.columns.how, cell: ({ how }) => <Badge {...looks[how]} word={words.how[how]} /> },
        {
          id: 'fields',
          title: words.columns.fields,
          cell: ({ how, fields }) =>
            fields
              .map(({ name, before, after }) =>
                how === 'changed'
                  ? words.field(words.fields[name], before || words.nothing, after || words.nothing)
                  : words.value(words.fields[name], before || after),
              )
              .join(' · '),
        },
      ]}
    />
  );
}
