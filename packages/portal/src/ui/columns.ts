/** The scale of a chart of columns. Pure. */

/** A label of the axis. */
export interface Tick {
  /** Index of the column at whose start it is. */
  index: number;
  text: string;
}

/** Readable steps within each power of ten. */
export const digits = [1, 1.5, 2, 3, 4, 5, 8, 10];

/** The greatest height, rounded up to a readable number. */
export function scaleOf(most: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, most)));
  return digits.map((digit) => digit * power).find((step) => step >= most && Number.isInteger(step)) ?? most;
}
