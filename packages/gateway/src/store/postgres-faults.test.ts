/** Faults of PostgreSQL only: weak settings, lost sessions, unconfirmed commits, another node in this one's place. */
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startPostgres, type TestPostgres } from '../../../../test/postgres.ts';
import { movedClock } from '../../../../test/props/clock.ts';
import { openStore } from '../app/open-store.ts';
import type { Store } from '../app/store.ts';
import { acceptItem, settlement, start } from './contract/fixture.ts';
import { StoreBroken, StoreRefused, StoreUnavailable } from './faults.ts';
import { meaning } from './postgres-errors.ts';
import { verifyServer } from './postgres-session.ts';

const clock = movedClock(start);
let server: TestPostgres;
let database: string;
beforeAll(async () => {
  server = await startPostgres();
  database = await server.createDatabase();
});
afterAll(() => server?.remove());

const open = (databaseUrl: string) => openStore({ databaseUrl, dataDir: '', role: 'node', clock });

async function withStore(work: (store: Store, databaseUrl: string) => Promise<void>): Promise<void> {
  const databaseUrl = await server.createSchema(database);
  const store = await open(databaseUrl);
  try {
    await work(store, databaseUrl);
  } finally {
    await store.close();
  }
}

/** Retries until the store accepts; every refusal on the way must allow another try. */
async function acceptInTheEnd(store: Store): Promise<string> {
  const item = acceptItem(start, {});
  for (let tries = 0; ; tries += 1) {
    try {
      await store.accept([item]);
      return item.deliveries[0]!.messageId;
    } catch (error) {
      expect(error).toBeInstanceOf(StoreUnavailable);
      if (tries === 200) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

it('a change of the schema may take as long as a large table needs', async () => {
  const database = await server.createDatabase();
  await server.query(
    database,
    `create table seen (timeout text);
     create function note() returns event_trigger language plpgsql as
       $$ begin insert into public.seen values (current_setting('statement_timeout')); end $$;
     grant all on seen to public;
     create event trigger changed on ddl_command_end when tag in ('CREATE INDEX') execute function note();`,
  );
  const store = await open(database);
  const rows = (await server.query(database, 'select distinct timeout from seen')) as { timeout: string }[];
  await store.close();
  expect(rows.map(({ timeout }) => timeout)).toEqual(['0']);
});

describe('weak settings', () => {
  it.each([
    ['synchronous_commit', 'alter role helio set synchronous_commit = off', 'alter role helio reset all'],
    ['synchronous_commit', 'alter role helio set synchronous_commit = local', 'alter role helio reset all'],
  ])('%s is refused by name: %s', async (name, weaken, mend) => {
    await server.query(database, weaken);
    await expect(open(database)).rejects.toThrow(new RegExp(`setting ${name} is`));
    await server.query(database, mend);
  });

  it('synchronous_commit at the database is refused by name', async () => {
    const weak = await server.createDatabase();
    await server.query(weak, `alter database ${new URL(weak).pathname.slice(1)} set synchronous_commit = off`);
    await expect(open(weak)).rejects.toThrow(StoreRefused);
    await expect(open(weak)).rejects.toThrow(/synchronous_commit is off/);
  });

  it.each(['fsync', 'full_page_writes', 'synchronous_commit'])('%s of the server is refused by name', async (name) => {
    await server.stop('fast');
    await server.start([`${name}=off`]);
    await expect(open(database)).rejects.toThrow(new RegExp(`setting ${name} is off`));
    await server.stop('fast');
    await server.start();
  });

  const good = new Map([
    ['version', 'PostgreSQL 14.0 on x86_64'],
    ['server_version_num', '140000'],
    ['fsync', 'on'],
    ['full_page_writes', 'on'],
    ['synchronous_commit', 'on'],
    ['transaction_read_only', 'off'],
  ]);

  it('an old server is refused, a standby is down, stronger settings pass', () => {
    expect(() => verifyServer(good)).not.toThrow();
    expect(() => verifyServer(new Map([...good, ['synchronous_commit', 'remote_apply']]))).not.toThrow();
    expect(() => verifyServer(new Map([...good, ['server_version_num', '130012']]))).toThrow(/PostgreSQL 14/);
    expect(() => verifyServer(new Map([...good, ['transaction_read_only', 'on']]))).toThrow(StoreUnavailable);
    expect(() => verifyServer(new Map())).toThrow(StoreRefused);
  });
});

describe('opening', () => {
  it('says down for a server that is not there', async () => {
    const nowhere = database.replace(/host=.*/, 'host=%2Fnowhere');
    await expect(open(nowhere)).rejects.toMatchObject({ reason: 'down' });
  });

  it('refuses a database that does not exist and a schema that is newer', async () => {
    await expect(open(database.replace('/t_', '/x_'))).rejects.toThrow(StoreRefused);
    const databaseUrl = await server.createSchema(database);
    await (await open(databaseUrl)).close();
    await server.query(databaseUrl, 'insert into schema_versions (version, applied_at) values (99, 0)');
    await expect(open(databaseUrl)).rejects.toThrow(/schema 99/);
  });
});

describe('a lost session', () => {
  it('idle: is renewed under the same token', () =>
    withStore(async (store, databaseUrl) => {
      await store.accept([acceptItem(start, {})]);
      await terminate(databaseUrl, 'heliograph node');
      await acceptInTheEnd(store);
      const claims = await store.claim({ lane: 'c1', limit: 9, now: start, token: store.token });
      expect(claims).toHaveLength(2);
      expect(await store.settle(claims.map((claim) => settlement(claim, start)))).toEqual([['sent'], ['sent']]);
    }));

  it('in the middle of a look-up: that one is down, the next is answered, and nothing else happens', () =>
    withStore(async (store, databaseUrl) => {
      const messageId = await acceptInTheEnd(store);
      const holder = new Client({ connectionString: databaseUrl });
      await holder.connect();
      await holder.query('begin; lock table deliveries in access exclusive mode');
      const held = Array.from({ length: 3 }, () =>
        expect(store.message('acc1', messageId)).rejects.toMatchObject({ reason: 'down' }),
      );
      await expect.poll(() => waitingLookUps(databaseUrl)).toBe(held.length);
      await terminate(databaseUrl, 'heliograph look-ups');
      await Promise.all(held);
      await holder.end();
      expect((await store.message('acc1', messageId))?.state).toBe('queued');
    }));

  it('with the server: writes are down meanwhile and go on after it, look-ups too', () =>
    withStore(async (store) => {
      const before = await acceptInTheEnd(store);
      for (const mode of ['crash', 'fast'] as const) {
        await server.stop(mode);
        await expect(store.accept([acceptItem(start, {})])).rejects.toMatchObject({ reason: 'down' });
        await expect(store.message('acc1', before)).rejects.toMatchObject({ reason: 'down' });
        expect(await store.healthy()).toBe(false);
        await server.start();
        const after = await acceptInTheEnd(store);
        expect((await store.message('acc1', before))?.state).toBe('queued');
        expect((await store.message('acc1', after))?.state).toBe('queued');
        expect(await store.healthy()).toBe(true);
      }
    }));

  it('whose place another node has taken is the end of this one', () =>
    withStore(async (store, databaseUrl) => {
      await server.query(databaseUrl, `update counters set value = value + 1 where name = 'node_token'`);
      await terminate(databaseUrl, 'heliograph node');
      await expect(endOf(store)).resolves.toBeInstanceOf(StoreBroken);
      await expect(store.message('acc1', 'msg_1')).rejects.toThrow(/another node/);
    }));
});

async function terminate(databaseUrl: string, name: string): Promise<void> {
  await server.query(
    databaseUrl,
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = '${name}'`,
  );
}

async function waitingLookUps(databaseUrl: string): Promise<unknown> {
  const [row] = await server.query(
    databaseUrl,
    `select count(*)::int as n from pg_stat_activity
     where application_name = 'heliograph look-ups' and wait_event_type = 'Lock'`,
  );
  return row!.n;
}

/** The first failure that allows no further try. */
async function endOf(store: Store): Promise<unknown> {
  for (let tries = 0; tries < 200; tries += 1) {
    try {
      await store.accept([acceptItem(start, {})]);
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) return error;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return null;
}

describe('meaning', () => {
  const serverError = (code: string) => Object.assign(new Error('text'), { code, severity: 'ERROR', detail: 'a row' });

  it.each([
    ['full', '53100'],
    ['busy', '55P03'],
    ['busy', '57014'],
    ['busy', '40P01'],
    ['busy', '53300'],
    ['down', '57P01'],
    ['down', '08006'],
    ['down', '25006'],
    ['down', '25P03'],
    ['down', '58030'],
  ])('%s for SQLSTATE %s', (reason, code) => {
    expect(meaning(serverError(code))).toMatchObject({ name: 'StoreUnavailable', reason });
  });

  it.each(['ECONNRESET', 'EPIPE', 'ENOENT', 'ETIMEDOUT'])('down for %s of the socket', (code) => {
    expect(meaning(Object.assign(new Error('text'), { code }))).toMatchObject({ reason: 'down' });
  });

  it('busy when the pool had no session in time', () => {
    expect(meaning(new Error('timeout exceeded when trying to connect'))).toMatchObject({ reason: 'busy' });
  });

  it('the end for corrupted data, a refusal for a wrong login', () => {
    expect(meaning(serverError('XX001'))).toBeInstanceOf(StoreBroken);
    expect(meaning(serverError('28P01'))).toBeInstanceOf(StoreRefused);
  });

  it('a mistake of ours stays one, without the row it was about', () => {
    const error = meaning(serverError('23505')) as Error;
    expect(error).not.toBeInstanceOf(StoreUnavailable);
    expect(JSON.stringify(Object.entries(error)) + error.message).not.toContain('a row');
    const bug = new TypeError('bug');
    expect(meaning(bug)).toBe(bug);
  });
});
