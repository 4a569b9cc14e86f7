/**
 * Copies a SQLite log (WAL) into its database. Most of it in a thread of its own: it takes 70 to 100 ms, in which the
 * writer would serve nobody. SQLite lets a writer append to the log meanwhile; what it has appended, the writer copies.
 * A log begins anew once all of it is in the database.
 */
import type { DatabaseSync } from 'node:sqlite';
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';

/** Pages of 4 KiB that are worth copying. Fewer at a time are more work: many pages change again and again. */
const pagesWorth = 16_000;
/** At most this many are copied by the writer, which takes some milliseconds. */
const restMax = 2_048;
/** Beyond this the writer waits for the thread: it appends faster than the disk takes the pages. */
const pagesMax = 8 * pagesWorth;
/** The longest wait at a time: only a turn of the event loop shows that the thread could not start. */
const waitMsMax = 5_000;
/** Transactions between two checks of the log's size. */
const sizeEvery = 16;

export interface LogCopyWork {
  path: string;
  /** Settings of the connection. */
  pragmas: string;
  /** One word, 1 = the thread has ended: the writer sees it without a turn of its event loop. */
  ended: Int32Array<SharedArrayBuffer>;
  /** Takes SQLite's error before that. */
  faults: MessagePort;
}

export type LogCopyFault = { errcode: number; message: string };

export interface LogCopier {
  /** Call after each transaction. Throws SQLite's error, also one of the thread. */
  look(): void;
  /** Waits for the thread, but not for ever. Throws as `look` does. */
  close(): void;
}

/** `thread`: the file that runs in the thread; null = the writer copies everything. `pagesMin`: only tests change it. */
export function createLogCopier(
  db: DatabaseSync,
  work: Pick<LogCopyWork, 'path' | 'pragmas'>,
  thread: URL | null,
  pagesMin = pagesWorth,
): LogCopier {
  const sizes = db.prepare('pragma wal_checkpoint(noop)');
  /** While the thread runs, and until its result was looked at. */
  let running: Pick<LogCopyWork, 'ended' | 'faults'> | null = null;
  let canStart = thread !== null;
  let looks = 0;

  function pagesLeft(): number {
    const { log, checkpointed } = sizes.get() as Record<string, number>;
    return log! - checkpointed!;
  }

  function start(): void {
    const ended = new Int32Array(new SharedArrayBuffer(4));
    const { port1, port2 } = new MessageChannel();
    running = { ended, faults: port1 };
    const worker = new Worker(thread!, {
      workerData: { ...work, ended, faults: port2 } satisfies LogCopyWork,
      transferList: [port2],
      resourceLimits: { maxYoungGenerationSizeMb: 1 },
    });
    worker.on('error', () => {
      canStart = false;
      Atomics.store(ended, 0, 1);
    });
    worker.unref();
  }

  /** Whether the thread has just ended. Throws its error. */
  function hasEnded(): boolean {
    if (running === null || Atomics.load(running.ended, 0) === 0) return false;
    const fault: LogCopyFault | undefined = receiveMessageOnPort(running.faults)?.message;
    running.faults.close();
    running = null;
    if (fault !== undefined) throw Object.assign(new Error(fault.message), { errcode: fault.errcode });
    return true;
  }

  function wait(): void {
    if (running !== null) Atomics.wait(running.ended, 0, 0, waitMsMax);
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
      if (running === null) {
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
