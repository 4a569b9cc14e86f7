/** SQL for generated traffic only. */
import { statement } from '../../../store/query.ts';

/** The run of conversations that a message of that time belongs to. */
export const selectRunsAt = statement<{ at: number; run: number | null }>()(
  'select_runs_at',
  { at: 'int' },
  `select r.at as at, (select max(c.run) from conversations c where c.run <= r.at) as run from {rows} r`,
);

export const deleteUsageOfKey = statement()(
  'delete_usage_of_key',
  { account_id: 'text', key: 'text' },
  `delete from usage using {rows} r where usage.account_id = r.account_id and usage.key = r.key`,
);

export const deleteHistoryDemo = statement()(
  'delete_carrier_history_demo',
  { account_id: 'text' },
  `delete from carrier_history using {rows} r where carrier_history.demo = r.account_id`,
);

export const deleteHistoryCountsDemo = statement()(
  'delete_carrier_history_counts_demo',
  { account_id: 'text' },
  `delete from carrier_history_counts using {rows} r where carrier_history_counts.demo = r.account_id`,
);

export const deleteHourlyDemo = statement()(
  'delete_hourly_demo',
  { account_id: 'text' },
  `delete from hourly_outcomes using {rows} r where hourly_outcomes.account_id = r.account_id and hourly_outcomes.demo = 1`,
);
