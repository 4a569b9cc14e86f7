/** What waits in the store, for the gauges. */
import type { LaneId } from '../../../kernel/ids.ts';
import { selectQueueCounts } from '../../../messaging/store/statements/queue.ts';
import { type EngineKind, type StoreOf, storeModule } from '../../../store/module.ts';
import { type Operation, run } from '../../../store/query.ts';
import { selectWaitingEndpoints } from '../../webhooks/store/statements.ts';
import {
  selectMediaJobCounts,
  selectOldestSnapshot,
  selectUncertainCounts,
  selectWebhookBacklog,
} from './statements.ts';

/** Of one endpoint; counting more would cost more than the figure is worth. */
const countedMax = 10_000;

export interface StoredFigures {
  /** Per lane with any. `oldestDueAt`: the earliest time at which one may go out. */
  queued: { lane: LaneId; count: number; oldestDueAt: number | null }[];
  /** Per lane with any. `oldestDueAt`: the earliest time at which the policy acts on one. */
  uncertain: { lane: LaneId; count: number; oldestDueAt: number }[];
  mediaJobs: { due: number; waiting: number };
  /** Per endpoint with waiting deliveries: exact up to 10,000. `oldestAt`: the time of its oldest event. */
  webhooks: { endpointId: string; waiting: number; oldestAt: number | null }[];
  /** Null for SQLite. */
  oldestSnapshotMs: number | null;
}

function* storedFigures(engine: EngineKind, now: number): Operation<StoredFigures> {
  const queued = yield* run(selectQueueCounts, [{}]);
  const uncertain = yield* run(selectUncertainCounts, [{}]);
  const [jobs] = yield* run(selectMediaJobCounts, [{ now }]);
  const webhooks: StoredFigures['webhooks'] = [];
  for (const { endpoint_id } of yield* run(selectWaitingEndpoints, [{}])) {
    const [found] = yield* run(selectWebhookBacklog, [{ endpoint_id, limit: countedMax }]);
    webhooks.push({ endpointId: endpoint_id, waiting: found!.waiting, oldestAt: found!.oldest_at });
  }
  const [snapshot] = engine === 'postgres' ? yield* run(selectOldestSnapshot, [{}]) : [];
  return {
    queued: queued.map((row) => ({ lane: row.lane, count: row.queued, oldestDueAt: row.oldest_due_at })),
    uncertain: uncertain.map((row) => ({ lane: row.lane, count: row.uncertain, oldestDueAt: row.oldest_due_at })),
    mediaJobs: { due: jobs!.due, waiting: jobs!.jobs - jobs!.due },
    webhooks,
    oldestSnapshotMs: snapshot?.ms ?? null,
  };
}

export const metricsStore = storeModule({
  name: 'metrics',
  writes: {},
  reads: {
    // A scrape does not make the journal's messages go to the database: they are missing for up to ten seconds.
    storedFigures: { run: storedFigures, needs: 'nothing' },
  },
  verbs: (on, engine) => ({
    storedFigures: (now: number) => on.storedFigures(engine, now),
  }),
});

export interface MetricsStore extends StoreOf<typeof metricsStore> {}
