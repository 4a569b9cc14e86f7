/** Usage counts for billing, added in the commit that moves their mark. No position of the event log is counted twice. */
import { dayMs, type EpochMs } from '../../../kernel/clock.ts';
import { type AccountId, firstIdAt } from '../../../kernel/ids.ts';
import { ownedDuty } from '../../../model/duty.ts';
import {
  type DayRange,
  dayOf,
  type OutcomeRow,
  type UsageFigures,
  type UsageFilter,
  type UsageGrouping,
  type UsageLine,
  type UsageOwner,
  type UsageRow,
} from '../../../model/usage.ts';
import { one, type StoreOf, storeModule } from '../../../store/module.ts';
import { type Operation, run } from '../../../store/query.ts';
import { putCounter, selectCounter } from '../../../store/system/statements.ts';
import { countsAfter } from './counted.ts';
import { addHourly, hourlyCountedTo, hourlyOutcomes } from './hourly.ts';
import {
  addToUsage,
  type FiguresRow,
  selectOutcomes,
  selectUsage,
  selectUsageLines,
  selectUsageTotal,
} from './statements.ts';

export interface Counted {
  from: number;
  to: number;
  rows: UsageRow[];
}

export interface OutcomesQuery {
  accountId: AccountId;
  from: EpochMs;
  until: EpochMs;
  look: number;
}

export type UsageRange = UsageOwner & DayRange & { filter?: Partial<UsageFilter> };
export type UsageQuery = UsageRange & { groupBy: UsageGrouping; after: string | null; limit: number };

const markCounter = 'usage_counted';

/** How far the log is counted. */
export function* countedTo(): Operation<number> {
  const [found] = yield* run(selectCounter, [{ name: markCounter }]);
  return found?.value ?? 0;
}

/**
 * Adds the counts and moves the mark. False, and nothing is stored, when the mark is not at `from`. Each row occurs
 * once.
 */
export function* addUsage(items: readonly Counted[]): Operation<boolean[]> {
  const done: boolean[] = [];
  for (const { from, to, rows } of items) {
    const isNext = (yield* countedTo()) === from;
    done.push(isNext);
    if (!isNext) continue;
    yield* run(
      addToUsage,
      rows.map(({ accountId: account_id, ...row }) => ({ account_id, ...row })),
    );
    yield* run(putCounter, [{ name: markCounter, value: to }]);
  }
  return done;
}

/** Sums by `groupBy`, ordered by name, after the name `after` (null = from the first). */
export function* usage({
  groupBy,
  after,
  limit,
  ...range
}: UsageQuery): Operation<(UsageFigures & { name: string })[]> {
  const rows = yield* run(selectUsage[groupBy], [{ ...filtered(range), after, limit }]);
  return rows.map((row) => ({ name: row.name, ...figuresOf(row) }));
}

export function* usageTotal(range: UsageRange): Operation<UsageFigures> {
  const [row] = yield* run(selectUsageTotal, [filtered(range)]);
  return figuresOf(row!);
}

/** By number, campaign, kind and country, in this order. */
export function* usageLines({ limit, ...range }: UsageOwner & DayRange & { limit: number }): Operation<UsageLine[]> {
  return yield* run(selectUsageLines, [{ ...owned(range), limit }]);
}

/** Outcomes of sent messages accepted from `from` to before `until`: of the newest `look`. Oldest day first. */
export function* outcomes({ accountId, from, until, look }: OutcomesQuery): Operation<OutcomeRow[]> {
  const period = { after: firstIdAt('msg_', from), before: firstIdAt('msg_', until) };
  const rows = yield* run(selectOutcomes, [{ account_id: accountId, ...period, look }]);
  return rows.map(({ day, prefix: toPrefix, found, ...row }) => {
    return { ...row, day: dayOf(day * dayMs), toPrefix, count: found };
  });
}

function owned({ accountId, environment, from, to }: UsageOwner & DayRange) {
  return { account_id: accountId, environment, from, to };
}

function filtered({ filter = {}, ...range }: UsageRange) {
  const { number = null, campaign = null, kind = null, country = null, key = null, carrier = null } = filter;
  return { ...owned(range), number, campaign, kind, country, key, carrier };
}

function figuresOf(row: Omit<FiguresRow, 'name'>): UsageFigures {
  return { smsMessages: row.sms_messages, smsSegments: row.sms_segments, mmsMessages: row.mms_messages };
}

export const usageStore = storeModule({
  name: 'usage',
  writes: {
    addUsage: { run: addUsage, journal: 'apart', owned: ownedDuty('usage'), unsynced: true },
    addHourly: { run: addHourly, journal: 'apart', owned: ownedDuty('usage'), unsynced: true },
  },
  reads: {
    countedTo: { run: countedTo, needs: 'nothing' },
    countsAfter: { run: countsAfter, needs: 'nothing' },
    usage: { run: usage, needs: 'nothing' },
    usageTotal: { run: usageTotal, needs: 'nothing' },
    usageLines: { run: usageLines, needs: 'nothing' },
    outcomes: { run: outcomes },
    hourlyCountedTo: { run: hourlyCountedTo, needs: 'nothing' },
    hourlyOutcomes: { run: hourlyOutcomes, needs: 'nothing' },
  },
  verbs: (on) => ({ addUsage: one(on.addUsage), addHourly: one(on.addHourly) }),
});

export interface UsageStore extends StoreOf<typeof usageStore> {}
