/**
 * Makes the data of an earlier version of the gateway:
 *
 * git worktree add ../earlier bd0a671 && (cd ../earlier && npm ci)
 *   npx node test/versions/make.ts ../earlier test/versions/schema-14
 *
 * The earlier version itself writes it, on both engines; then its files are copied while it is still open, as a power
 * cut would leave them. `expected.json` holds what it acknowledged, and what it reads itself from such a copy.
 */
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Store } from '../../packages/gateway/src/app/store.ts';
import { startPostgres, type TestPostgres } from '../postgres.ts';
import { movedClock } from '../props/clock.ts';
import { type Acknowledged, type Fixtures, play } from './story.ts';

/** The earlier version's own reading of its data. */
interface Seen {
  states: Record<string, string>;
  timelines: Record<string, string[]>;
  /** From the event log, in order. */
  events: { eventId: string; type: string }[];
  /** How many of them were assigned to endpoints. */
  fannedOut: number;
}

/** For one engine. */
export interface Expected {
  told: Acknowledged;
  seen: Seen;
}

interface Earlier {
  fixtures: Fixtures;
  open(where: { dataDir: string; databaseUrl?: string }): Promise<Store>;
  /** The statements of its migrations for PostgreSQL. */
  schema(): string[];
}

export const createVersions =
  'create table schema_versions (version bigint not null primary key, applied_at bigint not null)';

async function load(checkout: string): Promise<Earlier> {
  const source = (path: string) => import(join(checkout, 'packages/gateway/src/store', path));
  const contract: Fixtures['contract'] = await source('contract/fixture.ts');
  const media: Fixtures['media'] = await source('contract/media-fixture.ts');
  const { openStore } = await source('open.ts');
  const { migrations }: { migrations: { statements: string[]; postgres?: string[] }[] } = await source('migrate.ts');
  const { renderPostgres } = await source('dialect.ts');
  return {
    fixtures: { contract, media },
    open: (where) => openStore({ ...where, role: 'node', clock: movedClock(contract.start) }),
    schema: () =>
      [createVersions, ...migrations.flatMap(({ statements, postgres = [] }) => [...statements, ...postgres])].map(
        (sql): string => renderPostgres({ name: '', columns: {}, sql }).sql,
      ),
  };
}

async function look(store: Store, acked: Acknowledged): Promise<Seen> {
  const seen: Seen = { states: {}, timelines: {}, events: [], fannedOut: 0 };
  for (const id of [...Object.values(acked.states).flat(), ...acked.replies]) {
    const { state, events } = (await store.message('acc1', id))!;
    seen.states[id] = state;
    seen.timelines[id] = events.map((event) => event.state);
  }
  const { events } = await store.eventsAfter({ after: 0, limit: 1_000 });
  const mark = await store.fannedOut();
  seen.events = events.map(({ eventId, type }) => ({ eventId, type }));
  seen.fannedOut = events.filter(({ position }) => position <= mark).length;
  return seen;
}

async function makeSqlite(earlier: Earlier, out: string): Promise<Expected> {
  const root = mkdtempSync(join(tmpdir(), 'heliograph-earlier-'));
  const [living, dead] = [join(root, 'living'), join(root, 'dead')];
  mkdirSync(dead);
  try {
    const store = await earlier.open({ dataDir: living });
    const acked = await play(store, earlier.fixtures);
    // The journal first: entries that it drops meanwhile are in the database, which is copied next.
    const names = ['store.journal', 'store.db', 'store.db-wal'];
    for (const name of names) copyFileSync(join(living, name), join(dead, name));
    for (const name of names) {
      writeFileSync(join(out, `${name}.gz`), gzipSync(readFileSync(join(dead, name)), { level: 9 }));
    }
    await store.close();
    const opened = await earlier.open({ dataDir: dead });
    const seen = await look(opened, acked);
    await opened.close();
    return { told: acked, seen };
  } finally {
    rmSync(root, { recursive: true });
  }
}

async function makePostgres(earlier: Earlier, out: string): Promise<Expected> {
  const server = await startPostgres();
  try {
    const databaseUrl = await server.createDatabase();
    const store = await earlier.open({ dataDir: '', databaseUrl });
    const acked = await play(store, earlier.fixtures);
    const dump = [...earlier.schema(), ...(await rowsOf(server, databaseUrl))].join(';\n');
    writeFileSync(join(out, 'postgres.sql.gz'), gzipSync(`${dump};\n`, { level: 9 }));
    const seen = await look(store, acked);
    await store.close();
    return { told: acked, seen };
  } finally {
    await server.remove();
  }
}

/** One INSERT for each table. */
export async function rowsOf(server: TestPostgres, databaseUrl: string): Promise<string[]> {
  const tables = await server.query(
    databaseUrl,
    `select tablename from pg_tables where schemaname = 'public' order by 1`,
  );
  const inserts: string[] = [];
  for (const { tablename } of tables) {
    const [found] = await server.query(databaseUrl, `select jsonb_agg(t)::text as rows from ${tablename} t`);
    if (found!.rows === null) continue;
    const rows = String(found!.rows).replaceAll("'", "''");
    inserts.push(`insert into ${tablename} select * from jsonb_populate_recordset(null::${tablename}, '${rows}')`);
  }
  return inserts;
}

if (import.meta.main) {
  const [checkout, out] = process.argv.slice(2).map((path) => resolve(path));
  if (checkout === undefined || out === undefined) throw new Error('usage: make.ts CHECKOUT FOLDER');
  mkdirSync(out, { recursive: true });
  const earlier = await load(checkout);
  const expected: Record<'sqlite' | 'postgres', Expected> = {
    sqlite: await makeSqlite(earlier, out),
    postgres: await makePostgres(earlier, out),
  };
  writeFileSync(join(out, 'expected.json'), `${JSON.stringify(expected, null, 1)}\n`);
}
