/** Syncs a file's contents, or a folder's entries, to disk. */
import { closeSync, fsyncSync, openSync } from 'node:fs';

export function syncPath(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
