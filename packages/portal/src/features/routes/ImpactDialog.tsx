/** The effect that a draft would have had on recent messages, and publishing it. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, api } from '../../api/client';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { Dialog, DialogActions } from '../../ui/Dialog';
import { Checkbox } from '../../ui/Field';
import { FormFault, Notice, Shown } from '../../ui/States';
import { Table } from '../../ui/Table';
import { Phone } from '../../ui/Values';
import { type Draft, formOf } from './draft';
import styles from './Routes.module.css';
import type { Impact, Untaken, Way } from './routes';

const routeLabels = labelsOf('route');

const labels = routeLabels.impact;

export function ImpactDialog({ draft, onClose, onDone }: { draft: Draft; onClose(): void; onDone(): void }) {
  const client = useQueryClient();
  const routes = draft.rules.map(formOf);
  const [confirmed, confirm] = useState(false);
  const impact = useQuery({
    queryKey: ['routes', 'impact', JSON.stringify(routes)],
    queryFn: async () => (await api.post('/routes/impact', { routes })).data,
    retry: false,
  });
  const publish = useMutation({
    mutationFn: async () => {
      const base = draft.base.map(({ version }) => version);
      return (await api.post('/routes/publish', { routes, base, confirmed })).data;
    },
    onSuccess: async (list) => {
      client.setQueryData(['routes'], list);
      onDone();
      await client.invalidateQueries({ queryKey: ['routes'] });
    },
    onError: async (error) => {
      // The page itself reports what another person published.
      if (!(error instanceof ApiError) || error.reason !== 'CONFLICT') return;
      await client.invalidateQueries({ queryKey: ['routes'] });
      onClose();
    },
  });
  const refused = impact.data === undefined ? 0 : refusedBy(impact.data);
  const untaken = impact.data?.untaken ?? [];
  return (
    <Dialog title={labels.title} open onClose={onClose} wide>
      <FormFault error={publish.error} />
      <Shown of={impact}>{(found) => <Outcome of={found} refused={refused} />}</Shown>
      {untaken.length > 0 && <Confirm untaken={untaken} confirmed={confirmed} onConfirm={confirm} />}
      <p>{labels.consequence}</p>
      <DialogActions>
        <Button onPress={onClose}>{labels.back}</Button>
        <Button
          look={refused > 0 || untaken.length > 0 ? 'danger' : 'primary'}
          onPress={() => publish.mutate()}
          isPending={publish.isPending}
          isDisabled={untaken.length > 0 && !confirmed}
        >
          {labels.publish}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

/** Independent of recent traffic: a rule for texts with a carrier for MMS refuses every text. */
function Confirm({
  untaken,
  confirmed,
  onConfirm,
}: {
  untaken: readonly Untaken[];
  confirmed: boolean;
  onConfirm(confirmed: boolean): void;
}) {
  const warnings = routeLabels.untaken;
  return (
    <Notice tone="warn" title={warnings.rules(untaken.length)}>
      <ul>
        {untaken.map(({ routeId, kinds, prefix }) => (
          <li key={routeId}>{warnings.rule(routeId, kinds, prefix)}</li>
        ))}
      </ul>
      <Checkbox isSelected={confirmed} onChange={onConfirm}>
        {warnings.confirm}
      </Checkbox>
    </Notice>
  );
}

function Outcome({ of, refused }: { of: Impact; refused: number }) {
  const { looked, same, moves } = of;
  if (looked === 0) return <Notice tone="neutral" title={labels.noMessages} />;
  return (
    <div className={styles.outcome}>
      <Notice tone={refused > 0 ? 'warn' : 'ok'} title={labels.summary(looked, looked - same)}>
        {refused > 0 && <p>{labels.refused(refused)}</p>}
      </Notice>
      {moves.length > 0 && (
        <Table
          caption={labels.caption}
          rows={moves}
          keyOf={({ before, after }) => JSON.stringify([before, after])}
          columns={[
            { id: 'before', title: labels.columns.before, cell: ({ before }) => wayText(before) },
            { id: 'after', title: labels.columns.after, cell: ({ after }) => wayText(after) },
            { id: 'count', title: labels.columns.count, figures: true, cell: ({ count }) => count },
            {
              id: 'examples',
              title: labels.columns.examples,
              cell: ({ examples }) => (
                <ul className={styles.examples}>
                  {examples.map(({ messageId, from, to, kind }) => (
                    <li key={messageId}>
                      {kind} <Phone digits={from} /> → <Phone digits={to} />
                    </li>
                  ))}
                </ul>
              ),
            },
          ]}
        />
      )}
    </div>
  );
}

function wayText(ways: readonly Way[]): string {
  return ways
    .map(({ carrierId, share }) =>
      share === 1 ? (carrierId ?? labels.nowhere) : labels.share(carrierId ?? labels.nowhere, Math.round(share * 100)),
    )
    .join(', ');
}

/** Messages that would newly be refused, wholly or in part. */
function refusedBy({ moves }: Impact): number {
  const isRefused = (ways: readonly Way[]) => ways.some(({ carrierId }) => carrierId === null);
  return moves.reduce((sum, { before, after, count }) => sum + (isRefused(after) && !isRefused(before) ? count : 0), 0);
}
