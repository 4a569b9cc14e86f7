/**
 * Skips the queue while a send queue has free slots and nothing waits before: the accept stores deliveries as
 * `sending` and hands them over after its commit. Never uses more slots than the queue has free.
 */
import type { Claim, Message, NewDelivery } from '../../model/delivery.ts';
import type { Reservation } from '../send-queue/lane.ts';
import type { Lanes } from '../send-queue/lanes.ts';

export interface ShortCut {
  room: Reservation;
  deliveries: readonly NewDelivery[];
}

/** Marks those as `sending` that their lane can take as soon as they are on disk: they need not be claimed. */
export function reserveRoom(deliveries: readonly NewDelivery[], lanes: Pick<Lanes, 'reserve'>): ShortCut[] {
  const shortCuts: ShortCut[] = [];
  for (const [lane, own] of byLane(deliveries)) {
    const room = lanes.reserve(lane, own.length);
    if (room === null) continue;
    const first = room.count === own.length ? own : own.slice(0, room.count);
    for (const delivery of first) delivery.sending = true;
    shortCuts.push({ room, deliveries: first });
  }
  return shortCuts;
}

/** Grouped only where they are of several lanes, which is rare. */
export function byLane(deliveries: readonly NewDelivery[]): Iterable<[string, readonly NewDelivery[]]> {
  const [first] = deliveries;
  if (first === undefined) return [];
  const { lane } = first;
  if (deliveries.every((delivery) => delivery.lane === lane)) return [[lane, deliveries]];
  return Map.groupBy(deliveries, (delivery) => delivery.lane);
}

/** What the store would hand out for it as a claim. */
export function asClaim(message: Message, delivery: NewDelivery): Claim {
  return {
    messageId: delivery.messageId,
    accountId: message.accountId,
    keyId: message.keyId,
    lane: delivery.lane,
    attempt: 1,
    dupRisk: false,
    from: message.from,
    to: delivery.to,
    text: message.wireText ?? message.text,
    mediaUrls: message.mediaUrls,
    media: null,
    messageType: message.messageType,
    segments: message.segments,
    concatReference: delivery.concatReference,
    expiresAt: delivery.expiresAt,
    acceptedAt: message.acceptedAt,
    partsAccepted: [],
  };
}
