/** Writes a reply that is whole (or given up waiting for): message, delivery in state `received`, its one event. */
import { joinAtEscape } from '../../domain/gsm-extension.ts';
import { type Operation, run } from '../query.ts';
import {
  insertAccountMessages,
  insertConversations,
  insertDeliveries,
  insertEvents,
} from '../statements/deliveries.ts';
import type { InboundPartRow } from '../statements/inbound.ts';
import { insertMessages } from '../statements/messages.ts';
import type { WriteContext } from './context.ts';
import { storable } from './storable.ts';

/** Stands where a part never came. */
const gapMark = '[…]';

interface Received {
  ids: InboundPartRow;
  text: string;
  octets: string | null;
  encoding: InboundPartRow['encoding'];
  dupRisk: number;
}

/** One text from its parts, a mark for each run of missing ones. Suspected of being a redelivery when all parts are. */
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
    ids,
    text: storable(recut ?? joined(pieces)),
    octets: octets.length > 0 && recut === null ? Buffer.concat(octets).toString('base64') : null,
    encoding: parts.find((part) => part.encoding !== null)?.encoding ?? null,
    dupRisk: parts.every((part) => part.dup_risk === 1) ? 1 : 0,
  };
}

/** A text in one part is as it came: nothing was cut. */
function joined(pieces: readonly string[]): string {
  return pieces.length === 1 ? pieces[0]! : pieces.reduceRight((rest, piece) => joinAtEscape(piece, rest), '');
}

/** UCS-2 that was cut in the middle of a character; null when that is not what ails these parts. */
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
    insertConversations,
    messages.map(({ ids }) => ({
      run: positions.run(1, now),
      own: ids.recipient,
      peer: ids.sender,
      outbound: 0,
      message_id: ids.message_id,
    })),
  );
  yield* run(
    insertEvents,
    messages.map(({ ids, dupRisk }) => ({
      position: positions.next(),
      account_id: ids.account_id,
      message_id: ids.message_id,
      sequence: 1,
      state: 'received',
      at: ids.received_at,
      code: null,
      carrier: ids.carrier,
      carrier_code: null,
      detail: null,
      sending_at: null,
      dup_risk: dupRisk,
    })),
  );
}

function messageRow({ ids, text, octets, encoding }: Received) {
  return {
    request_id: ids.request_id,
    account_id: ids.account_id,
    key_id: '',
    direction: 'inbound',
    reference_id: '',
    sender: ids.sender,
    text,
    wire_text: null,
    octets,
    media_urls: '[]',
    message_type: 'SMS',
    encoding,
    segments: ids.total,
    accepted_at: ids.received_at,
  };
}

function deliveryRow({ ids, dupRisk }: Received) {
  return {
    message_id: ids.message_id,
    request_id: ids.request_id,
    account_id: ids.account_id,
    direction: 'inbound',
    recipient: ids.recipient,
    lane: ids.carrier,
    state: 'received',
    carrier: ids.carrier,
    due_at: ids.received_at,
    expires_at: ids.received_at,
    attempts: 0,
    dup_risk: dupRisk,
    sequence: 1,
    token: 0,
    concat_reference: Math.max(0, ids.reference),
    segments: ids.total,
    updated_at: ids.received_at,
  };
}
