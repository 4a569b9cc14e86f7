/** What is kept of each carrier over time: counts that add, sums of samples, and peaks. Plain data. */
import type { EpochMs } from '../kernel/clock.ts';

/** Tries by how they ended, messages by their receipts, and messages in doubt whose fate became known. */
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

/** For how long it was watched, was up, and was held by each factor; and what adds up to averages: window and queue by looks. */
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

/** The greatest value of a time: of two parts of it the greater one. */
export const historyPeaks = ['windowPeak', 'queuedPeak', 'oldestPeakMs'] as const;

export type HistorySum = (typeof historyCounts)[number] | (typeof historySums)[number];
export type HistoryFigures = Record<HistorySum | (typeof historyPeaks)[number], number>;
export const historyNames = [...historyCounts, ...historySums, ...historyPeaks] as const;

/** What is counted by name: refusals and failed deliveries by code, delays of receipts by bucket (`delay-buckets.ts`). */
export const historyParts = ['refused', 'undelivered', 'delay'] as const;
export type HistoryPart = (typeof historyParts)[number];

export interface HistoryCount {
  part: HistoryPart;
  /** An outcome code, or the number of a bucket. */
  name: string;
  count: number;
}

/** One carrier in one minute, as one node saw it; several rows of a minute add up. */
export interface HistoryRow {
  carrierId: string;
  /** The beginning of the minute. */
  at: EpochMs;
  figures: Partial<HistoryFigures>;
  counts: HistoryCount[];
}

export const minuteMs = 60_000;
export const historyHourMs = 3_600_000;
/** A row is added to its minute and to its hour. */
export const historySteps = [minuteMs, historyHourMs] as const;

export const historyLimits = {
  /** For a day by minutes there must be two: the period before is compared. */
  minutesKeptMs: 2 * 86_400_000,
  hoursKeptMs: 400 * 86_400_000,
} as const;
