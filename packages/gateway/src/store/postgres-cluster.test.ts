/** Several nodes that share a database: which one acts, which are removed, and what each may write. */
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import { afterEach, describe, expect, it } from 'vitest';
import { movedClock } from '../../../../test/props/clock.ts';
import { openStore } from '../app/open-store.ts';
import type { Store } from '../app/store.ts';
import { silentLogger } from '../kernel/logger.ts';
import { machineClock, machineTimers } from '../kernel/machine.ts';
import { acceptItem, start } from './contract/fixture.ts';
import { StoreBroken, StoreRefused } from './faults.ts';
import { clusterLease, clusterPlace } from './postgres-cluster.ts';
import { endOf, useSchema } from './postgres-fixture.ts';
import { leaseTimes } from './postgres-lease.ts';
import { keepOwner, sessionLockClass, takeTurn } from './postgres-turn.ts';

const schema = useSchema();
const opened: Store[] = [];
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
});

async function join(more: { clock?: typeof machineClock; cluster?: boolean } = {}): Promise<Store> {
  const options = { databaseUrl: schema.databaseUrl, dataDir: '', role: 'node', clock: machineClock } as const;
  const store = await openStore({ ...options, cluster: true, ...more });
  opened.push(store);
  return store;
}

const query = (sql: string) => schema.server.query(schema.databaseUrl, sql);
const leases = async () => (await query('select name from leases order by name')).map(({ name }) => name);

/** From now on this node owns the send queue. */
async function takeQueue(store: Store): Promise<void> {
  await store.planOwners({ meant: [{ name: 'c1', node: store.token }], gone: [] });
  expect((await store.takeOwned({ name: 'c1', now: start, dueAt: start, limit: 99 })).kind).toBe('taken');
}

const claim = (store: Store) => store.claim({ lane: 'c1', limit: 9, now: start, token: store.token });

async function isPending(promise: Promise<unknown>): Promise<boolean> {
  const pending = Symbol('pending');
  return (await Promise.race([promise, wait(300, pending)])) === pending;
}

/** Like a node that is paused for longer than its lease. */
const expire = (store: Store) =>
  query(
    `update leases set expires_at = 0 where name in ('node', '${clusterLease(store.token)}') and epoch = ${store.token}`,
  );

describe('nodes that share a database', () => {
  it('all take messages, and the one that has the send queue hands out what any of them took', async () => {
    const first = await join();
    const second = await join();
    expect([first.place.acts(), second.place.acts()]).toEqual([true, false]);
    expect([first.mayHandOver(), second.mayHandOver()]).toEqual([true, true]);
    await takeQueue(first);
    await second.accept([acceptItem(start, {})]);
    await first.accept([acceptItem(start, {})]);
    expect([await claim(second), (await claim(first)).length]).toEqual([[], 2]);
    expect(second.place.nodes()).toBe(2);
  });

  it('give the same answer to a key that both got', async () => {
    const first = await join();
    const second = await join();
    const item = (answer: string) => acceptItem(start, { key: { key: 'k', bodyHash: 'aa', answer } });
    const [[one], [other]] = await Promise.all([first.accept([item('1')]), second.accept([item('2')])]);
    expect([one!.kind, other!.kind].sort()).toEqual(['replay', 'stored']);
  });

  it('start together on an empty database', async () => {
    const stores = await Promise.all([join(), join(), join()]);
    expect(stores.filter((store) => store.place.acts())).toHaveLength(1);
    expect(new Set(stores.map(({ token }) => token)).size).toBe(3);
  });

  it('keep the order of a conversation, whichever node stores a message of it', async () => {
    const first = await join();
    const second = await join();
    for (const [place, store] of [first, second, first, second].entries()) {
      await store.accept([acceptItem(start + place * 10, {})]);
    }
    const rows = await query('select run, message_id from conversations');
    expect(rows).toHaveLength(4);
    expect(new Set(rows.map(({ run }) => run)).size).toBe(1);
  });

  it('keep the marks of their commits while they live, so that a lost answer can be looked up', async () => {
    const marks = async () =>
      (await query(`select name from counters where name like 'mark %'`)).map(({ name }) => name);
    const first = await join();
    await first.accept([acceptItem(start, {})]);
    const [mark] = await marks();
    expect(mark).toBe(`mark ${first.token} 0`);
    const second = await join();
    expect(await marks()).toEqual([mark]);
    await first.close();
    await join();
    expect(await marks()).toEqual([]);
    await second.accept([acceptItem(start, {})]);
    expect(await marks()).toEqual([`mark ${second.token} 0`]);
  });

  it('store nothing once their lease is gone, even before a renewal fails', async () => {
    const still = movedClock(start);
    const node = await join({ clock: still });
    await query(`delete from leases where name = '${clusterLease(node.token)}'`);
    expect(node.mayHandOver()).toBe(true);
    await expect(node.accept([acceptItem(start, {})])).rejects.toThrow(StoreBroken);
    expect(await query('select 1 from messages')).toEqual([]);
    expect(node.mayHandOver()).toBe(false);
  });

  it('do not share it with a node that does not', async () => {
    await join();
    await expect(join({ cluster: false })).rejects.toThrow(/HELIO_CLUSTER/);
  });

  it('are refused by a node that does not share it', async () => {
    await join({ cluster: false });
    await expect(join()).rejects.toThrow(StoreRefused);
  });
});

describe('the place of the acting node', () => {
  it('is that of a node that took it and never got the answer', async () => {
    const first = await join();
    const client = new Client({ connectionString: schema.databaseUrl });
    await client.connect();
    const place = clusterPlace({ clock: machineClock, timers: machineTimers, logger: silentLogger, times: leaseTimes });
    await place.take(client, 99);
    await first.close();
    const { query } = client;
    let isLost = false;
    client.query = (async (...params: Parameters<typeof query>) => {
      const answer = await (query as (...given: unknown[]) => Promise<unknown>).apply(client, params);
      if (isLost || (params[0] as unknown) !== 'commit') return answer;
      isLost = true;
      throw new Error('Connection terminated unexpectedly');
    }) as never;
    await expect(place.renew(client)).rejects.toThrow(/terminated/);
    expect([isLost, place.acts()]).toEqual([true, false]);
    expect([await place.renew(client), place.acts()]).toEqual([true, true]);
    await client.end();
  });

  it('goes to another one at once when it is closed', async () => {
    const first = await join();
    const second = await join();
    await takeQueue(first);
    await second.accept([acceptItem(start, {})]);
    const claims = await claim(first);
    expect(claims).toHaveLength(1);
    expect(await isPending(second.place.acting)).toBe(true);
    await first.close();
    expect(await leases()).toEqual([clusterLease(second.token)]);
    await second.place.acting;
    expect(second.mayHandOver()).toBe(true);
    // What the first node left with carriers is uncertain.
    const moved = await second.recover({ token: second.token, now: start, dueAt: start + 1, limit: 9 });
    expect(moved.map(({ messageId }) => messageId)).toEqual(claims.map(({ messageId }) => messageId));
  });

  it('goes to another one when it stands still, and it writes nothing more', async () => {
    const still = movedClock(start);
    const first = await join({ clock: still });
    const clock = movedClock(start);
    const second = await join({ clock });
    const taken = second.place.acting.then(() => true);
    for (let waits = 0; (await Promise.race([taken, wait(50, false)])) === false && waits < 400; waits += 1) {
      await expire(first);
      clock.pass(leaseTimes.renewEveryMs / 5);
    }
    expect(second.place.acts()).toBe(true);
    expect(await leases()).toEqual(['node', clusterLease(second.token)]);
    const ended = await endOf(() => first.accept([acceptItem(start, {})]));
    expect(ended).toBeInstanceOf(StoreBroken);
    expect(first.mayHandOver()).toBe(false);
    expect(await query('select 1 from messages')).toEqual([]);
  });

  it('stays with a node that was late, but renews in time', async () => {
    const first = await join();
    const clock = movedClock(start);
    const second = await join({ clock });
    await expire(first);
    clock.pass(leaseTimes.renewEveryMs);
    await expect
      .poll(async () => (await query(`select expires_at from leases where name = 'node'`))[0]!.expires_at)
      .not.toBe('0');
    for (let rounds = 0; rounds < 8; rounds += 1) {
      clock.pass(leaseTimes.renewEveryMs);
      await wait(20);
    }
    expect([first.place.acts(), second.place.acts()]).toEqual([true, false]);
    expect(first.mayHandOver()).toBe(true);
    await first.accept([acceptItem(start, {})]);
  });
});

describe('a node that stands still in the middle of a write', () => {
  it('holds up the others no longer than until it is removed', async () => {
    await (await join()).close();
    const frozen = new Client({ connectionString: schema.databaseUrl });
    frozen.on('error', () => {});
    await frozen.connect();
    await frozen.query(`select pg_advisory_lock(${sessionLockClass}, 77)`);
    await frozen.query(`insert into leases values ('node', 77, 0), ('${clusterLease(77)}', 77, 0)`);
    const clock = movedClock(start);
    const store = await join({ clock });
    await frozen.query(`begin; ${takeTurn}; ${keepOwner}`);
    const accepted = store.accept([acceptItem(start, {})]);
    expect(await isPending(accepted)).toBe(true);
    for (let waits = 0; !store.place.acts() && waits < 400; waits += 1) {
      clock.pass(leaseTimes.renewEveryMs / 5);
      await wait(20);
    }
    expect(await accepted).toEqual([{ kind: 'stored' }]);
    expect(await leases()).toEqual(['node', clusterLease(store.token)]);
    await frozen.end().catch(() => {});
  });
});
