/**
 * Attempts at submissions, part by part: parts sent, answers received, outcome. Pure bookkeeping. After the first
 * refused part no further part is sent; an attempt ends when the parts in flight have ended, with exactly one result.
 */
import type { SmPart } from '@heliograph/smpp';
import type { DoubtCause } from '../../model/repeats.ts';
import type { AcceptedPart, Refused, Submission, SubmissionOutcome, SubmissionResult } from '../carrier.ts';

export interface SubmitTry {
  readonly submission: Submission;
  /** The parts to send in this attempt. */
  readonly parts: readonly SmPart[];
  /** Index of the next part to send. */
  next: number;
  /** Parts sent and not answered. */
  open: number;
  readonly accepted: AcceptedPart[];
  refused: Refused | null;
  /** The first doubtful part. */
  uncertain: Doubt | null;
}

/** A part that may have been sent and got no usable answer. */
export interface Doubt {
  cause: DoubtCause;
  detail: string;
}

/** `refused`: the attempt ended before it began. */
export function startTry(submission: Submission, parts: readonly SmPart[], refused: Refused | null = null): SubmitTry {
  return { submission, parts, next: 0, open: 0, accepted: [], refused, uncertain: null };
}

/** True when a part was not accepted: unsent parts then stay unsent. */
export function isHalted(attempt: SubmitTry): boolean {
  return attempt.refused !== null || attempt.uncertain !== null;
}

export function unsentParts(attempt: SubmitTry): number {
  return attempt.parts.length - attempt.next;
}

export function isEnded(attempt: SubmitTry): boolean {
  return attempt.open === 0 && (isHalted(attempt) || attempt.next === attempt.parts.length);
}

/**
 * Keeps the gravest of several refusals: permanent ones first, then those that count as an attempt, then the earliest.
 */
export function addRefusal(attempt: SubmitTry, refused: Refused): void {
  if (attempt.refused === null || gravity(refused) > gravity(attempt.refused)) attempt.refused = refused;
}

function gravity(refused: Refused): number {
  return refused.retry === 'never' ? 2 : refused.countsAttempt ? 1 : 0;
}

/**
 * The outcome of an ended attempt. A permanent refusal outweighs doubt about another part, as no retry can save the
 * message; doubt outweighs a temporary refusal, as sending again might duplicate what arrived.
 */
export function outcomeOf(attempt: SubmitTry): SubmissionOutcome {
  const parts = attempt.accepted;
  if (attempt.refused?.retry === 'never') return { ...attempt.refused, parts };
  if (attempt.uncertain !== null) return { kind: 'uncertain', ...attempt.uncertain, parts };
  if (attempt.refused !== null) return { ...attempt.refused, parts };
  return { kind: 'accepted', parts };
}

/** The attempts of one carrier that have begun. */
export interface SubmitLedger {
  begin(attempt: SubmitTry): void;
  /** The next part was sent. */
  sent(attempt: SubmitTry): void;
  /** A sent part was answered, or can no longer be answered. */
  settled(attempt: SubmitTry, how: PartSettlement): void;
  /** Ends the unsent parts of an attempt without contacting the carrier. */
  refuse(attempt: SubmitTry, refused: Refused): void;
  /** Parts that wait to be sent. */
  waiting(): number;
  /** Results not collected yet. */
  untaken(): number;
  /** The oldest results not collected yet. */
  takeResults(max: number): SubmissionResult[];
}

export type PartSettlement =
  | { kind: 'accepted'; part: AcceptedPart }
  | { kind: 'refused'; refused: Refused }
  | { kind: 'uncertain'; doubt: Doubt };

/** `changed` is called when a slot becomes free or a result is ready. */
export function createSubmitLedger(changed: () => void): SubmitLedger {
  let waitingParts = 0;
  const results: SubmissionResult[] = [];

  function endIfDone(attempt: SubmitTry): void {
    if (!isEnded(attempt)) return;
    results.push({ submission: attempt.submission, outcome: outcomeOf(attempt) });
    changed();
  }

  /** No further part of it may be sent. */
  function halt(attempt: SubmitTry): void {
    if (!isHalted(attempt)) waitingParts -= unsentParts(attempt);
  }

  function refuse(attempt: SubmitTry, refused: Refused): void {
    halt(attempt);
    addRefusal(attempt, refused);
    endIfDone(attempt);
  }

  return {
    begin: (attempt) => {
      waitingParts += unsentParts(attempt);
      endIfDone(attempt);
    },
    sent: (attempt) => {
      attempt.next++;
      attempt.open++;
      waitingParts--;
    },
    settled: (attempt, how) => {
      attempt.open--;
      changed();
      if (how.kind === 'refused') {
        refuse(attempt, how.refused);
        return;
      }
      if (how.kind === 'accepted') attempt.accepted.push(how.part);
      else {
        halt(attempt);
        attempt.uncertain ??= how.doubt;
      }
      endIfDone(attempt);
    },
    refuse,
    waiting: () => waitingParts,
    untaken: () => results.length,
    takeResults: (max) => results.splice(0, max),
  };
}
