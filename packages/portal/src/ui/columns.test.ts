import { describe, expect, it } from 'vitest';
import { floorOf, linePath, scaleOf } from './columns';

describe('a chart of columns', () => {
  it('has a scale that reads well', () => {
    expect([0, 1, 3, 7, 11, 48, 101, 500].map(scaleOf)).toEqual([1, 1, 3, 8, 15, 50, 150, 500]);
  });

  it('has a line from the tenth below its least share up to all', () => {
    expect(floorOf([0.97, null, 0.85])).toBe(0.8);
    expect(floorOf([1, 0.9])).toBe(0.9);
    expect(floorOf([0.3, 0])).toBe(0);
    expect(floorOf([])).toBe(0.9);
    expect(linePath([1, 0.9, null, 0.95])).toBe('M0.5 0L0.5 0L1.5 100M3.5 50L3.5 50');
    expect(linePath([null, 0.5, 0.75])).toBe('M1.5 100L1.5 100L2.5 50');
    expect(linePath([null])).toBe('');
  });
});
