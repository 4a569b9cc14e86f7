/**
 * The thread that owns a SQLite connection: one for writing, one for reads, so neither fsync nor a long read blocks
 * the main thread.
 */
import { dirname } from 'node:path';
import type { MessagePort } from 'node:worker_threads';
import { syncPath } from '../kernel/sync-path.ts';
import type { Catalogue } from './catalogue.ts';
import { createPositions } from './context.ts';
import { StoreBroken } from './faults.ts';
import type { BroughtIn, JournalHook } from './hook.ts';
import { openJournal } from './journal/journal.ts';
import { JournaledWriter } from './journal/writer.ts';
import { type DatabaseFault, databaseFault, olderThanNoted, refusalOf } from './log-note.ts';
import { isBehind, migrateAll } from './migrate.ts';
import {
  lockNode,
  openingError,
  openSqliteReader,
  openSqliteWriter,
  type SqliteConnection,
  type SqliteSettings,
  tryLockNode,
} from './sqlite-connection.ts';
import { asSent, type Opened, type OpenedStore, read, Service, type SqliteRequest, send } from './sqlite-service.ts';
import { StoreDamaged } from './store-damaged.ts';
import { beginNode, journalGeneration, lastPosition, nodeToken } from './system/operations.ts';

export interface SqliteWorkerData {
  duty: 'write' | 'read';
  /** A tool takes neither node lock nor token. */
  role: 'node' | 'tool';
  path: string;
  lockPath: string;
  journalPath: string;
  settings: SqliteSettings;
  /** The file of the thread that copies the log. */
  copyThread: string;
  now: number;
}

function open(data: SqliteWorkerData, catalogue: Catalogue, hook: JournalHook): Opened {
  if (data.duty === 'read') {
    const connection = openSqliteReader(data.path);
    return { catalogue, connection, token: 0, recovered: null, writer: null, close: connection.close };
  }
  let unlock = () => {};
  let connection: SqliteConnection | null = null;
  const close = () => {
    connection?.close();
    unlock();
  };
  try {
    if (data.role === 'node') unlock = lockNode(data.lockPath);
    whileNoNode(data, () => refuse(databaseFault(data.path)));
    connection = openSqliteWriter(data.path, data.settings, new URL(data.copyThread));
    migrateSchema(connection, data);
    refuse(olderThanNoted(data.path, connection.read(nodeToken())));
    const recovered = bringIn(connection, data, hook);
    // Skips a generation, so that leftovers of a torn frame are never read.
    const done = connection.read(journalGeneration()) + 1;
    const generation = done + 1;
    const journal = data.role === 'node' ? openJournal(data.journalPath, generation) : null;
    syncFolder(dirname(data.path));
    const isNoted = journal !== null && journal.freeBytes() > 0;
    // Written before the journal's first frame, so that a start without this journal detects that it is missing.
    const token = journal === null ? 0 : connection.write(beginNode(done, isNoted));
    if (token > 0) connection.began(token);
    const positions = createPositions(connection.read(lastPosition()));
    const context = { token, positions, sending: new Map() };
    const buffer = hook.openBuffer(token);
    const writer = new JournaledWriter({ catalogue, buffer, connection, journal, generation, isNoted, context });
    return { catalogue, connection, token, recovered, writer, close };
  } catch (error) {
    const known = openingError(error, data.path);
    // After a disk failure, closing would write again and trust the disk's next answer.
    if (!(known instanceof StoreBroken)) close();
    throw known;
  }
}

/**
 * SQLite also syncs the folder when it creates a file, but ignores a failure: the log's directory entry could be lost.
 */
function syncFolder(path: string): void {
  try {
    syncPath(path);
  } catch (error) {
    throw new StoreBroken(`the data folder cannot be synced: ${error}`);
  }
}

/** A tool may change the schema only while no node runs. */
function migrateSchema(connection: SqliteConnection, { role, lockPath, now }: SqliteWorkerData): void {
  const unlock = role === 'tool' && isBehind(connection) ? lockNode(lockPath) : () => {};
  try {
    migrateAll(connection, now);
  } finally {
    unlock();
  }
}

/** Recovers a dead node's journal. A tool leaves it to a running node. */
function bringIn(connection: SqliteConnection, data: SqliteWorkerData, hook: JournalHook): BroughtIn | null {
  return whileNoNode(data, () => hook.recover(connection, data.journalPath, data.now));
}

/** A node may always do this work, a tool only while no node runs. Null when it was not done. */
function whileNoNode<T>({ role, lockPath }: SqliteWorkerData, work: () => T): T | null {
  const unlock = role === 'tool' ? tryLockNode(lockPath) : () => {};
  if (unlock === null) return null;
  try {
    return work();
  } finally {
    unlock();
  }
}

function refuse(fault: DatabaseFault | null): void {
  if (fault !== null) throw new StoreDamaged(refusalOf(fault));
}

/** Called by the file that the thread begins with, which knows the modules. Serves one store, and closes `port` with it. */
export function serveSqlite(port: MessagePort, data: SqliteWorkerData, catalogue: Catalogue, hook: JournalHook): void {
  try {
    const opened = open(data, catalogue, hook);
    send(port, [{ id: 0, result: { token: opened.token, recovered: opened.recovered } satisfies OpenedStore }]);
    const service = new Service(port, opened);
    port.on('message', (received: SqliteRequest | string) => service.serve(read(received)));
  } catch (error) {
    send(port, [{ id: 0, error: asSent(error) }]);
  }
}
