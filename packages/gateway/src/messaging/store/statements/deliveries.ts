/**
 * SQL over deliveries and their timeline. States are literals so that the partial index applies. Only `updateState`
 * changes a state, and only `operations/move.ts` uses it.
 */
import { dayMs, type EpochMs } from '../../../kernel/clock.ts';
import { firstIdAt, type LaneId } from '../../../kernel/ids.ts';
import type { DeliveryState } from '../../../model/lifecycle.ts';
import type { DoubtCause } from '../../../model/repeats.ts';
import { statement } from '../../../store/query.ts';

/** The data that every move of a delivery needs. */
export interface DeliveryRow {
  message_id: string;
  account_id: string;
  recipient: string;
  lane: LaneId;
  state: DeliveryState;
  carrier: string | null;
  due_at: number;
  expires_at: number;
  attempts: number;
  dup_risk: number;
  sequence: number;
  token: number;
  segments: number;
  updated_at: number;
  /** How often it was repeated after `uncertain`. */
  repeats: number;
  /** The cause of the last `uncertain`; null = it never was, or was before causes were stored. */
  doubt: DoubtCause | null;
}

const columns = `message_id, account_id, recipient, lane, state, carrier, due_at, expires_at, attempts, dup_risk, sequence,
  token, segments, updated_at, repeats, doubt`;

export const deliveryRow = columns.replace(/\w+/g, 'd.$&');

export const insertDeliveries = statement()(
  'insert_deliveries',
  {
    message_id: 'text',
    request_id: 'text',
    account_id: 'text',
    recipient: 'text',
    lane: 'text',
    state: 'text',
    carrier: 'text',
    due_at: 'int',
    expires_at: 'int',
    attempts: 'int',
    dup_risk: 'int',
    sequence: 'int',
    token: 'int',
    concat_reference: 'int',
    segments: 'int',
    updated_at: 'int',
  },
  `insert into deliveries (message_id, request_id, account_id, recipient, lane, state, carrier, due_at, expires_at,
     attempts, dup_risk, sequence, token, concat_reference, segments, updated_at)
   select r.message_id, r.request_id, r.account_id, r.recipient, r.lane, r.state, r.carrier, r.due_at,
     r.expires_at, r.attempts, r.dup_risk, r.sequence, r.token, r.concat_reference, r.segments, r.updated_at from {rows} r`,
);

/** Rows that the lists of an account read. */
export const insertAccountMessages = statement()(
  'insert_account_messages',
  { account_id: 'text', direction: 'text', message_id: 'text' },
  `insert into account_messages (account_id, direction, message_id)
   select r.account_id, r.direction, r.message_id from {rows} r`,
);

/**
 * SQLite: in commit order, which dirties one page, where conversation order would dirty one per row. PostgreSQL:
 * directly in conversation order, because each transaction would read the deleted rows of a tail again until a vacuum.
 */
export const insertConversationsTail = statement()(
  'insert_conversations_tail',
  { run: 'int', own: 'text', peer: 'text', outbound: 'int', message_id: 'text' },
  `insert into {conversations_end} (run, own, peer, outbound, message_id)
   select r.run, r.own, r.peer, r.outbound, r.message_id from {rows} r`,
);

/** Moves the rows to the table in which a reply finds the message it answers. */
export const gatherConversationsTail = statement()(
  'gather_conversations_tail',
  {},
  `insert into conversations (run, own, peer, outbound, message_id)
   select run, own, peer, outbound, message_id from conversations_tail order by run, own, peer, outbound, message_id`,
);

export const deleteConversationsTail = statement()('delete_conversations_tail', {}, 'delete from conversations_tail');

export const updateState = statement()(
  'update_state',
  {
    message_id: 'text',
    sequence: 'int',
    from_state: 'text',
    state: 'text',
    code: 'text',
    carrier: 'text',
    carrier_code: 'text',
    lane: 'text',
    due_at: 'int',
    attempts: 'int',
    dup_risk: 'int',
    token: 'int',
    at: 'int',
  },
  `update deliveries set state = r.state, code = r.code, carrier = r.carrier, carrier_code = r.carrier_code,
     lane = r.lane, due_at = r.due_at, attempts = r.attempts, dup_risk = r.dup_risk, token = r.token,
     sequence = r.sequence, updated_at = r.at
   from {rows} r
   where deliveries.message_id = r.message_id and deliveries.state = r.from_state
     and deliveries.sequence = r.sequence - 1`,
  true,
);

/** Separate from the state, because most deliveries never become uncertain. */
export const updateDoubt = statement()(
  'update_doubt',
  { message_id: 'text', repeats: 'int', doubt: 'text' },
  `update deliveries set repeats = r.repeats, doubt = r.doubt from {rows} r where deliveries.message_id = r.message_id`,
  true,
);

export const insertEvents = statement()(
  'insert_events',
  {
    position: 'int',
    account_id: 'text',
    message_id: 'text',
    sequence: 'int',
    state: 'text',
    at: 'int',
    code: 'text',
    carrier: 'text',
    carrier_code: 'text',
    detail: 'text',
    sending_at: 'int',
    dup_risk: 'int',
  },
  `insert into events (position, account_id, message_id, sequence, state, at, code, carrier, carrier_code, detail,
     sending_at, dup_risk)
   select r.position, r.account_id, r.message_id, r.sequence, r.state, r.at, r.code, r.carrier, r.carrier_code, r.detail,
     r.sending_at, r.dup_risk from {rows} r`,
);

export const selectDeliveries = statement<DeliveryRow>()(
  'select_deliveries',
  { message_id: 'text' },
  `select ${deliveryRow} from {rows} r, deliveries d where d.message_id = r.message_id`,
);

export interface DueRow extends DeliveryRow {
  request_id: string;
  concat_reference: number;
}

/**
 * The least id of the messages with which nearly everything still happens: a validity ends after 48 hours, and a receipt
 * is matched for 14 days. PostgreSQL looks at no partition before it. Others are found by a second look, without it:
 * messages that were held, and those with the id of a wrong clock.
 */
export const recentFrom = (at: EpochMs): string => firstIdAt('msg_', at - 18 * dayMs);

/** Takes the oldest, and returns them in any order. A claim has no event of its own: the one that ends the try holds its data. */
export const claimDue = statement<DueRow>()(
  'claim_due',
  { lane: 'text', first: 'text', since: 'int', until: 'int', now: 'int', limit: 'int', token: 'int' },
  `update deliveries set state = 'sending', code = null, carrier = lane, carrier_code = null, attempts = attempts + 1,
     token = r.token, sequence = sequence + 1, updated_at = r.now
   from (select d.message_id as due from deliveries d
     where d.state = 'queued' and d.lane = r.lane and d.due_at >= r.since and d.due_at <= r.until and d.expires_at > r.now
       and d.message_id >= r.first order by d.due_at, d.message_id limit r.limit) oldest
   where deliveries.message_id = oldest.due and deliveries.message_id >= r.first
   returning ${columns}, request_id, concat_reference`,
);

/** Only its answer matters: everything sent before it has run. */
export const selectNothing = statement()('select_nothing', {}, `select 1 as one`);

/** The carrier's data for each delivery of a request. */
export interface DueMessageRow {
  request_id: string;
  sender: string;
  text: string;
  media_urls: string;
  message_type: 'SMS' | 'MMS';
  key_id: string;
  accepted_at: number;
}

export const selectDueMessages = statement<DueMessageRow>()(
  'select_due_messages',
  { request_id: 'text' },
  `select m.request_id, m.sender, coalesce(m.wire_text, m.text) as text, m.media_urls, m.message_type, m.key_id,
     m.accepted_at
   from {rows} r, messages m where m.request_id = r.request_id`,
);
