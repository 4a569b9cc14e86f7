/** Outcomes by the hour, added in the commit that moves their mark. No position of the event log is counted twice. */
import type { EpochMs } from '../../../kernel/clock.ts';
import type { CountedOutcome, HourlyRow } from '../../../model/hourly-outcomes.ts';
import type { UsageOwner } from '../../../model/usage.ts';
import { type Operation, run } from '../../../store/query.ts';
import { lastPosition } from '../../../store/system/operations.ts';
import { putCounter, selectCounter } from '../../../store/system/statements.ts';
import { addToHourly, selectHourly } from './statements/hourly.ts';

export interface HourlyCounted {
  from: number;
  to: number;
  rows: HourlyRow[];
}

/** From the hour that begins at `from` to before the one that begins at `until`. */
export interface HourSpan {
  from: EpochMs;
  until: EpochMs;
}

export interface HourlySum {
  /** The index of its span in the query. */
  span: number;
  outcome: CountedOutcome;
  code: string;
  took: number;
  messages: number;
}

const markCounter = 'hourly_outcomes_counted';

/** How far the log is counted, and where it ends. */
export function* hourlyCountedTo(): Operation<{ mark: number; last: number }> {
  const [found] = yield* run(selectCounter, [{ name: markCounter }]);
  return { mark: found?.value ?? 0, last: yield* lastPosition() };
}

/**
 * Adds the counts and moves the mark. False, and nothing is stored, when the mark is not at `from`. Each row occurs
 * once.
 */
export function* addHourly(items: readonly HourlyCounted[]): Operation<boolean[]> {
  const done: boolean[] = [];
  for (const { from, to, rows } of items) {
    const isNext = (yield* hourlyCountedTo()).mark === from;
    done.push(isNext);
    if (!isNext) continue;
    yield* run(
      addToHourly,
      rows.map(({ accountId: account_id, demo, ...row }) => ({ account_id, demo: demo ? 1 : 0, ...row })),
    );
    yield* run(putCounter, [{ name: markCounter, value: to }]);
  }
  return done;
}

/** The counts of each span; reads only the rows of their hours. */
export function* hourlyOutcomes({
  accountId: account_id,
  environment,
  spans,
}: UsageOwner & { spans: readonly HourSpan[] }): Operation<HourlySum[]> {
  return yield* run(
    selectHourly,
    spans.map(({ from: first, until }, span) => ({ account_id, environment, span, first, until })),
  );
}
