import { describe, expect, it } from 'vitest';
import { barAt, withTimes } from './histogram';

describe('a stretch of the histogram', () => {
  it('takes the place of the times that the search had', () => {
    const [from, until] = ['2026-11-26T10:04:00.000Z', '2026-11-26T10:05:30.000Z'];
    expect(withTimes('', from, until)).toBe('after:2026-11-26T10:04Z before:2026-11-26T10:05:30Z');
    expect(withTimes('after:2026-11-20 status:failed Before:2026-11-21 text:"after: all"', from, until)).toBe(
      'status:failed text:"after: all" after:2026-11-26T10:04Z before:2026-11-26T10:05:30Z',
    );
  });

  it('begins and ends at the bars under the pointer', () => {
    const box = { left: 100, width: 600 };
    expect([100, 109, 110, 699].map((x) => barAt(x, box, 60))).toEqual([0, 0, 1, 59]);
    expect([0, 900].map((x) => barAt(x, box, 60))).toEqual([0, 59]);
  });
});
