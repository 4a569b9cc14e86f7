/** The retry schedule of webhooks, and when an endpoint is given up. Pure. */
import type { EpochMs } from '../../kernel/clock.ts';

const seconds = 1_000;
const minutes = 60 * seconds;
const hours = 60 * minutes;
const days = 24 * hours;

/** Waits after the first, second, … failed attempt; after the last of these a day each. */
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
/** An endpoint that only failed for this long is disabled. */
export const failingMsMax = 7 * days;
export const retryAfterMsMax = hours;
const jitterShare = 0.1;

/** The shortest time in which all attempts can be used up. */
const shortestRunMs = (1 - jitterShare) * sum(Array.from({ length: attemptsMax - 1 }, (_, i) => plainWaitMs(i + 1)));

export interface FailedTry {
  /** Attempts of this delivery so far, including this one; from 1. */
  tries: number;
  now: EpochMs;
  /** Since when its endpoint has only failed. */
  failingSince: EpochMs;
  /** The endpoint's Retry-After; null without one. */
  retryAfterMs: number | null;
  /** In [0, 1): varies the wait by ±10 %. */
  fraction: number;
}

export type AfterFailure = { to: 'waiting'; dueAt: EpochMs } | { to: 'failed' };

/** What happens to a delivery whose attempt failed. */
export function afterFailure({ tries, now, failingSince, retryAfterMs, fraction }: FailedTry): AfterFailure {
  if (tries < attemptsMax) {
    const wait = Math.round(plainWaitMs(tries) * (1 - jitterShare + 2 * jitterShare * fraction));
    return { to: 'waiting', dueAt: now + Math.max(wait, Math.min(retryAfterMs ?? 0, retryAfterMsMax)) };
  }
  // An endpoint that failed all the time will be disabled, and its deliveries then wait: one more attempt at the end of
  // its seventh day decides that.
  if (now - failingSince >= shortestRunMs) return { to: 'waiting', dueAt: Math.max(failingSince + failingMsMax, now) };
  return { to: 'failed' };
}

/** Whether an endpoint whose attempt has just failed must be disabled. */
export function isGivenUp(failingSince: EpochMs, now: EpochMs): boolean {
  return now - failingSince >= failingMsMax;
}

/**
 * The wait of a Retry-After header in milliseconds (RFC 9110 §10.2.3: seconds or a date); null when it is not usable.
 */
export function parseRetryAfter(value: string | null, now: EpochMs): number | null {
  if (value === null) return null;
  if (/^[0-9]{1,9}$/.test(value)) return Number(value) * seconds;
  // Date.parse accepts far more than the standard's three forms; all of those begin with the name of a day.
  const at = /^[A-Z][a-z]+,? /.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(at - now, 0);
}

function plainWaitMs(tries: number): number {
  return waitsMs[tries - 1] ?? lastWaitMs;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
