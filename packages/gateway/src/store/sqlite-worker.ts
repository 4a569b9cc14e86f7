/**
 * The thread that owns a SQLite connection: one as the only writer, one for look-ups, so that neither fsync nor a long read
 * ever stops the main thread. What it does with its letters is in `sqlite-service.ts`.
 */
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { openJournal } from './journal/journal.ts';
import { recoverJournal } from './journal/recover.ts';
import { JournaledWriter } from './journal/writer.ts';
import { migrate, pendingMigrations, schemaVersion } from './migrate.ts';
import { createPositions } from './operations/context.ts';
import { lastPosition } from './operations/queue.ts';
import { journalGeneration, raiseNodeToken } from './operations/records.ts';
import {
  lockNode,
  openSqliteReader,
  openSqliteWriter,
  type SqliteConnection,
  type SqliteSettings,
  tryLockNode,
} from './sqlite-connection.ts';
import { asSent, type Opened, read, Service, type SqliteRequest, send } from './sqlite-service.ts';
import { StoreBroken } from './store.ts';
import { syncPath } from './sync-path.ts';

export interface SqliteWorkerData {
  duty: 'write' | 'read';
  /** A tool takes no node lock and no token. */
  role: 'node' | 'tool';
  path: string;
  lockPath: string;
  journalPath: string;
  settings: SqliteSettings;
  now: number;
}

function open(data: SqliteWorkerData): Opened {
  if (data.duty === 'read') {
    const connection = openSqliteReader(data.path);
    return { connection, token: 0, writer: null, close: connection.close };
  }
  const unlock = data.role === 'node' ? lockNode(data.lockPath) : () => {};
  let connection: SqliteConnection | null = null;
  const close = () => {
    connection?.close();
    unlock();
  };
  try {
    connection = openSqliteWriter(data.path, data.settings);
    migrateSchema(connection, data);
    bringIn(connection, data);
    const token = data.role === 'node' ? connection.write(raiseNodeToken()) : 0;
    const positions = createPositions(connection.read(lastPosition()));
    const context = { token, positions, sending: new Map() };
    const generation = connection.read(journalGeneration()) + 1;
    const journal = data.role === 'node' ? openJournal(data.journalPath, generation) : null;
    syncFolder(dirname(data.path));
    return { connection, token, writer: new JournaledWriter({ connection, journal, generation, context }), close };
  } catch (error) {
    close();
    throw error;
  }
}

/** SQLite asks for this too when it makes a file, but goes on when it fails: then the log's very name could be lost. */
function syncFolder(path: string): void {
  try {
    syncPath(path);
  } catch (error) {
    throw new StoreBroken(`the data folder cannot be synced: ${error}`);
  }
}

/** A tool may change the schema only while no node runs. */
function migrateSchema(connection: SqliteConnection, { role, lockPath, now }: SqliteWorkerData): void {
  const pending = pendingMigrations(connection.write(schemaVersion()));
  if (pending.length === 0) return;
  const unlock = role === 'tool' ? lockNode(lockPath) : () => {};
  try {
    for (const migration of pending) connection.write(migrate(migration, now));
  } finally {
    unlock();
  }
}

/** What a node that died left in its journal. A tool leaves it to the node that runs, if one does. */
function bringIn(connection: SqliteConnection, { role, lockPath, journalPath, now }: SqliteWorkerData): void {
  if (!existsSync(journalPath)) return;
  const unlock = role === 'tool' ? tryLockNode(lockPath) : () => {};
  if (unlock === null) return;
  try {
    recoverJournal(connection, journalPath, now);
  } finally {
    unlock();
  }
}

function begin(port: MessagePort): void {
  try {
    const opened = open(workerData as SqliteWorkerData);
    send(port, [{ id: 0, result: opened.token }]);
    const service = new Service(port, opened);
    port.on('message', (letter: SqliteRequest | string) => service.serve(read(letter)));
  } catch (error) {
    send(port, [{ id: 0, error: asSent(error) }]);
  }
}

begin(parentPort!);
