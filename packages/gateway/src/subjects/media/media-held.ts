/**
 * Media bytes being sent to clients: each file is in memory once, however many clients read it, within a total limit.
 */
import type { KeptMedium } from '../../model/medium.ts';

export interface HeldMedia {
  /** The bytes; call `release` after sending them. Null when memory is short. */
  hold(medium: KeptMedium): { bytes: Promise<Buffer | null>; release(): void } | null;
}

export function createHeldMedia(read: (hash: string) => Promise<Buffer | null>, bytesMax: number): HeldMedia {
  const held = new Map<string, { bytes: Promise<Buffer | null>; readers: number }>();
  let heldBytes = 0;

  return {
    hold({ hash, sizeBytes }) {
      let one = held.get(hash);
      if (one === undefined) {
        if (heldBytes + sizeBytes > bytesMax) return null;
        heldBytes += sizeBytes;
        one = { bytes: read(hash), readers: 0 };
        held.set(hash, one);
      }
      const entry = one;
      entry.readers++;
      return {
        bytes: entry.bytes,
        release: () => {
          entry.readers--;
          if (entry.readers > 0) return;
          held.delete(hash);
          heldBytes -= sizeBytes;
        },
      };
    },
  };
}
