// Packing compared with known octets and with the definition: septet i starts at bit 7i after the fill bits.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeGsm7 } from './gsm7.ts';
import { packSeptets, unpackSeptets } from './septets.ts';
import { toHex } from './testing/hex.ts';

const gsm = (text: string) => encodeGsm7(text)!;

/** The packed message as one number: header first, text from the next septet border, read low octet first. */
function packByDefinition(septets: Uint8Array, headerOctets: number): string {
  const first = Math.ceil((headerOctets * 8) / 7);
  const bits = septets.reduce((sum, septet, i) => sum + (BigInt(septet) << BigInt(7 * (first + i))), 0n);
  const length = Math.ceil(((first + septets.length) * 7) / 8);
  const all = Array.from({ length }, (_, i) => Number((bits >> BigInt(8 * i)) & 0xffn));
  return toHex(Uint8Array.from(all.slice(headerOctets)));
}

describe('packSeptets', () => {
  it.each([
    ['', ''],
    ['a', '61'],
    ['hello', 'e8329bfd06'],
    ['hellohello', 'e8329bfd4697d9ec37'],
    ['1234567', '31d98c56b3dd00'],
    ['12345678', '31d98c56b3dd70'],
  ])('%j is %s', (text, packed) => {
    expect(toHex(packSeptets(gsm(text)))).toBe(packed);
  });

  it('puts one fill bit after a header of 6 octets, and none after 7', () => {
    expect(toHex(packSeptets(gsm('hello'), 6))).toBe('d06536fb0d');
    expect(toHex(packSeptets(gsm('hello'), 7))).toBe('e8329bfd06');
  });

  it('fills 140 octets exactly: 160 septets alone, 153 behind 6 octets, 152 behind 7', () => {
    expect(packSeptets(new Uint8Array(160))).toHaveLength(140);
    expect(packSeptets(new Uint8Array(153), 6)).toHaveLength(134);
    expect(packSeptets(new Uint8Array(152), 7)).toHaveLength(133);
  });
});

const septets = fc.uint8Array({ max: 0x7f, maxLength: 180 });
const header = fc.integer({ min: 0, max: 20 });

describe('packing', () => {
  it('agrees with the definition behind any header', () => {
    fc.assert(
      fc.property(septets, header, (text, head) => toHex(packSeptets(text, head)) === packByDefinition(text, head)),
    );
  });

  it('returns every text when the count is known', () => {
    fc.assert(
      fc.property(septets, header, (text, head) => {
        expect(unpackSeptets(packSeptets(text, head), head, text.length)).toEqual(text);
      }),
    );
  });
});

describe('unpackSeptets', () => {
  it('reads as many septets as there are without a count, or with one too high', () => {
    const packed = packSeptets(gsm('hello'));
    expect(unpackSeptets(packed)).toEqual(gsm('hello'));
    expect(unpackSeptets(packed, 0, 200)).toEqual(gsm('hello'));
    expect(unpackSeptets(packed, 0, 2)).toEqual(gsm('he'));
  });

  it('cannot tell seven spare bits from an @ without the count', () => {
    expect(unpackSeptets(packSeptets(gsm('1234567')))).toEqual(gsm('1234567@'));
  });

  it('reads nothing from no octets, and never throws on garbage', () => {
    expect(unpackSeptets(new Uint8Array(0), 6)).toHaveLength(0);
    fc.assert(
      fc.property(
        fc.uint8Array(),
        header,
        fc.nat(300),
        (any, head, count) => unpackSeptets(any, head, count).length <= count,
      ),
    );
  });
});
