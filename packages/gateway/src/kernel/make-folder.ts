/** Makes a folder and those above it that are missing, for their owner only. */
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

const ownerOnly = 0o700;

/**
 * Throws the system's error. Step by step: with `recursive`, Node's mkdirSync never ends where the system answers ENOENT
 * below a folder that is there, as in /proc.
 */
export function makeFolder(path: string): void {
  const missing: string[] = [];
  // A file on the way is refused by the system when the first folder below it is made.
  for (let at = resolve(path); !isFolder(at) && (missing.length === 0 || !existsSync(at)); at = dirname(at)) {
    missing.push(at);
  }
  for (const folder of missing.reverse()) {
    try {
      mkdirSync(folder, { mode: ownerOnly });
    } catch (error) {
      // Another process may have made it meanwhile.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !isFolder(folder)) throw error;
    }
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
