/** Time, random numbers, ids and the log as arguments, so that a test can move time and repeat random numbers. */

export interface Clock {
  /** Wall clock, ms since the epoch. */
  now(): number;
  /** Monotonic clock in ms from an arbitrary zero. */
  monotonicMs(): number;
  /** Calls `run` once after `delayMs`; the returned function cancels it. */
  after(delayMs: number, run: () => void): () => void;
}

export interface Random {
  /** Uniform in [0, 1). */
  fraction(): number;
}

export interface Ids {
  /** `prefix` and characters after it. Ids are unique, and each sorts after the earlier ones. */
  next(prefix: string): string;
}

export type LogMethod = (fields: object, message?: string) => void;

export interface Logger {
  debug: LogMethod;
  info: LogMethod;
  warn: LogMethod;
  error: LogMethod;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
  after: (delayMs, run) => {
    const timer = setTimeout(run, delayMs);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

export const systemRandom: Random = { fraction: () => Math.random() };

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** The time, then a count: 26 characters. */
export function createIds(clock: Pick<Clock, 'now'>): Ids {
  let latestMs = 0;
  let count = 0;
  return {
    next: (prefix) => {
      latestMs = Math.max(latestMs, clock.now());
      return prefix + inBase32(latestMs, 10) + inBase32(++count, 16);
    },
  };
}

function inBase32(value: number, characters: number): string {
  let out = '';
  for (let rest = value; out.length < characters; rest = Math.floor(rest / 32)) out = alphabet[rest % 32] + out;
  return out;
}

export const silentLogger: Logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
