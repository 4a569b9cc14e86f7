/**
 * Contacts as people and files give them: validated, and as CSV (RFC 4180), one line each, tags separated by semicolons. Every
 * export can be imported.
 */

import { numberForm } from '../../http/list-query.ts';
import { csvCell, plainCell, readCsv } from '../../kernel/csv.ts';
import { type Contact, contactLimits, tidy, tidyTags } from '../../model/contact.ts';
import type { ContactChange } from './store/module.ts';

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
  const table = readCsv(text);
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

export function contactCsv(contacts: readonly Contact[], withHeader: boolean): string {
  const lines = contacts.map(({ contact, name, note, tags }) =>
    [contact, name, note, tags.join(';')].map(csvCell).join(','),
  );
  return (withHeader ? [contactColumns.join(','), ...lines] : lines).map((line) => `${line}\r\n`).join('');
}

export const badNumber = 'A contact is named by its number: 1 to 15 digits with country code.';

/** The values, tidied; or a sentence about the fault. */
export function changeOf({
  contact,
  name,
  note,
  tags,
}: ContactEntry): Omit<ContactChange, 'accountId' | 'at'> | string {
  const number = numberOf(contact);
  if (number === null) return badNumber;
  const given = {
    ...(name !== undefined && { name: tidy(name) }),
    ...(note !== undefined && { note: note.replaceAll('\r\n', '\n').trim() }),
    ...(tags !== undefined && { tags: tidyTags(tags) }),
  };
  if ((given.name ?? '').length > contactLimits.name) return `A name has at most ${contactLimits.name} characters.`;
  if ((given.note ?? '').length > contactLimits.note) return `A note has at most ${contactLimits.note} characters.`;
  if ((given.tags ?? []).length > contactLimits.tags) return `A contact has at most ${contactLimits.tags} tags.`;
  if (given.tags?.some((tag) => tag.length > contactLimits.tag || /[;,]/.test(tag))) {
    return `A tag has at most ${contactLimits.tag} characters, and neither comma nor semicolon.`;
  }
  const texts = [given.name ?? '', given.note ?? '', ...(given.tags ?? [])];
  if (texts.some((text) => text.includes('\0') || !text.isWellFormed())) return 'There is an invalid character in it.';
  return { contact: number, ...given };
}

/** Digits only; people write numbers in groups. */
export function numberOf(text: string): string | null {
  const digits = text.replaceAll(/[\s()+./-]/g, '');
  return numberForm.test(digits) ? digits : null;
}
