/**
 * Under overload sending goes first: while requests wait in line and messages wait for carriers, requests are held until more
 * was sent than was accepted. Accepting takes a fifth of what sending takes, so that an overload would else be stored and not
 * sent. Where the gateway has nothing to do meanwhile, a carrier is what limits sending, and requests are let in.
 */
import type { Clock } from '../../kernel/clock.ts';

/** What all send queues did and have to do, in messages. */
export interface SendingFigures {
  /** Handed to carriers since the start. */
  handed: number;
  /** Due, and waiting to be claimed. */
  waiting: number;
  /** Whether the store works on something. */
  busy: boolean;
}

export interface SendingFirst {
  /** Requests wait in line from now on. */
  begin(): void;
  /** None waits any more. */
  end(): void;
  /** Whether the next one in line, with so many recipients, may be let in; true counts it. */
  mayEnter(recipients: number): boolean;
}

/** A burst is accepted as fast as it comes; requests that wait for longer than this are more than a burst. */
const burstMs = 1_000;
/** A line that was empty for less is still the same one. */
const sameLineMs = 100;
/** With fewer waiting messages there is nothing to gain. */
const waitingMin = 512;
const fewWaiting = 64;
/** What is sent for each recipient that was let in: the queues become shorter meanwhile. */
const sentForEach = 1.5;
/** They are let in for at least so long, and held for at most so long. */
const freeMsMin = 20;
const heldMsMax = 500;
const lookEveryMs = 5;
/** A timer that is later than this tells of a process that is busy. */
const lateMs = 3;
/** After so many looks, and when the gateway had nothing to do at half of them, they are let in for so long. */
const looksMin = 20;
const letInMs = 2_000;

export function createSendingFirst(
  clock: Pick<Clock, 'monotonicMs' | 'after'>,
  figures: () => SendingFigures,
  letIn: () => void,
): SendingFirst {
  let lineSinceMs = Number.POSITIVE_INFINITY;
  let emptySinceMs = Number.NEGATIVE_INFINITY;
  let isHeld = false;
  /** Since requests are held, or since they are let in again. */
  let turnedMs = Number.NEGATIVE_INFINITY;
  let letInUntilMs = Number.NEGATIVE_INFINITY;
  /** Messages that are to be sent before more are let in, since so many were handed over. */
  let owed = 0;
  let handedBefore = 0;
  let looks = 0;
  let idleLooks = 0;

  function begin(): void {
    const now = clock.monotonicMs();
    if (now - emptySinceMs > sameLineMs) lineSinceMs = now;
  }

  function pay(handed: number): void {
    owed -= Math.max(0, handed - handedBefore);
    handedBefore = handed;
  }

  function hold(now: number): void {
    isHeld = true;
    turnedMs = now;
    looks = 0;
    idleLooks = 0;
    lookSoon(now);
  }

  function lookSoon(before: number): void {
    clock.after(lookEveryMs, () => {
      const now = clock.monotonicMs();
      if (isToBeHeld(now, now - before > lookEveryMs + lateMs)) return lookSoon(now);
      isHeld = false;
      turnedMs = now;
      letIn();
    });
  }

  function isToBeHeld(now: number, isLate: boolean): boolean {
    const { handed, waiting, busy } = figures();
    pay(handed);
    looks += 1;
    if (!busy && !isLate) idleLooks += 1;
    if (looks >= looksMin && idleLooks * 2 > looks) {
      letInUntilMs = now + letInMs;
      return false;
    }
    return waiting >= fewWaiting && owed > 0 && now - turnedMs < heldMsMax;
  }

  /** Whether requests are to be held now, with what was let in before. */
  function isTime(now: number): boolean {
    if (now - lineSinceMs < burstMs || now < letInUntilMs) {
      owed = 0;
      return false;
    }
    if (now - turnedMs < freeMsMin) return false;
    const { handed, waiting } = figures();
    pay(handed);
    turnedMs = now;
    owed = Math.max(0, owed);
    return owed > 0 && waiting >= waitingMin;
  }

  return {
    begin,
    end: () => {
      emptySinceMs = clock.monotonicMs();
    },
    mayEnter: (recipients) => {
      if (isHeld) return false;
      const now = clock.monotonicMs();
      if (isTime(now)) {
        hold(now);
        return false;
      }
      if (owed === 0) handedBefore = figures().handed;
      owed += recipients * sentForEach;
      return true;
    },
  };
}
