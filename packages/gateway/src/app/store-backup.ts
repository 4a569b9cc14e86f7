/**
 * Creates and restores copies of a SQLite store. Only SQLite reads the store's files: committed data may still be
 * outside the main file.
 */
import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { makeFolder } from '../kernel/make-folder.ts';
import { threadMemory } from '../kernel/spare-memory.ts';
import { syncPath } from '../kernel/sync-path.ts';
import { treatWaiting, type WaitingStep, type WaitingWay } from '../messaging/store/operations/restored.ts';
import { createPositions } from '../store/context.ts';
import { StoreRefused } from '../store/faults.ts';
import { stepRows } from '../store/hook.ts';
import { migrateAll, pendingMigrations } from '../store/migrate.ts';
import { faultOf, lockNode, openSqliteCopy } from '../store/sqlite-connection.ts';
import { sqliteFiles } from '../store/sqlite-files.ts';
import { lastPosition } from '../store/system/operations.ts';
import type { BackupWork } from './store-backup-worker.ts';

/** Writes a consistent snapshot of the store, as of the start of the call, to a new file. Rejects on failure. */
export function copySqlite(dataDir: string, to: string): Promise<void> {
  const { path: from, journalPath: journal } = sqliteFiles(dataDir);
  const work: BackupWork = { from, journal, to };
  // The same extension as this file: .ts from the sources, .js once built.
  const file = new URL(import.meta.url.replace(/backup(\.\w+)$/, 'backup-worker$1'));
  return new Promise((done, fail) => {
    const worker = new Worker(file, { workerData: work, resourceLimits: threadMemory });
    worker.once('message', (fault: string | null) => (fault === null ? done() : fail(new Error(fault))));
    worker.once('error', fail);
    worker.once('exit', () => fail(new Error('the thread that copies has ended')));
  });
}

export interface Restoration {
  dataDir: string;
  from: string;
  aside: string;
  /** The treatment of messages that waited when the copy was made. */
  waiting: WaitingWay;
  now: number;
}

/**
 * Replaces the store with a copy; the old store moves with all its files into the folder `aside` (created in the data
 * folder). Returns how many messages waited when the copy was made. Throws StoreRefused, and changes nothing, if a
 * gateway runs there or the copy is not from a gateway.
 */
export function restoreSqlite({ dataDir, from, aside, waiting, now }: Restoration): number {
  const schema = schemaOf(from);
  pendingMigrations(schema);
  makeFolder(dataDir);
  const files = sqliteFiles(dataDir);
  const unlock = lockNode(files.lockPath);
  try {
    const fresh = join(dataDir, 'restored.part');
    rmSync(fresh, { force: true });
    copyFileSync(from, fresh);
    chmodSync(fresh, 0o600);
    const waited = treatAll(fresh, waiting, now);
    syncPath(fresh);
    const old = readdirSync(dataDir).filter((name) => name.startsWith('store.'));
    if (old.length > 0) mkdirSync(join(dataDir, aside), { mode: 0o700 });
    for (const name of old) renameSync(join(dataDir, name), join(dataDir, aside, name));
    renameSync(fresh, files.path);
    syncPath(dataDir);
    return waited;
  } finally {
    unlock();
  }
}

/** Runs on the copy before it becomes the store: a kill at any moment leaves the store unchanged. */
function treatAll(file: string, way: WaitingWay, now: number): number {
  const connection = openSqliteCopy(file);
  try {
    migrateAll(connection, now);
    const positions = createPositions(connection.read(lastPosition()));
    const context = { token: 0, now, positions, sending: new Map() };
    let waited = 0;
    for (let after: string | null = ''; after !== null; ) {
      const step: WaitingStep = connection.write(
        treatWaiting({ way, past: 'backup', after, limit: stepRows }, context),
      );
      waited += step.done;
      after = step.cursor;
    }
    return waited;
  } finally {
    connection.close();
  }
}

/** The schema version of a copy; throws StoreRefused for an incomplete store. */
function schemaOf(file: string): number {
  if (!existsSync(file)) throw new StoreRefused(`There is no file ${file}.`);
  try {
    const db = new DatabaseSync(file, { readOnly: true });
    try {
      const fault = faultOf(db);
      if (fault !== null) throw new StoreRefused(`${file} is damaged: ${fault}`);
      return Number(db.prepare('select max(version) as version from schema_versions').get()?.version);
    } finally {
      db.close();
    }
  } catch (error) {
    if (error instanceof StoreRefused) throw error;
    throw new StoreRefused(`${file} is no backup of a store: ${(error as Error).message}`);
  }
}
