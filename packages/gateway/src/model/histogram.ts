/** Messages over time: the bars between two times, each with a count of every outcome. Pure. */
import type { EpochMs } from '../kernel/clock.ts';
import type { DeliveryState } from './lifecycle.ts';

export interface CountedAt {
  /** When these messages were accepted. */
  at: EpochMs;
  state: DeliveryState;
  count: number;
}

export interface HistogramBar {
  /** Its start; it ends where the next one begins. */
  at: EpochMs;
  delivered: number;
  failed: number;
  /** Without a final outcome or without a receipt so far. */
  waiting: number;
  received: number;
  canceled: number;
}

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
/** Bar lengths that read well on an axis. */
const steps = [
  ...[1, 2, 5, 10, 30].map((count) => count * second),
  ...[1, 2, 5, 10, 30].map((count) => count * minute),
  ...[1, 2, 3, 6, 12].map((count) => count * hour),
  ...[1, 2, 7, 14, 28, 56, 112, 364].map((count) => count * day),
];

/** At most this many bars, and one more if the first begins before `from`. */
export const barsMax = 60;

export function stepOf(from: EpochMs, until: EpochMs): number {
  return steps.find((step) => (until - from) / step <= barsMax) ?? Math.ceil((until - from) / barsMax);
}

const outcomes: Readonly<Partial<Record<DeliveryState, Exclude<keyof HistogramBar, 'at'>>>> = {
  delivered: 'delivered',
  received: 'received',
  canceled: 'canceled',
  failed: 'failed',
  undelivered: 'failed',
  expired: 'failed',
};

/** Every bar between the two times, including empty ones. */
export function barsOf(counts: readonly CountedAt[], from: EpochMs, until: EpochMs, step: number): HistogramBar[] {
  const first = Math.floor(from / step);
  const last = Math.max(first, Math.ceil(until / step) - 1);
  const bars = Array.from({ length: last - first + 1 }, (_, i): HistogramBar => {
    return { at: (first + i) * step, delivered: 0, failed: 0, waiting: 0, received: 0, canceled: 0 };
  });
  for (const { at, state, count } of counts) {
    // If another node's clock runs slightly ahead, its message counts in the last bar.
    const bar = bars[Math.min(last, Math.max(first, Math.floor(at / step))) - first]!;
    bar[outcomes[state] ?? 'waiting'] += count;
  }
  return bars;
}
