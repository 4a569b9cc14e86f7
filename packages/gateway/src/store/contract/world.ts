/**
 * Helpers for the steps of a message's life, on a fresh store for every test. A helper must never hide a result that a
 * test is about.
 */
import { afterEach, beforeEach } from 'vitest';
import { type MovedClock, movedClock } from '../../../../../test/props/clock.ts';
import type { Store } from '../../app/store.ts';
import type { InboundItem, SmsItem, SweepRequest, SweepResult } from '../../messaging/store/items.ts';
import type { Transition } from '../../messaging/store/transition.ts';
import type { Claim, Receipt, Settlement } from '../../model/delivery.ts';
import type { DeliveryState } from '../../model/lifecycle.ts';
import type { MessageView } from '../../model/message-view.ts';
import {
  acceptItem,
  hour,
  type InboundFields,
  type ItemFields,
  inboundItem,
  minute,
  receipt,
  type StoreFactory,
  type StorePlace,
  settlement,
  start,
} from './fixture.ts';

/** The steps of a message's life on the store under test. */
export interface World {
  readonly clock: MovedClock;
  readonly place: StorePlace;
  store: Store;
  /** Closes the store and opens it again, like a restart. */
  restart(): Promise<void>;
  item(fields?: ItemFields): SmsItem;
  /** Accepts one message to one recipient; returns its id. */
  accept(fields?: ItemFields): Promise<string>;
  claim(lane?: string, limit?: number): Promise<Claim[]>;
  /** Accepts and claims one message. */
  claimed(fields?: ItemFields): Promise<Claim>;
  /** Returns the new states. */
  settle(claim: Claim, fields?: Partial<Settlement>): Promise<DeliveryState[]>;
  /** A message that reached `sent`, its parts under the given carrier ids. */
  sent(carrierIds: string[], fields?: ItemFields): Promise<string>;
  /** An uncertain message, due for the policy a minute later. */
  uncertain(fields?: ItemFields): Promise<string>;
  receipts(...receipts: Partial<Receipt>[]): Promise<Transition[]>;
  sweep(fields?: Partial<SweepRequest>): Promise<SweepResult>;
  view(messageId: string, accountId?: string): Promise<MessageView | null>;
  /** The states of the timeline, in order. */
  timeline(messageId: string): Promise<string[]>;
  inboundItem(fields?: InboundFields): InboundItem;
}

/** A fresh world before each test of the enclosing `describe`; use its members only inside tests. */
export function useWorld(factory: StoreFactory): World {
  const world = {} as World;
  beforeEach(() => openWorld(world, factory));
  afterEach(async () => {
    await world.store.close();
    await world.place.remove();
  });
  return world;
}

async function openWorld(world: World, factory: StoreFactory): Promise<void> {
  const clock = movedClock(start);
  const place = await factory();
  const store = await place.open('node', clock);
  const members: World = {
    clock,
    place,
    store,
    async restart() {
      await world.store.close();
      world.store = await place.open('node', clock);
    },
    item: (fields = {}) => acceptItem(clock.now(), fields),
    async accept(fields) {
      const item = world.item(fields);
      await world.store.accept([item]);
      return item.deliveries[0]!.messageId;
    },
    claim: (lane = 'c1', limit = 100) => world.store.claim({ lane, limit, now: clock.now(), token: world.store.token }),
    async claimed(fields) {
      const messageId = await world.accept(fields);
      const claims = await world.claim(fields?.lane);
      return claims.find((claim) => claim.messageId === messageId)!;
    },
    settle: async (claim, fields) => (await world.store.settle([settlement(claim, clock.now(), fields)]))[0]!,
    async sent(carrierIds, fields) {
      const claim = await world.claimed({ segments: carrierIds.length, ...fields });
      const parts = carrierIds.map((carrierMessageId, index) => ({ part: index + 1, carrierMessageId }));
      await world.settle(claim, { parts });
      return claim.messageId;
    },
    async uncertain(fields) {
      const claim = await world.claimed(fields);
      await world.settle(claim, { to: 'uncertain', parts: [], dueAt: clock.now() + minute });
      return claim.messageId;
    },
    receipts: (...receipts) => world.store.receipts(receipts.map((fields) => receipt(clock.now(), fields))),
    sweep: (fields) =>
      world.store.sweep({
        now: clock.now(),
        limit: 100,
        holdAccountIds: [],
        repeats: { accounts: {}, carriers: {} },
        unmatchedReceiptsBefore: clock.now() - 24 * hour,
        incompletePartsBefore: clock.now() - 10 * minute,
        ...fields,
      }),
    view: (messageId, accountId = 'acc1') => world.store.message(accountId, messageId),
    timeline: async (messageId) => (await world.view(messageId))!.events.map((event) => event.state),
    inboundItem: (fields) => inboundItem(clock.now(), fields),
  };
  Object.assign(world, members);
}
