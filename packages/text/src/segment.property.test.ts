// Segmentation compared with properties of every text, and with a slow implementation of the rules.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeGsm7, encodeGsm7 } from './gsm7.ts';
import { countSegments, type SegmentOptions, segment } from './segment.ts';
import { decodeUcs2 } from './ucs2.ts';

const HARD = [
  '€',
  '{',
  '\r\n',
  '\r',
  '\n',
  'é',
  'e\u0301',
  '’',
  '😀',
  '👍🏽',
  '👨‍👩‍👧‍👦',
  '🇺🇸',
  '🇺',
  '1️⃣',
  '한',
  '\u1112\u1161\u11ab',
];
const HARDER = [
  '\u0301',
  '\u200d',
  'क्षि',
  'ก็',
  '\u0600',
  '\ud83d',
  '\ude00',
  `x${'\u0323'.repeat(80)}`,
  '👩\u200d'.repeat(30),
];

const GSM = fc.constantFrom('a', 'b', ' ', 'Ç', '€', '{', '\f', '\r\n', '\r', '\n');
const MIXED = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }) },
  { weight: 6, arbitrary: fc.string({ minLength: 1, maxLength: 60 }) },
  { weight: 6, arbitrary: fc.constantFrom(...HARD) },
  { weight: 2, arbitrary: fc.constantFrom(...HARDER) },
  {
    weight: 3,
    arbitrary: fc.tuple(fc.constantFrom(...HARD), fc.integer({ min: 2, max: 90 })).map(([one, n]) => one.repeat(n)),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 30 }) },
);
const text = fc.oneof(
  fc.array(GSM, { minLength: 120, maxLength: 700 }).map((pieces) => pieces.join('')),
  fc.array(MIXED, { maxLength: 20 }).map((pieces) => pieces.join('')),
);
const options = fc.record<SegmentOptions>({
  reference: fc.constantFrom('8-bit', '16-bit'),
  encoding: fc.constantFrom('auto', 'UCS-2'),
});

const graphemesOf = (whole: string) => Array.from(new Intl.Segmenter('en').segment(whole), ({ segment: one }) => one);

/** The rules literally: put graphemes into a part while they fit; split one longer than a part by code points. */
function partsByTheBook(whole: string, capacity: number, size: (piece: string) => number): string[] {
  const pieces = graphemesOf(whole).flatMap((one) => (size(one) > capacity ? Array.from(one) : [one]));
  const parts = [''];
  for (const piece of pieces) {
    if (size(parts.at(-1)!) + size(piece) <= capacity) parts[parts.length - 1] += piece;
    else parts.push(piece);
  }
  return parts;
}

describe('every text', () => {
  it('is cut by the rules', () => {
    fc.assert(
      fc.property(text, options, (whole, asked) => {
        const { encoding, parts, segments, perPart } = segment(whole, asked);
        const size = (piece: string) => (encoding === 'GSM-7' ? encodeGsm7(piece)!.length : piece.length);
        expect(parts.map((part) => part.text)).toEqual(segments === 1 ? [whole] : partsByTheBook(whole, perPart, size));
      }),
      { numRuns: 1500 },
    );
  });

  it('equals the sum of its parts, as text and as octets, each within capacity and counted right', () => {
    fc.assert(
      fc.property(text, options, (whole, asked) => {
        const { encoding, units, segments, perPart, unitsLeft, parts } = segment(whole, asked);
        const decode = (octets: Uint8Array) => (encoding === 'GSM-7' ? decodeGsm7(octets) : decodeUcs2(octets).text);
        expect(parts.map((part) => part.text).join('')).toBe(whole);
        for (const part of parts) {
          expect(decode(part.octets)).toBe(part.text);
          expect(part.units).toBeLessThanOrEqual(perPart);
          expect(part.octets).toHaveLength(encoding === 'GSM-7' ? part.units : 2 * part.units);
        }
        expect(parts.reduce((sum, part) => sum + part.units, 0)).toBe(units);
        expect(unitsLeft).toBe(perPart - parts.at(-1)!.units);
        expect(countSegments(whole, asked)).toEqual({ encoding, units, segments, perPart, unitsLeft });
      }),
      { numRuns: 800 },
    );
  });

  it('keeps pairs, and graphemes that fit, whole', () => {
    fc.assert(
      fc.property(text, options, (whole, asked) => {
        const { parts, perPart } = segment(whole, asked);
        const borders = new Set<number>();
        parts.reduce((at, part) => {
          borders.add(at);
          return at + part.text.length;
        }, 0);
        let at = 0;
        for (const one of graphemesOf(whole)) {
          const inside = Array.from({ length: one.length - 1 }, (_, i) => at + 1 + i).filter((border) =>
            borders.has(border),
          );
          if (one.length <= perPart) expect(inside, JSON.stringify(one)).toEqual([]);
          for (const border of inside)
            expect(/^[\ud800-\udbff][\udc00-\udfff]$/.test(whole.slice(border - 1, border + 1))).toBe(false);
          at += one.length;
        }
      }),
      { numRuns: 500 },
    );
  });
});
