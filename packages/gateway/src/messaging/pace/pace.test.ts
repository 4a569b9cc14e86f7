import { describe, expect, it } from 'vitest';
import { settlingClock } from '../../../../../test/props/clock.ts';
import { silentLogger } from '../../kernel/logger.ts';
import type { Directory } from '../../model/directory.ts';
import type { Records } from '../../model/records.ts';
import { emptyRegistration, type Pacing } from '../../model/registration.ts';
import { directoryOf, records } from '../../model/world-fixture.ts';
import { StoreUnavailable } from '../../store/faults.ts';
import { claim, laneWith } from '../send-queue/lane-fixture.ts';
import { createPace, type PaceWarning } from './pace.ts';
import type { HandedOver } from './pace-store.ts';

const none: Pacing = { segmentsPerMinute: null, mmsPerMinute: null, segmentsPerDay: null };
const accepted = { kind: 'accepted', parts: [] } as const;

function limited(pacing: Partial<Pacing>, brandId: string | null = null): Partial<Records> {
  const [campaign] = records().campaigns;
  const registration = { ...emptyRegistration(), brandId };
  const one = { ...campaign!, pacing: { ...none, ...pacing }, registration };
  const [number] = records().numbers;
  return {
    campaigns: [one, { ...one, campaignId: 'C2' }, { ...one, campaignId: 'C3', pacing: undefined }],
    numbers: [
      number!,
      { ...number!, number: '12025550198', campaignId: 'C2' },
      { ...number!, number: '12025550197', campaignId: 'C3' },
    ],
  };
}

/** What the store would return: messages handed over, and waiting messages. */
function storeOf() {
  const handed: HandedOver[] = [];
  const underWay: HandedOver[] = [];
  /** Found by the next look only. */
  const events: HandedOver[] = [];
  const due: string[] = [];
  const queries: number[] = [];
  const state = { fails: 0, waiting: [] as { messageId: string; number: string }[] };
  return {
    handed,
    underWay,
    events,
    due,
    queries,
    state,
    positionAt: async (at: number) => {
      queries.push(at);
      if (state.fails-- > 0) throw new StoreUnavailable('full', 'disk full');
      return 0;
    },
    /** The first page is empty, the second one has all. */
    handedOver: async ({ after }: { after: number }) => ({
      handed: after === 1 ? [...handed, ...events.splice(0)] : events.splice(0),
      underWay: after === 0 ? [] : [...underWay],
      position: after + 1,
      more: after === 0,
    }),
    waitingFor: async ({ after }: { after: object | null }) => ({
      waiting: after === null ? state.waiting.map((one) => ({ ...one, dueAt: 1 })) : [],
      next: after === null ? { lane: 'a', dueAt: 1, messageId: 'x' } : null,
    }),
    makeDue: async (ids: string[]) => due.push(...ids),
  };
}

async function paceOver(directory: () => Directory, clock = settlingClock(), store = storeOf()) {
  const warnings: PaceWarning[] = [];
  const broken = (error: unknown): void => {
    throw error;
  };
  const pace = createPace({
    clock,
    store,
    logger: silentLogger,
    directory,
    broken,
    warn: (text) => warnings.push(text),
  });
  pace.follow();
  await clock.pass(0);
  return { clock, store, warnings, pace };
}

function paceWith(pacing: Partial<Pacing>, brandId: string | null = null) {
  const directory = directoryOf(limited(pacing, brandId));
  return paceOver(() => directory);
}

const mine = (n: number, more: object = {}) => claim(n, { acceptedAt: n, ...more });

describe('the rate of a campaign', () => {
  it('never lets a minute hold more, and sends all in the end', async () => {
    const { clock, pace } = await paceWith({ segmentsPerMinute: 30 });
    const due = new Map(Array.from({ length: 100 }, (_, n) => [n, clock.now()] as const));
    const went: number[] = [];
    for (let second = 0; second < 400 && due.size > 0; second++) {
      for (const [n, at] of due) {
        if (at > clock.now()) continue;
        const wait = pace.ask(mine(n));
        if (wait === null) {
          due.delete(n);
          went.push(clock.now());
        } else if (wait.kind === 'refused') {
          expect(wait).toMatchObject({ retry: 'later', code: 'CAMPAIGN_LIMIT', countsAttempt: false });
          due.set(n, clock.now() + wait.afterMs!);
        }
      }
      await clock.pass(1_000);
    }
    expect(went).toHaveLength(100);
    for (const from of went)
      expect(went.filter((at) => at >= from && at < from + 60_000).length).toBeLessThanOrEqual(30);
    // One burst of 30, then 30 in little more than a minute.
    expect(went.at(-1)! - went[0]!).toBeLessThan(4 * 60_000);
  });

  it('gives each who waits its own turn, and late comers a later one', async () => {
    const { clock, pace } = await paceWith({ segmentsPerMinute: 1 });
    expect(pace.ask(mine(1))).toBeNull();
    const waits = [2, 3].map((n) => pace.ask(mine(n))!);
    const [second, third] = waits.map((wait) => (wait.kind === 'refused' ? wait.afterMs! : 0));
    expect(second).toBeGreaterThan(59_000);
    expect(third! - second!).toBe(62_000);
    await clock.pass(second!);
    expect(pace.ask(mine(4))).toMatchObject({ code: 'CAMPAIGN_LIMIT' });
    expect(pace.ask(mine(2))).toBeNull();
  });

  it('counts segments still to go, MMS apart, and lets a text longer than the limit go alone', async () => {
    const { pace } = await paceWith({ segmentsPerMinute: 4, mmsPerMinute: 1 });
    expect(pace.ask(mine(1, { segments: 3, partsAccepted: [1] }))).toBeNull();
    expect(pace.ask(mine(2, { segments: 3 }))).not.toBeNull();
    expect(pace.ask(mine(1, { messageType: 'MMS' }))).toBeNull();
    expect(pace.ask(mine(2, { messageType: 'MMS' }))).not.toBeNull();
    const long = await paceWith({ segmentsPerMinute: 4 });
    expect(long.pace.ask(mine(1, { segments: 10 }))).toBeNull();
    expect(long.pace.ask(mine(2))).not.toBeNull();
  });

  it('keeps no turn for what expires before', async () => {
    const { clock, pace } = await paceWith({ segmentsPerMinute: 1 });
    pace.ask(mine(1));
    const short = { expiresAt: clock.now() + 10_000 };
    const waits = [mine(2, short), mine(3, short), mine(4)].map((one) => pace.ask(one));
    expect(new Set(waits.map((wait) => wait?.kind === 'refused' && wait.afterMs)).size).toBe(1);
  });

  it('leaves others alone', async () => {
    const { pace } = await paceWith({ segmentsPerMinute: 1 });
    for (let n = 0; n < 10; n++) expect(pace.ask(mine(n, { from: '12025550197' }))).toBeNull();
    expect(pace.ask(mine(1))).toBeNull();
    expect(pace.ask(mine(1, { from: '12025550198' }))).toBeNull();
    expect(pace.use('C3')).toEqual({ segmentsThisMinute: null, mmsThisMinute: null, segmentsToday: null });
    expect(pace.use('C1').segmentsThisMinute).toEqual({ used: 1, limit: 1 });
  });

  it('knows what went in the last minute before it began', async () => {
    const clock = settlingClock();
    const store = storeOf();
    const second = Math.floor(clock.now() / 1_000) - 30;
    store.handed.push({ number: '12025550199', kind: 'SMS', second, units: 3 });
    store.handed.push({ number: '12025550199', kind: 'SMS', second: 0, units: 100 });
    const directory = directoryOf(limited({ segmentsPerMinute: 4 }));
    const { pace } = await paceOver(() => directory, clock, store);
    expect(pace.use('C1').segmentsThisMinute).toEqual({ used: 3, limit: 4 });
    expect([pace.ask(mine(1)), pace.ask(mine(2)) === null]).toEqual([null, false]);
    await clock.pass(32_000);
    expect(pace.use('C1').segmentsThisMinute).toEqual({ used: 1, limit: 4 });
  });
});

describe('the day of a brand', () => {
  // 2023-11-14 22:13:20 UTC is 14:13:20 in the Pacific time zone.
  const toMidnightMs = ((24 - 14) * 3_600 - 13 * 60 - 20) * 1_000;

  it('holds what is over the cap until midnight, all campaigns together', async () => {
    const { clock, pace } = await paceWith({ segmentsPerDay: 3 }, 'brd_1');
    expect(pace.ask(mine(1, { segments: 2 }))).toBeNull();
    expect(pace.ask(mine(2, { from: '12025550198' }))).toBeNull();
    expect(pace.ask(mine(3))).toMatchObject({
      retry: 'later',
      code: 'DAILY_CAP_REACHED',
      countsAttempt: false,
      afterMs: toMidnightMs,
    });
    expect(pace.use('C2').segmentsToday).toEqual({ used: 3, limit: 3, resetsAt: clock.now() + toMidnightMs });
    await clock.pass(toMidnightMs);
    expect(pace.ask(mine(3))).toBeNull();
    expect(pace.use('C1').segmentsToday).toMatchObject({ used: 1 });
  });

  it('is each campaign’s own without a brand', async () => {
    const { pace } = await paceWith({ segmentsPerDay: 1 });
    expect(pace.ask(mine(1))).toBeNull();
    expect(pace.ask(mine(2, { from: '12025550198' }))).toBeNull();
    expect(pace.ask(mine(3))).not.toBeNull();
  });

  it('fails what is not valid until then', async () => {
    const { clock, pace } = await paceWith({ segmentsPerDay: 1 });
    pace.ask(mine(1));
    const refused = { kind: 'refused', retry: 'never', code: 'DAILY_CAP_REACHED' };
    expect(pace.ask(mine(2, { expiresAt: clock.now() + toMidnightMs }))).toMatchObject(refused);
    expect(pace.ask(mine(2, { expiresAt: clock.now() + toMidnightMs + 1 }))).toMatchObject({ retry: 'later' });
  });

  const sent = (number: string, units: number, second = 0): HandedOver => ({ number, kind: 'SMS', second, units });

  it('begins with what the log says was sent today, of all its numbers', async () => {
    const clock = settlingClock();
    const store = storeOf();
    const midnight = (clock.now() + toMidnightMs) / 1_000 - 24 * 3_600;
    store.handed.push(sent('12025550199', 4), sent('12025550198', 2, midnight), sent('12025550198', 9, midnight - 1));
    store.handed.push(sent('12025550197', 50));
    const directory = directoryOf(limited({ segmentsPerDay: 8 }, 'brd_1'));
    const { pace } = await paceOver(() => directory, clock, store);
    expect(pace.use('C1').segmentsToday?.used).toBe(6);
    expect([1, 2, 3].map((n) => pace.ask(mine(n)) === null)).toEqual([true, true, false]);
    expect(store.queries).toEqual([clock.now() + toMidnightMs - 24 * 3_600_000 - 600_000]);
  });

  it('holds its messages, and nobody else’s, until that is counted; retries while the store is away', async () => {
    const clock = settlingClock();
    const store = storeOf();
    store.state.fails = 2;
    store.state.waiting = [{ messageId: 'msg_1', number: '12025550199' }];
    store.handed.push(sent('12025550199', 1));
    const directory = directoryOf(limited({ segmentsPerDay: 2 }));
    const { pace } = await paceOver(() => directory, clock, store);
    expect(pace.ask(mine(1))).toMatchObject({ code: 'CAMPAIGN_LIMIT', retry: 'later', countsAttempt: false });
    expect(pace.ask(mine(2, { from: '12025550197' }))).toBeNull();
    await clock.pass(1_000);
    expect([pace.ask(mine(1)) === null, store.due]).toEqual([false, []]);
    await clock.pass(1_000);
    expect([pace.ask(mine(1)), pace.ask(mine(3)) === null]).toEqual([null, false]);
    expect(new Set(store.due)).toEqual(new Set(['msg_1']));
    await pace.stop();
  });

  it('sends no query to the store after its stop', async () => {
    const store = storeOf();
    store.state.fails = Number.POSITIVE_INFINITY;
    const directory = directoryOf(limited({ segmentsPerDay: 2 }));
    const { pace, clock } = await paceOver(() => directory, settlingClock(), store);
    await pace.stop();
    const before = store.queries.length;
    await clock.pass(10_000);
    expect(store.queries).toHaveLength(before);
  });

  it('warns once, at four fifths', async () => {
    const { pace, warnings } = await paceWith({ segmentsPerDay: 10, segmentsPerMinute: 9 });
    for (let n = 0; n < 7; n++) pace.ask(mine(n));
    expect(warnings).toEqual([]);
    for (let n = 7; n < 10; n++) pace.ask(mine(n));
    expect(warnings).toEqual([
      { campaignId: 'C1', limit: 'minute', used: 8, of: 9 },
      { campaignId: 'C1', limit: 'day', used: 8, of: 10 },
    ]);
  });
});

describe('changed limits', () => {
  async function changing(before: Partial<Pacing>, brandId: string | null = null) {
    let directory = directoryOf(limited(before, brandId));
    const world = await paceOver(() => directory);
    world.store.due.length = 0;
    world.store.state.waiting = ['12025550199', '12025550198', '12025550197'].map((number) => ({
      number,
      messageId: `of_${number}`,
    }));
    const change = async (records: Partial<Records>) => {
      directory = directoryOf(records);
      world.pace.follow();
      await world.clock.pass(0);
    };
    return { ...world, change };
  }

  it('make due what waited when they are lifted, raised or another campaign’s, and nothing when they are lowered', async () => {
    const due = async (records: Partial<Records>) => {
      const { store, change } = await changing({ segmentsPerMinute: 5, segmentsPerDay: 10 });
      await change(records);
      return store.due;
    };
    const both = ['of_12025550199', 'of_12025550198'];
    expect(await due(limited({ segmentsPerDay: 10 }))).toEqual(both);
    expect(await due(limited({ segmentsPerMinute: 6, segmentsPerDay: 10 }))).toEqual(both);
    expect(await due(limited({ segmentsPerMinute: 5, segmentsPerDay: 11 }))).toEqual(both);
    expect(await due(limited({ segmentsPerMinute: 5, segmentsPerDay: 9 }))).toEqual([]);
    expect(await due(limited({ segmentsPerMinute: 5, segmentsPerDay: 10 }))).toEqual([]);
    const moved = limited({ segmentsPerMinute: 5, segmentsPerDay: 10 });
    moved.numbers![0]!.campaignId = 'C3';
    expect(await due(moved)).toEqual(both.slice(0, 1));
  });

  it('bind nobody to the turns of before', async () => {
    const { clock, pace, change } = await changing({ segmentsPerMinute: 1 });
    for (let n = 0; n < 30; n++) pace.ask(mine(n));
    await clock.pass(62_000);
    await change(limited({ segmentsPerMinute: 2 }));
    expect([5, 6, 7].map((n) => pace.ask(mine(n)) === null)).toEqual([true, true, false]);
    const wait = pace.ask(mine(40))!;
    expect(wait.kind === 'refused' && wait.afterMs! <= 2 * 62_000).toBe(true);
  });

  it('count from the log when they are new, and add what a new number sent', async () => {
    const { pace, store, change } = await changing({});
    expect(store.queries).toEqual([]);
    expect(pace.ask(mine(1))).toBeNull();
    store.handed.push({ number: '12025550199', kind: 'SMS', second: 0, units: 7 });
    store.handed.push({ number: '12025550197', kind: 'SMS', second: 0, units: 3 });
    await change(limited({ segmentsPerDay: 20 }, 'brd_1'));
    expect(pace.use('C1').segmentsToday?.used).toBe(7);
    expect(pace.ask(mine(2))).toBeNull();
    const joined = limited({ segmentsPerDay: 20 }, 'brd_1');
    joined.numbers![2]!.campaignId = 'C1';
    await change(joined);
    expect(pace.use('C1').segmentsToday?.used).toBe(11);
    const left = limited({ segmentsPerDay: 20 }, 'brd_1');
    left.numbers!.pop();
    await change(left);
    expect(pace.use('C1').segmentsToday?.used).toBe(11);
    expect(store.queries).toHaveLength(2);
  });

  it('count what is with carriers once it was answered, and as sent what is still there after five seconds', async () => {
    const { clock, pace, store, change } = await changing({});
    const four = { number: '12025550199', kind: 'SMS', second: 0, units: 4 } as const;
    store.handed.push(four);
    store.underWay.push(four);
    await change(limited({ segmentsPerDay: 20 }));
    await clock.pass(400);
    expect(pace.ask(mine(1))).toMatchObject({ code: 'CAMPAIGN_LIMIT', countsAttempt: false });
    // A carrier took one; the others were only claimed, and are back in their queue.
    store.underWay.length = 0;
    store.events.push({ ...four, units: 1 });
    await clock.pass(100);
    expect(pace.use('C1').segmentsToday?.used).toBe(5);
    await change(limited({}));
    store.underWay.push(four);
    await change(limited({ segmentsPerDay: 20 }));
    await clock.pass(4_400);
    expect(pace.ask(mine(2))).not.toBeNull();
    await clock.pass(100);
    expect(pace.use('C1').segmentsToday?.used).toBe(8);
  });

  it('that went and came back are counted anew', async () => {
    const { pace, store, change } = await changing({ segmentsPerDay: 20 });
    pace.ask(mine(1));
    await change(limited({}));
    store.handed.push({ number: '12025550199', kind: 'SMS', second: 0, units: 6 });
    await change(limited({ segmentsPerDay: 20 }));
    expect(pace.use('C1').segmentsToday?.used).toBe(6);
  });
});

describe('lanes with a pace', () => {
  it('put back what is over the rate, without an attempt, over all of them together', async () => {
    const directory = directoryOf(limited({ segmentsPerMinute: 2 }));
    const { pace } = await paceWith({ segmentsPerMinute: 2 });
    const [one, two] = [0, 1].map((n) =>
      laneWith(
        [1, 2].map((k) => mine(2 * n + k)),
        4,
        directory,
        [],
        undefined,
        pace,
      ),
    );
    for (const { lane, clock } of [one!, two!]) {
      lane.nudge();
      await clock.pass(0);
    }
    expect(one!.peer.open()).toEqual(['msg_1', 'msg_2']);
    expect(two!.peer.open()).toEqual([]);
    expect(two!.store.settlements).toMatchObject(
      [3, 4].map((n) => ({ messageId: `msg_${n}`, to: 'queued', code: 'CAMPAIGN_LIMIT', countsAttempt: false })),
    );
    expect(two!.lane.inFlight()).toBe(0);
  });

  it('give back what the carrier refused', async () => {
    const { pace } = await paceWith({ segmentsPerDay: 5 });
    const { lane, clock, peer } = laneWith(
      [1, 2].map((n) => mine(n)),
      4,
      directoryOf(),
      [],
      undefined,
      pace,
    );
    lane.nudge();
    await clock.pass(0);
    expect(pace.use('C1').segmentsToday?.used).toBe(2);
    peer.answer(['msg_1'], {
      kind: 'refused',
      retry: 'later',
      code: 'CARRIER_UNAVAILABLE',
      carrierCode: null,
      detail: 'full',
      countsAttempt: false,
      parts: [],
    });
    peer.answer(['msg_2'], { ...accepted, parts: [] });
    expect(pace.use('C1').segmentsToday?.used).toBe(1);
    pace.ask(mine(3, { segments: 3 }));
    pace.giveBack(mine(3, { segments: 3 }), 2);
    expect(pace.use('C1').segmentsToday?.used).toBe(3);
  });
});
