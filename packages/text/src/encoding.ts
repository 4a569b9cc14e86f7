// Chooses the encoding of a text, and finds characters that need UCS-2. Never changes or normalises the text: e +
// U+0301 stays two code points and requires UCS-2.

import { graphemes } from './grapheme.ts';
import { countSeptets } from './gsm7.ts';
import { lookAlike } from './look-alikes.ts';

export type Encoding = 'GSM-7' | 'UCS-2';

/** One distinct character (grapheme) that is not in GSM-7. */
export interface ForcingCharacter {
  /** The character as in the text; several code points for an emoji family or a letter with a combining accent. */
  readonly text: string;
  readonly codePoints: readonly number[];
  /** UTF-16 offsets of its first unit, in rising order; it spans `text.length` units from there. */
  readonly indexes: readonly number[];
  /** Its replacement in GSM-7, '' when it is invisible; `undefined` when it has none. */
  readonly lookAlike: string | undefined;
}

/** GSM-7 when every character is in the default alphabet or its extension table, else UCS-2. */
export function chooseEncoding(text: string): Encoding {
  return countSeptets(text) === undefined ? 'UCS-2' : 'GSM-7';
}

/**
 * The characters that need UCS-2, in order of first appearance; [] when there are none. Reports only the first
 * `positionsMax` places, so the answer stays small for a text in another script.
 */
export function forcingCharacters(text: string, positionsMax = 100): readonly ForcingCharacter[] {
  if (countSeptets(text) !== undefined) return [];
  const found = new Map<string, ForcingCharacter & { indexes: number[] }>();
  let positions = 0;
  for (const { segment, index } of graphemes(text)) {
    if (countSeptets(segment) !== undefined) continue;
    if (positions++ === positionsMax) break;
    const known = found.get(segment);
    if (known) known.indexes.push(index);
    else {
      const codePoints = Array.from(segment, (character) => character.codePointAt(0)!);
      found.set(segment, { text: segment, codePoints, indexes: [index], lookAlike: lookAlike(segment) });
    }
  }
  return [...found.values()];
}
