import { describe, expect, it } from 'vitest';
import { linePath, scaleFromZero, scaleOfShares } from './column-lines';
import { scaleOf } from './columns';

describe('a chart of columns', () => {
  it('has a scale that reads well', () => {
    expect([0, 1, 3, 7, 11, 48, 101, 500].map(scaleOf)).toEqual([1, 1, 3, 8, 15, 50, 150, 500]);
  });

  it('has a line from the tenth below its least share up to all', () => {
    expect(scaleOfShares([0.97, null, 0.85])).toEqual({ floor: 0.8, top: 1 });
    expect(scaleOfShares([1, 0.9])).toEqual({ floor: 0.9, top: 1 });
    expect(scaleOfShares([0.3, 0, 1.2])).toEqual({ floor: 0, top: 1.2 });
    expect(scaleOfShares([])).toEqual({ floor: 0.9, top: 1 });
    const path = (values: (number | null)[]) => linePath(values, scaleOfShares(values));
    expect(path([1, 0.9, null, 0.95])).toBe('M0.5 0L0.5 0L1.5 100M3.5 50L3.5 50');
    expect(path([null, 0.5, 0.75])).toBe('M1.5 100L1.5 100L2.5 50');
    expect(path([null])).toBe('');
  });

  it('has lines from nothing up to what reads well', () => {
    expect([[0.034], [0, 2], [7_200, null], [0.3]].map(scaleFromZero).map(({ top }) => top)).toEqual([
      0.04, 2, 8_000, 0.3,
    ]);
    expect(scaleFromZero([null, 0])).toEqual({ floor: 0, top: 1 });
    expect(linePath([0, 2], { floor: 0, top: 4 })).toBe('M0.5 100L0.5 100L1.5 50');
  });
});
