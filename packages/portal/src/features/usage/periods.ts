/** Days, months and sums over them. Pure; days are UTC, `YYYY-MM-DD`. */
import { dateFormat } from '../../language/formats';
import type { Tick } from '../../ui/columns';

export interface Days {
  from: string;
  to: string;
}

export type Preset = 'thisMonth' | 'lastMonth' | 'last30' | 'last12';

const dayMs = 86_400_000;
const daysMax = 366;

export function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10);
}

export function dayAfter(day: string): string {
  return shifted(day, 1);
}

function shifted(day: string, days: number): string {
  return dayOf(new Date(Date.parse(day) + days * dayMs));
}

/** The first day of the month that is this many months away. */
function monthStart(day: string, months = 0): string {
  const date = new Date(`${day.slice(0, 7)}-01T00:00:00Z`);
  date.setUTCMonth(date.getUTCMonth() + months);
  return dayOf(date);
}

export function presetDays(preset: Preset, today: string): Days {
  switch (preset) {
    case 'thisMonth':
      return { from: monthStart(today), to: today };
    case 'lastMonth':
      return { from: monthStart(today, -1), to: shifted(monthStart(today), -1) };
    case 'last30':
      return { from: shifted(today, -29), to: today };
    case 'last12':
      return { from: shifted(today, 1 - 365), to: today };
  }
}

export function isPeriod({ from, to }: Days): boolean {
  const form = /^20\d\d-\d\d-\d\d$/;
  if (!form.test(from) || !form.test(to)) return false;
  const days = (Date.parse(to) - Date.parse(from)) / dayMs + 1;
  return days >= 1 && days <= daysMax;
}

/** `2026-11`, newest first. */
export function lastMonths(today: string, count: number): string[] {
  return [...Array(count).keys()].map((back) => monthStart(today, -back).slice(0, 7));
}

export function daysOfMonth(month: string): Days {
  const from = `${month}-01`;
  return { from, to: shifted(monthStart(from, 1), -1) };
}

export interface Figures {
  smsMessages: number;
  smsSegments: number;
  mmsMessages: number;
  cost: string | null;
  unpricedMessages: number;
}

export interface Group extends Figures {
  name: string;
}

/** Every day of the period, including those without traffic. */
export function everyDay({ from, to }: Days, groups: readonly Group[]): Group[] {
  const known = new Map(groups.map((group) => [group.name, group]));
  const none = { smsMessages: 0, smsSegments: 0, mmsMessages: 0, cost: null, unpricedMessages: 0 };
  return daysOf({ from, to }).map((day) => known.get(day) ?? { name: day, ...none });
}

export function daysOf({ from, to }: Days): string[] {
  const days: string[] = [];
  for (let day = from; day <= to && days.length <= daysMax; day = dayAfter(day)) days.push(day);
  return days;
}

export function messagesOf({ smsMessages, mmsMessages }: Figures): number {
  return smsMessages + mmsMessages;
}

const written = dateFormat({ dateStyle: 'medium', timeZone: 'UTC' });

/** From one day to another. */
export function daysText({ from, to }: Days): string {
  return written.formatRange(new Date(`${from}T00:00:00Z`), new Date(`${to}T00:00:00Z`));
}

/** A day (`YYYY-MM-DD`) in the form for people, everywhere on the page. */
export function dayText(day: string): string {
  return written.format(new Date(`${day}T00:00:00Z`));
}

const ticksMax = 6;
const shapes = {
  day: dateFormat({ month: 'short', day: 'numeric', timeZone: 'UTC' }),
  dayOfYear: dateFormat({ dateStyle: 'medium', timeZone: 'UTC' }),
  month: dateFormat({ month: 'short', timeZone: 'UTC' }),
  monthOfYear: dateFormat({ month: 'short', year: 'numeric', timeZone: 'UTC' }),
};
/** From this number of days on, months are clearer. */
const monthsFrom = 100;
/** A label that starts further right would be cut off. */
const lastLabelAt = 0.93;

/** Labels of the axis: days, or months of a long period; the year only where it changes. */
export function dayTicks(days: readonly string[]): Tick[] {
  const isLong = days.length >= monthsFrom;
  const starts = days.flatMap((day, index) => (!isLong || day.endsWith('-01') ? [index] : []));
  const step = Math.ceil(starts.length / ticksMax);
  const shown = starts.filter((index, i) => i % step === 0 && index / days.length <= lastLabelAt);
  let year = days[0]?.slice(0, 4);
  return shown.map((index) => {
    const day = days[index]!;
    const isNew = day.slice(0, 4) !== year;
    year = day.slice(0, 4);
    const shape = isLong ? (isNew ? 'monthOfYear' : 'month') : isNew ? 'dayOfYear' : 'day';
    return { index, text: shapes[shape].format(new Date(`${day}T00:00:00Z`)) };
  });
}

const months = dateFormat({ month: 'long', year: 'numeric', timeZone: 'UTC' });

/** `2026-11` in the form for people. */
export function monthText(month: string): string {
  return months.format(new Date(`${month}-01T00:00:00Z`));
}
