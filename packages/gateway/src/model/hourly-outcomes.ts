/**
 * Outcomes of messages, counted by the hour (UTC) of acceptance, so that a search of the message log for the same hours
 * finds the same messages. Each outcome of a message counts once.
 */
import { dayMs, type EpochMs } from '../kernel/clock.ts';
import type { AccountId } from '../kernel/ids.ts';
import type { UsageOwner } from './usage.ts';

/** `sent`: a carrier took it. The others are final states. */
export const outcomesCounted = ['sent', 'delivered', 'undelivered', 'failed', 'expired', 'received'] as const;
export type CountedOutcome = (typeof outcomesCounted)[number];

export const hourMs = 3_600_000;

interface Counted {
  /** Start of the hour of acceptance. */
  hour: EpochMs;
  /** The code of a failure, else ''. */
  code: string;
  /** For deliveries: index of the first `tookBounds` that is not exceeded, `tookOver` beyond the last; else 0. */
  took: number;
  /** Generated traffic of the sandbox. */
  demo: boolean;
  messages: number;
}

export interface HourlyRow extends UsageOwner, Counted {
  outcome: CountedOutcome;
}

/** Counted from the event log, not yet divided by environment. */
export interface EndedMessages extends Counted {
  accountId: AccountId;
  /** The company's own number. */
  number: string;
  carrier: string;
  state: CountedOutcome;
  /** How many messages this event first shows as taken by a carrier. */
  taken: number;
}

/** From 100 ms to a day; neighbours differ by at most two thirds. */
export const tookBounds: readonly number[] = [2, 3, 4, 5, 6, 7]
  .flatMap((power) => [1, 1.5, 2, 3, 5, 7].map((digit) => digit * 10 ** power))
  .concat(dayMs)
  .sort((a, b) => a - b);
export const tookOver = 1e12;

export interface TookCount {
  took: number;
  messages: number;
}

/**
 * The time within which half of the messages were delivered, as exactly as the bounds allow; null when there are none.
 */
export function medianOf(counts: readonly TookCount[]): number | null {
  const ordered = counts.filter(({ took }) => took > 0).sort((a, b) => a.took - b.took);
  const half = ordered.reduce((sum, { messages }) => sum + messages, 0) / 2;
  let passed = 0;
  for (const { took, messages } of ordered) {
    if (passed + messages < half) {
      passed += messages;
      continue;
    }
    const place = tookBounds.indexOf(took);
    const above = tookBounds.at(-1)!;
    if (place === -1) return above;
    const least = place === 0 ? 0 : tookBounds[place - 1]!;
    return Math.round(least + ((half - passed) / messages) * (took - least));
  }
  return null;
}
