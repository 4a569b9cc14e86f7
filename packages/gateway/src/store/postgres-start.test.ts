/** The refusals of a start on PostgreSQL, each with its reason, and the few privileges that its role needs. */
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startPostgres, type TestPostgres } from '../../../../test/postgres.ts';
import { movedClock } from '../../../../test/props/clock.ts';
import { docBlocks } from '../../../../test/props/doc-blocks.ts';
import { openStore } from '../app/open-store.ts';
import { holdAfterPromotion } from '../app/promoted-standby.ts';
import { databaseFindings } from '../cli/doctor-database.ts';
import { freePort } from '../cli/prove/free-port.ts';
import { otherCertificate, testCertificate, testKey } from '../http/tls-fixture.ts';
import { silentLogger } from '../kernel/logger.ts';
import { acceptItem, settlement, start } from './contract/fixture.ts';
import { StoreRefused, StoreUnavailable } from './faults.ts';
import { MoveTarget } from './move/target.ts';

const clock = movedClock(start);
const open = (databaseUrl: string) => openStore({ databaseUrl, dataDir: '', role: 'node', clock });

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'heliograph-start-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function file(name: string, text: string): string {
  writeFileSync(join(folder, name), text, { mode: 0o600 });
  return join(folder, name);
}

async function refusal(databaseUrl: string): Promise<string> {
  const error = await open(databaseUrl).then(
    (store) => store.close(),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(StoreRefused);
  return (error as StoreRefused).message;
}

/** Of those below that need no roles or settings of their own. */
let server: TestPostgres;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server?.remove());

describe('a server that only speaks the protocol', () => {
  let database: string;
  beforeAll(async () => {
    database = await server.createDatabase();
  });

  /** A schema that is searched before PostgreSQL's own. */
  async function faked(sql: (schema: string) => string): Promise<string> {
    const own = await server.createSchema(database);
    const [, name] = /search_path%3D(\w+)/.exec(own)!;
    await server.query(database, sql(name!));
    return own.replace(name!, `${name},pg_catalog`);
  }
  const versioned = (version: string) =>
    faked((schema) => `create function ${schema}.version() returns text language sql as $$ select '${version}' $$`);
  const withSetting = (name: string) =>
    faked(
      (schema) => `create view ${schema}.pg_settings as select name, setting from pg_catalog.pg_settings
        union all select '${name}', 'on'`,
    );

  it.each([
    ['CockroachDB', 'CockroachDB CCL v24.3.1 (x86_64-pc-linux-gnu, built 2024/11/25)'],
    ['YugabyteDB', 'PostgreSQL 15.2-YB-2025.2.3.0-b0 on x86_64-pc-linux-gnu, compiled by clang'],
    ['"CrateDB 5.10.4"', 'CrateDB 5.10.4'],
  ])('is refused by name, from its version: %s', async (name, version) => {
    const databaseUrl = await versioned(version);
    const words = await refusal(databaseUrl);
    expect(words).toMatch(`The server is ${name}, which only speaks PostgreSQL's`);
    expect(await databaseFindings(databaseUrl)).toEqual([
      { what: 'Database', ok: false, detail: words, fix: expect.stringMatching('HELIO_DATABASE_URL') },
    ]);
  });

  it.each([
    ['CockroachDB', 'crdb_version'],
    ['YugabyteDB', 'yb_enable_read_committed_isolation'],
  ])('is refused by name, from a setting that it alone has: %s', async (name, setting) => {
    expect(await refusal(await withSetting(setting))).toMatch(`The server is ${name}, `);
  });

  it('is none that is a PostgreSQL of somebody', async () => {
    for (const version of ['PostgreSQL 16.4 (EnterpriseDB Advanced Server 16.4.0)', 'PostgreSQL 17.2 on aarch64']) {
      await (await open(await versioned(version))).close();
    }
  });
});

function grantsOfTheDocs(): string {
  const [block, ...others] = docBlocks().filter(
    ({ file, language }) => file === 'docs/postgresql.md' && language === 'sql',
  );
  expect(others).toEqual([]);
  return block!.text;
}

function statementsOf(sql: string): string[] {
  const lines = sql.split('\n').map((line) => line.replace(/\s*--.*$/, ''));
  return lines
    .join('\n')
    .split(';')
    .filter((statement) => statement.trim() !== '');
}

describe('a role that owns its schema and nothing else', () => {
  let server: TestPostgres;
  let databaseUrl: string;
  beforeAll(async () => {
    server = await startPostgres();
    const any = new URL(await server.createDatabase());
    const own = new URL(any);
    own.pathname = '/gateway';
    // As a reader types it into psql: the lines after \\connect run in the new database.
    const [before, after] = grantsOfTheDocs().split('\\connect gateway\n');
    for (const statement of statementsOf(before!)) await server.query(any.href, statement);
    for (const statement of statementsOf(after!)) await server.query(own.href, statement);
    databaseUrl = own.href.replace('helio@', 'gateway@');
  });
  afterAll(() => server?.remove());

  it('is enough to start, to work, and to come back after a lost session', async () => {
    const store = await open(databaseUrl);
    await holdAfterPromotion(store, silentLogger);
    expect(await store.notedPostgresState()).toMatchObject({ timeline: 1, isSynchronous: false, standbys: 0 });
    await store.accept([acceptItem(start, {})]);
    const claims = await store.claim({ lane: 'c1', limit: 9, now: start, token: store.token });
    await store.settle(claims.map((claim) => settlement(claim, start)));
    expect((await store.storeFacts()).bytes).toBeGreaterThan(0);
    const [{ ended }] = (await server.query(
      databaseUrl,
      `select count(pg_terminate_backend(pid))::int as ended from pg_stat_activity where application_name = 'heliograph node'`,
    )) as [{ ended: number }];
    expect(ended).toBeGreaterThan(0);
    const again = () =>
      store.accept([acceptItem(start, {})]).then(
        () => 'accepted',
        (error) => expect(error).toBeInstanceOf(StoreUnavailable),
      );
    await expect.poll(again).toBe('accepted');
    await store.close();
  });
});

describe('a role without a schema of its own', () => {
  let server: TestPostgres;
  let database: string;
  beforeAll(async () => {
    server = await startPostgres();
    database = await server.createDatabase();
    await server.query(database, 'create role gateway login; revoke all on schema public from public');
  });
  afterAll(() => server?.remove());

  /** A start, the doctor and a move refuse it alike; the statement that they name is what was missing. */
  async function refusedUntil(databaseUrl: string, statement: string): Promise<string> {
    const words = await refusal(databaseUrl);
    expect(words).toContain(statement);
    expect(await databaseFindings(databaseUrl)).toEqual([
      { what: 'Database', ok: false, detail: words, fix: expect.any(String) },
    ]);
    await expect(MoveTarget.open(databaseUrl)).rejects.toThrow(words);
    await server.query(database, statement);
    await (await open(databaseUrl)).close();
    expect(await databaseFindings(databaseUrl)).toMatchObject([{ what: 'Database', ok: true }]);
    return words;
  }
  const asGateway = (path = '') =>
    `${database.replace('helio@', 'gateway@')}${path === '' ? '' : `&options=${encodeURIComponent(`-c search_path=${path}`)}`}`;

  it('is told which schema to make, where none of its path is there', async () => {
    const words = await refusedUntil(asGateway('other'), 'create schema other authorization gateway;');
    expect(words).toContain('The role gateway has no schema that it may use (search_path: other)');
  });

  it('is told to be given the schema that is there and that it may not use, or not change', async () => {
    await server.query(database, 'create schema theirs; create schema "Half"; grant usage on schema "Half" to gateway');
    await refusedUntil(asGateway('theirs'), 'alter schema theirs owner to gateway;');
    const words = await refusedUntil(asGateway('"Half"'), 'alter schema "Half" owner to gateway;');
    expect(words).toContain('may not create tables in the schema "Half"');
  });

  it('is told to have one of its own where it may not create tables in public', async () => {
    await server.query(database, 'grant usage on schema public to gateway');
    const words = await refusedUntil(asGateway(), 'create schema gateway authorization gateway;');
    expect(words).toContain('may not create tables in the schema public');
  });
});

describe('a session that the server does not open', () => {
  let database: string;
  beforeAll(async () => {
    database = await server.createDatabase();
  });

  it.each([
    ['-c nonsense=1', 'unrecognized configuration parameter "nonsense"'],
    ['-c work_mem=much', 'invalid value for parameter "work_mem"'],
  ])('for an option in the URL is refused in a sentence, by the doctor too: %s', async (options, words) => {
    const databaseUrl = `${database}&options=${encodeURIComponent(options)}`;
    expect(await refusal(databaseUrl)).toContain(words);
    expect(await databaseFindings(databaseUrl)).toMatchObject([{ ok: false, detail: expect.stringContaining(words) }]);
  });

  it.each([['banana'], ['Disable'], ['disable&sslmode=on']])(
    'for an unknown sslmode is refused by name, by the doctor too: %s',
    async (mode) => {
      const databaseUrl = `${database}&sslmode=${mode}`;
      const words = await refusal(databaseUrl);
      expect(words).toContain(`sslmode=${mode.split('=').at(-1)}, which is none. There are: disable, `);
      expect(await databaseFindings(databaseUrl)).toMatchObject([{ ok: false, detail: words }]);
    },
  );

  it('for a URL that the driver cannot read is refused in a sentence, without the password', async () => {
    const databaseUrl = database.replace('helio@', 'helio:hunter%FF2@');
    const words = await refusal(databaseUrl);
    expect(words).toContain('write the % of a password or name as %25');
    expect(words).not.toContain('hunter');
    expect(await databaseFindings(databaseUrl)).toMatchObject([{ ok: false, detail: words }]);
  });

  it('for a right that was taken away while a gateway runs is waited for', async () => {
    const name = new URL(database).pathname.slice(1);
    await server.query(
      database,
      `create role gateway login; create schema gateway authorization gateway;
       revoke all on database ${name} from public; grant connect on database ${name} to gateway`,
    );
    const databaseUrl = database.replace('helio@', 'gateway@');
    const store = await open(databaseUrl);
    await server.query(database, `revoke connect on database ${name} from gateway`);
    await server.query(database, `select pg_terminate_backend(pid) from pg_stat_activity where usename = 'gateway'`);
    const lookUp = () => store.storeFacts().then(() => 'answered', String);
    await expect.poll(lookUp).toMatch(/^StoreUnavailable: PostgreSQL: permission denied for database/);
    await server.query(database, `grant connect on database ${name} to gateway`);
    await expect.poll(lookUp, { timeout: 10_000 }).toBe('answered');
    await store.close();
  });
});

describe('TLS', () => {
  let server: TestPostgres;
  let url: (host: string, parameters: string) => string;
  beforeAll(async () => {
    const own = mkdtempSync(join(tmpdir(), 'heliograph-tls-'));
    const [cert, key] = [join(own, 'cert.pem'), join(own, 'key.pem')];
    writeFileSync(cert, testCertificate);
    writeFileSync(key, testKey, { mode: 0o600 });
    // The server's user must own the key.
    if (process.getuid?.() === 0) for (const path of [own, cert, key]) chownSync(path, 65_534, 65_534);
    const port = await freePort();
    const settings = [`port=${port}`, 'listen_addresses=127.0.0.1,127.0.0.2'];
    server = await startPostgres([...settings, 'ssl=on', `ssl_cert_file=${cert}`, `ssl_key_file=${key}`]);
    const { pathname } = new URL(await server.createDatabase());
    url = (host, parameters) => `postgres://helio@${host}:${port}${pathname}?${parameters}`;
  });
  afterAll(() => server?.remove());

  it('verify-full with the CA of the server is used by every session', async () => {
    const store = await open(url('localhost', `sslmode=verify-full&sslrootcert=${file('ca.pem', testCertificate)}`));
    await store.accept([acceptItem(start, {})]);
    const rows = await server.query(
      url('127.0.0.1', 'sslmode=disable'),
      `select distinct ssl from pg_stat_ssl s join pg_stat_activity a on a.pid = s.pid
       where a.application_name like 'heliograph %'`,
    );
    await store.close();
    expect(rows).toEqual([{ ssl: true }]);
  });

  it('another CA, none, and another name are refused in a sentence', async () => {
    const certificate = /PostgreSQL shows a certificate that does not count here: .* \([A-Z_]+\)\. Look at sslrootcert/;
    const other = `sslmode=verify-full&sslrootcert=${file('other.pem', otherCertificate)}`;
    expect(await refusal(url('localhost', other))).toMatch(certificate);
    expect(await refusal(url('localhost', 'sslmode=verify-full'))).toMatch(certificate);
    const right = `sslmode=verify-full&sslrootcert=${file('ca.pem', testCertificate)}`;
    // Also this machine, but not named by the certificate.
    expect(await refusal(url('127.0.0.2', right))).toMatch(certificate);
  });

  it('a file that cannot be read, and a server without TLS, are refused in a sentence', async () => {
    const missing = `sslmode=verify-full&sslrootcert=${join(folder, 'none.pem')}`;
    expect(await refusal(url('localhost', missing))).toMatch(
      /A file that HELIO_DATABASE_URL names cannot be read: .*none/,
    );
    const socket = `host=${encodeURIComponent(server.socketFolder)}&sslmode=verify-full`;
    expect(await refusal(url('localhost', socket))).toMatch('takes no TLS connections');
  });
});
