/**
 * The SQLite engine on the main thread: two threads, one for writing and one for reads. It must not open the database
 * files here: closing them would drop the locks of both threads.
 */
import { closeSync, existsSync, openSync } from 'node:fs';
import type { Clock } from '../kernel/clock.ts';
import { makeFolder } from '../kernel/make-folder.ts';
import { PassingMap } from '../kernel/passing.ts';
import type { Catalogue } from './catalogue.ts';
import { type Engine, onlyNode } from './engine.ts';
import { StoreBroken, StoreRefused, StoreUnavailable } from './faults.ts';
import type { BroughtIn } from './hook.ts';
import { refuseMoved } from './move/mark.ts';
import type { SqliteSettings } from './sqlite-connection.ts';
import { requireUsable, sqliteFiles } from './sqlite-files.ts';
import type { OpenedStore, SentError, SqliteReply, SqliteRequest } from './sqlite-service.ts';
import type { SqliteWorkerData } from './sqlite-worker.ts';
import { type StoreThread, startThread } from './start-thread.ts';
import { StoreCorrupt, StoreDamaged } from './store-damaged.ts';

export interface SqliteOptions {
  /** The store's modules; `thread` is the file that serves the same catalogue in a thread. */
  catalogue: Catalogue;
  thread: URL;
  dataDir: string;
  role: 'node' | 'tool';
  clock: Clock;
  /** Called once, before the store is open, when a dead node's journal had rows. */
  recovered?: (found: BroughtIn) => void;
  /** Called when work without a caller has failed; must end the process at once. */
  broken?: (error: StoreBroken) => void;
  /** For tests that plant a weak setting. */
  settings?: SqliteSettings;
}

export async function openSqlite(options: SqliteOptions): Promise<Engine> {
  const { catalogue, thread, dataDir, role, clock, recovered, broken, settings = {} } = options;
  makeFolder(dataDir);
  refuseMoved(dataDir);
  requireUsable(dataDir);
  const files = sqliteFiles(dataDir);
  // SQLite would create them readable by all users, and its other files with the same mode. Must run before any thread
  // opens them.
  for (const path of [files.path, files.lockPath]) makePrivate(path);
  const data = {
    role,
    ...files,
    settings,
    // The same extension as this file: .ts from the sources, .js once built.
    copyThread: import.meta.url.replace(/sqlite(\.\w+)$/, 'log-copier-worker$1'),
    now: clock.now(),
  };
  const writer = new SqliteThread(thread, { ...data, duty: 'write' }, broken);
  const opened = (await writer.opened) as OpenedStore;
  if (opened.recovered !== null) recovered?.(opened.recovered);
  // Not awaited: its requests queue until it is open.
  const reader = new SqliteThread(thread, { ...data, duty: 'read' });
  /** Flushes all commits to the database, where look-ups read; null when there was a commit since. */
  let flushed: Promise<unknown> | null = null;
  let committedAt = 0;

  async function lookUp(name: string, params: readonly unknown[]): Promise<unknown> {
    if (catalogue.needsOf(name, params, clock.now() - committedAt) !== 'nothing') {
      flushed ??= writer.ask({ kind: 'flush' });
      try {
        await flushed;
      } catch (error) {
        flushed = null;
        // While the database takes no writes, look-ups read it without the newest commits.
        if (!(error instanceof StoreUnavailable)) throw error;
      }
    }
    return reader.ask({ kind: 'lookUp', name, params });
  }

  return {
    kind: 'sqlite',
    mayHandOver: () => true,
    leaseLeftMs: () => null,
    place: onlyNode,
    logPartitions: null,
    messagePartitions: null,
    newest: () => null,
    token: opened.token,
    // The thread collects what arrives while it is busy, so it never waits for a group to fill.
    ahead: () => 8,
    enoughRows: 32,
    commit(calls) {
      flushed = null;
      committedAt = clock.now();
      const hasBytes = calls.some(({ kind }) => catalogue.write(kind).bytes === true);
      return writer.ask({ kind: 'commit', calls, now: committedAt }, hasBytes) as Promise<unknown[][]>;
    },
    lookUp,
    async close() {
      await reader.close();
      await writer.close();
    },
  };
}

function makePrivate(path: string): void {
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600));
}

interface Waiting {
  resolve: (result: unknown) => void;
  reject: (error: Error) => void;
}

/** A request without the id, which this class adds. */
type RequestFields = SqliteRequest extends infer R ? (R extends SqliteRequest ? Omit<R, 'id'> : never) : never;

class SqliteThread {
  readonly opened: Promise<unknown>;
  readonly #worker: StoreThread;
  readonly #exited: Promise<void>;
  readonly #waiting = new PassingMap<number, Waiting>();
  readonly #path: string;
  readonly #broken: (error: StoreBroken) => void;
  #ended: Error | null = null;
  #lastId = 0;

  constructor(file: URL, data: SqliteWorkerData, broken: (error: StoreBroken) => void = () => {}) {
    this.#path = data.path;
    this.#broken = broken;
    this.opened = new Promise((resolve, reject) => this.#waiting.set(0, { resolve, reject }));
    this.opened.catch((error) => this.#end(error));
    this.#worker = startThread(file, data);
    this.#exited = new Promise((resolve) => this.#worker.on('exit', () => resolve()));
    this.#worker.on('message', (received: string) => {
      for (const reply of JSON.parse(received) as SqliteReply[]) this.#receive(reply);
    });
    this.#worker.on('error', (error) => this.#end(new StoreBroken(`the store's thread failed: ${error}`)));
    this.#worker.on('exit', () => this.#end(new StoreBroken("the store's thread has ended")));
  }

  /** As JSON where possible: cheaper on both sides than cloning many small objects. */
  ask(fields: RequestFields, hasBytes = false): Promise<unknown> {
    if (this.#ended) return Promise.reject(this.#ended);
    const request = fields as SqliteRequest;
    this.#lastId += 1;
    request.id = this.#lastId;
    return new Promise((resolve, reject) => {
      this.#waiting.set(request.id, { resolve, reject });
      this.#worker.postMessage(hasBytes ? request : JSON.stringify(request));
    });
  }

  /** Ends the thread after its earlier requests; a broken thread ends with the process. */
  async close(): Promise<void> {
    if (this.#ended) return;
    const closed = this.ask({ kind: 'close' });
    this.#ended = new StoreUnavailable('down', 'the store is closed');
    await closed;
    await this.#exited;
  }

  #receive(reply: SqliteReply): void {
    const waiting = this.#waiting.get(reply.id);
    this.#waiting.delete(reply.id);
    if ('result' in reply) {
      waiting?.resolve(reply.result);
      return;
    }
    const error = asError(reply.error, this.#path);
    waiting?.reject(error);
    if (!(error instanceof StoreBroken)) return;
    this.#end(error);
    if (waiting === undefined) this.#broken(error);
  }

  #end(error: Error): void {
    this.#ended ??= error;
    for (const waiting of this.#waiting.values()) waiting.reject(this.#ended);
    this.#waiting.clear();
  }
}

function asError({ kind, message }: SentError, path: string): Error {
  switch (kind) {
    case 'refused':
      return new StoreRefused(message);
    case 'damaged':
      return new StoreDamaged(message);
    case 'corrupt':
      return new StoreCorrupt(`The database ${path} is damaged: ${message}.`);
    case 'broken':
      return new StoreBroken(message);
    case 'other':
      return new Error(message);
    default:
      return new StoreUnavailable(kind, message);
  }
}
