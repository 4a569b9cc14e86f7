/**
 * Prices as exact decimals and whole millionths: the rate in force on a day, and the cost of a count. Pure; nothing is
 * rounded.
 */
import type { Rate } from './records.ts';
import { type DayRange, dayBefore, type UsageFigures } from './usage.ts';

/** The form of a price in `Rate`. */
export const decimalForm = /^\d{1,6}(\.\d{1,6})?$/;
const millionths = 6;

/** Millionths of a decimal text in the form of `decimalForm`. */
export function microsOf(decimal: string): bigint {
  const [whole, fraction = ''] = decimal.split('.');
  return BigInt(whole + fraction.padEnd(millionths, '0'));
}

/** As short as possible while exact, with at least two decimal places. */
export function decimalOf(micros: bigint): string {
  const digits = micros.toString().padStart(millionths + 1, '0');
  const fraction = digits.slice(-millionths).replace(/0{1,4}$/, '');
  return `${digits.slice(0, -millionths)}.${fraction}`;
}

/** Millionths of the rate's currency. */
export function costOf({ smsSegments, mmsMessages }: UsageFigures, rate: Rate): bigint {
  return BigInt(smsSegments) * microsOf(rate.smsPerSegment) + BigInt(mmsMessages) * microsOf(rate.mmsPerMessage);
}

/** Splits the days into ranges with one rate each, oldest first; `rate` is null before the first. */
export function stretches({ from, to }: DayRange, rates: readonly Rate[]): (DayRange & { rate: Rate | null })[] {
  const sorted = [...rates].sort((a, b) => (a.from < b.from ? -1 : 1));
  const first = sorted.findLast((rate) => rate.from <= from) ?? null;
  const later = sorted.filter((rate) => rate.from > from && rate.from <= to);
  const starts = [{ from, rate: first }, ...later.map((rate) => ({ from: rate.from, rate }))];
  return starts.map((start, index) => {
    const next = starts[index + 1];
    return { ...start, to: next === undefined ? to : dayBefore(next.from) };
  });
}
