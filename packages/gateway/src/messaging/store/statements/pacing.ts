/**
 * SQL that counts handed-over messages along the event log, and SQL over waiting messages. It changes only when a
 * waiting message is due.
 */
import type { MessageKind } from '../../../model/records.ts';
import { statement } from '../../../store/query.ts';

export const selectEventAfter = statement<{ position: number; at: number }>()(
  'select_event_after',
  { after: 'int' },
  'select position, at from events where position > r.after order by position limit 1',
);

/** Parts that the carrier accepted at a time; most messages need no look-up. */
const partsTaken = (id: string, when: string) =>
  `(select coalesce(sum(p.spans), 0) from parts p where p.message_id = ${id} and ${when})`;

/**
 * `sending_at` is in the event that ended a try. A refused try counts with the parts that were accepted; all others
 * (sent, uncertain) count in full, except for parts that an earlier try had sent.
 */
const unitsTried = `case
    when e.state in ('queued', 'failed') then case when m.message_type = 'MMS' then 0
      else ${partsTaken('e.message_id', 'p.accepted_at >= e.sending_at and p.accepted_at <= e.at')} end
    when m.message_type = 'MMS' or d.segments = 1 then 1
    else d.segments - ${partsTaken('e.message_id', 'p.accepted_at < e.sending_at')} end`;

const unitsUnderWay = `case when m.message_type = 'MMS' or d.segments = 1 then 1
    else d.segments - ${partsTaken('d.message_id', 'p.accepted_at < d.updated_at')} end`;

const secondOf = (at: string) => `case when ${at} > r.lately then ${at} / 1000 else 0 end`;

/**
 * `under_way` 1: includes messages now with carriers that were claimed by `claimed_until`, in one statement, so that none is
 * missed in between; their `position` is null.
 */
export const selectHandedOver = statement<{
  number: string;
  message_type: MessageKind;
  second: number;
  units: number;
  /** Of the last event. */
  position: number | null;
}>()(
  'select_handed_over',
  { after: 'int', until: 'int', since: 'int', lately: 'int', under_way: 'int', claimed_until: 'int' },
  `select t.number, t.message_type, t.second, cast(sum(t.units) as bigint) as units, max(t.position) as position from (
     select e.position, m.sender as number, m.message_type, ${secondOf('e.sending_at')} as second, ${unitsTried} as units
     from events e join deliveries d on d.message_id = e.message_id join messages m on m.request_id = d.request_id
     where e.position > r.after and e.position <= r.until and e.sending_at >= r.since
     union all
     select cast(null as bigint) as position, m.sender as number, m.message_type,
            ${secondOf('d.updated_at')} as second, ${unitsUnderWay} as units
     from deliveries d join messages m on m.request_id = d.request_id
     where d.state = 'sending' and d.updated_at >= r.since and d.updated_at <= r.claimed_until and r.under_way = 1) t
   where t.units > 0 group by t.number, t.message_type, t.second, t.position is null`,
);

export const selectWaiting = statement<{
  message_id: string;
  due_at: number;
  code: string | null;
  sender: string;
}>()(
  'select_waiting',
  { lane: 'text', due_at: 'int', message_id: 'text', limit: 'int' },
  `select w.message_id, w.due_at, w.code, m.sender from (
     select d.message_id, d.request_id, d.due_at, d.code from deliveries d
     where d.state = 'queued' and d.lane = r.lane and (d.due_at, d.message_id) > (r.due_at, r.message_id)
     order by d.due_at, d.message_id limit r.limit) w
   join messages m on m.request_id = w.request_id order by w.due_at, w.message_id`,
);

export const updateDue = statement<{ message_id: string }>()(
  'update_due',
  { message_id: 'text', at: 'int', due_at: 'int' },
  `update deliveries set due_at = r.due_at, updated_at = r.at from {rows} r
   where deliveries.message_id = r.message_id and deliveries.state || '' = 'queued' and deliveries.due_at > r.due_at
   returning deliveries.message_id as message_id`,
);
