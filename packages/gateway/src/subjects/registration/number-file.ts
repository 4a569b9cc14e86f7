/** Reads numbers from CSV (RFC 4180), in the portal's export format. Checks the form only. */
import { plainCell, readCsv } from '../../kernel/csv.ts';
import { type NumberChange, senderIn } from './numbers.ts';

/** The most entries of a file. */
export const numberEntriesMax = 500;

export interface NumberEntry {
  /** 1 = the first after the column names. */
  entry: number;
  number: string;
  /** Only the fields in the file. */
  change: NumberChange;
  /** Unreadable cells; such an entry changes nothing. */
  fault: string | null;
}

const columns = ['number', 'name', 'sms', 'mms', 'campaign', 'messages_per_second'] as const;
type Column = (typeof columns)[number];

/** The entries, or the fault of the whole file. Columns with other names are ignored. */
export function readNumberCsv(text: string): NumberEntry[] | string {
  const table = readCsv(text);
  if (typeof table === 'string') return table;
  const [header = [], ...rows] = table;
  const names = header.map((name) => name.trim().toLowerCase());
  if (!names.includes('number')) return 'the first line must name its columns; one of them is number';
  if (new Set(names).size < names.length) return 'two columns have the same name';
  if (rows.length > numberEntriesMax) return `the file has more than ${numberEntriesMax} entries; split it`;
  const short = rows.findIndex((row) => row.length !== names.length);
  if (short >= 0) return `entry ${short + 1} has ${rows[short]!.length} cells; the first line has ${names.length}`;
  return rows.map((row, index) => {
    const cells = new Map(
      columns.flatMap((name) => (names.includes(name) ? [[name, row[names.indexOf(name)]!]] : [])) as [
        Column,
        string,
      ][],
    );
    return entryOf(index + 1, cells);
  });
}

function entryOf(entry: number, cells: ReadonlyMap<Column, string>): NumberEntry {
  const change: NumberChange = {};
  const faults: string[] = [];
  const cell = (name: Column): string => plainCell((cells.get(name) ?? '').trim());
  const flag = (name: 'sms' | 'mms', field: 'smsEnabled' | 'mmsEnabled'): void => {
    const word = cell(name).toLowerCase();
    if (word === '') return;
    if (!(word in flags)) faults.push(`${name} must be true or false`);
    else change[field] = flags[word]!;
  };
  flag('sms', 'smsEnabled');
  flag('mms', 'mmsEnabled');
  // Without SMS there is no MMS, whatever the file says.
  if (change.smsEnabled === false) delete change.mmsEnabled;
  if (cells.has('name')) change.name = cell('name');
  if (cells.has('campaign')) change.campaignId = cell('campaign') || null;
  const rate = cell('messages_per_second');
  if (/^\d{1,5}$/.test(rate) && Number(rate) <= 10_000) change.messagesPerSecond = Number(rate);
  else if (rate !== '') faults.push('messages_per_second must be a whole number, 0 to 10000');
  if ((change.name ?? '').length > 64) faults.push('name has more than 64 characters');
  const number = senderIn(cell('number'));
  if (number === '') faults.push('number is missing');
  return { entry, number, change, fault: faults.length === 0 ? null : `${faults.join('; ')}.` };
}

const flags: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  on: true,
  1: true,
  false: false,
  no: false,
  off: false,
  0: false,
};
