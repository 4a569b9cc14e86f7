import { describe, expect, it } from 'vitest';
import { settlingClock } from '../../../../../test/props/clock.ts';
import { silentLogger } from '../../kernel/logger.ts';
import type { Sweep } from '../../model/media.ts';
import { StoreUnavailable } from '../../store/faults.ts';
import { createMediaKeeping } from './media-keeping.ts';

const hourMs = 3_600_000;
const keptMs = 30 * 24 * hourMs;

function keeping() {
  const clock = settlingClock();
  const forgets: { now: number; keptSince: number; limit: number }[] = [];
  const queries: { hashes: string[]; now: number; keptSince: number }[] = [];
  const sweeps: Sweep[] = [];
  const logged: string[] = [];
  const state = { more: 0, fails: null as Error | null, disk: null as Error | null, kept: [] as unknown[] };
  const sweeper = createMediaKeeping({
    clock,
    logger: { ...silentLogger, warn: () => logged.push('warn'), error: () => logged.push('error') },
    store: {
      forgetMedia: async (request) => {
        await Promise.resolve();
        if (state.fails !== null) throw state.fails;
        forgets.push(request);
        return state.more-- > 0;
      },
      neededMedia: async (request) => {
        queries.push(request);
        return request.hashes.filter((hash) => hash.startsWith('needed'));
      },
    },
    media: {
      sweep: async (sweep) => {
        sweeps.push(sweep);
        if (state.disk !== null) throw state.disk;
        for (const hashes of [['needed 1', 'not 1'], ['not 2']]) state.kept.push([...(await sweep.needed(hashes))]);
        return 2;
      },
    },
  });
  return { clock, sweeper, forgets, queries, sweeps, logged, state };
}

describe('the keeping of media', () => {
  it('lets go at the start and every hour, first of rows, in bounded steps, then of files', async () => {
    const k = keeping();
    k.state.more = 3;
    k.sweeper.start();
    await k.clock.pass(0);
    const now = k.clock.now();
    expect(k.forgets).toEqual(Array(4).fill({ now, keptSince: now - keptMs, limit: 500 }));
    expect(k.sweeps).toMatchObject([{ putBefore: now - hourMs }]);
    expect(k.queries).toMatchObject([
      { hashes: ['needed 1', 'not 1'], now, keptSince: now - keptMs },
      { hashes: ['not 2'] },
    ]);
    expect(k.state.kept).toEqual([['needed 1'], []]);
    await k.clock.pass(hourMs - 1);
    expect(k.sweeps).toHaveLength(1);
    await k.clock.pass(1);
    expect(k.sweeps).toHaveLength(2);
  });

  it.each([
    ['the store is unavailable', 'fails', new StoreUnavailable('busy', 'busy'), 'warn'],
    ['the disk is broken', 'disk', new Error('EIO'), 'error'],
  ] as const)('tries again an hour later when %s, and deletes nothing on a guess', async (_, what, error, level) => {
    const k = keeping();
    k.state[what] = error;
    k.sweeper.start();
    await k.clock.pass(0);
    expect(k.logged).toEqual([level]);
    expect(k.state.kept).toEqual([]);
    k.state[what] = null;
    await k.clock.pass(hourMs);
    expect(k.state.kept).toHaveLength(2);
  });

  it('ends soon at a stop: what was not looked up is kept', async () => {
    const k = keeping();
    k.sweeper.start();
    await k.clock.pass(0);
    const [{ needed }] = k.sweeps as [Sweep];
    await k.sweeper.stop();
    expect([...(await needed(['not 3']))]).toEqual(['not 3']);
    expect(k.queries).toHaveLength(2);
    await k.clock.pass(10 * hourMs);
    expect(k.sweeps).toHaveLength(1);
  });

  it('begins no sweep when it was stopped while rows were let go of', async () => {
    const k = keeping();
    k.state.more = 1_000_000;
    k.sweeper.start();
    await k.sweeper.stop();
    expect(k.sweeps).toEqual([]);
    expect(k.forgets.length).toBeLessThan(100);
  });
});
