/** Judges whether a single call should wait for another one that shares its commit (docs/decisions/010). */
import type { Clock } from '../kernel/clock.ts';

/** Only a call that comes at least so long after the one before waits: closer ones find each other without. */
const apartMs = 0.5;
/** A call waits while at least this share of those that waited was joined by another one. */
const joinedMin = 0.5;
/** Each call that waited changes that share by one part in so many. */
const joinedOf = 16;
/** While calls do not wait, one in so many does, to see whether it would be joined. */
const tryEvery = 256;

export class Company {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  #lastMs = 0;
  #isApart = false;
  #waits = false;
  /** The share of the calls that waited, of late, and were joined; 0 to 1. */
  #joined = 0;
  #sinceTry = 0;

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.#clock = clock;
  }

  /** A call that may share a commit has come. */
  came(): void {
    const nowMs = this.#clock.monotonicMs();
    this.#isApart = nowMs - this.#lastMs >= apartMs;
    this.#lastMs = nowMs;
  }

  /** Whether the call that has just come should wait; if so, `learn` must follow. */
  isExpected(): boolean {
    if (!this.#isApart) return false;
    this.#sinceTry = (this.#sinceTry + 1) % tryEvery;
    this.#waits = this.#joined >= joinedMin || this.#sinceTry === 0;
    return this.#waits;
  }

  /** A commit begins; if a call waited for it, whether another one came meanwhile. */
  learn(wasJoined: boolean): void {
    if (!this.#waits) return;
    this.#waits = false;
    this.#joined += ((wasJoined ? 1 : 0) - this.#joined) / joinedOf;
  }
}
