/**
 * Backups of a SQLite store: created one at a time while the gateway runs, kept in `backups/`, downloaded and deleted
 * by name. A name from a request becomes a path only if it has our form.
 */
import { chmodSync, createReadStream, existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/logger.ts';
import { makeFolder } from '../kernel/make-folder.ts';
import type { Backup, BackupService, BackupsNow } from '../model/upkeep.ts';
import { freeBytes } from './machine-checks.ts';
import type { Store } from './store.ts';

export interface BackupParts {
  clock: Pick<Clock, 'now'>;
  logger: Logger;
  dataDir: string;
  store: Pick<Store, 'storeFacts' | 'healthy'>;
  /** Copies the store to this new file. */
  copy(to: string): Promise<void>;
}

const nameForm = /^heliograph-(\d{4}-\d\d-\d\dT)(\d\d)-(\d\d)-(\d\dZ)\.db$/;
/** Kept free for messages that arrive while the backup is made. */
const spareBytes = 500_000_000;

/** A file name that sorts by time and is valid on every system. */
export function backupName(at: number): string {
  return `heliograph-${new Date(at).toISOString().slice(0, 19).replaceAll(':', '-')}Z.db`;
}

export function backupFolder(dataDir: string): string {
  return join(dataDir, 'backups');
}

/** Newest first. Throws the system's error when the folder is there and cannot be read. */
export function listBackups(dataDir: string): Backup[] {
  const folder = backupFolder(dataDir);
  if (statSync(folder, { throwIfNoEntry: false }) === undefined) return [];
  const names = readdirSync(folder).filter((name) => nameForm.test(name));
  return names
    .sort()
    .reverse()
    .map((name) => ({ name, at: timeOf(name), bytes: statSync(join(folder, name)).size }));
}

function timeOf(name: string): number {
  return Date.parse(name.replace(nameForm, '$1$2:$3:$4'));
}

export function makeBackupFolder(dataDir: string): string {
  const folder = backupFolder(dataDir);
  makeFolder(folder);
  chmodSync(folder, 0o700);
  return folder;
}

export function createBackups(parts: BackupParts): BackupService {
  const { clock, dataDir, store } = parts;
  let runningSince: number | null = null;
  let failed: BackupsNow['failed'] = null;

  async function make(name: string): Promise<void> {
    try {
      // A separate commit: everything acknowledged before it is committed with it.
      await store.healthy();
      await parts.copy(join(makeBackupFolder(dataDir), name));
      failed = null;
    } catch (error) {
      const detail = (error as Error).message;
      parts.logger.error({ err: error }, 'the backup could not be made');
      failed = { at: clock.now(), detail };
    } finally {
      runningSince = null;
    }
  }

  function fileOf(name: string): string | null {
    const file = join(backupFolder(dataDir), name);
    return nameForm.test(name) && existsSync(file) ? file : null;
  }

  return {
    folder: backupFolder(dataDir),
    now: async () => ({ backups: listBackups(dataDir), runningSince, failed }),
    async start() {
      const { bytes } = await store.storeFacts();
      if (runningSince !== null) return { kind: 'running' };
      const free = freeBytes(dataDir);
      const neededBytes = bytes + spareBytes;
      if (free < neededBytes) return { kind: 'no room', neededBytes, freeBytes: free };
      runningSince = clock.now();
      const name = backupName(clock.now());
      void make(name);
      return { kind: 'started', name };
    },
    read(name) {
      const file = fileOf(name);
      if (file === null) return null;
      return { bytes: statSync(file).size, pieces: () => createReadStream(file, { highWaterMark: 256 * 1_024 }) };
    },
    remove(name) {
      const file = fileOf(name);
      if (file !== null) rmSync(file);
      return file !== null;
    },
  };
}
