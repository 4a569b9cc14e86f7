/** Shows messages to the account that owns them. */
import type { AccountId, MessageId } from '../../../kernel/ids.ts';
import type { PartRecord, PreparedMedia, TimelineEvent } from '../../../model/delivery.ts';
import { readMmsExtras, readSmsExtras } from '../../../model/message-extras.ts';
import type { Doubt, MessageFields, MessageView, StoredWait } from '../../../model/message-view.ts';
import { readOutcomeCode } from '../../../model/reason.ts';
import { sentMedia } from '../../../model/sent-media.ts';
import { type Operation, run } from '../../../store/query.ts';
import type { MessagesQuery } from '../items.ts';
import { selectDeliveries } from '../statements/deliveries.ts';
import { selectMediaJobOf } from '../statements/media-jobs.ts';
import { ownRow } from '../statements/own-side.ts';
import { type PartRow, selectParts } from '../statements/parts.ts';
import {
  type EventRow,
  selectEvents,
  selectMessage,
  selectMessages,
  selectMessagesAfter,
  type ViewRow,
} from '../statements/views.ts';
import { mediaOnRecord, preparedMedia } from './media.ts';

/** Greater than every message id, because these begin with `msg_`. */
const afterAllIds = '~';

export function* message(account_id: string, message_id: string): Operation<MessageView | null> {
  const rows = yield* run(selectMessage, [{ account_id, message_id }]);
  const [view] = yield* asViews(rows);
  if (view === undefined) return null;
  if (view.state === 'uncertain') return { ...view, doubt: yield* doubtOf(view) };
  return view.state === 'queued' || view.state === 'held' ? { ...view, wait: yield* waitOf(view) } : view;
}

function* doubtOf({ messageId }: MessageView): Operation<Doubt> {
  const [row] = yield* run(selectDeliveries, [{ message_id: messageId }]);
  const { account_id, doubt, repeats, due_at, expires_at } = row!;
  return { accountId: account_id, cause: doubt, repeats, dueAt: due_at, expiresAt: expires_at };
}

function* waitOf({ messageId: message_id }: MessageView): Operation<StoredWait> {
  const [row] = yield* run(selectDeliveries, [{ message_id }]);
  const { account_id, lane, state, due_at } = row!;
  const [job] = yield* run(selectMediaJobOf, [{ message_id }]);
  // An MMS without its media is due when its validity ends: that time delays nothing.
  const dueAt = job !== undefined || state === 'held' ? null : due_at;
  return { accountId: account_id, lane, mediaDueAt: job?.due_at ?? null, dueAt };
}

export function* messages(request: MessagesQuery): Operation<MessageView[]> {
  const { after = null, end = null } = request;
  const directions = request.direction ? [request.direction] : (['outbound', 'inbound'] as const);
  const rows: ViewRow[] = [];
  for (const direction of directions) {
    const params = {
      account_id: request.accountId,
      direction,
      sender: request.from,
      recipient: request.to,
      ...ownRow(request),
      limit: request.limit,
    };
    rows.push(
      ...(after === null
        ? yield* run(selectMessages, [{ ...params, before: request.before ?? afterAllIds, after: end ?? '' }])
        : yield* run(selectMessagesAfter, [{ ...params, after, before: end ?? afterAllIds }])),
    );
  }
  const newer = after === null ? -1 : 1;
  rows.sort((a, b) => (a.message_id < b.message_id ? -newer : newer));
  return yield* asViews(rows.slice(0, request.limit));
}

/**
 * The media of a message to a handset; null when it has none, its body is deleted, or it belongs to another account.
 */
export function* sentMediaOf(request: { accountId: AccountId; messageId: MessageId }): Operation<PreparedMedia | null> {
  const [row] = yield* run(selectMessage, [{ account_id: request.accountId, message_id: request.messageId }]);
  if (row === undefined || !isSentMms(row)) return null;
  return (yield* preparedMedia([row.request_id])).get(row.request_id) ?? null;
}

function* asViews(rows: readonly ViewRow[]): Operation<MessageView[]> {
  const parts = Map.groupBy(yield* run(selectParts, rows), (part) => part.message_id);
  const events = Map.groupBy(yield* run(selectEvents, rows), (event) => event.message_id);
  const media = yield* mediaOnRecord(rows.filter(isSentMms).map((row) => row.request_id));
  return rows.map((row) => {
    const view = asView(row, parts.get(row.message_id) ?? [], events.get(row.message_id) ?? []);
    const known = media.get(row.request_id);
    if (view.messageType === 'SMS' || known === undefined) return view;
    // Nothing is shown before the media are fetched, or after they were deleted for their age.
    const shown = sentMedia(view.mediaUrls, known);
    return shown === undefined ? view : { ...view, media: shown };
  });
}

/**
 * Media of sent messages are in a separate table and are deleted with the body; those from a handset are among its
 * extras.
 */
function isSentMms({ direction, message_type, body_deleted_at }: ViewRow): boolean {
  return direction === 'outbound' && message_type === 'MMS' && body_deleted_at === null;
}

function asView(row: ViewRow, parts: readonly PartRow[], events: readonly EventRow[]): MessageView {
  return {
    ...messageFields(row),
    state: row.state,
    acceptedAt: row.accepted_at,
    updatedAt: row.updated_at,
    ...(row.body_deleted_at !== null && { bodyDeletedAt: row.body_deleted_at }),
    parts: parts.map(asPart).sort((a, b) => a.part - b.part),
    events: timeline(row, events),
  };
}

/** The common fields of a message in every view; code and flags come from the row. */
export function messageFields(
  row: Omit<ViewRow, 'state' | 'accepted_at' | 'updated_at' | 'body_deleted_at'>,
): MessageFields {
  const { message_type: messageType, extras } = row;
  const shared = {
    messageId: row.message_id,
    referenceId: row.reference_id,
    requestId: row.request_id,
    direction: row.direction,
    from: row.sender,
    to: row.recipient,
    text: row.text,
  };
  const outcome = {
    code: readOutcomeCode(row.code),
    carrier: row.carrier,
    carrierCode: row.carrier_code,
    dupRisk: row.dup_risk === 1,
  };
  if (messageType === 'SMS') {
    const { encoding, segments, octets } = row;
    return { ...shared, mediaUrls: [], messageType, encoding, segments, ...outcome, ...readSmsExtras(extras, octets) };
  }
  const mediaUrls: string[] = JSON.parse(row.media_urls);
  return { ...shared, mediaUrls, messageType, ...outcome, ...readMmsExtras(extras, mediaUrls) };
}

function timeline(row: ViewRow, events: readonly EventRow[]): TimelineEvent[] {
  const later = events.flatMap((event) =>
    event.sending_at === null
      ? [asEvent(event)]
      : [sendingEvent(event.sequence - 1, event.sending_at, event.carrier), asEvent(event)],
  );
  const now = row.state === 'sending' ? [sendingEvent(row.sequence, row.updated_at, row.carrier)] : [];
  return [...firstEvents(row), ...later.sort((a, b) => a.sequence - b.sequence), ...now];
}

function sendingEvent(sequence: number, at: number, carrier: string | null): TimelineEvent {
  return { sequence, state: 'sending', at, code: null, carrier, carrierCode: null, detail: null };
}

/** The first events of every accepted message, derived from its rows (`accept.ts`). */
function firstEvents(row: ViewRow): TimelineEvent[] {
  if (row.direction === 'inbound') return [];
  return (['accepted', 'queued'] as const).map((state, index) => ({
    sequence: index + 1,
    state,
    at: row.accepted_at,
    code: null,
    carrier: null,
    carrierCode: null,
    detail: null,
  }));
}

function asPart(row: PartRow): PartRecord {
  return {
    part: row.part,
    ...(row.spans > 1 && { spans: row.spans }),
    carrier: row.carrier,
    carrierMessageId: row.carrier_message_id,
    state: row.state,
    carrierCode: row.carrier_code,
    updatedAt: row.updated_at,
  };
}

function asEvent(row: EventRow): TimelineEvent {
  return {
    sequence: row.sequence,
    state: row.state,
    at: row.at,
    code: readOutcomeCode(row.code),
    carrier: row.carrier,
    carrierCode: row.carrier_code,
    detail: row.detail,
  };
}
