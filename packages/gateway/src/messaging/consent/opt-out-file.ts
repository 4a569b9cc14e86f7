/** Reads and writes opt-outs as CSV (RFC 4180). Checks the form of a file only. */
import type { OptOut } from '../store/items.ts';

/** An entry as users write it. Exactly one of `scope`, `campaign` and `number` says where it applies. */
export interface OptOutEntry {
  /** Digits, E.164 without plus. */
  contact: string;
  /** `campaign:ID` or `number:DIGITS`. */
  scope?: string;
  campaign?: string;
  number?: string;
  /** 3–200 characters. */
  reason: string;
}

/** Maximum entries of one import. */
export const entriesMax = 10_000;
/** Maximum characters of one cell; no field of an entry is longer. */
const cellMax = 1_000;

export type ReadEntries = { kind: 'entries'; entries: OptOutEntry[] } | { kind: 'unreadable'; detail: string };

const columns = ['contact', 'scope', 'campaign', 'number', 'reason', 'how', 'at'] as const;

/**
 * Entries of a CSV file. The first line names the columns (`contact`, `reason`, and one or more of `scope`, `campaign`,
 * `number`); other columns are ignored. An empty cell counts as absent. For an exported entry without a reason, its
 * `how` and `at` become the reason, so that every export can be read again.
 */
export function readOptOutCsv(text: string): ReadEntries {
  const table = readCsv(text.startsWith('\ufeff') ? text.slice(1) : text);
  if (typeof table === 'string') return { kind: 'unreadable', detail: table };
  const [header = [], ...rows] = table;
  const names = header.map((name) => name.trim().toLowerCase());
  if (new Set(names).size < names.length) return unreadable('two columns have the same name');
  if (!names.includes('contact') || !names.includes('reason')) {
    return unreadable('the first line must name the columns contact and reason, and scope, campaign or number');
  }
  if (rows.length > entriesMax) return unreadable(`the file has more than ${entriesMax} entries; split it`);
  const places = columns.map((name) => [name, names.indexOf(name)] as const).filter(([, place]) => place >= 0);
  const entries: OptOutEntry[] = [];
  for (const [index, row] of rows.entries()) {
    if (row.length !== names.length) {
      return unreadable(`entry ${index + 1} has ${row.length} cells; the first line has ${names.length}`);
    }
    const given = places.map(([name, place]) => [name, row[place]!.trim()]).filter(([, value]) => value !== '');
    const { how, at, ...entry } = Object.fromEntries(given);
    // Spreadsheet tables may have their numbers in groups.
    const contact = (entry.contact ?? '').replaceAll(' ', '');
    entries.push({ reason: [how, at].filter(Boolean).join(', '), ...entry, contact });
  }
  return { kind: 'entries', entries };
}

/** A whole file, or pages of one: the first with its header line. Lines end in CRLF. */
export function optOutCsv(rows: readonly OptOut[], withHeader = true): string {
  const lines = rows.map(({ contact, scope, how, at, reason, evidenceMessageId }) =>
    [contact, scope, how, new Date(at).toISOString(), reason, evidenceMessageId ?? ''].map(csvCell).join(','),
  );
  const all = withHeader ? ['contact,scope,how,at,reason,evidenceMessageId', ...lines] : lines;
  return all.map((line) => `${line}\r\n`).join('');
}

/** One cell. A value that a spreadsheet would treat as a formula gets a leading apostrophe, so that it stays text. */
export function csvCell(value: string): string {
  const safe = /^[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠]|^[\t\r\n]/u.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Rows of cells, without empty lines; or the file's fault as a sentence. Never more than `entriesMax` + 2 rows. */
export function readCsv(text: string): string[][] | string {
  // One cell and its terminator; every match takes at least one character or ends the text.
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|\n|\r|$)/y;
  const table: string[][] = [];
  let row: string[] = [];
  while (cell.lastIndex < text.length || row.length > 0) {
    const found = cell.exec(text);
    if (found === null) return `row ${table.length + 1}: a quote stands where none may`;
    const value = found[1]?.replaceAll('""', '"') ?? found[2]!;
    if (value.length > cellMax) return `row ${table.length + 1}: a cell has more than ${cellMax} characters`;
    row.push(value);
    if (found[3] === ',') continue;
    if (row.length > 1 || row[0] !== '') table.push(row);
    row = [];
    if (table.length > entriesMax + 1) break;
  }
  return table;
}

function unreadable(detail: string): ReadEntries {
  return { kind: 'unreadable', detail };
}
