/**
 * The thread that owns a SQLite connection: one as the only writer, one for look-ups, so that neither fsync nor a long read
 * ever stops the main thread. It must never answer a group before its transaction is on disk.
 */
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { type LookUpKind, lookUp, runGroup, type WriteCall } from './engine.ts';
import { migrate, pendingMigrations, schemaVersion } from './migrate.ts';
import { createPositions, type Positions } from './operations/context.ts';
import { lastPosition } from './operations/queue.ts';
import { raiseNodeToken } from './operations/records.ts';
import type { Operation } from './query.ts';
import {
  lockNode,
  meaning,
  openSqliteReader,
  openSqliteWriter,
  type SqliteConnection,
  type SqliteSettings,
} from './sqlite-connection.ts';
import { StoreBroken, StoreRefused, StoreUnavailable } from './store.ts';

export interface SqliteWorkerData {
  duty: 'write' | 'read';
  /** A tool takes no node lock and no token. */
  role: 'node' | 'tool';
  path: string;
  lockPath: string;
  settings: SqliteSettings;
  now: number;
}

export type SqliteRequest =
  | { id: number; kind: 'commit'; calls: readonly WriteCall[]; token: number; now: number }
  | { id: number; kind: 'lookUp'; lookUp: LookUpKind; request: unknown }
  | { id: number; kind: 'close' };

/** The errors of the seam, flattened: classes do not survive the way between threads. */
export interface SentError {
  kind: 'refused' | 'broken' | 'full' | 'busy' | 'down' | 'other';
  message: string;
}

/** The first reply, with id 0, tells of the opening; its result is the token. */
export type SqliteReply = { id: number; result: unknown } | { id: number; error: SentError };

const stderr = 2;

function asSent(error: unknown): SentError {
  const known = meaning(error);
  const message = known instanceof Error ? known.message : String(known);
  if (known instanceof StoreRefused) return { kind: 'refused', message };
  if (known instanceof StoreBroken) return { kind: 'broken', message };
  if (known instanceof StoreUnavailable) return { kind: known.reason, message };
  return { kind: 'other', message };
}

interface Opened {
  connection: SqliteConnection;
  token: number;
  positions: Positions;
  close(): void;
}

function open(data: SqliteWorkerData): Opened {
  if (data.duty === 'read') {
    const connection = openSqliteReader(data.path);
    return { connection, token: 0, positions: createPositions(0), close: connection.close };
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
    const token = data.role === 'node' ? connection.write(raiseNodeToken()) : 0;
    syncFolder(dirname(data.path));
    const positions = createPositions(connection.read(lastPosition()));
    return { connection, token, positions, close };
  } catch (error) {
    close();
    throw error;
  }
}

/** SQLite asks for this too when it makes a file, but goes on when it fails: then the log's very name could be lost. */
function syncFolder(path: string): void {
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } catch (error) {
    throw new StoreBroken(`the data folder cannot be synced: ${error}`);
  } finally {
    closeSync(folder);
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

function serve(opened: Opened, request: SqliteRequest): unknown {
  const { connection } = opened;
  switch (request.kind) {
    case 'commit':
      return connection.write(
        runGroup(request.calls, { token: request.token, now: request.now, positions: opened.positions }),
      );
    case 'lookUp':
      return connection.read(lookUp(request.lookUp, request.request) as Operation<unknown>);
    case 'close':
      return opened.close();
  }
}

/**
 * Does the work and sends what came of it; true when it went well. Replies travel as JSON: measured, half the cost of
 * having their many small objects cloned.
 */
function reply(id: number, work: () => unknown): boolean {
  try {
    const result = work();
    parentPort!.postMessage(JSON.stringify({ id, result: result ?? null } satisfies SqliteReply));
    return true;
  } catch (error) {
    parentPort!.postMessage(JSON.stringify({ id, error: asSent(error) } satisfies SqliteReply));
    return false;
  }
}

/**
 * After the answer is out, since nobody waits for it. When it fails, the process is killed and not ended: ending closes
 * the file, which would sync it once more, believe the second answer of the disk, and throw away the log that still has
 * everything.
 */
function checkpoint(): void {
  try {
    opened.connection.checkpoint();
  } catch (error) {
    writeSync(stderr, `the store cannot be trusted any more: ${asSent(error).message}\n`);
    process.kill(process.pid, 'SIGKILL');
  }
}

let opened: Opened;
const isOpen = reply(0, () => {
  opened = open(workerData as SqliteWorkerData);
  return opened.token;
});
if (isOpen) {
  parentPort!.on('message', (letter: SqliteRequest | string) => {
    const request: SqliteRequest = typeof letter === 'string' ? JSON.parse(letter) : letter;
    const done = reply(request.id, () => serve(opened, request));
    if (request.kind === 'commit' && done) checkpoint();
    if (request.kind === 'close') parentPort!.close();
  });
}
