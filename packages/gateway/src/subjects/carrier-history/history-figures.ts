/** What the history of a carrier says of a time: throughput, rates, delays, what limited it. Pure. */
import {
  type FactorSum,
  type HistoryCount,
  type HistoryFactor,
  type HistoryFigures,
  historyFactors,
  historyNames,
  historyPeaks,
} from '../../model/carrier-history.ts';
import { delayAt } from '../../model/delay-buckets.ts';

export interface CarrierFigures {
  /** Messages that the carrier took, and tries altogether. */
  taken: number;
  tries: number;
  /** Messages taken per second of the time that was watched; null while nobody watched. */
  perSecond: number | null;
  /** Refused for now or for good, of the tries. */
  refused: number;
  refusalRate: number | null;
  /** Refused as too many at once. */
  throttled: number;
  delivered: number;
  undelivered: number;
  /** Of the messages with a final receipt, those delivered. */
  deliveryRate: number | null;
  /** Final receipts that came, of the messages taken in the same time; null where the carrier is asked for none. */
  receiptRate: number | null;
  /** From the taking of a part to its final receipt, of a sample. */
  delayP50Ms: number | null;
  delayP95Ms: number | null;
  /** Messages that fell into doubt, and those whose fate became known. */
  uncertain: number;
  uncertainRate: number | null;
  resolved: number;
  /** Of the window, on average, and the most at a look. */
  windowUse: number | null;
  windowPeak: number;
  /** Messages that waited, on average and at most; for how long the oldest did at most. */
  queued: number | null;
  queuedPeak: number;
  oldestPeakMs: number;
  /** Of the time that was watched. */
  upShare: number | null;
  /** What held it for the greatest part of that time, and for how much of it; null = nothing. */
  limit: { factor: HistoryFactor; share: number } | null;
  watchedMs: number;
}

export function noFigures(): HistoryFigures {
  return Object.fromEntries(historyNames.map((name) => [name, 0])) as HistoryFigures;
}

/** Both times together. */
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

/** A factor that held for less than this hardly limited anything. */
const limitShareMin = 0.01;

function limitOf(sums: HistoryFigures): CarrierFigures['limit'] {
  const times = historyFactors.map((factor) => ({ factor, ms: sums[`${factor}Ms` satisfies FactorSum] }));
  const most = times.reduce((a, b) => (b.ms > a.ms ? b : a));
  const share = shareOf(most.ms, sums.watchedMs) ?? 0;
  return share < limitShareMin ? null : { factor: most.factor, share };
}
