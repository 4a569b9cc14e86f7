import { describe, expect, it } from 'vitest';
import {
  type Carrier,
  type CarrierSink,
  ownRefusal,
  type Submission,
  type SubmissionOutcome,
} from '../../carriers/carrier.ts';
import type { Receipt } from '../../model/delivery.ts';
import { createLaneMeter } from './lane-meter.ts';

const receipt = (carrierMessageId: string) => ({ carrierMessageId }) as Receipt;

function watched() {
  const meter = createLaneMeter({ monotonicMs: () => 0 });
  let sink!: CarrierSink;
  const carrier = { start: (given: CarrierSink) => (sink = given) } as unknown as Carrier;
  const passed: string[][] = [];
  meter
    .watch(carrier, () => false)
    .start({
      receipts: async (list: Receipt[]) => void passed.push(list.map((one) => one.carrierMessageId)),
    } as unknown as CarrierSink);
  return { meter, passed, receive: (...ids: string[]) => sink.receipts(ids.map(receipt)) };
}

const idsOf = (list: Receipt[]) => list.map((one) => one.carrierMessageId);

describe('the newest receipts of a lane', () => {
  it('are none at first, then newest first, and go on unchanged', async () => {
    const { meter, passed, receive } = watched();
    expect(meter.newestReceipts()).toEqual([]);
    await receive('a', 'b');
    await receive('c');
    expect(idsOf(meter.newestReceipts())).toEqual(['c', 'b', 'a']);
    expect(passed).toEqual([['a', 'b'], ['c']]);
    expect(meter.figures().receipts).toBe(3);
  });

  it('are no more than two thousand', async () => {
    const { meter, receive } = watched();
    await receive(...Array.from({ length: 2_003 }, (_, i) => String(i)));
    const kept = idsOf(meter.newestReceipts());
    expect([kept.length, kept[0], kept.at(-1)]).toEqual([2_000, '2002', '3']);
  });
});

describe('what is counted of a carrier', () => {
  const part = { part: 1, carrierMessageId: 'a1' };
  const refused = ownRefusal('CARRIER_REJECTED', '');

  function counting() {
    const counted: string[] = [];
    const clock = { ms: 0, monotonicMs: () => clock.ms };
    const meter = createLaneMeter(clock, {
      answered: (kind) => counted.push(kind),
      roundTrip: (ms) => counted.push(`answered in ${ms}`),
      receiptDelay: (ms) => counted.push(`reported in ${ms}`),
    });
    let sink!: CarrierSink;
    const inner = { start: (given: CarrierSink) => (sink = given), submit: () => {} } as unknown as Carrier;
    const carrier = meter.watch(inner, () => false);
    carrier.start({ results: () => {}, receipts: async () => {} } as unknown as CarrierSink);
    /** Hands one over at `at`, and answers it `ms` later. */
    const answer = (outcome: SubmissionOutcome, ms = 10) => {
      const submission = {} as Submission;
      carrier.submit([submission]);
      clock.ms += ms;
      sink.results([{ submission, outcome }]);
    };
    const report = (state: Receipt['state']) =>
      sink.receipts([{ carrierMessageId: 'a1', idKeys: ['a1'], state } as unknown as Receipt]);
    return { counted, clock, meter, answer, report };
  }

  it('counts how each try ended, and how long it took', () => {
    const { counted, answer } = counting();
    answer({ kind: 'accepted', parts: [part] });
    answer({ kind: 'uncertain', cause: 'broken', detail: '', parts: [] }, 500);
    answer({ ...refused, retry: 'never', countsAttempt: true });
    answer({ ...refused, retry: 'later', countsAttempt: true });
    answer({ ...refused, retry: 'later', countsAttempt: false, afterMs: 100 });
    expect(counted.filter((one) => !one.includes(' '))).toEqual([
      'accepted',
      'uncertain',
      'refused',
      'later',
      'throttled',
    ]);
    expect(counted.slice(0, 4)).toEqual(['accepted', 'answered in 10', 'uncertain', 'answered in 500']);
  });

  it('times final receipts, and measures for how long parts are taken without any', async () => {
    const { counted, clock, meter, answer, report } = counting();
    expect(meter.receiptGap()).toEqual({ ageMs: 0, parts: 0, partsForMs: 0, isReported: false, usualMs: null });
    answer({ ...refused, retry: 'never', countsAttempt: true });
    expect(meter.receiptGap()).toMatchObject({ parts: 0, partsForMs: 0 });
    answer({ kind: 'accepted', parts: [part] });
    clock.ms += 1_000;
    answer({ kind: 'accepted', parts: [{ ...part, carrierMessageId: 'a2' }] }, 0);
    expect(meter.receiptGap()).toMatchObject({ ageMs: 1_020, parts: 2, partsForMs: 1_000, isReported: false });
    await report('interim');
    expect(counted).not.toContain('reported in 1000');
    clock.ms += 500;
    await report('delivered');
    expect(counted).toContain('reported in 1500');
    clock.ms += 7;
    expect(meter.receiptGap()).toMatchObject({ ageMs: 7, parts: 0, partsForMs: 0, isReported: true });
  });

  it('counts the tries of five minutes, and those that were refused, but not as too many', () => {
    const { clock, meter, answer } = counting();
    answer({ kind: 'accepted', parts: [part] });
    answer({ ...refused, retry: 'never', countsAttempt: true });
    answer({ ...refused, retry: 'later', countsAttempt: true });
    answer({ ...refused, retry: 'later', countsAttempt: false, afterMs: 1_000 });
    expect(meter.figures()).toMatchObject({ tries: 4, refused: 2, throttled: 1 });
    clock.ms += 301_000;
    expect(meter.figures()).toMatchObject({ tries: 0, refused: 0 });
  });

  it('knows the usual delay of receipts after the first ten, without anybody who counts', async () => {
    const clock = { ms: 0, monotonicMs: () => clock.ms };
    const meter = createLaneMeter(clock);
    let sink!: CarrierSink;
    const carrier = { start: (given: CarrierSink) => (sink = given) } as unknown as Carrier;
    meter.watch(carrier, () => false).start({ receipts: async () => {}, results: () => {} } as unknown as CarrierSink);
    for (let i = 0; i < 10; i++) {
      const carrierMessageId = `id-${i}`;
      const outcome: SubmissionOutcome = { kind: 'accepted', parts: [{ part: 1, carrierMessageId }] };
      sink.results([{ submission: {} as Submission, outcome }]);
      clock.ms += 5_000;
      await sink.receipts([{ carrierMessageId, idKeys: [carrierMessageId], state: 'delivered' } as Receipt]);
    }
    expect(meter.receiptGap().usualMs).toBeGreaterThanOrEqual(5_000);
    expect(meter.receiptGap().usualMs).toBeLessThan(6_000);
  });
});
