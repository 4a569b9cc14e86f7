import { describe, expect, it } from 'vitest';
import { movedClock } from '../../../test/props/clock.ts';
import { createHandsetStore, defaultHandsetLimits, type HandsetLimits } from './handset-store.ts';
import type { HandsetMessage } from './handsets.ts';

const pinnedHandsets = ['12025550100', '12025550101', '12025550102', '12025550103'];

const phone = '12025550100';

const sms = { kind: 'SMS', via: 'smpp', subject: '', text: 'hi', encoding: 'GSM-7', parts: 1, media: [] } as const;

function storeWith(limits: Partial<HandsetLimits> = {}) {
  const clock = movedClock();
  const store = createHandsetStore(clock, pinnedHandsets, { ...defaultHandsetLimits, ...limits });
  let count = 0;
  const add = (to = phone, from = '12025550199', text = 'hi'): string => {
    const id = `txt_${String(++count).padStart(4, '0')}`;
    store.add({ ...sms, media: [], id, from, to, text, receivedAt: clock.now() });
    return id;
  };
  /** A message with media of these many bytes. */
  const addMms = (sizes: number[], to = phone, via: 'mm7' | 'mm4' = 'mm7', from = '12025550199'): HandsetMessage => {
    const id = `txt_${String(++count).padStart(4, '0')}`;
    const media = sizes.map((sizeBytes, i) => ({
      mediaId: `hmd_${count}_${i}`,
      contentType: 'image/png',
      fileName: `${i}.png`,
      sizeBytes,
      sha256: '',
      held: true,
    }));
    const message: HandsetMessage = { ...sms, id, kind: 'MMS', via, from, to, media, receivedAt: clock.now() };
    store.add(
      message,
      sizes.map((size, i) => Buffer.alloc(size, i)),
    );
    return message;
  };
  return { clock, store, add, addMms };
}

const ids = (messages: 'full' | { id: string }[]): string[] =>
  messages === 'full' ? ['full'] : messages.map(({ id }) => id);

describe('texts of a handset', () => {
  it('of one company are deleted, and texts of others stay', async () => {
    const { store, add, addMms } = storeWith();
    const isOwn = (sender: string) => sender === '12025550199';
    add();
    const { media } = addMms([10]);
    const strangers = add(phone, '12025550150');
    add('12025550142');
    store.clear(isOwn);
    expect(ids(await store.messages(phone, { waitMs: 0 }))).toEqual([strangers]);
    expect(store.medium(phone, media[0]!.mediaId)).toBeNull();
    expect(store.list().map(({ number }) => number)).not.toContain('12025550142');
    store.clear();
    expect(store.list().map(({ messages }) => messages)).toEqual(pinnedHandsets.map(() => 0));
    expect(ids(await store.messages(phone, { waitMs: 0 }))).toEqual([]);
    expect(ids(await store.messages(phone, { waitMs: 0, after: add() }))).toEqual([]);
  });

  it('are listed from the first, or after a given one', async () => {
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

  it('wake callers that wait for them, and only those', async () => {
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

  it('do not wake callers that may not see the sender', async () => {
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

  it('end a wait when the caller aborts, when waits are ended, and at the time limit', async () => {
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
    const { store, add } = storeWith({ messagesPerHandsetMax: 2 });
    const [first, second, third] = [add(), add(), add()];
    expect(ids(await store.messages(phone, { waitMs: 0 }))).toEqual([second, third]);
    expect(ids(await store.messages(phone, { waitMs: 0, after: first }))).toEqual([second, third]);
  });
});

describe('the list of handsets', () => {
  it('begins with the pinned ones', () => {
    const { store } = storeWith();
    expect(store.list()).toEqual(pinnedHandsets.map((number) => ({ number, messages: 0, lastReceivedAt: null })));
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

  it('drops the handset that was idle longest, never a pinned one', () => {
    const pinned = pinnedHandsets.length;
    const { store, add } = storeWith({ handsetsMax: pinned + 2 });
    for (const number of ['12025550141', '12025550142', '12025550141', '12025550143']) add(number);
    const numbers = store.list().map(({ number }) => number);
    expect(numbers).toEqual(expect.arrayContaining(['12025550141', '12025550143', ...pinnedHandsets]));
    expect(numbers).not.toContain('12025550142');
  });

  it('holds a bounded number of texts in total', () => {
    const { store, add } = storeWith({ messagesMax: 10 });
    for (let i = 0; i < 100; i++) add(`120255501${String(i % 7).padStart(2, '0')}`);
    expect(store.list().reduce((sum, { messages }) => sum + messages, 0)).toBeLessThanOrEqual(10);
  });
});

describe('media', () => {
  it('are visible to callers that may see their sender, on their handset only', () => {
    const { store, addMms } = storeWith();
    const [first, second] = addMms([3, 5]).media;
    expect(store.medium(phone, first!.mediaId)).toEqual({
      contentType: 'image/png',
      fileName: '0.png',
      bytes: Buffer.alloc(3, 0),
    });
    expect(store.medium(phone, second!.mediaId, (sender) => sender === '12025550199')?.bytes).toEqual(
      Buffer.alloc(5, 1),
    );
    expect(store.medium(phone, first!.mediaId, () => false)).toBeNull();
    expect(store.medium('12025550101', first!.mediaId)).toBeNull();
    expect(store.medium(phone, 'hmd_9_9')).toBeNull();
  });

  it('of one handset make room for its newer ones, and the message says so', () => {
    const { store, addMms } = storeWith({ media: { bytesMax: 1_000, bytesPerHandsetMax: 10 } });
    const elsewhere = addMms([4], '12025550101');
    const old = addMms([4, 4]);
    const young = addMms([4]);
    expect([old.media[0]!.held, old.media[1]!.held, young.media[0]!.held, elsewhere.media[0]!.held]).toEqual([
      false,
      true,
      true,
      true,
    ]);
    expect(store.medium(phone, old.media[0]!.mediaId)).toBeNull();
    expect(store.medium(phone, old.media[1]!.mediaId)).not.toBeNull();
  });

  it('of all handsets together are bounded: the oldest are dropped first', () => {
    const { store, addMms } = storeWith({ media: { bytesMax: 10, bytesPerHandsetMax: 8 } });
    const [first, second, third] = ['12025550100', '12025550101', '12025550102'].map((to) => addMms([4], to));
    expect([first, second, third].map((one) => one!.media[0]!.held)).toEqual([false, true, true]);
    const tooLarge = addMms([9]);
    expect(tooLarge.media[0]!.held).toBe(false);
    expect(store.medium(phone, tooLarge.media[0]!.mediaId)).toBeNull();
  });

  it('are deleted with their message, and free their space', async () => {
    const { store, add, addMms } = storeWith({
      messagesPerHandsetMax: 1,
      media: { bytesMax: 10, bytesPerHandsetMax: 10 },
    });
    const first = addMms([10]);
    add();
    expect(first.media[0]!.held).toBe(false);
    expect(store.medium(phone, first.media[0]!.mediaId)).toBeNull();
    const other = addMms([10], '12025550101');
    expect(other.media[0]!.held).toBe(true);
  });

  it('show over which protocol the last MMS from a number came', () => {
    const { store, add, addMms } = storeWith();
    expect(store.lastMmsVia(phone, '12025550199')).toBeNull();
    addMms([1], phone, 'mm4');
    addMms([1], phone, 'mm7', '12025550195');
    add();
    expect(store.lastMmsVia(phone, '12025550199')).toBe('mm4');
    expect(store.lastMmsVia(phone, '12025550195')).toBe('mm7');
    expect(store.lastMmsVia(phone, '12025550198')).toBeNull();
  });
});
