/** A standby of PostgreSQL is promoted: waiting messages are held, unless the standby was synchronous. */
import { mkdtempSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startPostgres, type TestPostgres } from '../../../../test/postgres.ts';
import { movedClock } from '../../../../test/props/clock.ts';
import { databaseFindings } from '../cli/doctor-database.ts';
import type { Logger, LogMethod } from '../kernel/logger.ts';
import { acceptItem, settlement, start } from '../store/contract/fixture.ts';
import { StoreBroken, StoreUnavailable } from '../store/faults.ts';
import { mayLackCommits } from '../store/system/postgres-state.ts';
import { openStore } from './open-store.ts';
import { holdAfterPromotion, postgresStateEveryMs, watchPostgresState } from './promoted-standby.ts';
import type { Store } from './store.ts';

const clock = movedClock(start);
let lines: string[];
const note =
  (level: string): LogMethod =>
  (fields, message) =>
    void lines.push(`${level} ${JSON.stringify(fields)} ${message}`);
const logger: Logger = { trace: () => {}, debug: () => {}, info: () => {}, warn: note('warn'), error: note('error') };

let leader: TestPostgres;
let standby: TestPostgres;
/** One address for the current leader, as a load balancer has. */
let folder: string;
let databaseUrl: string;
const leadBy = (server: TestPostgres) => {
  symlinkSync(server.socketFolder, join(folder, 'next'));
  renameSync(join(folder, 'next'), join(folder, 'leader'));
};

/** Opens the store as a start of the gateway does. */
async function startStore(): Promise<Store> {
  lines = [];
  const store = await openStore({ databaseUrl, dataDir: '', role: 'node', clock, logger });
  await holdAfterPromotion(store, logger);
  return store;
}

/** One message in each waiting state, and one that was sent. */
async function messagesOf(store: Store): Promise<Record<'sent' | 'sending' | 'uncertain' | 'queued', string>> {
  const items = Array.from({ length: 4 }, () => acceptItem(start, {}));
  await store.accept(items);
  const claims = await store.claim({ lane: 'c1', limit: 3, now: start, token: store.token });
  const [sent, uncertain, sending] = claims;
  await store.settle([settlement(sent!, start), settlement(uncertain!, start, { to: 'uncertain', parts: [] })]);
  const claimed = new Set(claims.map(({ messageId }) => messageId));
  const queued = items.map(({ deliveries }) => deliveries[0]!.messageId).find((id) => !claimed.has(id))!;
  return {
    sent: sent!.messageId,
    sending: sending!.messageId,
    uncertain: uncertain!.messageId,
    queued,
  };
}

const stateOf = async (store: Store, id: string) => (await store.message('acc1', id))?.state;

const at = (server: TestPostgres) =>
  databaseUrl.replace(encodeURIComponent(join(folder, 'leader')), encodeURIComponent(server.socketFolder));

async function setStandbyNames(names: string): Promise<void> {
  await leader.query(at(leader), `alter system set synchronous_standby_names = '${names}'`);
  await leader.query(at(leader), 'select pg_reload_conf()');
}

async function makeSynchronous(): Promise<void> {
  await setStandbyNames('*');
  const isSynchronous = `select count(*)::int as n from pg_stat_replication where sync_state = 'sync'`;
  await expect.poll(async () => (await leader.query(at(leader), isSynchronous))[0]!.n).toBe(1);
}

/** Stops the leader after the standby has received everything from it. */
async function promote(): Promise<void> {
  const [{ lsn }] = (await leader.query(at(leader), 'select pg_current_wal_lsn()::text as lsn')) as [{ lsn: string }];
  const caughtUp = `select pg_last_wal_replay_lsn() >= '${lsn}'::pg_lsn as done`;
  await expect.poll(async () => (await standby.query(at(standby), caughtUp))[0]!.done).toBe(true);
  await leader.stop('crash');
  await endRecovery();
  leadBy(standby);
}

/** `pg_promote` does not wait: its snapshot could block what the standby still has to replay. */
async function endRecovery(): Promise<void> {
  await standby.query(at(standby), 'select pg_promote(false)');
  const inRecovery = async () => (await standby.query(at(standby), 'select pg_is_in_recovery() as yes'))[0]!.yes;
  await expect.poll(inRecovery, { timeout: 60_000 }).toBe(false);
}

async function connectedStandbys(): Promise<unknown> {
  return (await leader.query(databaseUrl, 'select count(*)::int as n from pg_stat_replication'))[0]!.n;
}

describe('a standby that was promoted', () => {
  beforeEach(async () => {
    lines = [];
    leader = await startPostgres();
    const { pathname } = new URL(await leader.createDatabase());
    standby = await leader.addStandby();
    folder = mkdtempSync(join(tmpdir(), 'heliograph-promoted-'));
    leadBy(leader);
    databaseUrl = `postgres://helio@localhost${pathname}?host=${encodeURIComponent(join(folder, 'leader'))}`;
  });
  afterEach(async () => {
    await standby?.remove();
    await leader?.remove();
    rmSync(folder, { recursive: true });
  });

  it('and was asynchronous: the start before warned, this one says so and holds what waits, once', async () => {
    await expect.poll(connectedStandbys).toBe(1);
    expect(await databaseFindings(databaseUrl)).toEqual([
      { what: 'Database', ok: true, detail: expect.stringMatching(/^PostgreSQL \d/), fix: null },
      {
        what: 'Standbys',
        ok: false,
        detail: '1 connected, asynchronous',
        fix: expect.stringMatching('synchronous_standby_names'),
      },
    ]);
    let store = await startStore();
    expect(lines).toEqual([expect.stringMatching(/^warn \{"standbys":1\} .*asynchronous/)]);
    const { sent, ...waiting } = await messagesOf(store);
    await store.close();
    await promote();

    store = await startStore();
    expect(lines).toEqual([
      expect.stringMatching(/^error \{"timeline":2,"timelineBefore":1\} .*messages acknowledged last may be missing/),
      expect.stringMatching(/^error \{"timeline":2,"timelineBefore":1,"held":3\} .*what waited is held/),
    ]);
    for (const [was, id] of Object.entries(waiting)) {
      const view = (await store.message('acc1', id))!;
      expect(view, was).toMatchObject({ state: 'held', code: 'UNCERTAIN' });
      expect(view.events.at(-1)?.detail).toMatch('It waited in a database that may lack the newest commits');
    }
    expect(await stateOf(store, sent)).toBe('sent');
    const item = acceptItem(start, {});
    await store.accept([item]);
    await store.close();

    store = await startStore();
    expect(lines).toEqual([]);
    expect(await stateOf(store, item.deliveries[0]!.messageId)).toBe('queued');
    await store.close();
  });

  it('under a node: that ends, and its next start holds what waits', async () => {
    const store = await startStore();
    const { queued } = await messagesOf(store);
    await promote();
    await expect.poll(() => failure(store)).toMatch('may lack the newest commits');
    await store.close();
    const next = await startStore();
    expect(await stateOf(next, queued)).toBe('held');
    await next.close();
  });

  it('lacks confirmed commits though it was noted as synchronous: the node ends, the next start holds what waits', async () => {
    await expect.poll(connectedStandbys).toBe(1);
    await makeSynchronous();
    const store = await startStore();
    expect(await store.notedPostgresState()).toMatchObject({ isSynchronous: true });
    const { queued } = await messagesOf(store);
    await standby.stop('crash');
    await setStandbyNames('');
    const confirmed = acceptItem(start, {});
    await store.accept([confirmed]);
    await leader.stop('crash');
    await standby.start([]);
    await endRecovery();
    leadBy(standby);
    await expect.poll(() => failure(store)).toMatch('lacks commits that it had confirmed');
    await store.close();

    const next = await startStore();
    expect(lines[0]).toMatch(/^error .*lacks commits that it had confirmed/);
    expect(await stateOf(next, queued)).toBe('held');
    expect(await stateOf(next, confirmed.deliveries[0]!.messageId)).toBeUndefined();
    await next.close();
    const last = await startStore();
    expect(lines).toEqual([]);
    await last.close();
  });

  it('is noted while a node runs: that it became synchronous, and that commits are missing', async () => {
    await expect.poll(connectedStandbys).toBe(1);
    const store = await startStore();
    const broken: unknown[] = [];
    const watch = watchPostgresState({ store, clock, logger, broken: (error) => broken.push(error) });
    await watch.start!();
    const noted = async () => {
      clock.pass(postgresStateEveryMs);
      return (await store.notedPostgresState())?.isSynchronous;
    };
    await makeSynchronous();
    await expect.poll(noted).toBe(true);
    await setStandbyNames('');
    lines = [];
    await expect.poll(noted).toBe(false);
    // The test lets seconds pass at once, so the lease may miss its renewal.
    expect(lines.filter((line) => !line.includes('the lease'))).toEqual([
      expect.stringMatching(/^warn .*standbys are asynchronous/),
    ]);
    expect(broken).toEqual([]);
    // What another node writes when it finds commits missing.
    await store.notePostgresState({ ...(await store.notedPostgresState())!, lost: true });
    await expect.poll(() => noted().then(() => broken[0])).toBeInstanceOf(StoreBroken);
    watch.quiesce!();
    await store.close();
  });

  it('and was synchronous: nothing is held, and a node goes on', async () => {
    await expect.poll(connectedStandbys).toBe(1);
    await makeSynchronous();
    expect((await databaseFindings(databaseUrl))[1]).toMatchObject({
      ok: true,
      detail: '1 connected, commits wait for them',
    });
    const store = await startStore();
    expect(lines).toEqual([]);
    const { queued } = await messagesOf(store);
    await promote();
    await expect.poll(() => failure(store)).toBeNull();
    expect(await stateOf(store, queued)).toBe('queued');
    await store.close();
    const next = await startStore();
    expect(await stateOf(next, queued)).toBe('queued');
    await next.close();
  });
});

/** Why the store refuses writes, other than being unreachable; null when it accepts them. */
async function failure(store: Store): Promise<string | null> {
  try {
    await store.accept([acceptItem(start, {})]);
    return null;
  } catch (error) {
    if (error instanceof StoreUnavailable) return 'away';
    expect(error).toBeInstanceOf(StoreBroken);
    return (error as StoreBroken).message;
  }
}

describe('commits may be missing', () => {
  const noted = { systemId: '1', timeline: 1, isSynchronous: false, standbys: 0 };
  const now = { ...noted, timeline: 2 };

  it('only on a later timeline of the same data, when no standby had to have them', () => {
    expect(mayLackCommits(noted, now)).toBe(true);
    expect(mayLackCommits(noted, { ...now, isSynchronous: true })).toBe(true);
    expect(mayLackCommits(null, now)).toBe(false);
    expect(mayLackCommits(now, now)).toBe(false);
    expect(mayLackCommits(noted, { ...now, systemId: '2' })).toBe(false);
    expect(mayLackCommits({ ...noted, isSynchronous: true }, now)).toBe(false);
    expect(mayLackCommits(noted, null)).toBe(false);
  });

  it('always where a node has found that some are', () => {
    expect(mayLackCommits({ ...now, isSynchronous: true, lost: true }, now)).toBe(true);
    expect(mayLackCommits({ ...noted, lost: true }, null)).toBe(true);
  });
});
