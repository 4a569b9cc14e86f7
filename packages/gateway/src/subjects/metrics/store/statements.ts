/** SQL over what waits, for the gauges. All of it is answered from indexes. */
import type { LaneId } from '../../../kernel/ids.ts';
import { statement } from '../../../store/query.ts';

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
