/** Several nodes on one PostgreSQL, one of them acting: waiting, take-over, and which one may still write. */
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import { describe, expect, it } from 'vitest';
import { openStore } from '../app/open-store.ts';
import type { Store } from '../app/store.ts';
import { silentLogger } from '../kernel/logger.ts';
import { machineClock } from '../kernel/machine.ts';
import { acceptItem, start } from './contract/fixture.ts';
import { StoreBroken, StoreRefused } from './faults.ts';
import { endOf, useSchema } from './postgres-fixture.ts';
import { leaseState, leaseTimes, NodeLease, renewLease, takeLease } from './postgres-lease.ts';

const schema = useSchema();

const open = (more: { standby?: boolean } = {}) =>
  openStore({ databaseUrl: schema.databaseUrl, dataDir: '', role: 'node', clock: machineClock, ...more });

/** Whether the promise is still pending. */
async function isPending(promise: Promise<unknown>): Promise<boolean> {
  const pending = Symbol('pending');
  return (await Promise.race([promise, wait(700, pending)])) === pending;
}

const session = async (): Promise<Client> => {
  const client = new Client({ connectionString: schema.databaseUrl });
  await client.connect();
  return client;
};

/** Pauses the acting node for longer than its lease: its sessions stay open, its renewals have no effect. */
async function standsStill<T>(until: Promise<T>): Promise<T> {
  let over = false;
  const opened = until.finally(() => {
    over = true;
  });
  while (!over) await schema.server.query(schema.databaseUrl, `update leases set expires_at = 0 where name = 'node'`);
  return opened;
}

async function tokenAndClaim(store: Store) {
  await store.accept([acceptItem(start, {})]);
  const claims = await store.claim({ lane: 'c1', limit: 9, now: start, token: store.token });
  return { token: store.token, claims };
}

describe('a second node', () => {
  it('is refused, with a sentence that names the setting', async () => {
    const acting = await open();
    await expect(open()).rejects.toThrow(StoreRefused);
    await expect(open()).rejects.toThrow(/HELIO_STANDBY=1/);
    await acting.close();
  });

  it('as a standby waits, and takes over as soon as the first one is closed', async () => {
    const acting = await open();
    const { token } = await tokenAndClaim(acting);
    const standby = open({ standby: true });
    expect(await isPending(standby)).toBe(true);
    await acting.close();
    const next = await standby;
    expect(next.token).toBeGreaterThan(token);
    expect(next.mayHandOver()).toBe(true);
    await next.close();
  });

  it('as a standby outlives a restart of the server', async () => {
    const acting = await open();
    const standby = open({ standby: true });
    expect(await isPending(standby)).toBe(true);
    await schema.server.stop('fast');
    await schema.server.start();
    expect(await endOf(() => acting.accept([acceptItem(start, {})]))).toBeNull();
    expect(await isPending(standby)).toBe(true);
    await acting.close();
    const next = await standby;
    expect(next.mayHandOver()).toBe(true);
    await next.close();
  });

  it('as a standby acts at once where nobody does', async () => {
    const store = await open({ standby: true });
    expect(store.mayHandOver()).toBe(true);
    await store.close();
  });
});

describe('a node that stands still past its lease', () => {
  it('loses its place: the standby takes over, and the first one writes nothing any more', async () => {
    const acting = await open();
    const { claims } = await tokenAndClaim(acting);
    const standby = open({ standby: true });
    expect(await isPending(standby)).toBe(true);
    const next = await standsStill(standby);
    expect(claims).toHaveLength(1);
    const ended = await endOf(() => acting.accept([acceptItem(start, {})]));
    expect(ended).toBeInstanceOf(StoreBroken);
    expect((ended as Error).message).toMatch(/another node/);
    expect(acting.mayHandOver()).toBe(false);
    // Its open deliveries become uncertain, and the new node decides about them.
    const moved = await next.recover({ token: next.token, now: start, dueAt: start + 1, limit: 9 });
    expect(moved).toMatchObject([{ messageId: claims[0]!.messageId, state: 'uncertain' }]);
    await next.close();
    await acting.close();
  });

  it('keeps its place while its lease holds, however often a standby looks', async () => {
    const acting = await open();
    const standby = open({ standby: true });
    for (let looks = 0; looks < 3; looks += 1) expect(await isPending(standby)).toBe(true);
    await tokenAndClaim(acting);
    await acting.close();
    await (await standby).close();
  });

  it('whose session died within its lease comes back before a standby gets the place', async () => {
    const acting = await open();
    const standby = open({ standby: true });
    expect(await isPending(standby)).toBe(true);
    await schema.server.query(
      schema.databaseUrl,
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'heliograph node'
         and pid in (select pid from pg_locks where locktype = 'advisory' and granted)`,
    );
    expect(await endOf(() => acting.accept([acceptItem(start, {})]), 40)).toBeNull();
    expect(await isPending(standby)).toBe(true);
    await acting.close();
    await (await standby).close();
  });
});

describe('the lease', () => {
  const withLease = async (work: (client: Client) => Promise<void>) => {
    await (await open()).close();
    const client = await session();
    await work(client).finally(() => client.end());
  };

  const renewFive = (client: Client) => renewLease(client, 5, leaseTimes);

  it('is renewed by its own epoch alone', () =>
    withLease(async (client) => {
      await takeLease(client, 5, leaseTimes);
      expect(await renewLease(client, 5, leaseTimes)).toBe(true);
      await takeLease(client, 6, leaseTimes);
      expect(await renewLease(client, 5, leaseTimes)).toBe(false);
      expect(await leaseState(client)).toBe('held');
    }));

  it('is over by the clock of the database', () =>
    withLease(async (client) => {
      expect(await leaseState(client)).toBe('none');
      await takeLease(client, 5, { ...leaseTimes, heldMs: -1 });
      expect(await leaseState(client)).toBe('expired');
    }));

  it('counts as lost before it runs out when the database says nothing, and as held again after a renewal', () =>
    withLease(async (client) => {
      const clock = movedClock();
      await takeLease(client, 5, leaseTimes);
      let away = true;
      const lease = new NodeLease(
        {
          times: leaseTimes,
          clock,
          renew: renewFive,
          logger: silentLogger,
          connect: () => (away ? Promise.reject(new Error('no contact')) : session()),
          end: (one) => one.end(),
          lost: () => {
            throw new Error('not lost');
          },
        },
        clock.monotonicMs(),
      );
      const { heldMs, marginMs, renewEveryMs } = leaseTimes;
      clock.move(heldMs - marginMs - 1);
      expect(lease.isHeld()).toBe(true);
      clock.move(1);
      expect(lease.isHeld()).toBe(false);
      away = false;
      const isHeldLater = () => {
        clock.move(renewEveryMs);
        return lease.isHeld();
      };
      await expect.poll(isHeldLater).toBe(true);
      await lease.stop();
    }));

  it('that another node has taken is noticed at the next renewal', () =>
    withLease(async (client) => {
      const clock = movedClock();
      await takeLease(client, 5, leaseTimes);
      const lost = Promise.withResolvers<void>();
      const parts = { times: leaseTimes, clock, logger: silentLogger, connect: session, renew: renewFive };
      const lease = new NodeLease({ ...parts, end: (one) => one.end(), lost: lost.resolve }, clock.monotonicMs());
      await takeLease(client, 6, leaseTimes);
      clock.move(leaseTimes.renewEveryMs);
      await lost.promise;
      expect(lease.isHeld()).toBe(false);
      await lease.stop();
    }));
});

/** Stands still until it is moved; due timers then run. */
function movedClock() {
  let now = 0;
  let timers: { at: number; run: () => void }[] = [];
  return {
    monotonicMs: () => now,
    after: (ms: number, run: () => void) => {
      const timer = { at: now + ms, run };
      timers.push(timer);
      return () => {
        timers = timers.filter((one) => one !== timer);
      };
    },
    move: (ms: number) => {
      now += ms;
      const due = timers.filter(({ at }) => at <= now);
      timers = timers.filter(({ at }) => at > now);
      for (const { run } of due) run();
    },
  };
}
