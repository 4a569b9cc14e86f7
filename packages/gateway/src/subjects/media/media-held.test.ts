import { describe, expect, it } from 'vitest';
import type { StoredMedium } from '../../model/medium.ts';
import { createHeldMedia } from './media-held.ts';

const medium = (hash: string, sizeBytes: number): StoredMedium => ({ hash, type: 'image/png', sizeBytes });

describe('held media', () => {
  it('are read once while anybody has them, counted once, and have a limit together', async () => {
    const reads: string[] = [];
    const held = createHeldMedia(async (hash) => {
      reads.push(hash);
      return Buffer.from(hash);
    }, 10);
    const first = held.hold(medium('a', 6))!;
    const second = held.hold(medium('a', 6))!;
    expect(await second.bytes).toBe(await first.bytes);
    expect(held.hold(medium('b', 5))).toBeNull();
    const small = held.hold(medium('c', 4))!;
    first.release();
    expect(held.hold(medium('b', 5))).toBeNull();
    second.release();
    expect(held.hold(medium('b', 5))).not.toBeNull();
    small.release();
    held.hold(medium('a', 5));
    expect(reads).toEqual(['a', 'c', 'b', 'a']);
  });
});
