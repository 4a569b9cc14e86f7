/** Judges whether calls that could go on should wait for others that share their commit (docs/decisions/010). */
import type { Clock } from './clock.ts';

/** A call waits while at least this share of those that waited was joined by another one. */
const joinedMin = 0.5;
/** Each call that waited changes that share by one part in so many. */
const joinedOf = 16;

export interface CompanyOptions {
  /** Only a call that comes at least so long after the one before waits: closer ones find each other without. */
  apartMs: number;
  /** While calls do not wait, one in so many does, to see whether it would be joined. */
  tryEvery: number;
}

export class Company {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #options: CompanyOptions;
  #lastMs = 0;
  #isApart = false;
  #waits = false;
  /** The share of the calls that waited, of late, and were joined; 0 to 1. */
  #joined = 0;
  #sinceTry = 0;

  constructor(clock: Pick<Clock, 'monotonicMs'>, options: CompanyOptions) {
    this.#clock = clock;
    this.#options = options;
  }

  /** A call that may share a commit has come. */
  came(): void {
    const nowMs = this.#clock.monotonicMs();
    this.#isApart = nowMs - this.#lastMs >= this.#options.apartMs;
    this.#lastMs = nowMs;
  }

  /** Whether the call that has just come should wait; if so, `learn` must follow. */
  isExpected(): boolean {
    if (!this.#isApart) return false;
    this.#sinceTry = (this.#sinceTry + 1) % this.#options.tryEvery;
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
