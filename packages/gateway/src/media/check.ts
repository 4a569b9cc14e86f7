/** Verifies stored media: contents match their names, and needed files exist. Read-only. */
import { hash as digest } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FilePlace } from './place.ts';

export interface MediaCheck {
  files: number;
  /** Paths of files whose content does not match their name. */
  damaged: string[];
  /** Paths of absent files that an unsent message or a link needs. */
  missing: string[];
}

/** `needed`: hashes of files that must be here, or be readable in full from `elsewhere`. */
export async function checkMediaFiles(
  dataDir: string,
  needed: readonly string[],
  elsewhere: Pick<FilePlace, 'read'> | null = null,
): Promise<MediaCheck> {
  const root = join(dataDir, 'media');
  const found: MediaCheck = { files: 0, damaged: [], missing: [] };
  const present = new Set<string>();
  for (const folder of await namesIn(root)) {
    if (!/^[0-9a-f]{2}$/.test(folder)) continue;
    for (const name of await namesIn(join(root, folder))) {
      const hash = folder + name;
      if (!/^[0-9a-f]{64}$/.test(hash)) continue;
      const path = join(root, folder, name);
      found.files += 1;
      present.add(hash);
      if (digest('sha256', await readFile(path), 'hex') !== hash) found.damaged.push(path);
    }
  }
  for (const hash of needed) {
    if (present.has(hash)) continue;
    if (elsewhere !== null && (await elsewhere.read(hash)) !== null) found.files += 1;
    else found.missing.push(join(root, hash.slice(0, 2), hash.slice(2)));
  }
  return found;
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
