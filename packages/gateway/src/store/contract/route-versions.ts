/** Contract: the routing rules after each change, and the newest sent texts. */
import { describe, expect, it } from 'vitest';
import type { NewAuditEntry } from '../../model/people-audit.ts';
import { noRecords, type Route } from '../../model/records.ts';
import { route as routeOf } from '../../model/world-fixture.ts';
import { type StoreFactory, start } from './fixture.ts';
import { useWorld } from './world.ts';

const none = noRecords();
const route = (routeId: string, more: Partial<Route> = {}) => routeOf(routeId, ['c1'], { priority: 1, ...more });
const audit: NewAuditEntry = {
  at: 1,
  accountId: 'acc1',
  userId: 'usr_1',
  who: 'ada@example.com',
  what: 'routes.published',
  target: 'routes',
  before: null,
  after: null,
  address: null,
  requestId: null,
};

export function routeVersionsContract(factory: StoreFactory): void {
  describe('versions of the routing rules', () => {
    const world = useWorld(factory);
    const versions = async () =>
      (await world.store.routeVersions(99)).map(({ version, at, who, routes }) => [
        ...[version, at - start, who],
        routes.map(({ routeId, weight }) => `${routeId} ${weight}`).join(),
      ]);
    const edit = (version: number, put: Route[], dropRoutes: string[] = []) =>
      world.store.editRecords({ version, put: { routes: put }, dropRoutes, audit: [audit] });

    it('are kept with each change of a rule and no other, newest first', async () => {
      expect(await versions()).toEqual([]);
      await world.store.putRecords({ ...none, routes: [route('a'), route('b')] });
      await world.store.putRecords({ ...none, routes: [route('a')] });
      world.clock.set(start + 5);
      expect(await edit(2, [route('a', { weight: 7 })], ['b'])).toBe(3);
      expect(await edit(2, [route('late')])).toBeNull();
      await world.store.putRecords(none);
      await world.restart();
      expect(await versions()).toEqual([
        [2, 5, 'ada@example.com', 'a 7'],
        [1, 0, 'command line', 'a 1,b 1'],
      ]);
      expect(await world.store.routeVersions(1)).toHaveLength(1);
    });

    it('are the last two hundred', async () => {
      const { store } = world;
      for (let weight = 1; weight <= 203; weight++)
        await store.putRecords({ ...none, routes: [route('a', { weight })] });
      const kept = await store.routeVersions(999);
      expect([kept.length, kept[0]!.version, kept.at(-1)!.version]).toEqual([200, 203, 4]);
    });
  });

  describe('the newest sent texts', () => {
    const world = useWorld(factory);

    it('are of all accounts, newest first, without received ones', async () => {
      const first = await world.accept({ to: '14155550101' });
      await world.store.inbound([world.inboundItem()]);
      const second = await world.accept({ to: '14155550102', accountId: 'acc2' });
      expect(await world.store.newestSent(10)).toEqual([
        { messageId: second, from: '15550001111', to: '14155550102', kind: 'SMS' },
        { messageId: first, from: '15550001111', to: '14155550101', kind: 'SMS' },
      ]);
      expect(await world.store.newestSent(1)).toHaveLength(1);
    });
  });
}
