/**
 * Sums up outcomes for a chart and a table: counts by the hour, and rows of examined messages by their common values.
 * Pure.
 */
import { countryOf } from '../../model/country.ts';
import type { Directory } from '../../model/directory.ts';
import type { CountedOutcome } from '../../model/hourly-outcomes.ts';
import type { DeliveryState } from '../../model/lifecycle.ts';
import type { OutcomeRow, UsageFilter, UsageGrouping, UsageOwner } from '../../model/usage.ts';
import type { HourlySum } from './store/hourly.ts';

export interface OutcomeCounts {
  delivered: number;
  /** Undelivered, expired, or not sent. */
  failed: number;
  /** Without an outcome so far. */
  waiting: number;
}

/** Counts of one span of hours. */
export function hourlyCounts(sums: readonly HourlySum[]): OutcomeCounts & { sent: number; replies: number } {
  const count = (...outcomes: CountedOutcome[]) =>
    sums.reduce((total, { outcome, messages }) => total + (outcomes.includes(outcome) ? messages : 0), 0);
  const [sent, delivered] = [count('sent'), count('delivered')];
  return {
    sent,
    delivered,
    failed: count('undelivered', 'failed', 'expired'),
    // A delivered message also counts as sent, but perhaps only in the next page of the log.
    waiting: Math.max(0, sent - delivered - count('undelivered')),
    replies: count('received'),
  };
}

/** A row with the fields that only the records know. */
export type PlacedRow = OutcomeRow & { campaign: string; country: string };

/**
 * The rows of this company and environment that match the filter. A number without a record belongs to both
 * environments.
 */
export function placedRows(
  rows: readonly OutcomeRow[],
  { accountId, environment }: UsageOwner,
  filter: UsageFilter,
  directory: Directory,
): PlacedRow[] {
  return rows.flatMap((row) => {
    const known = directory.number(row.number);
    if (known !== undefined && (known.accountId !== accountId || known.environment !== environment)) return [];
    const placed = { ...row, campaign: known?.campaignId ?? '', country: countryOf(row.toPrefix) ?? '' };
    const isWanted = Object.entries(filter).every(
      ([name, value]) => value === null || placed[name as keyof UsageFilter] === value,
    );
    return isWanted ? [placed] : [];
  });
}

const failures: readonly DeliveryState[] = ['undelivered', 'failed', 'expired'];

/** By their common name. Canceled messages are not counted, as in the hourly counts. */
export function countedBy(rows: readonly PlacedRow[], by: UsageGrouping): Map<string, OutcomeCounts> {
  const groups = new Map<string, OutcomeCounts>();
  for (const row of rows) {
    if (row.state === 'canceled') continue;
    const counts = groups.get(row[by]) ?? { delivered: 0, failed: 0, waiting: 0 };
    const outcome = row.state === 'delivered' ? 'delivered' : failures.includes(row.state) ? 'failed' : 'waiting';
    counts[outcome] += row.count;
    groups.set(row[by], counts);
  }
  return groups;
}
