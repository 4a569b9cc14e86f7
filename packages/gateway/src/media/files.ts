/**
 * The media files, named by the SHA-256 of their content, in `media/` of the data folder. A file exists completely or
 * not at all, even after a crash. No external name becomes part of a path.
 */
import { hash as digest } from 'node:crypto';
import { statSync, unlinkSync, utimesSync } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { EpochMs, Random } from '../kernel/clock.ts';
import type { MediaFiles } from '../model/media.ts';
import { type FilePlace, filesIn, placeBatchMax } from './place.ts';

const hashForm = /^[0-9a-f]{64}$/;

export interface MediaFilesParts {
  readonly dataDir: string;
  /** A folder inside the data folder; absent = `media`. */
  readonly folder?: string;
  readonly random: Random;
  /** Wall clock, for file times. */
  readonly now: () => EpochMs;
}

/** Only one process at a time may use a folder: open it while holding the node lock. */
export async function openMediaFiles({
  dataDir,
  folder = 'media',
  random,
  now,
}: MediaFilesParts): Promise<FilePlace & MediaFiles> {
  const root = join(dataDir, folder);
  const unfinished = join(root, 'unfinished');
  // Files in there are left-overs of a crash.
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true, mode: 0o700 });
  await syncFolder(dataDir);
  await syncFolder(root);

  const folderOf = (hash: string) => join(root, hash.slice(0, 2));
  const pathOf = (hash: string) => join(folderOf(hash), hash.slice(2));

  async function write(hash: string, bytes: Uint8Array): Promise<void> {
    const temporary = join(unfinished, Buffer.from(random.bytes(16)).toString('hex'));
    try {
      const file = await open(temporary, 'wx', 0o600);
      try {
        await file.writeFile(bytes);
        // The time of the clock that `sweep` uses, not the file system's.
        touch(temporary, now());
        await file.sync();
      } finally {
        await file.close();
      }
      if ((await mkdir(folderOf(hash), { recursive: true, mode: 0o700 })) !== undefined) await syncFolder(root);
      await rename(temporary, pathOf(hash));
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  }

  /**
   * Checks and deletes synchronously: a `put` of the same bytes runs before (and refreshes the file's time) or after.
   */
  function deleteOld(path: string, putBefore: EpochMs): number {
    const file = statSync(path, { throwIfNoEntry: false });
    if (file === undefined || file.mtimeMs >= putBefore) return 0;
    unlinkSync(path);
    return 1;
  }

  const place: FilePlace = {
    async put(bytes) {
      const hash = digest('sha256', bytes, 'hex');
      try {
        // Rewrites a damaged file; refreshes the time only after the content is known to be whole.
        if (!((await holds(pathOf(hash), bytes)) && touch(pathOf(hash), now()))) await write(hash, bytes);
        // Also needed when another put has just written the file and not yet synced its folder.
        await syncFolder(folderOf(hash));
        return { ok: true, hash };
      } catch (error) {
        if (hasCode(error, 'ENOSPC', 'EDQUOT')) return { ok: false, why: 'disk-full' };
        throw error;
      }
    },

    async read(hash) {
      if (!hashForm.test(hash)) return null;
      const bytes = await readIfThere(pathOf(hash));
      return bytes !== null && digest('sha256', bytes, 'hex') === hash ? bytes : null;
    },

    async *list() {
      for (const folder of await readdir(root)) {
        if (!/^[0-9a-f]{2}$/.test(folder)) continue;
        const hashes = (await readdir(join(root, folder))).map((name) => folder + name).filter((h) => hashForm.test(h));
        for (let at = 0; at < hashes.length; at += placeBatchMax) yield hashes.slice(at, at + placeBatchMax);
      }
    },

    async remove(hashes, putBefore) {
      return hashes.reduce((deleted, hash) => deleted + deleteOld(pathOf(hash), putBefore), 0);
    },
  };
  return { ...place, ...filesIn(place) };
}

/** Sets the file's time to now; false when it is absent. */
function touch(path: string, at: EpochMs): boolean {
  try {
    utimesSync(path, at / 1_000, at / 1_000);
    return true;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false;
    throw error;
  }
}

/** Whether the file exists with exactly these bytes. */
async function holds(path: string, bytes: Uint8Array): Promise<boolean> {
  const file = statSync(path, { throwIfNoEntry: false });
  if (file === undefined || file.size !== bytes.length) return false;
  return (await readIfThere(path))?.equals(bytes) ?? false;
}

async function readIfThere(path: string): Promise<Buffer | null> {
  try {
    return await readFile(path);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    throw error;
  }
}

/** A new name survives a crash only once its folder is synced. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

function hasCode(error: unknown, ...codes: string[]): boolean {
  return codes.includes((error as NodeJS.ErrnoException).code ?? '');
}
