/** Contract: a sent message appears in the conversation with its handset at once, and only once, on every path. */
import { describe, expect, it } from 'vitest';
import type { StoreFactory } from './fixture.ts';
import { useWorld, type World } from './world.ts';

const own = '15550001111';
const peer = '14155550100';

async function talk({ store }: World, handset = peer): Promise<string[]> {
  const query = { accountId: 'acc1', own, peer: handset, before: null, limit: 50 };
  return (await store.threadMessages(query)).map(({ messageId }) => messageId);
}

export function talkContract(factory: StoreFactory): void {
  describe('a conversation', () => {
    const world = useWorld(factory);

    it('has what was sent just before, for all concurrent readers', async () => {
      for (let round = 1; round <= 5; round += 1) {
        const messageId = await world.accept({ from: own, to: peer });
        for (const ids of await Promise.all([talk(world), talk(world), talk(world)])) {
          expect(ids).toHaveLength(round);
          expect(ids).toContain(messageId);
        }
      }
    });

    it('has what was sent before a restart', async () => {
      const messageId = await world.accept({ from: own, to: peer });
      await world.restart();
      expect(await talk(world)).toEqual([messageId]);
      const next = await world.accept({ from: own, to: peer });
      expect((await talk(world)).sort()).toEqual([messageId, next].sort());
    });

    it('has each of many messages once', async () => {
      const handsets = Array.from({ length: 900 }, (_, n) => String(14_155_551_000 + n));
      for (let request = 0; request < 12; request += 1) {
        world.clock.set(world.clock.now() + 1);
        await world.store.accept(handsets.map((to) => world.item({ from: own, to })));
        if (request === 6) expect(await talk(world, handsets[0])).toHaveLength(7);
      }
      for (const handset of [handsets[0], handsets[450], handsets[899]]) {
        const ids = await talk(world, handset);
        expect(ids).toHaveLength(12);
        expect(new Set(ids).size).toBe(12);
      }
    });
  });
}
