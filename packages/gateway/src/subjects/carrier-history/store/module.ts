/** The history of carriers: adds to the minute and to the hour in one transaction, reads in bars, deletes by age. */
import { dayMs, type EpochMs } from '../../../kernel/clock.ts';
import { queueCounts } from '../../../messaging/store/operations/queue.ts';
import {
  type HistoryCount,
  type HistoryFigures,
  type HistoryPart,
  type HistoryRow,
  historyPeaks,
  historySteps,
  historyNames as names,
} from '../../../model/carrier-history.ts';
import { one, oneDone, type StoreOf, storeModule } from '../../../store/module.ts';
import { type Operation, run } from '../../../store/query.ts';
import {
  addToHistory,
  addToHistoryCounts,
  columnOf,
  deleteOldHistory,
  deleteOldHistoryCounts,
  type SumsRow,
  selectHistory,
  selectHistoryCounts,
  selectOldestHistory,
} from './statements.ts';

export interface AddedHistory {
  rows: readonly HistoryRow[];
  /** The company whose generated traffic it is; '' = real. */
  demo: string;
  /** Adds only to rows of this step; absent = to minute and hour. */
  stepMs?: (typeof historySteps)[number];
}

/** Bars of `widthMs` from `from` on, built from rows of `stepMs`. */
export interface HistoryQuery {
  stepMs: (typeof historySteps)[number];
  from: EpochMs;
  until: EpochMs;
  widthMs: number;
  /** Null = all. */
  carrierId: string | null;
}

export interface HistoryBar {
  bar: number;
  carrierId: string;
  figures: HistoryFigures;
}

export interface HistoryBarCount extends HistoryCount {
  bar: number;
  carrierId: string;
}

export interface ForgetHistoryRequest {
  stepMs: number;
  before: EpochMs;
}

/** The most that one transaction deletes. */
const forgottenAtOnceMs = dayMs;

type Added = Record<string, number | string>;

function* addHistory(items: readonly AddedHistory[]): Operation<null[]> {
  const figures = new Map<string, Added>();
  const counts = new Map<string, Added & { count: number }>();
  for (const { rows, demo, stepMs } of items) {
    const steps = stepMs === undefined ? historySteps : [stepMs];
    for (const row of rows) for (const step of steps) addRow(row, step, demo);
  }
  if (figures.size > 0) yield* run(addToHistory, [...figures.values()] as never);
  if (counts.size > 0) yield* run(addToHistoryCounts, [...counts.values()] as never);
  return items.map(() => null);

  /** The row occurs only once in each statement. */
  function addRow({ carrierId, at: minute, ...row }: HistoryRow, step: number, demo: string): void {
    const at = Math.floor(minute / step) * step;
    const place = { step, at, carrier_id: carrierId, demo };
    const key = `${step} ${at} ${demo} ${carrierId}`;
    const own = figures.get(key) ?? { ...place, ...Object.fromEntries(names.map((name) => [columnOf(name), 0])) };
    figures.set(key, own);
    for (const name of names) {
      const [column, value] = [columnOf(name), row.figures[name] ?? 0];
      const before = own[column] as number;
      own[column] = Math.round(isPeak(name) ? Math.max(before, value) : before + value);
    }
    for (const { part, name, count } of row.counts) {
      const countKey = `${key} ${part} ${name}`;
      const counted = counts.get(countKey) ?? { ...place, part, name, count: 0 };
      counted.count += count;
      counts.set(countKey, counted);
    }
  }
}

const isPeak = (name: string): boolean => historyPeaks.some((peak) => peak === name);

function paramsOf({ stepMs: step, from: first, until, widthMs: width, carrierId }: HistoryQuery) {
  return { step, first, until, width, carrier_id: carrierId ?? '' };
}

function* carrierHistory(query: HistoryQuery): Operation<HistoryBar[]> {
  const rows = yield* run(selectHistory, [paramsOf(query)]);
  return rows.map((row) => ({ bar: row.bar, carrierId: row.carrier_id, figures: figuresOf(row) }));
}

function figuresOf(row: SumsRow): HistoryFigures {
  return Object.fromEntries(names.map((name) => [name, row[columnOf(name)]])) as HistoryFigures;
}

function* carrierHistoryCounts(query: HistoryQuery): Operation<HistoryBarCount[]> {
  const rows = yield* run(selectHistoryCounts, [paramsOf(query)]);
  return rows.map(({ carrier_id: carrierId, part, ...row }) => ({ ...row, carrierId, part: part as HistoryPart }));
}

/** Returns whether all old rows are deleted: one call deletes at most a day. */
function* forgetHistory(requests: readonly ForgetHistoryRequest[]): Operation<boolean[]> {
  const done: boolean[] = [];
  for (const { stepMs: step, before } of requests) {
    const [oldest] = yield* run(selectOldestHistory, [{ step }]);
    const until = Math.min(before, (oldest?.at ?? before) + forgottenAtOnceMs);
    yield* run(deleteOldHistory, [{ step, before: until }]);
    yield* run(deleteOldHistoryCounts, [{ step, before: until }]);
    done.push(until >= before);
  }
  return done;
}

export const carrierHistoryStore = storeModule({
  name: 'carrier history',
  writes: {
    addCarrierHistory: { run: addHistory, journal: 'apart' },
    forgetCarrierHistory: { run: forgetHistory, journal: 'apart' },
  },
  reads: {
    carrierHistory: { run: carrierHistory, needs: 'nothing' },
    carrierHistoryCounts: { run: carrierHistoryCounts, needs: 'nothing' },
    // As for a scrape: messages in the journal may be missing for up to ten seconds.
    queuesNow: { run: queueCounts, needs: 'nothing' },
  },
  verbs: (on) => ({
    addCarrierHistory: oneDone(on.addCarrierHistory),
    forgetCarrierHistory: one(on.forgetCarrierHistory),
  }),
});

export interface CarrierHistoryStore extends StoreOf<typeof carrierHistoryStore> {}
