/** Some seeds of the simulation, and what makes it worth having: a seed is a run, and a failure comes back by its command. */
import { expect, it } from 'vitest';
import { runAgain, runSeeds } from './seeds.ts';
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

it('a seed that breaks a rule breaks it again by the command it prints', async () => {
  const { failures } = await runSeeds({ from: 1, count: 60, plant: 'sim-lease-blind', first: true });
  const [failure] = failures;
  expect(failure!.again).toMatch(/--seed \d+ --trace$/);
  const again = await runAgain(failure!.again);
  expect(again.failures).toEqual([failure]);
});
