/**
 * Time and randomness as values that are passed in. No other code may read a clock, set a timer or draw a random
 * number, so tests can move time and replay randomness.
 */

/** Milliseconds since the Unix epoch (wall clock), for records and due times. */
export type EpochMs = number;

/** A day of UTC, ms. */
export const dayMs = 86_400_000;

export interface Clock {
  /** Wall clock, ms since the epoch. May jump; for records only. */
  now(): EpochMs;
  /** Monotonic clock in ms from an arbitrary zero; for measuring waits. */
  monotonicMs(): number;
  /** Calls `run` once after `delayMs`; the returned function cancels it. Must not keep the process alive by itself. */
  after(delayMs: number, run: () => void): () => void;
}

/** Timers for waits that must end: the process lives until they have run. */
export interface Timers {
  /** Calls `run` once after `delayMs`; the returned function cancels it. */
  after(delayMs: number, run: () => void): () => void;
}

export interface Random {
  /** Uniform in [0, 1). For jitter and weights, never for secrets. */
  fraction(): number;
  /** Cryptographically strong bytes, for ids and secrets. */
  bytes(count: number): Uint8Array;
}
