/**
 * Renders webhook bodies in the standard or flat format, at most 20 KB. Pure. `webhook-schema.ts` describes the same
 * shapes.
 */
import type { EpochMs } from '../../kernel/clock.ts';
import type { MessageExtras } from '../../model/message-extras.ts';
import { type FlatMessage, flatMessage } from '../../model/message-view.ts';
import type { Endpoint } from '../../model/records.ts';
import type { CustomerEvent, EventMessage } from '../../model/webhook-event.ts';

export const bodyBytesMax = 20_000;
/** Bytes of a body for media URLs, so that there is room for the rest. */
const mediaBytesMax = 10_000;
/** Bytes of a body for the other addresses of a group and the subject. */
const participantsBytesMax = 1_500;
const subjectBytesMax = 500;
/** Bytes of a body for all fields of bounded length together. */
const headroomBytes = 2_000;

type EventFields = FlatMessage<EventMessage>;

/** The body of `event` for an endpoint of this format. Events without a message have no flat form: never render one. */
export function renderWebhook(event: CustomerEvent, format: Endpoint['format']): string {
  if (event.message === null) return JSON.stringify(standard(event, event.data ?? {}));
  const message = flatMessage(event.message);
  const shape = format === 'flat' ? flat : message.direction === 'inbound' ? received : changed;
  const whole = JSON.stringify(shape(event, message, {}));
  // A character takes at most three bytes, so short bodies need no count.
  if (whole.length * 3 <= bodyBytesMax || Buffer.byteLength(whole) <= bodyBytesMax) return whole;
  const short = shortened(message);
  const mark = { truncated: true, fullMessage: `/api/v1/messages/${message.messageId}` };
  const fields = format === 'flat' ? flatCutFields : cutFields;
  const truncatedFields = fields.filter((name) => short[name] !== message[name]);
  return JSON.stringify(shape(event, short, { ...mark, truncatedFields }));
}

function iso(at: EpochMs): string {
  return new Date(at).toISOString();
}

function standard(event: CustomerEvent, data: Record<string, unknown>) {
  return { type: event.type, timestamp: iso(event.at), data };
}

function changed(event: CustomerEvent, message: EventFields, more: object) {
  const { messageId, referenceId, from, to, state, code, carrierCode, segments, sequence, dupRisk } = message;
  return standard(event, {
    messageId,
    referenceId,
    from,
    to,
    state,
    code,
    carrierCode,
    segments,
    sequence,
    occurredAt: iso(event.at),
    dupRisk,
    ...more,
  });
}

function received(event: CustomerEvent, message: EventFields, more: object) {
  const { messageId, from, to, text, mediaUrls, inReplyTo, messageType, encoding, sequence, dupRisk } = message;
  return standard(event, {
    messageId,
    from,
    to,
    text,
    mediaUrls,
    receivedAt: iso(event.at),
    inReplyTo,
    messageType,
    encoding,
    sequence,
    dupRisk,
    ...extrasOf(message),
    ...more,
  });
}

function extrasOf({
  media,
  subject,
  participants,
  data,
  dataCoding,
  messageClass,
  ports,
}: MessageExtras): MessageExtras {
  return { media, subject, participants, data, dataCoding, messageClass, ports };
}

function flat(event: CustomerEvent, message: EventFields, more: object) {
  const { referenceId, from, to, text, mediaUrls, direction, state, code } = message;
  return {
    referenceId,
    from,
    to: [to],
    text,
    mediaUrls,
    deliveryReceipt: direction === 'outbound',
    status: state,
    code,
    timestamp: iso(event.at),
    ...more,
  };
}

/** Fields that are cut or left out when a body would be too large. */
const flatCutFields = ['text', 'mediaUrls'] as const;
const cutFields = [...flatCutFields, 'media', 'subject', 'participants', 'data'] as const;

/** The message with as many of its media, and as much of its text, as fit; its octets completely or not at all. */
function shortened(message: EventFields): EventFields {
  const { media, participants, subject, data } = message;
  const mediaBytes = message.mediaUrls.map((url, index) => jsonBytes(url) + (media ? bytesOf(media[index]) : 0));
  const mediaCount = countWithin(mediaBytes, mediaBytesMax);
  const othersCount = countWithin((participants ?? []).map(jsonBytes), participantsBytesMax);
  const short: EventFields = {
    ...message,
    ...(mediaCount < message.mediaUrls.length && {
      mediaUrls: message.mediaUrls.slice(0, mediaCount),
      ...(media && { media: media.slice(0, mediaCount) }),
    }),
    ...(participants && othersCount < participants.length && { participants: participants.slice(0, othersCount) }),
    ...(subject !== undefined && { subject: cut(subject, subjectBytesMax) }),
  };
  const room =
    bodyBytesMax - headroomBytes - bytesOf([short.mediaUrls, short.media, short.participants, short.subject]);
  short.text = cut(message.text, room);
  if (data !== undefined && data.length > room - jsonBytes(short.text)) delete short.data;
  return short;
}

/** How many of these sizes, from the first, fit into `bytes` together. */
function countWithin(sizes: readonly number[], bytes: number): number {
  let left = bytes;
  const over = sizes.findIndex((size) => {
    left -= size;
    return left < 0;
  });
  return over === -1 ? sizes.length : over;
}

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** The longest start of `text` that ends between two graphemes and takes at most `bytes` in JSON. */
function cut(text: string, bytes: number): string {
  let left = bytes;
  for (const { segment, index } of graphemes.segment(text)) {
    left -= jsonBytes(segment);
    if (left < 0) return text.slice(0, index);
  }
  return text;
}

function jsonBytes(text: string): number {
  return bytesOf(text) - 2;
}

function bytesOf(value: unknown): number {
  return value === undefined ? 0 : Buffer.byteLength(JSON.stringify(value));
}
