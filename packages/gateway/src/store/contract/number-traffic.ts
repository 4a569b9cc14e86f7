/** Contract: recent traffic and waiting messages of numbers, for one account, over a bounded number of rows. */
import { describe, expect, it } from 'vitest';
import { createIds, type Ids } from '../../kernel/ids.ts';
import { machineRandom } from '../../kernel/machine.ts';
import { type ItemFields, minute, type StoreFactory, start } from './fixture.ts';
import { useWorld } from './world.ts';

const own = '15550001111';
const second = '15550002222';

export function numberTrafficContract(factory: StoreFactory): void {
  describe('the traffic of numbers', () => {
    const world = useWorld(factory);

    async function accept(ids: Ids, fields: ItemFields = {}): Promise<void> {
      const item = world.item(fields);
      const message = { ...item.message, requestId: ids.request() };
      const deliveries = item.deliveries.map((delivery) => ({ ...delivery, messageId: ids.message() }));
      await world.store.accept([{ ...item, message, deliveries }]);
    }

    it('is counted by number and state since a time', async () => {
      const ids = createIds(world.clock, machineRandom);
      await accept(ids);
      world.clock.set(start + 10 * minute);
      await accept(ids);
      await accept(ids);
      await accept(ids, { from: second });
      await accept(ids, { accountId: 'acc2' });
      const [claim] = await world.claim('c1', 1);
      await world.settle(claim!);
      const since = start + 5 * minute;
      const rows = await world.store.numberTraffic({ accountId: 'acc1', since, look: 100 });
      const sums = rows.map(({ number, state, count }) => `${number} ${state} ${count}`).sort();
      expect(sums).toEqual([`${own} queued 2`, `${second} queued 1`]);
      const all = await world.store.numberTraffic({ accountId: 'acc1', since: 0, look: 100 });
      expect(all).toContainEqual({ number: own, state: 'sent', count: 1 });
      const few = await world.store.numberTraffic({ accountId: 'acc1', since: 0, look: 2 });
      expect(few.reduce((sum, { count }) => sum + count, 0)).toBe(2);
      expect(await world.store.numberTraffic({ accountId: 'acc3', since: 0, look: 100 })).toEqual([]);
    });

    it('that is waiting is counted for one number of one account', async () => {
      const ids = createIds(world.clock, machineRandom);
      for (const from of [own, own, second]) await accept(ids, { from });
      await accept(ids, { accountId: 'acc2' });
      const queued = (accountId: string, number: string, look = 100) =>
        world.store.queuedFrom({ accountId, number, look });
      expect([await queued('acc1', own), await queued('acc1', second), await queued('acc2', own)]).toEqual([2, 1, 1]);
      expect(await queued('acc3', own)).toBe(0);
      expect(await queued('acc1', own, 1)).toBeLessThanOrEqual(1);
    });
  });
}
