// "Smart encoding": typographic characters are replaced by the GSM-7 characters they look like, so that a text stays in
// GSM-7. Never changes letters (no Greek or Cyrillic twins, no accents removed) or numbers (½ in "1½" is not 1/2).

import { graphemes } from './grapheme.ts';
import { countSeptets } from './gsm7.ts';

export interface Replacement {
  readonly from: string;
  /** '' when `from` is invisible. */
  readonly to: string;
  /** UTF-16 offset of `from` in the original text. */
  readonly index: number;
}

/** GSM-7 text, and the code points (hex) that look like it. */
const ROWS: readonly (readonly [string, string])[] = [
  ["'", '60 b4 2b9 2bb 2bc 2bd 2c8 2ca 2cb 2018 2019 201a 201b 2032 2035 2039 203a 275b 275c'],
  ['"', 'ab bb 2ba 2ee 201c 201d 201e 201f 2033 2036 275d 275e 301d 301e 301f'],
  ['-', '2010 2011 2012 2013 2014 2015 2022 2043 2212 fe58 fe63'],
  ['...', '2026'],
  ['..', '2025'],
  ['.', '2024'],
  ['!!', '203c'],
  ['/', '2044 2215'],
  ['\\', '2216'],
  ['|', '2223'],
  ['*', '204e 2217'],
  ['^', '2c6'],
  ['~', '2dc 223c'],
  ['ff', 'fb00'],
  ['fi', 'fb01'],
  ['fl', 'fb02'],
  ['ffi', 'fb03'],
  ['ffl', 'fb04'],
  [' ', '9 a0 1680 2000 2001 2002 2003 2004 2005 2006 2007 2008 2009 200a 202f 205f 3000'],
  ['\n', 'b 85 2028 2029'],
  // Invisible: soft hyphen, zero-width spaces and joiners, direction marks pasted along with telephone numbers. Not the
  // overrides U+202D and U+202E: they change the visible text.
  ['', 'ad 200b 200c 200d 200e 200f 202a 202b 202c 2060 2066 2067 2068 2069 feff'],
];

const LOOK_ALIKES = buildLookAlikes();

function buildLookAlikes(): ReadonlyMap<string, string> {
  const table = new Map<string, string>();
  for (const [to, codePoints] of ROWS) {
    for (const hex of codePoints.split(' ')) table.set(String.fromCodePoint(Number.parseInt(hex, 16)), to);
  }
  // U+FF01-U+FF5E are the fullwidth forms of ASCII 0x21-0x7E; the fullwidth ` becomes an apostrophe like the plain one.
  for (let ascii = 0x21; ascii <= 0x7e; ascii++) {
    const plain = String.fromCharCode(ascii);
    table.set(String.fromCharCode(ascii + 0xfee0), table.get(plain) ?? plain);
  }
  return table;
}

/** Longer graphemes (a letter with many accents) have no look-alike in GSM-7, and composing them costs too much. */
const GRAPHEME_LENGTH_MAX = 16;

/** The GSM-7 text that looks like this grapheme, '' when it is invisible; `undefined` when none does. */
export function lookAlike(grapheme: string): string | undefined {
  if (grapheme.length > GRAPHEME_LENGTH_MAX) return undefined;
  let like = '';
  // NFC: e + U+0301 looks the same as é, which is in GSM-7.
  for (const character of grapheme.normalize('NFC')) {
    const replaced = countSeptets(character) === undefined ? LOOK_ALIKES.get(character) : character;
    if (replaced === undefined) return undefined;
    like += replaced;
  }
  return like;
}

/**
 * Replaces every character outside GSM-7 by its look-alike. All or nothing: when one has none, or nothing visible would
 * be left, the text is returned unchanged with no replacements. Opt-in only: the recipient reads another text than the
 * author wrote.
 */
export function replaceLookAlikes(text: string): { text: string; replacements: readonly Replacement[] } {
  if (countSeptets(text) !== undefined) return { text, replacements: [] };
  const replacements: Replacement[] = [];
  let replaced = '';
  for (const { segment, index } of graphemes(text)) {
    if (countSeptets(segment) !== undefined) {
      replaced += segment;
      continue;
    }
    const to = lookAlike(segment);
    if (to === undefined) return { text, replacements: [] };
    replaced += to;
    replacements.push({ from: segment, to, index });
  }
  return replaced === '' ? { text, replacements: [] } : { text: replaced, replacements };
}
