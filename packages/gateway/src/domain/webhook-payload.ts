/**
 * The bodies of webhooks: an event as the customer reads it, in the standard or in the flat format, never above 20 KB.
 * Pure; it signs and sends nothing. `webhook-schema.ts` has the same shapes as JSON Schema.
 */
import type { EpochMs } from './clock.ts';
import type { Endpoint } from './records.ts';
import type { CustomerEvent, EventMessage } from './webhook-event.ts';

export const bodyBytesMax = 20_000;
/** Of the space of a body, what media URLs may take, so that there is room for the rest. */
const mediaBytesMax = 10_000;
/** Of the space of a body, what everything but the text and the media may take. */
const headroomBytes = 2_000;

/** The body of `event` for an endpoint of this format. Events about no message have no flat form and must not come here for one. */
export function renderWebhook(event: CustomerEvent, format: Endpoint['format']): string {
  const { message } = event;
  if (message === null) return JSON.stringify(standard(event, event.data ?? {}));
  const shape = format === 'flat' ? flat : message.direction === 'inbound' ? received : changed;
  const whole = JSON.stringify(shape(event, message, {}));
  // A body has at most three bytes for each of its characters.
  if (whole.length * 3 <= bodyBytesMax || Buffer.byteLength(whole) <= bodyBytesMax) return whole;
  const mark = { truncated: true, fullMessage: `/api/v1/messages/${message.messageId}` };
  return JSON.stringify(shape(event, shortened(message), mark));
}

function iso(at: EpochMs): string {
  return new Date(at).toISOString();
}

function standard(event: CustomerEvent, data: Record<string, unknown>) {
  return { type: event.type, timestamp: iso(event.at), data };
}

function changed(event: CustomerEvent, message: EventMessage, more: object) {
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

function received(event: CustomerEvent, message: EventMessage, more: object) {
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
    ...more,
  });
}

function flat(event: CustomerEvent, message: EventMessage, more: object) {
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

/** The message with as many of its media URLs, and as much of its text, as there is room for. */
function shortened(message: EventMessage): EventMessage {
  let mediaBytes = 0;
  const mediaUrls = message.mediaUrls.filter((url) => {
    mediaBytes += jsonBytes(url);
    return mediaBytes <= mediaBytesMax;
  });
  const room = bodyBytesMax - headroomBytes - Math.min(mediaBytes, mediaBytesMax);
  return { ...message, mediaUrls, text: cut(message.text, room) };
}

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** The longest beginning of `text` that ends between two graphemes and takes at most `bytes` within JSON. */
function cut(text: string, bytes: number): string {
  let left = bytes;
  for (const { segment, index } of graphemes.segment(text)) {
    left -= jsonBytes(segment);
    if (left < 0) return text.slice(0, index);
  }
  return text;
}

function jsonBytes(text: string): number {
  return Buffer.byteLength(JSON.stringify(text)) - 2;
}
