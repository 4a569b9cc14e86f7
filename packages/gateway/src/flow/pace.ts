/**
 * Keeps campaigns under the limits that the networks set for them: so many segments a minute, so many a day of the brand.
 * Lanes ask it right before a message is handed over. What is over the rate waits for its turn and costs no attempt; what
 * is over the day's cap waits for the reset. A campaign without limits costs one look into an empty map. It delays nothing
 * itself and never lets a minute hold more than its limit; after a crash a day may hold a second's worth more.
 */
import type { SubmissionOutcome } from '../carriers/carrier.ts';
import type { Clock, EpochMs } from '../domain/clock.ts';
import type { Claim } from '../domain/delivery.ts';
import type { Directory } from '../domain/directory.ts';
import type { Logger } from '../domain/logger.ts';
import { createMinuteWindow, type MinuteWindow } from '../domain/minute-window.ts';
import { type CapDay, capDay } from '../domain/pacing-limits.ts';
import type { MessageKind } from '../domain/records.ts';
import type { Pacing } from '../domain/registration.ts';
import { type Store, StoreUnavailable } from '../store/store.ts';

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
  /** It was counted and the carrier refused all of it: the day gets it back. */
  giveBack(claim: Claim): void;
  use(campaignId: string): CampaignUse;
  /** Writes the day's counts; resolves when they are on disk. */
  flush(): Promise<void>;
}

export interface PaceParts {
  clock: Clock;
  logger: Logger;
  store: Pick<Store, 'getSetting' | 'putSetting'>;
  directory(): Directory;
  /** A campaign has used 80 % of a limit; told once a day, for the minute once an hour. */
  warn(warning: PaceWarning): void;
}

/** Nobody is limited. */
export const unpaced: Pick<Pace, 'ask' | 'giveBack'> = { ask: () => null, giveBack: () => {} };

const settingName = 'pacing.day';
const saveEveryMs = 1_000;
const warnAt = 0.8;
const minuteWarningEveryMs = 3_600_000;
/** The window is 61 s wide; a little slower still, as turns are taken up to a quarter of a second late. */
const spreadMs = 62_000;

/** What one campaign sends of one kind, and who waits for a turn. */
interface Line {
  window: MinuteWindow;
  /** The next free turn, monotonic ms. */
  freeAtMs: number;
  /** `acceptedAt` of the youngest message that was given a turn. */
  youngest: EpochMs;
  warnedAtMs: number;
}

interface Limited {
  campaignId: string;
  pacing: Pacing;
  /** Whose day is counted: the brand's, or the campaign's while it has none. */
  dayKey: string;
}

export async function openPace(parts: PaceParts): Promise<Pace> {
  const { clock } = parts;
  const limited = createLimited(parts.directory);
  const day = createDay(parts, await parts.store.getSetting(settingName));
  const lines = new Map<string, Line>();

  function lineOf(campaignId: string, kind: MessageKind): Line {
    const key = `${kind} ${campaignId}`;
    let line = lines.get(key);
    if (line === undefined) {
      line = { window: createMinuteWindow(), freeAtMs: 0, youngest: 0, warnedAtMs: Number.NEGATIVE_INFINITY };
      lines.set(key, line);
    }
    return line;
  }

  /** Ms until its turn; 0 = now. */
  function turnMs(line: Line, claim: Claim, units: number, limit: number): number {
    const now = clock.monotonicMs();
    // Whoever comes while others wait goes behind them; those come back at their own turn.
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
      const { pacing, campaignId, dayKey } = who;
      const units = unitsOf(claim);
      const cap = pacing.segmentsPerDay;
      if (cap !== null && day.used(dayKey) + units > cap) return overCap(claim, day.current(), clock.now(), cap);
      const limit = perMinute(pacing, claim.messageType);
      if (limit !== null) {
        const line = lineOf(campaignId, claim.messageType);
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
    giveBack: (claim) => {
      const who = limited.by(claim.from);
      if (who !== undefined && who.pacing.segmentsPerDay !== null) day.add(who.dayKey, -unitsOf(claim));
    },
    use: (campaignId) => {
      const who = limited.of(campaignId);
      const minute = (kind: MessageKind): LimitUse | null => {
        const limit = who === undefined ? null : perMinute(who.pacing, kind);
        return limit === null ? null : { limit, used: lineOf(campaignId, kind).window.used(clock.monotonicMs()) };
      };
      const cap = who?.pacing.segmentsPerDay ?? null;
      const { endsAt } = day.current();
      const today = cap === null ? null : { limit: cap, used: day.used(who!.dayKey), resetsAt: endsAt };
      return { segmentsThisMinute: minute('SMS'), mmsThisMinute: minute('MMS'), segmentsToday: today };
    },
    flush: day.flush,
  };
}

function perMinute(pacing: Pacing, kind: MessageKind): number | null {
  return kind === 'MMS' ? pacing.mmsPerMinute : pacing.segmentsPerMinute;
}

/** What the networks count: segments that are still to go, and an MMS as one. */
function unitsOf({ messageType, segments, partsAccepted }: Claim): number {
  return messageType === 'MMS' ? 1 : Math.max(1, segments - partsAccepted.length);
}

/** Which numbers are limited, looked up anew only when the records changed. */
function createLimited(directory: () => Directory) {
  let seen: Directory | null = null;
  let byNumber = new Map<string, Limited>();

  function limitedOf(current: Directory, campaignId: string): Limited | undefined {
    const campaign = current.campaign(campaignId);
    if (campaign?.pacing === undefined) return undefined;
    const brandId = campaign.registration?.brandId ?? null;
    const dayKey = brandId === null ? `campaign ${campaignId}` : `brand ${brandId}`;
    return { campaignId, pacing: campaign.pacing, dayKey };
  }

  return {
    by: (number: string): Limited | undefined => {
      const current = directory();
      if (current !== seen) {
        seen = current;
        byNumber = new Map(
          current.records.numbers.flatMap((one) => {
            const limited = one.campaignId === null ? undefined : limitedOf(current, one.campaignId);
            return limited === undefined ? [] : [[one.number, limited]];
          }),
        );
      }
      return byNumber.get(number);
    },
    of: (campaignId: string): Limited | undefined => limitedOf(directory(), campaignId),
  };
}

/** The counts of the day that is under way, kept over restarts. */
function createDay({ clock, logger, store }: PaceParts, stored: string | null) {
  let today = capDay(clock.now());
  const kept = stored === null ? null : (JSON.parse(stored) as { day: string; counts: Record<string, number> });
  let counts = new Map(kept?.day === today.name ? Object.entries(kept.counts) : []);
  let cancel: (() => void) | null = null;
  let saving: Promise<void> = Promise.resolve();

  function current(): CapDay {
    const now = clock.now();
    // A clock that was set back by less than a day does not bring the old day back.
    if (now >= today.endsAt || now < today.startsAt - (today.endsAt - today.startsAt)) {
      today = capDay(now);
      counts = new Map();
    }
    return today;
  }

  async function save(): Promise<void> {
    const value = JSON.stringify({ day: current().name, counts: Object.fromEntries(counts) });
    try {
      await store.putSetting(settingName, value);
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      logger.warn({ reason: error.reason }, 'the counts of the day wait for the store');
      saveSoon();
    }
  }

  function flush(): Promise<void> {
    if (cancel === null) return saving;
    cancel();
    cancel = null;
    saving = saving.then(save);
    return saving;
  }

  function saveSoon(): void {
    cancel ??= clock.after(saveEveryMs, () => void flush());
  }

  return {
    current,
    flush,
    used: (key: string): number => {
      current();
      return counts.get(key) ?? 0;
    },
    add: (key: string, units: number): number => {
      current();
      const sum = Math.max(0, (counts.get(key) ?? 0) + units);
      counts.set(key, sum);
      saveSoon();
      return sum;
    },
  };
}

function overRate(afterMs: number, limit: number, kind: MessageKind): SubmissionOutcome {
  const what = kind === 'MMS' ? 'MMS' : 'segments';
  const detail = `The campaign may send ${limit} ${what} a minute, and those of this minute are gone: it waits for its turn.`;
  return { ...waiting, code: 'CAMPAIGN_LIMIT', detail, afterMs: Math.ceil(afterMs) };
}

function overCap(claim: Claim, { endsAt }: CapDay, now: EpochMs, cap: number): SubmissionOutcome {
  const said = `The brand may send ${cap} segments a day, and those of today are gone`;
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
