/** Reads the history of carriers for the operator's board: all carriers side by side, or one over time. */
import { kindOf } from '../../carriers/kinds.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { HistoryFigures } from '../../model/carrier-history.ts';
import type { Directory } from '../../model/directory.ts';
import { type CarrierRecord, profileOf } from '../../model/records.ts';
import { gotWorse, type Worse } from './got-worse.ts';
import { addFigures, type CarrierFigures, figuresOf, noFigures } from './history-figures.ts';
import { type Range, type Times, timesOf } from './ranges.ts';
import type { CarrierHistoryStore, HistoryBarCount } from './store/module.ts';

export interface BoardRow {
  record: CarrierRecord;
  now: CarrierFigures;
  before: CarrierFigures;
  worse: Worse[];
  /** Messages taken in each bar; null = a gap. */
  trend: (number | null)[];
}

export interface CodeCount {
  part: 'refused' | 'undelivered';
  code: string;
  count: number;
  before: number;
}

export interface HistoryOf extends BoardRow {
  bars: CarrierFigures[];
  codes: CodeCount[];
}

export interface HistoryService {
  board(range: Range): Promise<{ times: Times; rows: BoardRow[] }>;
  /** Null for an unknown carrier. */
  carrier(carrierId: string, range: Range): Promise<{ times: Times; found: HistoryOf } | null>;
}

export interface HistoryServiceParts {
  clock: Pick<Clock, 'now'>;
  store: Pick<CarrierHistoryStore, 'carrierHistory' | 'carrierHistoryCounts'>;
  directory(): Directory;
}

export function createHistoryService({ clock, store, directory }: HistoryServiceParts): HistoryService {
  return {
    board: async (range) => {
      const times = timesOf(range, clock.now());
      const query = { ...times.query, carrierId: null };
      // For codes and delays only the sums of both periods are shown.
      const halves = { ...query, widthMs: times.bars * times.widthMs };
      const [bars, counts] = await Promise.all([store.carrierHistory(query), store.carrierHistoryCounts(halves)]);
      const barsOf = Map.groupBy(bars, ({ carrierId }) => carrierId);
      const countsOf = Map.groupBy(counts, ({ carrierId }) => carrierId);
      const rows = directory().records.carriers.map((record) => {
        const sums = sumsOf(barsOf.get(record.carrierId) ?? [], times);
        return rowOf(record, sums, times, (half) =>
          (countsOf.get(record.carrierId) ?? []).filter(({ bar }) => bar === half),
        );
      });
      return { times, rows };
    },

    carrier: async (carrierId, range) => {
      const record = directory().records.carriers.find((one) => one.carrierId === carrierId);
      if (record === undefined) return null;
      const times = timesOf(range, clock.now());
      const query = { ...times.query, carrierId };
      const [bars, counts] = await Promise.all([store.carrierHistory(query), store.carrierHistoryCounts(query)]);
      const sums = sumsOf(bars, times);
      const half = (which: number) => counts.filter(({ bar }) => Math.floor(bar / times.bars) === which);
      const countsOf = Map.groupBy(counts, ({ bar }) => bar);
      const shown = sums
        .map((own, bar) => figuresOf(own, delaysOf(countsOf.get(bar) ?? []), receiptsOf(record)))
        .slice(times.bars);
      return { times, found: { ...rowOf(record, sums, times, half), bars: shown, codes: codesOf(half(1), half(0)) } };
    },
  };
}

/** One entry for each bar, those of the period before first. */
function sumsOf(rows: readonly { bar: number; figures: HistoryFigures }[], { bars }: Times): HistoryFigures[] {
  const sums = Array.from({ length: 2 * bars }, noFigures);
  for (const { bar, figures } of rows) sums[bar] = figures;
  return sums;
}

/** `countsOf`: counts of the period before (0) and of this one (1). */
function rowOf(
  record: CarrierRecord,
  sums: readonly HistoryFigures[],
  { bars }: Times,
  countsOf: (half: 0 | 1) => readonly HistoryBarCount[],
): BoardRow {
  const [before, now] = ([0, 1] as const).map((half) => {
    const sum = noFigures();
    for (const figures of sums.slice(half * bars, (half + 1) * bars)) addFigures(sum, figures);
    return figuresOf(sum, delaysOf(countsOf(half)), receiptsOf(record));
  }) as [CarrierFigures, CarrierFigures];
  const trend = sums.slice(bars).map((figures) => (isGap(figures) ? null : figures.taken));
  return { record, now, before, worse: record.enabled ? gotWorse(now, before) : [], trend };
}

const isGap = ({ watchedMs, taken }: HistoryFigures): boolean => watchedMs === 0 && taken === 0;

function delaysOf(counts: readonly HistoryBarCount[]): HistoryBarCount[] {
  return counts.filter(({ part }) => part === 'delay');
}

function receiptsOf(record: CarrierRecord): { asksForReceipts: boolean } {
  return { asksForReceipts: kindOf(record).asksForReceipts(profileOf(record)) };
}

function codesOf(now: readonly HistoryBarCount[], before: readonly HistoryBarCount[]): CodeCount[] {
  const found = new Map<string, CodeCount>();
  const add = (name: 'count' | 'before', counts: readonly HistoryBarCount[]): void => {
    for (const { part, name: code, count } of counts) {
      if (part === 'delay') continue;
      const own = found.get(`${part} ${code}`) ?? { part, code, count: 0, before: 0 };
      own[name] += count;
      found.set(`${part} ${code}`, own);
    }
  };
  add('count', now);
  add('before', before);
  return [...found.values()].sort((a, b) => b.count - a.count || b.before - a.before);
}
