/** The scale and the path of lines over a chart of columns. Pure. */
import { digits } from './columns';

/** The values at the bottom and the top of the lines. */
export interface Scale {
  floor: number;
  top: number;
}

/** From zero to the greatest value, rounded up to a readable number. */
export function scaleFromZero(values: readonly (number | null)[]): Scale {
  const most = Math.max(0, ...values.filter((value) => value !== null));
  if (most === 0) return { floor: 0, top: 1 };
  const power = 10 ** Math.floor(Math.log10(most));
  const steps = digits.map((digit) => Number((digit * power).toPrecision(12)));
  return { floor: 0, top: steps.find((step) => step >= most) ?? most };
}

/** For shares: from the least one, rounded down to tenths, to 1, so that changes are visible. */
export function scaleOfShares(shares: readonly (number | null)[]): Scale {
  const known = shares.filter((share) => share !== null);
  const least = Math.min(0.9, ...known);
  return { floor: Math.floor(least * 10 + 1e-9) / 10, top: Math.max(1, ...known) };
}

export const lineHeight = 100;

/** A path through the middle of each column with a value; a gap ends it, and a single value is a dot. */
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
