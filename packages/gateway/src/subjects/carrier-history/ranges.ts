/** The periods of the carrier history: bars of equal width that end now, and an equally long period before. Pure. */
import type { EpochMs } from '../../kernel/clock.ts';
import { historyHourMs as hour, minuteMs as minute } from '../../model/carrier-history.ts';
import type { HistoryQuery } from './store/module.ts';

export const ranges = ['1h', '6h', '24h', '7d', '30d'] as const;
export type Range = (typeof ranges)[number];

const shapes = {
  '1h': { stepMs: minute, widthMs: minute, bars: 60 },
  '6h': { stepMs: minute, widthMs: 5 * minute, bars: 72 },
  '24h': { stepMs: hour, widthMs: hour, bars: 24 },
  '7d': { stepMs: hour, widthMs: 3 * hour, bars: 56 },
  '30d': { stepMs: hour, widthMs: 12 * hour, bars: 60 },
} as const satisfies Record<Range, { stepMs: HistoryQuery['stepMs']; widthMs: number; bars: number }>;

export interface Times {
  /** The query for both periods: the bars of the period before come first. */
  query: Omit<HistoryQuery, 'carrierId'>;
  bars: number;
  widthMs: number;
  from: EpochMs;
  until: EpochMs;
  beforeFrom: EpochMs;
}

/** A minute is written shortly after its end: before that it is unknown, not a gap. */
const writtenAfterMs = minute + 2_000;

/** The last bar ends at a whole minute, five minutes or hour, at the newest minute that is written. */
export function timesOf(range: Range, now: EpochMs): Times {
  const { stepMs, widthMs, bars } = shapes[range];
  const ends = Math.min(widthMs, hour);
  const until = Math.floor((now - writtenAfterMs) / ends) * ends + ends;
  const from = until - bars * widthMs;
  const beforeFrom = from - bars * widthMs;
  return { query: { stepMs, from: beforeFrom, until, widthMs }, bars, widthMs, from, until, beforeFrom };
}
