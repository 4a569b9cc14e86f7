// The alphabets of the national language tables (3GPP TS 23.038 §6.2.1.2 and Annex A): a locking shift table replaces
// the default alphabet, a single shift table replaces its extension. One septet in each octet, as in SMPP.

import { DEFAULT_ALPHABET, ESCAPE, EXTENSION } from './gsm7.ts';
import { indicLocking, indicSingle, lastLatin, nationalRuns, type TableRuns } from './national-tables.ts';

/** Numbers of 23.038 §6.2.1.2.4; 0 is the default table. */
export interface NationalShift {
  readonly locking: number;
  readonly single: number;
}

type Table = ReadonlyMap<number, string>;

interface Tables {
  readonly locking: Table;
  readonly single: Table;
}

/** The languages' names by their numbers. */
export const nationalLanguages: readonly string[] = nationalRuns.map(([name]) => name);

const made = new Map<number, Tables>();

/** Null for an undefined number, whose element must be ignored (23.040 §9.2.3.24.15). */
function tablesOf(language: number): Tables | null {
  if (nationalRuns[language] === undefined) return null;
  let tables = made.get(language);
  if (tables === undefined) {
    const [, locking, single] = nationalRuns[language];
    const isLatin = language <= lastLatin;
    tables = {
      locking: isLatin ? readRuns(locking, defaultTable) : readRuns(locking, readRuns(indicLocking)),
      single: isLatin ? readRuns(single, EXTENSION) : readRuns(single, readRuns(indicSingle)),
    };
    made.set(language, tables);
  }
  return tables;
}

const defaultTable: Table = new Map(
  [...DEFAULT_ALPHABET].map((character, code) => [code, character] as const).filter(([code]) => code !== ESCAPE),
);

function readRuns(runs: TableRuns, base: Table = new Map()): Table {
  const table = new Map(base);
  for (const run of runs === '' ? [] : runs.split('; ')) {
    const [start, points] = run.split(': ') as [string, string];
    let code = Number.parseInt(start, 16);
    for (const range of points.split(' ')) {
      const [first, last = first] = range.split('-').map((hex) => Number.parseInt(hex, 16)) as [number, number?];
      for (let point = first; point <= last; point++) table.set(code++, String.fromCodePoint(point));
    }
  }
  return table;
}

/**
 * Unpacked septets to text by these tables. Never fails: a code in no table becomes U+FFFD, one that only the locking
 * shift table has after an escape becomes that character, ESC ESC and a lone last ESC become one space (23.038
 * §6.2.1.1).
 */
export function decodeNational(octets: Uint8Array, shift: NationalShift): string {
  const { locking } = tablesOf(shift.locking) ?? tablesOf(0)!;
  const { single } = tablesOf(shift.single) ?? tablesOf(0)!;
  let text = '';
  for (let i = 0; i < octets.length; i++) {
    const code = octets[i]!;
    if (code !== ESCAPE) text += locking.get(code) ?? '\ufffd';
    else text += escaped(octets[++i], locking, single);
  }
  return text;
}

function escaped(code: number | undefined, locking: Table, single: Table): string {
  if (code === undefined || code === ESCAPE) return ' ';
  return single.get(code) ?? locking.get(code) ?? '\ufffd';
}

/**
 * The tables named in a user data header: single shift 0x24, locking shift 0x25; the last of each counts. Null when
 * neither is there.
 */
export function readShift(
  elements: readonly { readonly id: number; readonly data: Uint8Array }[],
): NationalShift | null {
  const last = (id: number): number | undefined =>
    elements.findLast((element) => element.id === id && element.data.length === 1)?.data[0];
  const [single, locking] = [last(singleShift), last(lockingShift)];
  return single === undefined && locking === undefined ? null : { locking: locking ?? 0, single: single ?? 0 };
}

const singleShift = 0x24;
const lockingShift = 0x25;

/** False for a number that the standard does not define: the text was decoded without it. */
export function isKnownShift({ locking, single }: NationalShift): boolean {
  return nationalRuns[locking] !== undefined && nationalRuns[single] !== undefined;
}

/** Character to its code: its septet, or ESC << 8 and the septet of the single shift table. */
type Codes = ReadonlyMap<string, number>;

const codesMade = new Map<number, Codes>();

/**
 * Form feed and characters in no table cannot be written; a character in both tables has the shorter code of the
 * locking table.
 */
function codesOf({ locking, single }: NationalShift): Codes {
  const key = locking * 256 + single;
  let codes = codesMade.get(key);
  if (codes === undefined) {
    const made = new Map<string, number>();
    for (const [code, character] of tablesOf(single)?.single ?? []) made.set(character, (ESCAPE << 8) | code);
    for (const [code, character] of tablesOf(locking)?.locking ?? []) made.set(character, code);
    codes = made;
    codesMade.set(key, codes);
  }
  return codes;
}

/** Septets that the UTF-16 unit at `index` takes in these tables; 0 when they lack it. */
export function nationalWidth(text: string, index: number, shift: NationalShift): 0 | 1 | 2 {
  const code = codesOf(shift).get(text[index]!);
  if (code === undefined) return 0;
  return code > 0x7f ? 2 : 1;
}

/** Septets that the whole text takes in these tables; undefined when they lack one of its characters. */
export function countNational(text: string, shift: NationalShift): number | undefined {
  let septets = 0;
  for (let i = 0; i < text.length; i++) {
    const width = nationalWidth(text, i, shift);
    if (width === 0) return undefined;
    septets += width;
  }
  return septets;
}

/** Encodes a text that `countNational` has counted, as unpacked septets. */
export function encodeNational(text: string, shift: NationalShift): Uint8Array {
  const codes = codesOf(shift);
  const septets: number[] = [];
  for (const character of text) {
    const code = codes.get(character)!;
    if (code > 0x7f) septets.push(ESCAPE);
    septets.push(code & 0x7f);
  }
  return Uint8Array.from(septets);
}

/** The elements that name the tables in a user data header: three octets for each table other than the default. */
export function shiftElements({ locking, single }: NationalShift): Uint8Array {
  return Uint8Array.from([
    ...(locking === 0 ? [] : [lockingShift, 1, locking]),
    ...(single === 0 ? [] : [singleShift, 1, single]),
  ]);
}

/**
 * The tables of these languages (by name) in which a text takes the fewest septets, header included; null when none has
 * all of its characters. Spanish has no locking shift table.
 */
export function chooseShift(text: string, languages: readonly string[]): NationalShift | null {
  const numbers = languages.map((name) => nationalLanguages.indexOf(name)).filter((number) => number > 0);
  const locks = [0, ...numbers.filter((number) => nationalRuns[number]![1] !== '')];
  let best: { shift: NationalShift; septets: number } | null = null;
  for (const locking of locks) {
    for (const single of [0, ...numbers]) {
      const shift = { locking, single };
      const text7 = countNational(text, shift);
      if (text7 === undefined) continue;
      const septets = text7 + Math.ceil((shiftElements(shift).length * 8) / 7);
      if (best === null || septets < best.septets) best = { shift, septets };
    }
  }
  return best?.shift ?? null;
}
