/**
 * Detects a carrier that accepts messages but does not answer. After many messages in a row without a usable answer on
 * a live link, the carrier gets only an occasional probe until it answers one; further messages would become uncertain
 * too.
 */
import type { Carrier, CarrierSink, Submission, SubmissionOutcome, SubmissionResult } from '../../carriers/carrier.ts';
import type { Clock, EpochMs } from '../../kernel/clock.ts';

/** Messages in a row without a usable answer. A broken link neither adds to the count nor resets it. */
export const silentAfter = 10;
export const probeEveryMs = 30_000;

export interface Silence {
  /** The same carrier, watched: while it is silent it has one slot every 30 s, for a probe. */
  watch(carrier: Carrier): Carrier;
  /** Since when it gets only probes; null while it answers. */
  since(): EpochMs | null;
}

export interface SilenceParts {
  clock: Pick<Clock, 'now' | 'monotonicMs'>;
  /** The silence recorded by an earlier run. */
  silentSince: EpochMs | null;
  changed(since: EpochMs | null): void;
}

export function createSilence({ clock, silentSince, changed }: SilenceParts): Silence {
  let unanswered = silentSince === null ? 0 : silentAfter;
  let since = silentSince;
  let probedAtMs = Number.NEGATIVE_INFINITY;

  function freeSlots(free: number): number {
    if (since === null) return free;
    return clock.monotonicMs() - probedAtMs < probeEveryMs ? 0 : Math.min(1, free);
  }

  function turn(next: EpochMs | null): void {
    since = next;
    // The last message of the row was the first probe.
    probedAtMs = next === null ? Number.NEGATIVE_INFINITY : clock.monotonicMs();
    changed(next);
  }

  function observe({ outcome }: SubmissionResult): void {
    if (outcome.kind === 'uncertain' && outcome.cause === 'unanswered') {
      unanswered += 1;
      if (unanswered >= silentAfter && since === null) turn(clock.now());
    } else if (isAnswer(outcome)) {
      unanswered = 0;
      if (since !== null) turn(null);
    }
  }

  /** Splits the batch: messages within its slots, and messages already on their way when it fell silent. */
  function sorted(batch: readonly Submission[]): [readonly Submission[], readonly Submission[]] {
    if (since === null) return [batch, []];
    const taken = freeSlots(batch.length);
    if (taken > 0) probedAtMs = clock.monotonicMs();
    return [batch.slice(0, taken), batch.slice(taken)];
  }

  return {
    since: () => since,
    watch: (carrier) => {
      let listener: CarrierSink | null = null;
      return {
        ...carrier,
        start: (sink) => {
          listener = sink;
          carrier.start({
            ...sink,
            results: (results) => {
              results.forEach(observe);
              sink.results(results);
            },
          });
        },
        capacity: () => freeSlots(carrier.capacity()),
        submit: (batch) => {
          const [taken, back] = sorted(batch);
          if (taken.length > 0) carrier.submit(taken);
          if (back.length === 0) return;
          const results = back.map((submission) => ({ submission, outcome: notNow }));
          queueMicrotask(() => listener?.results(results));
        },
      };
    },
  };
}

const notNow: SubmissionOutcome = {
  kind: 'refused',
  retry: 'later',
  code: 'CARRIER_UNAVAILABLE',
  carrierCode: null,
  countsAttempt: false,
  parts: [],
  detail: `The carrier left ${silentAfter} messages in a row without an answer: nothing was sent.`,
};

/** Whether the answer is the carrier's. A refusal without the carrier's code is our own. */
function isAnswer(outcome: SubmissionOutcome): boolean {
  return outcome.kind === 'accepted' || (outcome.kind === 'refused' && outcome.carrierCode !== null);
}
