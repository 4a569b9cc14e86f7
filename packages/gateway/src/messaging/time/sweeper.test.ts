import { describe, expect, it } from 'vitest';
import { settlingClock } from '../../../../../test/props/clock.ts';
import { warningsIn } from '../../../../../test/props/warnings.ts';
import { buildDirectory } from '../../carriers/directory.ts';
import type { Account } from '../../model/records.ts';
import { records } from '../../model/world-fixture.ts';
import { StoreUnavailable } from '../../store/faults.ts';
import type { SweepRequest } from '../store/items.ts';
import { createSweeper } from './sweeper.ts';
import type { ClockDoubt } from './trusted-clock.ts';

const move = (i: number) =>
  ({
    messageId: `m${i}`,
    accountId: 'r',
    from: 'sending',
    state: 'uncertain',
    code: 'UNCERTAIN',
    carrier: 'a',
  }) as const;

function sweeperWith(left: number) {
  const clock = settlingClock();
  const sweeps: SweepRequest[] = [];
  const warnings: string[] = [];
  const calls = { nudges: 0, failOvers: 0, laneLooks: 0, recovers: [] as { dueAt: number; token: number }[] };
  const state = {
    more: 0,
    moves: [] as ReturnType<typeof move>[],
    lookTakesMs: 0,
    fails: null as Error | null,
    hangs: null as Promise<void> | null,
    broken: null as unknown,
    doubt: null as ClockDoubt | null,
  };
  const accounts = [
    { accountId: 'h', uncertainPolicy: 'hold' },
    { accountId: 'r', uncertainPolicy: 'resend' },
  ] as Account[];
  const sweeper = createSweeper({
    clock,
    logger: warningsIn(warnings),
    directory: () => buildDirectory(records({ accounts })),
    uncertainWaitMs: 60_000,
    doubt: () => state.doubt,
    broken: (error) => {
      state.broken = error;
    },
    lanes: {
      nudgeAll: () => {
        calls.nudges++;
      },
      failOver: async () => {
        calls.failOvers++;
      },
    },
    store: {
      forgetWebhooks: async () => false,
      workingLanes: async () => {
        calls.laneLooks++;
        clock.set(clock.now() + state.lookTakesMs);
        return { queued: ['a'], uncertain: [], sent: [] };
      },
      token: 3,
      recover: async ({ token, dueAt, now, limit }) => {
        calls.recovers.push({ token, dueAt: dueAt - now });
        const count = Math.min(limit, left);
        left -= count;
        return Array.from({ length: count }, (_, i) => move(i));
      },
      sweep: async (request) => {
        if (state.fails !== null) throw state.fails;
        sweeps.push(request);
        await state.hangs;
        return { moves: state.moves, more: state.more-- > 0 };
      },
    },
  });
  return { clock, sweeper, sweeps, calls, state, warnings };
}

describe('the sweeper', () => {
  it('marks everything an earlier run left in sending, in bounded steps', async () => {
    const { sweeper, calls } = sweeperWith(2_500);
    expect(await sweeper.recover()).toBe(2_500);
    expect(calls.recovers).toEqual([1, 2, 3].map(() => ({ token: 3, dueAt: 60_000 })));
  });

  it('sweeps each second, again while there is more, and says whose messages are held', async () => {
    const { clock, sweeper, sweeps, state, calls } = sweeperWith(0);
    state.more = 2;
    sweeper.start();
    await clock.pass(1_000);
    expect(sweeps).toHaveLength(3);
    expect(sweeps[0]!.holdAccountIds).toEqual(['h']);
    expect(sweeps[0]!.now - sweeps[0]!.unmatchedReceiptsBefore).toBe(24 * 3_600_000);
    await clock.pass(1_000);
    expect(sweeps).toHaveLength(4);
    expect(calls.failOvers).toBe(1);
    expect(calls.nudges).toBe(0);
    state.moves = [move(0)];
    await clock.pass(1_000);
    expect(calls.nudges).toBe(1);
  });

  it('sweeps each second the lanes that it knows, and looks for lanes the more seldom, the longer that takes', async () => {
    const { clock, sweeper, sweeps, state, calls } = sweeperWith(0);
    sweeper.start();
    await clock.pass(3_000);
    expect(calls.laneLooks).toBe(3);
    state.lookTakesMs = 100;
    await clock.pass(1_000);
    expect(calls.laneLooks).toBe(4);
    await clock.pass(19_000);
    expect(calls.laneLooks).toBe(4);
    await clock.pass(2_000);
    expect(calls.laneLooks).toBe(5);
    expect(sweeps.length).toBeGreaterThan(20);
    expect(sweeps.at(-1)!.lanes).toEqual({ queued: ['a'], uncertain: [], sent: [] });
  });

  it('sweeps nothing while it is not known whether the clock jumped before the start', async () => {
    const { clock, sweeper, sweeps, state } = sweeperWith(0);
    state.doubt = { kind: 'gap', byMs: 1 };
    sweeper.start();
    await clock.pass(5_000);
    expect(sweeps).toHaveLength(0);
    state.doubt = { kind: 'forward', byMs: 1 };
    await clock.pass(1_000);
    expect(sweeps).toHaveLength(1);
  });

  it('goes on after the store was unavailable, and reports what is no passing fault', async () => {
    const { clock, sweeper, sweeps, state, warnings } = sweeperWith(0);
    sweeper.start();
    for (const outage of [1, 2]) {
      state.fails = null;
      await clock.pass(1_000);
      state.fails = new StoreUnavailable('busy', 'busy');
      await clock.pass(3_000);
      expect(warnings).toEqual(Array(outage).fill('the sweep waits for the store'));
    }
    sweeps.length = 0;
    expect(state.broken).toBeNull();
    state.fails = null;
    await clock.pass(1_000);
    expect(sweeps).toHaveLength(1);
    state.fails = new Error('a bug');
    await clock.pass(1_000);
    expect(state.broken).toBe(state.fails);
  });

  it('keeps one sweep waiting while the store answers nothing, and none when it stops', async () => {
    const { clock, sweeper, sweeps, state, calls } = sweeperWith(0);
    let hang = Promise.withResolvers<void>();
    state.hangs = hang.promise;
    sweeper.start();
    await clock.pass(60_000);
    expect(sweeps).toHaveLength(1);
    state.hangs = null;
    hang.resolve();
    await clock.pass(0);
    expect([sweeps.length, calls.failOvers]).toEqual([2, 1]);
    hang = Promise.withResolvers();
    state.hangs = hang.promise;
    await clock.pass(60_000);
    const stopped = sweeper.stop();
    hang.resolve();
    await stopped;
    expect([sweeps.length, calls.failOvers]).toEqual([3, 1]);
  });

  it('does nothing after stop', async () => {
    const { clock, sweeper, sweeps, calls } = sweeperWith(0);
    sweeper.start();
    await sweeper.stop();
    await clock.pass(10_000);
    expect([sweeps.length, calls.nudges, calls.failOvers]).toEqual([0, 0, 0]);
  });
});
