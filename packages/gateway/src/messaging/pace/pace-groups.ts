/**
 * Maps sending numbers to the limits that apply to them. Re-reads the records only when they change, and then reports
 * which limits need a count from the log and which waiting messages may be sent earlier.
 */
import type { Directory } from '../../model/directory.ts';
import type { Pacing } from '../../model/registration.ts';

export interface Limited {
  campaignId: string;
  pacing: Pacing;
  /** Identifies the daily count: the brand's, or the campaign's while it has none. */
  dayKey: string;
  queueKey: string;
}

/** The effect of a change of the records. */
export interface LimitsChange {
  /** Limits whose earlier sends are not yet counted. */
  uncounted: ReadonlyMap<string, ReadonlySet<string>>;
  /** Removed limits: their data can be dropped. */
  gone: ReadonlySet<string>;
  /** Limits per minute whose assigned turns are no longer valid. */
  reordered: ReadonlySet<string>;
  /** Numbers whose waiting messages may be sent earlier; null = all numbers, because nothing is known. */
  loosened: ReadonlySet<string> | null;
}

export interface LimitedNumbers {
  by(number: string): Limited | undefined;
  of(campaignId: string): Limited | undefined;
  /** The numbers under a limit now, in order. */
  members(key: string): readonly string[];
}

const dayPrefix = 'day ';
/** Whether a limit's key belongs to a daily limit. */
export const isDay = (key: string): boolean => key.startsWith(dayPrefix);
const isRated = ({ pacing }: Limited): boolean => pacing.segmentsPerMinute !== null || pacing.mmsPerMinute !== null;
export const isCapped = ({ pacing }: Limited): boolean => pacing.segmentsPerDay !== null;

/** `by` and `of` call `changed` before they answer, the first time with everything. */
export function createLimitedNumbers(
  directory: () => Directory,
  changed: (change: LimitsChange) => void,
): LimitedNumbers {
  let seen: Directory | null = null;
  let byNumber: ReadonlyMap<string, Limited> = new Map();
  /** Limit → its numbers. A number that left stays here, because its earlier sends remain counted. */
  const members = new Map<string, Set<string>>();
  /** Cached answers of `members`, while the records are unchanged. */
  const current = new Map<string, readonly string[]>();

  function follow(): Directory {
    const newest = directory();
    if (newest === seen) return newest;
    current.clear();
    const first = seen === null;
    const before = byNumber;
    seen = newest;
    byNumber = limitedOf(newest);
    const { uncounted, gone } = regroup(members, byNumber);
    const numbers = [...before.keys()].filter((number) => isLooser(before.get(number)!, byNumber.get(number)));
    const other = [...before].filter(([number, old]) => !isSame(old, byNumber.get(number)));
    const reordered = new Set(other.map(([, old]) => old.queueKey));
    if (first || uncounted.size + gone.size + numbers.length + reordered.size > 0) {
      changed({ uncounted, gone, reordered, loosened: first ? null : new Set(numbers) });
    }
    return newest;
  }

  return {
    by: (number) => {
      follow();
      return byNumber.get(number);
    },
    of: (campaignId) => limitOf(follow(), campaignId),
    members: (key) => {
      follow();
      const known = current.get(key);
      if (known !== undefined) return known;
      const own = [...byNumber].filter(([, { dayKey, queueKey }]) => dayKey === key || queueKey === key);
      const numbers = own.map(([number]) => number).sort();
      current.set(key, numbers);
      return numbers;
    },
  };
}

function limitOf(directory: Directory, campaignId: string): Limited | undefined {
  const campaign = directory.campaign(campaignId);
  if (campaign?.pacing === undefined) return undefined;
  const brandId = campaign.registration?.brandId ?? null;
  const dayKey = brandId === null ? `${dayPrefix}campaign ${campaignId}` : `${dayPrefix}brand ${brandId}`;
  return { campaignId, pacing: campaign.pacing, dayKey, queueKey: `minute ${campaignId}` };
}

function limitedOf(directory: Directory): Map<string, Limited> {
  const limits = new Map<string, Limited | undefined>();
  const found = new Map<string, Limited>();
  for (const { number, campaignId } of directory.records.numbers) {
    if (campaignId === null) continue;
    if (!limits.has(campaignId)) limits.set(campaignId, limitOf(directory, campaignId));
    const limited = limits.get(campaignId);
    if (limited !== undefined) found.set(number, limited);
  }
  return found;
}

/** Brings `members` up to date. */
function regroup(members: Map<string, Set<string>>, byNumber: ReadonlyMap<string, Limited>) {
  const uncounted = new Map<string, Set<string>>();
  const wanted = new Set<string>();
  for (const [number, limited] of byNumber) {
    const keys = [...(isCapped(limited) ? [limited.dayKey] : []), ...(isRated(limited) ? [limited.queueKey] : [])];
    for (const key of keys) {
      wanted.add(key);
      const known = members.get(key) ?? new Set();
      members.set(key, known);
      if (known.has(number)) continue;
      known.add(number);
      uncounted.set(key, (uncounted.get(key) ?? new Set()).add(number));
    }
  }
  const gone = new Set([...members.keys()].filter((key) => !wanted.has(key)));
  for (const key of gone) members.delete(key);
  return { uncounted, gone };
}

function isSame(before: Limited, after: Limited | undefined): boolean {
  return JSON.stringify(before) === JSON.stringify(after);
}

function isLooser(before: Limited, after: Limited | undefined): boolean {
  if (after === undefined) return true;
  if (before.campaignId !== after.campaignId || before.dayKey !== after.dayKey) return true;
  const names = ['segmentsPerMinute', 'mmsPerMinute', 'segmentsPerDay'] as const;
  const limit = (value: number | null) => value ?? Number.POSITIVE_INFINITY;
  return names.some((name) => limit(after.pacing[name]) > limit(before.pacing[name]));
}
