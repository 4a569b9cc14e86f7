/**
 * A place for whole files, each under the SHA-256 of its content: a folder (`files.ts`), PostgreSQL
 * (`store/postgres-files.ts`) or a bucket (`bucket.ts`). `place.contract.ts` is their common contract.
 */
import type { EpochMs } from '../kernel/clock.ts';
import type { MediaFiles } from '../model/media.ts';

/** Most hashes that `list` yields, and `remove` takes, at once. */
export const placeBatchMax = 500;

export interface FilePlace extends Pick<MediaFiles, 'put' | 'read'> {
  /**
   * Hashes of all files that `remove` could delete now, in batches of at most `placeBatchMax`. Files put or deleted
   * meanwhile may be missing.
   */
  list(): AsyncIterable<readonly string[]>;
  /**
   * Deletes the files that were last put before `putBefore`; returns how many. A concurrent `put` either comes first
   * and keeps the file, or comes later and writes it again. A place may keep a file longer.
   */
  remove(hashes: readonly string[], putBefore: EpochMs): Promise<number>;
}

/** The media store on top of a place. */
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
