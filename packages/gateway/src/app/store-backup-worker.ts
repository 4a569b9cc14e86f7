/**
 * The thread that copies a SQLite store over its own connection, so commits and reads never wait. The copy is
 * complete, verified and includes the journal, or it does not exist under its name.
 */
import { closeSync, copyFileSync, existsSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { syncPath } from '../kernel/sync-path.ts';
import { recoverCopy } from '../messaging/store/journaled/recover.ts';
import { faultOf, openSqliteCopy } from '../store/sqlite-connection.ts';

export interface BackupWork {
  /** The store's file. */
  from: string;
  /** And its journal, which need not be there. */
  journal: string;
  /** Where the copy goes; its name with `.part` behind it until it is done. */
  to: string;
}

const busyTimeoutMs = 10_000;

/** Null when it is done, else why not. */
function copy({ from, journal, to }: BackupWork): string | null {
  const part = `${to}.part`;
  const partJournal = `${to}.journal.part`;
  rmSync(part, { force: true });
  // Made empty first, so that nobody else may ever read it.
  closeSync(openSync(part, 'wx', 0o600));
  try {
    // The journal first: what it does not hold yet the store has by then, or it was not acknowledged before this began.
    const hasJournal = existsSync(journal);
    if (hasJournal) copyFileSync(journal, partJournal);
    const store = new DatabaseSync(from, { readOnly: true, timeout: busyTimeoutMs });
    try {
      store.prepare('vacuum into ?').run(part);
    } finally {
      store.close();
    }
    bringIn(part, hasJournal ? partJournal : null, Date.now());
    const fault = faultIn(part);
    if (fault !== null) throw new Error(`the copy is not whole: ${fault}`);
    syncPath(part);
    renameSync(part, to);
    syncPath(dirname(to));
    return null;
  } catch (error) {
    rmSync(part, { force: true });
    return error instanceof Error ? error.message : String(error);
  } finally {
    rmSync(partJournal, { force: true });
  }
}

/** What the node had acknowledged and not in its store yet; the copy needs no journal then. */
function bringIn(part: string, journal: string | null, now: number): void {
  const connection = openSqliteCopy(part);
  try {
    recoverCopy(connection, journal, now);
  } finally {
    connection.close();
  }
}

function faultIn(file: string): string | null {
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    return faultOf(db);
  } finally {
    db.close();
  }
}

parentPort!.postMessage(copy(workerData as BackupWork));
