/**
 * The thread that owns a SQLite connection: one as the only writer, one for look-ups, so that neither fsync nor a long read
 * ever stops the main thread. It must never answer a group before its transaction is on disk.
 */
import { writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { type LookUpKind, lookUp, runGroup, type WriteCall } from './engine.ts';
import { mergeGroups, rowsOf } from './merge.ts';
import { migrate, pendingMigrations, schemaVersion } from './migrate.ts';
import { createPositions, type Positions, type WriteContext } from './operations/context.ts';
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
import { syncPath } from './sync-path.ts';

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

/**
 * A letter back holds several, as JSON: measured, half the cost of having their many small objects cloned. The first, with
 * id 0, tells of the opening; its result is the token.
 */
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
  sending: WriteContext['sending'];
  close(): void;
}

function open(data: SqliteWorkerData): Opened {
  if (data.duty === 'read') {
    const connection = openSqliteReader(data.path);
    return { connection, token: 0, positions: createPositions(0), sending: new Map(), close: connection.close };
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
    return { connection, token, positions, sending: new Map(), close };
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

type CommitRequest = SqliteRequest & { kind: 'commit' };

/** Rows in one transaction of several groups: measured, more gains little and makes others wait. */
const mergedRowsMax = 512;

function commit({ connection, positions, sending }: Opened, { calls, token, now }: CommitRequest): unknown[][] {
  try {
    return connection.write(runGroup(calls, { token, now, positions, sending }));
  } catch (error) {
    // It has been undone: what it left here is not what is stored.
    sending.clear();
    throw error;
  }
}

/**
 * All of them in one transaction. A failure of the store hits all; for a mistake in one of them, each gets a transaction of
 * its own. When the store is broken, nothing more is tried.
 */
function commitTogether(opened: Opened, requests: readonly CommitRequest[]): SqliteReply[] {
  const last = requests.at(-1)!;
  const merged = mergeGroups(requests.map(({ calls }) => calls));
  try {
    const results = merged.split(commit(opened, { ...last, calls: merged.calls }));
    return requests.map(({ id }, index) => ({ id, result: results[index] }));
  } catch (error) {
    const hitsAll = requests.length === 1 || error instanceof StoreBroken || error instanceof StoreUnavailable;
    if (hitsAll) return requests.map(({ id }) => ({ id, error: asSent(error) }));
    let broken: SentError | null = null;
    return requests.map((request) => {
      if (broken) return { id: request.id, error: broken };
      const reply = commitTogether(opened, [request])[0]!;
      if ('error' in reply && reply.error.kind === 'broken') broken = reply.error;
      return reply;
    });
  }
}

function answer(id: number, work: () => unknown): SqliteReply {
  try {
    return { id, result: work() ?? null };
  } catch (error) {
    return { id, error: asSent(error) };
  }
}

function serve(opened: Opened, request: Exclude<SqliteRequest, CommitRequest>): unknown {
  switch (request.kind) {
    case 'lookUp':
      return opened.connection.read(lookUp(request.lookUp, request.request) as Operation<unknown>);
    case 'close':
      return opened.close();
  }
}

function send(port: MessagePort, replies: readonly SqliteReply[]): void {
  port.postMessage(JSON.stringify(replies));
}

/**
 * After the answer is out, since nobody waits for it. When it fails, the process is killed and not ended: ending closes
 * the file, which would sync it once more, believe the second answer of the disk, and throw away the log that still has
 * everything.
 */
function checkpoint({ connection }: Opened): void {
  try {
    connection.checkpoint();
  } catch (error) {
    writeSync(stderr, `the store cannot be trusted any more: ${asSent(error).message}\n`);
    process.kill(process.pid, 'SIGKILL');
  }
}

function read(letter: SqliteRequest | string): SqliteRequest {
  return typeof letter === 'string' ? JSON.parse(letter) : letter;
}

/** What has arrived by now; whatever came while the last transaction ran shares the next one. */
function* arrived(port: MessagePort, first: SqliteRequest): Generator<SqliteRequest> {
  yield first;
  for (let next = receiveMessageOnPort(port); next; next = receiveMessageOnPort(port)) yield read(next.message);
}

function work(port: MessagePort, opened: Opened, first: SqliteRequest): void {
  let group: CommitRequest[] = [];
  let rows = 0;
  const commitGroup = () => {
    if (group.length === 0) return;
    const replies = commitTogether(opened, group);
    send(port, replies);
    if (replies.some((reply) => 'result' in reply)) checkpoint(opened);
    group = [];
    rows = 0;
  };
  for (const request of arrived(port, first)) {
    if (request.kind === 'commit') {
      group.push(request);
      rows += request.calls.reduce((sum, call) => sum + rowsOf(call), 0);
      if (rows >= mergedRowsMax) commitGroup();
      continue;
    }
    commitGroup();
    send(port, [answer(request.id, () => serve(opened, request))]);
    if (request.kind === 'close') {
      port.close();
      return;
    }
  }
  commitGroup();
}

function begin(port: MessagePort): void {
  try {
    const opened = open(workerData as SqliteWorkerData);
    send(port, [{ id: 0, result: opened.token }]);
    port.on('message', (letter: SqliteRequest | string) => work(port, opened, read(letter)));
  } catch (error) {
    send(port, [{ id: 0, error: asSent(error) }]);
  }
}

begin(parentPort!);
