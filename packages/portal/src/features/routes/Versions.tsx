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

const routeWords = labelsOf('route');

const words = routeWords.versions;

export function Versions({
  current,
  draft,
  onDrafted,
}: {
  current: readonly Rule[];
  draft: DraftState;
  onDrafted(): void;
}) {
  const [asked, ask] = useState<RuleVersion | null>(null);
  const versions = useQuery({
    queryKey: ['routes', 'history'],
    queryFn: async () => (await api.get('/routes/history')).data,
  });
  return (
    <Shown of={versions}>
      {(list) =>
        list.length === 0 ? (
          <Empty title={words.empty.title}>{words.empty.detail}</Empty>
        ) : (
          <>
            <p>{words.what}</p>
            <Table
              caption={words.caption}
              rows={list}
              keyOf={({ version }) => String(version)}
              columns={[
                { id: 'version', title: words.columns.version, figures: true, cell: ({ version }) => version },
                { id: 'at', title: words.columns.at, cell: ({ at }) => <Time at={at} /> },
                { id: 'who', title: words.columns.who, cell: ({ who }) => (who === '' ? words.before : who) },
                {
                  id: 'what',
                  title: words.columns.what,
                  cell: (one) => <What of={one} previous={list[list.indexOf(one) + 1]} />,
                },
                {
                  id: 'actions',
                  title: words.columns.actions,
                  cell: (one) =>
                    changesOf(current, one.routes).length === 0 ? (
                      <Badge tone="ok" icon="check" word={words.now} />
                    ) : (
                      <Button onPress={() => ask(one)}>
                        {words.compare} <span className="visually-hidden">{words.compareThis(one.version)}</span>
                      </Button>
                    ),
                },
              ]}
            />
            {asked !== null && (
              <Compare
                of={asked}
                current={current}
                draft={draft}
                onClose={() => ask(null)}
                onDrafted={() => {
                  ask(null);
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
  if (previous === undefined) return words.rules(of.routes.length);
  const changes = changesOf(previous.routes, of.routes);
  return changes.map(({ routeId, how }) => `${routeId} ${routeWords.draft.how[how]}`).join(', ');
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
    <Dialog title={words.compareTitle(of.version)} open onClose={onClose} wide>
      <FormFault error={draft.step.error} />
      <RuleChanges of={changesOf(current, of.routes)} caption={words.compareCaption} />
      <p>{words.consequence}</p>
      {draft.draft !== null && <Notice tone="warn" title={words.replaces} />}
      <DialogActions>
        <Button onPress={onClose}>{routeWords.cancel}</Button>
        <Button
          look="primary"
          isPending={draft.step.isPending}
          onPress={() =>
            draft.step.mutate({ forms: of.routes.map(formOf), base: [...current] }, { onSuccess: onDrafted })
          }
        >
          {words.restore}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
