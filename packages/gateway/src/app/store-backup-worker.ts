/**
 * The thread that copies a SQLite store over its own connection, so that commits and reads never wait. Under its final
 * name the copy is complete, verified, and includes the journal.
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
  /** Its journal, which may be missing. */
  journal: string;
  /** The target; its name ends in `.part` until the copy is complete. */
  to: string;
}

const busyTimeoutMs = 10_000;

/** Null when it is done, else the reason. */
function copy({ from, journal, to }: BackupWork): string | null {
  const part = `${to}.part`;
  const partJournal = `${to}.journal.part`;
  try {
    rmSync(part, { force: true });
    // Created empty first, so that no other user can ever read it.
    closeSync(openSync(part, 'wx', 0o600));
    // The journal is copied first: entries that it loses later are in the store, or were not acknowledged before this
    // copy began.
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

/** Writes messages that the node had acknowledged but not yet stored into the copy, which then needs no journal. */
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
