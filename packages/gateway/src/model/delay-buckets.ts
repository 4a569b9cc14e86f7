/** A histogram of delays in buckets that grow by a fifth each, from 100 ms to about three days: exact to 20 %. Pure. */

const growth = 1.2;
const firstMs = 100;
export const delayBuckets = 82;

export function delayBucketOf(ms: number): number {
  if (ms <= firstMs) return 0;
  return Math.min(delayBuckets - 1, Math.ceil(Math.log(ms / firstMs) / Math.log(growth)));
}

/** The delay below which a `share` (0 to 1) of all counts lies; null when nothing was counted. */
export function delayAt(counts: Iterable<readonly [bucket: number, count: number]>, share: number): number | null {
  const sorted = [...counts].sort(([a], [b]) => a - b);
  const total = sorted.reduce((sum, [, count]) => sum + count, 0);
  if (total === 0) return null;
  let seen = 0;
  const found = sorted.find(([, count]) => {
    seen += count;
    return seen >= total * share;
  });
  return firstMs * growth ** found![0];
}
