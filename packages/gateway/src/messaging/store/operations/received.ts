/**
 * Stores a complete (or timed-out) reply: message, delivery in state `received`, its event, and the conversation on
 * top.
 */
import type { EpochMs } from '../../../kernel/clock.ts';
import type { AccountId, KeyId, MessageId, RequestId } from '../../../kernel/ids.ts';
import type { Encoding } from '../../../model/delivery.ts';
import { type StoredExtras, writeExtras } from '../../../model/message-extras.ts';
import type { MessageKind } from '../../../model/records.ts';
import type { WriteContext } from '../../../store/context.ts';
import { type Operation, run } from '../../../store/query.ts';
import { joinAtEscape } from '../gsm-extension.ts';
import {
  insertAccountMessages,
  insertConversationsTail,
  insertDeliveries,
  insertEvents,
} from '../statements/deliveries.ts';
import type { InboundPartRow } from '../statements/inbound.ts';
import { insertMessages } from '../statements/messages.ts';
import { raiseThreads as raise } from '../statements/threads.ts';
import type { Thread } from '../thread-items.ts';
import { plainReference } from './concat-reference.ts';
import { gatherConversations } from './gather.ts';
import { storable } from './storable.ts';

/** The fields used from a received message. */
interface FromHandset {
  messageId: MessageId;
  accountId: AccountId;
  from: string;
  to: string;
  receivedAt: EpochMs;
}

type Raised = Pick<Thread, 'own' | 'peer' | 'lastMessageId' | 'lastAt' | 'unread'> & { accountId: AccountId };

function* raiseThreads(messages: readonly FromHandset[]): Operation<void> {
  const raised = new Map<string, Raised>();
  for (const { accountId, to: own, from: peer, messageId, receivedAt } of messages) {
    const key = `${accountId} ${own} ${peer}`;
    const before = raised.get(key);
    const lastMessageId = before !== undefined && before.lastMessageId > messageId ? before.lastMessageId : messageId;
    raised.set(key, { accountId, own, peer, lastMessageId, lastAt: receivedAt, unread: (before?.unread ?? 0) + 1 });
  }
  yield* run(raise, [...raised.values()].map(asRow));
}

function asRow(raised: Raised) {
  return {
    account_id: raised.accountId,
    own: raised.own,
    peer: raised.peer,
    last_message_id: raised.lastMessageId,
    last_at: raised.lastAt,
    unread: raised.unread,
  };
}

/** Replaces a part that never came. */
const gapMark = '[…]';

/** A message from a handset. */
export interface Received {
  messageId: MessageId;
  requestId: RequestId;
  accountId: AccountId;
  /** '' except for generated messages. */
  keyId?: KeyId;
  carrier: string;
  from: string;
  to: string;
  text: string;
  octets: string | null;
  extras?: StoredExtras;
  mediaUrls: string[];
  messageType: MessageKind;
  encoding: Encoding | null;
  segments: number;
  concatReference: number;
  dupRisk: number;
  receivedAt: EpochMs;
}

/** One text from its parts, with a mark for each run of missing ones. Suspected as a redelivery if all parts are. */
export function joinParts(ids: InboundPartRow, parts: readonly InboundPartRow[]): Received {
  const bySequence = new Map(parts.map((part) => [part.sequence, part]));
  const pieces: string[] = [];
  for (let sequence = 1; sequence <= ids.total; sequence += 1) {
    const part = bySequence.get(sequence);
    if (part) pieces.push(part.text === null ? '' : JSON.parse(part.text));
    else if (pieces.at(-1) !== gapMark) pieces.push(gapMark);
  }
  const ordered = [...parts].sort((a, b) => a.sequence - b.sequence);
  const octets = ordered.flatMap((part) => (part.octets === null ? [] : [Buffer.from(part.octets, 'base64')]));
  const recut = octets.length > 0 && ordered.length === ids.total ? rejoinedUcs2(ordered) : null;
  return {
    messageId: ids.message_id,
    requestId: ids.request_id,
    accountId: ids.account_id,
    carrier: ids.carrier,
    from: ids.sender,
    to: ids.recipient,
    text: storable(recut ?? joined(pieces)),
    octets: octets.length > 0 && recut === null ? Buffer.concat(octets).toString('base64') : null,
    extras: Object.assign({}, ...ordered.map(({ extras }) => (extras === null ? {} : JSON.parse(extras)))),
    mediaUrls: [],
    messageType: 'SMS',
    encoding: parts.find((part) => part.encoding !== null)?.encoding ?? null,
    segments: ids.total,
    concatReference: plainReference(ids.reference),
    dupRisk: parts.every((part) => part.dup_risk === 1) ? 1 : 0,
    receivedAt: ids.received_at,
  };
}

/** A text in one part is unchanged: nothing was cut. */
function joined(pieces: readonly string[]): string {
  return pieces.length === 1 ? pieces[0]! : pieces.reduceRight((rest, piece) => joinAtEscape(piece, rest), '');
}

/** Joins UCS-2 text cut in the middle of a character; null if that is not the fault of these parts. */
function rejoinedUcs2(parts: readonly InboundPartRow[]): string | null {
  if (parts.some((part) => part.encoding !== 'UCS-2' || part.text === null)) return null;
  const octets = Buffer.concat(
    parts.map(({ octets, text }) =>
      octets === null ? Buffer.from(JSON.parse(text!), 'utf16le').swap16() : Buffer.from(octets, 'base64'),
    ),
  );
  return octets.length % 2 === 0 ? octets.swap16().toString('utf16le') : null;
}

export function* writeReceived(messages: readonly Received[], { positions, now }: WriteContext): Operation<void> {
  yield* run(insertMessages, messages.map(messageRow));
  const deliveries = messages.map(deliveryRow);
  yield* run(insertDeliveries, deliveries);
  yield* run(insertAccountMessages, deliveries);
  yield* run(
    insertConversationsTail,
    messages.map(({ messageId, from, to }) => ({
      run: positions.run(1, now),
      own: to,
      peer: from,
      outbound: 0,
      message_id: messageId,
    })),
  );
  if (messages.length > 0) yield* gatherConversations();
  yield* raiseThreads(messages);
  yield* run(
    insertEvents,
    messages.map((message) => ({
      position: positions.next(),
      account_id: message.accountId,
      message_id: message.messageId,
      sequence: 1,
      state: 'received',
      at: message.receivedAt,
      code: null,
      carrier: message.carrier,
      carrier_code: null,
      detail: null,
      sending_at: null,
      dup_risk: message.dupRisk,
    })),
  );
}

function messageRow(message: Received) {
  return {
    request_id: message.requestId,
    account_id: message.accountId,
    key_id: message.keyId ?? '',
    direction: 'inbound',
    reference_id: '',
    sender: message.from,
    text: message.text,
    wire_text: null,
    octets: message.octets,
    extras: writeExtras(message.extras ?? {}),
    media_urls: JSON.stringify(message.mediaUrls),
    message_type: message.messageType,
    encoding: message.encoding,
    segments: message.segments,
    accepted_at: message.receivedAt,
  };
}

function deliveryRow(message: Received) {
  return {
    message_id: message.messageId,
    request_id: message.requestId,
    account_id: message.accountId,
    direction: 'inbound',
    recipient: message.to,
    lane: message.carrier,
    state: 'received',
    carrier: message.carrier,
    due_at: message.receivedAt,
    expires_at: message.receivedAt,
    attempts: 0,
    dup_risk: message.dupRisk,
    sequence: 1,
    token: 0,
    concat_reference: message.concatReference,
    segments: message.segments,
    updated_at: message.receivedAt,
  };
}
