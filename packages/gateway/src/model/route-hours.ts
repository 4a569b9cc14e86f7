/** The local times at which a routing rule applies. Pure; the caller passes the time zone. */
import type { EpochMs } from '../kernel/clock.ts';

export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof weekdays)[number];

export interface RouteHours {
  /** Days on which the span begins. */
  days: Weekday[];
  /** `HH:MM`, inclusive. */
  from: string;
  /** `HH:MM`, exclusive. Not later than `from`: on the next day. */
  to: string;
}

export interface LocalTime {
  day: Weekday;
  /** `HH:MM`. */
  clock: string;
}

/** For accounts without a time zone. */
export const zoneDefault = 'UTC';

export function isWithin({ days, from, to }: RouteHours, { day, clock }: LocalTime): boolean {
  if (from < to) return days.includes(day) && from <= clock && clock < to;
  return (days.includes(day) && from <= clock) || (days.includes(dayBefore(day)) && clock < to);
}

function dayBefore(day: Weekday): Weekday {
  return weekdays.at(weekdays.indexOf(day) - 1)!;
}

const minuteMs = 60_000;

/** Reads the local time in time zones; caches each zone's latest minute, which all messages of that minute share. */
export function createWallClock(): (at: EpochMs, timeZone: string) => LocalTime {
  const zones = new Map<string, { format: Intl.DateTimeFormat; minute: number; local: LocalTime }>();
  return (at, timeZone) => {
    const minute = Math.floor(at / minuteMs);
    const known = zones.get(timeZone);
    if (known?.minute === minute) return known.local;
    const format = known?.format ?? formatOf(timeZone);
    const local = readWith(format, at);
    zones.set(timeZone, { format, minute, local });
    return local;
  };
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const shape = { weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  return new Intl.DateTimeFormat('en-US', { ...shape, timeZone });
}

function readWith(format: Intl.DateTimeFormat, at: EpochMs): LocalTime {
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
  return { day: parts.weekday!.toLowerCase() as Weekday, clock: `${parts.hour}:${parts.minute}` };
}
