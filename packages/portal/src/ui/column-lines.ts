/** The scale and the path of lines over a chart of columns. Pure. */
import { digits } from './columns';

/** What the bottom and the top of the lines stand for. */
export interface Scale {
  floor: number;
  top: number;
}

/** From nothing to the greatest value, rounded up to what reads well. */
export function scaleFromZero(values: readonly (number | null)[]): Scale {
  const most = Math.max(0, ...values.filter((value) => value !== null));
  if (most === 0) return { floor: 0, top: 1 };
  const power = 10 ** Math.floor(Math.log10(most));
  const steps = digits.map((digit) => Number((digit * power).toPrecision(12)));
  return { floor: 0, top: steps.find((step) => step >= most) ?? most };
}

/** Of shares: to the whole, from the least one, rounded down to tenths, so that what changes can be seen. */
export function scaleOfShares(shares: readonly (number | null)[]): Scale {
  const known = shares.filter((share) => share !== null);
  const least = Math.min(0.9, ...known);
  return { floor: Math.floor(least * 10 + 1e-9) / 10, top: Math.max(1, ...known) };
}

export const lineHeight = 100;

/** A path through the middle of each column with a value; a gap ends it, and a value by itself is a dot. */
export function linePath(values: readonly (number | null)[], { floor, top }: Scale): string {
  return values
    .flatMap((value, index) => {
      if (value === null) return [];
      const at = `${index + 0.5} ${Math.round(((top - value) / (top - floor)) * lineHeight * 100) / 100}`;
      const before = values[index - 1];
      return before === null || before === undefined ? [`M${at}L${at}`] : [`L${at}`];
    })
    .join('');
}
