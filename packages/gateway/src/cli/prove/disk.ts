/**
 * A disk whose power can be cut: an ext4 image on a loop device. A cut drops everything that was not synced, journal
 * included (FS_IOC_GOINGDOWN without log flush). Needs root and loop mounts. It never blocks this process, because a
 * client in it must keep sending until the cut.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';

const unmountTries = 20;
const unmountRetryMs = 100;

export interface Disk {
  /** Where it is mounted. */
  readonly folder: string;
  /**
   * From now on every write fails, and unsynced data is lost. Harsher than a real power cut, because processes keep
   * running: a sync under way may report success and then be dropped (ext4 does not check once its journal is gone).
   * Kill the processes on the disk, then `restart`.
   */
  cutPower(): Promise<void>;
  /** Unmounts and mounts again, as after a power cut; the file system recovers itself. */
  restart(): Promise<void>;
  /** Keeps the image, for inspection. */
  unmount(): Promise<void>;
  remove(): Promise<void>;
}

/** `_IOR('X', 125, __u32)`; 2 = no log flush. */
const goingDown = [
  'import fcntl, os, struct, sys',
  "fcntl.ioctl(os.open(sys.argv[1], os.O_RDONLY), 0x8004587D, struct.pack('I', 2))",
].join('\n');

/** Creates the disk, or says why this machine cannot have one. */
export async function createDisk(folder: string, sizeMb: number): Promise<Disk | { impossible: string }> {
  const image = join(folder, 'disk.img');
  const mountPoint = join(folder, 'disk');
  const mount = (): Promise<void> => run('mount', '-o', 'loop', image, mountPoint);
  if (process.getuid?.() !== 0) return { impossible: 'power cuts need root' };
  try {
    mkdirSync(mountPoint, { recursive: true });
    await run('truncate', '-s', `${sizeMb}M`, image);
    await run('mkfs.ext4', '-q', '-F', image);
    await run('python3', '-c', 'import fcntl');
    await mount();
  } catch (error) {
    return { impossible: `power cuts need loop mounts, mkfs.ext4 and python3: ${(error as Error).message}` };
  }
  return {
    folder: mountPoint,
    cutPower: () => run('python3', '-c', goingDown, mountPoint),
    restart: async () => {
      await unmount(mountPoint);
      await mount();
    },
    unmount: () => unmount(mountPoint),
    remove: async () => {
      await unmount(mountPoint);
      rmSync(image);
    },
  };
}

/** A process killed a moment ago may still have a file open there. */
async function unmount(mountPoint: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await run('umount', mountPoint);
      return;
    } catch (error) {
      if (tries === unmountTries) throw error;
      await wait(unmountRetryMs);
    }
  }
}

async function run(command: string, ...given: string[]): Promise<void> {
  await promisify(execFile)(command, given);
}
