/** Earlier versions of the rules: compare one with the current rules, and load it as a draft. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { Dialog, DialogActions } from '../../ui/Dialog';
import { Empty, FormFault, Notice, Shown } from '../../ui/States';
import { Badge } from '../../ui/Status';
import { Table } from '../../ui/Table';
import { Time } from '../../ui/Values';
import { RuleChanges } from './DraftBar';
import { changesOf, formOf } from './draft';
import type { Rule, RuleVersion } from './routes';
import type { DraftState } from './use-draft';

const routeLabels = labelsOf('route');

const labels = routeLabels.versions;

export function Versions({
  current,
  draft,
  onDrafted,
}: {
  current: readonly Rule[];
  draft: DraftState;
  onDrafted(): void;
}) {
  const [compared, compare] = useState<RuleVersion | null>(null);
  const versions = useQuery({
    queryKey: ['routes', 'history'],
    queryFn: async () => (await api.get('/routes/history')).data,
  });
  return (
    <Shown of={versions}>
      {(list) =>
        list.length === 0 ? (
          <Empty title={labels.empty.title}>{labels.empty.detail}</Empty>
        ) : (
          <>
            <p>{labels.what}</p>
            <Table
              caption={labels.caption}
              rows={list}
              keyOf={({ version }) => String(version)}
              columns={[
                { id: 'version', title: labels.columns.version, figures: true, cell: ({ version }) => version },
                { id: 'at', title: labels.columns.at, cell: ({ at }) => <Time at={at} /> },
                { id: 'who', title: labels.columns.who, cell: ({ who }) => (who === '' ? labels.before : who) },
                {
                  id: 'what',
                  title: labels.columns.what,
                  cell: (one) => <What of={one} previous={list[list.indexOf(one) + 1]} />,
                },
                {
                  id: 'actions',
                  title: labels.columns.actions,
                  cell: (one) =>
                    changesOf(current, one.routes).length === 0 ? (
                      <Badge tone="ok" icon="check" word={labels.now} />
                    ) : (
                      <Button onPress={() => compare(one)}>
                        {labels.compare} <span className="visually-hidden">{labels.compareThis(one.version)}</span>
                      </Button>
                    ),
                },
              ]}
            />
            {compared !== null && (
              <Compare
                of={compared}
                current={current}
                draft={draft}
                onClose={() => compare(null)}
                onDrafted={() => {
                  compare(null);
                  onDrafted();
                }}
              />
            )}
          </>
        )
      }
    </Shown>
  );
}

function What({ of, previous }: { of: RuleVersion; previous: RuleVersion | undefined }) {
  if (previous === undefined) return labels.rules(of.routes.length);
  const changes = changesOf(previous.routes, of.routes);
  return changes.map(({ routeId, how }) => `${routeId} ${routeLabels.draft.how[how]}`).join(', ');
}

function Compare(props: {
  of: RuleVersion;
  current: readonly Rule[];
  draft: DraftState;
  onClose(): void;
  onDrafted(): void;
}) {
  const { of, current, draft, onClose, onDrafted } = props;
  return (
    <Dialog title={labels.compareTitle(of.version)} open onClose={onClose} wide>
      <FormFault error={draft.step.error} />
      <RuleChanges of={changesOf(current, of.routes)} caption={labels.compareCaption} />
      <p>{labels.consequence}</p>
      {draft.draft !== null && <Notice tone="warn" title={labels.replaces} />}
      <DialogActions>
        <Button onPress={onClose}>{routeLabels.cancel}</Button>
        <Button
          look="primary"
          isPending={draft.step.isPending}
          onPress={() =>
            draft.step.mutate({ forms: of.routes.map(formOf), base: [...current] }, { onSuccess: onDrafted })
          }
        >
          {labels.restore}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
