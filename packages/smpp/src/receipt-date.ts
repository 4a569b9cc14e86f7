/**
 * The dates of a receipt's text, in all the forms that message centres write. Pure.
 * Source: SMPP 3.4 issue 1.2 appendix B for the form; the others as met in the field.
 */
import { fullYear, parseSmppTime, utcDate } from './time-format.ts';

/**
 * Reads YYMMDDhhmm, YYMMDDhhmmss, YYYYMMDDhhmm, YYYYMMDDhhmmss, an absolute SMPP time, or ten digits of UNIX seconds.
 * `utcOffsetMinutes` is what the message centre's clock is ahead of UTC. Undefined: no date, or none that can be read.
 */
export const parseReceiptDate = (text: string, utcOffsetMinutes = 0): Date | undefined => {
  if (text.length === 16) {
    const time = parseSmppTime(text);
    return time?.kind === 'absolute' ? time.date : undefined;
  }
  if (!/^\d{10,14}$/.test(text) || /^0+$/.test(text)) return undefined;
  const local = localDate(text);
  if (local !== undefined) return new Date(local.getTime() - utcOffsetMinutes * 60_000);
  return text.length === 10 ? new Date(Number(text) * 1000) : undefined;
};

const localDate = (digits: string): Date | undefined => {
  if (digits.length === 10) return shortYear(digits);
  if (digits.length === 12) return shortYear(digits) ?? longYear(digits);
  return digits.length === 14 ? longYear(digits) : undefined;
};

const shortYear = (digits: string): Date | undefined => dateOf(fullYear(Number(digits.slice(0, 2))), digits.slice(2));

const longYear = (digits: string): Date | undefined => dateOf(Number(digits.slice(0, 4)), digits.slice(4));

/** `rest` is MMDDhhmm or MMDDhhmmss. */
const dateOf = (year: number, rest: string): Date | undefined => {
  const two = (at: number): number => Number(rest.slice(at, at + 2));
  return utcDate(year, two(0), two(2), two(4), two(6), rest.length > 8 ? two(8) : 0);
};
