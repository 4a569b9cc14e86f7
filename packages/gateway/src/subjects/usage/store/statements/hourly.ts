/** SQL over outcomes by the hour: the ends of messages in the event log, their counts and sums. */
import { demoKeyId } from '../../../../model/demo.ts';
import {
  type CountedOutcome,
  hourMs,
  outcomesCounted,
  tookBounds,
  tookOver,
} from '../../../../model/hourly-outcomes.ts';
import { statement } from '../../../../store/query.ts';
import { isFirstTaken } from '../statements.ts';

interface EndedRow {
  account_id: string;
  /** Hours since the epoch. */
  hour: number;
  own: string;
  carrier: string;
  state: CountedOutcome;
  code: string;
  took: number;
  demo: number;
  messages: number;
  taken: number;
}

const took = `case when e.state <> 'delivered' then 0
  ${tookBounds.map((bound) => `when e.at - m.accepted_at <= ${bound} then ${bound}`).join(' ')} else ${tookOver} end`;
const listed = outcomesCounted.map((state) => `'${state}'`).join(', ');

export const selectOutcomesAfter = statement<EndedRow>()(
  'select_outcomes_after',
  { after: 'int', until: 'int' },
  `select e.account_id, m.accepted_at / ${hourMs} as hour,
     case when m.direction = 'inbound' then d.recipient else m.sender end as own, coalesce(e.carrier, '') as carrier, e.state,
     case when e.state in ('undelivered', 'failed', 'expired') then coalesce(e.code, '') else '' end as code,
     ${took} as took, case when m.key_id = '${demoKeyId}' then 1 else 0 end as demo, count(*) as messages,
     cast(sum(case when ${isFirstTaken} then 1 else 0 end) as bigint) as taken
   from events e join deliveries d on d.message_id = e.message_id join messages m on m.request_id = d.request_id
   where e.position > r.after and e.position <= r.until and e.state in (${listed})
   group by 1, 2, 3, 4, 5, 6, 7, 8`,
);

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
