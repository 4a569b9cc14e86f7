/**
 * The usual delay of a carrier's receipts: the time in which 95 of 100 came, over the last 24 hours. A histogram of
 * bounded size for each hour, so that a few busy minutes do not push out the rest of the day.
 */
import type { Clock } from '../../kernel/clock.ts';
import { delayBuckets as buckets, delayAt, delayBucketOf } from '../../model/delay-buckets.ts';

const hours = 24;
const hourMs = 3_600_000;
/** Fewer receipts do not make a usual delay. */
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

  /** Clears the hours that have passed. */
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
      counts[(at % hours) * buckets + delayBucketOf(ms)]! += 1;
    },
    p95Ms: () => {
      turn();
      const sums = new Array<number>(buckets).fill(0);
      for (let begin = 0; begin < counts.length; begin += buckets) {
        for (let bucket = 0; bucket < buckets; bucket++) sums[bucket]! += counts[begin + bucket]!;
      }
      const total = sums.reduce((sum, one) => sum + one, 0);
      if (total < reportsMin) return null;
      return delayAt(sums.entries(), 0.95);
    },
  };
}
