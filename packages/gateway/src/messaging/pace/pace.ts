/**
 * Keeps campaigns under the limits of the networks: segments per minute, and segments per day of the brand. Send
 * queues ask right before they hand a message over. Above the rate a message waits its turn without using an attempt;
 * above the daily cap it waits for the reset. A campaign without limits costs one map lookup.
 *
 * Sends are counted in memory while a limit exists, and from the log when nobody counted: after a start, and for a new
 * limit. Until that count is known the campaign's messages wait. No minute and no day may hold more than its limit.
 */
import type { SubmissionOutcome } from '../../carriers/carrier.ts';
import type { Clock, EpochMs } from '../../kernel/clock.ts';
import { counted } from '../../kernel/counted.ts';
import { createMinuteWindow, type MinuteWindow } from '../../kernel/minute-window.ts';
import type { Claim } from '../../model/delivery.ts';
import type { Directory } from '../../model/directory.ts';
import type { MessageKind } from '../../model/records.ts';
import type { Pacing } from '../../model/registration.ts';
import { createLimitedNumbers, isCapped, isDay, type Limited, type LimitsChange } from './pace-groups.ts';
import { createPaceStore, type PaceStoreParts, type Sent } from './pace-store.ts';
import { type CapDay, capDay } from './pacing-limits.ts';

/** What is used of one limit; null when there is none. */
export interface LimitUse {
  used: number;
  limit: number;
}

export interface CampaignUse {
  segmentsThisMinute: LimitUse | null;
  mmsThisMinute: LimitUse | null;
  /** Of all campaigns of the brand. */
  segmentsToday: (LimitUse & { resetsAt: EpochMs }) | null;
}

export interface PaceWarning {
  campaignId: string;
  limit: 'minute' | 'day';
  used: number;
  of: number;
}

export interface Pace {
  /** Null = it may go, and is counted. Else how its try ends before it began. */
  ask(claim: Claim): SubmissionOutcome | null;
  /** It was counted and the carrier refused it, but for so many parts: the day gets the rest back. */
  giveBack(claim: Claim, partsTaken: number): void;
  use(campaignId: string): CampaignUse;
  /** Looks at the records: counts what a new limit needs, makes due what a limit that is gone held back. */
  follow(): void;
  /** Resolves when nothing is counted or made due any more. */
  settled(): Promise<void>;
  /** Asks the store nothing more; resolves when it asks nothing. */
  stop(): Promise<void>;
}

export interface PaceParts extends PaceStoreParts {
  clock: Clock;
  directory(): Directory;
  /** A campaign has used 80 % of a limit; told once a day, for the minute once an hour. */
  warn(warning: PaceWarning): void;
}

/** No campaign is limited. */
export const unpaced: Pick<Pace, 'ask' | 'giveBack'> = { ask: () => null, giveBack: () => {} };

const warnAt = 0.8;
const minuteWarningEveryMs = 3_600_000;
/** The window is 61 s wide; a little slower still, as turns are taken up to a quarter of a second late. */
const spreadMs = 62_000;
/** How soon one comes back that waits for the count; it is made due when the count is there. */
const countingMs = 5_000;

/** What one campaign sends of one kind, and who waits for a turn. */
interface Line {
  window: MinuteWindow;
  /** The next free turn, monotonic ms. */
  freeAtMs: number;
  /** `acceptedAt` of the youngest message that was given a turn. */
  youngest: EpochMs;
  warnedAtMs: number;
}

export function createPace(parts: PaceParts): Pace {
  const { clock } = parts;
  const paceStore = createPaceStore(parts);
  const day = createDay(clock);
  const lines = createLines();
  /** Limits of which it is not known what was sent already, with the numbers that are to be counted for them. */
  const uncounted = new Map<string, Set<string>>();
  const limited = createLimitedNumbers(parts.directory, changed);
  let work: Promise<void> = Promise.resolve();
  let counting = false;

  function changed({ uncounted: added, gone, reordered, loosened }: LimitsChange): void {
    for (const key of gone) {
      uncounted.delete(key);
      day.forget(key);
      lines.forget(key);
    }
    for (const lineKey of reordered) lines.newOrder(lineKey);
    for (const [key, numbers] of added) uncounted.set(key, (uncounted.get(key) ?? new Set()).union(numbers));
    if (uncounted.size > 0 && !counting) {
      counting = true;
      work = work.then(count);
    }
    if (loosened === null || loosened.size > 0) work = work.then(() => paceStore.release(loosened));
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
        // More numbers meanwhile, or the limit is gone: looked at again, or not at all.
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
        lines.of(key, kind).window.took(sinceMonotonic + Math.min(whenMs + 999, at), units);
      }
    }
  }

  const isCounting = (who: Limited): boolean =>
    uncounted.size > 0 && (uncounted.has(who.dayKey) || uncounted.has(who.lineKey));

  /** Ms until its turn; 0 = now. */
  function turnMs(line: Line, claim: Claim, units: number, limit: number): number {
    const now = clock.monotonicMs();
    // New messages queue behind waiting ones; a waiting message keeps its slot.
    const waits = line.freeAtMs > now && claim.acceptedAt > line.youngest;
    const wait = line.window.waitMs(now, units, limit);
    if (!waits && wait === 0) return 0;
    const turn = Math.max(line.freeAtMs, now + Math.max(1, wait));
    if (clock.now() + (turn - now) < claim.expiresAt) {
      line.freeAtMs = turn + (units * spreadMs) / limit;
      line.youngest = Math.max(line.youngest, claim.acceptedAt);
    }
    return turn - now;
  }

  function warnOfMinute(line: Line, campaignId: string, of: number): void {
    const now = clock.monotonicMs();
    const used = line.window.used(now);
    if (used < warnAt * of || now - line.warnedAtMs < minuteWarningEveryMs) return;
    line.warnedAtMs = now;
    parts.warn({ campaignId, limit: 'minute', used, of });
  }

  return {
    ask: (claim) => {
      const who = limited.by(claim.from);
      if (who === undefined) return null;
      if (isCounting(who)) return notCounted;
      const { pacing, campaignId, dayKey, lineKey } = who;
      const units = unitsOf(claim);
      const cap = pacing.segmentsPerDay;
      if (cap !== null && day.used(dayKey) + units > cap) return overCap(claim, day.current(), clock.now(), cap);
      const limit = perMinute(pacing, claim.messageType);
      if (limit !== null) {
        const line = lines.of(lineKey, claim.messageType);
        const size = Math.min(units, limit);
        const afterMs = turnMs(line, claim, size, limit);
        if (afterMs > 0) return overRate(afterMs, limit, claim.messageType);
        line.window.took(clock.monotonicMs(), size);
        warnOfMinute(line, campaignId, limit);
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
      day.add(who.dayKey, -Math.max(0, unitsOf(claim) - partsTaken));
    },
    use: (campaignId) => {
      const who = limited.of(campaignId);
      const minute = (kind: MessageKind): LimitUse | null => {
        const limit = who === undefined ? null : perMinute(who.pacing, kind);
        return limit === null ? null : { limit, used: lines.of(who!.lineKey, kind).window.used(clock.monotonicMs()) };
      };
      const cap = who?.pacing.segmentsPerDay ?? null;
      const { endsAt } = day.current();
      const today = cap === null ? null : { limit: cap, used: day.used(who!.dayKey), resetsAt: endsAt };
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

function perMinute(pacing: Pacing, kind: MessageKind): number | null {
  return kind === 'MMS' ? pacing.mmsPerMinute : pacing.segmentsPerMinute;
}

/** What the networks count: segments that are still to go, and an MMS as one. */
function unitsOf(claim: Claim): number {
  return claim.messageType === 'MMS' ? 1 : Math.max(1, claim.segments - claim.partsAccepted.length);
}

function createLines() {
  const lines = new Map<string, Map<MessageKind, Line>>();
  return {
    of: (lineKey: string, kind: MessageKind): Line => {
      const kinds = lines.get(lineKey) ?? new Map<MessageKind, Line>();
      lines.set(lineKey, kinds);
      const line = kinds.get(kind) ?? {
        window: createMinuteWindow(),
        freeAtMs: 0,
        youngest: 0,
        warnedAtMs: Number.NEGATIVE_INFINITY,
      };
      kinds.set(kind, line);
      return line;
    },
    forget: (lineKey: string): void => void lines.delete(lineKey),
    /** Slots assigned under another limit are void. */
    newOrder: (lineKey: string): void => {
      for (const line of lines.get(lineKey)?.values() ?? []) Object.assign(line, { freeAtMs: 0, youngest: 0 });
    },
  };
}

/** The counts of the day that is under way. */
function createDay(clock: Clock) {
  let today = capDay(clock.now());
  let counts = new Map<string, number>();

  function current(): CapDay {
    const now = clock.now();
    // A clock that was set back by less than a day does not bring the old day back.
    if (now >= today.endsAt || now < today.startsAt - (today.endsAt - today.startsAt)) {
      today = capDay(now);
      counts = new Map();
    }
    return today;
  }

  return {
    current,
    used: (key: string): number => {
      current();
      return counts.get(key) ?? 0;
    },
    add: (key: string, units: number): number => {
      current();
      const sum = Math.max(0, (counts.get(key) ?? 0) + units);
      counts.set(key, sum);
      return sum;
    },
    forget: (key: string): void => void counts.delete(key),
  };
}

function overRate(afterMs: number, limit: number, kind: MessageKind): SubmissionOutcome {
  const what = kind === 'MMS' ? `${limit} MMS` : counted(limit, 'segment');
  const gone = limit === 1 ? 'that of this minute is gone' : 'those of this minute are gone';
  const detail = `The campaign may send ${what} a minute, and ${gone}: it waits for its turn.`;
  return { ...waiting, code: 'CAMPAIGN_LIMIT', detail, afterMs: Math.ceil(afterMs) };
}

function overCap(claim: Claim, { endsAt }: CapDay, now: EpochMs, cap: number): SubmissionOutcome {
  const gone = cap === 1 ? 'that of today is gone' : 'those of today are gone';
  const said = `The brand may send ${counted(cap, 'segment')} a day, and ${gone}`;
  const code = 'DAILY_CAP_REACHED';
  return endsAt < claim.expiresAt
    ? { ...waiting, code, detail: `${said}: it waits for midnight, Pacific time.`, afterMs: endsAt - now }
    : { ...waiting, code, detail: `${said}; its validity ends before midnight, Pacific time.`, retry: 'never' };
}

const waiting = {
  kind: 'refused',
  retry: 'later',
  carrierCode: null,
  countsAttempt: false,
  parts: [],
} satisfies Partial<Extract<SubmissionOutcome, { kind: 'refused' }>>;

const notCounted: SubmissionOutcome = {
  ...waiting,
  code: 'CAMPAIGN_LIMIT',
  detail: 'It waits until the gateway has counted what was sent under this limit today.',
  afterMs: countingMs,
};
