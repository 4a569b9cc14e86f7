/** Contacts as CSV (RFC 4180): one line each, tags separated by semicolons. Every export can be imported. */
import { csvCell } from '../../kernel/csv.ts';
import { readCsv } from '../../messaging/consent/opt-out-file.ts';
import type { Contact } from '../../model/contact.ts';

/** A contact in a file; fields that are left out do not change. */
export interface ContactEntry {
  contact: string;
  name?: string;
  note?: string;
  tags?: string[];
}

/** Entries of one import. */
export const contactEntriesMax = 10_000;

export const contactColumns = ['contact', 'name', 'note', 'tags'] as const;

/** The entries of a file, or the sentence about its fault. Columns with other names are ignored. */
export function readContactCsv(text: string): ContactEntry[] | string {
  const table = readCsv(text.startsWith('\ufeff') ? text.slice(1) : text);
  if (typeof table === 'string') return table;
  const [header = [], ...rows] = table;
  const names = header.map((name) => name.trim().toLowerCase());
  if (new Set(names).size < names.length) return 'two columns have the same name';
  const [contactAt, nameAt, noteAt, tagsAt] = contactColumns.map((column) => names.indexOf(column));
  if (contactAt === -1 || Math.max(nameAt!, noteAt!, tagsAt!) === -1) {
    return 'the first line must name the column contact, and name, note or tags';
  }
  if (rows.length > contactEntriesMax) return `the file has more than ${contactEntriesMax} entries; split it`;
  const short = rows.findIndex((row) => row.length !== names.length);
  if (short !== -1) return `entry ${short + 1} has ${rows[short]!.length} cells; the first line has ${names.length}`;
  return rows.map((row) => ({
    contact: row[contactAt!]!,
    ...(nameAt !== -1 && { name: plainCell(row[nameAt!]!) }),
    ...(noteAt !== -1 && { note: plainCell(row[noteAt!]!) }),
    ...(tagsAt !== -1 && { tags: plainCell(row[tagsAt!]!).split(';') }),
  }));
}

/** Removes the apostrophe that an export puts before a formula. */
function plainCell(cell: string): string {
  return /^'\s*[=+\-@＝＋－＠]/.test(cell) ? cell.slice(1) : cell;
}

export function contactCsv(contacts: readonly Contact[], withHeader: boolean): string {
  const lines = contacts.map(({ contact, name, note, tags }) =>
    [contact, name, note, tags.join(';')].map(csvCell).join(','),
  );
  return (withHeader ? [contactColumns.join(','), ...lines] : lines).map((line) => `${line}\r\n`).join('');
}
