/** The counts of a carrier in a minute, and how the writer handles minutes, crashes and an absent store. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type SettlingClock, settlingClock } from '../../../../../test/props/clock.ts';
import { openStore } from '../../app/open-store.ts';
import type { Store } from '../../app/store.ts';
import { silentLogger } from '../../kernel/logger.ts';
import type { LaneReport } from '../../messaging/send-queue/lane-meter.ts';
import { historyHourMs, minuteMs } from '../../model/carrier-history.ts';
import { noRecords } from '../../model/records.ts';
import { carrier } from '../../model/world-fixture.ts';
import { StoreUnavailable } from '../../store/faults.ts';
import { createHistoryCounter } from './history-counter.ts';
import { createHistoryWriter } from './history-writer.ts';

const second = 1_000;
const move = (from: string, state: string, code: string | null = null) => ({
  ...{ messageId: 'm', accountId: 'a', from, state, code, carrier: 'c1' },
});

describe('the counter', () => {
  it('counts tries by how they ended and by code, and delays, since the last look', () => {
    const counter = createHistoryCounter();
    const counts = counter.countsOf('c1');
    for (const kind of ['accepted', 'accepted', 'uncertain'] as const) counts.answered(kind, null);
    counts.answered('later', 'CARRIER_UNAVAILABLE');
    counts.answered('refused', 'CARRIER_REJECTED');
    counts.answered('throttled', 'OF_A_NEWER_VERSION' as never);
    counts.roundTrip(5);
    counts.receiptDelay(90);
    counts.receiptDelay(1_000);
    counter.countsOf('idle');
    expect(counter.take()).toEqual([
      {
        carrierId: 'c1',
        figures: { taken: 2, later: 1, refused: 1, throttled: 1 },
        counts: [
          { part: 'refused', name: 'CARRIER_REJECTED', count: 1 },
          { part: 'refused', name: 'CARRIER_UNAVAILABLE', count: 1 },
          { part: 'refused', name: 'UNKNOWN', count: 1 },
          { part: 'delay', name: '0', count: 1 },
          { part: 'delay', name: '13', count: 1 },
        ].sort((a, b) => order(a) - order(b)),
      },
    ]);
    expect(counter.take()).toEqual([]);
  });

  it('counts what was committed: receipts with their codes, doubt and its end', () => {
    const counter = createHistoryCounter();
    const receipts = [{ moves: [move('sent', 'delivered')] }, { moves: [move('sent', 'undelivered', 'UNREACHABLE')] }];
    counter.committed(
      [
        { kind: 'settle', items: [{ carrier: 'c1' }, { carrier: 'c1' }, { carrier: 'c2' }] },
        { kind: 'receipts', items: [{}, {}] },
        { kind: 'recover', items: [{}] },
        { kind: 'sweep', items: [{}] },
        { kind: 'matchReceipt', items: [{}, {}] },
        { kind: 'putSetting', items: [{}] },
      ],
      [
        [['sent'], ['sent', 'delivered'], ['uncertain']],
        receipts,
        [[move('sending', 'uncertain', 'UNCERTAIN')]],
        [[move('uncertain', 'queued'), move('uncertain', 'held'), move('queued', 'expired')]],
        [{ kind: 'matched', moves: [move('uncertain', 'delivered')] }, { kind: 'no receipt' }],
        [null],
      ],
    );
    expect(counter.take()).toEqual([
      {
        carrierId: 'c1',
        figures: { delivered: 3, undelivered: 1, uncertain: 1, resolved: 2 },
        counts: [{ part: 'undelivered', name: 'UNREACHABLE', count: 1 }],
      },
      { carrierId: 'c2', figures: { uncertain: 1 }, counts: [] },
    ]);
  });
});

/** In the order of the catalogue of codes, delays last. */
function order({ part, name }: { part: string; name: string }): number {
  const codes = ['CARRIER_REJECTED', 'CARRIER_UNAVAILABLE', 'UNKNOWN'];
  return part === 'delay' ? 100 + Number(name) : codes.indexOf(name);
}

describe('the writer', () => {
  let clock: SettlingClock;
  let folder: string;
  let store: Store;
  let report: (Partial<LaneReport> & { up: boolean; inFlight: number }) | null;
  let acts: boolean;
  let isAway: boolean;
  let inDoubt: boolean;
  let busy: number;
  /** The minute in which each test begins. */
  let first: number;

  beforeEach(async () => {
    clock = settlingClock();
    clock.set(Math.floor(clock.now() / historyHourMs) * historyHourMs);
    first = clock.now();
    folder = mkdtempSync(join(tmpdir(), 'heliograph-history-'));
    [report, acts, isAway, inDoubt, busy] = [{ up: true, inFlight: 3 }, true, false, false, 0];
    store = await openStore({ dataDir: folder, role: 'node', clock });
    onTestFinished(async () => {
      await store.close();
      rmSync(folder, { recursive: true });
    });
  });

  async function during<T>(work: Promise<T>): Promise<T> {
    busy += 1;
    try {
      return await work;
    } finally {
      busy -= 1;
    }
  }

  function open() {
    const counter = createHistoryCounter();
    const laneReport = (): LaneReport | null =>
      report === null
        ? null
        : ({
            ...{ since: 0, detail: null, outPerSecond: 0, throttled: 0, silentSince: null },
            status: {
              up: report.up,
              binds: [{ state: 'bound_trx', detail: null, window: 10, inFlight: report.inFlight }],
            },
            ...report,
          } as never);
    const writer = createHistoryWriter({
      clock,
      logger: silentLogger,
      store: {
        place: { ...store.place, acts: () => acts },
        queuesNow: () => during(store.queuesNow()),
        forgetCarrierHistory: (params) => during(store.forgetCarrierHistory(params)),
        addCarrierHistory: async (added) => {
          if (isAway) throw new StoreUnavailable('down', 'away', { inDoubt });
          await during(store.addCarrierHistory(added));
        },
      },
      lanes: { report: laneReport, isPaused: () => false },
      counter,
      directory: () => ({ records: { ...noRecords(), carriers: [carrier('c1')] } }) as never,
      doubt: () => null,
    });
    writer.start();
    return { writer, counts: counter.countsOf('c1') };
  }

  /** The store has threads: it takes some real time, which the test clock does not show. */
  async function pass(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= 5 * second) {
      await clock.pass(Math.min(left, 5 * second));
      for (let idle = 0; idle < 3; idle += busy === 0 ? 1 : 0) await setImmediate();
    }
  }

  async function kept(names: readonly string[] = ['taken', 'watchedMs']) {
    const query = { from: first, until: first + historyHourMs, widthMs: minuteMs, carrierId: null };
    const bars = await store.carrierHistory({ ...query, stepMs: minuteMs });
    return bars.map(({ bar, figures }) => [bar, ...names.map((name) => figures[name as 'taken'])].join(' '));
  }

  it('writes what was counted and seen in each minute, to its minute and hour', async () => {
    const { counts } = open();
    counts.answered('accepted', null);
    await pass(minuteMs);
    report = { up: false, inFlight: 0 };
    counts.answered('accepted', null);
    counts.answered('refused', 'CARRIER_REJECTED');
    await pass(minuteMs);
    const names = [
      'taken',
      'refused',
      'watchedMs',
      'upMs',
      'downMs',
      'windowUsed',
      'windowSize',
      'windowPeak',
      'queueLooks',
    ];
    expect(await kept(names)).toEqual(['0 1 0 60000 60000 0 36 120 3 1', '1 1 1 60000 0 60000 0 120 0 1']);
    const byHour = {
      stepMs: historyHourMs,
      from: first,
      until: first + historyHourMs,
      widthMs: historyHourMs,
    } as const;
    const [hour] = await store.carrierHistory({ ...byHour, carrierId: 'c1' });
    expect(hour!.figures).toMatchObject({ taken: 2, watchedMs: 120_000, windowPeak: 3 });
  });

  it('loses the minute of a kill, which is a gap, and keeps that of a stop', async () => {
    const killed = open();
    killed.counts.answered('accepted', null);
    await pass(minuteMs);
    killed.counts.answered('accepted', null);
    await pass(30 * second);
    // No clean stop: the process is gone, and a new one starts three minutes later.
    await store.close();
    clock = settlingClock(first + 4 * minuteMs);
    store = await openStore({ dataDir: folder, role: 'node', clock });
    const { writer, counts } = open();
    counts.answered('accepted', null);
    await pass(30 * second);
    await writer.stop();
    expect(await kept()).toEqual(['0 1 60000', '4 1 30000']);
  });

  it('keeps minutes while the store is away, each in its place', async () => {
    const { counts } = open();
    isAway = true;
    for (let minutes = 0; minutes < 3; minutes++) {
      counts.answered('accepted', null);
      await pass(minuteMs);
    }
    expect(await kept()).toEqual([]);
    isAway = false;
    await pass(minuteMs);
    expect(await kept()).toEqual(['0 1 60000', '1 1 60000', '2 1 60000', '3 0 60000']);
  });

  it('writes no minute twice: one in doubt is a gap', async () => {
    open();
    [isAway, inDoubt] = [true, true];
    await pass(minuteMs);
    isAway = false;
    await pass(minuteMs);
    expect(await kept()).toEqual(['1 0 60000']);
  });

  it('adds on a node that does not act what it counted, and nothing of queues that it does not have', async () => {
    acts = false;
    const { counts } = open();
    await pass(minuteMs);
    counts.answered('accepted', null);
    await pass(minuteMs);
    expect(await kept()).toEqual(['1 1 0']);
  });

  it('says nothing of a time in which the process stood still', async () => {
    open();
    await pass(10 * second);
    clock.set(clock.now() + 30 * second);
    await pass(20 * second);
    expect(await kept()).toEqual(['0 0 30000']);
  });
});
