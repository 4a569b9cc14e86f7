/**
 * Serves the messages of a SQLite thread: commits share transactions; a request that needs journaled rows waits, in
 * order, while memory is flushed step by step. A group is answered only when it is on disk.
 */
import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import type { Catalogue, WriteCall } from './catalogue.ts';
import { mergeGroups } from './catalogue.ts';
import { StoreBroken, StoreRefused, StoreUnavailable } from './faults.ts';
import type { BroughtIn } from './hook.ts';
import type { JournaledWriter } from './journal/writer.ts';
import { meaning, type SqliteConnection } from './sqlite-connection.ts';
import { StoreCorrupt, StoreDamaged } from './store-damaged.ts';

export type SqliteRequest =
  | { id: number; kind: 'commit'; calls: readonly WriteCall[]; now: number }
  | { id: number; kind: 'lookUp'; name: string; params: readonly unknown[] }
  /** Writes everything committed to the database, where look-ups read it. */
  | { id: number; kind: 'flush' }
  | { id: number; kind: 'close' };

/** An error of the store, flattened: classes do not survive the copy between threads. */
export interface SentError {
  kind: 'refused' | 'damaged' | 'corrupt' | 'broken' | 'full' | 'busy' | 'down' | 'other';
  message: string;
}

/**
 * Replies travel several at a time, as JSON: half the cost of cloning many small objects. The first reply, with id 0,
 * answers the opening; its result is an OpenedStore.
 */
export type SqliteReply = { id: number; result: unknown } | { id: number; error: SentError };

export function asSent(error: unknown): SentError {
  const known = meaning(error);
  const message = known instanceof Error ? known.message : String(known);
  if (known instanceof StoreDamaged) return { kind: 'damaged', message };
  if (known instanceof StoreRefused) return { kind: 'refused', message };
  if (known instanceof StoreCorrupt) return { kind: 'corrupt', message };
  if (known instanceof StoreBroken) return { kind: 'broken', message };
  if (known instanceof StoreUnavailable) return { kind: known.reason, message };
  return { kind: 'other', message };
}

/** The result of opening. */
export interface OpenedStore {
  token: number;
  /** Null = nothing was recovered. */
  recovered: BroughtIn | null;
}

export interface Opened extends OpenedStore {
  catalogue: Catalogue;
  connection: SqliteConnection;
  /** Null in the read-only thread. */
  writer: JournaledWriter | null;
  close(): void;
}

/** Whether the store must not be used after this error. */
export const isEnd = ({ kind }: SentError): boolean => kind === 'broken' || kind === 'corrupt';

type CommitRequest = SqliteRequest & { kind: 'commit' };

/** Rows in one transaction of several groups: more gain little and delay the others. */
const mergedRowsMax = 512;

/**
 * Commits all of them in one transaction. A failure of the store rejects all; after a mistake in one of them, each gets
 * a transaction of its own. Once the store is broken, nothing more is tried.
 */
function commitTogether(opened: Opened, requests: readonly CommitRequest[]): SqliteReply[] {
  const last = requests.at(-1)!;
  const merged = mergeGroups(
    requests.map(({ calls }) => calls),
    opened.catalogue.order,
  );
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
      if ('error' in reply && isEnd(reply.error)) broken = reply.error;
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

const never = new Int32Array(new SharedArrayBuffer(4));

export function read(received: SqliteRequest | string): SqliteRequest {
  return typeof received === 'string' ? JSON.parse(received) : received;
}

/** Commits that share a transaction, up to `mergedRowsMax` rows. */
class Group {
  readonly #commit: (requests: CommitRequest[]) => void;
  readonly #rowsIn: (request: CommitRequest) => number;
  #requests: CommitRequest[] = [];
  #rows = 0;

  constructor(commit: (requests: CommitRequest[]) => void, rowsIn: (request: CommitRequest) => number) {
    this.#commit = commit;
    this.#rowsIn = rowsIn;
  }

  add(request: CommitRequest): void {
    this.#requests.push(request);
    this.#rows += this.#rowsIn(request);
    if (this.#rows >= mergedRowsMax) this.end();
  }

  end(): void {
    const requests = this.#requests;
    this.#requests = [];
    this.#rows = 0;
    if (requests.length > 0) this.#commit(requests);
  }
}

/** The id of work without a caller. An error in it is fatal for the store. */
const unasked = -1;

/**
 * After a pause of this length, ended messages are evicted; after `quietsUntilFlush` such pauses, the journal is
 * flushed.
 */
const quietMs = 20;
const quietsUntilFlush = 50;
/** After this many steps the waiting requests are served, whatever is still in memory. */
const stepsMax = 1_000;

/** Handles the messages that the thread receives. */
export class Service {
  readonly #port: MessagePort;
  readonly #opened: Opened;
  /** Requests that need everything in the database, in order. */
  #waiting: SqliteRequest[] = [];
  #steps = 0;
  #quiet: NodeJS.Timeout | null = null;
  #quiets = 0;
  #closed = false;
  #pieceAwaited = false;

  constructor(port: MessagePort, opened: Opened) {
    this.#port = port;
    this.#opened = opened;
  }

  /** Serves everything that has arrived: requests received during the last transaction share the next one. */
  serve(first: SqliteRequest | null): void {
    const { writer } = this.#opened;
    const group = this.#newGroup();
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

  /**
   * Runs work without a caller. If it fails, this thread blocks and the main thread ends the process. If this thread
   * ended instead, it would close the file: SQLite would sync again, trust the disk's second answer, and delete the log
   * that still has everything.
   */
  #orEnd<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      send(this.#port, [{ id: unasked, error: asSent(error) }]);
      Atomics.wait(never, 0, 0);
      throw error;
    }
  }

  *#arrived(first: SqliteRequest | null): Generator<SqliteRequest> {
    if (first) yield first;
    for (let next = receiveMessageOnPort(this.#port); next; next = receiveMessageOnPort(this.#port)) {
      yield read(next.message);
    }
  }

  #newGroup(): Group {
    return new Group(
      (requests) => this.#commit(requests),
      (request) => this.#rowsIn(request),
    );
  }

  #rowsIn({ calls }: CommitRequest): number {
    return calls.reduce((rows, call) => rows + this.#opened.catalogue.rowsOf(call), 0);
  }

  #commit(requests: CommitRequest[]): void {
    const { writer, connection } = this.#opened;
    const replies = commitTogether(this.#opened, requests);
    send(this.#port, replies);
    if (!replies.some((reply) => 'result' in reply)) return;
    this.#orEnd(() => {
      writer!.relieve(requests.reduce((rows, request) => rows + this.#rowsIn(request), 0));
      connection.checkpoint();
      this.#syncBehind();
    });
    this.#goOnWriting();
  }

  #syncBehind(): void {
    this.#opened.connection.syncBehind((error) =>
      this.#orEnd(() => {
        throw error;
      }),
    );
  }

  /** Writes one piece per turn of the event loop: requests that arrive meanwhile are served first. */
  #goOnWriting(): void {
    if (this.#pieceAwaited || !this.#opened.writer!.isWriting()) return;
    this.#pieceAwaited = true;
    setImmediate(() => {
      this.#pieceAwaited = false;
      this.#orEnd(() => this.#opened.writer!.piece());
      this.#goOnWriting();
    });
  }

  /** Flushes step by step, so that other requests are served meanwhile; then serves the waiting ones in order. */
  #serveWaiting(): void {
    if (this.#waiting.length === 0) return;
    if (this.#steps < stepsMax && this.#orEnd(() => this.#opened.writer!.step())) {
      this.#steps += 1;
      setImmediate(() => this.serve(null));
      return;
    }
    this.#steps = 0;
    const waiting = this.#waiting;
    this.#waiting = [];
    const group = this.#newGroup();
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
    const { catalogue, connection, writer, close } = this.#opened;
    switch (request.kind) {
      case 'lookUp':
        return connection.read(catalogue.lookUp(request.name, request.params));
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
    this.#orEnd(() => {
      this.#opened.connection.catchUp();
      this.#syncBehind();
    });
    if (!writer.holds()) return;
    this.#quiet!.refresh();
    this.#orEnd(() => {
      writer.noteFrames();
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
