/** CSV as spreadsheets read and write it (RFC 4180), UTF-8 with or without a byte order mark. */

/** Rows that are read at most; the first of them names the columns. */
const rowsMax = 10_002;
/** Characters of a cell. */
const cellMax = 1_000;

/**
 * `= + - @` begin formulas; some spreadsheets drop spaces, tabs or line ends before they check. A cell that has an
 * apostrophe already gets one more, or `plainCell` would take away its own.
 */
const formula = /^'*(?:[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠]|[\t\r\n])/u;

/** One cell. What a spreadsheet would read as a formula gets an apostrophe in front, so that it stays text. */
export function csvCell(text: string): string {
  const safe = formula.test(text) && !/^-?\d+(?:\.\d+)?$/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) || safe !== text ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The text of a cell that `csvCell` wrote: without the apostrophe before a formula. */
export function plainCell(cell: string): string {
  return cell.startsWith("'") && formula.test(cell.slice(1)) ? cell.slice(1) : cell;
}

/** Where the decimal separator is a comma, spreadsheets write semicolons between columns. */
const semicolons = /^[^,;\r\n]*;[^,\r\n]*(?:[\r\n]|$)/;

/** One cell and its terminator; every match takes at least one character or ends the text. */
const cells = {
  ',': /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|\n|\r|$)/y,
  ';': /(?:"((?:[^"]|"")*)"|([^";\r\n]*))(;|\r\n|\n|\r|$)/y,
} as const;

/** Rows of cells, without empty lines; or the file's fault as a sentence. */
export function readCsv(file: string): string[][] | string {
  const text = file.startsWith('\ufeff') ? file.slice(1) : file;
  const separator = semicolons.test(text) ? ';' : ',';
  const cell = new RegExp(cells[separator]);
  const table: string[][] = [];
  let row: string[] = [];
  while (cell.lastIndex < text.length || row.length > 0) {
    const found = cell.exec(text);
    if (found === null) return `row ${table.length + 1}: a quote stands where none may`;
    const value = found[1]?.replaceAll('""', '"') ?? found[2]!;
    if (value.length > cellMax) return `row ${table.length + 1}: a cell has more than ${cellMax} characters`;
    row.push(value);
    if (found[3] === separator) continue;
    if (row.length > 1 || row[0] !== '') table.push(row);
    row = [];
    if (table.length >= rowsMax) break;
  }
  return table;
}
