/**
 * A disk whose power can be cut: an ext4 image on a loop device. A cut drops everything that was not synced, journal
 * included (FS_IOC_GOINGDOWN without log flush). Needs root and loop mounts; it touches nothing but its own image.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

export interface Disk {
  /** Where it is mounted. */
  readonly folder: string;
  /** From now on every write fails and nothing unsynced will be there again. Kill what runs on it, then `mount`. */
  cutPower(): void;
  /** Unmounts and mounts again, as after a power cut: the file system recovers itself. */
  restart(): void;
  remove(): void;
}

/** `_IOR('X', 125, __u32)`; 2 = no log flush. */
const goingDown = [
  'import fcntl, os, struct, sys',
  "fcntl.ioctl(os.open(sys.argv[1], os.O_RDONLY), 0x8004587D, struct.pack('I', 2))",
].join('\n');

/** Makes the disk, or says why this machine cannot have one. */
export function createDisk(folder: string, sizeMb: number): Disk | { impossible: string } {
  const image = join(folder, 'disk.img');
  const mountPoint = join(folder, 'disk');
  const mount = (): void => run('mount', '-o', 'loop', image, mountPoint);
  try {
    if (process.getuid?.() !== 0) return { impossible: 'power cuts need root' };
    mkdirSync(mountPoint, { recursive: true });
    run('truncate', '-s', `${sizeMb}M`, image);
    run('mkfs.ext4', '-q', '-F', image);
    run('python3', '-c', 'import fcntl');
    mount();
  } catch (error) {
    return { impossible: `power cuts need loop mounts, mkfs.ext4 and python3: ${(error as Error).message}` };
  }
  return {
    folder: mountPoint,
    cutPower: () => run('python3', '-c', goingDown, mountPoint),
    restart: () => {
      run('umount', mountPoint);
      mount();
    },
    remove: () => {
      run('umount', mountPoint);
      rmSync(image);
    },
  };
}

function run(command: string, ...given: string[]): void {
  execFileSync(command, given, { stdio: ['ignore', 'ignore', 'pipe'] });
}
