/**
 * The standard's time format of sixteen characters, YYMMDDhhmmsstnnp: a time with its zone, or a span from now. Pure.
 * Source: SMPP 3.4 issue 1.2 §7.1.1.
 */

export type SmppTime =
  | { kind: 'absolute'; date: Date }
  | {
      kind: 'relative';
      years: number;
      months: number;
      days: number;
      hours: number;
      minutes: number;
      seconds: number;
    };

const FORMAT = /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d)(\d\d)([-+R])$/;
const QUARTER_HOUR_MS = 900_000;
const QUARTERS_MAX = 48;
const DAY_S = 86_400;
const RELATIVE_DAYS_MAX = 31;

/** Two-digit years: 70-99 are in the last century. */
export const fullYear = (yy: number): number => (yy < 70 ? 2000 + yy : 1900 + yy);

/** A time in UTC, or undefined when there is no such day or time. `month` is 1-12. */
export const utcDate = (
  year: number,
  month: number,
  day: number,
  hour: number,
  minute: number,
  second = 0,
): Date | undefined => {
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  const date = new Date(Date.UTC(year, month - 1, day, hour, minute, second));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date : undefined;
};

/**
 * Reads the format; undefined when the text does not have it or is not a possible time. "" is no time: undefined too.
 */
export const parseSmppTime = (text: string): SmppTime | undefined => {
  const parts = FORMAT.exec(text);
  if (parts === null) return undefined;
  const [years, months, days, hours, minutes, seconds, tenths, quarters] = parts.slice(1, 9).map(Number) as number[];
  const sign = parts[9];
  if (sign === 'R') {
    return {
      kind: 'relative',
      years: years!,
      months: months!,
      days: days!,
      hours: hours!,
      minutes: minutes!,
      seconds: seconds!,
    };
  }
  const local = utcDate(fullYear(years!), months!, days!, hours!, minutes!, seconds!);
  if (local === undefined || quarters! > QUARTERS_MAX) return undefined;
  const aheadMs = quarters! * QUARTER_HOUR_MS * (sign === '+' ? 1 : -1);
  return { kind: 'absolute', date: new Date(local.getTime() + tenths! * 100 - aheadMs) };
};

/** A time in the format, in UTC. */
export const absoluteTime = (date: Date): string => {
  const digits = date.toISOString().replaceAll(/[-:T]/g, '').slice(2, 14);
  const tenth = Math.floor(date.getUTCMilliseconds() / 100);
  return `${digits}${tenth}00+`;
};

/** A span from now in the format, in whole seconds rounded up; at most 31 days. Throws RangeError beyond. */
export const relativeTime = (spanMs: number): string => {
  const spanS = Math.ceil(spanMs / 1000);
  const days = Math.floor(spanS / DAY_S);
  if (!(spanMs >= 0 && days <= RELATIVE_DAYS_MAX)) throw new RangeError('a relative time spans 0 to 31 days');
  const two = (value: number): string => String(value).padStart(2, '0');
  const clock = [Math.floor((spanS % DAY_S) / 3600), Math.floor((spanS % 3600) / 60), spanS % 60].map(two).join('');
  return `0000${two(days)}${clock}000R`;
};
