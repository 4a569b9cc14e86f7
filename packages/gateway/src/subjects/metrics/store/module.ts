/** What waits in the store, for the gauges. Every statement is answered from indexes. */
import type { LaneId } from '../../../kernel/ids.ts';
import { selectQueueCounts } from '../../../messaging/store/statements/queue.ts';
import { type EngineKind, type StoreOf, storeModule } from '../../../store/module.ts';
import { type Operation, run, statement } from '../../../store/query.ts';
import { selectWaitingEndpoints } from '../../webhooks/store/statements.ts';

export const selectUncertainCounts = statement<{ lane: LaneId; uncertain: number; oldest_due_at: number }>()(
  'select_uncertain_counts',
  {},
  `select lane, count(*) as uncertain, min(due_at) as oldest_due_at from deliveries where state = 'uncertain'
   group by lane order by lane`,
);

export const selectMediaJobCounts = statement<{ jobs: number; due: number }>()(
  'select_media_job_counts',
  { now: 'int' },
  `select count(*) as jobs, cast(coalesce(sum(case when due_at <= r.now then 1 else 0 end), 0) as bigint) as due
   from media_jobs`,
);

/** The oldest of those that are due first: a backlog longer than `limit` is older still. */
export const selectWebhookBacklog = statement<{ waiting: number; oldest_at: number | null }>()(
  'select_webhook_backlog',
  { endpoint_id: 'text', limit: 'int' },
  `select count(*) as waiting, min(created_at) as oldest_at from (select created_at from webhook_deliveries
     where state = 'waiting' and endpoint_id = r.endpoint_id order by due_at limit r.limit) counted`,
);

/** PostgreSQL: for how long the oldest transaction that keeps dead rows from being cleaned up has been open. */
export const selectOldestSnapshot = statement<{ ms: number }>()(
  'select_oldest_snapshot',
  {},
  `select cast(coalesce(max(extract(epoch from clock_timestamp() - xact_start) * 1000), 0) as bigint) as ms
   from pg_stat_activity where backend_xmin is not null and datname = current_database()`,
);

/** For one endpoint; an exact count above this would cost more than it is worth. */
const countedMax = 10_000;

export interface StoredFigures {
  /** For each lane with any. `oldestDueAt`: the earliest time at which one is due. */
  queued: { lane: LaneId; count: number; oldestDueAt: number | null }[];
  /** For each lane with any. `oldestDueAt`: the earliest time at which the policy acts on one. */
  uncertain: { lane: LaneId; count: number; oldestDueAt: number }[];
  mediaJobs: { due: number; waiting: number };
  /** For each endpoint with waiting deliveries: exact up to 10,000. `oldestAt`: the time of its oldest event. */
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
    // A scrape does not flush the journal to the database: its messages may be missing for up to ten seconds.
    storedFigures: { run: storedFigures, needs: 'nothing' },
  },
  verbs: (on, engine) => ({
    storedFigures: (now: number) => on.storedFigures(engine, now),
  }),
});

export interface MetricsStore extends StoreOf<typeof metricsStore> {}
