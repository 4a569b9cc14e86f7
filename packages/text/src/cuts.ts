// Cuts a text into parts. Greedy, which also gives the fewest parts. Never cuts an escape pair or a surrogate pair, nor
// a grapheme unless it alone is longer than a part.

import { graphemeFinder, graphemes, surelyApart } from './grapheme.ts';
import { septetWidth } from './gsm7.ts';
import { type NationalShift, nationalWidth } from './national.ts';

const CR = 0x0d;
const LF = 0x0a;

/** One part's range in the text. */
export interface Span {
  /** UTF-16 offsets, `end` not included. */
  readonly start: number;
  readonly end: number;
  /** Septets with escapes, or UTF-16 units. */
  readonly units: number;
}

/**
 * Cuts a text that is all GSM-7; `capacity` in septets. CR LF is the only grapheme here with more than one character,
 * so no segmenter is needed.
 */
export function cutGsm7(text: string, capacity: number): Span[] {
  const spans: Span[] = [];
  let start = 0;
  let units = 0;
  for (let i = 0; i < text.length; i++) {
    const lineEnd = text.charCodeAt(i) === CR && text.charCodeAt(i + 1) === LF;
    const width = lineEnd ? 2 : septetWidth(text, i);
    if (units + width > capacity) {
      spans.push({ start, end: i, units });
      start = i;
      units = 0;
    }
    units += width;
    if (lineEnd) i++;
  }
  spans.push({ start, end: text.length, units });
  return spans;
}

/** Cuts a text whose characters are all in the tables of `shift`; `capacity` in septets. */
export function cutNational(text: string, capacity: number, shift: NationalShift): Span[] {
  const spans: Span[] = [];
  let start = 0;
  let units = 0;
  const add = (index: number, width: number): void => {
    if (units + width > capacity) {
      spans.push({ start, end: index, units });
      start = index;
      units = 0;
    }
    units += width;
  };
  for (const { segment, index } of graphemes(text)) {
    const widths = Array.from(segment, (_, i) => nationalWidth(text, index + i, shift) as number);
    const whole = widths.reduce((sum, width) => sum + width, 0);
    if (whole <= capacity) add(index, whole);
    else for (const [i, width] of widths.entries()) add(index + i, width);
  }
  spans.push({ start, end: text.length, units });
  return spans;
}

/** Cuts any text; `capacity` in UTF-16 units. */
export function cutUcs2(text: string, capacity: number): Span[] {
  const spans: Span[] = [];
  const graphemeAt = graphemeFinder(text);
  let start = 0;
  while (text.length - start > capacity) {
    let end = start + capacity;
    if (!surelyApart(text, end)) {
      const { segment, index } = graphemeAt(end);
      if (segment.length <= capacity) end = index;
      else if (insideSurrogatePair(text, end)) end--;
    }
    spans.push({ start, end, units: end - start });
    start = end;
  }
  spans.push({ start, end: text.length, units: text.length - start });
  return spans;
}

function insideSurrogatePair(text: string, index: number): boolean {
  return (text.charCodeAt(index - 1) & 0xfc00) === 0xd800 && (text.charCodeAt(index) & 0xfc00) === 0xdc00;
}
