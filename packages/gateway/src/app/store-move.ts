/**
 * Moves the SQLite store of a stopped node into an empty PostgreSQL database: every table, in batches by key. After a
 * kill the next call continues, and neither side can be started by mistake in between: the folder is marked before the
 * first row is written, and the database accepts nodes only once everything is copied and checked.
 */
import { existsSync } from 'node:fs';
import { recoverJournal } from '../messaging/store/journaled/recover.ts';
import { StoreRefused } from '../store/faults.ts';
import type { BroughtIn } from '../store/hook.ts';
import { migrateAll, migrations } from '../store/migrate.ts';
import type { Sum } from '../store/move/checksum.ts';
import { type MoveMark, markPath, readMoveMark, writeMoveMark } from '../store/move/mark.ts';
import { MoveSource } from '../store/move/source.ts';
import { compareTables, type SourceTable } from '../store/move/tables.ts';
import { MoveTarget, type TargetState } from '../store/move/target.ts';
import { meaning } from '../store/postgres-errors.ts';
import { lockNode, openingError, openSqliteWriter } from '../store/sqlite-connection.ts';
import { sqliteFiles } from '../store/sqlite-files.ts';

const batchRows = 500;

export interface StoreMove {
  dataDir: string;
  databaseUrl: string;
  now: number;
  /** Unique to this move: it links the two sides. */
  id: string;
  /** Called after each batch and each check. */
  progress(step: MoveStep): void;
  batchRows?: number;
}

export interface MoveStep {
  kind: 'copied' | 'checked';
  table: string;
  /** Rows of this table copied so far. */
  rows: number;
  of: number;
}

export interface MovedTable extends Sum {
  table: string;
}

export interface Moved {
  tables: MovedTable[];
  rows: number;
  /** The messages that only the last node's journal had; null if none. */
  journal: BroughtIn | null;
  /** True if an earlier call began the move. */
  resumed: boolean;
  /** Host, port and database. */
  to: string;
}

/** Throws StoreRefused, StoreDamaged or StoreUnavailable. */
export async function moveStore(move: StoreMove): Promise<Moved> {
  const { path, lockPath } = sqliteFiles(move.dataDir);
  if (!existsSync(path)) throw new StoreRefused(`There is no SQLite store in ${move.dataDir}.`);
  const unlock = lockNode(lockPath);
  try {
    const target = await MoveTarget.open(move.databaseUrl);
    try {
      return await moveInto(target, move);
    } finally {
      await target.close();
    }
  } catch (error) {
    throw meaning(error);
  } finally {
    unlock();
  }
}

async function moveInto(target: MoveTarget, move: StoreMove): Promise<Moved> {
  const { dataDir, now } = move;
  const mark = readMoveMark(dataDir);
  const state = await target.state();
  verifyPair(mark, state, { dataDir, to: target.name });
  if (state.kind === 'begun' && (await target.schemaVersion()) !== migrations.at(-1)!.version) {
    throw new StoreRefused('This move was begun by another version of Heliograph: let that one end it.');
  }
  const journal = prepareSource(dataDir, now);
  const current: MoveMark = {
    id: mark?.id ?? move.id,
    at: new Date(now).toISOString(),
    to: target.name,
    isDone: false,
  };
  const source = new MoveSource(sqliteFiles(dataDir).path);
  let tables: MovedTable[];
  try {
    if (state.kind === 'empty') await target.prepare(now);
    compareTables(source.tables, await target.tables());
    if (state.kind === 'empty') {
      // The folder is marked first: after a kill it still names the target of the move.
      writeMoveMark(dataDir, current);
      await target.begin(current.id);
    }
    tables = await copyAll(source, target, move);
  } finally {
    source.close();
  }
  writeMoveMark(dataDir, { ...current, isDone: true });
  await target.finish();
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  return { tables, rows, journal, resumed: state.kind === 'begun', to: target.name };
}

/** Checks that this database is the target of this store. */
function verifyPair(mark: MoveMark | null, state: TargetState, { dataDir, to }: { dataDir: string; to: string }): void {
  if (state.kind === 'begun') {
    if (state.id === mark?.id) return;
    throw new StoreRefused(`${to} holds a move of another store that has not ended. Give it an empty database.`);
  }
  if (mark?.isDone) {
    throw new StoreRefused(
      `This store was moved to ${mark.to} on ${mark.at}. To move it once more as it was then, remove ${markPath(dataDir)}.`,
    );
  }
  if (state.kind === 'used') {
    const names = state.tables.slice(0, 5).join(', ');
    throw new StoreRefused(
      `${to} is not empty (${names}${state.tables.length > 5 ? ' …' : ''}). Give it an empty database or schema.`,
    );
  }
}

/** Upgrades to the newest schema and recovers everything acknowledged, like a start. */
function prepareSource(dataDir: string, now: number): BroughtIn | null {
  const { path, journalPath } = sqliteFiles(dataDir);
  try {
    const connection = openSqliteWriter(path);
    try {
      migrateAll(connection, now);
      return recoverJournal(connection, journalPath, now);
    } finally {
      connection.close();
    }
  } catch (error) {
    throw openingError(error, path);
  }
}

async function copyAll(source: MoveSource, target: MoveTarget, move: StoreMove): Promise<MovedTable[]> {
  for (const table of source.tables) await copyTable({ source, target, table }, move);
  const moved: MovedTable[] = [];
  for (const table of source.tables) moved.push(await checkTable({ source, target, table }, move));
  return moved;
}

interface Sides {
  source: MoveSource;
  target: MoveTarget;
  table: SourceTable;
}

async function copyTable({ source, target, table }: Sides, { progress, batchRows: limit = batchRows }: StoreMove) {
  const of = source.rowsOf(table);
  let { copied, last } = await target.progress(table);
  for (;;) {
    const page = source.page(table, { after: last, limit });
    if (page.last === null) return;
    await target.add(table, page.rows, page.last);
    copied += page.rows.length;
    last = page.last;
    progress({ kind: 'copied', table: table.name, rows: copied, of });
  }
}

async function checkTable({ source, target, table }: Sides, { progress }: StoreMove): Promise<MovedTable> {
  const [ours, theirs] = [source.sum(table), await target.sum(table)];
  if (ours.rows !== theirs.rows || ours.checksum !== theirs.checksum) {
    throw new StoreRefused(
      `The table ${table.name} differs after the copy: ${ours.rows} rows (${ours.checksum}) here, ${theirs.rows} (${theirs.checksum}) in PostgreSQL. Begin anew with an empty database.`,
    );
  }
  progress({ kind: 'checked', table: table.name, rows: ours.rows, of: ours.rows });
  return { table: table.name, ...ours };
}
