/** The short form of the simulation, with the bugs that it must find; and a failure comes back by its command. */
import { describe, expect, it } from 'vitest';
import { runAgain, runSeeds } from './seeds.ts';

const seeds = 150;
/** A bug that takes more of them to be found would slip through a change. */
const seedsToFind = 300;

/** By planted bug, what the simulation says of it. */
const bugs = {
  'sim-lease-blind': /sends .* too late|sends after it was removed/,
  'sim-lease-long': /taken over only after/,
  'sim-take-any': /has something under way in|two senders for one carrier|sends after/,
  'sim-epoch-blind': /writes under an epoch that is over/,
  'sim-doubt-forgotten': /acknowledged and lost/,
  'sim-recover-queued': /sent twice and not flagged/,
  'sim-lend-free': /over the limit/,
  'sim-positions-kept': /events were stored before position/,
};

const patient = { timeout: 900_000 };

it('several nodes keep every rule, whatever the seed does to them', patient, async () => {
  const { failures, takeOvers, duplicates } = await runSeeds({ from: 1_001, count: seeds });
  expect(failures).toEqual([]);
  expect(takeOvers).toBeGreaterThan(0);
  expect(duplicates).toBeGreaterThan(0);
});

describe('finds the planted bug', () => {
  it.each(Object.entries(bugs))('%s', patient, async (plant, message) => {
    const { failures } = await runSeeds({ from: 1, count: seedsToFind, plant, first: true });
    expect(failures.map(({ broken }) => broken).join()).toMatch(message);
  });
});

it('a seed that breaks a rule breaks it again by the command it prints', patient, async () => {
  const { failures } = await runSeeds({ from: 1, count: 60, plant: 'sim-lease-blind', first: true });
  const [failure] = failures;
  expect(failure!.again).toMatch(/--seed \d+ --trace$/);
  const again = await runAgain(failure!.again);
  expect(again.failures).toEqual([failure]);
});
