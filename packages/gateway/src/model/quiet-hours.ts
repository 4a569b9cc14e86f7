/**
 * Hours in which a company sends nothing; accepted messages wait until they end. Given in local time of the company's
 * zone, so daylight saving time is respected. Pure.
 */
import type { EpochMs } from '../kernel/clock.ts';
import { createWallClock, isWithin, type RouteHours, type Weekday, weekdays } from './route-hours.ts';

export interface QuietHours {
  /** `HH:MM`, inclusive. */
  from: string;
  /** `HH:MM`, exclusive. Earlier than `from`: on the next day. Never the same. */
  to: string;
  /** Days on which the hours begin; absent = every day. */
  days?: Weekday[];
  /** Campaigns whose messages are sent at any hour, such as one-time passwords. */
  exceptCampaigns?: string[];
}

export interface QuietSpan {
  from: EpochMs;
  until: EpochMs;
}

export const quietCampaignsMax = 100;

const minuteMs = 60_000;
const dayMinutes = 1_440;
/** No time zone moves its clocks by more at once. */
const slackMinutes = 120;
const clockForm = /^([01]\d|2[0-3]):[0-5]\d$/;

export interface QuietClock {
  /** When the current hours end; null when it is not quiet at `at`. */
  until(quiet: QuietHours, timeZone: string, at: EpochMs): EpochMs | null;
  /** The next hours that begin after `at`. */
  next(quiet: QuietHours, timeZone: string, at: EpochMs): QuietSpan;
}

/** Caches the end of the current hours of each record, so that a night's messages compute it once. */
export function createQuietClock(): QuietClock {
  const read = createWallClock();
  const ends = new WeakMap<QuietHours, QuietSpan & { timeZone: string }>();
  const isQuiet = (hours: RouteHours, timeZone: string, at: EpochMs) => isWithin(hours, read(at, timeZone));

  /** The first whole minute from `at` on, within a limit, that is quiet (or not quiet). */
  function firstMinute(
    wanted: boolean,
    hours: RouteHours,
    timeZone: string,
    at: EpochMs,
    minutesMax: number,
  ): EpochMs | null {
    for (let minute = 0; minute < minutesMax; minute++) {
      if (isQuiet(hours, timeZone, at + minute * minuteMs) === wanted) return at + minute * minuteMs;
    }
    return null;
  }

  /** Searches only around the time that the wall clock suggests. */
  function endAfter(hours: RouteHours, timeZone: string, at: EpochMs): EpochMs {
    const minute = startOfMinute(at);
    const around = Math.max(0, minutesTo(read(at, timeZone).clock, hours.to) - slackMinutes);
    return firstMinute(false, hours, timeZone, minute + around * minuteMs, 2 * dayMinutes) ?? minute + minuteMs;
  }

  function until(quiet: QuietHours, timeZone: string, at: EpochMs): EpochMs | null {
    const known = ends.get(quiet);
    if (known !== undefined && known.timeZone === timeZone && at >= known.from && at < known.until) return known.until;
    const hours = hoursOf(quiet);
    if (!isQuiet(hours, timeZone, at)) return null;
    const end = endAfter(hours, timeZone, at);
    ends.set(quiet, { timeZone, from: at, until: end });
    return end;
  }

  return {
    until,
    next: (quiet, timeZone, at) => {
      const hours = hoursOf(quiet);
      const after = until(quiet, timeZone, at) ?? startOfMinute(at) + minuteMs;
      const first = minutesTo(read(after, timeZone).clock, hours.from) % dayMinutes;
      for (let day = 0; day <= weekdays.length; day++) {
        const around = Math.max(0, first + day * dayMinutes - slackMinutes);
        const from = firstMinute(true, hours, timeZone, after + around * minuteMs, 2 * slackMinutes + 1);
        if (from !== null) return { from, until: endAfter(hours, timeZone, from) };
      }
      throw new Error(`quiet hours ${hours.from} to ${hours.to} never begin in ${timeZone}`);
    },
  };
}

function hoursOf({ from, to, days = [...weekdays] }: QuietHours): RouteHours {
  return { from, to, days };
}

function startOfMinute(at: EpochMs): EpochMs {
  return Math.floor(at / minuteMs) * minuteMs;
}

/** On a clock without changes; a whole day for the same minute. */
function minutesTo(clock: string, later: string): number {
  return (minuteOf(later) - minuteOf(clock) + dayMinutes) % dayMinutes || dayMinutes;
}

function minuteOf(clock: string): number {
  const [hours, minutes] = clock.split(':').map(Number);
  return hours! * 60 + minutes!;
}

/** The problem with these hours, for their author; null when valid. */
export function quietFault(quiet: QuietHours, isOwnCampaign: (campaignId: string) => boolean): string | null {
  const { from, to, days, exceptCampaigns = [] } = quiet;
  if (![from, to].every((clock) => clockForm.test(clock))) return 'Write times of day like 21:00.';
  if (from === to) return `They begin and end at ${from}: that would be never, or always. Give two different times.`;
  if (days !== undefined && (days.length === 0 || days.some((day) => !weekdays.includes(day)))) {
    return `Choose at least one day, of ${weekdays.join(', ')}.`;
  }
  if (exceptCampaigns.length > quietCampaignsMax) return `At most ${quietCampaignsMax} campaigns can be excepted.`;
  const unknown = exceptCampaigns.filter((campaignId) => !isOwnCampaign(campaignId));
  return unknown.length > 0 ? `The company has no campaign ${unknown.join(', ')}.` : null;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** For the timeline of a waiting message. */
export function heldSentence(until: EpochMs, timeZone: string): string {
  const format = formats.get(timeZone) ?? formatOf(timeZone);
  formats.set(timeZone, format);
  return `Held by the company's quiet hours until ${format.format(until)} (${timeZone}).`;
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const shape = { day: 'numeric', month: 'long', year: 'numeric', hour: '2-digit', minute: '2-digit' } as const;
  return new Intl.DateTimeFormat('en-GB', { ...shape, hourCycle: 'h23', timeZone });
}
