/**
 * The sending half of an MMS adapter: submissions wait for a window slot and rate, go to `send` one by one, and each
 * ends in exactly one result, reported in batches.
 */
import type { Clock } from '../kernel/clock.ts';
import { oncePerTick } from '../kernel/once-per-tick.ts';
import { createFifo } from '../kernel/passing.ts';
import type { Submission, SubmissionOutcome, SubmissionResult } from './carrier.ts';
import { unavailable } from './carrier.ts';
import type { Pace } from './pace.ts';
import { createWake } from './pace.ts';

export interface MmsSender {
  /** See `Carrier`. */
  submit(batch: readonly Submission[]): void;
  capacity(): number;
  inFlight(): number;
  /** The link went up or down; on down, waiting submissions are given back. */
  linkChanged(): void;
  /** Takes no more; resolves when all is answered. After `drainMs`, `cut` ends the rest. */
  stop(drainMs: number): Promise<void>;
}

export interface MmsSenderParts {
  clock: Clock;
  pace: Pace;
  /** Submissions that may be without an outcome at once. */
  window: number;
  /** True while the carrier can be reached. */
  up(): boolean;
  /** One attempt. Never rejects. */
  send(submission: Submission): Promise<SubmissionOutcome>;
  /** Ends every attempt now. */
  cut(): void;
  results(results: SubmissionResult[]): void;
  ready(): void;
}

export function createMmsSender(parts: MmsSenderParts): MmsSender {
  const { clock, pace, window } = parts;
  const queue = createFifo<Submission>();
  const reportSoon = oncePerTick(report);
  const wake = createWake(clock, reportSoon);
  let ended: SubmissionResult[] = [];
  let inFlight = 0;
  let stopped = false;
  let drained = (): void => {};

  function end(submission: Submission, outcome: SubmissionOutcome): void {
    ended.push({ submission, outcome });
    reportSoon();
  }

  async function send(submission: Submission): Promise<void> {
    inFlight++;
    pace.took(clock.monotonicMs());
    const outcome = await parts.send(submission);
    inFlight--;
    end(submission, outcome);
  }

  function giveBack(): void {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) end(next, unavailable);
  }

  function pump(): void {
    if (stopped || !parts.up()) giveBack();
    while (queue.size > 0 && inFlight < window && pace.left(clock.monotonicMs()) >= 1) void send(queue.shift()!);
    // A freed slot wakes us with its answer; rate returns only with time.
    if (!stopped) wake.within(pace.waitMs(clock.monotonicMs()));
  }

  /** Results may be ready, or capacity may have grown. */
  function report(): void {
    pump();
    const results = ended;
    ended = [];
    if (results.length > 0) parts.results(results);
    else if (capacity() > 0) parts.ready();
    if (inFlight === 0) drained();
  }

  function capacity(): number {
    if (stopped || !parts.up()) return 0;
    return Math.max(0, Math.min(window - inFlight, pace.left(clock.monotonicMs())) - queue.size);
  }

  return {
    submit: (batch) => {
      for (const submission of batch) queue.push(submission);
      pump();
    },
    capacity,
    inFlight: () => inFlight,
    linkChanged: reportSoon,
    stop: async (drainMs) => {
      stopped = true;
      wake.cancel();
      const cancelCut = clock.after(drainMs, parts.cut);
      await new Promise<void>((resolve) => {
        drained = resolve;
        reportSoon();
      });
      cancelCut();
    },
  };
}
