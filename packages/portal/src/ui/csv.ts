/**
 * A table as CSV (RFC 4180): UTF-8 with a byte order mark for spreadsheets; values that they would read as formulas
 * begin with an apostrophe.
 */
import { timeZone } from '../api/time-zone';

export type Cell = string | number | boolean | null;

export function csvText(lines: readonly (readonly Cell[])[]): string {
  return `\uFEFF${lines.map((line) => line.map(cellText).join(',')).join('\r\n')}\r\n`;
}

function cellText(value: Cell): string {
  const text = String(value ?? '');
  const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A time for two columns: ISO 8601 in UTC, and local time in the zone of the pages. */
export function momentCells(at: string | null): [string, string] {
  if (at === null) return ['', ''];
  const local = new Intl.DateTimeFormat('sv-SE', { timeZone: timeZone(), dateStyle: 'short', timeStyle: 'medium' });
  return [at, local.format(new Date(at))];
}
