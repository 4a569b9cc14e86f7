/** Usage and cost of an account: sums, and lines of a monthly statement. Costs are exact; nothing is rounded. */
import type { Clock } from '../../kernel/clock.ts';
import { csvCell } from '../../messaging/consent/opt-out-file.ts';
import type { Directory } from '../../model/directory.ts';
import { costOf, decimalOf, stretches } from '../../model/rates.ts';
import type { Rate } from '../../model/records.ts';
import {
  type DayRange,
  dayOf,
  type UsageFigures,
  type UsageGrouping,
  type UsageLine,
  type UsageOwner,
} from '../../model/usage.ts';
import type { UsageStore } from './store/module.ts';

/** Lines of one statement; a month of ten thousand numbers has fewer. */
export const statementLinesMax = 50_000;

export interface CostedFigures extends UsageFigures {
  /** Decimal text; null for an account without rates. */
  cost: string | null;
  /** Messages of days before the first rate: counted, and in no cost. */
  unpricedMessages: number;
}

export interface UsageQuery extends DayRange {
  groupBy: UsageGrouping;
  /** Groups behind this name; null = from the first. */
  after: string | null;
  limit: number;
}

export interface UsageReport {
  /** Null for an account without rates. */
  currency: string | null;
  /** Of all groups, also of those on other pages. */
  total: CostedFigures;
  /** By name; '' where there is none. */
  groups: (CostedFigures & { name: string })[];
  /** The last name, when there are more groups. */
  next: string | null;
}

export interface UsageService {
  /** Today, as usage counts days. */
  today(): string;
  read(owner: UsageOwner, query: UsageQuery): Promise<UsageReport>;
  /** A table (CSV), or null when it would have more than `statementLinesMax` lines. */
  statement(owner: UsageOwner, month: DayRange): Promise<string | null>;
}

export interface UsageServiceParts {
  clock: Pick<Clock, 'now'>;
  store: Pick<UsageStore, 'usage' | 'usageTotal' | 'usageLines'>;
  directory(): Directory;
}

/** Figures of the stretches of one rate each. */
interface Priced {
  rate: Rate | null;
  figures: UsageFigures;
}

export function createUsageService({ clock, store, directory }: UsageServiceParts): UsageService {
  const ratesOf = ({ accountId }: UsageOwner) => directory().account(accountId)?.rates ?? [];

  async function read(owner: UsageOwner, { from, to, ...query }: UsageQuery): Promise<UsageReport> {
    const rates = ratesOf(owner);
    const totals: Priced[] = [];
    const groups = new Map<string, Priced[]>();
    for (const { rate, ...days } of stretches({ from, to }, rates)) {
      totals.push({ rate, figures: await store.usageTotal({ ...owner, ...days }) });
      // The first groups of all stretches are among the first of each.
      for (const { name, ...figures } of await store.usage({ ...owner, ...days, ...query, limit: query.limit + 1 })) {
        groups.set(name, [...(groups.get(name) ?? []), { rate, figures }]);
      }
    }
    const names = [...groups.keys()].sort((a, b) => (a < b ? -1 : 1));
    const shown = names.slice(0, query.limit);
    return {
      currency: rates[0]?.currency ?? null,
      total: costed(totals, rates),
      groups: shown.map((name) => ({ name, ...costed(groups.get(name) ?? [], rates) })),
      next: names.length > shown.length ? (shown.at(-1) ?? null) : null,
    };
  }

  async function statement(owner: UsageOwner, month: DayRange): Promise<string | null> {
    const lines: StatementLine[] = [];
    for (const { rate, from, to } of stretches(month, ratesOf(owner))) {
      const limit = statementLinesMax + 1 - lines.length;
      const found = await store.usageLines({ ...owner, from, to, limit });
      lines.push(...found.map((line) => ({ ...line, from, to, rate })));
      if (lines.length > statementLinesMax) return null;
    }
    return statementCsv(month, lines);
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

/** Of the days in which one rate is in force; null = none is. */
export interface StatementLine extends UsageLine, DayRange {
  rate: Rate | null;
}

const header = 'from,to,number,campaign,country,kind,messages,unit,units,price,cost,currency'.split(',');
/** By this mark spreadsheets know UTF-8. */
const byteOrderMark = '\ufeff';

/** CSV (RFC 4180): the lines, the total last. Every cost is units times price, exactly. */
export function statementCsv(month: DayRange, lines: readonly StatementLine[]): string {
  let messages = 0;
  let micros = 0n;
  const rows = lines.map((line) => {
    messages += line.messages;
    micros += microsOfLine(line) ?? 0n;
    return cellsOf(line);
  });
  const currency = lines.find(({ rate }) => rate !== null)?.rate?.currency ?? null;
  const total = currency === null ? ['', ''] : [decimalOf(micros), currency];
  const last = [month.from, month.to, 'total', '', '', '', String(messages), '', '', '', ...total];
  return byteOrderMark + [header, ...rows, last].map((cells) => `${cells.map(csvCell).join(',')}\r\n`).join('');
}

function cellsOf(line: StatementLine): string[] {
  const { from, to, number, campaign, country, kind, messages, units, rate } = line;
  const isSms = kind === 'SMS';
  const micros = microsOfLine(line);
  const priced =
    rate === null || micros === null
      ? ['', '', '']
      : [isSms ? rate.smsPerSegment : rate.mmsPerMessage, decimalOf(micros), rate.currency];
  const what = [from, to, number, campaign, country, kind];
  return [...what, String(messages), isSms ? 'segment' : 'message', String(units), ...priced];
}

function microsOfLine({ kind, units, rate }: StatementLine): bigint | null {
  if (rate === null) return null;
  const [smsSegments, mmsMessages] = kind === 'SMS' ? [units, 0] : [0, units];
  return costOf({ smsMessages: 0, smsSegments, mmsMessages }, rate);
}
