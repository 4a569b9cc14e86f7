/** The file names of a SQLite store. All begin with `store.`, except the lock. */
import { join } from 'node:path';

export function sqliteFiles(dataDir: string) {
  return {
    path: join(dataDir, 'store.db'),
    journalPath: join(dataDir, 'store.journal'),
    lockPath: join(dataDir, 'node.lock'),
  };
}
