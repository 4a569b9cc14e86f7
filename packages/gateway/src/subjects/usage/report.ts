/** Usage and cost of an account: sums, and lines of a monthly statement. Costs are exact; nothing is rounded. */
import type { Clock } from '../../kernel/clock.ts';
import { csvCell } from '../../kernel/csv.ts';
import type { Directory } from '../../model/directory.ts';
import { costOf, decimalOf, stretches } from '../../model/rates.ts';
import type { Rate } from '../../model/records.ts';
import {
  type DayRange,
  dayOf,
  rangeBefore,
  type UsageFigures,
  type UsageFilter,
  type UsageGrouping,
  type UsageLine,
  type UsageOwner,
} from '../../model/usage.ts';
import type { UsageStore } from './store/module.ts';

/** The most lines of a statement; a month of ten thousand numbers has fewer. */
export const statementLinesMax = 50_000;

export interface CostedFigures extends UsageFigures {
  /** Decimal text; null for an account without rates. */
  cost: string | null;
  /** Messages of days before the first rate: counted, but without a cost. */
  unpricedMessages: number;
}

export interface UsageQuery extends DayRange {
  filter?: UsageFilter;
  /** Also returns the figures of equally many days before. */
  compare?: boolean;
  groupBy: UsageGrouping;
  /** Groups after this name; null = from the first. */
  after: string | null;
  limit: number;
}

export interface UsageReport {
  /** Null for an account without rates. */
  currency: string | null;
  /** Over all groups, including those on other pages. */
  total: CostedFigures;
  /** Null without a comparison. */
  before: (DayRange & { total: CostedFigures }) | null;
  /** By name; '' for messages without one. With a comparison also groups that had messages only before. */
  groups: (CostedFigures & { name: string; before: CostedFigures | null })[];
  /** The last name, if there are more groups. */
  next: string | null;
}

export interface UsageService {
  /** Today in UTC, as usage counts days. */
  today(): string;
  read(owner: UsageOwner, query: UsageQuery): Promise<UsageReport>;
  /** Null when it would have more than `max` lines, by default `statementLinesMax`. */
  statement(owner: UsageOwner, month: DayRange, max?: number): Promise<Statement | null>;
}

export interface UsageServiceParts {
  clock: Pick<Clock, 'now'>;
  store: Pick<UsageStore, 'usage' | 'usageTotal' | 'usageLines'>;
  directory(): Directory;
}

/** Figures of the date ranges, each with one rate. */
interface Priced {
  rate: Rate | null;
  figures: UsageFigures;
}

interface Sums {
  total: Priced[];
  groups: Map<string, Priced[]>;
}

export function createUsageService({ clock, store, directory }: UsageServiceParts): UsageService {
  const ratesOf = ({ accountId }: UsageOwner) => directory().account(accountId)?.rates ?? [];

  async function sumsOf(owner: UsageOwner, { from, to, groupBy, filter, after, limit }: UsageQuery): Promise<Sums> {
    const sums: Sums = { total: [], groups: new Map() };
    for (const { rate, ...days } of stretches({ from, to }, ratesOf(owner))) {
      const range = { ...owner, ...days, ...(filter !== undefined && { filter }) };
      sums.total.push({ rate, figures: await store.usageTotal(range) });
      // The first groups overall are among the first groups of each range.
      for (const { name, ...figures } of await store.usage({ ...range, groupBy, after, limit: limit + 1 })) {
        sums.groups.set(name, [...(sums.groups.get(name) ?? []), { rate, figures }]);
      }
    }
    return sums;
  }

  async function read(owner: UsageOwner, query: UsageQuery): Promise<UsageReport> {
    const rates = ratesOf(owner);
    const now = await sumsOf(owner, query);
    const earlier = query.compare === true ? rangeBefore(query) : null;
    const before = earlier === null ? null : await sumsOf(owner, { ...query, ...earlier });
    // By day there is nothing to compare: the days before are other days.
    const others = query.groupBy === 'day' ? null : before;
    const names = [...new Set([...now.groups.keys(), ...(others?.groups.keys() ?? [])])].sort((a, b) =>
      a < b ? -1 : 1,
    );
    const shown = names.slice(0, query.limit);
    return {
      currency: rates[0]?.currency ?? null,
      total: costed(now.total, rates),
      before: earlier === null || before === null ? null : { ...earlier, total: costed(before.total, rates) },
      groups: shown.map((name) => ({
        name,
        ...costed(now.groups.get(name) ?? [], rates),
        before: others === null ? null : costed(others.groups.get(name) ?? [], rates),
      })),
      next: names.length > shown.length ? (shown.at(-1) ?? null) : null,
    };
  }

  async function statement(owner: UsageOwner, month: DayRange, max = statementLinesMax): Promise<Statement | null> {
    const lines: StatementLine[] = [];
    for (const { rate, from, to } of stretches(month, ratesOf(owner))) {
      const found = await store.usageLines({ ...owner, from, to, limit: max + 1 - lines.length });
      lines.push(...found.map((line) => ({ ...line, from, to, rate })));
      if (lines.length > max) return null;
    }
    return statementOf(month, lines);
  }

  return { today: () => dayOf(clock.now()), read, statement };
}

function costed(priced: readonly Priced[], rates: readonly Rate[]): CostedFigures {
  const sum = { smsMessages: 0, smsSegments: 0, mmsMessages: 0, unpricedMessages: 0 };
  let micros = 0n;
  for (const { rate, figures } of priced) {
    sum.smsMessages += figures.smsMessages;
    sum.smsSegments += figures.smsSegments;
    sum.mmsMessages += figures.mmsMessages;
    if (rate === null) sum.unpricedMessages += figures.smsMessages + figures.mmsMessages;
    else micros += costOf(figures, rate);
  }
  return { ...sum, cost: rates.length === 0 ? null : decimalOf(micros) };
}

/** For days with the same rate; null = none. */
export interface StatementLine extends UsageLine, DayRange {
  rate: Rate | null;
}

/** A billed line: its units times its price, exactly. */
export interface BilledLine extends UsageLine, DayRange {
  unit: 'segment' | 'message';
  /** Null: the day is before the first price. */
  price: string | null;
  cost: string | null;
}

export interface Statement extends DayRange {
  currency: string | null;
  lines: BilledLine[];
  messages: number;
  /** Null without a price. */
  cost: string | null;
}

export function statementOf({ from, to }: DayRange, lines: readonly StatementLine[]): Statement {
  const micros = lines.reduce((sum, line) => sum + (microsOfLine(line) ?? 0n), 0n);
  const currency = lines.find(({ rate }) => rate !== null)?.rate?.currency ?? null;
  return {
    from,
    to,
    currency,
    lines: lines.map((line) => billed(line)),
    messages: lines.reduce((sum, { messages }) => sum + messages, 0),
    cost: currency === null ? null : decimalOf(micros),
  };
}

function billed({ rate, ...line }: StatementLine): BilledLine {
  const isSms = line.kind === 'SMS';
  const micros = microsOfLine({ ...line, rate });
  return {
    ...line,
    unit: isSms ? 'segment' : 'message',
    price: rate === null ? null : isSms ? rate.smsPerSegment : rate.mmsPerMessage,
    cost: micros === null ? null : decimalOf(micros),
  };
}

const header = 'from,to,number,campaign,country,kind,messages,unit,units,price,cost,currency'.split(',');
/** With this mark spreadsheets recognise UTF-8. */
const byteOrderMark = '\ufeff';

/** CSV (RFC 4180): the lines, then the total. */
export function statementCsv({ from, to, currency, lines, messages, cost }: Statement): string {
  const rows = lines.map((line) => {
    const { number, campaign, country, kind, unit, units, price } = line;
    const what = [line.from, line.to, number, campaign, country, kind, String(line.messages), unit, String(units)];
    return [...what, price ?? '', line.cost ?? '', line.cost === null ? '' : (currency ?? '')];
  });
  const last = [from, to, 'total', '', '', '', String(messages), '', '', '', cost ?? '', currency ?? ''];
  return byteOrderMark + [header, ...rows, last].map((cells) => `${cells.map(csvCell).join(',')}\r\n`).join('');
}

function microsOfLine({ kind, units, rate }: StatementLine): bigint | null {
  if (rate === null) return null;
  const [smsSegments, mmsMessages] = kind === 'SMS' ? [units, 0] : [0, units];
  return costOf({ smsMessages: 0, smsSegments, mmsMessages }, rate);
}
