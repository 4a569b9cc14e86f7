/**
 * The clock for time limits, as an argument so that a test can move time. The only file of the package that reads the
 * machine's clock or sets a timer.
 */

export interface Clock {
  /** Monotonic clock in ms from an arbitrary zero; for measuring waits. */
  monotonicMs(): number;
  /** Calls `run` once after `delayMs`; the returned function cancels it. Must not keep the process alive by itself. */
  after(delayMs: number, run: () => void): () => void;
}

export const systemClock: Clock = {
  monotonicMs: () => performance.now(),
  after: (delayMs, run) => {
    const timer = setTimeout(run, delayMs);
    timer.unref();
    return () => clearTimeout(timer);
  },
};
