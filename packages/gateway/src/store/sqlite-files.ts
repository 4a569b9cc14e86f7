/** The file names of a SQLite store, and whether the files can be used. All begin with `store.`, except the lock. */
import { accessSync, constants, statSync } from 'node:fs';
import { join } from 'node:path';
import { StoreDamaged } from './store-damaged.ts';

export function sqliteFiles(dataDir: string) {
  return {
    path: join(dataDir, 'store.db'),
    journalPath: join(dataDir, 'store.journal'),
    lockPath: join(dataDir, 'node.lock'),
  };
}

/** Of the database, by their endings. */
const databaseFiles = ['', '-wal', '-shm', '.pulse'];

/** Throws StoreDamaged for what `unusableFile` finds. */
export function requireUsable(dataDir: string): void {
  const fault = unusableFile(dataDir);
  if (fault !== null) throw new StoreDamaged(fault);
}

/**
 * A sentence about the first file of the database that is none, or that cannot be read and written: SQLite would open it for
 * reading only, and fail at its first write. What is missing is passed over. Opens nothing: that would drop the locks of this process.
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
    return `it cannot be read and written (${(error as NodeJS.ErrnoException).code})`;
  }
}
