/** The states of a delivery and the transitions between them. Pure data; `messaging` decides when to move. */

export const deliveryStates = [
  'accepted',
  'queued',
  'sending',
  'sent',
  'delivered',
  'undelivered',
  'unconfirmed',
  'uncertain',
  'held',
  'failed',
  'expired',
  'canceled',
  'received',
] as const;

/** The lower-case lifecycle word, the same in SQL, API, webhooks and portal. */
export type DeliveryState = (typeof deliveryStates)[number];

const arrows: Record<DeliveryState, readonly DeliveryState[]> = {
  accepted: ['queued'],
  // `unconfirmed`: the validity ends while a repeat waits. An earlier attempt may have arrived, so it is not `expired`.
  queued: ['sending', 'expired', 'canceled', 'failed', 'unconfirmed'],
  // `delivered` and `undelivered` go through `sent` or `uncertain`: a receipt never overtakes the commit of the
  // outcome.
  sending: ['sent', 'queued', 'failed', 'uncertain'],
  sent: ['delivered', 'undelivered', 'unconfirmed'],
  uncertain: ['sent', 'delivered', 'undelivered', 'queued', 'held', 'unconfirmed'],
  held: ['queued', 'canceled', 'sent', 'delivered', 'undelivered'],
  unconfirmed: ['delivered', 'undelivered'],
  delivered: [],
  undelivered: [],
  failed: [],
  expired: [],
  canceled: [],
  received: [],
};

/** True when the lifecycle has an arrow from `from` to `to`. */
export function mayMove(from: DeliveryState, to: DeliveryState): boolean {
  return arrows[from].includes(to);
}

/** The states with an arrow to `to`. */
export function statesBefore(to: DeliveryState): DeliveryState[] {
  return deliveryStates.filter((from) => arrows[from].includes(to));
}

/** A state without outgoing arrows. `unconfirmed` is not final: a late receipt may still settle it. */
export function isFinal(state: DeliveryState): boolean {
  return arrows[state].length === 0;
}

/** What receipts report about the parts of a message. */
export type PartState = 'accepted' | 'delivered' | 'undelivered';

/**
 * The outcome of the whole message: delivered when every part is, undelivered as soon as one is, else undecided.
 * `partCount` is the number of its parts; `states` are those known so far.
 */
export function wholeFromParts(states: readonly PartState[], partCount: number): 'delivered' | 'undelivered' | null {
  if (states.includes('undelivered')) return 'undelivered';
  return states.length >= partCount && states.every((state) => state === 'delivered') ? 'delivered' : null;
}
