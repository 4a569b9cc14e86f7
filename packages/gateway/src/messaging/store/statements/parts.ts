/** SQL over the parts that carriers accepted, and over receipts without a match. */

import { dayMs } from '../../../kernel/clock.ts';
import type { Receipt } from '../../../model/delivery.ts';
import type { PartState } from '../../../model/lifecycle.ts';
import { seldom, statement } from '../../../store/query.ts';

export interface PartRow {
  message_id: string;
  part: number;
  spans: number;
  carrier: string;
  carrier_message_id: string;
  state: PartState;
  code: string | null;
  carrier_code: string | null;
  updated_at: number;
}

const newPart = {
  message_id: 'text',
  part: 'int',
  spans: 'int',
  carrier: 'text',
  carrier_message_id: 'text',
  id_key: 'text',
  recipient: 'text',
  at: 'int',
} as const;

const insertPart = `insert into parts (message_id, part, spans, carrier, carrier_message_id, id_key, recipient, state,
     accepted_at, updated_at)
   select r.message_id, r.part, r.spans, r.carrier, r.carrier_message_id, r.id_key, r.recipient, 'accepted', r.at, r.at
   from {rows} r where true`;

/** Of the first try of a message, so that nothing can be stored yet: PostgreSQL looks for no conflict, and logs a record less. */
export const insertFirstParts = statement()('insert_first_parts', newPart, insertPart);

/** A resent part replaces the earlier one: only the newest id can be matched. */
export const insertParts = statement()(
  'insert_parts',
  newPart,
  `${insertPart}
   on conflict (message_id, part) do update set spans = excluded.spans,
     carrier = excluded.carrier,
     carrier_message_id = excluded.carrier_message_id, id_key = excluded.id_key, state = excluded.state, code = null,
     carrier_code = null, accepted_at = excluded.accepted_at, updated_at = excluded.updated_at`,
);

export const selectPartNumbers = statement<{ message_id: string; part: number; spans: number }>()(
  'select_part_numbers',
  { message_id: 'text' },
  `select p.message_id, p.part, p.spans from {rows} r, parts p where p.message_id = r.message_id`,
);

export const selectParts = statement<PartRow>()(
  'select_parts',
  { message_id: 'text' },
  `select p.message_id, p.part, p.spans, p.carrier, p.carrier_message_id, p.state, p.code, p.carrier_code, p.updated_at
   from {rows} r, parts p where p.message_id = r.message_id`,
);

/**
 * `parts_id` begins with the period in which a part was accepted, so that ids in no order go to new pages of the index, those of the
 * current period, however many parts are stored. Longer than a match looks back, which so concerns two periods.
 */
export const periodMs = 15 * dayMs;
const periodOf = (at: string): string => `${at} / ${periodMs}`;

/** A part that a receipt may refer to; `position` is the receipt's place in the batch. */
export interface CandidateRow {
  position: number;
  message_id: string;
  part: number;
  carrier_message_id: string;
  id_key: string;
  recipient: string;
}

/** `first`: the least message id. PostgreSQL then looks at no partition before it. */
export const selectCandidates = statement<CandidateRow>()(
  'select_candidates',
  { position: 'int', carrier: 'text', id_key: 'text', period: 'int', since: 'int', first: 'text' },
  `select r.position as position, p.message_id, p.part, p.carrier_message_id, p.id_key, p.recipient
   from {rows} r, parts p
   where ${periodOf('p.accepted_at')} = r.period and p.carrier = r.carrier and p.id_key = r.id_key and p.accepted_at >= r.since
     and p.message_id >= r.first`,
);

/** A part gets one final receipt; later ones change nothing. */
export const updatePartStates = statement()(
  'update_part_states',
  { message_id: 'text', part: 'int', state: 'text', code: 'text', carrier_code: 'text', at: 'int' },
  `update parts set state = r.state, code = r.code, carrier_code = r.carrier_code, updated_at = r.at
   from {rows} r where parts.message_id = r.message_id and parts.part = r.part and parts.state = 'accepted'`,
);

/** A delivery whose outcome an unknown receipt may prove, or (`sending`, `copy`) that makes the match ambiguous. */
export interface UnprovenRow {
  position: number;
  message_id: string;
  state: 'uncertain' | 'held' | 'sending' | 'unconfirmed' | 'copy';
}

const unproven = (state: 'uncertain' | 'held' | 'sending') =>
  `select r.position as position, d.message_id, d.state from {rows} r, {each} (
     select u.message_id, u.state from deliveries u
     where u.state = '${state}' and u.lane = r.carrier and u.recipient = r.recipient {apart}) d`;

export const selectInDoubt = (['uncertain', 'held', 'sending'] as const).map((state) =>
  statement<UnprovenRow>()(
    `select_unproven_${state}`,
    { position: 'int', carrier: 'text', recipient: 'text' },
    unproven(state),
  ),
);

/** Its validity ended recently while it was uncertain, or the carrier may have an earlier copy of it (`insertCopies`). */
export const selectUnconfirmed = statement<UnprovenRow>()(
  'select_unproven_unconfirmed',
  { position: 'int', carrier: 'text', recipient: 'text', since: 'int' },
  `select r.position as position, d.message_id, d.state from {rows} r, {each} (
     select u.message_id, u.state from deliveries u
     where u.state = 'unconfirmed' and u.code = 'UNCERTAIN' and u.lane = r.carrier and u.recipient = r.recipient
       and u.updated_at >= r.since
     union all
     select e.carrier_message_id, e.state from receipts e
     where e.carrier = r.carrier and e.recipient = r.recipient and e.state = 'copy' {apart}) d`,
);

/**
 * Parts whose receipt this may be: those under a reading of its id, and those sent without an id. Such a part of a
 * handset that still waits may own any unknown receipt.
 */
export const selectRivals = statement<{ position: number }>()(
  'select_rivals',
  { position: 'int', carrier: 'text', id_key: 'text', recipient: 'text', period: 'int', since: 'int' },
  `select r.position as position from {rows} r, parts p
   where ${periodOf('p.accepted_at')} = r.period and p.carrier = r.carrier and p.id_key = r.id_key and p.recipient = r.recipient
     and p.accepted_at >= r.since and (p.id_key <> '' or p.state = 'accepted')`,
);

export interface KeptReceiptRow extends ReceiptKey {
  id_keys: string;
  code: string | null;
  carrier_code: string | null;
  raw: string;
  received_at: number;
}

const receiptKey = {
  carrier: 'text',
  recipient: 'text',
  carrier_message_id: 'text',
  state: 'text',
} as const;

export const insertReceipts = statement()(
  'insert_receipts',
  { ...receiptKey, id_keys: 'text', code: 'text', carrier_code: 'text', raw: 'text', received_at: 'int' },
  `insert into receipts (carrier, recipient, carrier_message_id, state, id_keys, code, carrier_code, raw, received_at)
   select r.carrier, r.recipient, r.carrier_message_id, r.state, r.id_keys, r.code, r.carrier_code, r.raw, r.received_at
   from {rows} r where true on conflict (carrier, recipient, carrier_message_id, state) do nothing`,
);

/**
 * A message that left `uncertain` or `held` without a proof: the carrier may have it under an id that nobody knows. Kept
 * among the receipts that match nothing, which end by their age, and by no key, so that only a proof finds it.
 */
export const insertCopies = statement()(
  'insert_copies',
  { carrier: 'text', recipient: 'text', message_id: 'text', at: 'int' },
  `insert into receipts (carrier, recipient, carrier_message_id, state, id_keys, raw, received_at)
   select r.carrier, r.recipient, r.message_id, 'copy', '[]', '', r.at from {rows} r where true
   on conflict (carrier, recipient, carrier_message_id, state) do update set received_at = excluded.received_at`,
);

export const insertReceiptKeys = statement()(
  'insert_receipt_keys',
  { ...receiptKey, id_key: 'text' },
  `insert into receipt_keys (carrier, id_key, recipient, carrier_message_id, state)
   select r.carrier, r.id_key, r.recipient, r.carrier_message_id, r.state from {rows} r where true
   on conflict (carrier, id_key, recipient, carrier_message_id, state) do nothing`,
);

export interface ReceiptKey {
  carrier: string;
  recipient: string;
  carrier_message_id: string;
  state: Receipt['state'];
}

/** Kept receipts that may refer to a part: those with its id among their keys. */
/** One row if any receipt waits. */
export const selectAnyEarlyKey = seldom(
  statement<{ found: number }>()('select_any_early_key', {}, `select 1 as found from receipt_keys limit 1`),
);

export const selectEarlyKeys = statement<ReceiptKey>()(
  'select_early_keys',
  { carrier: 'text', id_key: 'text' },
  `select k.carrier, k.recipient, k.carrier_message_id, k.state from {rows} r, receipt_keys k
   where k.carrier = r.carrier and k.id_key = r.id_key`,
);

export const selectReceipts = statement<KeptReceiptRow>()(
  'select_receipts',
  receiptKey,
  `select e.carrier, e.recipient, e.carrier_message_id, e.state, e.id_keys, e.code, e.carrier_code, e.raw, e.received_at
   from {rows} r, receipts e where e.carrier = r.carrier and e.recipient = r.recipient
     and e.carrier_message_id = r.carrier_message_id and e.state = r.state`,
);

/** Kept receipts for a handset that came at `since` or later. The difference hides the index over all times. */
export const selectReceiptsSince = statement<KeptReceiptRow>()(
  'select_receipts_since',
  { carrier: 'text', recipient: 'text', since: 'int' },
  `select e.carrier, e.recipient, e.carrier_message_id, e.state, e.id_keys, e.code, e.carrier_code, e.raw, e.received_at
   from {rows} r, {each} (
     select k.carrier, k.recipient, k.carrier_message_id, k.state, k.id_keys, k.code, k.carrier_code, k.raw,
       k.received_at
     from receipts k where k.carrier = r.carrier and k.recipient = r.recipient and k.received_at - r.since >= 0
       and k.state <> 'copy' {apart}) e`,
);

export const deleteReceipts = statement()(
  'delete_receipts',
  receiptKey,
  `delete from receipts using {rows} r where receipts.carrier = r.carrier and receipts.recipient = r.recipient
     and receipts.carrier_message_id = r.carrier_message_id and receipts.state = r.state`,
);

export const deleteReceiptKeys = statement()(
  'delete_receipt_keys',
  { ...receiptKey, id_key: 'text' },
  `delete from receipt_keys using {rows} r where receipt_keys.carrier = r.carrier and receipt_keys.id_key = r.id_key
     and receipt_keys.recipient = r.recipient and receipt_keys.carrier_message_id = r.carrier_message_id
     and receipt_keys.state = r.state`,
);

export const selectNewestReceipts = statement<KeptReceiptRow>()(
  'select_newest_receipts',
  { limit: 'int' },
  `select carrier, recipient, carrier_message_id, state, id_keys, code, carrier_code, raw, received_at from receipts
   where state <> 'copy' order by received_at desc limit r.limit`,
);

export const selectReceiptsBefore = statement<KeptReceiptRow>()(
  'select_receipts_before',
  { before: 'int', limit: 'int' },
  `select carrier, recipient, carrier_message_id, state, id_keys, code, carrier_code, raw, received_at from receipts
   where received_at < r.before order by received_at limit r.limit`,
);
