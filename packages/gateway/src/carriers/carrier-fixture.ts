/** What the tests of carriers share: a clock they move, chance that repeats, and a sink that remembers and can be waited on. */
import type { Clock, Random } from '../kernel/clock.ts';
import type { InboundMms, InboundPart, Receipt } from '../model/delivery.ts';
import type { CarrierRecord } from '../model/records.ts';
import type { CarrierSink, Submission, SubmissionOutcome } from './carrier.ts';
import { carrierKinds } from './kinds.ts';
import { type Adapters, createAdapters } from './open.ts';

export interface MovedClock extends Clock {
  /** Moves time and runs what falls due, in order. */
  pass(ms: number): void;
  timers(): number;
}

export function movedClock(startedAt = 1_700_000_000_000): MovedClock {
  let nowMs = startedAt;
  let order = 0;
  const timers = new Set<{ atMs: number; order: number; run: () => void }>();
  return {
    now: () => nowMs,
    monotonicMs: () => nowMs,
    after: (delayMs, run) => {
      const timer = { atMs: nowMs + Math.max(0, delayMs), order: order++, run };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    pass: (ms) => {
      const endMs = nowMs + ms;
      for (;;) {
        let next: { atMs: number; order: number; run: () => void } | null = null;
        for (const timer of timers) {
          if (timer.atMs > endMs) continue;
          if (next === null || timer.atMs < next.atMs || (timer.atMs === next.atMs && timer.order < next.order))
            next = timer;
        }
        if (next === null) break;
        timers.delete(next);
        nowMs = Math.max(nowMs, next.atMs);
        next.run();
      }
      nowMs = endMs;
    },
    timers: () => timers.size,
  };
}

/** Always in the middle; bytes count up, so that ids differ. */
export function steadyRandom(): Random {
  let next = 0;
  return {
    fraction: () => 0.5,
    bytes: (count) => Uint8Array.from({ length: count }, () => next++ & 0xff),
  };
}

/** Resolves once `holds` does; looks again whenever the event loop has done something. The test's time-out is its limit. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise<void>((resolve) => setImmediate(resolve));
}

/** The same while time passes in small steps, so that sockets keep up with timers. */
export async function untilPassing(clock: MovedClock, holds: () => boolean, stepMs = 100): Promise<void> {
  await until(() => {
    if (holds()) return true;
    clock.pass(stepMs);
    return false;
  });
}

/** Lets sockets on this machine say what they have to say: for tests that something does not come. */
export async function quiet(rounds = 50): Promise<void> {
  for (let i = 0; i < rounds; i++) await new Promise<void>((resolve) => setImmediate(resolve));
}

export interface RecordingSink extends CarrierSink {
  /** Batches as they came. */
  readonly resultBatches: { messageId: string; attempt: number; outcome: SubmissionOutcome }[][];
  /** What the results are of, as it came back. */
  readonly submissions: Submission[];
  readonly receiptBatches: Receipt[][];
  readonly inboundBatches: InboundPart[][];
  readonly mms: InboundMms[];
  readonly links: { up: boolean; detail: string }[];
  /** Everything in the order it came, one word each. */
  readonly order: ('results' | 'receipts' | 'inbound' | 'mms')[];
  readyCalls: number;
  /** Set to make storing fail, or wait. */
  storing: () => Promise<void>;
  outcomeOf(messageId: string): SubmissionOutcome | undefined;
}

export function recordingSink(): RecordingSink {
  const sink: RecordingSink = {
    resultBatches: [],
    submissions: [],
    receiptBatches: [],
    inboundBatches: [],
    mms: [],
    links: [],
    order: [],
    readyCalls: 0,
    storing: async () => {},
    outcomeOf: (messageId) => sink.resultBatches.flat().find((result) => result.messageId === messageId)?.outcome,
    results: (results) => {
      sink.order.push('results');
      for (const { submission } of results) sink.submissions.push(submission);
      sink.resultBatches.push(
        results.map(({ submission: { messageId, attempt }, outcome }) => ({ messageId, attempt, outcome })),
      );
    },
    ready: () => {
      sink.readyCalls++;
    },
    link: (up, detail) => {
      sink.links.push({ up, detail });
    },
    receipts: (receipts) => {
      sink.order.push('receipts');
      sink.receiptBatches.push(receipts);
      return sink.storing();
    },
    inbound: (parts) => {
      sink.order.push('inbound');
      sink.inboundBatches.push(parts);
      return sink.storing();
    },
    inboundMms: (message) => {
      sink.order.push('mms');
      sink.mms.push(message);
      return sink.storing();
    },
  };
  return sink;
}

export function submission(n: number, more: Partial<Submission> = {}): Submission {
  return {
    messageId: `msg_${n}`,
    attempt: 1,
    kind: 'SMS',
    from: '12025550199',
    to: '12025550100',
    text: `Hello ${n}`,
    media: [],
    concatReference: n,
    partsAccepted: [],
    ...more,
  };
}

/** The smallest picture there is: one transparent pixel. */
export const tinyPng = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

export function mmsSubmission(n: number, more: Partial<Submission> = {}): Submission {
  const medium = { type: 'image/png' as const, sizeBytes: tinyPng.length, load: async () => tinyPng };
  return submission(n, { kind: 'MMS', media: [medium], ...more });
}

/** Opens a carrier of any kind. */
export async function loadAdapters(): Promise<Adapters['open']> {
  const adapters = createAdapters();
  await adapters.load(carrierKinds.map(({ name }) => ({ kind: name }) as CarrierRecord));
  return adapters.open;
}
