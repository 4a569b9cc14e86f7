/**
 * Contract: conversations of one account. A handset's message moves them to the top; people read them and mark them
 * done.
 */
import { describe, expect, it } from 'vitest';
import { minute, type StoreFactory } from './fixture.ts';
import { useWorld, type World } from './world.ts';

const own = '15550001111';
const peer = '14155550100';
const key = { accountId: 'acc1', own, peer };

/** Receives a text from a handset; returns its message id. */
async function receive(world: World, fields: Parameters<World['inboundItem']>[0] = {}): Promise<string> {
  world.clock.set(world.clock.now() + minute);
  const item = world.inboundItem(fields);
  const part = { ...item.part, from: item.part.from, to: own };
  const { messageIds } = await world.store.inbound([{ ...item, part }]);
  return messageIds[0]!;
}

const list = (world: World, more: Partial<Parameters<World['store']['threads']>[0]> = {}) =>
  world.store.threads({
    accountId: 'acc1',
    own: null,
    peerLike: '',
    peers: null,
    ...anyOpen,
    now: world.clock.now(),
    before: null,
    limit: 10,
    ...more,
  });

const anyOpen = { state: 'open', assignedTo: null } as const;
const asIs = { readTo: null, done: null, assignedTo: null, snoozedUntil: null };
const unread = ({ store, clock }: World, accountId: string) => store.unreadCount({ accountId, now: clock.now() });

export function threadsContract(factory: StoreFactory): void {
  describe('conversations', () => {
    const world = useWorld(factory);

    it('begin with the first message of a handset, and not with one to it', async () => {
      await world.accept({ from: own, to: peer });
      expect(await list(world)).toEqual([]);
      expect(await world.store.thread(key)).toBeNull();
    });

    it('move to the top with each message, in one batch too', async () => {
      const items = ['a', 'b'].map((text) => world.inboundItem({ text }));
      const { messageIds } = await world.store.inbound(items);
      const { from, to } = items[0]!.part;
      const lastMessageId = [...messageIds].sort().at(-1)!;
      expect(await list(world)).toEqual([
        {
          own: to,
          peer: from,
          lastMessageId,
          lastAt: items[0]!.part.receivedAt,
          unread: 2,
          done: false,
          lastText: expect.stringMatching(/^[ab]$/),
          lastMedia: 0,
          assignedTo: '',
          snoozedUntil: 0,
          reply: null,
        },
      ]);
      expect(await unread(world, 'acc1')).toBe(2);
      expect(await list(world, { accountId: 'acc2' })).toEqual([]);
      expect(await unread(world, 'acc2')).toBe(0);
    });

    it('are read up to a message, and marked done until the next', async () => {
      const first = await receive(world, { text: 'one' });
      const { own, peer } = (await list(world))[0]!;
      const one = { accountId: 'acc1', own: own!, peer: peer! };
      const second = await receive(world, { text: 'two' });
      expect(await world.store.markThread({ ...one, ...asIs, readTo: first })).toBe(true);
      expect((await world.store.thread(one))?.unread).toBe(2);
      await world.store.markThread({ ...one, ...asIs, readTo: second, done: true });
      expect(await list(world)).toEqual([]);
      expect(await list(world, { state: 'done' })).toMatchObject([{ unread: 0, done: true, lastMessageId: second }]);
      await receive(world, { text: 'three' });
      expect(await list(world, { own: own! })).toMatchObject([{ unread: 1, done: false }]);
      expect(await world.store.markThread({ ...one, ...asIs, accountId: 'acc2', done: true })).toBe(false);
      expect(await list(world)).toHaveLength(1);
    });

    it('are snoozed until a time, or until the next message', async () => {
      await receive(world, { text: 'one' });
      const { own, peer } = (await list(world))[0]!;
      const one = { accountId: 'acc1', own: own!, peer: peer! };
      const until = world.clock.now() + 10 * minute;
      await world.store.markThread({ ...one, ...asIs, snoozedUntil: until });
      expect(await list(world)).toEqual([]);
      expect(await unread(world, 'acc1')).toBe(0);
      expect(await list(world, { state: 'snoozed', own: own! })).toMatchObject([{ snoozedUntil: until, unread: 1 }]);
      expect(await list(world, { state: 'snoozed', own: '15550002222' })).toEqual([]);
      expect(await list(world, { now: until })).toMatchObject([{ snoozedUntil: until, done: false }]);
      expect(await list(world, { state: 'snoozed', now: until })).toEqual([]);
      await receive(world, { text: 'two' });
      expect(await list(world)).toMatchObject([{ snoozedUntil: 0, unread: 2 }]);
      await world.store.markThread({ ...one, ...asIs, snoozedUntil: until });
      await world.store.markThread({ ...one, ...asIs, done: true });
      expect(await list(world, { state: 'done' })).toMatchObject([{ snoozedUntil: 0 }]);
      await world.store.markThread({ ...one, ...asIs, snoozedUntil: until });
      expect(await list(world, { state: 'snoozed' })).toMatchObject([{ done: false }]);
    });

    it('stay assigned, whatever arrives', async () => {
      await receive(world, { text: 'one' });
      const { own, peer } = (await list(world))[0]!;
      const one = { accountId: 'acc1', own: own!, peer: peer! };
      const ada = 'usr_01HF7YAT000123456789ABCDEF';
      await world.store.markThread({ ...one, ...asIs, assignedTo: ada });
      await receive(world, { text: 'two' });
      expect(await list(world, { assignedTo: ada })).toMatchObject([{ assignedTo: ada, unread: 2 }]);
      expect(await list(world, { assignedTo: ada, own: own! })).toHaveLength(1);
      expect(await list(world, { assignedTo: ada, own: '15550002222' })).toEqual([]);
      expect(await list(world, { assignedTo: ada, state: 'done' })).toEqual([]);
      expect(await list(world, { assignedTo: ada, accountId: 'acc2' })).toEqual([]);
      expect(await list(world, { assignedTo: '' })).toEqual([]);
      await world.store.markThread({ ...one, ...asIs, assignedTo: '' });
      expect(await list(world, { assignedTo: '', own: own! })).toHaveLength(1);
      expect(await list(world, { assignedTo: ada })).toEqual([]);
    });

    it('are listed and counted for some of the company’s numbers alone', async () => {
      await receive(world, { text: 'one' });
      const { own, unread: count } = (await list(world))[0]!;
      const counted = (side: object) => world.store.unreadCount({ accountId: 'acc1', now: world.clock.now(), ...side });
      for (const [side, found] of [
        [{ only: [own!, '15550002222'] }, 1],
        [{ only: [] }, 0],
        [{ only: [own!.slice(1)] }, 0],
        [{ without: [own!] }, 0],
        [{ without: ['15550002222', own!.slice(0, -1)] }, 1],
      ] as const) {
        expect(await list(world, side)).toHaveLength(found);
        expect(await list(world, { ...side, own: own! })).toHaveLength(found);
        expect(await list(world, { ...side, assignedTo: '' })).toHaveLength(found);
        expect(await counted(side)).toBe(found * count!);
      }
    });

    it('are found by digits of the handset, with the last reply', async () => {
      await receive(world, { text: 'one' });
      const { own, peer } = (await list(world))[0]!;
      for (const [peerLike, found] of [
        [peer!.slice(3, 8), 1],
        [peer!, 1],
        ['99999999', 0],
      ] as const) {
        expect(await list(world, { peerLike })).toHaveLength(found);
      }
      expect(await list(world, { peerLike: '99999999', own: own! })).toEqual([]);
      world.clock.set(world.clock.now() + minute);
      for (const text of ['first answer', 'second answer']) {
        world.clock.set(world.clock.now() + 1_000);
        await world.accept({ from: own!, to: peer!, text });
      }
      await world.accept({ from: own!, to: '14155550199', text: 'to somebody else' });
      const reply = { text: 'second answer', media: 0, at: world.clock.now() };
      expect(await list(world)).toMatchObject([{ lastText: 'one', reply }]);
      await receive(world, { text: 'two' });
      expect(await list(world)).toMatchObject([{ lastText: 'two', reply: null }]);
    });

    it('are listed where something is unread, and by telephone', async () => {
      const [first, second, third] = ['14155550111', '14155550112', '14155550113'];
      for (const one of [first, second, third]) await receive(world, { from: one! });
      const key = (peer: string) => ({ accountId: 'acc1', own, peer });
      const [newest] = await list(world);
      await world.store.markThread({ ...key(third!), ...asIs, readTo: newest!.lastMessageId });
      await world.store.markThread({ ...key(first!), ...asIs, snoozedUntil: world.clock.now() + minute });
      const peersOf = async (more: Parameters<typeof list>[1]) => (await list(world, more)).map(({ peer }) => peer);
      expect(await peersOf({ state: 'unread' })).toEqual([second]);
      expect(await peersOf({ state: 'unread', own: '15550009999' })).toEqual([]);
      expect(await peersOf({ state: 'unread', assignedTo: 'usr_1' })).toEqual([]);
      const peers = [first!, third!, '14155550199'];
      expect(await peersOf({ peers })).toEqual([third]);
      expect(await peersOf({ peers, state: 'snoozed' })).toEqual([first]);
      expect(await peersOf({ peers, state: 'unread' })).toEqual([]);
      expect(await peersOf({ peers, without: [own] })).toEqual([]);
      expect(await peersOf({ peers, own: '15550009999' })).toEqual([]);
      expect(await peersOf({ peers: [] })).toEqual([]);
      await world.store.markThread({ ...key(third!), ...asIs, done: true });
      expect(await peersOf({ peers, state: 'done' })).toEqual([third]);
      const all = [first!, second!, third!];
      world.clock.set(world.clock.now() + 2 * minute);
      expect(await peersOf({ peers: all })).toEqual([second, first]);
      expect(await peersOf({ peers: all, limit: 1 })).toEqual([second]);
      expect(
        await peersOf({ peers: all, before: (await list(world, { peers: all, limit: 1 }))[0]!.lastMessageId }),
      ).toEqual([first]);
    });

    it('show both directions, newest first, page by page, of one account only', async () => {
      await receive(world, { text: 'one' });
      const { own, peer } = (await list(world))[0]!;
      const one = { accountId: 'acc1', own: own!, peer: peer! };
      world.clock.set(world.clock.now() + minute);
      await world.accept({ from: own!, to: peer!, text: 'two' });
      await world.accept({ from: own!, to: '14155550199', text: 'to somebody else' });
      await world.accept({ accountId: 'acc2', from: own!, to: peer!, text: 'of another account' });
      await receive(world, { text: 'three' });
      const all = await world.store.threadMessages({ ...one, before: null, limit: 10 });
      expect(new Set(all.map(({ text }) => text))).toEqual(new Set(['one', 'two', 'three']));
      expect(all.map(({ messageId }) => messageId)).toEqual(
        all
          .map(({ messageId }) => messageId)
          .sort()
          .reverse(),
      );
      const [newest, ...rest] = all;
      expect(await world.store.threadMessages({ ...one, before: null, limit: 1 })).toEqual([newest]);
      expect(await world.store.threadMessages({ ...one, before: newest!.messageId, limit: 10 })).toEqual(rest);
    });
  });
}
