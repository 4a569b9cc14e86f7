/**
 * Under overload sending goes first: while many messages wait for carriers, requests in the queue are held until more was sent
 * than was accepted. Accepting costs a fifth of sending, so an overload would be stored instead of sent. While the gateway has
 * nothing to do, a carrier limits sending, and requests are let in.
 */
import type { Clock } from '../../kernel/clock.ts';

/** Messages of all send queues. */
export interface SendingFigures {
  /** Handed to carriers since the start. */
  handed: number;
  /** Due, and waiting to be claimed. */
  waiting: number;
  /** Whether the store is writing. */
  busy: boolean;
}

export interface SendingFirst {
  /** Whether the next request in the queue may be let in; true counts its recipients. */
  mayEnter(recipients: number): boolean;
}

/**
 * While fewer messages wait, a burst is accepted as fast as it comes. Many more do not fit into the memory of the SQLite store, and
 * what it writes to the database before it is sent, it writes twice.
 */
const waitingMin = 16_384;
/** Messages sent for each recipient that was let in. Above 1, so that the queues become shorter. */
const sentForEach = 1.5;
/** Requests are let in for at least this long, and held for at most this long. */
const freeMsMin = 20;
const heldMsMax = 500;
const lookEveryMs = 5;
/** A timer this late means that the process is busy. */
const lateMs = 3;
/** If the gateway was idle at more than half of at least this many looks, it lets requests in for `letInMs`. */
const looksMin = 20;
const letInMs = 2_000;

export function createSendingFirst(
  clock: Pick<Clock, 'monotonicMs' | 'after'>,
  figures: () => SendingFigures,
  letIn: () => void,
): SendingFirst {
  let isHeld = false;
  /** When the requests were last held, or let in again. */
  let turnedMs = Number.NEGATIVE_INFINITY;
  let letInUntilMs = Number.NEGATIVE_INFINITY;
  /** Messages to be sent before more requests are let in, counted when `handedBefore` were handed over. */
  let owed = 0;
  let handedBefore = 0;
  let looks = 0;
  let idleLooks = 0;

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
    return waiting >= waitingMin && owed > 0 && now - turnedMs < heldMsMax;
  }

  /** Whether the requests that were let in are to be paid for first. */
  function isTime(now: number): boolean {
    if (now < letInUntilMs) {
      owed = 0;
      return false;
    }
    if (now - turnedMs < freeMsMin) return false;
    const { handed, waiting } = figures();
    pay(handed);
    turnedMs = now;
    owed = waiting < waitingMin ? 0 : Math.max(0, owed);
    return owed > 0;
  }

  return {
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
