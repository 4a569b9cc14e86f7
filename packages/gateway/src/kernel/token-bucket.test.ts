import { describe, expect, it } from 'vitest';
import { createTokenBucket } from './token-bucket.ts';

describe('token bucket', () => {
  it('gives the burst at once, then the rate', () => {
    const bucket = createTokenBucket(10, 3, 0);
    expect([1, 1, 1, 1].map((n) => bucket.take(n, 0))).toEqual([true, true, true, false]);
    expect(bucket.waitMs(1, 0)).toBe(100);
    expect(bucket.take(1, 99)).toBe(false);
    expect(bucket.take(1, 100)).toBe(true);
    expect(bucket.left(10_000)).toBe(3);
  });

  it('lets a count above the burst pass from a full bucket and owes it then', () => {
    const bucket = createTokenBucket(10, 5, 0);
    expect(bucket.take(20, 0)).toBe(true);
    expect(bucket.take(1, 1_000)).toBe(false);
    expect(bucket.take(1, 1_600)).toBe(true);
  });

  it('is not fooled by a clock that steps back', () => {
    const bucket = createTokenBucket(10, 1, 1_000);
    expect(bucket.take(1, 1_000)).toBe(true);
    expect(bucket.take(1, 0)).toBe(false);
    expect(bucket.take(1, 1_100)).toBe(true);
  });
});
