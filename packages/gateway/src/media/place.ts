/**
 * Where whole files are kept, each under the SHA-256 of its content: a folder (`files.ts`), PostgreSQL
 * (`store/postgres-files.ts`) or a bucket (`bucket.ts`). `place.contract.ts` says what all of them keep to.
 */
import type { EpochMs } from '../kernel/clock.ts';
import type { MediaFiles } from '../model/media.ts';

/** How many hashes `list` yields, and `remove` takes, at a time. */
export const placeBatchMax = 500;

export interface FilePlace extends Pick<MediaFiles, 'put' | 'read'> {
  /**
   * Hashes of what is there, in batches of at most `placeBatchMax`: all that `remove` could delete now. What is put or deleted
   * meanwhile may be missing.
   */
  list(): AsyncIterable<readonly string[]>;
  /**
   * Deletes those that were not put, or put again, since `putBefore`; returns how many. A `put` at the same moment comes
   * before, and keeps the file, or after, and writes it anew. A place may keep a file longer than it has to.
   */
  remove(hashes: readonly string[], putBefore: EpochMs): Promise<number>;
}

/** The media store over a place. */
export function filesIn(place: FilePlace): MediaFiles {
  return {
    put: place.put,
    read: place.read,
    async sweep({ needed, putBefore }) {
      let deleted = 0;
      for await (const batch of place.list()) {
        const kept = await needed(batch);
        const unneeded = batch.filter((hash) => !kept.has(hash));
        if (unneeded.length > 0) deleted += await place.remove(unneeded, putBefore);
      }
      return deleted;
    },
  };
}
