/** Contract: calls of one tick share a transaction, and one caller's mistake affects only that caller. */
import { describe, expect, it } from 'vitest';
import type { AcceptItem } from '../../messaging/store/items.ts';
import type { StoreFactory } from './fixture.ts';
import { useWorld, type World } from './world.ts';

/** An item that no database accepts: a required column is null. */
function broken(world: World): AcceptItem {
  const item = world.item();
  return { ...item, message: { ...item.message, text: null as unknown as string } };
}

export function groupsContract(factory: StoreFactory): void {
  describe('groups', () => {
    const world = useWorld(factory);

    it('give each caller the results of their own items', async () => {
      const key = { key: 'k', bodyHash: 'aa', answer: 'first' };
      const [first, second, third] = await Promise.all([
        world.store.accept([world.item(), world.item({ key })]),
        world.store.accept([world.item({ key })]),
        world.store.accept([world.item({ key: { ...key, bodyHash: 'bb' } }), world.item(), world.item()]),
      ]);
      expect(first!.map((result) => result.kind)).toEqual(['stored', 'stored']);
      expect(second!.map((result) => result.kind)).toEqual(['replay']);
      expect(third!.map((result) => result.kind)).toEqual(['conflict', 'stored', 'stored']);
    });

    it('reject only the caller at fault', async () => {
      const claim = await world.claimed();
      const good = world.item();
      const [bad, accepted, settled, alsoBad, claims] = await Promise.allSettled([
        world.store.accept([world.item(), broken(world)]),
        world.store.accept([good]),
        world.settle(claim),
        world.store.accept([broken(world)]),
        world.claim(),
      ]);
      expect([bad!.status, alsoBad!.status]).toEqual(['rejected', 'rejected']);
      expect(accepted).toEqual({ status: 'fulfilled', value: [{ kind: 'stored' }] });
      expect(settled).toEqual({ status: 'fulfilled', value: ['sent'] });
      expect(claims).toMatchObject({
        status: 'fulfilled',
        value: [{ messageId: good.deliveries[0]!.messageId }],
      });
    });

    it('store nothing of a call that fails', async () => {
      const item = world.item();
      const double = { ...world.item(), deliveries: item.deliveries };
      await expect(world.store.accept([item, double])).rejects.toThrow();
      expect(await world.view(item.deliveries[0]!.messageId)).toBeNull();
      expect(await world.claim()).toEqual([]);
    });

    it('do nothing for an empty call', async () => {
      expect(await world.store.accept([])).toEqual([]);
      expect(await world.store.settle([])).toEqual([]);
      expect(await world.store.receipts([])).toEqual([]);
      expect(await world.store.inbound([])).toEqual({ messageIds: [], consent: [], lanes: [] });
      expect(await world.store.relane([], 0)).toBe(0);
    });

    it('serve many callers at once without losing one', async () => {
      const items = Array.from({ length: 2_000 }, () => world.item());
      await Promise.all(items.map((item) => world.store.accept([item])));
      const claims = [];
      for (let batch = await world.claim('c1', 300); batch.length > 0; batch = await world.claim('c1', 300)) {
        claims.push(...batch);
      }
      expect(new Set(claims.map((claim) => claim.messageId)).size).toBe(2_000);
    });

    it('finish calls under way before they close', async () => {
      const item = world.item();
      const accepted = world.store.accept([item]);
      await world.restart();
      expect(await accepted).toEqual([{ kind: 'stored' }]);
      expect((await world.view(item.deliveries[0]!.messageId))?.state).toBe('queued');
    });
  });
}
