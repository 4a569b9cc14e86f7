/** Days, months and sums over them. Pure; days are UTC, `YYYY-MM-DD`. */
import { dateFormat } from '../../language/formats';

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

/** Every day of the period, those without traffic too. */
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

/** The day with most messages; null when there was none. */
export function busiest(groups: readonly Group[]): Group | null {
  const most = groups.reduce<Group | null>(
    (best, group) => (best === null || messagesOf(group) > messagesOf(best) ? group : best),
    null,
  );
  return most === null || messagesOf(most) === 0 ? null : most;
}

const written = dateFormat({ dateStyle: 'medium', timeZone: 'UTC' });

/** A day (`YYYY-MM-DD`) as people read it, wherever one stands on the page. */
export function dayText(day: string): string {
  return written.format(new Date(`${day}T00:00:00Z`));
}
