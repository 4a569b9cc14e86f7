// The alphabet tables compared with the code points of the standard, and the characters shown for octets outside them.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countSeptets, decodeGsm7, encodeGsm7, septetWidth } from './gsm7.ts';

/** 23.038 §6.2.1 by number, which catches a mistyped or decomposed letter in the source. `1b` is the escape. */
const DEFAULT_CODE_POINTS = `
  40 a3 24 a5 e8 e9 f9 ec f2 c7 0a d8 f8 0d c5 e5 394 5f 3a6 393 39b 3a9 3a0 3a8 3a3 398 39e 1b c6 e6 df c9
  20 21 22 23 a4 25 26 27 28 29 2a 2b 2c 2d 2e 2f 30 31 32 33 34 35 36 37 38 39 3a 3b 3c 3d 3e 3f
  a1 41 42 43 44 45 46 47 48 49 4a 4b 4c 4d 4e 4f 50 51 52 53 54 55 56 57 58 59 5a c4 d6 d1 dc a7
  bf 61 62 63 64 65 66 67 68 69 6a 6b 6c 6d 6e 6f 70 71 72 73 74 75 76 77 78 79 7a e4 f6 f1 fc e0`
  .trim()
  .split(/\s+/)
  .map((hex) => Number.parseInt(hex, 16));

const EXTENSION_CODES = { '\f': 0x0a, '^': 0x14, '{': 0x28, '}': 0x29, '\\': 0x2f, '[': 0x3c, '~': 0x3d, ']': 0x3e };
const EXTENSION = Object.entries({ ...EXTENSION_CODES, '|': 0x40, '€': 0x65 });

const octets = (...values: number[]) => Uint8Array.from(values);

describe('the default alphabet', () => {
  it('has 128 places, each encoded and decoded as in the standard', () => {
    expect(DEFAULT_CODE_POINTS).toHaveLength(128);
    DEFAULT_CODE_POINTS.forEach((codePoint, code) => {
      if (code === 0x1b) return;
      const character = String.fromCodePoint(codePoint);
      expect(encodeGsm7(character), character).toEqual(octets(code));
      expect(decodeGsm7(octets(code)), character).toBe(character);
    });
  });

  it('with its extension has all encodable characters: 137 of the basic plane and none above', () => {
    const known = new Set(DEFAULT_CODE_POINTS.filter((_, code) => code !== 0x1b));
    for (const [character] of EXTENSION) known.add(character.charCodeAt(0));
    expect(known.size).toBe(137);
    for (let unit = 0; unit <= 0xffff; unit++) {
      const character = String.fromCharCode(unit);
      expect(encodeGsm7(character) !== undefined, unit.toString(16)).toBe(known.has(unit));
    }
    expect(encodeGsm7('😀')).toBeUndefined();
  });

  it('has Ç and no ç, no accent it lacks, no Greek letter with a Latin twin, no escape', () => {
    expect(encodeGsm7('Ç')).toEqual(octets(0x09));
    for (const character of ['ç', '`', '´', '’', '…', '\t', '\u00a0', 'á', '°', 'Α', 'Β', 'α', '\u001b', '\0']) {
      expect(encodeGsm7(character), character).toBeUndefined();
    }
  });
});

describe('the extension table', () => {
  it.each(EXTENSION)('%j is the escape and its code', (character, code) => {
    expect(encodeGsm7(character)).toEqual(octets(0x1b, code));
    expect(decodeGsm7(octets(0x1b, code))).toBe(character);
    expect(septetWidth(character, 0)).toBe(2);
  });

  it('shows an unknown code as the default character of that code', () => {
    const codes = new Set(EXTENSION.map(([, code]) => code));
    DEFAULT_CODE_POINTS.forEach((codePoint, code) => {
      if (code === 0x1b || codes.has(code)) return;
      expect(decodeGsm7(octets(0x1b, code))).toBe(String.fromCodePoint(codePoint));
    });
  });

  it('shows a double escape and a lone last escape as one space', () => {
    expect(decodeGsm7(octets(0x41, 0x1b, 0x1b, 0x42))).toBe('A B');
    expect(decodeGsm7(octets(0x1b, 0x1b, 0x65))).toBe(' e');
    expect(decodeGsm7(octets(0x1b, 0x1b, 0x1b, 0x65))).toBe(' €');
    expect(decodeGsm7(octets(0x41, 0x1b))).toBe('A ');
    expect(decodeGsm7(octets(0x1b))).toBe(' ');
  });
});

describe('text and septets', () => {
  it('counts septets with their escapes, 0 for an empty text, and refuses other characters', () => {
    expect(countSeptets('')).toBe(0);
    expect(countSeptets('a€b')).toBe(4);
    expect(countSeptets('a’b')).toBeUndefined();
  });

  it('shows octets above 0x7F as U+FFFD and never throws', () => {
    expect(decodeGsm7(octets(0x41, 0x80, 0xff))).toBe('A\ufffd\ufffd');
    expect(decodeGsm7(octets(0x1b, 0xe9))).toBe('\ufffd');
    fc.assert(fc.property(fc.uint8Array(), (any) => decodeGsm7(any).length <= any.length));
  });

  it('returns every text unchanged', () => {
    const character = fc.constantFrom(
      ...DEFAULT_CODE_POINTS.filter((codePoint) => codePoint !== 0x1b).map((codePoint) =>
        String.fromCodePoint(codePoint),
      ),
      ...EXTENSION.map(([character]) => character),
    );
    fc.assert(
      fc.property(fc.string({ unit: character, maxLength: 400 }), (text) => {
        const encoded = encodeGsm7(text)!;
        expect(encoded).toHaveLength(countSeptets(text)!);
        expect(encoded.every((octet) => octet < 0x80)).toBe(true);
        expect(decodeGsm7(encoded)).toBe(text);
      }),
    );
  });
});
