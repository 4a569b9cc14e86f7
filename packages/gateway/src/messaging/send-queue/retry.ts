/** Computes when a temporarily refused message is retried. Pure: same arguments, same answer. */

const waitsMs = [1_000, 5_000, 30_000, 120_000, 600_000];
const lastWaitMs = 900_000;
const jitterShare = 0.2;

/** Wait in ms before try number `attempt + 1`; `fraction` in [0, 1) spreads it by ±10 %. */
export function retryWaitMs(attempt: number, fraction: number): number {
  const wait = waitsMs[attempt - 1] ?? lastWaitMs;
  return Math.round(wait * (1 - jitterShare / 2 + jitterShare * fraction));
}
