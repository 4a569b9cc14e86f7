/** A disk of a few megabytes in memory, mounted on a folder, that can be filled and freed. Needs root. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface SmallDisk {
  /** Writes until at most this many bytes are free; 0 = until the disk is full. */
  fill(bytesLeft: number): void;
  /** Removes what `fill` wrote. */
  free(): void;
  remove(): void;
}

const blockBytes = 64 * 1024;

/** Mounts it on `folder`, which is created when missing, or returns the reason why this machine cannot. */
export function mountSmallDisk(folder: string, sizeMb: number): SmallDisk | { impossible: string } {
  if (process.getuid?.() !== 0) return { impossible: 'a disk of its own needs root' };
  mkdirSync(folder, { recursive: true });
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeMb}m,mode=700`, 'tmpfs', folder], { stdio: 'pipe' });
  } catch (error) {
    return { impossible: `a disk of its own needs tmpfs mounts: ${(error as Error).message}` };
  }
  const ballast = join(folder, 'ballast');
  return {
    fill: (bytesLeft) => {
      const block = Buffer.alloc(blockBytes, 1);
      try {
        const blocks = bytesLeft === 0 ? Number.POSITIVE_INFINITY : (freeBytes(folder) - bytesLeft) / blockBytes;
        for (let at = 0; at < blocks; at++) writeFileSync(ballast, block, { flag: 'a' });
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      }
    },
    free: () => rmSync(ballast, { force: true }),
    remove: () => {
      execFileSync('umount', [folder]);
    },
  };
}

function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}
