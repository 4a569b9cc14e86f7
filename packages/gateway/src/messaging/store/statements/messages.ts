/** SQL over messages and idempotency rows. */
import { seldom, statement } from '../../../store/query.ts';

const columns = {
  request_id: 'text',
  account_id: 'text',
  key_id: 'text',
  direction: 'text',
  reference_id: 'text',
  sender: 'text',
  text: 'text',
  wire_text: 'text',
  octets: 'text',
  media_urls: 'text',
  message_type: 'text',
  encoding: 'text',
  segments: 'int',
  accepted_at: 'int',
  extras: 'text',
} as const;

export const insertMessages = statement()(
  'insert_messages',
  columns,
  `insert into messages (request_id, account_id, key_id, direction, reference_id, sender, text, wire_text, octets,
     media_urls, message_type, encoding, segments, accepted_at, extras)
   select r.request_id, r.account_id, r.key_id, r.direction, r.reference_id, r.sender, r.text, r.wire_text, r.octets,
     r.media_urls, r.message_type, r.encoding, r.segments, r.accepted_at, r.extras from {rows} r`,
);

export const selectKnownRequests = statement<{ request_id: string }>()(
  'select_known_requests',
  { request_id: 'text' },
  `select m.request_id from {rows} r, messages m where m.request_id = r.request_id`,
);

export const selectKnownDeliveries = statement<{ message_id: string }>()(
  'select_known_deliveries',
  { message_id: 'text' },
  `select d.message_id from {rows} r, deliveries d where d.message_id = r.message_id`,
);

export interface IdempotencyRow {
  account_id: string;
  key: string;
  body_hash: string;
  answer: string;
  request_id: string;
}

export const selectIdempotency = seldom(
  statement<IdempotencyRow>()(
    'select_idempotency',
    { account_id: 'text', key: 'text', now: 'int' },
    `select i.account_id, i.key, i.body_hash, i.answer, i.request_id from {rows} r, idempotency i
     where i.account_id = r.account_id and i.key = r.key and i.expires_at > r.now`,
  ),
);

/** Replaces an expired row; `selectIdempotency` has already found a live one. */
export const insertIdempotency = statement()(
  'insert_idempotency',
  {
    account_id: 'text',
    key: 'text',
    body_hash: 'text',
    answer: 'text',
    request_id: 'text',
    expires_at: 'int',
  },
  `insert into idempotency (account_id, key, body_hash, answer, request_id, expires_at)
   select r.account_id, r.key, r.body_hash, r.answer, r.request_id, r.expires_at from {rows} r where true
   on conflict (account_id, key) do update set body_hash = excluded.body_hash, answer = excluded.answer,
     request_id = excluded.request_id, expires_at = excluded.expires_at`,
);

export const deleteIdempotency = statement()(
  'delete_idempotency',
  { account_id: 'text', key: 'text', now: 'int' },
  `delete from idempotency using {rows} r
   where idempotency.account_id = r.account_id and idempotency.key = r.key and idempotency.expires_at <= r.now`,
);
