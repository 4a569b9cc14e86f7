/**
 * A circuit breaker for an endpoint that only fails: one attempt at a time, with growing pauses. Times are monotonic
 * milliseconds.
 */

const failuresMax = 5;
const firstPauseMs = 1_000;
const pauseMsMax = 60_000;

export class Breaker {
  #failures = 0;
  #pauseMs = 0;
  #retryAtMs = 0;

  /** While open, one attempt at a time may be made, not before `retryAtMs`. */
  get open(): boolean {
    return this.#failures >= failuresMax;
  }

  get retryAtMs(): number {
    return this.#retryAtMs;
  }

  succeeded(): void {
    this.#failures = 0;
    this.#pauseMs = 0;
    this.#retryAtMs = 0;
  }

  /** `probe`: the attempt began while this was open. Those that were under way before do not count as signs of a longer outage. */
  failed(probe: boolean, nowMs: number): void {
    this.#failures++;
    if (!this.open) return;
    if (this.#pauseMs === 0) this.#pauseMs = firstPauseMs;
    else if (probe) this.#pauseMs = Math.min(2 * this.#pauseMs, pauseMsMax);
    else return;
    this.#retryAtMs = nowMs + this.#pauseMs;
  }

  /** A person asks for an attempt: do not let it wait. */
  tryNow(): void {
    this.#retryAtMs = 0;
  }
}
