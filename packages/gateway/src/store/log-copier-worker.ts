/** The thread that copies a SQLite log into its database, once: it runs until it has caught up with the writer. */
import { DatabaseSync } from 'node:sqlite';
import { workerData } from 'node:worker_threads';
import type { LogCopyFault, LogCopyWork } from './log-copier.ts';

const { path, pragmas, ended, faults } = workerData as LogCopyWork;

/** A writer that appends all the time is not caught up with. Each pass syncs the database. */
const passesMax = 4;

function copy(): void {
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
}

try {
  copy();
} catch (error) {
  const { errcode, message } = error as Error & Partial<LogCopyFault>;
  // Not SQLite's: then this thread could not start.
  if (errcode === undefined) throw error;
  faults.postMessage({ errcode, message } satisfies LogCopyFault);
}
Atomics.store(ended, 0, 1);
Atomics.notify(ended, 0);
