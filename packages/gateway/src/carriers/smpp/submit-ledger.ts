/** Tracks started attempts of one carrier: parts in flight, and results. Each attempt ends here exactly once. */
import type { AcceptedPart, SubmissionResult } from '../carrier.ts';
import {
  addRefusal,
  type Doubt,
  isEnded,
  isHalted,
  outcomeOf,
  type Refused,
  type SubmitTry,
  unsentParts,
} from '../submit-try.ts';

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
