/**
 * How long a client waits before its next attempt: a pure function of the failures so far, the settings and a random
 * number.
 */
import { status } from './status.ts';

export type ReconnectPolicy = {
  /** the first wait after a lost or failed connection; default 1,000 */
  startMs: number;
  /** default 60,000 */
  maxMs: number;
  /** the first wait after a refused or unanswered bind; default 5,000 */
  bindStartMs: number;
  /** default 300,000 */
  bindMaxMs: number;
  /** ESME_RINVPASWD this many times in a row stops the attempts, so that the account is not locked; default 3 */
  passwordRefusalsMax: number;
  /** a session bound for this long clears earlier failures, as does one that carried a message; default 60,000 */
  stableAfterMs: number;
};

export const defaultReconnectPolicy: Readonly<ReconnectPolicy> = Object.freeze({
  startMs: 1_000,
  maxMs: 60_000,
  bindStartMs: 5_000,
  bindMaxMs: 300_000,
  passwordRefusalsMax: 3,
  stableAfterMs: 60_000,
});

/** Failures in a row. */
export type FailureCount = { connects: number; binds: number; passwordRefusals: number };

export const noFailures: Readonly<FailureCount> = Object.freeze({ connects: 0, binds: 0, passwordRefusals: 0 });

/** What failed: the connection (never up, or lost when bound), or the bind, with its status if there was one. */
export type ReconnectCause = 'connection' | { bind: number | 'unanswered' };

/**
 * The next wait in milliseconds, or 'stop' when only a person can correct the cause, and the counts for the next call.
 * Connections: doubling from startMs to maxMs, drawn from the upper half so that many clients spread out. Binds:
 * doubling from bindStartMs to bindMaxMs, drawn from the upper tenth: at most 20 binds in any hour.
 */
export const nextDelay = (
  failures: Readonly<FailureCount>,
  cause: ReconnectCause,
  random: () => number,
  policy: Readonly<ReconnectPolicy> = defaultReconnectPolicy,
): { failures: FailureCount; delayMs: number | 'stop' } => {
  if (cause === 'connection') {
    const delayMs = drawn(policy.startMs, policy.maxMs, failures.connects, 0.5, random);
    return { failures: { ...failures, connects: failures.connects + 1 }, delayMs };
  }
  const passwordRefusals = cause.bind === status.ESME_RINVPASWD ? failures.passwordRefusals + 1 : 0;
  const next = { connects: 0, binds: failures.binds + 1, passwordRefusals };
  if (passwordRefusals >= policy.passwordRefusalsMax) return { failures: next, delayMs: 'stop' };
  return { failures: next, delayMs: drawn(policy.bindStartMs, policy.bindMaxMs, failures.binds, 0.1, random) };
};

const drawn = (startMs: number, maxMs: number, doublings: number, spread: number, random: () => number): number => {
  const wholeMs = Math.min(maxMs, startMs * 2 ** Math.min(doublings, 30));
  return Math.round(wholeMs * (1 - spread * random()));
};
