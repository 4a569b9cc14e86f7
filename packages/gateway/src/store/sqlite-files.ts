/** Where a SQLite store keeps its files in the data folder; all that belongs to it begins with `store.`, but for its lock. */
import { join } from 'node:path';

export function sqliteFiles(dataDir: string) {
  return {
    path: join(dataDir, 'store.db'),
    journalPath: join(dataDir, 'store.journal'),
    lockPath: join(dataDir, 'node.lock'),
  };
}
