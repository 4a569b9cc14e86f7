/**
 * Duties that several nodes share: each belongs to one node, and no transaction of another node stores anything for it.
 */
import { afterEach, describe, expect, it } from 'vitest';
import { catalogue } from '../app/modules.ts';
import { openStore } from '../app/open-store.ts';
import type { Store } from '../app/store.ts';
import { machineClock } from '../kernel/machine.ts';
import { type Duty, duties, dutyOf, ownedDuty } from '../model/duty.ts';
import { acceptItem, minute, start } from './contract/fixture.ts';
import { OwnedElsewhere } from './faults.ts';
import { clusterLease } from './postgres-cluster.ts';
import { useSchema } from './postgres-fixture.ts';

const schema = useSchema();
const opened: Store[] = [];
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
});

async function join(): Promise<Store> {
  const { databaseUrl } = schema;
  const store = await openStore({ databaseUrl, dataDir: '', role: 'node', cluster: true, clock: machineClock });
  opened.push(store);
  return store;
}

const query = (sql: string) => schema.server.query(schema.databaseUrl, sql);
const plan = (store: Store, node: Store, duty: Duty) =>
  store.planOwners({ meant: [{ name: ownedDuty(duty), node: node.token }], gone: [] });
const take = async (store: Store, duty: Duty) =>
  (await store.takeOwned({ name: ownedDuty(duty), now: start, dueAt: start + minute, limit: 100 })).kind;
const count = (store: Store, from: number, to: number) => store.addUsage({ from, to, rows: [] });

async function two(duty: Duty): Promise<[Store, Store]> {
  const nodes: [Store, Store] = [await join(), await join()];
  await plan(nodes[0], nodes[0], duty);
  expect(await take(nodes[0], duty)).toBe('taken');
  return nodes;
}

/** Writes that leave nothing for others to find. */
const writes = {
  webhooks: [
    (store) => store.fanOut({ from: 0, to: 0, deliveries: [] }),
    (store) =>
      store.recordAttempts({ outcomes: [], health: [{ endpointId: 'e', failingSince: null, lastSuccessAt: 1 }] }),
  ],
  media: [(store) => store.prepareMedia([{ requestId: 'req_0', now: start, outcome: { to: 'later', dueAt: start } }])],
  usage: [(store) => count(store, 0, 0), (store) => store.addHourly({ from: 0, to: 0, rows: [] })],
} satisfies Partial<Record<Duty, readonly ((store: Store) => Promise<unknown>)[]>>;

describe('a duty of one of several nodes', () => {
  it('is done by that node, and by no other', async () => {
    const [first, second] = [await join(), await join()];
    for (const duty of ['webhooks', 'media', 'usage'] as const) {
      await plan(first, first, duty);
      expect(await take(first, duty)).toBe('taken');
      for (const write of writes[duty]) {
        await expect(write(second), duty).rejects.toThrow(OwnedElsewhere);
        await write(first);
      }
    }
    expect(await query('select endpoint_id from endpoint_health')).toHaveLength(1);
  });

  it('goes to the next node when the one before has given it up, and then is done by that one only', async () => {
    const [first, second] = await two('usage');
    await plan(first, second, 'usage');
    expect(await take(second, 'usage')).toBe('refused');
    expect(await count(first, 0, 3)).toBe(true);
    expect(await first.giveUpOwned(ownedDuty('usage'))).toBe(true);
    await expect(count(first, 3, 5)).rejects.toThrow(OwnedElsewhere);
    expect(await take(second, 'usage')).toBe('taken');
    expect(await count(second, 3, 6)).toBe(true);
    expect(await second.countedTo()).toBe(6);
  });

  it('goes from a removed node to the next one, and nothing of the removed one is stored', async () => {
    const [first, second] = await two('usage');
    await plan(second, second, 'usage');
    await query(`delete from leases where name = '${clusterLease(first.token)}'`);
    expect(await take(second, 'usage')).toBe('taken');
    await expect(count(first, 0, 3)).rejects.toThrow(/taken over/);
    expect(await count(second, 0, 2)).toBe(true);
  });

  it('keeps nothing else from being stored that comes in the same commit', async () => {
    const [first, second] = await two('usage');
    const [stored, refused] = await Promise.allSettled([second.accept([acceptItem(start, {})]), count(second, 0, 9)]);
    expect(stored).toMatchObject({ status: 'fulfilled', value: [{ kind: 'stored' }] });
    expect(refused).toMatchObject({ status: 'rejected', reason: { name: 'OwnedElsewhere', reason: 'busy' } });
    expect(await first.countedTo()).toBe(0);
  });

  it('has one owner when two nodes ask for it at the same time, each of them time and again', async () => {
    const [first, second] = await two('usage');
    const nodes = [first, second];
    await first.giveUpOwned(ownedDuty('usage'));
    let wins = 0;
    for (let round = 0; round < 40; round += 1) {
      const from = await first.countedTo();
      const requests = nodes.map(async (node) => {
        await plan(node, node, 'usage');
        const [taken, done] = await Promise.allSettled([take(node, 'usage'), count(node, from, from + 1)]);
        return { taken: taken.status === 'fulfilled' && taken.value === 'taken', done: done.status === 'fulfilled' };
      });
      const results = await Promise.all(requests);
      const owners = results.filter(({ taken }) => taken);
      expect(owners.length).toBeLessThanOrEqual(1);
      expect(results.map(({ done }) => done)).toEqual(results.map(({ taken }) => taken));
      const place = results.findIndex(({ taken }) => taken);
      if (place === -1) continue;
      wins += 1;
      expect(await nodes[place]!.giveUpOwned(ownedDuty('usage'))).toBe(true);
    }
    expect(wins).toBeGreaterThan(20);
  });
});

describe('the board of the nodes', () => {
  it('shows duties beside the send queues, and which node acts', async () => {
    const [first, second] = await two('media');
    for (const { token, announceNode } of [first, second]) {
      await announceNode({ node: token, name: `gw ${token}`, takesLanes: true, reports: '[]' });
    }
    await first.planOwners({ meant: [{ name: 'c1', node: second.token }], gone: [] });
    const board = await second.clusterBoard();
    expect(board.duties).toEqual([{ duty: 'media', node: first.token, meantFor: first.token }]);
    expect(board.lanes).toEqual([{ lane: 'c1', node: null, meantFor: second.token }]);
    expect(board.nodes.map(({ acts }) => acts)).toEqual([true, false]);
  });
});

describe('the writes of duties', () => {
  it('are these; all others are for every node', () => {
    const found = Map.groupBy(
      catalogue.order.filter((name) => catalogue.write(name).owned !== undefined),
      (name) => dutyOf(catalogue.write(name).owned!),
    );
    expect(Object.fromEntries(duties.map((duty) => [duty, found.get(duty)!.join(' ')]))).toEqual({
      webhooks: 'fanOut recordAttempts',
      media: 'forgetMedia prepareMedia',
      usage: 'addUsage addHourly',
      retention: 'forgetMessages forgetEvents forgetBeside erase forgetRequests maskRequests',
      sweeper: 'sweep forgetWebhooks',
    });
  });
});
