/** SQL over outcomes by the hour: their counts and sums. */
import type { CountedOutcome } from '../../../../model/hourly-outcomes.ts';
import { statement } from '../../../../store/query.ts';

export const addToHourly = statement()(
  'add_to_hourly_outcomes',
  {
    account_id: 'text',
    environment: 'text',
    hour: 'int',
    outcome: 'text',
    code: 'text',
    took: 'int',
    demo: 'int',
    messages: 'int',
  },
  `insert into hourly_outcomes (account_id, environment, hour, outcome, code, took, demo, messages)
   select r.account_id, r.environment, r.hour, r.outcome, r.code, r.took, r.demo, r.messages from {rows} r where true
   on conflict (account_id, environment, hour, outcome, code, took, demo)
   do update set messages = hourly_outcomes.messages + excluded.messages`,
);

/** Sums of each span of hours, by kind of count. */
export const selectHourly = statement<{
  span: number;
  outcome: CountedOutcome;
  code: string;
  took: number;
  messages: number;
}>()(
  'select_hourly_outcomes',
  { account_id: 'text', environment: 'text', span: 'int', first: 'int', until: 'int' },
  `select r.span as span, h.outcome, h.code, h.took, cast(sum(h.messages) as bigint) as messages
   from {rows} r, hourly_outcomes h
   where h.account_id = r.account_id and h.environment = r.environment and h.hour >= r.first and h.hour < r.until
   group by r.span, h.outcome, h.code, h.took`,
);
