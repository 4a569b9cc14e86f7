/**
 * Outcomes by the hour: read from the event log, and added in the commit that moves their mark. No position is counted
 * twice.
 */
import type { EpochMs } from '../../../kernel/clock.ts';
import { type CountedOutcome, type EndedMessages, type HourlyRow, hourMs } from '../../../model/hourly-outcomes.ts';
import type { UsageOwner } from '../../../model/usage.ts';
import { type Operation, run } from '../../../store/query.ts';
import { lastPosition } from '../../../store/system/operations.ts';
import { putCounter, selectCounter } from '../../../store/system/statements.ts';
import { addToHourly, selectHourly, selectOutcomesAfter } from './statements/hourly.ts';

export interface Ended {
  ended: EndedMessages[];
  position: number;
}

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

/** Messages that ended, or were taken by a carrier, in the log after `after`; reads at most `limit` positions. */
export function* outcomesAfter({ after, limit }: { after: number; limit: number }): Operation<Ended> {
  const until = Math.max(after, Math.min(yield* lastPosition(after), after + limit));
  const rows = until === after ? [] : yield* run(selectOutcomesAfter, [{ after, until }]);
  const ended = rows.map(({ account_id: accountId, own: number, hour, demo, ...row }) => {
    return { accountId, number, hour: hour * hourMs, demo: demo === 1, ...row };
  });
  return { ended, position: until };
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
