/** The retry schedule of webhooks, and when an endpoint is given up. Pure. */
import type { EpochMs } from '../../kernel/clock.ts';

const seconds = 1_000;
const minutes = 60 * seconds;
const hours = 60 * minutes;
const days = 24 * hours;

/** Waits after the first, second, … failed attempt; after the last of them a day each. */
const waitsMs = [
  5 * seconds,
  5 * minutes,
  30 * minutes,
  2 * hours,
  5 * hours,
  10 * hours,
  14 * hours,
  20 * hours,
  24 * hours,
];
const lastWaitMs = 24 * hours;

export const attemptsMax = 13;
/** An endpoint that has done nothing but fail for so long is disabled. */
export const failingMsMax = 7 * days;
export const retryAfterMsMax = hours;
const jitterShare = 0.1;

/** The shortest time in which all attempts can be used up. */
const shortestRunMs = (1 - jitterShare) * sum(Array.from({ length: attemptsMax - 1 }, (_, i) => plainWaitMs(i + 1)));

export interface FailedTry {
  /** Tries of this delivery so far, this one included; from 1. */
  tries: number;
  now: EpochMs;
  /** Since when its endpoint has done nothing but fail. */
  failingSince: EpochMs;
  /** What the endpoint asked for; null when it did not. */
  retryAfterMs: number | null;
  /** In [0, 1): spreads the wait by ±10 %. */
  fraction: number;
}

export type AfterFailure = { to: 'waiting'; dueAt: EpochMs } | { to: 'failed' };

/** What becomes of a delivery whose attempt failed. */
export function afterFailure({ tries, now, failingSince, retryAfterMs, fraction }: FailedTry): AfterFailure {
  if (tries < attemptsMax) {
    const wait = Math.round(plainWaitMs(tries) * (1 - jitterShare + 2 * jitterShare * fraction));
    return { to: 'waiting', dueAt: now + Math.max(wait, Math.min(retryAfterMs ?? 0, retryAfterMsMax)) };
  }
  // An endpoint that was dead all the time will be disabled, and what waits for it then is kept: one attempt more at the
  // end of its seventh day decides that.
  if (now - failingSince >= shortestRunMs) return { to: 'waiting', dueAt: Math.max(failingSince + failingMsMax, now) };
  return { to: 'failed' };
}

/** Whether an endpoint whose attempt has just failed is to be disabled. */
export function isGivenUp(failingSince: EpochMs, now: EpochMs): boolean {
  return now - failingSince >= failingMsMax;
}

/** Milliseconds that a Retry-After header asks for (RFC 9110 §10.2.3: seconds or a date); null when it says nothing usable. */
export function parseRetryAfter(value: string | null, now: EpochMs): number | null {
  if (value === null) return null;
  if (/^[0-9]{1,9}$/.test(value)) return Number(value) * seconds;
  // Date.parse takes far more than the standard's three forms; all of those begin with the name of a day.
  const at = /^[A-Z][a-z]+,? /.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(at - now, 0);
}

function plainWaitMs(tries: number): number {
  return waitsMs[tries - 1] ?? lastWaitMs;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
