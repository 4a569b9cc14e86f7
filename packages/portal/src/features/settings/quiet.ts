/** Quiet hours in words: the rule, and the state now, by the company's clock. Pure. */
import { dateFormat } from '../../language/formats';
import { labelsOf } from '../../language/labels';

export type Weekday = 'mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun';

export const weekdays: readonly Weekday[] = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

/** From the gateway. */
export interface Quiet {
  from: string;
  to: string;
  days: Weekday[];
  exceptCampaigns: string[];
  timeZone: string;
  now: boolean;
  /** Null while they are in force. */
  begins: string | null;
  ends: string;
}

const labels = labelsOf('quiet');

/** `08:00`, in local time of the zone. */
export function clockText(at: string, timeZone: string): string {
  return new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone }).format(
    new Date(at),
  );
}

/** `today 21:00`; by the days of the zone. */
export function dayText(at: string, timeZone: string, nowMs: number): string {
  const dayOf = (ms: number) => new Intl.DateTimeFormat('en-CA', { timeZone }).format(ms);
  const clock = clockText(at, timeZone);
  const moment = Date.parse(at);
  const noon = (ms: number) => Date.parse(`${dayOf(ms)}T12:00:00Z`);
  const away = Math.round((noon(moment) - noon(nowMs)) / 86_400_000);
  if (away === 0) return labels.today(clock);
  if (away === 1) return labels.tomorrow(clock);
  return labels.onDay(dateFormat({ weekday: 'long', timeZone }).format(moment), clock);
}

/** One sentence: the current state and the next change. */
export function nowText({ now, begins, ends, timeZone }: Quiet, nowMs: number): string {
  const until = dayText(ends, timeZone, nowMs);
  return now || begins === null
    ? labels.nowQuiet(until, timeZone)
    : labels.nowOpen(dayText(begins, timeZone, nowMs), until, timeZone);
}
