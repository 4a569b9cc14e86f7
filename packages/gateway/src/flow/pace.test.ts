import { describe, expect, it } from 'vitest';
import { buildDirectory } from '../domain/directory.ts';
import { silentLogger } from '../domain/logger.ts';
import type { Records } from '../domain/records.ts';
import { emptyRegistration, type Pacing } from '../domain/registration.ts';
import { StoreUnavailable } from '../store/store.ts';
import { claim, directoryOf, laneWith, movedClock, records } from './lane-fixture.ts';
import { openPace, type PaceWarning } from './pace.ts';

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

function settings() {
  const kept = new Map<string, string>();
  const fails = { put: false };
  return {
    ...{ kept, fails },
    getSetting: async (name: string) => kept.get(name) ?? null,
    putSetting: async (name: string, value: string) => {
      if (fails.put) throw new StoreUnavailable('full', 'disk full');
      kept.set(name, value);
    },
  };
}

async function paceWith(pacing: Partial<Pacing>, brandId: string | null = null) {
  const clock = movedClock();
  const store = settings();
  const warnings: PaceWarning[] = [];
  const directory = directoryOf(limited(pacing, brandId));
  const open = () =>
    openPace({ clock, store, logger: silentLogger, directory: () => directory, warn: (told) => warnings.push(told) });
  return { clock, store, warnings, open, pace: await open() };
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

  it('follows the records', async () => {
    let directory = directoryOf(limited({ segmentsPerMinute: 1 }));
    const clock = movedClock();
    const pace = await openPace({
      clock,
      store: settings(),
      logger: silentLogger,
      directory: () => directory,
      warn: () => {},
    });
    pace.ask(mine(1));
    expect(pace.ask(mine(2))).not.toBeNull();
    directory = buildDirectory(records());
    expect(pace.ask(mine(2))).toBeNull();
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
      ...{ retry: 'later', code: 'DAILY_CAP_REACHED', countsAttempt: false, afterMs: toMidnightMs },
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

  it('is known after a restart, however it ended', async () => {
    const { clock, pace, open } = await paceWith({ segmentsPerDay: 10 });
    for (let n = 0; n < 10; n++) pace.ask(mine(n));
    await clock.pass(1_000);
    expect((await open()).ask(mine(11))).not.toBeNull();
    pace.giveBack(mine(1));
    await pace.flush();
    const again = await open();
    expect([again.ask(mine(1)) === null, again.ask(mine(2)) === null]).toEqual([true, false]);
    await clock.pass(toMidnightMs);
    expect((await open()).ask(mine(3))).toBeNull();
  });

  it('waits for a store that takes nothing', async () => {
    const { clock, pace, store } = await paceWith({ segmentsPerDay: 10 });
    store.fails.put = true;
    pace.ask(mine(1));
    await clock.pass(3_000);
    expect(store.kept.size).toBe(0);
    store.fails.put = false;
    await clock.pass(1_000);
    expect([...store.kept.values()]).toEqual(['{"day":"2023-11-14","counts":{"campaign C1":1}}']);
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
      ...{ kind: 'refused', retry: 'later', code: 'CARRIER_UNAVAILABLE', carrierCode: null },
      ...{ detail: 'full', countsAttempt: false, parts: [] },
    });
    peer.answer(['msg_2'], { ...accepted, parts: [] });
    expect(pace.use('C1').segmentsToday?.used).toBe(1);
  });
});
