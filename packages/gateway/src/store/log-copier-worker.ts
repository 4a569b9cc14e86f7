/** The thread that copies a SQLite log into its database, once: it runs until it has caught up with the writer. */
import { DatabaseSync } from 'node:sqlite';
import { workerData } from 'node:worker_threads';
import { copied, failed, type LogCopyWork, messageOffset } from './log-copier.ts';

const { path, pragmas, shared } = workerData as LogCopyWork;
const state = new Int32Array(shared, 0, messageOffset / 4);

/** A writer that appends all the time is not caught up with. Each pass syncs the database. */
const passesMax = 4;

function end(how: number): void {
  Atomics.store(state, 0, how);
  Atomics.notify(state, 0);
}

try {
  const db = new DatabaseSync(path, { enableForeignKeyConstraints: false });
  db.exec(pragmas);
  const pass = db.prepare('pragma wal_checkpoint(passive)');
  for (let passes = 0, before = 0; passes < passesMax; passes += 1) {
    const { log } = pass.get() as Record<string, number>;
    if (log === before) break;
    before = log!;
  }
  // The writer has the database open, so that this neither syncs nor removes the log.
  db.close();
  end(copied);
} catch (error) {
  const { errcode, message } = error as Error & { errcode?: number };
  // Not SQLite's: then this thread could not start.
  if (errcode === undefined) throw error;
  state[1] = errcode;
  state[2] = new TextEncoder().encodeInto(message, new Uint8Array(shared, messageOffset)).written;
  end(failed);
}
