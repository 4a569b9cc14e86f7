/**
 * The rate of one carrier that this cell may use now: its own share, less what it has lent to other cells, plus what it has borrowed.
 * At no moment do all cells together have more than the sum of their own shares: the lender stops using it before it answers, and
 * the borrower counts the lease from before it asked. Pure: the caller passes the time of this process's monotonic clock.
 */
import { createBusiestSecond, type RateShare } from '../../carriers/pace.ts';
import { createRateLeases, type RateLeases } from './rate-leases.ts';

/** How long a lender leaves alone what it has lent. */
export const leaseMs = 2_000;
/** The borrower stops this much earlier: clocks need not run equally fast. */
export const marginMs = 100;
/** The most of its own share that a cell lends. The rest it can always send at once. */
const lendable = 0.75;
/** From this part of its limit on, a cell counts as short. */
const nearlyAll = 0.9;
/** A cell keeps this much more than it uses. */
const headroom = 1.25;

export interface LentShare extends RateShare {
  /** What this cell would borrow now; 0 when its own share is enough. */
  wanted(nowMs: number): number;
  /** Lends at most this much to a cell until `leaseMs` from now; returns how much. */
  lend(cell: string, wanted: number, nowMs: number): number;
  /** A cell to which the request went at `requestedMs` has lent this; returns how much of it is used. */
  borrow(cell: string, loan: RateLoan, times: { requestedMs: number; nowMs: number }): number;
  figures(nowMs: number): RateFigures;
}

/** The answer of a lender. */
export interface RateLoan {
  perSecond: number;
  /** How long the lender leaves it alone, from its answer. */
  leaseMs: number;
}

export interface RateFigures {
  /** The cell's own share. */
  own: number;
  /** Lent to others, or left alone because an earlier run may have lent it. */
  lent: number;
  borrowed: number;
}

export interface LentShareParts {
  /** Parts per second, from the carrier's record. */
  own: number;
  /** False for a carrier whose record no longer lets it lend: then only what it has lent before counts. */
  lends: boolean;
  /** Kept when the carrier is opened again. */
  lent: RateLeases;
  nowMs: number;
}

export function createLentShare({ own, lends, lent, nowMs: openedMs }: LentShareParts): LentShare {
  const borrowed = createRateLeases();
  const used = createBusiestSecond(openedMs);
  const lendableMax = lends ? Math.floor(own * lendable) : 0;
  /** Who else is short: each gets an equal part. */
  const requestedMs = new Map<string, number>();
  let lowest = Number.POSITIVE_INFINITY;
  let second = { startMs: openedMs, low: own, lowBefore: own };

  /** An earlier process, or another gateway of this cell, may have lent all it could right before this one opened. */
  const isSettled = (now: number): boolean => now >= openedMs + leaseMs;
  const lentAt = (now: number): number => Math.max(lent.total(now), isSettled(now) ? 0 : lendableMax);
  const perSecond = (now: number): number => Math.max(0, own - lentAt(now)) + borrowed.total(now);

  /** The lowest limit of the last second or two, for which the messages are counted as well. */
  function recentLimit(now: number): number {
    const limit = perSecond(now);
    const age = now - second.startMs;
    if (age >= 1_000) second = { startMs: now, low: limit, lowBefore: age < 2_000 ? second.low : limit };
    second.low = Math.min(second.low, limit);
    return Math.min(second.low, second.lowBefore);
  }

  /** What this cell could use, by what it sent last: at least its share, and twice as much, when it is short. */
  function demand(now: number): number {
    const sent = used.count(now);
    return sent >= recentLimit(now) * nearlyAll ? Math.max(own, sent * 2) : sent * headroom;
  }

  function othersShort(now: number): number {
    for (const [cell, atMs] of requestedMs) if (now - atMs >= leaseMs) requestedMs.delete(cell);
    return requestedMs.size;
  }

  return {
    perSecond,
    lowest: (now) => {
      recentLimit(now);
      const current = perSecond(now);
      const found = Math.min(lowest, current);
      lowest = current;
      return found;
    },
    took: used.took,
    wanted: (now) => (lends && lent.total(now) === 0 ? Math.max(0, Math.ceil(demand(now) - own)) : 0),
    lend: (cell, wanted, now) => {
      requestedMs.set(cell, now);
      if (!isSettled(now) || borrowed.total(now) > 0) return 0;
      const free = Math.min(lendableMax, own - demand(now));
      const amount = Math.floor(Math.min(wanted, free / othersShort(now), free - lent.total(now, cell)));
      if (!(amount > 0)) return 0;
      lent.add(cell, amount, { nowMs: now, endsMs: now + leaseMs });
      lowest = Math.min(lowest, perSecond(now));
      return amount;
    },
    borrow: (cell, loan, { requestedMs: fromMs, nowMs: now }) => {
      // It was short when it made the request and has lent since: it is not short any more.
      if (lent.total(now) > 0 || !(loan.perSecond > 0)) return 0;
      lowest = Math.min(lowest, perSecond(now));
      borrowed.add(cell, loan.perSecond, { nowMs: now, endsMs: fromMs + loan.leaseMs - marginMs });
      return loan.perSecond;
    },
    figures: (now) => ({ own, lent: lentAt(now), borrowed: borrowed.total(now) }),
  };
}
