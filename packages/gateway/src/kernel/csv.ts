/**
 * CSV for spreadsheets (RFC 4180), UTF-8 with a byte order mark. A cell that a spreadsheet would read as a formula gets
 * an apostrophe in front.
 */

/**
 * `= + - @` begin formulas; some spreadsheets drop a tab or carriage return before they check. A cell that has an
 * apostrophe already gets one more, or `plainCell` would take away its own.
 */
const formula = /^'*\s*[=+\-@\t\r＝＋－＠]/;

export function csvCell(text: string): string {
  const safe = formula.test(text) && !/^-?\d+(?:\.\d+)?$/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) || safe !== text ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The text of a cell that `csvCell` wrote: without the apostrophe before a formula. */
export function plainCell(cell: string): string {
  return cell.startsWith("'") && formula.test(cell.slice(1)) ? cell.slice(1) : cell;
}
