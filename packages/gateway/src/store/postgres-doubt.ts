/** A commit whose answer was lost: callers wait for the look-up, for a bounded time. */
import { CommitInDoubt } from './engine.ts';
import { type StoreBroken, StoreUnavailable } from './faults.ts';

/** How long callers wait until the server is back and what became of their commit is known. */
const doubtMsMax = 10_000;

export class Doubt {
  readonly mark: string;
  /** What its callers were to get. */
  readonly handedOut: readonly unknown[];
  /** True when the callers got no answer in time: what is stored then belongs to nobody. */
  givenUp = false;
  readonly error: CommitInDoubt;
  readonly #results: unknown[][];
  readonly #callers = Promise.withResolvers<unknown[][]>();
  readonly #timer: NodeJS.Timeout;

  constructor(mark: string, results: unknown[][], handedOut: readonly unknown[]) {
    this.mark = mark;
    this.handedOut = handedOut;
    this.#results = results;
    this.error = new CommitInDoubt(this.#callers.promise);
    this.#timer = setTimeout(() => {
      this.givenUp = true;
      this.#callers.reject(inDoubt());
    }, doubtMsMax);
  }

  /** Without effect on callers that have given up. */
  settle(outcome: 'stored' | 'nothing' | StoreBroken): void {
    clearTimeout(this.#timer);
    if (outcome === 'stored') this.#callers.resolve(this.#results);
    else if (outcome === 'nothing')
      this.#callers.reject(new StoreUnavailable('down', 'PostgreSQL: the session was lost'));
    else this.#callers.reject(outcome);
  }
}

export function inDoubt(): StoreUnavailable {
  return new StoreUnavailable('down', 'PostgreSQL: the session was lost in a commit', { inDoubt: true });
}
