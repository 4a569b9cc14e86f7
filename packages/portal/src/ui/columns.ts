/** The scale of a chart of columns. Pure. */

/** A word on the axis. */
export interface Tick {
  /** Of the column at whose beginning it stands. */
  index: number;
  text: string;
}

/** Steps that read well, of each power of ten. */
export const digits = [1, 1.5, 2, 3, 4, 5, 8, 10];

/** The greatest height, rounded up to what reads well. */
export function scaleOf(most: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, most)));
  return digits.map((digit) => digit * power).find((step) => step >= most && Number.isInteger(step)) ?? most;
}
