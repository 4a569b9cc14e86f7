/**
 * A day of normal traffic fires nothing: meters of the send queues, figures, conditions and store are real; the
 * carriers are scripted, and the clock is moved. The same day with one outage fires that one alert.
 */
import { describe, expect, it } from 'vitest';
import { dice } from '../../../../../test/props/chance.ts';
import { type MovedClock, movedClock } from '../../../../../test/props/clock.ts';
import {
  type Carrier,
  type CarrierSink,
  ownRefusal,
  type Submission,
  type SubmissionOutcome,
} from '../../carriers/carrier.ts';
import { createLaneMeter } from '../../messaging/send-queue/lane-meter.ts';
import type { Receipt } from '../../model/delivery.ts';
import { minute, second } from './alert-fixture.ts';
import { openWatched, sceneOf } from './watched-fixture.ts';

const hour = 60 * minute;

interface Day {
  /** Hours of the day with a fault; absent = never. */
  receiptsWithheldAt?: number;
  refusedAt?: number;
  downAt?: number;
  stuckAt?: number;
}

const within = (at: number | undefined, ms: number): boolean =>
  at !== undefined && ms >= at * hour && ms < (at + 0.5) * hour;

/** A carrier with its traffic: busy by day, nearly idle at night, receipts after some seconds. */
function trafficOf(clock: MovedClock, { rate, delayMs, seed }: { rate: number; delayMs: number; seed: number }) {
  const random = dice(seed);
  const meter = createLaneMeter(clock);
  let sink!: CarrierSink;
  const inner = { start: (given: CarrierSink) => (sink = given) } as unknown as Carrier;
  meter.watch(inner, () => false).start({ results: () => {}, receipts: async () => {} } as unknown as CarrierSink);
  const reports: { at: number; id: string }[] = [];
  const begun = clock.now();
  let serial = 0;

  function answer(outcome: SubmissionOutcome): void {
    sink.results([{ submission: {} as Submission, outcome }]);
  }

  /** Plays five seconds of the day. */
  async function step(day: Day): Promise<void> {
    const ms = clock.now() - begun;
    const hourOfDay = (ms / hour) % 24;
    const isNight = hourOfDay >= 18;
    const wanted = isNight ? (random() < 0.004 ? 1 : 0) : Math.floor(random() * rate * 2);
    for (let i = 0; i < wanted; i++) {
      const isRefused = within(day.refusedAt, ms) ? random() < 0.5 : random() < 0.02;
      if (isRefused) answer({ ...ownRefusal('CARRIER_REJECTED', ''), retry: 'never', countsAttempt: true });
      else {
        const id = `id-${serial++}`;
        answer({ kind: 'accepted', parts: [{ part: 1, carrierMessageId: id }] });
        // One in a hundred gets no receipt, at night one in three; one in fifty is late.
        if (random() > (isNight ? 0.33 : 0.01))
          reports.push({ at: clock.now() + delayMs * (random() < 0.02 ? 20 : 0.5 + random()), id });
      }
    }
    if (within(day.receiptsWithheldAt, ms)) return;
    const due = reports.filter(({ at }) => at <= clock.now());
    for (const one of due) reports.splice(reports.indexOf(one), 1);
    if (due.length === 0) return;
    await sink.receipts(due.map(({ id }) => ({ carrierMessageId: id, idKeys: [id], state: 'delivered' }) as Receipt));
  }
  return { meter, step };
}

async function live(day: Day = {}) {
  const clock = movedClock();
  const begun = clock.now();
  const scene = sceneOf(clock, { budgets: new Map([['acme', 40]]) });
  const fast = trafficOf(clock, { rate: 3, delayMs: 4_000, seed: 1 });
  const slow = trafficOf(clock, { rate: 1, delayMs: 30 * minute, seed: 2 });
  for (const [carrierId, { meter }] of [
    ['fast', fast],
    ['slow', slow],
  ] as const) {
    scene.gaps.set(carrierId, meter.receiptGap);
    scene.reports.set(carrierId, () => {
      const ms = clock.now() - begun;
      // Each carrier is down for two minutes every few hours, and a single connection more often.
      const up = ms % (5 * hour) > 2 * minute && !(carrierId === 'fast' && within(day.downAt, ms));
      const lame = ms % hour < 3 * minute ? 'connecting' : 'bound_trx';
      const binds = ['bound_trx', lame].map((state) => ({ state, detail: null, window: 10, inFlight: 0 }));
      const status = { carrierId, up, binds };
      return { ...meter.figures(), status, since: 0, detail: null, inFlight: 0, silentSince: null };
    });
  }
  const watched = await openWatched(clock, scene);
  for (let ms = 0; ms < 24 * hour; ms += 5 * second) {
    // Now and then a campaign's limit makes messages wait for most of a minute.
    const oldest = within(day.stuckAt, ms) ? (ms % hour) + minute : ms % (20 * minute) < minute ? 50 * second : null;
    if (oldest === null) scene.due.delete('fast');
    else scene.due.set('fast', clock.now() - oldest);
    scene.freeBytes = 5e9 - (ms / hour) * 1e8;
    await watched.pass(5 * second);
    await fast.step(day);
    await slow.step({});
  }
  return watched.notices();
}

describe('24 hours', { timeout: 240_000 }, () => {
  it('of normal traffic fire nothing', async () => {
    expect(await live()).toEqual([]);
  });

  it('with one of each outage fire those, and each is over', async () => {
    const found = await live({ downAt: 8, receiptsWithheldAt: 11, refusedAt: 15, stuckAt: 19 });
    expect(found).toEqual(
      ['link', 'receipts', 'errors', 'backlog'].flatMap((kind) =>
        ['firing', 'resolved'].map((state) => `${kind} fast ${state} to acc1`),
      ),
    );
  });
});
