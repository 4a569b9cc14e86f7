/** The figures of a carrier's history for a period: throughput, rates, delays, limiting factors. Pure. */
import type { TypeOf } from '../../http/shape.ts';
import {
  type FactorSum,
  type HistoryCount,
  type HistoryFigures,
  historyFactors,
  historyNames,
  historyPeaks,
} from '../../model/carrier-history.ts';
import { delayAt } from '../../model/delay-buckets.ts';
import type { carrierFigures } from './history-shapes.ts';

/** The shape describes each figure. */
export type CarrierFigures = TypeOf<typeof carrierFigures>;

export function noFigures(): HistoryFigures {
  return Object.fromEntries(historyNames.map((name) => [name, 0])) as HistoryFigures;
}

/** Adds the figures of two periods. */
export function addFigures(into: HistoryFigures, figures: HistoryFigures): void {
  for (const name of historyNames) {
    into[name] = isPeak(name) ? Math.max(into[name], figures[name]) : into[name] + figures[name];
  }
}

const isPeak = (name: string): boolean => historyPeaks.some((peak) => peak === name);

/** `delays`: counts by bucket. */
export function figuresOf(
  sums: HistoryFigures,
  delays: readonly Pick<HistoryCount, 'name' | 'count'>[],
  { asksForReceipts }: { asksForReceipts: boolean },
): CarrierFigures {
  const { taken, delivered, undelivered, throttled, uncertain, resolved, watchedMs } = sums;
  const { windowPeak, queuedPeak, oldestPeakMs } = sums;
  const refused = sums.later + sums.refused;
  const tries = taken + refused + throttled + uncertain;
  const reported = delivered + undelivered;
  const buckets = delays.map(({ name, count }) => [Number(name), count] as const);
  return {
    ...{ taken, tries, refused, throttled, delivered, undelivered, uncertain, resolved, watchedMs },
    ...{ windowPeak, queuedPeak, oldestPeakMs },
    perSecond: watchedMs === 0 ? null : (taken * 1_000) / watchedMs,
    refusalRate: shareOf(refused, tries),
    deliveryRate: shareOf(delivered, reported),
    receiptRate: asksForReceipts ? shareOf(reported, taken) : null,
    delayP50Ms: delayAt(buckets, 0.5),
    delayP95Ms: delayAt(buckets, 0.95),
    uncertainRate: shareOf(uncertain, tries),
    windowUse: shareOf(sums.windowUsed, sums.windowSize),
    queued: sums.queueLooks === 0 ? null : sums.queued / sums.queueLooks,
    upShare: shareOf(sums.upMs, watchedMs),
    limit: limitOf(sums),
  };
}

function shareOf(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}

/** A factor that held for a smaller share of the time is not reported. */
const limitShareMin = 0.01;

function limitOf(sums: HistoryFigures): CarrierFigures['limit'] {
  const times = historyFactors.map((factor) => ({ factor, ms: sums[`${factor}Ms` satisfies FactorSum] }));
  const most = times.reduce((a, b) => (b.ms > a.ms ? b : a));
  const share = shareOf(most.ms, sums.watchedMs) ?? 0;
  return share < limitShareMin ? null : { factor: most.factor, share };
}
