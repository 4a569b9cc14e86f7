/**
 * The usual delay of a carrier's receipts: the time in which 95 of 100 came, over the last 24 hours. A histogram of
 * bounded size for each hour, so that a few busy minutes do not push out the rest of the day.
 */
import type { Clock } from '../../kernel/clock.ts';

const hours = 24;
const hourMs = 3_600_000;
/** Buckets grow by a fifth each, from 100 ms to about three days: the delay is exact to 20 %. */
const growth = 1.2;
const firstMs = 100;
const buckets = 82;
/** With fewer nothing is usual yet. */
const reportsMin = 10;

export interface UsualDelay {
  add(ms: number): void;
  /** Null while fewer than ten receipts came in the last 24 hours. */
  p95Ms(): number | null;
}

export function createUsualDelay(clock: Pick<Clock, 'monotonicMs'>): UsualDelay {
  const counts = new Uint32Array(hours * buckets);
  let at = hour();

  function hour(): number {
    return Math.floor(clock.monotonicMs() / hourMs);
  }

  /** Empties the hours that went by since. */
  function turn(): void {
    const now = hour();
    for (let i = Math.max(at + 1, now - hours + 1); i <= now; i++) {
      const begin = (i % hours) * buckets;
      counts.fill(0, begin, begin + buckets);
    }
    at = now;
  }

  return {
    add: (ms) => {
      turn();
      counts[(at % hours) * buckets + bucketOf(ms)]! += 1;
    },
    p95Ms: () => {
      turn();
      const sums = Array.from({ length: buckets }, (_, bucket) => {
        let sum = 0;
        for (let i = bucket; i < counts.length; i += buckets) sum += counts[i]!;
        return sum;
      });
      const total = sums.reduce((sum, one) => sum + one, 0);
      if (total < reportsMin) return null;
      let seen = 0;
      const bucket = sums.findIndex((count) => {
        seen += count;
        return seen >= total * 0.95;
      });
      return firstMs * growth ** bucket;
    },
  };
}

function bucketOf(ms: number): number {
  if (ms <= firstMs) return 0;
  return Math.min(buckets - 1, Math.ceil(Math.log(ms / firstMs) / Math.log(growth)));
}
