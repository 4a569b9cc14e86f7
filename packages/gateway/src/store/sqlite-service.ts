/**
 * What a thread of a SQLite store does with the letters it gets: commits share transactions, and what needs everything in the
 * database waits, in its order, while memory is brought there step by step. It must never answer a group before it is on disk.
 */
import { writeSync } from 'node:fs';
import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import { type LookUpKind, lookUp, type WriteCall } from './engine.ts';
import type { JournaledWriter } from './journal/writer.ts';
import { mergeGroups, rowsOf } from './merge.ts';
import type { Operation } from './query.ts';
import { meaning, type SqliteConnection } from './sqlite-connection.ts';
import { StoreBroken, StoreRefused, StoreUnavailable } from './store.ts';

export type SqliteRequest =
  | { id: number; kind: 'commit'; calls: readonly WriteCall[]; now: number }
  | { id: number; kind: 'lookUp'; lookUp: LookUpKind; request: unknown }
  /** Everything that was committed goes to where look-ups read. */
  | { id: number; kind: 'flush' }
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

export function asSent(error: unknown): SentError {
  const known = meaning(error);
  const message = known instanceof Error ? known.message : String(known);
  if (known instanceof StoreRefused) return { kind: 'refused', message };
  if (known instanceof StoreBroken) return { kind: 'broken', message };
  if (known instanceof StoreUnavailable) return { kind: known.reason, message };
  return { kind: 'other', message };
}

export interface Opened {
  connection: SqliteConnection;
  token: number;
  /** Null in the thread that only reads. */
  writer: JournaledWriter | null;
  close(): void;
}

type CommitRequest = SqliteRequest & { kind: 'commit' };

/** Rows in one transaction of several groups: measured, more gains little and makes others wait. */
const mergedRowsMax = 512;

/**
 * All of them in one transaction. A failure of the store hits all; for a mistake in one of them, each gets a transaction of
 * its own. When the store is broken, nothing more is tried.
 */
function commitTogether(opened: Opened, requests: readonly CommitRequest[]): SqliteReply[] {
  const last = requests.at(-1)!;
  const merged = mergeGroups(requests.map(({ calls }) => calls));
  try {
    const results = merged.split(opened.writer!.commit(merged.calls, last.now));
    const replies: SqliteReply[] = [];
    for (let i = 0; i < requests.length; i++) replies.push({ id: requests[i]!.id, result: results[i] });
    return replies;
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

export function send(port: MessagePort, replies: readonly SqliteReply[]): void {
  port.postMessage(JSON.stringify(replies));
}

/**
 * Work nobody waits for. When it fails, the process is killed and not ended: ending closes the file, which would sync it
 * once more, believe the second answer of the disk, and throw away the log that still has everything.
 */
function orDie<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    writeSync(stderr, `the store cannot be trusted any more: ${asSent(error).message}\n`);
    process.kill(process.pid, 'SIGKILL');
    throw error;
  }
}

export function read(letter: SqliteRequest | string): SqliteRequest {
  return typeof letter === 'string' ? JSON.parse(letter) : letter;
}

/** Commits that share transactions, of no more rows than that. */
class Group {
  readonly #commit: (requests: CommitRequest[]) => void;
  #requests: CommitRequest[] = [];
  #rows = 0;

  constructor(commit: (requests: CommitRequest[]) => void) {
    this.#commit = commit;
  }

  add(request: CommitRequest): void {
    this.#requests.push(request);
    this.#rows += rowsIn(request);
    if (this.#rows >= mergedRowsMax) this.end();
  }

  end(): void {
    const requests = this.#requests;
    this.#requests = [];
    this.#rows = 0;
    if (requests.length > 0) this.#commit(requests);
  }
}

function rowsIn({ calls }: CommitRequest): number {
  return calls.reduce((rows, call) => rows + rowsOf(call), 0);
}

/** Id of what nobody asked for. */
const unasked = -1;

/** Nothing came for so long: there is time for what can wait; and after so many of these, for all of it. */
const quietMs = 20;
const quietsUntilFlush = 50;
/** Steps after which what waits for a flush is served whatever is still in memory. */
const stepsMax = 1_000;

/** What the thread does with the letters it gets. */
export class Service {
  readonly #port: MessagePort;
  readonly #opened: Opened;
  /** What needs everything in the database, in its order. */
  #waiting: SqliteRequest[] = [];
  #steps = 0;
  #quiet: NodeJS.Timeout | null = null;
  #quiets = 0;
  #closed = false;

  constructor(port: MessagePort, opened: Opened) {
    this.#port = port;
    this.#opened = opened;
  }

  /** Serves what has arrived by now: whatever came while the last transaction ran shares the next one. */
  serve(first: SqliteRequest | null): void {
    const { writer } = this.#opened;
    const group = new Group((requests) => this.#commit(requests));
    for (const request of this.#arrived(first)) {
      if (request.kind !== 'commit' && (request.kind === 'lookUp' || writer === null)) this.#answer(request);
      else if (request.kind === 'commit' && writer!.takes(request.calls)) group.add(request);
      else this.#waiting.push(request);
    }
    group.end();
    if (writer === null) return;
    if (this.#waiting.length === 0 && writer.isLong()) this.#waiting.push({ id: unasked, kind: 'flush' });
    this.#serveWaiting();
    if (!this.#closed) this.#awaitQuiet();
  }

  *#arrived(first: SqliteRequest | null): Generator<SqliteRequest> {
    if (first) yield first;
    for (let next = receiveMessageOnPort(this.#port); next; next = receiveMessageOnPort(this.#port)) {
      yield read(next.message);
    }
  }

  #commit(requests: CommitRequest[]): void {
    const { writer, connection } = this.#opened;
    const replies = commitTogether(this.#opened, requests);
    send(this.#port, replies);
    if (!replies.some((reply) => 'result' in reply)) return;
    orDie(() => {
      writer!.relieve(requests.reduce((rows, request) => rows + rowsIn(request), 0));
      connection.checkpoint();
    });
  }

  /** Step by step, so that what can go on without it does; then in their order. */
  #serveWaiting(): void {
    if (this.#waiting.length === 0) return;
    if (this.#steps < stepsMax && orDie(() => this.#opened.writer!.step())) {
      this.#steps += 1;
      setImmediate(() => this.serve(null));
      return;
    }
    this.#steps = 0;
    const waiting = this.#waiting;
    this.#waiting = [];
    const group = new Group((requests) => this.#commit(requests));
    for (const request of waiting) {
      if (request.kind === 'commit') {
        group.add(request);
        continue;
      }
      group.end();
      this.#answer(request);
    }
    group.end();
  }

  #answer(request: Exclude<SqliteRequest, CommitRequest>): void {
    const reply = answer(request.id, () => this.#do(request));
    if (request.id !== unasked) send(this.#port, [reply]);
    if (request.kind === 'close') this.#port.close();
  }

  #do(request: Exclude<SqliteRequest, CommitRequest>): unknown {
    const { connection, writer, close } = this.#opened;
    switch (request.kind) {
      case 'lookUp':
        return connection.read(lookUp(request.lookUp, request.request) as Operation<unknown>);
      case 'flush':
        return writer!.flush();
      case 'close':
        this.#closed = true;
        if (this.#quiet) clearTimeout(this.#quiet);
        try {
          return writer?.close();
        } finally {
          close();
        }
    }
  }

  #awaitQuiet(): void {
    this.#quiets = 0;
    this.#quiet ??= setTimeout(() => this.#onQuiet(), quietMs);
    this.#quiet.refresh();
  }

  #onQuiet(): void {
    const writer = this.#opened.writer!;
    if (!writer.holds()) return;
    this.#quiet!.refresh();
    orDie(() => {
      if (writer.settleDown()) {
        this.#opened.connection.checkpoint();
        return;
      }
      this.#quiets += 1;
      if (this.#quiets < quietsUntilFlush) return;
      this.#quiets = 0;
      writer.flushIfPossible();
    });
  }
}
