/** The file names of a SQLite store, and whether the files can be used. All begin with `store.`, except the lock. */
import { accessSync, constants, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { StoreDamaged } from './store-damaged.ts';

export function sqliteFiles(dataDir: string) {
  return {
    path: join(dataDir, 'store.db'),
    journalPath: join(dataDir, 'store.journal'),
    lockPath: join(dataDir, 'node.lock'),
  };
}

/** Whether a gateway has ever kept something here; what is left of a damaged store counts. Throws the system's error. */
export function hasStore(dataDir: string): boolean {
  try {
    return readdirSync(dataDir).some((name) => name.startsWith('store.'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

/** File endings of the database. */
const databaseFiles = ['', '-wal', '-shm', '.pulse'];

/** Throws StoreDamaged for what `unusableFile` finds. */
export function requireUsable(dataDir: string): void {
  const fault = unusableFile(dataDir);
  if (fault !== null) throw new StoreDamaged(fault);
}

/**
 * A sentence about the first of the database's files that is no regular file or cannot be read and written: SQLite
 * would open it read-only and fail at its first write. Ignores missing files. Opens nothing: closing it would drop this
 * process's locks.
 */
export function unusableFile(dataDir: string): string | null {
  const { path } = sqliteFiles(dataDir);
  for (const ending of databaseFiles) {
    const why = whyUnusable(`${path}${ending}`);
    const what = ending === '' ? 'The database' : 'The file of the database';
    if (why !== null) return `${what} ${path}${ending} cannot be used: ${why}.`;
  }
  return null;
}

function whyUnusable(file: string): string | null {
  try {
    const stat = statSync(file, { throwIfNoEntry: false });
    if (stat === undefined) return null;
    if (!stat.isFile()) return stat.isDirectory() ? 'it is a folder' : 'it is no file';
    accessSync(file, constants.R_OK | constants.W_OK);
    return null;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return `it cannot be read and written ${code === 'EACCES' ? 'by this user ' : ''}(${code})`;
  }
}
