/**
 * What the contract's tests share: a store on a clock that only they move, and short words for the steps of a message's
 * life. Every test gets a store of its own.
 */
import { afterEach, beforeEach } from 'vitest';
import { carrierIdKeys } from '../../domain/carrier-id.ts';
import type { Clock } from '../../domain/clock.ts';
import type { Claim, MessageView, Receipt, Settlement } from '../../domain/delivery.ts';
import type { AcceptItem, InboundItem, MadeMove, Store, SweepRequest, SweepResult } from '../store.ts';

/** One place where a store lives; opening it twice is a restart or a second process. */
export interface StorePlace {
  open(role: 'node' | 'tool', clock: Clock): Promise<Store>;
  /** Removes it after every store on it was closed. */
  remove(): Promise<void>;
}

export type StoreFactory = () => Promise<StorePlace>;

export const minute = 60_000;
export const hour = 60 * minute;
export const start = 1_800_000_000_000;

export interface TestClock extends Clock {
  set(now: number): void;
}

export function createTestClock(): TestClock {
  let now = start;
  return {
    now: () => now,
    monotonicMs: () => now,
    after: () => () => {},
    set: (value) => {
      now = value;
    },
  };
}

/** The steps of a message's life on the store under test. */
export interface World {
  readonly clock: TestClock;
  readonly place: StorePlace;
  store: Store;
  /** Closes the store and opens it again, as a restart does. */
  restart(): Promise<void>;
  item(fields?: ItemFields): AcceptItem;
  /** Accepts one message to one recipient; its id. */
  accept(fields?: ItemFields): Promise<string>;
  claim(lane?: string, limit?: number): Promise<Claim[]>;
  /** Accepts and claims one message. */
  claimed(fields?: ItemFields): Promise<Claim>;
  settle(claim: Claim, fields?: Partial<Settlement>): Promise<MadeMove[]>;
  /** A message that reached `sent`, its parts under the given carrier ids. */
  sent(carrierIds: string[], fields?: ItemFields): Promise<string>;
  /** A message in doubt, due for the policy a minute later. */
  uncertain(fields?: ItemFields): Promise<string>;
  receipts(...receipts: Partial<Receipt>[]): Promise<MadeMove[]>;
  sweep(fields?: Partial<SweepRequest>): Promise<SweepResult>;
  view(messageId: string, accountId?: string): Promise<MessageView | null>;
  /** The states of the timeline, in order. */
  timeline(messageId: string): Promise<string[]>;
  inboundItem(fields?: InboundFields): InboundItem;
}

export interface ItemFields {
  accountId?: string;
  to?: string;
  from?: string;
  lane?: string;
  segments?: number;
  expiresAt?: number;
  text?: string;
  key?: { key: string; bodyHash: string; answer?: string; expiresAt?: number };
  recipients?: string[];
}

export type InboundFields = Partial<InboundItem['part']> & { accountId?: string };

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

let serial = 0;
export function nextId(prefix: string): string {
  serial += 1;
  return `${prefix}_01KQ${String(serial).padStart(22, '0')}`;
}

async function openWorld(world: World, factory: StoreFactory): Promise<void> {
  const clock = createTestClock();
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
    settle: (claim, fields) => world.store.settle([settlement(claim, clock.now(), fields)]),
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

function acceptItem(now: number, fields: ItemFields): AcceptItem {
  const { accountId = 'acc1', lane = 'c1', segments = 1 } = fields;
  return {
    message: {
      requestId: nextId('req'),
      accountId,
      keyId: 'key1',
      direction: 'outbound',
      referenceId: 'reference-1',
      from: fields.from ?? '15550001111',
      text: fields.text ?? 'Hello',
      wireText: null,
      mediaUrls: [],
      messageType: 'SMS',
      encoding: 'GSM-7',
      segments,
      acceptedAt: now,
    },
    deliveries: (fields.recipients ?? [fields.to ?? '14155550100']).map((to) => ({
      messageId: nextId('msg'),
      to,
      lane,
      expiresAt: fields.expiresAt ?? now + 4 * hour,
      concatReference: 7,
    })),
    idempotency: fields.key ? { answer: '{"success":true}', expiresAt: now + 72 * hour, ...fields.key } : null,
  };
}

export function settlement(claim: Claim, now: number, fields: Partial<Settlement> = {}): Settlement {
  return {
    messageId: claim.messageId,
    attempt: claim.attempt,
    to: 'sent',
    code: null,
    carrierCode: null,
    detail: null,
    carrier: claim.lane,
    parts: [{ part: 1, carrierMessageId: `id-${claim.messageId}` }],
    dueAt: now + 72 * hour,
    lane: claim.lane,
    countsAttempt: true,
    ...fields,
  };
}

function receipt(now: number, fields: Partial<Receipt>): Receipt {
  const carrierMessageId = fields.carrierMessageId ?? 'a1';
  return {
    carrier: 'c1',
    carrierMessageId,
    idKeys: carrierIdKeys(carrierMessageId, 'auto'),
    to: '14155550100',
    state: 'delivered',
    code: 'DELIVERED',
    carrierCode: '000',
    raw: `id:${carrierMessageId} stat:DELIVRD err:000`,
    receivedAt: now,
    ...fields,
  };
}

function inboundItem(now: number, { accountId = 'acc1', ...part }: InboundFields = {}): InboundItem {
  return {
    accountId,
    messageId: nextId('msg'),
    requestId: nextId('req'),
    part: {
      carrier: 'c1',
      from: '14155550100',
      to: '15550001111',
      text: 'Yes',
      octets: null,
      encoding: 'GSM-7',
      concat: null,
      receivedAt: now,
      ...part,
    },
  };
}
