/**
 * The clock of the adapters, as an argument, so that a test or a simulation can move time itself. The only file of the
 * package that reads the machine's clock or sets a timer.
 */

/** Milliseconds that never go backwards, and one-shot timers on the same scale. */
export type Clock = {
  nowMs(): number;
  /** Calls `fire` once after `delayMs`; the returned function cancels it. */
  setTimer(fire: () => void, delayMs: number): () => void;
};

/** The machine's monotonic clock. */
export const systemClock: Clock = {
  nowMs: () => performance.now(),
  setTimer: (fire, delayMs) => {
    const timer = setTimeout(fire, delayMs);
    return () => clearTimeout(timer);
  },
};
