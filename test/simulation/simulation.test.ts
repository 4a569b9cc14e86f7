/** Some seeds of the simulation, and what makes it worth having: a seed is a run. */
import { expect, it } from 'vitest';
import { runSeeds } from './seeds.ts';
import { simulate } from './simulate.ts';

const seeds = 8;

it('several nodes keep every rule, whatever the seed does to them', async () => {
  const { failures, acknowledged } = await runSeeds({ from: 1, count: seeds });
  expect(failures).toEqual([]);
  expect(acknowledged).toBeGreaterThan(seeds * 50);
});

it('the same seed gives the same trace, and another seed another one', async () => {
  const runs = [await simulate(5), await simulate(5), await simulate(6)];
  const [first, second, other] = runs.map(({ sum, events }) => `${sum} ${events}`);
  expect(first).toBe(second);
  expect(other).not.toBe(first);
});
