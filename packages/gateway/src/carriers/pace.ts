/**
 * The send rate of one carrier in parts per second: halved when the carrier throttles, raised again along a cubic curve
 * (slow near the rate that failed, fast beyond; the idea of RFC 9438). Pure, with time as an argument, except for the
 * timer that wakes the sender when rate is available again.
 */
import type { Clock } from '../kernel/clock.ts';

/** Time from the halved rate back to the rate that was throttled. */
const recoverMs = 4_000;
/** Throttle answers this close together are one event: the carrier refused a whole window at once. */
const oneEventMs = 1_000;
/** The least rate that a first throttle counts for: the few parts of a quiet moment say little about the limit. */
const firstCutFloor = 20;
/** Without a ceiling, the curve is dropped after this long. */
const forgetMs = 60_000;
/** Rate saved up while idle, in seconds' worth of parts. */
const burstSeconds = 0.05;

export interface Pace {
  /** Whole parts that may be sent now; Infinity when there is no limit. */
  left(nowMs: number): number;
  /** One part was sent. */
  took(nowMs: number): void;
  /** The carrier throttled. */
  throttled(nowMs: number): void;
  /** Ms until one part may be sent. */
  waitMs(nowMs: number): number;
}

/** The most that can be saved up at this rate. */
const saved = (perSecond: number): number => Math.max(1, perSecond * burstSeconds);

/** `ceiling`: parts per second that the carrier allows; 0 = no limit. */
export function createPace(ceiling: number, nowMs: number): Pace {
  const top = ceiling === 0 ? Number.POSITIVE_INFINITY : ceiling;
  let slowed: { atMs: number; knee: number } | null = null;
  let tokens = saved(top);
  let filledAtMs = nowMs;
  let second = { startMs: nowMs, sent: 0, sentBefore: 0 };

  const rate = (now: number): number => {
    if (slowed === null) return top;
    const age = (now - slowed.atMs) / recoverMs;
    const raised = slowed.knee * (1 + 0.5 * (age - 1) ** 3);
    if (raised < top && now - slowed.atMs < forgetMs) return raised;
    slowed = null;
    return top;
  };

  const fill = (now: number): void => {
    const perSecond = rate(now);
    if (now > filledAtMs) tokens += ((now - filledAtMs) * perSecond) / 1_000;
    tokens = Math.min(saved(perSecond), tokens);
    filledAtMs = now;
  };

  const turnSecond = (now: number): void => {
    const age = now - second.startMs;
    if (age >= 1_000) second = { startMs: now, sent: 0, sentBefore: age < 2_000 ? second.sent : 0 };
  };

  return {
    left: (now) => {
      fill(now);
      return Math.max(0, Math.floor(tokens));
    },
    took: (now) => {
      turnSecond(now);
      second.sent++;
      tokens--;
    },
    throttled: (now) => {
      if (slowed !== null && now - slowed.atMs < oneEventMs) return;
      turnSecond(now);
      const observed = Math.max(second.sent, second.sentBefore);
      const floor = slowed !== null && now - slowed.atMs < 2 * recoverMs ? 1 : firstCutFloor;
      slowed = { atMs: now, knee: Math.min(rate(now), Math.max(floor, observed)) };
      tokens = 0;
      filledAtMs = now;
    },
    waitMs: (now) => {
      fill(now);
      return tokens >= 1 ? 0 : Math.ceil(((1 - tokens) * 1_000) / rate(now));
    },
  };
}

/** Waking for each single rate token would cost more than it sends. */
const wakeMsMin = 20;

/** One timer per carrier: wakes the sender when rate is available again. */
export interface Wake {
  /** Calls `run` once after `waitMs`; never for 0, and never with two timers at a time. */
  within(waitMs: number): void;
  cancel(): void;
}

export function createWake(clock: Clock, run: () => void): Wake {
  let cancel: (() => void) | null = null;
  return {
    within: (waitMs) => {
      if (waitMs === 0 || cancel !== null) return;
      cancel = clock.after(Math.max(wakeMsMin, waitMs), () => {
        cancel = null;
        run();
      });
    },
    cancel: () => cancel?.(),
  };
}
