import { describe, expect, it } from 'vitest';
import { settlingClock } from '../../../../../test/props/clock.ts';
import { warningsIn } from '../../../../../test/props/warnings.ts';
import type { Store } from '../../app/store.ts';
import { buildDirectory } from '../../carriers/directory.ts';
import type { Account } from '../../model/records.ts';
import { retentionCut } from '../../model/retention.ts';
import { records } from '../../model/world-fixture.ts';
import { StoreUnavailable } from '../../store/faults.ts';
import type { MessagePartitions } from '../../store/postgres-message-partitions.ts';
import type { LogPartitions } from '../../store/postgres-partitions.ts';
import { createRetentionSweeper } from './retention.ts';

const day = 86_400_000;
const accounts = [
  { accountId: 'a' },
  { accountId: 'b', retention: { bodyDays: 7, metadataDays: 90 } },
] as unknown as Account[];

function stage(messagePartitions: MessagePartitions | null = null, logPartitions: LogPartitions | null = null) {
  const clock = settlingClock();
  const warnings: string[] = [];
  const requests: Parameters<Store['forgetMessages']>[0][] = [];
  const state = { steps: 1, fails: null as Error | null, events: 0, erased: [] as string[], open: [] as string[] };
  const calls = { log: [] as string[], forgotten: [] as object[] };
  const sweeper = createRetentionSweeper({
    clock,
    logger: warningsIn(warnings),
    directory: () => buildDirectory(records({ accounts })),
    flushRequests: async () => {
      calls.log.push('flushed');
    },
    store: {
      logPartitions,
      messagePartitions,
      hasUnfinished: async () => false,
      forgetBeside: async () => false,
      forgetRequests: async ({ accountId, before, keep }) => {
        if (state.fails !== null) throw state.fails;
        calls.forgotten.push({ accountId, before, keep });
        return false;
      },
      eraseFromRequests: async ({ number, cursor }) => {
        calls.log.push(`${number} ${cursor}`);
        return cursor === null ? 'next' : null;
      },
      records: async () => records({ accounts }),
      forgetMessages: async (request) => {
        if (state.fails !== null) throw state.fails;
        requests.push(request);
        const step = Number(request.cursor ?? 0) + 1;
        return { emptied: 1, deleted: 0, cursor: step < state.steps ? String(step) : null };
      },
      forgetEvents: async () => {
        state.events += 1;
        return false;
      },
      erasures: async () =>
        state.fails === null
          ? state.open.map((erasureId) => ({ erasureId, accountId: 'a', peer: '14155550100' }) as never)
          : Promise.reject(state.fails),
      erase: async ({ erasureId }) => {
        calls.log.push('erased');
        state.erased.push(erasureId);
        state.open = state.open.filter((id) => id !== erasureId);
        return false;
      },
    },
  });
  return { clock, sweeper, requests, state, calls, warnings };
}

describe('the cut', () => {
  it('is 30 and 400 days, or what the account says; never a message before its text', () => {
    expect(retentionCut(accounts[0]!, 1_000 * day)).toEqual({
      accountId: 'a',
      bodiesBefore: 970 * day,
      messagesBefore: 600 * day,
    });
    expect(retentionCut(accounts[1]!, 1_000 * day)).toMatchObject({
      bodiesBefore: 993 * day,
      messagesBefore: 910 * day,
    });
    const odd = { accountId: 'c', retention: { bodyDays: 9, metadataDays: 1 } } as Account;
    expect(retentionCut(odd, 100 * day).messagesBefore).toBe(91 * day);
  });
});

describe('retention', () => {
  it('looks at every account at the start and each hour, in bounded steps', async () => {
    const { clock, sweeper, requests, state } = stage();
    state.steps = 3;
    sweeper.start();
    await clock.pass(1_000);
    expect(requests.map(({ accountId, cursor }) => `${accountId}${cursor ?? ''}`)).toEqual([
      'a',
      'a1',
      'a2',
      'b',
      'b1',
      'b2',
    ]);
    expect(requests.every(({ limit }) => limit === 2_000)).toBe(true);
    expect(state.events).toBe(1);
    await clock.pass(3_600_000);
    expect(requests).toHaveLength(12);
    await sweeper.stop();
    await clock.pass(7_200_000);
    expect(requests).toHaveLength(12);
  });

  it('stops while a large table is read', async () => {
    const reading = Promise.withResolvers<void>();
    const partitions = {
      keep: () => reading.promise,
      interrupt: () => reading.reject(new StoreUnavailable('down', 'interrupted')),
    };
    const { clock, sweeper, requests, warnings } = stage(partitions as never);
    sweeper.start();
    await clock.pass(1_000);
    await sweeper.stop();
    await expect(reading.promise).rejects.toThrow('interrupted');
    expect([requests, warnings]).toEqual([[], []]);
  });

  it('begins to read no further table once it is stopped', async () => {
    const log = Promise.withResolvers<void>();
    const ofLog = { keep: () => log.promise, interrupt: () => log.resolve() };
    const begun: string[] = [];
    const ofMessages = { keep: async () => void begun.push('messages'), interrupt: () => {} };
    const { clock, sweeper } = stage(ofMessages as never, ofLog as never);
    sweeper.start();
    await clock.pass(1_000);
    await sweeper.stop();
    expect(begun).toEqual([]);
  });

  it('waits for the store, and goes on', async () => {
    const { clock, sweeper, requests, state, warnings } = stage();
    state.fails = new StoreUnavailable('busy', 'busy');
    sweeper.start();
    await clock.pass(60_000);
    expect(requests).toEqual([]);
    expect(warnings).toEqual(['retention waits for the store']);
    state.fails = null;
    await clock.pass(3_600_000);
    expect(requests.length).toBeGreaterThan(0);
    await sweeper.stop();
  });

  it('erases what was requested, at once when it is nudged', async () => {
    const { clock, sweeper, state, calls } = stage();
    sweeper.start();
    await clock.pass(100);
    state.open = ['era_1', 'era_2'];
    sweeper.nudge();
    await clock.pass(100);
    expect(state.erased).toEqual(['era_1', 'era_2']);
    // The request log first, completely: a finished erasure never runs again.
    const each = ['flushed', '14155550100 null', '14155550100 next', 'erased'];
    expect(calls.log).toEqual([...each, ...each]);
    await sweeper.stop();
  });

  it('erases nothing where another node does it, and takes it up when it is started again', async () => {
    const { clock, sweeper, state } = stage();
    sweeper.start();
    await clock.pass(100);
    await sweeper.stop();
    state.open = ['era_1'];
    sweeper.nudge();
    await clock.pass(20_000);
    expect(state.erased).toEqual([]);
    sweeper.start();
    await clock.pass(100);
    expect(state.erased).toEqual(['era_1']);
    await sweeper.stop();
  });

  it('forgets API calls by their age and number each minute', async () => {
    const { clock, sweeper, calls } = stage();
    sweeper.start();
    await clock.pass(50);
    calls.forgotten.length = 0;
    await clock.pass(60_000);
    const before = clock.now() - 7 * day;
    expect(calls.forgotten).toMatchObject([
      { accountId: 'a', keep: 10_000 },
      { accountId: 'b', keep: 10_000 },
    ]);
    expect(Math.abs((calls.forgotten[0] as { before: number }).before - before)).toBeLessThan(1_000);
    await sweeper.stop();
  });
});
