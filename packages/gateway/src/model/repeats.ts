/**
 * How often, and when, an uncertain message is sent again. Each repeat may duplicate the text on a handset, so there
 * are few, with growing waits. Pure.
 */
import type { EpochMs } from '../kernel/clock.ts';

/**
 * Why a try ended `uncertain`, by what happened first. `unanswered`: the carrier had the message and gave no usable answer
 * on a link that lived; a time-out counts as this even though it closes the link. `broken`: the link broke, or the gateway
 * stopped, before an answer could come.
 */
export type DoubtCause = 'unanswered' | 'broken';

/** What an account or a carrier allows; absent = the account's default, and no limit of the carrier's own. */
export interface RepeatLimits {
  /** After a try with the cause `unanswered`; 0 = the message is held for a person. */
  repeatsUnanswered?: number;
  /** The same after `broken`. */
  repeatsBroken?: number;
}

export const repeatDefaults: Required<RepeatLimits> = { repeatsUnanswered: 1, repeatsBroken: 5 };

/** The most that can be set. */
export const repeatsMax = 10;

/** The limits that are set, by account and by carrier. */
export interface RepeatRules {
  accounts: Readonly<Record<string, RepeatLimits>>;
  carriers: Readonly<Record<string, RepeatLimits>>;
}

const settingOf = { unanswered: 'repeatsUnanswered', broken: 'repeatsBroken' } as const;

/**
 * Repeats a message may have in all when its newest try ended with this cause. A carrier can only lower the account's. Null:
 * in doubt since before causes were kept, and gone to its carrier an unknown number of times.
 */
export function repeatsAllowed(
  cause: DoubtCause | null,
  account: RepeatLimits = {},
  carrier: RepeatLimits = {},
): number {
  const setting = settingOf[cause ?? 'unanswered'];
  return Math.min(account[setting] ?? repeatDefaults[setting], carrier[setting] ?? repeatsMax);
}

/** Those that set a limit, so that a sweep need not carry all of them. */
export function setLimits(all: readonly (readonly [id: string, limits: RepeatLimits])[]): Record<string, RepeatLimits> {
  return Object.fromEntries(
    all.flatMap(([id, { repeatsUnanswered, repeatsBroken }]) =>
      repeatsUnanswered === undefined && repeatsBroken === undefined
        ? []
        : [[id, { repeatsUnanswered, repeatsBroken }]],
    ),
  );
}

/** Of the first wait: 60 s, 5 min, 30 min, then 2 h each where that is a minute. */
const waitFactors = [1, 5, 30];
const lastWaitFactor = 120;

/**
 * When the policy acts on a message that became uncertain at `at` after so many repeats. `firstDueAt`: when it acts on the
 * first; later ones wait longer, but never past the end of the validity.
 */
export function repeatDueAt(
  { repeats, expiresAt }: { repeats: number; expiresAt: EpochMs },
  { at, firstDueAt, firstWaitMs }: { at: EpochMs; firstDueAt: EpochMs; firstWaitMs: number },
): EpochMs {
  if (repeats === 0) return firstDueAt;
  const waitMs = firstWaitMs * (waitFactors[repeats] ?? lastWaitFactor);
  return Math.max(firstDueAt, Math.min(at + waitMs, expiresAt));
}
