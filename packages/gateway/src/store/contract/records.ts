/** Contract: records and their version, settings, health, and what a tool may do beside a running node. */
import { describe, expect, it } from 'vitest';
import type { Store } from '../../app/store.ts';
import type { RecordsEdit } from '../../messaging/store/records-items.ts';
import { noRecords } from '../../model/records.ts';
import { company, number as numberOf } from '../../model/world-fixture.ts';
import type { StoreFactory } from './fixture.ts';
import { useWorld } from './world.ts';

const none = noRecords();

const account = (accountId: string, name = accountId) => company(accountId, { name });

const number = numberOf('15550001111', { environment: 'sandbox', campaignId: null });

export function recordsContract(factory: StoreFactory): void {
  describe('records', () => {
    const world = useWorld(factory);

    it('are empty at version 0, and each change adds a version', async () => {
      expect(await world.store.records()).toEqual({ version: 0, ...none });
      expect(await world.store.putRecords({ ...none, accounts: [account('acc1')], numbers: [number] })).toBe(1);
      expect(await world.store.recordsVersion()).toBe(1);
      expect(await world.store.records()).toEqual({
        version: 1,
        ...none,
        accounts: [account('acc1')],
        numbers: [number],
      });
    });

    it('replace by key and leave the others', async () => {
      await world.store.putRecords({ ...none, accounts: [account('acc1'), account('acc2')] });
      const changes = [account('acc1', 'First'), account('acc1', 'Last')];
      expect(await world.store.putRecords({ ...none, accounts: changes })).toBe(2);
      const { accounts } = await world.store.records();
      expect(accounts).toEqual([account('acc1', 'Last'), account('acc2')]);
    });

    it('survive a restart', async () => {
      await world.store.putRecords({ ...none, accounts: [account('acc1', 'Žlutý kůň')] });
      await world.restart();
      expect((await world.store.records()).accounts[0]?.name).toBe('Žlutý kůň');
    });

    it('written concurrently get a version each', async () => {
      const versions = await Promise.all([1, 2, 3].map(() => world.store.putRecords(none)));
      expect([...versions].sort()).toEqual([1, 2, 3]);
    });
  });

  describe('edits of records', () => {
    const world = useWorld(factory);

    const route = (routeId: string) => ({
      routeId,
      environment: 'live' as const,
      prefix: '',
      number: null,
      kind: null,
      weight: 1,
      priority: 1,
      carrierIds: ['c1'],
    });
    const entry = (what: string) => ({
      at: 1,
      accountId: 'acc1',
      userId: null,
      who: 'a test',
      what,
      target: 'r1',
      before: null,
      after: null,
      address: null,
      requestId: null,
    });
    const edit = (version: number, more: Partial<RecordsEdit>) =>
      world.store.editRecords({ version, put: {}, dropRoutes: [], audit: [], ...more });

    it('put, drop and are recorded in the audit log, in one version', async () => {
      expect(await edit(0, { put: { routes: [route('r1'), route('r2')] } })).toBe(1);
      expect(await edit(1, { dropRoutes: ['r1'], put: { routes: [route('r3')] }, audit: [entry('route.gone')] })).toBe(
        2,
      );
      const { version, routes } = await world.store.records();
      expect([version, ...routes.map(({ routeId }) => routeId)]).toEqual([2, 'r2', 'r3']);
      expect((await world.store.auditRows({ after: 0, limit: 9 })).map(({ what }) => what)).toEqual(['route.gone']);
    });

    it('of a record that has changed since are neither made nor recorded', async () => {
      await world.store.putRecords({ ...none, routes: [route('r1')] });
      expect(await edit(0, { dropRoutes: ['r1'], audit: [entry('route.gone')] })).toBeNull();
      expect((await world.store.records()).routes).toHaveLength(1);
      expect(await world.store.auditCount()).toBe(0);
    });

    it('made concurrently from one version: one is made', async () => {
      const made = await Promise.all(['r1', 'r2', 'r3'].map((id) => edit(0, { put: { routes: [route(id)] } })));
      expect(made.filter((version) => version !== null)).toHaveLength(1);
      expect((await world.store.records()).routes).toHaveLength(1);
    });
  });

  describe('settings', () => {
    const world = useWorld(factory);

    it('are null until put, and the last value counts', async () => {
      expect(await world.store.getSetting('seeded')).toBeNull();
      await Promise.all([world.store.putSetting('seeded', '1'), world.store.putSetting('seeded', '2')]);
      expect(await world.store.getSetting('seeded')).toBe('2');
    });
  });

  describe('a daily cap', () => {
    const world = useWorld(factory);
    const take = (day: number, needed: number, wanted: number, cap = 10) =>
      world.store.takeOfDay({ name: 'key_day:k1', day, cap, needed, wanted });

    it('is given out once, a part of it or nothing where that is too little', async () => {
      expect(await take(5, 2, 4)).toEqual({ given: 4, left: 6 });
      expect(await Promise.all([take(5, 4, 4), take(5, 4, 4)])).toEqual([
        { given: 4, left: 2 },
        { given: 0, left: 2 },
      ]);
      expect(await take(5, 1, 9)).toEqual({ given: 2, left: 0 });
      expect(await take(5, 0, 0)).toEqual({ given: 0, left: 0 });
      expect(await take(5, 5, 5, 20)).toEqual({ given: 5, left: 5 });
    });

    it('begins anew with the day, which does not come back', async () => {
      await take(5, 10, 10);
      expect(await take(6, 7, 7)).toEqual({ given: 7, left: 3 });
      expect(await take(5, 4, 4)).toEqual({ given: 0, left: 3 });
      expect(await take(5, 3, 3)).toEqual({ given: 3, left: 0 });
    });
  });

  describe('health', () => {
    const world = useWorld(factory);

    it('is good while writing works and bad once closed', async () => {
      expect(await world.store.healthy()).toBe(true);
      await world.store.close();
      expect(await world.store.healthy()).toBe(false);
      await expect(world.accept()).rejects.toThrow();
    });
  });

  describe('a tool beside the node', () => {
    const world = useWorld(factory);

    async function withTool(work: (tool: Store) => Promise<void>): Promise<void> {
      const tool = await world.place.open('tool', world.clock);
      try {
        await work(tool);
      } finally {
        await tool.close();
      }
    }

    it('writes records that the node sees, and leaves its token alone', async () => {
      await withTool(async (tool) => {
        await tool.putRecords({ ...none, accounts: [account('acc1')] });
        await tool.putSetting('applied', 'yes');
        expect(tool.token).toBe(0);
      });
      expect(await world.store.recordsVersion()).toBe(1);
      expect(await world.store.getSetting('applied')).toBe('yes');
      expect(await world.claimed()).toMatchObject({ attempt: 1 });
    });

    it('looks messages up but moves none', async () => {
      const messageId = await world.accept();
      // A tool may not see the latest accepts before the node's next commit of another kind.
      await world.store.healthy();
      await withTool(async (tool) => {
        expect((await tool.message('acc1', messageId))?.state).toBe('queued');
        await expect(tool.accept([world.item()])).rejects.toThrow(/tool/);
        await expect(tool.claim({ lane: 'c1', limit: 1, now: 0, token: 0 })).rejects.toThrow(/tool/);
      });
      expect(await world.claim()).toHaveLength(1);
    });
  });
}
