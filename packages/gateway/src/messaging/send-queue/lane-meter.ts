/**
 * Measures one carrier: parts per second in and out over the last five minutes, response times, and the newest
 * receipts. Bounded, and cheap enough to run for every message.
 */
import type { Carrier, CarrierSink, CarrierStatus, Submission, SubmissionResult } from '../../carriers/carrier.ts';
import type { Clock, EpochMs } from '../../kernel/clock.ts';
import { PassingMap } from '../../kernel/passing.ts';
import type { Receipt } from '../../model/delivery.ts';
import type { OutcomeCode } from '../../model/reason.ts';
import { createReceiptSample, type Reported } from './receipt-sample.ts';
import { createUsualDelay } from './usual-delay.ts';

const ringSeconds = 300;
/** Timed tries in flight, and remembered answers. */
const timedMax = 256;
const answersMax = 1_000;
/** The newest receipts that can be shown in full. */
const receiptsMax = 2_000;
/** Rates are averaged over this many whole seconds. */
const rateSeconds = 10;

export interface LaneFigures {
  /** Parts accepted by the carrier per second, over the last ten seconds. */
  outPerSecond: number;
  /** Receipts, texts and MMS from the carrier per second. */
  inPerSecond: number;
  /** Parts per ten seconds of the last five minutes, oldest first; 30 of them. */
  outHistory: number[];
  /** Parts accepted and receipts received, over the last five minutes. */
  accepted: number;
  receipts: number;
  /**
   * Tries that ended in the last five minutes, and how many of them the carrier refused, temporarily or permanently.
   */
  tries: number;
  refused: number;
  /** Tries that the carrier throttled, over the last ten seconds. */
  throttled: number;
  /** How the last parts were reported; null while none is old enough. */
  reported: Reported | null;
  /** Time within which 95 of 100 tries were answered, ms; null before the first answer. */
  responseP95Ms: number | null;
}

export interface LaneReport extends LaneFigures {
  status: CarrierStatus;
  /** When it last came up or went down. */
  since: EpochMs;
  /** The adapter's latest description of its link; null before the first. */
  detail: string | null;
  /** Handed to the carrier and not settled. */
  inFlight: number;
  /** Since when it gets only probes, after many messages in a row without an answer; null while it answers. */
  silentSince: EpochMs | null;
}

/** How long a carrier has sent no receipt, and what it accepted meanwhile. */
export interface ReceiptGap {
  /** Milliseconds since the last receipt, or since the start if none came. */
  ageMs: number;
  /** Parts accepted since then, and milliseconds since the first of them; 0 while there is none. */
  parts: number;
  partsForMs: number;
  /** Whether a receipt came since the start. */
  isReported: boolean;
  /** Time within which 95 of 100 receipts of the last 24 hours came; null while there are too few. */
  usualMs: number | null;
}

/** How a carrier answered a try: `later` and `refused` by the outcome's `retry`, `throttled` for too many at once. */
export const answerKinds = ['accepted', 'later', 'refused', 'throttled', 'uncertain'] as const;

export type AnswerKind = (typeof answerKinds)[number];

/** Counters that outlive the five minutes; each call must be cheap, because it is made for every message. */
export interface CarrierCounts {
  /** `code`: the reason of a refusal. */
  answered(kind: AnswerKind, code: OutcomeCode | null): void;
  /** For the tries that are timed. */
  roundTrip(ms: number): void;
  /** From the acceptance of a part to its final receipt, for the sampled parts. */
  receiptDelay(ms: number): void;
}

/** Calls both counters. */
export function countedBy(one: CarrierCounts, other: CarrierCounts): CarrierCounts {
  return {
    answered: (kind, code) => {
      one.answered(kind, code);
      other.answered(kind, code);
    },
    roundTrip: (ms) => {
      one.roundTrip(ms);
      other.roundTrip(ms);
    },
    receiptDelay: (ms) => {
      one.receiptDelay(ms);
      other.receiptDelay(ms);
    },
  };
}

export interface LaneMeter {
  /** The same carrier, measured; it accepts nothing while `paused()` is true. */
  watch(carrier: Carrier, paused: () => boolean): Carrier;
  figures(): LaneFigures;
  receiptGap(): ReceiptGap;
  /** Receipts for messages that this node handed over, whichever node received them. */
  reported(list: readonly Receipt[]): void;
  /** The newest receipts since the gateway started, newest first; at most 2,000. */
  newestReceipts(): Receipt[];
}

export function createLaneMeter(clock: Pick<Clock, 'monotonicMs'>, counts?: CarrierCounts): LaneMeter {
  const out = createRing(clock);
  const incoming = createRing(clock);
  const receipts = createRing(clock);
  const tried = createRing(clock);
  const refusals = createRing(clock);
  const throttled = createRing(clock);
  const timed = new PassingMap<Submission, number>();
  const answers: number[] = [];
  let answered = 0;
  const newest: Receipt[] = [];
  const usual = createUsualDelay(clock);
  const sample = createReceiptSample(clock, (ms) => {
    usual.add(ms);
    counts?.receiptDelay(ms);
  });
  let received = 0;
  let receiptMs = clock.monotonicMs();
  let unreported = 0;
  let unreportedSinceMs = 0;

  function sent(batch: readonly Submission[]): void {
    const now = clock.monotonicMs();
    for (const submission of batch) if (timed.size < timedMax) timed.set(submission, now);
  }

  function took(results: readonly SubmissionResult[]): void {
    const now = clock.monotonicMs();
    let parts = 0;
    let refused = 0;
    for (const { submission, outcome } of results) {
      parts += outcome.parts.length;
      for (const { carrierMessageId } of outcome.parts) sample.taken(carrierMessageId);
      const kind = answerKind(outcome);
      if (kind === 'throttled') throttled.add(1);
      if (kind === 'later' || kind === 'refused') refused += 1;
      counts?.answered(kind, outcome.kind === 'refused' ? outcome.code : null);
      const since = timed.get(submission);
      if (since === undefined) continue;
      timed.delete(submission);
      answers[answered++ % answersMax] = now - since;
      counts?.roundTrip(now - since);
    }
    tried.add(results.length);
    if (refused > 0) refusals.add(refused);
    if (parts === 0) return;
    out.add(parts);
    if (unreported === 0) unreportedSinceMs = now;
    unreported += parts;
  }

  function reported(list: readonly Receipt[]): void {
    receipts.add(list.length);
    if (list.length > 0) {
      receiptMs = clock.monotonicMs();
      unreported = 0;
    }
    for (const receipt of list) {
      newest[received++ % receiptsMax] = receipt;
      sample.reported(receipt);
    }
  }

  function watchSink(sink: CarrierSink): CarrierSink {
    return {
      ...sink,
      results: (results) => {
        took(results);
        sink.results(results);
      },
      receipts: (list) => {
        incoming.add(list.length);
        reported(list);
        return sink.receipts(list);
      },
      inbound: (parts) => {
        incoming.add(parts.length);
        return sink.inbound(parts);
      },
      inboundMms: (message) => {
        incoming.add(1);
        return sink.inboundMms(message);
      },
    };
  }

  return {
    watch: (carrier, paused) => ({
      ...carrier,
      start: (sink) => carrier.start(watchSink(sink)),
      capacity: () => (paused() ? 0 : carrier.capacity()),
      submit: (batch) => {
        sent(batch);
        carrier.submit(batch);
      },
    }),
    reported,
    figures: () => ({
      outPerSecond: out.sum(rateSeconds) / rateSeconds,
      inPerSecond: incoming.sum(rateSeconds) / rateSeconds,
      outHistory: out.history(rateSeconds),
      accepted: out.sum(ringSeconds),
      receipts: receipts.sum(ringSeconds),
      tries: tried.sum(ringSeconds),
      refused: refusals.sum(ringSeconds),
      throttled: throttled.sum(rateSeconds),
      reported: sample.figures(),
      responseP95Ms: percentile95(answers),
    }),
    receiptGap: () => {
      const now = clock.monotonicMs();
      return {
        ageMs: now - receiptMs,
        parts: unreported,
        partsForMs: unreported === 0 ? 0 : now - unreportedSinceMs,
        isReported: received > 0,
        usualMs: usual.p95Ms(),
      };
    },
    newestReceipts: () => {
      const next = received % receiptsMax;
      return [...newest.slice(next), ...newest.slice(0, next)].reverse();
    },
  };
}

function answerKind(outcome: SubmissionResult['outcome']): AnswerKind {
  if (outcome.kind !== 'refused') return outcome.kind;
  // Refused with a wait and without counting as a try: too many at once.
  if (outcome.afterMs !== undefined && !outcome.countsAttempt) return 'throttled';
  return outcome.retry === 'later' ? 'later' : 'refused';
}

/** Counts per second over the last five minutes. */
function createRing(clock: Pick<Clock, 'monotonicMs'>) {
  const counts = new Array<number>(ringSeconds).fill(0);
  let at = second();

  function second(): number {
    return Math.floor(clock.monotonicMs() / 1_000);
  }

  /** Clears the seconds that have passed since. */
  function turn(): void {
    const now = second();
    for (let i = Math.max(at + 1, now - ringSeconds + 1); i <= now; i++) counts[i % ringSeconds] = 0;
    at = Math.max(at, now);
  }

  /** Over this many seconds up to the current one, which is still filling. */
  function sum(seconds: number, endedAgo = 0): number {
    let total = 0;
    for (let i = endedAgo; i < endedAgo + seconds && i < ringSeconds; i++) {
      if (at - i >= 0) total += counts[(at - i) % ringSeconds]!;
    }
    return total;
  }

  return {
    add: (count: number) => {
      turn();
      counts[at % ringSeconds]! += count;
    },
    sum: (seconds: number) => {
      turn();
      return sum(seconds);
    },
    history: (seconds: number) => {
      turn();
      const steps = ringSeconds / seconds;
      return Array.from({ length: steps }, (_, i) => sum(seconds, (steps - 1 - i) * seconds));
    },
  };
}

function percentile95(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * 0.95) - 1]!;
}
