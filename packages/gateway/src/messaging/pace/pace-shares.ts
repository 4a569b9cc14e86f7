/**
 * This node's part of limits that several nodes share: units lent by the store, usable for two seconds under a limit
 * per minute, and until the end of the day under a daily limit. A node hands nothing over without a lent unit, so the
 * limits hold over all nodes. What it did not use of a minute's units goes back with its next request; units lent to a node
 * that ends stay unused.
 */
import type { Clock, EpochMs } from '../../kernel/clock.ts';
import { sha256 } from '../../kernel/digest.ts';
import type { PacingStore } from '../store/modules/pacing.ts';
import type { LendGrant, Loan, PaceDay } from '../store/operations/pace-shares.ts';
import type { Sent } from './pace-store.ts';

/** Units lent under a limit per minute are usable for this many ms. */
const usableMs = 2_000;
/**
 * Besides the units needed, a node borrows one such part of a limit: 1/60 of a limit per minute, which is about a
 * second's worth, and 1/100 of a daily limit.
 */
const spareShare = { minute: 60, day: 100 };

export interface CountedLimit {
  key: string;
  /** Null for a limit per minute. */
  day: PaceDay | null;
  /** The numbers under the limit. */
  members: readonly string[];
}

/** How much the current claims need under one limit. */
export interface Want extends CountedLimit {
  limit: number;
  units: number;
  /** The need of the smallest claim. */
  least: number;
}

export interface PaceShares {
  /** Units that may be handed over now. */
  left(key: string): number;
  /** Negative: they were not handed over in the end. */
  take(key: string, units: number): void;
  /** Used by all nodes, as the store last reported. */
  used(key: string): number;
  /** Ms until there may be more; null = not before the day ends; 0 = unknown. */
  waitMs(key: string): number | null;
  /** Whether the store must be queried first. */
  lacks(wants: Iterable<Want>): boolean;
  /** Rejects with StoreUnavailable. */
  lend(wants: readonly Want[]): Promise<void>;
  /** Begins to count earlier sends under these limits: until the count is known, nothing is lent. */
  count(limits: readonly CountedLimit[]): void;
  /** The limits have changed. */
  changed(gone: Iterable<string>): void;
}

export interface PaceSharesParts {
  clock: Pick<Clock, 'now' | 'monotonicMs'>;
  store: Pick<PacingStore, 'lendPace' | 'countPace'>;
  /** Messages handed over, according to the log. Null if stopped. */
  sent(dayFrom: EpochMs | null): Promise<Sent | null>;
  /** Retries until the store answers; null if stopped. */
  untilAvailable<T>(query: () => Promise<T>): Promise<T | null>;
  /** Whether messages of a kind count for a limit. */
  countsFor(key: string, kind: Sent['handed'][number]['kind']): boolean;
  /** Runs the work after earlier background work. */
  inBackground(work: () => Promise<void>): void;
  /** The earlier sends of these numbers are counted. */
  counted(numbers: ReadonlySet<string>): Promise<void>;
  /** The units used by all nodes, before and after this loan. */
  lent(want: Want, before: number, after: number): void;
}

interface Share {
  lent: (Loan & { untilMs: number })[];
  /** No longer usable; goes back with the next request. */
  unused: Loan[];
  /** End of use of the units lent last. */
  untilMs: number;
  used: number;
  /** The store has no units before then, monotonic ms. */
  emptyUntilMs: number;
  isEmptyForToday: boolean;
  /** The basis of this node's count; null = not yet counted. */
  counted: string | null;
}

export function createPaceShares(parts: PaceSharesParts): PaceShares {
  const { clock, store } = parts;
  const shares = new Map<string, Share>();
  const counting = new Set<string>();

  function shareOf(key: string): Share {
    const share = shares.get(key) ?? {
      lent: [],
      unused: [],
      untilMs: 0,
      used: 0,
      emptyUntilMs: 0,
      isEmptyForToday: false,
      counted: null,
    };
    shares.set(key, share);
    return share;
  }

  function left(key: string): number {
    const share = shareOf(key);
    const now = clock.monotonicMs();
    share.unused.push(...share.lent.filter(({ units, untilMs }) => units > 0 && untilMs <= now));
    share.lent = share.lent.filter(({ units, untilMs }) => units > 0 && untilMs > now);
    return share.lent.reduce((sum, { units }) => sum + units, 0);
  }

  const isEmpty = (key: string): boolean => shareOf(key).emptyUntilMs > clock.monotonicMs();

  function count(limits: readonly CountedLimit[]): void {
    const fresh = limits.filter(({ key }) => !counting.has(key));
    if (fresh.length === 0) return;
    for (const { key } of fresh) counting.add(key);
    parts.inBackground(async () => {
      await countNow(fresh);
      for (const { key } of fresh) counting.delete(key);
      await parts.counted(new Set(fresh.flatMap(({ members }) => members)));
    });
  }

  async function countNow(limits: readonly CountedLimit[]): Promise<void> {
    const day = limits.find((one) => one.day !== null)?.day ?? null;
    const sent = await parts.sent(day?.startsAt ?? null);
    if (sent === null) return;
    const handed = Map.groupBy(sent.handed, ({ number }) => number);
    const items = limits.map((one) => {
      const counts = one.members.map((number) => countOf(number, one, sent.at, handed.get(number) ?? []));
      return { key: one.key, basis: basisOf(one), day: one.day, counts };
    });
    const stored = await parts.untilAvailable(() => store.countPace(items).then(() => true));
    if (stored !== null) for (const one of limits) shareOf(one.key).counted = basisOf(one);
  }

  function countOf(number: string, { key, day }: CountedLimit, at: EpochMs, handed: Sent['handed']) {
    const own = handed.filter(({ kind }) => parts.countsFor(key, kind));
    const today = own.reduce((sum, { second, units }) => sum + (isToday(second, day) ? units : 0), 0);
    const lately = own.filter(({ second }) => second !== 0);
    const ago = (second: number) => Math.max(0, at - second * 1_000 - 999);
    return { number, today, lately: lately.map(({ second, units }) => ({ agoMs: ago(second), units })) };
  }

  function took(want: Want, { kind, given, at, used, waitMs }: LendGrant, requestedMs: number): void {
    const share = shareOf(want.key);
    if (kind === 'uncounted') {
      share.counted = null;
      return;
    }
    if (given > 0) parts.lent(want, used - given, used);
    share.used = used;
    share.isEmptyForToday = kind === 'none' && waitMs === null;
    share.untilMs = requestedMs + (want.day === null ? usableMs : want.day.endsAt - clock.now());
    if (given > 0) share.lent.push({ at, units: given, untilMs: share.untilMs });
    if (kind === 'none') share.emptyUntilMs = requestedMs + (waitMs ?? (want.day?.endsAt ?? 0) - clock.now());
  }

  const isCounted = (limit: CountedLimit): boolean => shareOf(limit.key).counted === basisOf(limit);

  function lacking(wants: Iterable<Want>): Want[] {
    const all = [...wants].filter(({ key, units }) => left(key) < units && !isEmpty(key));
    count(all.filter((want) => !isCounted(want)));
    return all.filter(isCounted);
  }

  return {
    left,
    take: (key, units) => {
      left(key);
      const { lent, untilMs } = shareOf(key);
      if (units < 0) lent.push({ at: 0, units: -units, untilMs });
      for (let missing = units; missing > 0 && lent[0] !== undefined; ) {
        const taken = Math.min(missing, lent[0].units);
        lent[0].units -= taken;
        missing -= taken;
        if (lent[0].units === 0) lent.shift();
      }
    },
    used: (key) => shareOf(key).used,
    waitMs: (key) => {
      const { emptyUntilMs, isEmptyForToday } = shareOf(key);
      return isEmptyForToday ? null : Math.max(0, emptyUntilMs - clock.monotonicMs());
    },
    lacks: (wants) => lacking(wants).length > 0,
    lend: async (wants) => {
      const needed = lacking(wants);
      if (needed.length === 0) return;
      const requestedMs = clock.monotonicMs();
      const requests = needed.map((want) => {
        const { key, limit, units, least, day } = want;
        const missing = units - left(key);
        const spare = Math.ceil(limit / (day === null ? spareShare.minute : spareShare.day));
        return {
          key,
          basis: basisOf(want),
          limit,
          needed: Math.max(1, least - left(key)),
          wanted: missing + spare,
          // Once only: nobody knows what a request without an answer did.
          unused: shareOf(key).unused.splice(0),
          day,
        };
      });
      const grants = await store.lendPace(requests);
      for (const [place, want] of needed.entries()) took(want, grants[place]!, requestedMs);
    },
    count,
    changed: (gone) => {
      for (const key of gone) shares.delete(key);
      for (const share of shares.values()) Object.assign(share, { emptyUntilMs: 0, isEmptyForToday: false });
    },
  };
}

const bases = new WeakMap<readonly string[], string>();

function basisOf({ members }: CountedLimit): string {
  const basis = bases.get(members) ?? sha256(members.join(' '));
  bases.set(members, basis);
  return basis;
}

/** Everything older than the last minute has the second 0. */
const isToday = (second: number, day: PaceDay | null): boolean =>
  day !== null && (second === 0 || second * 1_000 >= day.startsAt);
