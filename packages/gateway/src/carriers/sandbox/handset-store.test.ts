import { describe, expect, it } from 'vitest';
import { sandboxPinnedHandsets } from '../../domain/sandbox.ts';
import { movedClock } from '../carrier-fixture.ts';
import { createHandsetStore, defaultHandsetLimits, type HandsetLimits } from './handset-store.ts';

const phone = '12025550100';

function storeWith(limits: Partial<HandsetLimits> = {}) {
  const clock = movedClock();
  const store = createHandsetStore(clock, { ...defaultHandsetLimits, ...limits });
  let count = 0;
  const add = (to = phone, from = '12025550199', text = 'hi'): string => {
    const id = `txt_${String(++count).padStart(4, '0')}`;
    store.add({ id, from, to, text, encoding: 'GSM-7', parts: 1, receivedAt: clock.now() });
    return id;
  };
  return { clock, store, add };
}

const ids = (messages: 'full' | { id: string }[]): string[] =>
  messages === 'full' ? ['full'] : messages.map(({ id }) => id);

describe('texts of a handset', () => {
  it('are told from the first, or after one', async () => {
    const { store, add } = storeWith();
    const [first, second, third] = [add(), add(), add()];
    expect(ids(await store.messages(phone, { waitMs: 0 }))).toEqual([first, second, third]);
    expect(ids(await store.messages(phone, { waitMs: 0, after: first }))).toEqual([second, third]);
    expect(ids(await store.messages(phone, { waitMs: 0, after: third }))).toEqual([]);
    expect(ids(await store.messages('12025550142', { waitMs: 0 }))).toEqual([]);
  });

  it('come in pages', async () => {
    const { store, add } = storeWith({ pageMax: 2 });
    const [first, second, third] = [add(), add(), add()];
    expect(ids(await store.messages(phone, { waitMs: 0 }))).toEqual([first, second]);
    expect(ids(await store.messages(phone, { waitMs: 0, after: second }))).toEqual([third]);
  });

  it('wake who waits for them, and only them', async () => {
    const { clock, store, add } = storeWith();
    const here = store.messages(phone, { waitMs: 5_000 });
    const elsewhere = store.messages('12025550101', { waitMs: 5_000 });
    const id = add();
    expect(ids(await here)).toEqual([id]);
    clock.pass(4_999);
    add();
    clock.pass(1);
    expect(ids(await elsewhere)).toEqual([]);
    expect(clock.timers()).toBe(0);
  });

  it('do not wake who may not see the sender', async () => {
    const { clock, store, add } = storeWith();
    const isOwn = (sender: string): boolean => sender === 'mine';
    const waiting = store.messages(phone, { waitMs: 1_000, isOwn });
    add(phone, 'theirs');
    clock.pass(500);
    const id = add(phone, 'mine');
    expect(ids(await waiting)).toEqual([id]);
    expect(ids(await store.messages(phone, { waitMs: 0, isOwn }))).toEqual([id]);
    expect(store.lastSender(phone, isOwn)).toBe('mine');
    expect(store.list(isOwn).find(({ number }) => number === phone)?.messages).toBe(1);
  });

  it('end a wait when the caller goes, when nobody may wait any more, and at the end', async () => {
    const { clock, store } = storeWith({ waitersMax: 1 });
    const gone = new AbortController();
    const first = store.messages(phone, { waitMs: 60_000, signal: gone.signal });
    expect(await store.messages(phone, { waitMs: 60_000 })).toBe('full');
    gone.abort();
    expect(await first).toEqual([]);
    const second = store.messages(phone, { waitMs: 60_000 });
    store.endWaits();
    expect(await second).toEqual([]);
    expect(await store.messages(phone, { waitMs: 60_000 })).toEqual([]);
    expect(clock.timers()).toBe(0);
  });

  it('make room for newer ones', async () => {
    const { store, add } = storeWith({ textsPerHandsetMax: 2 });
    const [first, second, third] = [add(), add(), add()];
    expect(ids(await store.messages(phone, { waitMs: 0 }))).toEqual([second, third]);
    expect(ids(await store.messages(phone, { waitMs: 0, after: first }))).toEqual([second, third]);
  });
});

describe('the list of handsets', () => {
  it('begins with the pinned ones', () => {
    const { store } = storeWith();
    expect(store.list()).toEqual(
      sandboxPinnedHandsets.map((number) => ({ number, messages: 0, lastReceivedAt: null })),
    );
  });

  it('has the most recent first', () => {
    const { clock, store, add } = storeWith();
    add('12025550111');
    clock.pass(1);
    add('12025550142');
    clock.pass(1);
    add('12025550111');
    expect(store.list().slice(0, 2)).toEqual([
      { number: '12025550111', messages: 2, lastReceivedAt: clock.now() },
      { number: '12025550142', messages: 1, lastReceivedAt: clock.now() - 1 },
    ]);
  });

  it('forgets the handset that was quiet longest, never a pinned one', () => {
    const pinned = sandboxPinnedHandsets.length;
    const { store, add } = storeWith({ handsetsMax: pinned + 2 });
    for (const number of ['12025550141', '12025550142', '12025550141', '12025550143']) add(number);
    const numbers = store.list().map(({ number }) => number);
    expect(numbers).toEqual(expect.arrayContaining(['12025550141', '12025550143', ...sandboxPinnedHandsets]));
    expect(numbers).not.toContain('12025550142');
  });

  it('holds no more texts in all than it may', () => {
    const { store, add } = storeWith({ textsMax: 10 });
    for (let i = 0; i < 100; i++) add(`120255501${String(i % 7).padStart(2, '0')}`);
    expect(store.list().reduce((sum, { messages }) => sum + messages, 0)).toBeLessThanOrEqual(10);
  });
});
