/** Contract: conversations. What a handset sends raises them, people read them and put them away, each account its own. */
import { describe, expect, it } from 'vitest';
import { minute, type StoreFactory } from './fixture.ts';
import { useWorld, type World } from './world.ts';

const own = '15550001111';
const peer = '14155550100';
const key = { accountId: 'acc1', own, peer };

/** A text from a handset; its message id. */
async function receive(world: World, fields: Parameters<World['inboundItem']>[0] = {}): Promise<string> {
  world.clock.set(world.clock.now() + minute);
  const item = world.inboundItem(fields);
  const part = { ...item.part, from: item.part.from, to: own };
  const { messageIds } = await world.store.inbound([{ ...item, part }]);
  return messageIds[0]!;
}

const list = (world: World, more: Partial<Parameters<World['store']['threads']>[0]> = {}) =>
  world.store.threads({ accountId: 'acc1', own: null, done: false, before: null, limit: 10, ...more });

export function threadsContract(factory: StoreFactory): void {
  describe('conversations', () => {
    const world = useWorld(factory);

    it('begin with the first message of a handset, and not with one to it', async () => {
      await world.accept({ from: own, to: peer });
      expect(await list(world)).toEqual([]);
      expect(await world.store.thread(key)).toBeNull();
    });

    it('are raised by each message, in one batch too', async () => {
      const items = ['a', 'b'].map((text) => world.inboundItem({ text }));
      const { messageIds } = await world.store.inbound(items);
      const { from, to } = items[0]!.part;
      const lastMessageId = [...messageIds].sort().at(-1)!;
      expect(await list(world)).toEqual([
        {
          ...{ own: to, peer: from, lastMessageId, lastAt: items[0]!.part.receivedAt },
          ...{ unread: 2, done: false, lastText: expect.stringMatching(/^[ab]$/), lastMedia: 0 },
        },
      ]);
      expect(await world.store.unreadCount('acc1')).toBe(2);
      expect(await list(world, { accountId: 'acc2' })).toEqual([]);
      expect(await world.store.unreadCount('acc2')).toBe(0);
    });

    it('are read up to a message, and put away until the next', async () => {
      const first = await receive(world, { text: 'one' });
      const [{ own, peer }] = await list(world);
      const one = { accountId: 'acc1', own: own!, peer: peer! };
      const second = await receive(world, { text: 'two' });
      expect(await world.store.markThread({ ...one, readTo: first, done: null })).toBe(true);
      expect((await world.store.thread(one))?.unread).toBe(2);
      await world.store.markThread({ ...one, readTo: second, done: true });
      expect(await list(world)).toEqual([]);
      expect(await list(world, { done: true })).toMatchObject([{ unread: 0, done: true, lastMessageId: second }]);
      await receive(world, { text: 'three' });
      expect(await list(world, { own: own! })).toMatchObject([{ unread: 1, done: false }]);
      expect(await world.store.markThread({ ...one, accountId: 'acc2', readTo: null, done: true })).toBe(false);
      expect(await list(world)).toHaveLength(1);
    });

    it('show both directions, newest first, page by page, of one account only', async () => {
      await receive(world, { text: 'one' });
      const [{ own, peer }] = await list(world);
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
