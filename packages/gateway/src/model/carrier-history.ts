/** The stored history of each carrier: counts that add up, sums of samples, and peaks. Plain data. */
import { dayMs, type EpochMs } from '../kernel/clock.ts';

/** Attempts by outcome, messages by receipt, and uncertain messages that were resolved. */
export const historyCounts = [
  'taken',
  'later',
  'refused',
  'throttled',
  'uncertain',
  'delivered',
  'undelivered',
  'resolved',
] as const;

/** What may keep a carrier from sending faster (`limiting-factor.ts`). */
export const historyFactors = [
  'off',
  'paused',
  'opening',
  'down',
  'unanswered',
  'rate',
  'throttled',
  'window',
] as const;
export type HistoryFactor = (typeof historyFactors)[number];

/**
 * How long the carrier was watched, was up, and was held back by each factor; and sums for averages: window and queue
 * by sample.
 */
export const historySums = [
  'watchedMs',
  'upMs',
  ...historyFactors.map((factor): FactorSum => `${factor}Ms`),
  'windowUsed',
  'windowSize',
  'queueLooks',
  'queued',
] as const;
export type FactorSum = `${HistoryFactor}Ms`;

/** The greatest value in a period; the peak of two periods is the greater one. */
export const historyPeaks = ['windowPeak', 'queuedPeak', 'oldestPeakMs'] as const;

export type HistorySum = (typeof historyCounts)[number] | (typeof historySums)[number];
export type HistoryFigures = Record<HistorySum | (typeof historyPeaks)[number], number>;
export const historyNames = [...historyCounts, ...historySums, ...historyPeaks] as const;

/** Counts by name: refusals and failed deliveries by code, delays of receipts by bucket (`delay-buckets.ts`). */
export const historyParts = ['refused', 'undelivered', 'delay'] as const;
export type HistoryPart = (typeof historyParts)[number];

export interface HistoryCount {
  part: HistoryPart;
  /** An outcome code, or the number of a bucket. */
  name: string;
  count: number;
}

/** One carrier in one minute, seen by one node; rows of the same minute add up. */
export interface HistoryRow {
  carrierId: string;
  /** The beginning of the minute. */
  at: EpochMs;
  figures: Partial<HistoryFigures>;
  counts: HistoryCount[];
}

export const minuteMs = 60_000;
export const historyHourMs = 3_600_000;
/** Each row is added to its minute and to its hour. */
export const historySteps = [minuteMs, historyHourMs] as const;

export const historyLimits = {
  /** A chart of a day by minutes needs two days, because it compares the day before. */
  minutesKeptMs: 2 * dayMs,
  hoursKeptMs: 400 * dayMs,
} as const;
