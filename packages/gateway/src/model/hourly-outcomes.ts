/**
 * Outcomes of messages, counted by the hour (UTC) in which the messages were accepted, so that a search of the message log
 * between the same hours finds what was counted. Each outcome of a message counts once.
 */
import type { EpochMs } from '../kernel/clock.ts';
import type { AccountId } from '../kernel/ids.ts';
import type { UsageOwner } from './usage.ts';

/** `sent`: taken by a carrier. The others are states that no arrow leaves. */
export const outcomesCounted = ['sent', 'delivered', 'undelivered', 'failed', 'expired', 'received'] as const;
export type CountedOutcome = (typeof outcomesCounted)[number];

export const hourMs = 3_600_000;

interface Counted {
  /** The beginning of the hour of acceptance. */
  hour: EpochMs;
  /** Of failures, else ''. */
  code: string;
  /** Of deliveries: the first of `tookBounds` that is not exceeded, `tookOver` beyond the last. Else 0. */
  took: number;
  /** Generated traffic of the sandbox. */
  demo: boolean;
  messages: number;
}

export interface HourlyRow extends UsageOwner, Counted {
  outcome: CountedOutcome;
}

/** From the event log: not yet by environment. */
export interface EndedMessages extends Counted {
  accountId: AccountId;
  /** The own one. */
  number: string;
  carrier: string;
  state: CountedOutcome;
  /** How many of them a carrier is first known to have taken by this event. */
  taken: number;
}

/** From 100 ms to a day; neighbours differ by at most two thirds. */
export const tookBounds: readonly number[] = [2, 3, 4, 5, 6, 7]
  .flatMap((power) => [1, 1.5, 2, 3, 5, 7].map((digit) => digit * 10 ** power))
  .concat(86_400_000)
  .sort((a, b) => a - b);
export const tookOver = 1e12;

export interface TookCount {
  took: number;
  messages: number;
}

/** The time within which half of them were delivered, as exactly as the bounds allow; null without any. */
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
