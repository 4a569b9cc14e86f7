/**
 * How often, and when, an uncertain message is sent again. Each repeat may duplicate the text on a handset, so there
 * are few, with growing waits. Pure.
 */
import type { EpochMs } from '../kernel/clock.ts';

/**
 * Why an attempt ended `uncertain`, by what happened first. `unanswered`: the carrier had the message and gave no
 * usable answer on a working link; a time-out counts as this even though it closes the link. `broken`: the link broke,
 * or the gateway stopped, before an answer could come.
 */
export type DoubtCause = 'unanswered' | 'broken';

/** Limits of an account or a carrier; absent = the account's default, and no limit of the carrier's own. */
export interface RepeatLimits {
  /** After an attempt with the cause `unanswered`; 0 = the message is held for a person. */
  repeatsUnanswered?: number;
  /** The same after `broken`. */
  repeatsBroken?: number;
}

export const repeatDefaults: Required<RepeatLimits> = { repeatsUnanswered: 1, repeatsBroken: 5 };

/** The highest limit that can be set. */
export const repeatsMax = 10;

/** The configured limits, by account and by carrier. */
export interface RepeatRules {
  accounts: Readonly<Record<string, RepeatLimits>>;
  carriers: Readonly<Record<string, RepeatLimits>>;
}

const settingOf = { unanswered: 'repeatsUnanswered', broken: 'repeatsBroken' } as const;

/**
 * Repeats that a message may have in total when its newest attempt ended with this cause. A carrier can only lower the
 * account's limit. Null: uncertain since before causes were stored, and sent an unknown number of times.
 */
export function repeatsAllowed(
  cause: DoubtCause | null,
  account: RepeatLimits = {},
  carrier: RepeatLimits = {},
): number {
  const setting = settingOf[cause ?? 'unanswered'];
  return Math.min(account[setting] ?? repeatDefaults[setting], carrier[setting] ?? repeatsMax);
}

/** Only entries that set a limit, so that a sweep carries no others. */
export function setLimits(all: readonly (readonly [id: string, limits: RepeatLimits])[]): Record<string, RepeatLimits> {
  return Object.fromEntries(
    all.flatMap(([id, { repeatsUnanswered, repeatsBroken }]) =>
      repeatsUnanswered === undefined && repeatsBroken === undefined
        ? []
        : [[id, { repeatsUnanswered, repeatsBroken }]],
    ),
  );
}

/** Multiples of the first wait: with 60 s these are 60 s, 5 min, 30 min, then 2 h each. */
const waitFactors = [1, 5, 30];
const lastWaitFactor = 120;

/**
 * When the policy acts on a message that became uncertain at `at` after this many repeats. `firstDueAt`: when it acts
 * the first time; later waits are longer, but never past the end of the validity.
 */
export function repeatDueAt(
  { repeats, expiresAt }: { repeats: number; expiresAt: EpochMs },
  { at, firstDueAt, firstWaitMs }: { at: EpochMs; firstDueAt: EpochMs; firstWaitMs: number },
): EpochMs {
  if (repeats === 0) return firstDueAt;
  const waitMs = firstWaitMs * (waitFactors[repeats] ?? lastWaitFactor);
  return Math.max(firstDueAt, Math.min(at + waitMs, expiresAt));
}
