/**
 * Stores accepted requests: message, one delivery per recipient, refused recipients, idempotency row, media job of an
 * MMS. Stores nothing for a request whose idempotency key is known.
 *
 * The first two events of a delivery, `accepted` and `queued`, repeat what the rows contain, so `operations/view.ts`
 * derives them instead. This halves the rows of an accept.
 */

import type { EpochMs } from '../../../kernel/clock.ts';
import type { AccountId, RequestId } from '../../../kernel/ids.ts';
import type { Message, NewDelivery, NewSmsDelivery } from '../../../model/delivery.ts';
import type { DeliveryState } from '../../../model/lifecycle.ts';
import { writeExtras } from '../../../model/message-extras.ts';
import { hasLane, queueTime, type WriteContext } from '../../../store/context.ts';
import { type Operation, run } from '../../../store/query.ts';
import { type AcceptItem, type AcceptResult, isSmsItem, type MmsItem } from '../items.ts';
import { selectOptOutRows } from '../statements/consent.ts';
import {
  type DeliveryRow,
  insertAccountMessages,
  insertConversationsTail,
  insertDeliveries,
  insertEvents,
} from '../statements/deliveries.ts';
import { type IdempotencyRow, insertIdempotency, insertMessages, selectIdempotency } from '../statements/messages.ts';
import { updateHeld } from '../statements/queue.ts';
import { insertRefused } from '../statements/refused.ts';
import { type Subject, subjectKey } from './consent.ts';
import { gatherConversations } from './gather.ts';
import { addMediaJobs } from './media-jobs.ts';
import { refusedRows } from './refused.ts';

/** The next sequence after `accepted` and `queued`. */
const heldSequence = 3;

/** Delays texts accepted in the same transaction (quiet hours) and records the reason in their timeline. */
function* holdBack(items: readonly AcceptItem[], { positions }: WriteContext): Operation<void> {
  const rows = items.flatMap((item) => heldRows(item));
  yield* run(updateHeld, rows);
  yield* run(
    insertEvents,
    rows.map((row) => ({ ...row, position: positions.next() })),
  );
}

function heldRows(item: AcceptItem) {
  if (!isSmsItem(item) || item.held === undefined) return [];
  const { message, deliveries, held } = item;
  if (deliveries.some(({ sending }) => sending)) {
    throw new Error(`${message.requestId}: only texts that wait in the queue can be held back`);
  }
  return deliveries.map(({ messageId, expiresAt }) => ({
    message_id: messageId,
    account_id: message.accountId,
    sequence: heldSequence,
    state: 'queued',
    at: message.acceptedAt,
    code: held.code,
    carrier: null,
    carrier_code: null,
    detail: held.detail,
    sending_at: null,
    dup_risk: 0,
    due_at: Math.min(held.until, expiresAt),
  }));
}

/** Sequence of the `queued` event that every new delivery carries. */
const queuedSequence = 2;
/** The sequence of the `sending` event after it. */
const sendingSequence = 3;

/** The stored answer to the first request with an idempotency key. */
interface StoredAnswer {
  bodyHash: string;
  answer: string;
  requestId: RequestId;
}

export function* accept(items: readonly AcceptItem[], context: WriteContext): Operation<AcceptResult[]> {
  const firstUses = yield* knownKeys(items);
  const stopped = yield* stoppedMeanwhile(items, context);
  const stored: AcceptItem[] = [];
  const results = items.map((item): AcceptResult => {
    const { idempotency, message } = item;
    const id = idempotency && keyOf(message.accountId, idempotency.key);
    const first = id === null ? undefined : firstUses.get(id);
    if (idempotency && first) {
      return first.bodyHash === idempotency.bodyHash
        ? { kind: 'replay', answer: first.answer }
        : { kind: 'conflict', firstRequestId: first.requestId };
    }
    // Its key is unused: the request returns with the same key after being checked again.
    if (stopped.has(item)) return { kind: 'opted out' };
    if (idempotency) firstUses.set(id!, { ...idempotency, requestId: message.requestId });
    stored.push(item);
    return isSmsItem(item) && item.deliveries.some((delivery) => isGone(delivery, context))
      ? { kind: 'stored', waits: true }
      : { kind: 'stored' };
  });
  const deliveries = stored.flatMap((item) => deliveryRows(item, context));
  yield* insertAccepted(stored, deliveries, context);
  for (const row of deliveries) if (row.state === 'sending') context.sending.set(row.message_id, row);
  yield* run(insertIdempotency, stored.flatMap(idempotencyRow));
  yield* addMediaJobs(stored);
  yield* holdBack(stored, context);
  return results;
}

/** Requests with a recipient who opted out through another process since the checks. */
function* stoppedMeanwhile(items: readonly AcceptItem[], { newest }: WriteContext): Operation<ReadonlySet<AcceptItem>> {
  const older = newest === undefined ? [] : items.filter(({ judged }) => judged && judged.version < newest.consent);
  const subjectsOf = ({ judged, deliveries }: AcceptItem): Subject[] =>
    deliveries.map(({ to }) => ({ scope: judged!.scope, contact: to }));
  const rows = yield* run(selectOptOutRows, older.flatMap(subjectsOf));
  const out = new Set(rows.filter(({ state }) => state === 'out').map(subjectKey));
  return new Set(older.filter((item) => subjectsOf(item).some((subject) => out.has(subjectKey(subject)))));
}

/** The rows of every accepted request, whatever has happened to it meanwhile. */
export function* insertAccepted(
  items: readonly AcceptItem[],
  deliveries: readonly AcceptedRow[],
  { positions }: WriteContext,
): Operation<void> {
  yield* run(insertMessages, items.filter((item) => item.deliveries.length > 0).map(messageRow));
  yield* run(insertDeliveries, deliveries);
  yield* run(insertAccountMessages, deliveries);
  const sent = conversationRows(items, positions);
  if (positions.begun()) yield* gatherConversations();
  yield* run(insertConversationsTail, sent);
  yield* run(insertRefused, items.flatMap(refusedRows));
}

function* knownKeys(items: readonly AcceptItem[]): Operation<Map<string, StoredAnswer>> {
  const params = items.flatMap(({ message, idempotency }) =>
    idempotency ? [{ account_id: message.accountId, key: idempotency.key, now: message.acceptedAt }] : [],
  );
  const found = yield* run(selectIdempotency, params);
  return new Map(found.map((row) => [keyOf(row.account_id, row.key), asStoredAnswer(row)]));
}

/** The stored answer of a key that is still kept. */
export function* answerFor(account_id: string, key: string, now: EpochMs): Operation<StoredAnswer | null> {
  const [row] = yield* run(selectIdempotency, [{ account_id, key, now }]);
  return row ? asStoredAnswer(row) : null;
}

function keyOf(accountId: AccountId, key: string): string {
  return JSON.stringify([accountId, key]);
}

function asStoredAnswer(row: IdempotencyRow): StoredAnswer {
  return { bodyHash: row.body_hash, answer: row.answer, requestId: row.request_id };
}

/** The columns' values for an MMS. */
const mmsColumns = { wireText: null, encoding: null, segments: 1 } as const;

function messageRow({ message }: AcceptItem) {
  const { wireText, encoding, segments } = message.messageType === 'SMS' ? message : mmsColumns;
  return {
    request_id: message.requestId,
    account_id: message.accountId,
    key_id: message.keyId,
    direction: message.direction,
    reference_id: message.referenceId,
    sender: message.from,
    text: message.text,
    wire_text: wireText,
    octets: null,
    media_urls: JSON.stringify(message.mediaUrls),
    message_type: message.messageType,
    encoding,
    segments,
    accepted_at: message.acceptedAt,
    extras: message.traceparent === undefined ? null : writeExtras({ traceparent: message.traceparent }),
  };
}

/** The rows of deliveries as they enter the queue. */
export function acceptedRows(item: AcceptItem) {
  if (!isSmsItem(item)) return mmsRows(item);
  const { message, deliveries } = item;
  const { acceptedAt: due_at, segments } = message;
  return deliveries.map((delivery) =>
    deliveryRow(message, delivery, { due_at, segments, concat_reference: delivery.concatReference }),
  );
}

/** Due when its validity ends; made due earlier once its media are prepared. */
function mmsRows({ message, deliveries }: MmsItem) {
  const { segments } = mmsColumns;
  return deliveries.map((delivery) =>
    deliveryRow(message, delivery, { due_at: delivery.expiresAt, segments, concat_reference: 0 }),
  );
}

function deliveryRow(
  message: Message,
  delivery: NewDelivery,
  own: { due_at: EpochMs; segments: number; concat_reference: number },
) {
  return {
    message_id: delivery.messageId,
    request_id: message.requestId,
    account_id: message.accountId,
    direction: message.direction,
    recipient: delivery.to,
    lane: delivery.lane,
    state: 'queued' as DeliveryState,
    carrier: null as string | null,
    due_at: own.due_at,
    expires_at: delivery.expiresAt,
    attempts: 0,
    dup_risk: 0,
    sequence: queuedSequence,
    token: 0,
    concat_reference: own.concat_reference,
    segments: own.segments,
    updated_at: message.acceptedAt,
    repeats: 0,
    doubt: null as DeliveryRow['doubt'],
  };
}

export type AcceptedRow = ReturnType<typeof deliveryRow>;

/** True for a delivery to be sent at once by a send queue that this node has given up meanwhile. */
function isGone({ sending, lane }: NewSmsDelivery, context: WriteContext): boolean {
  return sending === true && !hasLane(context, lane);
}

/** Deliveries that their lanes take at once are already `sending`. */
function deliveryRows(item: AcceptItem, context: WriteContext): AcceptedRow[] {
  const rows = acceptedRows(item);
  if (isSmsItem(item)) for (const row of rows) row.due_at = queueTime(context, row.due_at);
  if (!isSmsItem(item) || item.deliveries.some((delivery) => isGone(delivery, context))) return rows;
  const { token } = context;
  return rows.map((row, place) =>
    item.deliveries[place]!.sending
      ? { ...row, state: 'sending', carrier: row.lane, attempts: 1, token, sequence: sendingSequence }
      : row,
  );
}

function conversationRows(items: readonly AcceptItem[], positions: WriteContext['positions']) {
  return items.flatMap(({ message, deliveries }) => {
    const place = { run: positions.run(deliveries.length, message.acceptedAt), own: message.from, outbound: 1 };
    return deliveries.map(({ messageId, to }) => ({ ...place, peer: to, message_id: messageId }));
  });
}

function idempotencyRow({ message, idempotency }: AcceptItem) {
  if (!idempotency) return [];
  return [
    {
      account_id: message.accountId,
      key: idempotency.key,
      body_hash: idempotency.bodyHash,
      answer: idempotency.answer,
      request_id: message.requestId,
      expires_at: idempotency.expiresAt,
    },
  ];
}
