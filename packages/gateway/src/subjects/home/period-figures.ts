/** The figures of a period from the counts of its bars and of the period before. Pure. */
import { medianOf, type TookCount } from '../../model/hourly-outcomes.ts';
import { type OutcomeCode, readOutcomeCode } from '../../model/reason.ts';
import { hourlyCounts } from '../usage/outcomes.ts';
import type { HourlySum } from '../usage/store/hourly.ts';

export interface PeriodFigures {
  /** Taken by a carrier. */
  sent: number;
  delivered: number;
  /** Undelivered, expired, or not sent. */
  failed: number;
  /** Sent, without an outcome so far. */
  waiting: number;
  replies: number;
  /** Share of the messages with an outcome, from 0 to 1; null when there are none. */
  deliveryRate: number | null;
  /** Median delivery time; null when none was delivered. */
  medianMs: number | null;
}

export interface ReasonFigures {
  code: OutcomeCode;
  count: number;
  before: number;
  /** One for each bar. */
  bars: number[];
}

export interface SummedPeriod {
  bars: Omit<PeriodFigures, 'deliveryRate' | 'medianMs'>[];
  total: PeriodFigures;
  before: PeriodFigures;
  /** Most frequent first. */
  reasons: ReasonFigures[];
}

/** More than most periods have. */
const reasonsMax = 8;

/** `sums`: spans 0 to `bars` - 1, and last the period before. */
export function summedPeriod(sums: readonly HourlySum[], bars: number): SummedPeriod {
  const spans = Array.from({ length: bars + 1 }, (): HourlySum[] => []);
  for (const sum of sums) spans[sum.span]!.push(sum);
  const now = spans.slice(0, bars);
  const before = spans[bars]!;
  return {
    bars: now.map((span) => hourlyCounts(span)),
    total: figuresOf(now.flat()),
    before: figuresOf(before),
    reasons: reasonsOf(now, before),
  };
}

function figuresOf(sums: readonly HourlySum[]): PeriodFigures {
  const counts = hourlyCounts(sums);
  const ended = counts.delivered + counts.failed;
  const took = new Map<number, TookCount>();
  for (const { took: bound, messages } of sums) {
    took.set(bound, { took: bound, messages: messages + (took.get(bound)?.messages ?? 0) });
  }
  return {
    ...counts,
    deliveryRate: ended === 0 ? null : counts.delivered / ended,
    medianMs: medianOf([...took.values()]),
  };
}

function reasonsOf(bars: readonly HourlySum[][], before: readonly HourlySum[]): ReasonFigures[] {
  const reasons = new Map<OutcomeCode, ReasonFigures>();
  const add = (sum: HourlySum, where: (reason: ReasonFigures) => void): void => {
    if (!isFailure(sum)) return;
    const code = readOutcomeCode(sum.code) ?? 'UNKNOWN';
    const reason = reasons.get(code) ?? { code, count: 0, before: 0, bars: bars.map(() => 0) };
    where(reason);
    reasons.set(code, reason);
  };
  for (const [index, span] of bars.entries()) {
    for (const sum of span) {
      add(sum, (reason) => {
        reason.count += sum.messages;
        reason.bars[index]! += sum.messages;
      });
    }
  }
  for (const sum of before) {
    add(sum, (reason) => {
      reason.before += sum.messages;
    });
  }
  return [...reasons.values()]
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count || (a.code < b.code ? -1 : 1))
    .slice(0, reasonsMax);
}

function isFailure({ outcome }: HourlySum): boolean {
  return outcome === 'undelivered' || outcome === 'failed' || outcome === 'expired';
}
