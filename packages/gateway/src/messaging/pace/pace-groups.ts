/**
 * Maps sending numbers to the limits that apply to them. Re-reads the records only when they change, and then reports
 * which limits need a count from the log and which waiting messages may go earlier.
 */
import type { Directory } from '../../model/directory.ts';
import type { Pacing } from '../../model/registration.ts';

export interface Limited {
  campaignId: string;
  pacing: Pacing;
  /** Whose day is counted: the brand's, or the campaign's while it has none. */
  dayKey: string;
  lineKey: string;
}

/** What a change of the records means. */
export interface LimitsChange {
  /** Limits whose earlier sends are not counted yet. */
  uncounted: ReadonlyMap<string, ReadonlySet<string>>;
  /** Limits there are no more: what is known of them is of no use. */
  gone: ReadonlySet<string>;
  /** Limits of a minute whose order of turns is not true any more. */
  reordered: ReadonlySet<string>;
  /** Numbers whose waiting messages may go earlier; null = of all numbers, as nothing is known. */
  loosened: ReadonlySet<string> | null;
}

export interface LimitedNumbers {
  by(number: string): Limited | undefined;
  of(campaignId: string): Limited | undefined;
  /** The numbers that count for a limit now, in order. */
  members(key: string): readonly string[];
}

const dayPrefix = 'day ';
/** Of the keys of limits: whether it is one of a day. */
export const isDay = (key: string): boolean => key.startsWith(dayPrefix);
const isRated = ({ pacing }: Limited): boolean => pacing.segmentsPerMinute !== null || pacing.mmsPerMinute !== null;
export const isCapped = ({ pacing }: Limited): boolean => pacing.segmentsPerDay !== null;

/** `changed` is called within `by` and `of`, before their answer, the first time with everything there is. */
export function createLimitedNumbers(
  directory: () => Directory,
  changed: (change: LimitsChange) => void,
): LimitedNumbers {
  let seen: Directory | null = null;
  let byNumber: ReadonlyMap<string, Limited> = new Map();
  /** Limit → numbers that count for it. A number that left is remembered: what it had sent is counted and stays so. */
  const members = new Map<string, Set<string>>();
  /** The answers of `members`, while the records stay the same. */
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
    const reordered = new Set(other.map(([, old]) => old.lineKey));
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
      const own = [...byNumber].filter(([, { dayKey, lineKey }]) => dayKey === key || lineKey === key);
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
  return { campaignId, pacing: campaign.pacing, dayKey, lineKey: `minute ${campaignId}` };
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
    const keys = [...(isCapped(limited) ? [limited.dayKey] : []), ...(isRated(limited) ? [limited.lineKey] : [])];
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
