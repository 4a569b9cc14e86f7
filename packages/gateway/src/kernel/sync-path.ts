/** A file's content, or the names in a folder, on disk when this returns. Throws what the file system says. */
import { closeSync, fsyncSync, openSync } from 'node:fs';

export function syncPath(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
