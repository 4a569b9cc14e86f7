/** SQL over recent messages per number, within a bound. */
import type { DeliveryState } from '../../../model/lifecycle.ts';
import { statement } from '../../../store/query.ts';

export const selectTraffic = statement<{ number: string; state: DeliveryState; found: number }>()(
  'select_number_traffic',
  { account_id: 'text', after: 'text', limit: 'int' },
  `select m.sender as number, d.state, count(*) as found from (
     select a.message_id from account_messages a
     where a.account_id = r.account_id and a.direction = 'outbound' and a.message_id > r.after
     order by a.message_id desc limit r.limit) newest
   join deliveries d on d.message_id = newest.message_id join messages m on m.request_id = d.request_id
   group by m.sender, d.state`,
);

export const selectQueuedFrom = statement<{ found: number }>()(
  'select_queued_from',
  { account_id: 'text', sender: 'text', limit: 'int' },
  `select count(*) as found from (
     select d.request_id from deliveries d where d.state = 'queued' and d.account_id = r.account_id
     limit r.limit) waiting
   join messages m on m.request_id = waiting.request_id where m.sender = r.sender`,
);
