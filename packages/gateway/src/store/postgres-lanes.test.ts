/**
 * Send queues that several nodes share: each belongs to one node, and no transaction of another node claims or settles
 * in it.
 */
import { afterEach, describe, expect, it } from 'vitest';
import { openStore } from '../app/open-store.ts';
import type { Store } from '../app/store.ts';
import { machineClock } from '../kernel/machine.ts';
import { acceptItem, minute, settlement, start } from './contract/fixture.ts';
import { clusterLease } from './postgres-cluster.ts';
import { useSchema } from './postgres-fixture.ts';

const schema = useSchema();
const opened: Store[] = [];
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
});

/** `aheadMs`: how far the node's wall clock is ahead. */
async function join(aheadMs = 0): Promise<Store> {
  const { databaseUrl } = schema;
  const clock = { ...machineClock, now: () => machineClock.now() + aheadMs };
  const store = await openStore({ databaseUrl, dataDir: '', role: 'node', cluster: true, clock });
  opened.push(store);
  return store;
}

const query = (sql: string) => schema.server.query(schema.databaseUrl, sql);
const plan = (store: Store, node: Store, lane = 'c1') =>
  store.planOwners({ meant: [{ name: lane, node: node.token }], gone: [] });
const take = async (store: Store, limit = 100) =>
  store.takeOwned({ name: 'c1', now: start, dueAt: start + minute, limit });
const claim = (store: Store, token = store.token) => store.claim({ lane: 'c1', limit: 9, now: start, token });
const states = async () =>
  (await query('select state from deliveries order by message_id')).map(({ state }) => state as string);

async function two(): Promise<[Store, Store]> {
  const nodes: [Store, Store] = [await join(), await join()];
  await plan(nodes[0], nodes[0]);
  expect((await take(nodes[0])).kind).toBe('taken');
  return nodes;
}

/** What other nodes do to one that does not renew its lease. */
const remove = (store: Store) => query(`delete from leases where name = '${clusterLease(store.token)}'`);

describe('a send queue of one of several nodes', () => {
  it('is claimed by that node, whoever stored its messages, and by no other', async () => {
    const [first, second] = await two();
    await second.accept([acceptItem(start, {})]);
    expect(await claim(second)).toEqual([]);
    expect(await claim(second, first.token)).toEqual([]);
    expect(await claim(first)).toHaveLength(1);
  });

  it('is taken by the node it is meant for, and from none that lives', async () => {
    const [first, second] = await two();
    expect((await take(second)).kind).toBe('refused');
    await plan(first, second);
    expect((await take(second)).kind).toBe('refused');
    expect(await first.giveUpOwned('c1')).toBe(true);
    expect((await take(first)).kind).toBe('refused');
    expect((await take(second)).kind).toBe('taken');
    await first.accept([acceptItem(start, {})]);
    expect([await claim(first), (await claim(second)).length]).toEqual([[], 1]);
  });

  it('is given up only when the carrier has nothing of it', async () => {
    const [first, second] = await two();
    await first.accept([acceptItem(start, {})]);
    const [underWay] = await claim(first);
    await plan(first, second);
    expect(await first.giveUpOwned('c1')).toBe(false);
    expect((await take(second)).kind).toBe('refused');
    const settled = first.settle([settlement(underWay!, start)]);
    expect(await Promise.all([settled, first.giveUpOwned('c1'), claim(first)])).toEqual([[['sent']], true, []]);
    expect((await take(second)).kind).toBe('taken');
  });

  it('goes from a removed node to the next one, which first marks what was under way', async () => {
    const [first, second] = await two();
    await first.accept([1, 2, 3, 4].map(() => acceptItem(start, {})));
    expect(await first.claim({ lane: 'c1', limit: 3, now: start, token: first.token })).toHaveLength(3);
    await plan(first, second);
    await remove(first);
    expect(await take(second, 2)).toEqual({ kind: 'more', uncertain: 2 });
    expect(await claim(second)).toEqual([]);
    expect(await take(second, 2)).toEqual({ kind: 'taken', uncertain: 1 });
    expect(await states()).toEqual(['uncertain', 'uncertain', 'uncertain', 'queued']);
    expect(await claim(second)).toHaveLength(1);
    await expect(claim(first)).rejects.toThrow(/taken over/);
  });

  it('hands out at once what nodes with other clocks stored, and what they gave back', async () => {
    const [fast, slow] = [await join(minute), await join(-minute)];
    const nowOf = (node: Store) => machineClock.now() + (node === fast ? minute : -minute);
    const claimNow = (node: Store) => node.claim({ lane: 'c1', limit: 9, now: nowOf(node), token: node.token });
    const accepted = (by: Store) => by.accept([acceptItem(nowOf(by), {})]);
    await plan(slow, slow);
    expect((await take(slow)).kind).toBe('taken');
    await accepted(fast);
    const [first] = await claimNow(slow);
    expect(first).toBeDefined();
    // Makes the queue's head known here; this message is older by the clock of the node that stored it.
    await accepted(slow);
    const [second] = await claimNow(slow);
    expect(second).toBeDefined();
    const back = { to: 'queued' as const, parts: [], countsAttempt: false };
    await slow.settle([settlement(first!, nowOf(slow), { ...back, dueAt: nowOf(slow) })]);
    await slow.settle([settlement(second!, nowOf(slow), { ...back, dueAt: nowOf(slow) + 3_000 })]);
    // Only the message that was not due yet waits.
    expect((await claimNow(slow)).map(({ messageId }) => messageId)).toEqual([first!.messageId]);
  });

  it('has one owner when two nodes ask for it at the same time, each of them time and again', async () => {
    const [first, second] = await two();
    expect(await first.giveUpOwned('c1')).toBe(true);
    const nodes = [first, second];
    const wins = [0, 0];
    for (let round = 0; round < 40; round += 1) {
      await first.accept([acceptItem(start, {})]);
      const taking = nodes.map(async (node) => {
        await plan(node, node);
        const [taken, claims] = await Promise.all([take(node), claim(node)]);
        return { taken: taken.kind === 'taken', claims };
      });
      const results = await Promise.all(taking);
      const place = results.findIndex(({ taken }) => taken);
      expect(results.filter(({ taken }) => taken).length).toBeLessThanOrEqual(1);
      expect(results.map(({ claims }) => claims.length)).toEqual([0, 1].map((one) => (one === place ? 1 : 0)));
      if (place === -1) continue;
      wins[place]! += 1;
      await nodes[place]!.settle(results[place]!.claims.map((one) => settlement(one, start)));
      expect(await nodes[place]!.giveUpOwned('c1')).toBe(true);
    }
    expect(wins[0]! + wins[1]!).toBeGreaterThan(20);
  });

  it('is settled by no node that has it no more, not even under its own token', async () => {
    const [first, second] = await two();
    await first.accept([acceptItem(start, {})]);
    const [underWay] = await claim(first);
    await query(`update owners set node = ${second.token}`);
    expect(await first.settle([settlement(underWay!, start)])).toEqual([[]]);
    expect(await states()).toEqual(['sending']);
  });

  it('takes nothing at once that a node accepts after it gave the queue up: it waits for the next one', async () => {
    const [first, second] = await two();
    await plan(first, second);
    const item = acceptItem(start, {});
    item.deliveries[0]!.sending = true;
    await first.giveUpOwned('c1');
    expect(await first.accept([item])).toEqual([{ kind: 'stored', waits: true }]);
    await take(second);
    expect(await claim(second)).toHaveLength(1);
  });

  it('keeps what is under way when another node begins to act and recovers', async () => {
    const [first, second] = await two();
    await first.accept([acceptItem(start, {}), acceptItem(start, { lane: 'c2' })]);
    await plan(first, second, 'c2');
    expect((await second.takeOwned({ name: 'c2', now: start, dueAt: start, limit: 9 })).kind).toBe('taken');
    await claim(first);
    await second.claim({ lane: 'c2', limit: 9, now: start, token: second.token });
    const recover = { token: second.token, now: start, dueAt: start + minute, limit: 9 };
    expect(await second.recover(recover)).toEqual([]);
    await remove(first);
    expect(await second.recover(recover)).toMatchObject([{ state: 'uncertain' }]);
    expect(await states()).toEqual(['uncertain', 'sending']);
  });
});

describe('the board of the nodes', () => {
  it('shows those that live and what each says of itself', async () => {
    const [first, second] = await two();
    const announce = (store: Store, node: number, reports: string) =>
      store.announceNode({ node, name: `gw ${node}`, takesLanes: true, reports });
    await announce(first, first.token, '1');
    await announce(second, second.token, '2');
    await announce(second, first.token, 'false');
    const board = await second.clusterBoard();
    expect(board.nodes.map(({ reports }) => reports)).toEqual(['1', '2']);
    expect(board.lanes).toEqual([{ lane: 'c1', node: first.token, meantFor: first.token }]);
    await remove(first);
    const after = await second.clusterBoard();
    expect(after.nodes.map(({ node }) => node)).toEqual([second.token]);
    expect(after.lanes).toEqual([{ lane: 'c1', node: null, meantFor: first.token }]);
    await second.planOwners({ meant: [], gone: ['c1'] });
    expect((await second.clusterBoard()).lanes).toEqual([]);
    expect(await query('select node from cluster_nodes')).toHaveLength(1);
  });
});

describe('what a carrier answers at another node', () => {
  it('is kept once for the node that waits for it, until that has taken it', async () => {
    const [first, second] = await two();
    const answer = { carrier: 'c1', id: 'a', body: 'Ok' };
    for (const node of [second, second, first]) await node.keepAnswer(answer);
    await second.keepAnswer({ ...answer, carrier: 'c2' });
    expect(await first.carrierAnswers(['c1'])).toEqual([answer]);
    await first.dropAnswers([answer]);
    expect(await first.carrierAnswers(['c1', 'c2'])).toEqual([{ ...answer, carrier: 'c2' }]);
    await first.planOwners({ meant: [], gone: ['c2'] });
    expect(await first.carrierAnswers(['c2'])).toEqual([]);
  });
});

describe('a limit that several nodes share', () => {
  it('is lent by the database’s clock, and never more than there is, whoever asks at the same time', async () => {
    const [first, second] = await two();
    const limit = { key: 'minute c1 SMS', basis: 'b', limit: 50, needed: 1, wanted: 3, unused: [], day: null };
    expect(await first.lendPace([limit])).toMatchObject([{ kind: 'uncounted' }]);
    const counts = [{ number: '1', today: 0, lately: [{ agoMs: 5_000, units: 8 }] }];
    await first.countPace([{ key: limit.key, basis: 'b', day: null, counts }]);
    const lending = Array.from({ length: 40 }, (_, n) => (n % 2 === 0 ? first : second).lendPace([limit]));
    const grants = (await Promise.all(lending)).flat();
    expect(grants.reduce((sum, { given }) => sum + given, 0)).toBe(42);
    const wait = grants.find(({ kind }) => kind === 'none')!.waitMs!;
    expect(wait).toBeGreaterThan(20_000);
    expect(wait).toBeLessThanOrEqual(58_000);
    const [row] = await query(`select value from settings where name = 'pace minute c1 SMS'`);
    const { taken } = JSON.parse(row!.value as string) as { taken: [number, number][] };
    const [clock] = await query('select (extract(epoch from clock_timestamp()) * 1000)::bigint as now');
    expect(Math.abs(Number(clock!.now) - taken.at(-1)![0])).toBeLessThan(60_000);
  });
});
