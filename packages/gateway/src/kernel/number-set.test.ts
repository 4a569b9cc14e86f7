import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createNumberSet } from './number-set.ts';

describe('a set of numbers', () => {
  it('does what a Set does, for any additions and deletions', () => {
    const number = fc.oneof(
      fc.integer({ min: 1, max: 40 }),
      fc.integer({ min: 1, max: 999_999_999_999_999 }),
      fc.integer({ min: 0, max: 50 }).map((n) => 12_025_550_100 + n),
    );
    const step = fc.record({ adds: fc.boolean(), number });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 400 }), (steps) => {
        const ours = createNumberSet();
        const theirs = new Set<number>();
        for (const { adds, number } of steps) {
          if (adds) {
            expect(ours.add(number)).toBe(!theirs.has(number));
            theirs.add(number);
          } else expect(ours.delete(number)).toBe(theirs.delete(number));
          expect(ours.size).toBe(theirs.size);
        }
        for (const { number } of steps) expect(ours.has(number)).toBe(theirs.has(number));
      }),
      { numRuns: 300 },
    );
  });

  it('distinguishes neighbours up to 15 digits', () => {
    const set = createNumberSet();
    set.add(999_999_999_999_999);
    set.add(10_000_000);
    expect([999_999_999_999_998, 999_999_999_999_999, 10_000_000, 10_000_001].map(set.has)).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });

  it.each([0, -1, 1.5, 1e15, Number.NaN, Number.POSITIVE_INFINITY])('never holds %s', (value) => {
    const set = createNumberSet();
    expect(() => set.add(value)).toThrow(RangeError);
    expect([set.has(value), set.delete(value), set.size]).toEqual([false, false, 0]);
  });

  it('holds a million numbers in less than 40 MB, growth included', () => {
    const before = process.memoryUsage().arrayBuffers;
    const set = createNumberSet();
    for (let n = 0; n < 1_000_000; n++) set.add(12_012_000_000 + n * 7);
    expect(set.size).toBe(1_000_000);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(40_000_000);
    expect([set.has(12_012_000_000), set.has(12_012_000_001), set.has(12_012_000_007)]).toEqual([true, false, true]);
  });
});
