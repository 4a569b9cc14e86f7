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

/** A limit that changes while the carrier is open: other cells borrow of it, or lend to it. */
export interface RateShare {
  /** Parts per second that may be sent now. */
  perSecond(nowMs: number): number;
  /** The lowest that `perSecond` was since the last call of this. */
  lowest(nowMs: number): number;
  /** One part was sent. */
  took(nowMs: number): void;
}

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

/** `ceiling`: parts per second that the carrier allows; 0 = no limit. A `share` counts in its place. */
export function createPace(ceiling: number, nowMs: number, share?: RateShare): Pace {
  const fixed = ceiling === 0 ? Number.POSITIVE_INFINITY : ceiling;
  let top = share?.perSecond(nowMs) ?? fixed;
  let slowed: { atMs: number; knee: number } | null = null;
  let tokens = saved(top);
  let filledAtMs = nowMs;
  const sent = createBusiestSecond(nowMs);

  const rate = (now: number): number => {
    if (slowed === null) return top;
    const age = (now - slowed.atMs) / recoverMs;
    const raised = slowed.knee * (1 + 0.5 * (age - 1) ** 3);
    // A limit that is low for a while says nothing about the rate that the carrier refused.
    if (now - slowed.atMs < forgetMs && (raised < top || share !== undefined)) return Math.min(raised, top);
    slowed = null;
    return top;
  };

  const fill = (now: number): void => {
    if (share !== undefined) top = share.perSecond(now);
    const perSecond = rate(now);
    // The share may have changed since the last fill: its lowest value counts for all of that time.
    const earned = Math.min(perSecond, share?.lowest(now) ?? perSecond);
    if (now > filledAtMs) tokens += ((now - filledAtMs) * earned) / 1_000;
    tokens = Math.min(saved(perSecond), tokens);
    filledAtMs = now;
  };

  return {
    left: (now) => {
      fill(now);
      return Math.max(0, Math.floor(tokens));
    },
    took: (now) => {
      sent.took(now);
      share?.took(now);
      tokens--;
    },
    throttled: (now) => {
      if (slowed !== null && now - slowed.atMs < oneEventMs) return;
      fill(now);
      const observed = sent.count(now);
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

/** Counts by the second: what the busier of the last two had. */
export interface BusiestSecond {
  took(nowMs: number): void;
  count(nowMs: number): number;
}

export function createBusiestSecond(nowMs: number): BusiestSecond {
  let second = { startMs: nowMs, sent: 0, sentBefore: 0 };
  const turn = (now: number): void => {
    const age = now - second.startMs;
    if (age >= 1_000) second = { startMs: now, sent: 0, sentBefore: age < 2_000 ? second.sent : 0 };
  };
  return {
    took: (now) => {
      turn(now);
      second.sent++;
    },
    count: (now) => {
      turn(now);
      return Math.max(second.sent, second.sentBefore);
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
