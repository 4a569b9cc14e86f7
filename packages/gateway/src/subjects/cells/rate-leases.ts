/**
 * Amounts of a rate with an end, by the cell on the other side: what this cell has lent, or what it has borrowed. Of several for one
 * cell the largest counts: a renewal overlaps with what it renews. Pure: the caller passes the time.
 */

export interface RateLeases {
  add(cell: string, perSecond: number, times: { nowMs: number; endsMs: number }): void;
  /** Of all cells, or of all but one. */
  total(nowMs: number, besides?: string): number;
}

interface Lease {
  cell: string;
  perSecond: number;
  endsMs: number;
}

export function createRateLeases(): RateLeases {
  let leases: Lease[] = [];
  /** The sum over all cells, until the next lease ends: it is read for each message. */
  let kept = { total: 0, untilMs: Number.POSITIVE_INFINITY };

  function sumOf(counted: readonly Lease[]): number {
    const largest = new Map<string, number>();
    for (const { cell, perSecond } of counted) largest.set(cell, Math.max(perSecond, largest.get(cell) ?? 0));
    return largest.values().reduce((sum, one) => sum + one, 0);
  }

  function prune(nowMs: number): void {
    leases = leases.filter(({ endsMs }) => nowMs < endsMs);
    kept = { total: sumOf(leases), untilMs: Math.min(...leases.map(({ endsMs }) => endsMs)) };
  }

  return {
    add: (cell, perSecond, { nowMs, endsMs }) => {
      leases.push({ cell, perSecond, endsMs });
      prune(nowMs);
    },
    total: (nowMs, besides) => {
      if (nowMs >= kept.untilMs) prune(nowMs);
      return besides === undefined ? kept.total : sumOf(leases.filter(({ cell }) => cell !== besides));
    },
  };
}
