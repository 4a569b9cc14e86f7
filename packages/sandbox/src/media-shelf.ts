/**
 * The bytes of the handsets' media, in memory only. Bounded per handset and in total: the oldest are dropped first, and
 * the medium then says so.
 */
import { createHash } from 'node:crypto';
import type { HandsetContent, HandsetMedium } from './handsets.ts';
import type { Ids } from './machine.ts';

export interface MediaShelfLimits {
  bytesMax: number;
  bytesPerHandsetMax: number;
}

export const defaultMediaShelfLimits: MediaShelfLimits = {
  bytesMax: 64 * 1024 * 1024,
  bytesPerHandsetMax: 16 * 1024 * 1024,
};

export interface MediaShelf {
  /** Stores the bytes and drops older ones, or these if they alone are too large. */
  put(handset: string, medium: HandsetMedium, bytes: Buffer): void;
  /** This handset's medium with the id. */
  get(handset: string, mediaId: string): HandsetContent | null;
  drop(mediaId: string): void;
}

interface Entry {
  handset: string;
  medium: HandsetMedium;
  bytes: Buffer;
}

export function createMediaShelf(limits: MediaShelfLimits = defaultMediaShelfLimits): MediaShelf {
  /** Oldest first. */
  const entries = new Map<string, Entry>();
  const bytesOf = new Map<string, number>();
  let bytes = 0;

  function count(handset: string, more: number): void {
    bytes += more;
    const left = (bytesOf.get(handset) ?? 0) + more;
    if (left === 0) bytesOf.delete(handset);
    else bytesOf.set(handset, left);
  }

  function drop(mediaId: string): void {
    const entry = entries.get(mediaId);
    if (entry === undefined) return;
    entries.delete(mediaId);
    entry.medium.held = false;
    count(entry.handset, -entry.bytes.length);
  }

  function makeRoom(handset: string): void {
    for (const [mediaId, entry] of entries) {
      const handsetFull = (bytesOf.get(handset) ?? 0) > limits.bytesPerHandsetMax;
      if (bytes <= limits.bytesMax && !handsetFull) return;
      if (bytes > limits.bytesMax || entry.handset === handset) drop(mediaId);
    }
  }

  return {
    put: (handset, medium, contents) => {
      entries.set(medium.mediaId, { handset, medium, bytes: contents });
      count(handset, contents.length);
      makeRoom(handset);
    },
    get: (handset, mediaId) => {
      const entry = entries.get(mediaId);
      if (entry?.handset !== handset) return null;
      const { contentType, fileName } = entry.medium;
      return { contentType, fileName, bytes: entry.bytes };
    },
    drop,
  };
}

/** A medium as its handset lists it. */
export function mediumOf({ contentType, fileName, bytes }: HandsetContent, ids: Ids): HandsetMedium {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { mediaId: ids.next('hmd_'), contentType, fileName, sizeBytes: bytes.length, sha256, held: true };
}
