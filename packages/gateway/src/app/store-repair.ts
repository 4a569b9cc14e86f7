/**
 * Examines a SQLite store's files without opening it as a gateway: damage, the pending journal, and recoverable data. A
 * running node must not use the same files.
 */
import { copyFileSync, existsSync, readdirSync, renameSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { syncPath } from '../kernel/sync-path.ts';
import { journalNote, recoverDamaged, recoverJournal, stillLost } from '../messaging/store/journaled/recover.ts';
import { type Lost, type Salvage, salvage } from '../messaging/store/journaled/salvage.ts';
import { unknownOf } from '../messaging/store/operations/keep.ts';
import { neededMedia } from '../messaging/store/operations/media.ts';
import { selectMediaHashes } from '../messaging/store/statements/media.ts';
import { StoreRefused } from '../store/faults.ts';
import type { BroughtIn } from '../store/hook.ts';
import { faultText } from '../store/journal/fault-text.ts';
import { type Fault, type JournalNote, type Look, lookAtJournal, outOfUse } from '../store/journal/look.ts';
import { type DatabaseFault, databaseFault, logPath, olderThanNoted, refusalOf } from '../store/log-note.ts';
import { migrateAll, pendingMigrations } from '../store/migrate.ts';
import { type Operation, run } from '../store/query.ts';
import {
  faultOf,
  lockNode,
  openingError,
  openSqliteReader,
  openSqliteWriter,
  type SqliteConnection,
  tryLockNode,
} from '../store/sqlite-connection.ts';
import { requireUsable, sqliteFiles, unusableFile } from '../store/sqlite-files.ts';
import { StoreDamaged } from '../store/store-damaged.ts';
import { nodeToken } from '../store/system/operations.ts';

export interface DatabaseState {
  path: string;
  bytes: number;
  /** Null when it is intact. */
  fault: string | null;
  /** Describes data that a node had on disk and that is missing; null if complete, and while a gateway runs. */
  missing: string | null;
}

export interface JournalState {
  path: string;
  /** Describes the damage; null when the journal is as its node left it. */
  fault: string | null;
  frames: number;
  mended: number;
  torn: boolean;
  /** Requests that the database lacks and that recovery would add. */
  requests: number;
  messages: number;
  /** How many of their messages may have been sent during a gap of the frames. */
  doubtful: number;
  lost: Lost;
}

export interface StoreState {
  database: DatabaseState;
  /** Null while a gateway runs (part of the journal is in its memory), and when the database cannot be read. */
  journal: JournalState | null;
  isRunning: boolean;
  /** Hashes of the media needed by an unsent message or a link. */
  needed: string[];
}

/** Read-only. Throws StoreRefused when there is no store. */
export function lookAtSqlite(dataDir: string, now: number): StoreState {
  const { path, journalPath, lockPath } = sqliteFiles(dataDir);
  requireThere(path);
  const unusable = unusableFile(dataDir);
  const unlock = existsSync(lockPath) ? tryLockNode(lockPath) : () => {};
  try {
    const isRunning = unlock === null;
    const found = isRunning || unusable !== null ? null : databaseFault(path);
    if (found?.kind === 'gone') throw new StoreDamaged(refusalOf(found));
    const bytes = statSync(path).size;
    const fault = unusable ?? faultOfFile(path);
    const older = () => withReader(path, (reader) => olderThanNoted(path, reader.read(nodeToken())));
    const missing = isRunning || fault !== null ? found : (found ?? older());
    const database = { path, bytes, fault, missing: missing?.text ?? null };
    if (fault !== null) return { database, journal: null, isRunning, needed: [] };
    return {
      database,
      isRunning,
      journal: isRunning ? null : withReader(path, (reader) => journalState(reader, journalPath)),
      needed: withReader(path, (reader) => reader.read(mediaInUse(now))),
    };
  } finally {
    unlock?.();
  }
}

function requireThere(path: string): void {
  // Unlike existsSync this throws when the folder cannot be read: the database may well be there.
  if (statSync(path, { throwIfNoEntry: false }) === undefined) throw new StoreDamaged(`There is no database ${path}.`);
}

/** A journal that is not there reads like an empty one: nothing would seem to be missing. */
function requireFile(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) throw new StoreRefused(`There is no file ${path}.`);
  if (!found.isFile()) throw new StoreRefused(`${path} is not a file.`);
}

function faultOfFile(path: string): string | null {
  try {
    const db = new DatabaseSync(path, { readOnly: true });
    try {
      const fault = faultOf(db, 'integrity_check');
      if (fault !== null) return fault;
      pendingMigrations(Number(db.prepare('select max(version) as version from schema_versions').get()?.version));
      return null;
    } finally {
      db.close();
    }
  } catch (error) {
    if (error instanceof StoreRefused) throw error;
    return (error as Error).message;
  }
}

function* mediaInUse(now: number): Operation<string[]> {
  const hashes = (yield* run(selectMediaHashes, [{}])).map(({ hash }) => hash);
  return yield* neededMedia({ hashes, now, keptSince: now + 1 });
}

function withReader<T>(path: string, work: (reader: SqliteConnection) => T): T {
  const reader = openSqliteReader(path);
  try {
    return work(reader);
  } finally {
    reader.close();
  }
}

function journalState(reader: SqliteConnection, path: string): JournalState {
  const look = lookAtJournal(path, reader.read(journalNote()));
  const { table, frames, mended, doubtful, lost } = salvage(look);
  const unknown = reader.read(unknownOf(table.all()));
  return {
    path,
    fault: asWords(path, look),
    frames,
    mended,
    torn: look.torn,
    doubtful,
    requests: unknown.length,
    messages: unknown.reduce((sum, { tries }) => sum + tries.length, 0),
    lost: reader.read(stillLost(lost)),
  };
}

function asWords(path: string, { fault, generation }: { fault: Fault | null; generation: number }): string | null {
  return fault === null ? null : faultText(path, fault, generation);
}

export interface Recovery extends BroughtIn, Pick<Salvage, 'mended' | 'doubtful' | 'lost'> {
  /** Describes the journal's fault; null if a start would accept it. */
  fault: string | null;
  /** Where the damaged file is kept; null when there is none. */
  kept: string | null;
  /** Missing data that was on disk, and where the database's damaged log is kept; null if complete. */
  database: { missing: string; kept: string | null } | null;
}

/**
 * Recovers the readable lines of the journal, so that the next start does not need it. After a kill it can run again.
 * With `from`, it reads the journal of a lost database into this one. Throws StoreRefused while a gateway runs, and
 * StoreDamaged for an unusable database.
 */
export function recoverSqlite(where: { dataDir: string; from: string | null; now: number }): Recovery {
  const { path, lockPath } = sqliteFiles(where.dataDir);
  if (where.from !== null) requireFile(where.from);
  requireThere(path);
  requireUsable(where.dataDir);
  const unlock = lockNode(lockPath);
  try {
    const fault = databaseFault(path);
    if (fault?.kind === 'gone') throw new StoreDamaged(refusalOf(fault));
    const kept = fault === null ? null : keepLog(path, fault);
    const connection = openSqliteWriter(path);
    try {
      migrateAll(connection, where.now);
      const token = connection.read(nodeToken());
      const missing = fault ?? olderThanNoted(path, token);
      const done = where.from === null ? recoverOwn(connection, where) : recoverFrom(connection, where.from, where);
      // The loss is accepted: the next start uses the database as it is.
      connection.began(token);
      return { ...done, database: missing === null ? null : { missing: missing.text, kept } };
    } finally {
      connection.close();
    }
  } catch (error) {
    throw openingError(error, path);
  } finally {
    unlock();
  }
}

/** A log that SQLite can read in part also stays in place. */
function keepLog(path: string, { kind }: DatabaseFault): string {
  const log = logPath(path);
  const before = readdirSync(dirname(log)).filter((name) => name.startsWith(`${basename(log)}.damaged-`)).length;
  const aside = `${log}.damaged-${before + 1}`;
  if (kind === 'log') copyFileSync(log, aside);
  else renameSync(log, aside);
  syncPath(aside);
  syncPath(dirname(log));
  return aside;
}

type JournalRecovery = Omit<Recovery, 'database'>;

function recoverOwn(connection: SqliteConnection, { dataDir, now }: { dataDir: string; now: number }): JournalRecovery {
  const { journalPath } = sqliteFiles(dataDir);
  const note = connection.read(journalNote());
  const begun = keptOf(journalPath, note);
  // An interrupted recovery has already moved it aside.
  const isBegun = begun.length > 0 && !existsSync(journalPath);
  const look = lookAtJournal(isBegun ? begun.at(-1)! : journalPath, note);
  if (look.fault === null && !isBegun) {
    const none = { frames: 0, requests: 0, messages: 0, torn: look.torn };
    const found = recoverJournal(connection, journalPath, now) ?? none;
    return {
      ...found,
      fault: null,
      kept: null,
      mended: 0,
      doubtful: 0,
      lost: { frames: 0, requests: [], messages: [] },
    };
  }
  const kept = isBegun ? begun.at(-1)! : putAside(journalPath, note);
  return saved(connection, { look, kept, words: asWords(journalPath, look), now });
}

function recoverFrom(connection: SqliteConnection, from: string, { now }: { now: number }): JournalRecovery {
  const note = connection.read(journalNote());
  if (note.frames !== null && note.frames !== outOfUse) {
    throw new StoreRefused('The journal of this store was not brought in yet. First: npx helio recover');
  }
  const look = lookAtJournal(from, { ...note, frames: outOfUse });
  if (look.fault?.kind !== 'newer') {
    throw new StoreRefused(`${from} holds nothing that this database does not have, or is no whole journal.`);
  }
  return saved(connection, { look, kept: from, words: asWords(from, look), now });
}

function saved(
  connection: SqliteConnection,
  { look, kept, words, now }: { look: Look; kept: string | null; words: string | null; now: number },
): JournalRecovery {
  const { frames, requests, messages, torn, mended, doubtful, lost } = recoverDamaged(connection, look, now);
  return { frames, requests, messages, torn, mended, doubtful, lost, fault: words, kept };
}

const asideName = (path: string, { done }: JournalNote) => `${path}.damaged-${done + 1}`;

/** Moved-aside files of the current generation, in their original order. */
function keptOf(path: string, note: JournalNote): string[] {
  const own = basename(asideName(path, note));
  const names = readdirSync(dirname(path)).filter((name) => name === own || name.startsWith(`${own}.`));
  return names.sort((a, b) => a.length - b.length || (a < b ? -1 : 1)).map((name) => join(dirname(path), name));
}

/** Null when there is no file. */
function putAside(path: string, note: JournalNote): string | null {
  if (!existsSync(path)) return null;
  const before = keptOf(path, note).length;
  const aside = before === 0 ? asideName(path, note) : `${asideName(path, note)}.${before + 1}`;
  renameSync(path, aside);
  syncPath(dirname(path));
  return aside;
}
