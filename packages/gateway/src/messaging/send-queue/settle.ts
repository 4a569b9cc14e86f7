/**
 * Translates the outcome of an attempt into the lifecycle. The only caller of `store.settle`: a delivery leaves
 * `sending` only through this file, and nothing more is claimed while a settlement cannot be stored.
 */
import type { Submission, SubmissionOutcome, SubmissionResult } from '../../carriers/carrier.ts';
import type { Clock, Random } from '../../kernel/clock.ts';
import type { LaneId } from '../../kernel/ids.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { Claim, Settlement } from '../../model/delivery.ts';
import { sandboxReceiptWaitMs } from '../../model/sandbox.ts';
import { StoreUnavailable } from '../../store/faults.ts';
import type { MessageStore } from '../store/modules/messages.ts';

/** Tries for faults of our own (an encoder that throws); then the message fails. */
const ownFaultTriesMax = 5;
const storeRetryMs = 250;
const receiptWaitMs = 72 * 3_600_000;
/** Waits before the second try of a message, the third and so on. */
const waitsMs = [1_000, 5_000, 30_000, 120_000, 600_000];
const lastWaitMs = 900_000;
const jitterShare = 0.2;

/** The outcome of a try together with the claim it answers. */
export interface AnsweredClaim {
  claim: Claim;
  outcome: SubmissionOutcome;
}

export interface SettleParts {
  clock: Clock;
  random: Random;
  logger: Logger;
  store: Pick<MessageStore, 'settle'>;
  /** How long an uncertain message waits for a receipt before the account's policy acts. */
  uncertainWaitMs: number;
  isSandbox(lane: LaneId): boolean;
  /** Where a refused message is tried next. */
  nextLane(claim: Claim): string;
}

export interface Settler {
  /**
   * Resolves when the outcomes are on disk, regardless of how long the store takes. Order of calls is order of commits.
   */
  settle(answered: AnsweredClaim[]): Promise<void>;
  /** True while an outcome could not be stored yet: claim nothing. */
  blocked(): boolean;
}

export function createSettler(parts: SettleParts): Settler {
  let waiting = 0;

  async function store(settlements: Settlement[]): Promise<void> {
    let late = false;
    for (;;) {
      try {
        await parts.store.settle(settlements);
        if (late) waiting--;
        return;
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error;
        if (!late) {
          late = true;
          waiting++;
          parts.logger.warn({ reason: error.reason, count: settlements.length }, 'outcomes wait for the store');
        }
        await new Promise<void>((resolve) => parts.clock.after(storeRetryMs, resolve));
      }
    }
  }

  return {
    blocked: () => waiting > 0,
    // The call is sent at once, so that a claim made right after it shares its transaction and sees it.
    settle: (answered) => {
      const settlements: Settlement[] = [];
      for (const { claim, outcome } of answered) settlements.push(toSettlement(claim, outcome, parts));
      return store(settlements);
    },
  };
}

/** Pure, except for the clock and randomness passed in. */
export function toSettlement(claim: Claim, outcome: SubmissionOutcome, parts: SettleParts): Settlement {
  const now = parts.clock.now();
  const base = {
    messageId: claim.messageId,
    attempt: claim.attempt,
    carrier: claim.lane,
    lane: claim.lane,
    parts: outcome.parts,
    countsAttempt: true,
    code: null,
    carrierCode: null,
    detail: null,
  };
  switch (outcome.kind) {
    case 'accepted': {
      const wait = (parts.isSandbox(claim.lane) ? sandboxReceiptWaitMs(claim.to) : null) ?? receiptWaitMs;
      return { ...base, to: 'sent', dueAt: now + wait };
    }
    case 'uncertain':
      return {
        ...base,
        to: 'uncertain',
        code: 'UNCERTAIN',
        detail: outcome.detail,
        cause: outcome.cause,
        firstWaitMs: parts.uncertainWaitMs,
        dueAt: now + parts.uncertainWaitMs,
      };
    case 'refused': {
      const { code, carrierCode, detail, countsAttempt } = outcome;
      const refusal = { ...base, code, carrierCode, detail, countsAttempt };
      const poisoned = code === 'GATEWAY_ERROR' && claim.attempt >= ownFaultTriesMax;
      if (outcome.retry === 'never' || poisoned) return { ...refusal, to: 'failed', dueAt: now };
      const backoff = countsAttempt ? retryWaitMs(claim.attempt, parts.random.fraction()) : 0;
      return {
        ...refusal,
        to: 'queued',
        // The rest of a long text goes over the same carrier: each cuts and numbers the parts in its own way.
        lane: claim.partsAccepted.length + outcome.parts.length > 0 ? claim.lane : parts.nextLane(claim),
        dueAt: now + Math.max(outcome.afterMs ?? 0, backoff),
      };
    }
  }
}

/** Pairs results with the open claims, taking each pair out of `open`. Ignores results of unknown tries. */
export function takeAnswered(
  open: Pick<Map<Submission, Claim>, 'get' | 'delete'>,
  results: SubmissionResult[],
): AnsweredClaim[] {
  const answered: AnsweredClaim[] = [];
  for (const { submission, outcome } of results) {
    const claim = open.get(submission);
    if (claim === undefined) continue;
    open.delete(submission);
    answered.push({ claim, outcome });
  }
  return answered;
}

/** Wait in ms before try number `attempt + 1`; `fraction` in [0, 1) spreads it by ±10 %. */
export function retryWaitMs(attempt: number, fraction: number): number {
  const wait = waitsMs[attempt - 1] ?? lastWaitMs;
  return Math.round(wait * (1 - jitterShare / 2 + jitterShare * fraction));
}
