/** Reads and writes opt-outs as CSV (RFC 4180). Checks the form of a file only. */
import { csvCell, plainCell, readCsv } from '../../kernel/csv.ts';
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

export type ReadEntries = { kind: 'entries'; entries: OptOutEntry[] } | { kind: 'unreadable'; detail: string };

const columns = ['contact', 'scope', 'campaign', 'number', 'reason', 'how', 'at'] as const;

/**
 * Entries of a CSV file. The first line names the columns (`contact`, `reason`, and one or more of `scope`, `campaign`,
 * `number`); other columns are ignored. An empty cell counts as absent. For an exported entry without a reason, its
 * `how` and `at` become the reason, so that every export can be read again.
 */
export function readOptOutCsv(text: string): ReadEntries {
  const table = readCsv(text);
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
    const given = places
      .map(([name, place]) => [name, plainCell(row[place]!).trim()])
      .filter(([, value]) => value !== '');
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

function unreadable(detail: string): ReadEntries {
  return { kind: 'unreadable', detail };
}
