/**
 * SQL over the event log, joined with the messages. The position is the primary key, and every read follows it.
 * `deliveries.ts` writes the events of messages.
 */
import { demoKeyId } from '../../../model/demo.ts';
import { type OtherEventType, reportedStates } from '../../../model/event-type.ts';
import type { DeliveryState } from '../../../model/lifecycle.ts';
import { statement } from '../../../store/query.ts';
import type { ViewRow } from './views.ts';

/** An event; the columns of its message are null when it has none, or when no customer gets the event. */
export interface LogRow
  extends Omit<ViewRow, 'request_id' | 'state' | 'accepted_at' | 'updated_at' | 'body_deleted_at'> {
  position: number;
  account_id: string;
  /** Null when the event is about no message, which is then named by the event's own id. */
  request_id: string | null;
  state: DeliveryState | null;
  type: OtherEventType | null;
  at: number;
  body: string | null;
  in_reply_to: string | null;
}

/** Runs of conversations examined for one reply, at a microsecond each. */
const runsMax = 25_000;

/**
 * The last message sent from this number to this handset, but not one of another account that had the number before:
 * searched run by run, newest first.
 */
const inReplyTo = `case when m.direction = 'inbound' then (
    with recursive hops (hop, run, message_id) as (
      select 0, (select max(c.run) from conversations c where c.run <= e.at), nullif(d.message_id, d.message_id)
      union all
      select hops.hop + 1, (select max(c.run) from conversations c where c.run < hops.run),
        (select c.message_id from conversations c join deliveries p on p.message_id = c.message_id
         where c.run = (hops.run) and c.own = (d.recipient) and c.peer = (m.sender) and c.outbound = 1
           and c.message_id < d.message_id and p.account_id = d.account_id
         order by c.message_id desc limit 1)
      from hops where hops.run is not null and hops.message_id is null and hops.hop < ${runsMax})
    select hops.message_id from hops where hops.message_id is not null) end`;

/** For a statement that calls the log `e` and ends its tables with `messageOfEvent`. */
export const logColumns = `e.position, e.account_id, e.message_id, e.sequence, e.state, e.type, e.at, e.code, e.carrier,
  e.carrier_code, e.dup_risk, e.body, m.request_id, m.reference_id, m.direction, m.sender, d.recipient, m.text,
  m.media_urls, m.octets, m.extras, m.message_type, m.encoding, m.segments, ${inReplyTo} as in_reply_to`;

const isReported = `e.state in (${reportedStates.map((state) => `'${state}'`).join(', ')})`;

/** Made-up messages are not notified: treat their events as having no message. */
export const messageOfEvent = `left join deliveries d on ${isReported} and d.message_id = e.message_id
  left join messages m on m.request_id = d.request_id and m.key_id <> '${demoKeyId}'`;

/** Cheap test first: most events are never notified. */
const isListed = `(r.types is null or (e.type is null and r.types like '%,message.' || e.state || ',%')
  or (e.type is not null and r.types like '%,' || e.type || ',%'))`;

/** `types`: each between commas. A carrier's report of an opt-out is always included. */
export const selectEventsAfter = statement<LogRow>()(
  'select_events_after',
  { after: 'int', until: 'int', types: 'text' },
  `select ${logColumns} from events e ${messageOfEvent}
   where e.position > r.after and e.position <= r.until and (${isListed} or e.code = 'CARRIER_OPTED_OUT')
   order by e.position`,
);

/** `types`: each between commas. */
export const selectAccountEvents = statement<LogRow>()(
  'select_account_events',
  { account_id: 'text', after: 'int', until: 'int', types: 'text', limit: 'int' },
  `select ${logColumns} from events e ${messageOfEvent}
   where e.position > r.after and e.position <= r.until and e.account_id = r.account_id
     and (e.type is not null or ${isReported})
     and ${isListed}
   order by e.position limit r.limit`,
);

export const selectEventPosition = statement<{ position: number }>()(
  'select_event_position',
  { account_id: 'text', message_id: 'text', sequence: 'int' },
  `select position from events
   where message_id = r.message_id and sequence = r.sequence and account_id = r.account_id`,
);

/** Events without a message have their own id as its id. An existing event stays; no event occurs twice in a batch. */
export const insertOtherEvents = statement()(
  'insert_other_events',
  { position: 'int', account_id: 'text', event_id: 'text', type: 'text', at: 'int', body: 'text' },
  `insert into events (position, account_id, message_id, sequence, type, at, dup_risk, body)
   select r.position, r.account_id, r.event_id, cast(0 as bigint), r.type, r.at, 0, r.body from {rows} r
   where (select e.position from events e where e.message_id = r.event_id and e.sequence = 0 limit 1) is null`,
);
