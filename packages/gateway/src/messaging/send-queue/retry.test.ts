import { expect, it } from 'vitest';
import { retryWaitMs } from './retry.ts';

it('waits 1 s, 5 s, 30 s, 2 min, 10 min, then 15 min, ±10 %', () => {
  const middle = [1, 2, 3, 4, 5, 6, 7, 40].map((attempt) => retryWaitMs(attempt, 0.5));
  expect(middle).toEqual([1_000, 5_000, 30_000, 120_000, 600_000, 900_000, 900_000, 900_000]);
  expect(retryWaitMs(1, 0)).toBe(900);
  expect(retryWaitMs(1, 0.999_999)).toBe(1_100);
});
