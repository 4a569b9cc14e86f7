/**
 * A monthly statement as a table (CSV, RFC 4180): a line for each number, campaign, kind and country, and for each price
 * within the month; the total last. Text only; every cost is units times price, exactly.
 */
import { costOf, decimalOf } from '../../domain/rates.ts';
import type { Rate } from '../../domain/records.ts';
import type { DayRange, UsageLine } from '../../domain/usage.ts';
import { csvCell } from '../opt-out-file.ts';

/** Of the days in which one rate is in force; null = none is. */
export interface StatementLine extends UsageLine, DayRange {
  rate: Rate | null;
}

const header = 'from,to,number,campaign,country,kind,messages,unit,units,price,cost,currency'.split(',');
/** By this mark spreadsheets know UTF-8. */
const byteOrderMark = '\ufeff';

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
