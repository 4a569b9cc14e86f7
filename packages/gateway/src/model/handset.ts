/** A handset's number as carriers spell it in receipts: with its country code, without, or with a zero in its place. */

/** The shortest number that is compared without its country code. */
const nationalDigitsMin = 7;

/** The longest number that may lack its country code. */
const nationalDigitsMax = 10;

const withoutZeros = (digits: string): string => digits.replace(/^0+/, '');

/** Whether this may be a spelling without the country code. Some whole numbers are as short. */
export function isNational(digits: string): boolean {
  return digits.startsWith('0') || digits.length <= nationalDigitsMax;
}

/** Whether one of the two is the other, or the other without its country code. */
export function isSameHandset(one: string, other: string): boolean {
  if (one === other) return true;
  const [a, b] = [withoutZeros(one), withoutZeros(other)];
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  return short.length >= nationalDigitsMin && long.endsWith(short);
}
