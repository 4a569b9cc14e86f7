// Segments a text into the parts sent on the wire. The number of parts is the number of billed segments. Has no limit
// of its own: a concatenated message has at most 255 parts and products allow fewer, so the caller decides.

import { cutGsm7, cutNational, cutUcs2, type Span } from './cuts.ts';
import { type Encoding, type ForcingCharacter, forcingCharacters } from './encoding.ts';
import { countSeptets, encodeSeptets } from './gsm7.ts';
import { chooseShift, countNational, encodeNational, type NationalShift, shiftElements } from './national.ts';
import { encodeUcs2 } from './ucs2.ts';

/**
 * SMPP 3.4 §5.2.19 leaves it to the message centre. Latin-1 or ASCII carries a text if it has all its characters and plain GSM-7, which
 * counts the segments, has them too. Any other text needs UCS-2, so that no character changes.
 */
export type DefaultAlphabet = 'gsm' | 'latin1' | 'ascii';

const highestIn = { latin1: 0xff, ascii: 0x7f } as const;

export interface SegmentOptions {
  /** Size of the concatenation reference (concatUdh); it determines the capacity of a part. Default '8-bit'. */
  readonly reference?: '8-bit' | '16-bit';
  /** 'auto' (default): GSM-7 when possible. 'UCS-2': always. GSM-7 cannot be forced: check `encoding` of the result. */
  readonly encoding?: 'auto' | 'UCS-2';
  /** What the message centre's default alphabet is. Default 'gsm'; with another one no national table may be used. */
  readonly alphabet?: DefaultAlphabet;
  /** National languages (`nationalLanguages`) whose tables may be used where plain GSM-7 lacks a character. Default none. */
  readonly languages?: readonly string[];
}

export interface SegmentCount {
  readonly encoding: Encoding;
  /** Units of the whole text: septets with escapes (GSM-7) or UTF-16 units (UCS-2). */
  readonly units: number;
  /** Parts on the wire; 1 for the empty text. */
  readonly segments: number;
  /**
   * Units of each part: 160 or 70 for a single part, 153/152 or 67/66 for one of several; fewer with a national table.
   */
  readonly perPart: number;
  /** The national tables of its encoding, which the header of each part must name; absent = the default ones. */
  readonly shift?: NationalShift;
  /** Unused units of the last part. */
  readonly unitsLeft: number;
}

export interface Part {
  readonly text: string;
  readonly units: number;
  /** Without user data header. GSM-7: unpacked, one septet in each octet. UCS-2: UTF-16BE. */
  readonly octets: Uint8Array;
}

export interface Segmented extends SegmentCount {
  readonly parts: readonly Part[];
  /** The first hundred places that need UCS-2; computed at each read, because sending does not need it. */
  readonly forcing: readonly ForcingCharacter[];
}

/** 23.040 §9.2.3.24.1: 140 octets less a header of 6 or 7; as many septets as fit the rest. */
const CAPACITY = {
  'GSM-7': { single: 160, '8-bit': 153, '16-bit': 152 },
  'UCS-2': { single: 70, '8-bit': 67, '16-bit': 66 },
} as const;

/** The number of segments of a text, without building its parts. */
export function countSegments(text: string, options: SegmentOptions = {}): SegmentCount {
  const { encoding, units, perPart, spans, shift } = layOut(text, options);
  const unitsLeft = perPart - spans.at(-1)!.units;
  return { encoding, units, segments: spans.length, perPart, unitsLeft, ...(shift && { shift }) };
}

/** The parts of a text, ready to send, each after its concatUdh when there are several. */
export function segment(text: string, options: SegmentOptions = {}): Segmented {
  const { encoding, units, perPart, spans, shift } = layOut(text, options);
  const unitsLeft = perPart - spans.at(-1)!.units;
  const parts: Part[] = [];
  for (const span of spans) parts.push(shift ? nationalPart(text, span, shift) : buildPart(text, span, encoding));
  const segmented: Segmented = { encoding, units, segments: parts.length, perPart, unitsLeft, parts, forcing: [] };
  if (shift) return { ...segmented, shift };
  if (encoding === 'UCS-2') {
    Object.defineProperty(segmented, 'forcing', { get: () => forcingCharacters(text), enumerable: true });
  }
  return segmented;
}

interface Layout {
  readonly encoding: Encoding;
  readonly units: number;
  readonly perPart: number;
  readonly spans: readonly Span[];
  readonly shift?: NationalShift;
}

function layOut(text: string, options: SegmentOptions): Layout {
  const { reference = '8-bit', encoding: wanted = 'auto', alphabet = 'gsm', languages = [] } = options;
  const mayBeGsm7 = wanted === 'auto' && (alphabet === 'gsm' || hasAll(text, highestIn[alphabet]));
  const septets = mayBeGsm7 ? countSeptets(text) : undefined;
  if (septets === undefined && wanted === 'auto' && alphabet === 'gsm' && languages.length > 0) {
    const shift = chooseShift(text, languages);
    if (shift !== null) return layOutNational(text, shift, reference);
  }
  const encoding = septets === undefined ? 'UCS-2' : 'GSM-7';
  const units = septets ?? text.length;
  const capacity = CAPACITY[encoding];
  if (units <= capacity.single) {
    return { encoding, units, perPart: capacity.single, spans: [{ start: 0, end: text.length, units }] };
  }
  const perPart = capacity[reference];
  const spans = encoding === 'GSM-7' ? cutGsm7(text, perPart) : cutUcs2(text, perPart);
  return { encoding, units, perPart, spans };
}

function hasAll(text: string, highest: number): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > highest) return false;
  return true;
}

function layOutNational(text: string, shift: NationalShift, reference: '8-bit' | '16-bit'): Layout {
  const units = countNational(text, shift)!;
  const elements = shiftElements(shift).length;
  const national = { encoding: 'GSM-7', units, shift } as const;
  const single = septetsBeside(1 + elements);
  if (units <= single) return { ...national, perPart: single, spans: [{ start: 0, end: text.length, units }] };
  const perPart = septetsBeside((reference === '8-bit' ? 6 : 7) + elements);
  return { ...national, perPart, spans: cutNational(text, perPart, shift) };
}

/** 23.040 §9.2.3.24: septets that fit 140 octets beside a header, its length octet included. */
function septetsBeside(headerOctets: number): number {
  return Math.floor(((140 - headerOctets) * 8) / 7);
}

function nationalPart(text: string, { start, end, units }: Span, shift: NationalShift): Part {
  const own = text.slice(start, end);
  return { text: own, units, octets: encodeNational(own, shift) };
}

/** Octets come from the whole text, not from the slice, which is several times slower to read. */
function buildPart(text: string, { start, end, units }: Span, encoding: Encoding): Part {
  const octets = encoding === 'GSM-7' ? encodeSeptets(text, start, end, units) : encodeUcs2(text, start, end);
  return { text: text.slice(start, end), units, octets };
}
