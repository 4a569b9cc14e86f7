/**
 * Keeps campaigns under the limits of the networks: segments per minute, and segments per day of the brand. Send queues
 * ask just before they hand a message over. Above the rate a message waits its turn without using an attempt; above the
 * daily cap it waits for the reset. A campaign without limits costs one map lookup.
 *
 * Sends are counted in memory while a limit exists, and from the log when they were not counted: after a start, and for
 * a new limit. Until that count is known the campaign's messages wait. No minute and no day may hold more than its
 * limit. Several nodes borrow units for what they hand over (`pace-shares.ts`).
 */
import type { SubmissionOutcome } from '../../carriers/carrier.ts';
import type { Clock, EpochMs } from '../../kernel/clock.ts';
import { counted } from '../../kernel/counted.ts';
import type { Claim } from '../../model/delivery.ts';
import type { Directory } from '../../model/directory.ts';
import type { MessageKind } from '../../model/records.ts';
import type { Pacing } from '../../model/registration.ts';
import type { PacingStore } from '../store/modules/pacing.ts';
import { createDay, createPaceQueues, type PaceQueue } from './pace-counts.ts';
import { createLimitedNumbers, isCapped, isDay, type Limited, type LimitsChange } from './pace-groups.ts';
import { type CountedLimit, createPaceShares, type PaceShares, type Want } from './pace-shares.ts';
import { createPaceStore, type PaceStoreParts, type Sent } from './pace-store.ts';
import type { CapDay } from './pacing-limits.ts';

/** The use of one limit; null when there is none. */
export interface LimitUse {
  used: number;
  limit: number;
}

export interface CampaignUse {
  segmentsThisMinute: LimitUse | null;
  mmsThisMinute: LimitUse | null;
  /** Over all campaigns of the brand. */
  segmentsToday: (LimitUse & { resetsAt: EpochMs }) | null;
}

export interface PaceWarning {
  campaignId: string;
  limit: 'minute' | 'day';
  used: number;
  of: number;
}

export interface Pace {
  /** Null = it may be sent, and is counted. Else the outcome of the try, which has not begun. */
  ask(claim: Claim): SubmissionOutcome | null;
  /** With several nodes: whether units must be borrowed before asking for these claims. */
  lacks(claims: readonly Claim[]): boolean;
  /** Borrows those units, as far as there are some. Rejects with StoreUnavailable. */
  lend(claims: readonly Claim[]): Promise<void>;
  /** The message was counted, but the carrier accepted only this many parts: returns the others to the day's limit. */
  giveBack(claim: Claim, partsTaken: number): void;
  use(campaignId: string): CampaignUse;
  /** Re-reads the limits: starts counting for new ones, releases messages held by removed ones. */
  follow(): void;
  /** Resolves when no count and no release is running. */
  settled(): Promise<void>;
  /** Stops queries to the store; resolves when none is running. */
  stop(): Promise<void>;
}

export interface PaceParts extends PaceStoreParts {
  clock: Clock;
  /** When several nodes send. */
  shared?: Pick<PacingStore, 'lendPace' | 'countPace'>;
  directory(): Directory;
  /** A campaign has used 80 % of a limit; reported once a day, for the minute once an hour. */
  warn(warning: PaceWarning): void;
}

/** For when no campaign has limits. */
export const unpaced: Pick<Pace, 'ask' | 'giveBack' | 'lacks' | 'lend'> = {
  ask: () => null,
  giveBack: () => {},
  lacks: () => false,
  lend: async () => {},
};

const warnAt = 0.8;
const minuteWarningEveryMs = 3_600_000;
/** The window is 61 s wide; slightly slower still, because turns are used up to a quarter of a second late. */
const spreadMs = 62_000;
/** When a message that waits for the count returns; it becomes due earlier if the count is known. */
const countingMs = 5_000;

export function createPace(parts: PaceParts): Pace {
  const { clock } = parts;
  const paceStore = createPaceStore(parts);
  const day = createDay(clock);
  const queues = createPaceQueues();
  /** Limits of which it is not known what was sent already, with the numbers that are to be counted for them. */
  const uncounted = new Map<string, Set<string>>();
  const limited = createLimitedNumbers(parts.directory, changed);
  const shares =
    parts.shared === undefined
      ? null
      : createPaceShares({
          clock,
          store: parts.shared,
          ...paceStore,
          inBackground: (task) => {
            work = work.then(task);
          },
          counted: paceStore.release,
          countsFor: (key, kind) => isDay(key) || key.endsWith(minuteKey('', kind)),
          lent: warnOfLent,
        });
  /** The time of the last warning for each shared limit per minute, monotonic ms. */
  const warned = new Map<string, number>();
  let work: Promise<void> = Promise.resolve();
  let counting = false;

  function changed({ uncounted: added, gone, reordered, loosened }: LimitsChange): void {
    shares?.changed([...gone].flatMap((key) => (isDay(key) ? [key] : kinds.map((kind) => minuteKey(key, kind)))));
    for (const key of gone) {
      uncounted.delete(key);
      day.forget(key);
      queues.forget(key);
    }
    for (const queueKey of reordered) queues.newOrder(queueKey);
    if (shares !== null) shares.count([...added.keys()].flatMap(countedLimits));
    else for (const [key, numbers] of added) uncounted.set(key, (uncounted.get(key) ?? new Set()).union(numbers));
    if (uncounted.size > 0 && !counting) {
      counting = true;
      work = work.then(count);
    }
    if (loosened === null || loosened.size > 0) work = work.then(() => paceStore.release(loosened));
  }

  function countedLimits(key: string): CountedLimit[] {
    const members = limited.members(key);
    if (isDay(key)) return [{ key, day: day.current(), members }];
    return kinds.map((kind) => ({ key: minuteKey(key, kind), day: null, members }));
  }

  async function count(): Promise<void> {
    const counted = new Set<string>();
    while (uncounted.size > 0) {
      const wanted = new Map(uncounted);
      const { startsAt } = day.current();
      const sent = await paceStore.sent([...wanted.keys()].some(isDay) ? startsAt : null);
      if (sent === null) break;
      if (day.current().startsAt !== startsAt) continue;
      for (const [key, numbers] of wanted) {
        // More numbers were added meanwhile, which needs another look, or the limit was removed.
        if (uncounted.get(key) !== numbers) continue;
        uncounted.delete(key);
        for (const number of numbers) counted.add(number);
        takeIn(key, numbers, sent);
      }
    }
    counting = false;
    await paceStore.release(counted);
  }

  function takeIn(key: string, numbers: ReadonlySet<string>, { at, handed }: Sent): void {
    const dayFrom = day.current().startsAt;
    const own = handed.filter(({ number }) => numbers.has(number)).sort((a, b) => a.second - b.second);
    const sinceMonotonic = clock.monotonicMs() - clock.now();
    for (const { kind, second, units } of own) {
      const whenMs = second * 1_000;
      if (isDay(key)) {
        if (second === 0 || whenMs >= dayFrom) day.add(key, units);
      } else if (second !== 0) {
        queues.of(key, kind).window.took(sinceMonotonic + Math.min(whenMs + 999, at), units);
      }
    }
  }

  const isCounting = (who: Limited): boolean =>
    uncounted.size > 0 && (uncounted.has(who.dayKey) || uncounted.has(who.queueKey));

  /** Ms until its turn, if so many units are free after `wait` ms; 0 = now. */
  function turnMs(queue: PaceQueue, claim: Claim, units: number, limit: number, wait: number): number {
    const now = clock.monotonicMs();
    // New messages queue behind waiting ones; a waiting message keeps its slot.
    const waits = queue.freeAtMs > now && claim.acceptedAt > queue.youngest;
    if (!waits && wait === 0) return 0;
    const turn = Math.max(queue.freeAtMs, now + Math.max(1, wait));
    if (clock.now() + (turn - now) < claim.expiresAt) {
      queue.freeAtMs = turn + (units * spreadMs) / limit;
      queue.youngest = Math.max(queue.youngest, claim.acceptedAt);
    }
    return turn - now;
  }

  function warnOfMinute(queue: PaceQueue, campaignId: string, of: number): void {
    const now = clock.monotonicMs();
    const used = queue.window.used(now);
    if (used < warnAt * of || now - queue.warnedAtMs < minuteWarningEveryMs) return;
    queue.warnedAtMs = now;
    parts.warn({ campaignId, limit: 'minute', used, of });
  }

  /** The units that these claims need of each limit that several nodes share. */
  function wantsOf(claims: readonly Claim[]): Iterable<Want> {
    const wants = new Map<string, Want>();
    const add = (key: string, groupKey: string, limit: number, units: number, of: CapDay | null): void => {
      const want = wants.get(key);
      if (want === undefined) {
        wants.set(key, { key, limit, units, least: units, day: of, members: limited.members(groupKey) });
      } else Object.assign(want, { units: want.units + units, least: Math.min(want.least, units) });
    };
    for (const claim of claims) {
      const who = limited.by(claim.from);
      if (who === undefined) continue;
      const units = unitsOf(claim);
      const { segmentsPerDay: cap } = who.pacing;
      if (cap !== null) add(who.dayKey, who.dayKey, cap, units, day.current());
      const limit = perMinute(who.pacing, claim.messageType);
      if (limit !== null)
        add(minuteKey(who.queueKey, claim.messageType), who.queueKey, limit, Math.min(units, limit), null);
    }
    return wants.values();
  }

  function askShared(claim: Claim, { pacing, dayKey, queueKey }: Limited, from: PaceShares): SubmissionOutcome | null {
    const units = unitsOf(claim);
    const cap = pacing.segmentsPerDay;
    if (cap !== null && from.left(dayKey) < units) {
      return from.waitMs(dayKey) === null ? overCap(claim, day.current(), clock.now(), cap) : notLent;
    }
    const limit = perMinute(pacing, claim.messageType);
    const key = minuteKey(queueKey, claim.messageType);
    if (limit !== null) {
      const size = Math.min(units, limit);
      const isThere = from.left(key) >= size;
      const wait = isThere ? 0 : (from.waitMs(key) ?? 0);
      if (!isThere && wait === 0) return notLent;
      const afterMs = turnMs(queues.of(queueKey, claim.messageType), claim, size, limit, wait);
      if (afterMs > 0) return overRate(afterMs, limit, claim.messageType);
      from.take(key, size);
    }
    if (cap !== null) from.take(dayKey, units);
    return null;
  }

  function warnOfLent({ key, limit: of, day: ofDay, members }: Want, before: number, used: number): void {
    const campaignId = limited.by(members[0] ?? '')?.campaignId;
    if (campaignId === undefined || used < warnAt * of || before >= warnAt * of) return;
    const now = clock.monotonicMs();
    if (ofDay !== null) parts.warn({ campaignId, limit: 'day', used, of });
    else if (now - (warned.get(key) ?? Number.NEGATIVE_INFINITY) >= minuteWarningEveryMs) {
      warned.set(key, now);
      parts.warn({ campaignId, limit: 'minute', used, of });
    }
  }

  return {
    ask: (claim) => {
      const who = limited.by(claim.from);
      if (who === undefined) return null;
      if (shares !== null) return askShared(claim, who, shares);
      if (isCounting(who)) return notCounted;
      const { pacing, campaignId, dayKey, queueKey } = who;
      const units = unitsOf(claim);
      const cap = pacing.segmentsPerDay;
      if (cap !== null && day.used(dayKey) + units > cap) return overCap(claim, day.current(), clock.now(), cap);
      const limit = perMinute(pacing, claim.messageType);
      if (limit !== null) {
        const queue = queues.of(queueKey, claim.messageType);
        const size = Math.min(units, limit);
        const afterMs = turnMs(queue, claim, size, limit, queue.window.waitMs(clock.monotonicMs(), size, limit));
        if (afterMs > 0) return overRate(afterMs, limit, claim.messageType);
        queue.window.took(clock.monotonicMs(), size);
        warnOfMinute(queue, campaignId, limit);
      }
      if (cap !== null) {
        const before = day.used(dayKey);
        const used = day.add(dayKey, units);
        if (before < warnAt * cap && used >= warnAt * cap) parts.warn({ campaignId, limit: 'day', used, of: cap });
      }
      return null;
    },
    giveBack: (claim, partsTaken) => {
      const who = limited.by(claim.from);
      if (who === undefined || !isCapped(who) || isCounting(who)) return;
      const unused = Math.max(0, unitsOf(claim) - partsTaken);
      if (shares === null) day.add(who.dayKey, -unused);
      else shares.take(who.dayKey, -unused);
    },
    lacks: (claims) => shares?.lacks(wantsOf(claims)) ?? false,
    lend: async (claims) => shares?.lend([...wantsOf(claims)]),
    use: (campaignId) => {
      const who = limited.of(campaignId);
      const minute = (kind: MessageKind): LimitUse | null => {
        const limit = who === undefined ? null : perMinute(who.pacing, kind);
        if (limit === null) return null;
        if (shares !== null) return { limit, used: shares.used(minuteKey(who!.queueKey, kind)) };
        return { limit, used: queues.of(who!.queueKey, kind).window.used(clock.monotonicMs()) };
      };
      const cap = who?.pacing.segmentsPerDay ?? null;
      const { endsAt } = day.current();
      const used = (key: string) => shares?.used(key) ?? day.used(key);
      const today = cap === null ? null : { limit: cap, used: used(who!.dayKey), resetsAt: endsAt };
      return { segmentsThisMinute: minute('SMS'), mmsThisMinute: minute('MMS'), segmentsToday: today };
    },
    follow: () => {
      limited.by('');
    },
    settled: () => work,
    stop: () => {
      paceStore.stop();
      return work;
    },
  };
}

const kinds: readonly MessageKind[] = ['SMS', 'MMS'];
const minuteKey = (queueKey: string, kind: MessageKind): string => `${queueKey} ${kind}`;

function perMinute(pacing: Pacing, kind: MessageKind): number | null {
  return kind === 'MMS' ? pacing.mmsPerMinute : pacing.segmentsPerMinute;
}

/** The units that networks count: segments not yet sent, and an MMS as one. */
function unitsOf(claim: Claim): number {
  return claim.messageType === 'MMS' ? 1 : Math.max(1, claim.segments - claim.partsAccepted.length);
}

function overRate(afterMs: number, limit: number, kind: MessageKind): SubmissionOutcome {
  const what = kind === 'MMS' ? `${limit} MMS` : counted(limit, 'segment');
  const gone = limit === 1 ? 'that of this minute is gone' : 'those of this minute are gone';
  const detail = `The campaign may send ${what} a minute, and ${gone}: it waits for its turn.`;
  return { ...waiting, code: 'CAMPAIGN_LIMIT', detail, afterMs: Math.ceil(afterMs) };
}

function overCap(claim: Claim, { endsAt }: CapDay, now: EpochMs, cap: number): SubmissionOutcome {
  const gone = cap === 1 ? 'that of today is gone' : 'those of today are gone';
  const limit = `The brand may send ${counted(cap, 'segment')} a day, and ${gone}`;
  const code = 'DAILY_CAP_REACHED';
  return endsAt < claim.expiresAt
    ? { ...waiting, code, detail: `${limit}: it waits for midnight, Pacific time.`, afterMs: endsAt - now }
    : { ...waiting, code, detail: `${limit}; its validity ends before midnight, Pacific time.`, retry: 'never' };
}

const waiting = {
  kind: 'refused',
  retry: 'later',
  carrierCode: null,
  countsAttempt: false,
  parts: [],
} satisfies Partial<Extract<SubmissionOutcome, { kind: 'refused' }>>;

/** The store did not answer. */
const notLent: SubmissionOutcome = {
  ...waiting,
  code: 'CAMPAIGN_LIMIT',
  detail: 'It waits for its part of a limit that several gateways share.',
  afterMs: 1_000,
};

const notCounted: SubmissionOutcome = {
  ...waiting,
  code: 'CAMPAIGN_LIMIT',
  detail: 'It waits until the gateway has counted what was sent under this limit today.',
  afterMs: countingMs,
};
