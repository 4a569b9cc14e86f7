/**
 * Stores MMS replies with their links in one step. A redelivery (same peer, same id) is neither stored again nor acted
 * on.
 */
import { dayMs } from '../../../kernel/clock.ts';
import type { WriteContext } from '../../../store/context.ts';
import { type Operation, run } from '../../../store/query.ts';
import type { InboundMmsItem } from '../items.ts';
import { type InboundMmsRow, insertInboundMms, selectInboundMms } from '../statements/inbound-mms.ts';
import type { InboundOutcome } from './inbound.ts';
import { applyKeywords } from './keywords.ts';
import { addMediaLinks } from './media.ts';
import { type Received, writeReceived } from './received.ts';
import { storable } from './storable.ts';

/** How long a message is remembered to recognise its redelivery. */
export const rememberedMs = 7 * dayMs;

export function* inboundMms(items: readonly InboundMmsItem[], context: WriteContext): Operation<InboundOutcome[]> {
  const rows = items.map(asRow);
  const known = new Map((yield* run(selectInboundMms, rows)).map((row) => [nameOf(row), row.message_id]));
  const fresh = [...items.keys()].filter((index) => {
    const name = nameOf(rows[index]!);
    if (known.has(name)) return false;
    known.set(name, rows[index]!.message_id);
    return true;
  });
  const stored = fresh.map((index) => items[index]!);
  yield* writeReceived(stored.map(asReceived), context);
  yield* addMediaLinks(stored.flatMap((item) => item.links));
  yield* run(
    insertInboundMms,
    fresh.map((index) => rows[index]!),
  );
  const acting = fresh.filter((index) => items[index]!.consent);
  const keywords = acting.map((index) => ({ ...items[index]!, command: items[index]!.consent!, dupRisk: false }));
  const results = new Map((yield* applyKeywords(keywords, context)).map((result, index) => [acting[index], result]));
  return rows.map((row, index) => ({
    messageId: known.get(nameOf(row))!,
    ...(results.get(index) ?? { change: null, lanes: [] }),
  }));
}

/**
 * A peer's message id is unique only per sender: two senders may choose the same one. A message without an id is stored
 * under its own unique id, so that a repeated call is recognised.
 */
function asRow(item: InboundMmsItem) {
  return {
    carrier: item.carrier,
    recipient: item.to,
    peer_message_id: item.peerMessageId === '' ? item.messageId : storable(`${item.peerMessageId} ${item.from}`),
    message_id: item.messageId,
    at: item.receivedAt,
  };
}

function nameOf(row: Omit<InboundMmsRow, 'message_id'>): string {
  return JSON.stringify([row.carrier, row.recipient, row.peer_message_id]);
}

function asReceived(item: InboundMmsItem): Received {
  return {
    messageId: item.messageId,
    requestId: item.requestId,
    accountId: item.accountId,
    carrier: item.carrier,
    from: storable(item.from),
    to: item.to,
    text: storable(item.text),
    octets: null,
    extras: item.extras ?? {},
    mediaUrls: item.mediaUrls,
    messageType: 'MMS',
    encoding: null,
    segments: 1,
    concatReference: 0,
    dupRisk: 0,
    receivedAt: item.receivedAt,
  };
}
