/** The scale of a chart of columns, and the line of shares over it. Pure. */

/** A word on the axis. */
export interface Tick {
  /** Of the column at whose beginning it stands. */
  index: number;
  text: string;
}

/** The greatest height, rounded up to what reads well. */
export function scaleOf(most: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, most)));
  return (
    [1, 1.5, 2, 3, 4, 5, 8, 10].map((digit) => digit * power).find((step) => step >= most && Number.isInteger(step)) ??
    most
  );
}

/** The share at the bottom of the line: the least one, rounded down to tenths, so that what changes can be seen. */
export function floorOf(shares: readonly (number | null)[]): number {
  const least = Math.min(0.9, ...shares.filter((share) => share !== null));
  return Math.floor(least * 10 + 1e-9) / 10;
}

export const lineHeight = 100;

/** A path through the middle of each column with a share; a gap ends it, and a share by itself is a dot. */
export function linePath(shares: readonly (number | null)[]): string {
  const floor = floorOf(shares);
  return shares
    .flatMap((share, index) => {
      if (share === null) return [];
      const at = `${index + 0.5} ${Math.round(((1 - share) / (1 - floor)) * lineHeight * 100) / 100}`;
      const before = shares[index - 1];
      return before === null || before === undefined ? [`M${at}L${at}`] : [`L${at}`];
    })
    .join('');
}
