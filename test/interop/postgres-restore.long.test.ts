/**
 * Backup and restore of PostgreSQL, as docs/backup.md says, by the role of docs/postgresql.md. Needs pg_dump, pg_restore
 * and psql: Debian's package postgresql.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore } from '../../packages/gateway/src/app/open-store.ts';
import type { Store } from '../../packages/gateway/src/app/store.ts';
import { machineClock as clock } from '../../packages/gateway/src/kernel/machine.ts';
import { acceptItem, settlement } from '../../packages/gateway/src/store/contract/fixture.ts';
import { debianPrograms, startPostgres, type TestPostgres } from '../postgres.ts';
import { bareEnv } from '../props/bare-env.ts';
import { docBlocks } from '../props/doc-blocks.ts';

const launcher = fileURLToPath(new URL('../../packages/gateway/bin/helio.js', import.meta.url));
const backupPage = readFileSync(new URL('../../docs/backup.md', import.meta.url), 'utf8');

function documented(file: string, begins: string): string {
  const found = docBlocks().find((block) => block.file === file && block.text.startsWith(begins));
  if (found === undefined) throw new Error(`${file} has no block that begins with ${begins}`);
  return found.text;
}

let server: TestPostgres;
let folder: string;
let databaseUrl: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'helio-restore-'));
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'helio'), `#!/bin/sh\nexec '${process.execPath}' '${launcher}' "$@"\n`);
  chmodSync(join(bin, 'helio'), 0o755);
  server = await startPostgres([], () => {}, null, debianPrograms());
  asAdministrator('postgres', documented('docs/postgresql.md', 'create role gateway'));
  databaseUrl = `postgres://gateway@localhost/gateway?host=${encodeURIComponent(server.socketFolder)}`;
});
afterAll(async () => {
  await server?.remove();
  rmSync(folder, { recursive: true });
});

/** What a reader types into psql. */
function asAdministrator(database: string, sql: string): void {
  const env = { ...bareEnv(), PGHOST: server.socketFolder, PGUSER: 'helio' };
  execFileSync(join(debianPrograms(), 'psql'), ['-v', 'ON_ERROR_STOP=1', database], { env, input: sql, stdio: 'pipe' });
}

/** What a reader types into a shell that has the settings of the gateway. */
function asGateway(script: string): string {
  const env = {
    ...bareEnv(),
    PATH: [join(folder, 'bin'), debianPrograms(), process.env.PATH].join(delimiter),
    HELIO_DATABASE_URL: databaseUrl,
    HELIO_DATA: join(folder, 'data'),
  };
  return execFileSync('sh', ['-e', '-c', script], { cwd: folder, env, encoding: 'utf8', stdio: 'pipe' });
}

async function withStore<T>(work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore({ databaseUrl, dataDir: '', role: 'node', clock });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

const query = (sql: string) => server.query(databaseUrl, sql);

/** Of each table: its rows, and a sum of what is in them. */
async function contents(): Promise<Record<string, string>> {
  const tables = await query(
    `select relname as name from pg_class where relnamespace = 'gateway'::regnamespace and relkind in ('r', 'p') order by 1`,
  );
  const found: Record<string, string> = {};
  for (const { name } of tables) {
    const [row] = await query(
      `select count(*) || ' ' || coalesce(md5(string_agg(md5(t::text), '' order by md5(t::text))), '') as sum from ${name} t`,
    );
    found[String(name)] = String(row!.sum);
  }
  return found;
}

/** Two that wait, and one that was sent. */
async function accepted(): Promise<string[]> {
  return withStore(async (store) => {
    const items = Array.from({ length: 3 }, () => acceptItem(clock.now(), {}));
    await store.accept(items);
    const [claim] = await store.claim({ lane: 'c1', limit: 1, now: clock.now(), token: store.token });
    await store.settle([settlement(claim!, clock.now())]);
    return items.map(({ deliveries }) => deliveries[0]!.messageId);
  });
}

const statesOf = (ids: readonly string[]) =>
  withStore((store) =>
    Promise.all(ids.map(async (id) => (await store.message('acc1', id))?.state ?? null)).then((all) => all.sort()),
  );

describe('a dump of PostgreSQL', () => {
  it('is restored whole by the documented commands and role, and what waited in it is held', async () => {
    const before = await accepted();
    const partitions = await query(`select 1 from pg_inherits where inhparent = 'events'::regclass`);
    expect(partitions.length).toBeGreaterThan(0);
    const atDump = await contents();
    asGateway(/`(pg_dump [^`]+)`/.exec(backupPage)![1]!);

    // What happened since, and what a newer version adds to the schema.
    const after = await accepted();
    await query('create table of_a_newer_version (n bigint)');

    asAdministrator('gateway', documented('docs/backup.md', 'drop schema'));
    const restore = documented('docs/backup.md', 'pg_restore');
    const [onlyRestore] = restore.split('&&');
    asGateway(onlyRestore!);
    expect(await contents()).toEqual(atDump);

    // The whole of it, from an empty schema again.
    asAdministrator('gateway', documented('docs/backup.md', 'drop schema'));
    expect(asGateway(restore)).toContain('2 messages waited at the time of the backup. They are held');
    expect(await statesOf(before)).toEqual(['held', 'held', 'sent']);
    expect(await statesOf(after)).toEqual([null, null, null]);
    expect((await accepted()).length).toBe(3);
  });
});
