/** How long a stop waits for its store. */
import { beforeEach, describe, expect, it } from 'vitest';
import { settlingClock } from '../../../../test/props/clock.ts';
import { keptLog, type LogLine } from '../http/server-fixture.ts';
import { createStopPatience, stopPatienceMs } from './stop-patience.ts';

const clock = settlingClock();
let lines: LogLine[];
let patience: ReturnType<typeof createStopPatience>;
beforeEach(() => {
  lines = [];
  patience = createStopPatience({ clock, logger: keptLog(lines) });
});

const never = (): Promise<boolean> => new Promise(() => {});
const given = (): boolean => patience.givenUp.aborted;

describe('a stop', () => {
  it.each([
    ['answers nothing', never],
    ['takes no writes', async () => false],
  ])('goes on without a store that %s, and says so once', async (_, healthy) => {
    patience.watch({ healthy });
    await clock.pass(stopPatienceMs - 1);
    expect(given()).toBe(false);
    await clock.pass(10 * stopPatienceMs);
    expect(given()).toBe(true);
    expect(lines).toMatchObject([{ level: 'error', message: expect.stringContaining('without it') }]);
    expect(clock.timers()).toBe(0);
  });

  it('waits for a store that is there, for as long as that takes', async () => {
    patience.watch({ healthy: async () => true });
    await clock.pass(10 * stopPatienceMs);
    patience.end();
    await clock.pass(10 * stopPatienceMs);
    expect(given()).toBe(false);
    expect(lines).toEqual([]);
    expect(clock.timers()).toBe(0);
  });

  it('begins to count anew when the store has come back', async () => {
    const state = { healthy: false };
    patience.watch({ healthy: async () => state.healthy });
    await clock.pass(stopPatienceMs - 500);
    state.healthy = true;
    await clock.pass(500);
    state.healthy = false;
    await clock.pass(stopPatienceMs - 500);
    expect(given()).toBe(false);
    await clock.pass(500);
    expect(given()).toBe(true);
  });

  it('gives up nothing once it may be closed, not even when it answers later', async () => {
    const answer = Promise.withResolvers<boolean>();
    patience.watch({ healthy: () => answer.promise });
    patience.end();
    answer.resolve(true);
    await clock.pass(2 * stopPatienceMs);
    expect(given()).toBe(false);
    expect(clock.timers()).toBe(0);
  });
});
