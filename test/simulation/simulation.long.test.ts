/** Many seeds: ten thousand with HELIO_LONG=full. */
import { expect, it } from 'vitest';
import { isFull } from '../crash/rounds.ts';
import { runManySeeds } from './seeds.ts';

const seeds = isFull ? 10_000 : 500;

it('several nodes keep every rule, whatever the seed does to them', { timeout: 4 * 3_600_000 }, async () => {
  const { failures, ...figures } = await runManySeeds(seeds);
  console.log('simulation', JSON.stringify(figures));
  expect(failures).toEqual([]);
  expect(figures.seeds).toBeGreaterThanOrEqual(seeds);
});
