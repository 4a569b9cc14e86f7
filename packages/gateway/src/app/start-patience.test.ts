/** A start that finds the store busy. */
import { expect, it } from 'vitest';
import { settlingClock } from '../../../../test/props/clock.ts';
import { silentLogger } from '../kernel/logger.ts';
import { StoreUnavailable } from '../store/faults.ts';
import { againMs, patienceMs, whileBusy } from './start-patience.ts';

const clock = settlingClock();
const parts = { clock, logger: silentLogger };

/** Fails this many times, then succeeds. */
function failing(times: number, error: Error) {
  const calls = { count: 0 };
  const work = async (): Promise<string> => {
    calls.count += 1;
    if (calls.count <= times) throw error;
    return 'done';
  };
  return { calls, work };
}

it('tries again until the store has room', async () => {
  const { calls, work } = failing(3, new StoreUnavailable('busy', 'another one writes'));
  const done = whileBusy(parts, work);
  await clock.pass(3 * againMs);
  expect(await done).toBe('done');
  expect(calls.count).toBe(4);
});

it('gives up after a minute', async () => {
  const busy = new StoreUnavailable('busy', 'another one writes');
  const { calls, work } = failing(Number.POSITIVE_INFINITY, busy);
  const ended = whileBusy(parts, work).catch((error: unknown) => error);
  await clock.pass(patienceMs + againMs);
  expect(await ended).toBe(busy);
  expect(calls.count).toBeGreaterThan(100);
});

it.each([new StoreUnavailable('down', 'away'), new StoreUnavailable('full', 'no room'), new Error('a bug')])(
  'does not wait for what another try does not mend: %s',
  async (error) => {
    const { calls, work } = failing(1, error);
    await expect(whileBusy(parts, work)).rejects.toBe(error);
    expect(calls.count).toBe(1);
  },
);
