/**
 * The dates of a receipt's text, in all the forms that message centres write. Pure. Source: SMPP 3.4 issue 1.2 appendix
 * B for the form; the others as seen in the field.
 */
import { fullYear, parseSmppTime, utcDate } from './time-format.ts';

/** "2013-02-17 00:04:29", which databases write; a fraction of the second and what follows it are ignored. */
const DATABASE_DATE = /^(\d{4})-(\d\d)-(\d\d)[ T](\d\d):(\d\d)(?::(\d\d))?/;

/** The limit of 32 bits: a larger number is more likely a miswritten date. */
const UNIX_TIME_MAX = 0x7fff_ffff;

/** Minutes ahead of UTC: a constant, or a function of the time that the clock shows, given as if it were in UTC. */
export type UtcOffset = number | ((shown: Date) => number);

/**
 * Reads YYMMDDhhmm, YYMMDDhhmmss, YYYYMMDD, YYYYMMDDhhmm, YYYYMMDDhhmmss and hundredths, YYYY-MM-DD hh:mm:ss, an
 * absolute SMPP time, or ten digits of UNIX seconds. Text after the date is ignored. `utcOffsetMinutes`: how far the
 * message centre's clock is ahead of UTC. Undefined: no readable date.
 */
export const parseReceiptDate = (text: string, utcOffsetMinutes: UtcOffset = 0): Date | undefined => {
  const word = /^[-+\dR]*/.exec(text)![0];
  const time = parseSmppTime(word);
  if (time !== undefined) return time.kind === 'absolute' ? time.date : undefined;
  const local = localDate(DATABASE_DATE.exec(text)?.slice(1).join('') ?? word);
  if (local !== undefined) {
    const ahead = typeof utcOffsetMinutes === 'number' ? utcOffsetMinutes : utcOffsetMinutes(local);
    return new Date(local.getTime() - ahead * 60_000);
  }
  return /^[1-9]\d{9}$/.test(word) && Number(word) <= UNIX_TIME_MAX ? new Date(Number(word) * 1000) : undefined;
};

const localDate = (digits: string): Date | undefined => {
  if (!/^\d+$/.test(digits) || /^0+$/.test(digits)) return undefined;
  switch (digits.length) {
    case 8:
      return longYear(`${digits}0000`);
    case 10:
      return shortYear(digits);
    case 12:
      return shortYear(digits) ?? longYear(digits);
    case 14:
    case 16:
      return longYear(digits);
    default:
      return undefined;
  }
};

const shortYear = (digits: string): Date | undefined => dateOf(fullYear(Number(digits.slice(0, 2))), digits.slice(2));

const longYear = (digits: string): Date | undefined => {
  const year = Number(digits.slice(0, 4));
  return year >= 1970 && year < 2100 ? dateOf(year, digits.slice(4)) : undefined;
};

/** `rest` is MMDDhhmm or MMDDhhmmss. */
const dateOf = (year: number, rest: string): Date | undefined => {
  const two = (at: number): number => Number(rest.slice(at, at + 2));
  return utcDate(year, two(0), two(2), two(4), two(6), rest.length > 8 ? two(8) : 0);
};
