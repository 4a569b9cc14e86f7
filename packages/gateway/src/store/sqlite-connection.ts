/**
 * A connection to a SQLite file: settings that are read back, the runner of operations, and error mapping. A commit
 * counts only once SQLite reports it.
 */
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { renderSqlite, takesSeveral } from './dialect.ts';
import { StoreBroken, StoreRefused, StoreUnavailable } from './faults.ts';
import { createLogCopier, type LogCopier } from './log-copier.ts';
import { type LogNote, openLogNote } from './log-note.ts';
import { inPieces, type Operation, type Query, runSync, type Statement, type Value } from './query.ts';
import { StoreCorrupt, StoreDamaged } from './store-damaged.ts';

/** A write that waits longer than this for another process's lock fails as `busy`. */
const busyTimeoutMs = 2_000;

/** Rows in one piece, which takes some tenths of a millisecond. */
const pieceRows = 64;

/** How long a killed or stopping node gets to release its lock. */
const lockWaitMs = 5_000;

/** Settings that tests change to see them refused or reported; never read from the environment. */
export interface SqliteSettings {
  journalMode?: string;
  synchronous?: string;
  /** Pages of 4 KiB after which the disk counts as full. */
  pagesMax?: number;
}

interface Prepared {
  one: StatementSync;
  /** Inserts `severalRows` rows at once, prepared on first use; null = row by row only. */
  several: (() => StatementSync) | null;
  /** Columns of one row, in the order of the parameters. */
  columns: string[];
  /** Names of the returned columns; empty when there are none. */
  names: string[];
}

export interface SqliteConnection {
  /** Runs the operation in one write transaction; what it changed is on disk when it returns. */
  write<T>(operation: Operation<T>): T;
  /**
   * The same, but on disk only with a later `write`: for rows that are on disk elsewhere until then. `atOnce`: `busy`
   * at once when another process holds a lock.
   */
  writeBehind<T>(operation: Operation<T>, atOnce?: boolean): T;
  /**
   * Like `writeBehind`, piece by piece: one with each `next`, stored when the last one is done. Until then only reads
   * may run in between, and they see the pieces.
   */
  writeInPieces(operation: Operation<void>): Generator<void, void>;
  /** Rows that this connection has changed since it was opened. */
  changes(): number;
  /** Runs the operation on one snapshot of the store. */
  read<T>(operation: Operation<T>): T;
  /** Called in idle time: updates the note that a start compares with the log. */
  catchUp(): void;
  /** Brings to disk what `writeBehind` and `writeInPieces` wrote. */
  sync(): void;
  /** The same in the background. See LogNote. */
  syncBehind(failed: (error: StoreBroken) => void): void;
  /** Copies the log into the database once it is large enough and no write is under way. */
  checkpoint(): void;
  /** The database now has this token, so that a start with an older one detects an older database. */
  began(token: number): void;
  close(): void;
}

/**
 * Opens for writing, and creates the file when it is missing. `copyThread`: the file of the thread that copies the log;
 * null = no such thread. Throws StoreRefused when a durability setting has no effect.
 */
export function openSqliteWriter(
  path: string,
  settings: SqliteSettings = {},
  copyThread: URL | null = null,
): SqliteConnection {
  const db = new DatabaseSync(path, { timeout: busyTimeoutMs, enableForeignKeyConstraints: false });
  db.exec(`pragma journal_mode = ${settings.journalMode ?? 'wal'}`);
  // On macOS fsync alone does not flush the drive's cache; on other systems these settings do nothing.
  const syncing = `pragma synchronous = ${settings.synchronous ?? 'full'}; pragma fullfsync = 1; pragma checkpoint_fullfsync = 1`;
  db.exec(syncing);
  // A larger cache is slower: rebalancing takes a page number far behind the last one, and after each such transaction
  // SQLite scans all pages of the cache. The operating system caches the file as well.
  db.exec('pragma cache_size = -8192; pragma wal_autocheckpoint = 0; pragma journal_size_limit = 67108864');
  // Overwrites deleted content, so that free pages hold none of it.
  db.exec('pragma secure_delete = on');
  if (settings.pagesMax) db.exec(`pragma max_page_count = ${settings.pagesMax}`);
  verifySettings(db);
  verifyForm(db, path);
  const copier = createLogCopier(db, { path, pragmas: syncing }, copyThread);
  return connection(db, { note: openLogNote(path, logFrames(db)), copier });
}

/**
 * Takes the lock that makes this process the only node on the folder; the returned function releases it. The operating
 * system releases the lock with the process, however that ends. Throws StoreRefused while another node runs.
 */
export function lockNode(path: string): () => void {
  const unlock = tryLockNode(path, lockWaitMs);
  if (unlock === null) {
    throw new StoreRefused(
      `Another node runs on this data folder${holderOf(path)}: one store has one node. Stop it first.`,
    );
  }
  writeFileSync(holderPath(path), `${process.pid}\n`, { mode: 0o600 });
  return () => {
    rmSync(holderPath(path), { force: true });
    unlock();
  };
}

/** The process that holds the lock, for messages to people. */
function holderPath(lockPath: string): string {
  return `${lockPath}.pid`;
}

function holderOf(lockPath: string): string {
  try {
    return ` (pid ${Number.parseInt(readFileSync(holderPath(lockPath), 'utf8'), 10)})`;
  } catch {
    return '';
  }
}

/** Null while another node runs. Throws StoreDamaged when the file cannot be locked. */
export function tryLockNode(path: string, waitMs = 0): (() => void) | null {
  let db: DatabaseSync | null = null;
  try {
    db = new DatabaseSync(path, { timeout: waitMs });
    db.exec('begin exclusive');
  } catch (error) {
    db?.close();
    const known = meaning(error);
    if (known instanceof StoreUnavailable && known.reason === 'busy') return null;
    throw new StoreDamaged(
      `The lock ${path} cannot be used: ${(error as Error).message}. It holds nothing: remove it.`,
    );
  }
  const locked = db;
  return () => locked.close();
}

/** Opens read-only. */
export function openSqliteReader(path: string): SqliteConnection {
  const db = new DatabaseSync(path, { readOnly: true, timeout: busyTimeoutMs });
  db.exec('pragma cache_size = -16384');
  return connection(db);
}

/** Opens a copy that no other process uses; keeps its own journal mode. */
export function openSqliteCopy(path: string): SqliteConnection {
  return connection(new DatabaseSync(path));
}

/** A start checks all pages of a database up to this size, which takes some tenths of a second. */
const checkedBytesMax = 64 << 20;

function verifyForm(db: DatabaseSync, path: string): void {
  if (statSync(path).size > checkedBytesMax) return;
  const fault = faultOf(db);
  if (fault === null) return;
  db.close();
  throw new StoreDamaged(`The database ${path} is damaged: ${fault}.`);
}

function verifySettings(db: DatabaseSync): void {
  const journalMode = pragma(db, 'journal_mode');
  if (journalMode !== 'wal') {
    throw refused(
      db,
      `SQLite setting journal_mode is ${journalMode}, it must be wal: put the data folder on a local disk.`,
    );
  }
  const synchronous = Number(pragma(db, 'synchronous'));
  if (synchronous < 2) {
    throw refused(
      db,
      `SQLite setting synchronous is ${synchronous}, it must be 2 (FULL): acknowledged messages could be lost.`,
    );
  }
}

/** SQLite's description of a file's structural damage; null when there is none. */
export function faultOf(db: DatabaseSync, check: 'quick_check' | 'integrity_check' = 'quick_check'): string | null {
  const found = Object.values(db.prepare(`pragma ${check}(1)`).get() ?? {})[0];
  return found === 'ok' ? null : String(found);
}

function refused(db: DatabaseSync, message: string): StoreRefused {
  db.close();
  return new StoreRefused(message);
}

function pragma(db: DatabaseSync, name: string): unknown {
  return Object.values(db.prepare(`pragma ${name}`).get() ?? {})[0];
}

/** `log`: only for the writer of a store's log. */
function connection(db: DatabaseSync, log?: { note: LogNote; copier: LogCopier }): SqliteConnection {
  const { note = null, copier = null } = log ?? {};
  const execute = executor(db);
  const beginWrite = db.prepare('begin immediate');
  const beginRead = db.prepare('begin');
  const commit = db.prepare('commit');
  const unsynced = db.prepare('pragma synchronous = normal');
  const synced = db.prepare('pragma synchronous = full');
  const selectChanges = db.prepare('select total_changes() as rows');
  const changes = (): number => Number(selectChanges.get()!.rows);
  const failed = (error: unknown): unknown => {
    // A full disk may have rolled the transaction back already.
    if (db.isTransaction) db.exec('rollback');
    return meaning(error);
  };
  const transaction = <T>(begin: StatementSync, operation: Operation<T>, committed = () => {}): T => {
    try {
      begin.run();
      const result = runSync(operation, execute);
      commit.run();
      committed();
      return result;
    } catch (error) {
      throw failed(error);
    }
  };
  return {
    write(operation) {
      const before = changes();
      // Where nothing has changed, SQLite did not sync either: a claim that finds nothing need not wait for the disk.
      return transaction(beginWrite, operation, () => {
        if (changes() !== before) note?.synced();
      });
    },
    writeBehind(operation, atOnce = false) {
      unsynced.run();
      if (atOnce) db.exec('pragma busy_timeout = 0');
      try {
        return transaction(beginWrite, operation, () => note?.unsynced());
      } finally {
        synced.run();
        if (atOnce) db.exec(`pragma busy_timeout = ${busyTimeoutMs}`);
      }
    },
    *writeInPieces(operation) {
      unsynced.run();
      try {
        beginWrite.run();
        yield* inPieces(operation, execute, pieceRows);
        commit.run();
        note?.unsynced();
      } catch (error) {
        throw failed(error);
      } finally {
        synced.run();
      }
    },
    changes,
    read(operation) {
      if (!db.isTransaction) return transaction(beginRead, operation);
      try {
        return runSync(operation, execute);
      } catch (error) {
        throw meaning(error);
      }
    },
    checkpoint() {
      if (copier !== null && !db.isTransaction) unlessUnavailable(copier.look);
    },
    began: (token) => note?.began(token),
    catchUp: () => note?.catchUp(),
    sync: () => note?.sync(),
    syncBehind: (failed) => note?.syncBehind(failed),
    close() {
      if (copier !== null) unlessUnavailable(copier.close);
      note?.catchUp();
      db.close();
      note?.close();
    },
  };
}

/** The number of frames in the log; null when it cannot be read now. */
function logFrames(db: DatabaseSync): () => number | null {
  const look = db.prepare('pragma wal_checkpoint(noop)');
  return () => unlessUnavailable(() => Number(look.get()?.log));
}

/**
 * Null when the database is full or busy: the log stays until the next attempt. Anything else is thrown, where
 * `wal_autocheckpoint` would hide it: after a failed fsync of the file, no later fsync can be trusted.
 */
function unlessUnavailable<T>(work: () => T): T | null {
  try {
    return work();
  } catch (error) {
    const known = meaning(error);
    if (known instanceof StoreUnavailable) return null;
    throw known;
  }
}

/** Rows inserted by one statement: little more than half the cost of one by one; more rows gain nothing. */
const severalRows = 8;

/** Runs a statement row by row, or an insert for several rows where possible; prepares each statement once. */
function executor(db: DatabaseSync): (query: Query) => unknown[] {
  const known = new Map<Statement, Prepared>();
  const prepare = (statement: Statement): Prepared => {
    const { sql, columns } = renderSqlite(statement);
    const one = db.prepare(sql);
    one.setReturnArrays(true);
    const names = one.columns().map(({ name }) => name);
    let made: StatementSync | undefined;
    const several = () => (made ??= db.prepare(renderSqlite(statement, severalRows).sql));
    const prepared = { one, several: takesSeveral(statement) ? several : null, columns, names };
    known.set(statement, prepared);
    return prepared;
  };
  const change = (handle: StatementSync, columns: string[], { statement, rows }: Query): void => {
    const values: Value[] = [];
    for (const row of rows) for (const column of columns) values.push(row[column]!);
    if (handle.run(...values).changes !== rows.length && statement.exact) {
      throw new Error(`${statement.name} did not change exactly one row`);
    }
  };
  const ask = ({ one, columns, names }: Prepared, row: Record<string, Value>): Record<string, unknown>[] => {
    const found = one.all(...columns.map((column) => row[column]!)) as unknown as unknown[][];
    return found.map((cells) => asObject(names, cells));
  };
  return ({ statement, rows }) => {
    const prepared = known.get(statement) ?? prepare(statement);
    if (prepared.names.length > 0) return rows.flatMap((row) => ask(prepared, row));
    const { one, several, columns } = prepared;
    let at = 0;
    for (; several !== null && at + severalRows <= rows.length; at += severalRows) {
      change(several(), columns, { statement, rows: rows.slice(at, at + severalRows) });
    }
    for (; at < rows.length; at++) change(one, columns, { statement, rows: [rows[at]!] });
    return [];
  };
}

/** A plain object: those of node:sqlite have no prototype and are several times slower to read. */
function asObject(names: readonly string[], values: readonly unknown[]): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  for (let index = 0; index < names.length; index += 1) row[names[index]!] = values[index];
  return row;
}

/** Primary result codes, https://sqlite.org/rescode.html */
const SQLITE_BUSY = 5;
const SQLITE_LOCKED = 6;
const SQLITE_READONLY = 8;
const SQLITE_IOERR = 10;
const SQLITE_CORRUPT = 11;
const SQLITE_FULL = 13;
const SQLITE_CANTOPEN = 14;
const SQLITE_NOTADB = 26;
/** The shared-memory index could not grow: the disk is full, the log is untouched. */
const SQLITE_IOERR_SHMSIZE = 4874;

/** Maps an error of SQLite to an error of the store; returns other errors unchanged. */
export function meaning(error: unknown): unknown {
  const code = (error as { errcode?: unknown }).errcode;
  if (typeof code !== 'number') return error;
  const text = `SQLite: ${(error as Error).message} (${code})`;
  if (code === SQLITE_IOERR_SHMSIZE) return new StoreUnavailable('full', text);
  switch (code & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return new StoreUnavailable('busy', text);
    case SQLITE_FULL:
      return new StoreUnavailable('full', text);
    case SQLITE_CANTOPEN:
      return new StoreUnavailable('down', text);
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return new StoreCorrupt(text);
    case SQLITE_IOERR:
    case SQLITE_READONLY:
      return new StoreBroken(text);
    default:
      return error;
  }
}

/** SQLite's codes for a disk that failed during a write: nothing may be written afterwards, not even by closing. */
const failedWrites = [
  SQLITE_IOERR | (3 << 8),
  SQLITE_IOERR | (4 << 8),
  SQLITE_IOERR | (5 << 8),
  SQLITE_IOERR | (6 << 8),
];

/**
 * Maps an error of opening a store: unusable files are reported by name. A disk failure during a write stays
 * StoreBroken.
 */
export function openingError(error: unknown, path: string): unknown {
  const known = meaning(error);
  const { errcode, code, syscall } = (error ?? {}) as NodeJS.ErrnoException & { errcode?: number };
  const reason = error instanceof Error ? error.message : String(error);
  if (known instanceof StoreCorrupt) return new StoreDamaged(`The database ${path} is damaged: ${reason}.`);
  const isRefusal = errcode !== undefined && !failedWrites.includes(errcode);
  const isUnusable = known instanceof StoreBroken || (known instanceof StoreUnavailable && known.reason === 'down');
  if (isRefusal && isUnusable) return new StoreDamaged(`The database ${path} cannot be used: ${reason} (${errcode}).`);
  if (code !== undefined && syscall === 'open')
    return new StoreDamaged(`A file of the store cannot be used: ${reason}.`);
  return known;
}
