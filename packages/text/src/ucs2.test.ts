// UTF-16BE and ISO-8859-1 with known octets, odd lengths, lone surrogates and round trips.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeLatin1 } from './data-coding.ts';
import { fromHex, toHex } from './testing/hex.ts';
import { decodeUcs2, encodeUcs2, isWellFormed } from './ucs2.ts';

const anyUnits = fc.string({ unit: fc.nat(0xffff).map((unit) => String.fromCharCode(unit)) });

describe('UCS-2', () => {
  it.each([
    ['', ''],
    ['A', '0041'],
    ['Ж€', '041620ac'],
    ['😀', 'd83dde00'],
    ['\ufeffA', 'feff0041'],
  ])('%j is %s', (text, hex) => {
    expect(toHex(encodeUcs2(text))).toBe(hex);
    expect(decodeUcs2(fromHex(hex))).toEqual({ text, oddOctet: false });
  });

  it('encodes a range of a text', () => {
    expect(toHex(encodeUcs2('abcd', 1, 3))).toBe('00620063');
  });

  it('reports an odd octet at the end and leaves it out', () => {
    expect(decodeUcs2(fromHex('004100'))).toEqual({ text: 'A', oddOctet: true });
    expect(decodeUcs2(fromHex('ff'))).toEqual({ text: '', oddOctet: true });
  });

  it('returns every sequence of units, lone surrogates included', () => {
    fc.assert(fc.property(anyUnits, (text) => decodeUcs2(encodeUcs2(text)).text === text));
  });
});

describe('isWellFormed', () => {
  it.each([
    ['', true],
    ['a😀b', true],
    ['a\ud83d', false],
    ['\ude00a', false],
    ['\ude00\ud83d', false],
    ['\ud83d\ud83d\ude00', false],
  ])('%j: %s', (text, wellFormed) => {
    expect(isWellFormed(text)).toBe(wellFormed);
  });
});

describe('Latin-1', () => {
  it('has 256 characters, with controls where windows-1252 has quotes', () => {
    const all = decodeLatin1(Uint8Array.from({ length: 256 }, (_, i) => i));
    expect(Array.from(all, (character) => character.codePointAt(0))).toEqual(Array.from({ length: 256 }, (_, i) => i));
    expect(decodeLatin1(Uint8Array.of(0x80, 0x93, 0xe9))).toBe('\u0080\u0093é');
  });
});
