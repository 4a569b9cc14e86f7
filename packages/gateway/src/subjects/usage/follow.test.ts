/**
 * Counting the log: each position once, whatever the store does and whichever process is killed; and the group of each message.
 */
import { describe, expect, it } from 'vitest';
import { settlingClock } from '../../../../../test/props/clock.ts';
import { warningsIn } from '../../../../../test/props/warnings.ts';
import type { EndedMessages, HourlyRow } from '../../model/hourly-outcomes.ts';
import type { TakenMessages, UsageRow } from '../../model/usage.ts';
import { StoreUnavailable } from '../../store/faults.ts';
import { createUsageFollower, hourlyLedger, hourlyRows, type Ledger, usageLedger, usageRows } from './follow.ts';
import { directoryOf, taken } from './usage-fixture.ts';

const ended = (fields: Partial<EndedMessages> = {}): EndedMessages => ({
  ...{ accountId: 'acc1', number: '12025550199', carrier: 'c1', hour: 3_600_000, demo: false },
  ...{ state: 'delivered', code: '', took: 300, messages: 2, taken: 0, ...fields },
});

/** A log with one message at each position, and its counts. */
function countingStore(places: number) {
  const store = {
    places,
    mark: 0,
    rows: [] as UsageRow[],
    looks: 0,
    fails: {} as { countsAfter?: Error; addUsage?: Error; answerLost?: boolean },
    messages: () => store.rows.reduce((sum, row) => sum + row.messages, 0),
    countedTo: async () => store.mark,
    countsAfter: async ({ after, limit }: { after: number; limit: number }) => {
      store.looks += 1;
      if (store.fails.countsAfter) throw store.fails.countsAfter;
      const position = Math.min(store.places, after + limit);
      const messages = Math.max(0, position - after);
      const found = <T>(row: T): T[] => (messages > 0 ? [row] : []);
      return { taken: found(taken({ messages })), ended: found(ended({ messages })), position };
    },
    addUsage: async ({ from, to, rows }: { from: number; to: number; rows: UsageRow[] }) => {
      if (store.fails.addUsage) throw store.fails.addUsage;
      if (from !== store.mark) return false;
      store.mark = to;
      store.rows.push(...rows);
      if (!store.fails.answerLost) return true;
      store.fails = {};
      throw new StoreUnavailable('down', 'the answer was lost');
    },
  };
  return store;
}

function stage(places: number, others: readonly Ledger[] = []) {
  const clock = settlingClock();
  const store = countingStore(places);
  const faults: unknown[] = [];
  const warnings: string[] = [];
  const parts = {
    clock,
    logger: warningsIn(warnings),
    store,
    ledgers: [usageLedger(store, directoryOf), ...others],
    broken: (error: unknown) => faults.push(error),
  };
  const again = () => createUsageFollower(parts);
  return { clock, store, faults, warnings, follower: again(), again };
}

describe('the follower', () => {
  it('counts what is there at the start, and what comes, within a second', async () => {
    const { clock, store, follower } = stage(3);
    await follower.start();
    await clock.pass(0);
    expect([store.messages(), store.mark]).toEqual([3, 3]);
    store.places = 7;
    await clock.pass(1_000);
    expect([store.messages(), store.mark]).toEqual([7, 7]);
    const { looks } = store;
    await clock.pass(10_000);
    expect([store.looks - looks, store.rows.length]).toEqual([10, 2]);
    await follower.stop();
  });

  it('goes on from the mark on disk when it is started again, as another node counted meanwhile', async () => {
    const { clock, store, follower, again } = stage(3);
    await follower.start();
    await clock.pass(0);
    await follower.stop();
    const other = again();
    store.places = 5;
    await other.start();
    await clock.pass(0);
    await other.stop();
    store.places = 9;
    await clock.pass(5_000);
    expect(store.mark).toBe(5);
    await follower.start();
    await clock.pass(0);
    expect([store.messages(), store.mark]).toEqual([9, 9]);
    await follower.stop();
  });

  it('goes on at once while it lies behind, in pages', async () => {
    const { clock, store, follower } = stage(22_000);
    await follower.start();
    await clock.pass(150);
    expect([store.messages(), store.mark, store.rows.length]).toEqual([22_000, 22_000, 5]);
    await follower.stop();
  });

  it.each(['countsAfter', 'addUsage'] as const)('waits for the store when %s fails', async (method) => {
    const { clock, store, faults, warnings, follower } = stage(3);
    store.fails[method] = new StoreUnavailable('busy', 'busy');
    await follower.start();
    await clock.pass(3_000);
    expect(store.messages()).toBe(0);
    store.fails = {};
    await clock.pass(1_000);
    expect([store.messages(), faults]).toEqual([3, []]);
    store.fails[method] = new StoreUnavailable('busy', 'busy');
    store.places = 4;
    await clock.pass(3_000);
    expect(warnings).toEqual(Array(2).fill('usage waits for the store'));
    await follower.stop();
  });

  it('counts once what was stored and not answered', async () => {
    const { clock, store, follower } = stage(3);
    store.fails.answerLost = true;
    await follower.start();
    await clock.pass(0);
    store.places = 5;
    await clock.pass(2_000);
    expect([store.messages(), store.mark]).toEqual([5, 5]);
    await follower.stop();
  });

  it('counts once what two of them see, as after kill -9', async () => {
    const { clock, store, follower, again } = stage(9_000);
    const other = again();
    await Promise.all([follower.start(), other.start()]);
    await clock.pass(200);
    store.places = 12_000;
    await clock.pass(2_000);
    expect([store.messages(), store.mark]).toEqual([12_000, 12_000]);
    await follower.stop();
    await other.stop();
  });

  it('counts both ledgers with the same looks, and first what one of them has not counted yet', async () => {
    const rows: HourlyRow[] = [];
    const state = { mark: 1, fails: false };
    const hourly = hourlyLedger(
      {
        hourlyCountedTo: async () => ({ mark: state.mark, last: 6 }),
        addHourly: async ({ from, to, rows: added }) => {
          if (state.fails) throw new StoreUnavailable('busy', 'busy');
          if (from !== state.mark) return false;
          state.mark = to;
          rows.push(...added);
          return true;
        },
      },
      directoryOf,
    );
    const { clock, store, follower } = stage(7_000, [hourly]);
    store.mark = 4;
    await follower.start();
    await clock.pass(0);
    expect([store.mark, state.mark]).toEqual([4, 4]);
    await clock.pass(100);
    expect([store.messages(), store.mark, state.mark]).toEqual([6_996, 7_000, 7_000]);
    expect(rows.map(({ outcome, messages }) => [outcome, messages])).toEqual([
      ['delivered', 3],
      ['delivered', 5_000],
      ['delivered', 1_996],
    ]);
    state.fails = true;
    store.places = 7_010;
    await clock.pass(1_000);
    expect([store.mark, state.mark]).toEqual([7_010, 7_000]);
    state.fails = false;
    store.places = 7_020;
    const { looks } = store;
    await clock.pass(1_100);
    expect([store.messages(), store.mark, state.mark]).toEqual([7_016, 7_020, 7_020]);
    expect(rows.reduce((sum, { messages }) => sum + messages, 0)).toBe(7_019);
    expect(store.looks - looks).toBe(2);
    await follower.stop();
  });

  it('reports what is no passing fault, and ends at a stop', async () => {
    const { clock, store, faults, follower } = stage(3);
    store.fails.addUsage = new Error('a bug');
    await follower.start();
    await clock.pass(0);
    expect(faults).toEqual([store.fails.addUsage]);
    await follower.stop();
    store.fails = {};
    await clock.pass(5_000);
    expect(store.messages()).toBe(0);
  });
});

describe('where a message belongs', () => {
  const rowOf = (fields: Partial<TakenMessages>) => usageRows([taken(fields)], directoryOf())[0];

  it('is found by its sending number', () => {
    expect(rowOf({})).toMatchObject({ environment: 'live', campaign: 'C1', country: 'US', messages: 1, units: 2 });
    expect(rowOf({ number: '12025550198' })).toMatchObject({ environment: 'sandbox', campaign: '' });
  });

  it('is found by its carrier when the number is gone, and is a sandbox when both are', () => {
    expect(rowOf({ number: '1' })).toMatchObject({ environment: 'live', campaign: '' });
    expect(rowOf({ number: '1', carrier: 'sim-carrier' })).toMatchObject({ environment: 'sandbox' });
  });

  it('is the country of the recipient, and one row for all of it', () => {
    const rows = usageRows(
      [
        taken(),
        taken({ toPrefix: '1202' }),
        taken({ toPrefix: '1604' }),
        taken({ toPrefix: '4930' }),
        taken({ toPrefix: '0' }),
      ],
      directoryOf(),
    );
    expect(rows.map(({ country, messages, units }) => [country, messages, units])).toEqual([
      ['US', 2, 4],
      ['CA', 1, 2],
      ['DE', 1, 2],
      ['', 1, 2],
    ]);
    expect(rows[0]).not.toHaveProperty('toPrefix');
  });
});

describe('outcomes by the hour', () => {
  const shown = (rows: HourlyRow[]) =>
    rows.map(({ outcome, code, took, messages }) => `${outcome} ${code} ${took} ${messages}`);

  it('count an end and, where it shows for the first time that a carrier took the message, that too', () => {
    const rows = hourlyRows(
      [
        ended({ state: 'sent', took: 0, messages: 5, taken: 5 }),
        ended({ taken: 1 }),
        ended({ number: '12025550198' }),
        ended({ carrier: 'c2' }),
        ended({ state: 'failed', code: 'OPTED_OUT', took: 0, messages: 1 }),
      ],
      directoryOf(),
    );
    const live = rows.filter(({ environment }) => environment === 'live');
    expect(shown(live)).toEqual(['sent  0 6', 'delivered  300 4', 'failed OPTED_OUT 0 1']);
    expect(shown(rows.filter(({ environment }) => environment === 'sandbox'))).toEqual(['delivered  300 2']);
  });
});
