/**
 * Copies a SQLite log (WAL) into its database. Most of it in a thread of its own: it takes 70 to 100 ms, in which the
 * writer would serve nobody. SQLite lets a writer append to the log meanwhile; what it has appended, the writer copies.
 * A log begins anew once all of it is in the database.
 */
import type { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';

/** Pages of 4 KiB that are worth copying. Fewer at a time are more work: many pages change again and again. */
const pagesWorth = 16_000;
/** At most this many are copied by the writer, which takes some milliseconds. */
const restMax = 2_048;
/** Beyond this the writer waits for the thread: it appends faster than the disk takes the pages. */
const pagesMax = 8 * pagesWorth;
/** The longest wait at a time: only a turn of the event loop shows that the thread could not start. */
const waitMsMax = 2_000;
/** Transactions between two checks of the log's size. */
const sizeEvery = 16;

/** What the thread's first word in shared memory says: the writer sees it without a turn of its event loop. */
const copying = 0;
export const copied = 1;
/** The second word has SQLite's code, the third the length of the message that follows. */
export const failed = 2;
/** It could not start. */
const absent = 3;
export const messageOffset = 12;
const messageBytesMax = 500;

export interface LogCopyWork {
  path: string;
  /** Settings of the connection. */
  pragmas: string;
  shared: SharedArrayBuffer;
}

export interface LogCopier {
  /** Call after each transaction. Throws SQLite's error, also one of the thread. */
  look(): void;
  /** Waits for the thread, but not for ever. Throws as `look` does. */
  close(): void;
}

/** `thread`: the file that runs in the thread; null = the writer copies everything. `pagesMin`: only tests change it. */
export function createLogCopier(
  db: DatabaseSync,
  work: Omit<LogCopyWork, 'shared'>,
  thread: URL | null,
  pagesMin = pagesWorth,
): LogCopier {
  const sizes = db.prepare('pragma wal_checkpoint(noop)');
  /** While the thread runs, and until its result was looked at. */
  let shared: SharedArrayBuffer | null = null;
  let canStart = thread !== null;
  let looks = 0;

  function pagesLeft(): number {
    const { log, checkpointed } = sizes.get() as Record<string, number>;
    return log! - checkpointed!;
  }

  function start(): void {
    shared = new SharedArrayBuffer(messageOffset + messageBytesMax);
    const state = new Int32Array(shared);
    const data: LogCopyWork = { ...work, shared };
    const worker = new Worker(thread!, { workerData: data, resourceLimits: { maxYoungGenerationSizeMb: 1 } });
    worker.on('error', () => {
      canStart = false;
      if (Atomics.compareExchange(state, 0, copying, absent) === copying) Atomics.notify(state, 0);
    });
    worker.unref();
  }

  /** Whether the thread has just ended. Throws its error. */
  function hasEnded(): boolean {
    if (shared === null) return false;
    const state = new Int32Array(shared, 0, messageOffset / 4);
    const now = Atomics.load(state, 0);
    if (now === copying) return false;
    const text = Buffer.from(shared, messageOffset, state[2]).toString();
    shared = null;
    if (now === failed) throw Object.assign(new Error(text), { errcode: state[1] });
    return true;
  }

  function wait(): void {
    if (shared !== null) Atomics.wait(new Int32Array(shared), 0, copying, waitMsMax);
  }

  /** Whether the log has so many pages that the database lacks; false while it is not yet time to look. */
  function isLong(pages: number): boolean {
    looks = (looks + 1) % sizeEvery;
    return looks === 0 && pagesLeft() >= pages;
  }

  function copy(): void {
    db.exec('pragma wal_checkpoint(passive)');
  }

  return {
    look() {
      if (shared === null) {
        if (!isLong(pagesMin)) return;
        if (canStart) start();
        else copy();
      } else if (hasEnded()) {
        if (canStart && pagesLeft() > restMax) start();
        else copy();
      } else if (isLong(pagesMax)) {
        wait();
      }
    },
    close() {
      wait();
      hasEnded();
    },
  };
}
