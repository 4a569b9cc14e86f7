/**
 * Attempts at submissions, part by part: what each has sent and heard, and how it ended. Pure bookkeeping. After the first
 * refused part no further part is sent; an attempt ends when the parts in flight have ended, with exactly one result.
 */
import type { SmPart } from '@heliograph/smpp';
import type { DoubtCause } from '../../model/repeats.ts';
import type { AcceptedPart, Refused, Submission, SubmissionOutcome, SubmissionResult } from '../carrier.ts';

export interface SubmitTry {
  readonly submission: Submission;
  /** Those to be sent in this try. */
  readonly parts: readonly SmPart[];
  /** Index of the next part to send. */
  next: number;
  /** Parts sent and not answered. */
  open: number;
  readonly accepted: AcceptedPart[];
  refused: Refused | null;
  /** The first of them. */
  uncertain: Doubt | null;
}

/** A part that may have left and got no usable answer. */
export interface Doubt {
  cause: DoubtCause;
  detail: string;
}

/** `refused`: the try is over before it began. */
export function startTry(submission: Submission, parts: readonly SmPart[], refused: Refused | null = null): SubmitTry {
  return { submission, parts, next: 0, open: 0, accepted: [], refused, uncertain: null };
}

/** True when a part was not accepted: what is unsent stays unsent. */
export function isHalted(attempt: SubmitTry): boolean {
  return attempt.refused !== null || attempt.uncertain !== null;
}

export function unsentParts(attempt: SubmitTry): number {
  return attempt.parts.length - attempt.next;
}

export function isEnded(attempt: SubmitTry): boolean {
  return attempt.open === 0 && (isHalted(attempt) || attempt.next === attempt.parts.length);
}

/** Of several refusals the gravest tells how the try ended: for good, then those that count as a try, then the first. */
export function addRefusal(attempt: SubmitTry, refused: Refused): void {
  if (attempt.refused === null || gravity(refused) > gravity(attempt.refused)) attempt.refused = refused;
}

function gravity(refused: Refused): number {
  return refused.retry === 'never' ? 2 : refused.countsAttempt ? 1 : 0;
}

/**
 * How an ended try ended. A refusal for good outweighs doubt about another part, as no retry can save the message; doubt
 * outweighs a refusal for now, as sending again might double what arrived.
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
  /** The next part went out. */
  sent(attempt: SubmitTry): void;
  /** A part that went out was answered, or can be answered no more. */
  settled(attempt: SubmitTry, how: PartSettlement): void;
  /** Ends what is unsent of a try without asking the carrier. */
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

/** `changed` is called when a slot came free or a result is there. */
export function createSubmitLedger(changed: () => void): SubmitLedger {
  let waitingParts = 0;
  const results: SubmissionResult[] = [];

  function endIfDone(attempt: SubmitTry): void {
    if (!isEnded(attempt)) return;
    results.push({ submission: attempt.submission, outcome: outcomeOf(attempt) });
    changed();
  }

  /** From here on no further part of it may go. */
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
