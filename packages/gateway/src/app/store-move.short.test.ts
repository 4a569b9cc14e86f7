/**
 * A SQLite store moves into PostgreSQL completely, whether it is killed or not, and neither side can be used by
 * mistake.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startPostgres, type TestPostgres } from '../../../../test/postgres.ts';
import { movedClock } from '../../../../test/props/clock.ts';
import { runHelio } from '../cli/program.ts';
import { fillEveryTable } from '../store/contract/every-table.ts';
import { acceptItem, settlement, start } from '../store/contract/fixture.ts';
import { markPath, readMoveMark, writeMoveMark } from '../store/move/mark.ts';
import { openStore } from './open-store.ts';
import { moveStore, type StoreMove } from './store-move.ts';

const clock = movedClock(start);
const storeFiles = ['store.journal', 'store.db', 'store.db-wal'];
/** So small that a table needs several batches. */
const batchRows = 3;

let server: TestPostgres;
let database: string;
let root: string;
/** The files of a node that was killed. */
let dead: string;
beforeAll(async () => {
  server = await startPostgres();
  database = await server.createDatabase();
  root = mkdtempSync(join(tmpdir(), 'heliograph-move-'));
  const living = join(root, 'living');
  dead = join(root, 'dead');
  mkdirSync(dead);
  const store = await fillEveryTable(() => openStore({ dataDir: living, role: 'node', clock }), clock);
  for (const name of storeFiles) copyFileSync(join(living, name), join(dead, name));
  await store.close();
});
afterAll(async () => {
  await server?.remove();
  rmSync(root, { recursive: true, force: true });
});

let places = 0;
function place(): string {
  const dataDir = join(root, `place-${++places}`);
  mkdirSync(dataDir);
  for (const name of storeFiles) copyFileSync(join(dead, name), join(dataDir, name));
  return dataDir;
}

const moveOf = (dataDir: string, databaseUrl: string, more: Partial<StoreMove> = {}): StoreMove => ({
  ...{ dataDir, databaseUrl, now: clock.now(), id: 'move-1', progress: () => {}, batchRows },
  ...more,
});

type Rows = Record<string, unknown>[];
/** All rows of a SQLite store, by table, except those of the schema's version. */
function sqliteRows(dataDir: string): Record<string, Rows> {
  const db = new DatabaseSync(join(dataDir, 'store.db'), { readOnly: true });
  const names = db.prepare(`select name from sqlite_schema where type = 'table' and name <> 'schema_versions'`).all();
  const all = names.map(({ name }) => [name, sorted(db.prepare(`select * from ${name}`).all())]);
  db.close();
  return Object.fromEntries(all);
}

async function postgresRows(databaseUrl: string): Promise<Record<string, Rows>> {
  const tables = await server.query(
    databaseUrl,
    `select relname as tablename from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')
       and not relispartition and relname <> 'schema_versions'`,
  );
  const all: [unknown, Rows][] = [];
  for (const { tablename } of tables) {
    // As JSON, because the driver would return numbers as text.
    const rows = await server.query(databaseUrl, `select row_to_json(t) as row from ${tablename} t`);
    all.push([tablename, sorted(rows.map(({ row }) => row as Record<string, unknown>))]);
  }
  return Object.fromEntries(all);
}

/** Rows and columns in one order, as ordinary objects. */
function sorted(rows: object[]): Rows {
  const plain = rows.map((row) =>
    Object.fromEntries(Object.entries(row).sort(([one], [other]) => (one < other ? -1 : 1))),
  );
  return plain.sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
}

async function helio(dataDir: string, databaseUrl: string | null, ...args: string[]) {
  const printed = { out: '', error: '' };
  const exitCode = await runHelio(args, {
    out: (text) => (printed.out += text),
    error: (text) => (printed.error += text),
    env: { HELIO_DATA: dataDir, ...(databaseUrl !== null && { HELIO_DATABASE_URL: databaseUrl }) },
  });
  return { exitCode, ...printed };
}
const command = ['migrate-store', '--from', 'sqlite', '--to', 'postgres'];

describe('a move', () => {
  it('brings every row of every table, the journal’s too, and goes on after the last position', async () => {
    const dataDir = place();
    const databaseUrl = await server.createSchema(database);
    const moved = await moveStore(moveOf(dataDir, databaseUrl));
    expect(moved).toMatchObject({ resumed: false, journal: { messages: 3 } });

    const source = sqliteRows(dataDir);
    // An empty table would prove nothing. Only PostgreSQL has leases, files, shared send queues, partitions and frames.
    const empty = Object.entries(source).filter(([, rows]) => rows.length === 0);
    expect(empty.map(([table]) => table)).toEqual([
      'leases',
      'media_files',
      'media_chunks',
      'owners',
      'cluster_nodes',
      'carrier_answers',
      'log_partitions',
      'journal_frames',
    ]);
    expect(await postgresRows(databaseUrl)).toEqual(source);
    expect(moved.tables.map(({ table, rows }) => [table, rows])).toEqual(
      Object.entries(source)
        .filter(([table]) => !['media_chunks', 'media_files'].includes(table))
        .map(([table, rows]) => [table, rows.length])
        .sort(),
    );

    const store = await openStore({ databaseUrl, dataDir: '', role: 'node', clock });
    const { position } = await store.eventsAfter({ after: 0, limit: 10_000 });
    await store.accept([acceptItem(clock.now(), { lane: 'c9' })]);
    const [claim] = await store.claim({ lane: 'c9', limit: 9, now: clock.now(), token: store.token });
    expect(await store.settle([settlement(claim!, clock.now())])).toEqual([['sent']]);
    const { events } = await store.eventsAfter({ after: position, limit: 10 });
    expect(events).toMatchObject([{ type: 'message.sent', message: { messageId: claim!.messageId } }]);
    await store.close();
  });

  it('leaves a folder that no start and no command takes, until its mark is removed', async () => {
    const dataDir = place();
    const databaseUrl = await server.createSchema(database);
    await moveStore(moveOf(dataDir, databaseUrl));
    for (const role of ['node', 'tool'] as const) {
      await expect(openStore({ dataDir, role, clock })).rejects.toThrow(
        /was moved to PostgreSQL \(.*\) on .*store\.moved/,
      );
    }
    expect(await helio(dataDir, null, 'unmatched')).toMatchObject({ exitCode: 78 });
    await expect(moveStore(moveOf(dataDir, await server.createSchema(database)))).rejects.toThrow(
      /was moved to .* on /,
    );
    rmSync(markPath(dataDir));
    await (await openStore({ dataDir, role: 'node', clock })).close();
  });

  it('is reported by the command: progress on stderr, the sum on stdout', async () => {
    const dataDir = place();
    const databaseUrl = await server.createSchema(database);
    const done = await helio(dataDir, databaseUrl, ...command, '--json');
    expect(done.exitCode, done.error).toBe(0);
    const { rows, tables } = JSON.parse(done.out) as { rows: number; tables: { table: string; checksum: string }[] };
    expect(rows).toBeGreaterThan(100);
    expect(tables.find(({ table }) => table === 'deliveries')?.checksum).toMatch(/^[0-9a-f]{32}$/);
    expect(done.error).toMatch(/^deliveries: (\d+) of \1 rows copied$/m);
    expect(done.error).toMatch(/^deliveries: \d+ rows, the same on both sides$/m);
    const again = await helio(dataDir, databaseUrl, ...command);
    expect(again).toMatchObject({ exitCode: 78, out: '' });
    const words = await helio(place(), await server.createSchema(database), ...command);
    expect(words.out).toMatch(/^Moved to .*: \d+ rows in \d+ tables, counted and compared on both sides\.\n/);
    expect(await helio(dataDir, null, ...command)).toMatchObject({ exitCode: 78 });
  });
});

describe('a move that is killed', () => {
  /** Stops after this many steps and waits to be killed. */
  async function killed(dataDir: string, databaseUrl: string, steps: number): Promise<string> {
    const file = fileURLToPath(new URL('store-move-child-fixture.ts', import.meta.url));
    const child: ChildProcess = spawn(process.execPath, [file, dataDir, databaseUrl, String(steps)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exited = once(child, 'exit');
    const first = await Promise.race([once(child.stdout!, 'data').then(([chunk]) => String(chunk)), exited]);
    child.kill('SIGKILL');
    expect(await exited).toEqual([null, 'SIGKILL']);
    return String(first).trim();
  }

  it('opens neither side, and goes on where it was', async () => {
    const dataDir = place();
    const databaseUrl = await server.createSchema(database);
    const places = [
      await killed(dataDir, databaseUrl, 1),
      await killed(dataDir, databaseUrl, 40),
      await killed(dataDir, databaseUrl, 60),
    ];
    // Each run continues where the one before stopped.
    const copied = Number((await server.query(databaseUrl, 'select sum(copied)::int as n from store_move'))[0]!.n);
    expect(copied, places.join()).toBe(101);
    await expect(openStore({ dataDir, role: 'node', clock })).rejects.toThrow('has not ended. Let it go on');
    for (const role of ['node', 'tool'] as const) {
      await expect(openStore({ databaseUrl, dataDir: '', role, clock })).rejects.toThrow('has not ended. Let it go on');
    }
    // Everything is copied and the first table is checked.
    expect(await killed(dataDir, databaseUrl, 10_000)).toBe('checked');
    expect(readMoveMark(dataDir)?.isDone).toBe(false);
    expect(await moveStore(moveOf(dataDir, databaseUrl))).toMatchObject({ resumed: true });
    expect(await postgresRows(databaseUrl)).toEqual(sqliteRows(dataDir));
  });

  it('between a batch and its progress, has neither', async () => {
    const dataDir = place();
    const databaseUrl = await server.createSchema(database);
    const progress = () => {
      throw new Error('killed');
    };
    await expect(moveStore(moveOf(dataDir, databaseUrl, { progress }))).rejects.toThrow('killed');
    await server.query(
      databaseUrl,
      `create function fail() returns trigger language plpgsql as $$ begin raise 'no progress'; end $$;
       create trigger fail before update on store_move for each row when (new.name = 'events') execute function fail()`,
    );
    await expect(moveStore(moveOf(dataDir, databaseUrl))).rejects.toThrow('no progress');
    expect(await server.query(databaseUrl, 'select 1 from events')).toEqual([]);
    await server.query(databaseUrl, 'drop trigger fail on store_move');
    expect(await moveStore(moveOf(dataDir, databaseUrl))).toMatchObject({ resumed: true });
    expect(await postgresRows(databaseUrl)).toEqual(sqliteRows(dataDir));
  });

  it('between its last two steps, opens neither side and ends with the next call', async () => {
    const dataDir = place();
    const databaseUrl = await server.createSchema(database);
    const progress: StoreMove['progress'] = ({ kind }) => {
      if (kind === 'checked') throw new Error('killed');
    };
    await expect(moveStore(moveOf(dataDir, databaseUrl, { progress }))).rejects.toThrow('killed');
    writeMoveMark(dataDir, { ...readMoveMark(dataDir)!, isDone: true });
    await expect(openStore({ dataDir, role: 'node', clock })).rejects.toThrow('was moved to PostgreSQL');
    await expect(openStore({ databaseUrl, dataDir: '', role: 'node', clock })).rejects.toThrow('has not ended');
    expect(await moveStore(moveOf(dataDir, databaseUrl))).toMatchObject({ resumed: true });
    expect(await postgresRows(databaseUrl)).toEqual(sqliteRows(dataDir));
  });
});

describe('a move is refused', () => {
  it('into a database that is not empty, or that holds the move of another store', async () => {
    const databaseUrl = await server.createSchema(database);
    await (await openStore({ databaseUrl, dataDir: '', role: 'node', clock })).close();
    await expect(moveStore(moveOf(place(), databaseUrl))).rejects.toThrow(/is not empty \(counters\)\./);
    const foreign = await server.createSchema(database);
    await server.query(foreign, 'create table theirs (n int)');
    const dataDir = place();
    await expect(moveStore(moveOf(dataDir, foreign))).rejects.toThrow('is not empty (theirs).');
    const other = await server.createSchema(database);
    await (await openStore({ databaseUrl: other, dataDir: '', role: 'tool', clock })).close();
    await server.query(other, 'alter table deliveries drop column doubt; create table theirs (n int)');
    await expect(moveStore(moveOf(dataDir, other))).rejects.toThrow(
      'The two schemas differ: deliveries.doubt (text), theirs.n (int).',
    );
    expect(existsSync(markPath(dataDir))).toBe(false);
    const begun = await server.createSchema(database);
    const stopped = { progress: () => expect.unreachable() };
    await expect(moveStore(moveOf(place(), begun, stopped))).rejects.toThrow();
    await expect(moveStore(moveOf(place(), begun))).rejects.toThrow('a move of another store that has not ended');
  });

  it('while a node runs on either side', async () => {
    const databaseUrl = await server.createSchema(database);
    const running = place();
    const node = await openStore({ dataDir: running, role: 'node', clock });
    await expect(moveStore(moveOf(running, databaseUrl))).rejects.toThrow('Another node runs on this data folder');
    await node.close();
    const other = await openStore({ databaseUrl, dataDir: '', role: 'node', clock });
    const dataDir = place();
    await expect(moveStore(moveOf(dataDir, databaseUrl))).rejects.toThrow('Another node runs on this database');
    await other.close();
    expect(existsSync(markPath(dataDir))).toBe(false);
  });

  it('where a row was changed on the way', async () => {
    const dataDir = place();
    const databaseUrl = await server.createSchema(database);
    let changed: Promise<unknown> | null = null;
    const progress: StoreMove['progress'] = ({ table }) => {
      if (table > 'messages') changed ??= server.query(databaseUrl, `update messages set text = 'x' || text`);
    };
    await expect(moveStore(moveOf(dataDir, databaseUrl, { progress }))).rejects.toThrow(
      /The table messages differs after/,
    );
    await changed;
    expect(readMoveMark(dataDir)?.isDone).toBe(false);
  });

  it('without a store, or without a database', async () => {
    const databaseUrl = await server.createSchema(database);
    await expect(moveStore(moveOf(join(root, 'nothing'), databaseUrl))).rejects.toThrow('There is no SQLite store in');
    const nowhere = await helio(place(), 'postgres://helio@127.0.0.1:1/none', ...command);
    expect(nowhere.exitCode).toBe(69);
  });
});
