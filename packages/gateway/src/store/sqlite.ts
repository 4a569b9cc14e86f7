/**
 * The SQLite engine as the main thread sees it: two threads, one that writes and one that answers look-ups, and the file
 * they share. It must never touch the database files itself: closing any of them here would drop the locks of both threads.
 */
import { existsSync, mkdirSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import type { Clock } from '../domain/clock.ts';
import { PassingMap } from '../domain/passing-map.ts';
import type { Engine, LookUpKind } from './engine.ts';
import { asksOfNewest } from './journal/kinds.ts';
import type { SqliteSettings } from './sqlite-connection.ts';
import { sqliteFiles } from './sqlite-files.ts';
import type { SentError, SqliteReply, SqliteRequest } from './sqlite-service.ts';
import type { SqliteWorkerData } from './sqlite-worker.ts';
import { StoreBroken, StoreRefused, StoreUnavailable } from './store.ts';

export interface SqliteOptions {
  dataDir: string;
  role: 'node' | 'tool';
  clock: Clock;
  /** Only for tests that plant a weak setting. */
  settings?: SqliteSettings;
}

export async function openSqlite({ dataDir, role, clock, settings = {} }: SqliteOptions): Promise<Engine> {
  if (!existsSync(dataDir)) mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const data = {
    role,
    ...sqliteFiles(dataDir),
    settings,
    now: clock.now(),
  };
  const writer = new SqliteThread({ ...data, duty: 'write' });
  const token = (await writer.opened) as number;
  // Not waited for: its questions wait in line until it is there.
  const reader = new SqliteThread({ ...data, duty: 'read' });
  /** Brings everything committed to where look-ups read; null when something was committed since. */
  let flushed: Promise<unknown> | null = null;
  let committedAt = 0;

  async function lookUp(lookUp: LookUpKind, request: unknown): Promise<unknown> {
    if (asksOfNewest(lookUp, request, clock.now() - committedAt)) {
      flushed ??= writer.ask({ kind: 'flush' });
      try {
        await flushed;
      } catch (error) {
        flushed = null;
        // Where the database takes no writes, it is read as it is.
        if (!(error instanceof StoreUnavailable)) throw error;
      }
    }
    return reader.ask({ kind: 'lookUp', lookUp, request });
  }

  return {
    kind: 'sqlite',
    token,
    // The thread gathers what came while it was busy, so that it never waits for a group to fill.
    ahead: 8,
    enoughRows: 32,
    commit(calls) {
      flushed = null;
      committedAt = clock.now();
      return writer.ask({ kind: 'commit', calls, now: committedAt }) as Promise<unknown[][]>;
    },
    lookUp,
    async close() {
      await reader.close();
      await writer.close();
    },
  };
}

interface Waiting {
  resolve: (result: unknown) => void;
  reject: (error: Error) => void;
}

/** What may be asked, without the id that this class gives. */
type Question = SqliteRequest extends infer R ? (R extends SqliteRequest ? Omit<R, 'id'> : never) : never;

class SqliteThread {
  readonly opened: Promise<unknown>;
  readonly #worker: Worker;
  readonly #exited: Promise<void>;
  readonly #waiting = new PassingMap<number, Waiting>();
  #ended: Error | null = null;
  #lastId = 0;

  constructor(data: SqliteWorkerData) {
    // The same extension as this file: .ts from the sources, .js once built.
    const file = new URL(import.meta.url.replace(/sqlite(\.\w+)$/, 'sqlite-worker$1'));
    this.opened = new Promise((resolve, reject) => this.#waiting.set(0, { resolve, reject }));
    this.opened.catch((error) => this.#end(error));
    this.#worker = new Worker(file, { workerData: data });
    this.#exited = new Promise((resolve) => this.#worker.on('exit', () => resolve()));
    this.#worker.on('message', (letter: string) => {
      for (const reply of JSON.parse(letter) as SqliteReply[]) this.#receive(reply);
    });
    this.#worker.on('error', (error) => this.#end(new StoreBroken(`the store's thread failed: ${error}`)));
    this.#worker.on('exit', () => this.#end(new StoreBroken("the store's thread has ended")));
  }

  ask(question: Question): Promise<unknown> {
    if (this.#ended) return Promise.reject(this.#ended);
    const request = question as SqliteRequest;
    this.#lastId += 1;
    request.id = this.#lastId;
    return new Promise((resolve, reject) => {
      this.#waiting.set(request.id, { resolve, reject });
      this.#worker.postMessage(letter(request));
    });
  }

  /** Ends the thread after what it was asked before; a broken one is left to the end of the process. */
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
    const error = asError(reply.error);
    waiting?.reject(error);
    if (error instanceof StoreBroken) this.#end(error);
  }

  #end(error: Error): void {
    this.#ended ??= error;
    for (const waiting of this.#waiting.values()) waiting.reject(this.#ended);
    this.#waiting.clear();
  }
}

/** As JSON where it can be: measured, cheaper on both sides than having many small objects cloned. */
function letter(request: SqliteRequest): SqliteRequest | string {
  const hasOctets = request.kind === 'commit' && request.calls.some(({ kind }) => kind === 'inbound');
  return hasOctets ? request : JSON.stringify(request);
}

function asError({ kind, message }: SentError): Error {
  switch (kind) {
    case 'refused':
      return new StoreRefused(message);
    case 'broken':
      return new StoreBroken(message);
    case 'other':
      return new Error(message);
    default:
      return new StoreUnavailable(kind, message);
  }
}
