/**
 * SQL for matching receipts by hand, and over recent carrier refusals. Every statement reads a bounded number of rows.
 */
import type { LaneId } from '../../../kernel/ids.ts';
import type { DeliveryState, PartState } from '../../../model/lifecycle.ts';
import { statement } from '../../../store/query.ts';

interface CarrierErrorRow {
  carrier: string;
  state: DeliveryState;
  code: string | null;
  carrier_code: string | null;
  found: number;
  last: number;
}

export const selectCarrierErrors = statement<CarrierErrorRow>()(
  'select_carrier_errors',
  { look: 'int', limit: 'int' },
  `select n.carrier, n.state, n.code, n.carrier_code, count(*) as found, max(n.at) as last from (
     select e.carrier, e.state, e.code, e.carrier_code, e.at from events e order by e.position desc limit r.look) n
   where n.carrier is not null and (n.state in ('failed', 'undelivered', 'uncertain', 'unconfirmed')
     or (n.state = 'queued' and n.carrier_code is not null))
   group by n.carrier, n.state, n.code, n.carrier_code order by count(*) desc, max(n.at) desc limit r.limit`,
);

export const selectOldestLooked = statement<{ at: number | null; found: number }>()(
  'select_oldest_looked',
  { look: 'int' },
  `select min(n.at) as at, count(*) as found from (
     select e.at from events e order by e.position desc limit r.look) n`,
);

/** States in which a carrier still owes a receipt or answer; each a literal so that the partial index applies. */
const owing = ['sent', 'uncertain', 'held', 'sending'] as const;

const columns = { carrier: 'text', recipient: 'text', look: 'int', limit: 'int' } as const;

/** Recipient '': the carrier named no handset. The newest first; `due_at` grows with the time of the hand-over. */
export const selectOwing = owing.map((state) =>
  statement<{ message_id: string }>()(
    `select_owing_${state}`,
    columns,
    `select o.message_id from (select d.message_id, d.recipient from deliveries d
       where d.state = '${state}' and d.lane = r.carrier order by d.due_at desc limit r.look) o
     where r.recipient = '' or o.recipient = r.recipient limit r.limit`,
  ),
);

/** All messages in a range of ids. */
export const selectSentBefore = statement<{ message_id: string }>()(
  'select_sent_before',
  { ...columns, before: 'text', after: 'text' },
  `select o.message_id from (select d.message_id, d.recipient, d.carrier from deliveries d
     where d.message_id < r.before and d.message_id >= r.after order by d.message_id desc limit r.look) o
   where o.carrier = r.carrier and (r.recipient = '' or o.recipient = r.recipient) limit r.limit`,
);

export interface MatchRow {
  message_id: string;
  account_id: string;
  sender: string;
  recipient: string;
  lane: LaneId;
  state: DeliveryState;
  carrier: string | null;
  segments: number;
  updated_at: number;
  accepted_at: number;
  text: string;
  body_deleted_at: number | null;
}

export const selectMatchRows = statement<MatchRow>()(
  'select_match_rows',
  { message_id: 'text' },
  `select d.message_id, d.account_id, m.sender, d.recipient, d.lane, d.state, d.carrier, d.segments, d.updated_at,
     m.accepted_at, coalesce(m.wire_text, m.text) as text, m.body_deleted_at
   from {rows} r, deliveries d join messages m on m.request_id = d.request_id
   where d.message_id = r.message_id and m.direction = 'outbound'`,
);

export interface MatchPartRow {
  message_id: string;
  part: number;
  spans: number;
  carrier: string;
  carrier_message_id: string;
  state: PartState;
  accepted_at: number;
}

export const selectMatchParts = statement<MatchPartRow>()(
  'select_match_parts',
  { message_id: 'text' },
  `select p.message_id, p.part, p.spans, p.carrier, p.carrier_message_id, p.state, p.accepted_at
   from {rows} r, parts p where p.message_id = r.message_id`,
);
