import { describe, expect, it } from 'vitest';
import { partNumbers, spansOf } from './spans.ts';

describe('spans of parts', () => {
  it('are one where nothing is set', () => {
    expect(partNumbers({ part: 3 })).toEqual([3]);
    expect(spansOf([{}, { spans: 1 }, { spans: 4 }])).toBe(6);
  });

  it('name each part they stand for', () => {
    expect(partNumbers({ part: 2, spans: 3 })).toEqual([2, 3, 4]);
  });
});
