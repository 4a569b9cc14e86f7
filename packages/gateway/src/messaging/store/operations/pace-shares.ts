/**
 * Limits of campaigns that several nodes share: a node borrows units of a limit before it hands messages over. Borrowed
 * units count as sent until the node gives them back unused, so that no minute and no day holds more than its limit. Times
 * are the database's.
 */
import type { EpochMs } from '../../../kernel/clock.ts';
import type { WriteContext } from '../../../store/context.ts';
import type { Operation } from '../../../store/query.ts';
import { getSetting, putSetting } from '../../../store/system/operations.ts';

/** Lent units are used within two seconds, and events have the clocks of the nodes. */
const minuteMs = 63_000;

export interface PaceDay {
  startsAt: EpochMs;
  endsAt: EpochMs;
}

export interface Loan {
  /** As the grant said. */
  at: EpochMs;
  units: number;
}

export interface LendRequest {
  /** Key of the limit. */
  key: string;
  /** Identifies the numbers under the limit; another basis requires a new count. */
  basis: string;
  limit: number;
  /** Nothing is lent if fewer are left than this; otherwise up to `wanted`. */
  needed: number;
  wanted: number;
  /** Units of earlier loans that this node did not use and never will; those of a minute come back. */
  unused: readonly Loan[];
  /** Null for a limit per minute. */
  day: PaceDay | null;
}

export interface LendGrant {
  /** `uncounted`: earlier sends are unknown. */
  kind: 'given' | 'none' | 'uncounted';
  given: number;
  /** Under a limit per minute, when: what is given back is found by it. */
  at: EpochMs;
  /** Used under the limit, by all nodes. */
  used: number;
  /** For `none`: when the needed units may be available; null = not before the day ends. */
  waitMs: number | null;
}

/** Messages handed over for a number, according to the log: today, and recently by age in ms. */
export interface NumberCount {
  number: string;
  today: number;
  lately: readonly { agoMs: number; units: number }[];
}

export interface CountRequest {
  key: string;
  basis: string;
  day: PaceDay | null;
  /** For all numbers under the limit. */
  counts: readonly NumberCount[];
}

interface Row {
  basis: string;
  startsAt: EpochMs;
  used: number;
  taken: [at: EpochMs, units: number][];
}

const settingOf = (key: string): string => `pace ${key}`;
/** The counted numbers; stored separately, because there may be many. */
const membersOf = (key: string): string => `pace members ${key}`;
const sum = (taken: Row['taken']): number => taken.reduce((total, [, units]) => total + units, 0);

function* rowOf(key: string): Operation<Row | null> {
  const text = yield* getSetting(settingOf(key));
  return text === null ? null : (JSON.parse(text) as Row);
}

function* store(key: string, row: Row): Operation<void> {
  yield* putSetting([{ name: settingOf(key), value: JSON.stringify(row) }]);
}

const timeOf = ({ databaseNow, now }: WriteContext): EpochMs => databaseNow ?? now;

export function* lendPace(items: readonly LendRequest[], context: WriteContext): Operation<LendGrant[]> {
  const grants: LendGrant[] = [];
  for (const item of items)
    grants.push(yield* item.day === null ? lendMinute(item, context) : lendDay(item, item.day, context));
  return grants;
}

const uncounted: LendGrant = { kind: 'uncounted', given: 0, at: 0, used: 0, waitMs: 0 };

function* lendMinute(request: LendRequest, context: WriteContext): Operation<LendGrant> {
  const { key, basis, limit, needed, wanted, unused } = request;
  const at = timeOf(context);
  const row = yield* rowOf(key);
  if (row?.basis !== basis) return uncounted;
  const taken = givenBack(
    row.taken.filter(([when]) => when > at - minuteMs),
    unused,
  );
  const free = limit - sum(taken);
  const given = free < needed ? 0 : Math.min(wanted, free);
  const all: Row['taken'] = given === 0 ? taken : [...taken, [at, given]];
  if (given > 0 || unused.length > 0) yield* store(key, { ...row, taken: all });
  const used = limit - free + given;
  return given === 0
    ? { kind: 'none', given, at, used, waitMs: waitOf(taken, needed - free, at) }
    : { kind: 'given', given, at, used, waitMs: 0 };
}

/** Loans without the units that come back; what a count replaced meanwhile stays. */
function givenBack(taken: Row['taken'], unused: readonly Loan[]): Row['taken'] {
  const back = new Map<EpochMs, number>();
  for (const { at, units } of unused) back.set(at, (back.get(at) ?? 0) + units);
  return taken
    .map(([when, units]): Row['taken'][number] => {
      const less = Math.min(units, back.get(when) ?? 0);
      back.set(when, (back.get(when) ?? 0) - less);
      return [when, units - less];
    })
    .filter(([, units]) => units > 0);
}

/** Wait until this many more units are free. */
function waitOf(taken: Row['taken'], missing: number, at: EpochMs): number {
  let freed = 0;
  for (const [when, units] of taken) {
    freed += units;
    if (freed >= missing) return Math.max(1, when + minuteMs - at);
  }
  return minuteMs;
}

function* lendDay(
  { key, basis, limit, needed, wanted }: LendRequest,
  { startsAt, endsAt }: PaceDay,
  context: WriteContext,
): Operation<LendGrant> {
  const at = timeOf(context);
  // The node's clock is ahead or behind: the database's day counts.
  if (at < startsAt) return { kind: 'none', given: 0, at, used: 0, waitMs: startsAt - at };
  if (at >= endsAt) return { kind: 'none', given: 0, at, used: 0, waitMs: 1_000 };
  const row = yield* rowOf(key);
  if (row?.basis !== basis) return uncounted;
  const used = row.startsAt === startsAt ? row.used : 0;
  const free = Math.max(0, limit - used);
  if (free < needed) return { kind: 'none', given: 0, at, used, waitMs: null };
  const given = Math.min(wanted, free);
  yield* store(key, { ...row, startsAt, used: used + given });
  return { kind: 'given', given, at, used: used + given, waitMs: 0 };
}

/**
 * Earlier sends before the first loan, according to the log. New numbers under the limit add their sends; for the
 * others the lent units count, or the sends if there were more.
 */
export function* countPace(items: readonly CountRequest[], context: WriteContext): Operation<null[]> {
  const at = timeOf(context);
  for (const { key, basis, day, counts } of items) {
    const row = yield* rowOf(key);
    const members = new Set(JSON.parse((yield* getSetting(membersOf(key))) ?? '[]') as string[]);
    const [known, added] = [
      counts.filter(({ number }) => members.has(number)),
      counts.filter(({ number }) => !members.has(number)),
    ];
    const startsAt = day?.startsAt ?? 0;
    const lent = row?.startsAt === startsAt ? row.used : 0;
    const kept = (row?.taken ?? []).filter(([when]) => when > at - minuteMs);
    const [knownLately, addedLately] = [latelyOf(known, at), latelyOf(added, at)];
    const taken = [...(sum(knownLately) > sum(kept) ? knownLately : kept), ...addedLately];
    taken.sort(([one], [other]) => one - other);
    yield* store(key, { basis, startsAt, used: Math.max(lent, todayOf(known)) + todayOf(added), taken });
    if (added.length === 0) continue;
    const all = [...members, ...added.map(({ number }) => number)];
    yield* putSetting([{ name: membersOf(key), value: JSON.stringify(all) }]);
  }
  return items.map(() => null);
}

const todayOf = (counts: readonly NumberCount[]): number => counts.reduce((total, { today }) => total + today, 0);
const latelyOf = (counts: readonly NumberCount[], at: EpochMs): Row['taken'] =>
  counts.flatMap(({ lately }) => lately.map(({ agoMs, units }): Row['taken'][number] => [at - agoMs, units]));
