/**
 * Counted usage for billing: messages taken by a carrier, by day and category. Each counts once, when it is first
 * known to have been taken. Days are UTC, `YYYY-MM-DD`.
 */
import { dayMs, type EpochMs } from '../kernel/clock.ts';
import type { AccountId } from '../kernel/ids.ts';
import type { DeliveryState } from './lifecycle.ts';
import type { Environment, MessageKind } from './records.ts';

/** What usage can be grouped by. */
export const usageGroupings = ['day', 'number', 'campaign', 'kind', 'country', 'key', 'carrier'] as const;
export type UsageGrouping = (typeof usageGroupings)[number];

/** Only messages of this number, this campaign, and so on; null = no filter. */
export type UsageFilter = Readonly<Record<Exclude<UsageGrouping, 'day'>, string | null>>;

/** Whose usage it is. */
export interface UsageOwner {
  accountId: AccountId;
  environment: Environment;
}

/** Counts by day, sending number, and so on; '' where there is none or it is unknown. */
export interface UsageRow extends UsageOwner, Record<Exclude<UsageGrouping, 'kind'>, string> {
  kind: MessageKind;
  messages: number;
  /** SMS: segments; MMS: messages. */
  units: number;
}

/** One line of a statement. */
export type UsageLine = Pick<UsageRow, 'number' | 'campaign' | 'kind' | 'country' | 'messages' | 'units'>;

export interface UsageFigures {
  smsMessages: number;
  smsSegments: number;
  mmsMessages: number;
}

/**
 * Messages that carriers accepted, counted from the event log and not yet grouped by campaign, country and environment.
 */
export interface TakenMessages {
  accountId: AccountId;
  day: string;
  number: string;
  key: string;
  kind: MessageKind;
  /** First digits of the recipients, at most 4: enough to identify their country. */
  toPrefix: string;
  carrier: string;
  messages: number;
  units: number;
}

/**
 * Outcomes so far of messages that were accepted on one day (UTC) and share all these values; '' where no carrier had
 * them.
 */
export interface OutcomeRow extends Pick<TakenMessages, 'day' | 'number' | 'key' | 'kind' | 'toPrefix' | 'carrier'> {
  state: DeliveryState;
  count: number;
}

export interface DayRange {
  from: string;
  /** Inclusive. */
  to: string;
}

/** Limits of one query. */
export const usageLimits = { daysMax: 366, groupsMax: 1_000 } as const;

export function dayOf(at: EpochMs): string {
  return new Date(at).toISOString().slice(0, 10);
}

export function isDay(text: string): boolean {
  return /^20\d\d-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) && dayOf(Date.parse(text)) === text;
}

export function dayBefore(day: string): string {
  return dayOf(Date.parse(day) - dayMs);
}

/** Number of days from the first to the last, both included. */
export function daysIn({ from, to }: DayRange): number {
  return (Date.parse(to) - Date.parse(from)) / dayMs + 1;
}

/** The same number of days, right before. */
export function rangeBefore(range: DayRange): DayRange {
  const to = dayBefore(range.from);
  return { from: dayOf(Date.parse(to) - (daysIn(range) - 1) * dayMs), to };
}

/** `2026-11` → its days; null when it is not a month. */
export function daysOfMonth(month: string): DayRange | null {
  const from = `${month}-01`;
  if (!isDay(from)) return null;
  const next = new Date(from);
  next.setUTCMonth(next.getUTCMonth() + 1);
  return { from, to: dayBefore(dayOf(next.getTime())) };
}
