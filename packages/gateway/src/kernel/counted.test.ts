import { expect, it } from 'vitest';
import { counted } from './counted.ts';

it('says one of one thing, and many of any other count', () => {
  expect([0, 1, 2].map((count) => counted(count, 'segment'))).toEqual(['0 segments', '1 segment', '2 segments']);
  expect([1, 2].map((count) => counted(count, 'entry', 'entries'))).toEqual(['1 entry', '2 entries']);
});
