import { expect, it } from 'vitest';
import { lastDetail } from './next-try.ts';

it.each([
  [null, 5_000, 0, null],
  ['closed', null, 0, 'closed'],
  ['closed', 5_000, 0, 'closed; next try in 5 s'],
  ['closed', 5_000, 4_001, 'closed; next try in 1 s'],
  ['closed', 5_000, 5_000, 'closed; trying now'],
  ['closed', 5_000, 9_000, 'closed; trying now'],
])('%s, to be tried again at %s, at %s', (detail, nextTryMs, now, words) => {
  expect(lastDetail({ detail, nextTryMs }, { monotonicMs: () => now })).toBe(words);
});
