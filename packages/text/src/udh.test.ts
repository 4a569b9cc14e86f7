// User data headers: the octets of concatenation, and the faults of received headers.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromHex, toHex } from './testing/hex.ts';
import { type Concatenation, concatUdh, parseUdh } from './udh.ts';

const parse = (hex: string) => parseUdh(fromHex(hex));
const concatOf = (hex: string) => {
  const parsed = parse(hex);
  return parsed.ok ? parsed.concat : parsed;
};

describe('concatUdh', () => {
  it('writes 6 octets for an 8-bit reference and 7 for a 16-bit one', () => {
    expect(toHex(concatUdh({ reference: 0xab, bits: 8, total: 3, sequence: 2 }))).toBe('050003ab0302');
    expect(toHex(concatUdh({ reference: 0x12ab, bits: 16, total: 255, sequence: 255 }))).toBe('06080412abffff');
  });

  it.each([
    { reference: 256, bits: 8, total: 2, sequence: 1 },
    { reference: 65536, bits: 16, total: 2, sequence: 1 },
    { reference: -1, bits: 8, total: 2, sequence: 1 },
    { reference: 0.5, bits: 8, total: 2, sequence: 1 },
    { reference: 0, bits: 8, total: 256, sequence: 1 },
    { reference: 0, bits: 8, total: 0, sequence: 0 },
    { reference: 0, bits: 8, total: 2, sequence: 0 },
    { reference: 0, bits: 8, total: 2, sequence: 3 },
  ] as const)('throws on %o', (concat) => {
    expect(() => concatUdh(concat)).toThrow(RangeError);
  });

  it('reads back equal, with text after it', () => {
    const concatenation = fc
      .record({ bits: fc.constantFrom(8, 16), total: fc.integer({ min: 1, max: 255 }), any: fc.nat(0xffff) })
      .map(
        ({ bits, total, any }): Concatenation => ({
          reference: bits === 8 ? any & 0xff : any,
          bits,
          total,
          sequence: (any % total) + 1,
        }),
      );
    fc.assert(
      fc.property(concatenation, fc.uint8Array({ maxLength: 20 }), (concat, text) => {
        const udh = concatUdh(concat);
        expect(parseUdh(Uint8Array.of(...udh, ...text))).toMatchObject({ ok: true, headerOctets: udh.length, concat });
      }),
    );
  });
});

describe('parseUdh', () => {
  it('returns all elements in order, known or not, and how much to skip', () => {
    expect(parse('0b 0504 0b84 23f0 0003 ab 02 01 48656c6c6f')).toEqual({
      ok: true,
      headerOctets: 12,
      elements: [
        { id: 5, data: fromHex('0b8423f0') },
        { id: 0, data: fromHex('ab0201') },
      ],
      concat: { reference: 0xab, bits: 8, total: 2, sequence: 1 },
    });
    expect(parse('03 24 01 01')).toEqual({
      ok: true,
      headerOctets: 4,
      elements: [{ id: 0x24, data: Uint8Array.of(1) }],
    });
    expect(parse('02 70 00')).toEqual({ ok: true, headerOctets: 3, elements: [{ id: 0x70, data: Uint8Array.of() }] });
    expect(parse('00 41')).toEqual({ ok: true, headerOctets: 1, elements: [] });
  });

  it('does not share memory with the octets it read', () => {
    const octets = fromHex('03240101');
    const parsed = parseUdh(octets);
    octets.fill(0xff);
    expect(parsed).toMatchObject({ elements: [{ id: 0x24, data: Uint8Array.of(1) }] });
  });

  it.each([
    ['total 0', '05 00 03 ab 00 01'],
    ['total and sequence 0', '05 00 03 ab 00 00'],
    ['sequence 0', '05 00 03 ab 02 00'],
    ['sequence over total', '05 00 03 ab 02 03'],
    ['8-bit element too short', '04 00 02 ab 01'],
    ['8-bit element too long', '06 00 04 ab 02 01 00'],
    ['16-bit element of 8-bit length', '05 08 03 ab 02 01'],
    ['16-bit, sequence over total', '06 08 04 12 34 02 03'],
  ])('ignores a concatenation with %s', (_, hex) => {
    const parsed = parse(hex);
    expect(parsed).toMatchObject({ ok: true, elements: [expect.anything()] });
    expect(parsed).not.toHaveProperty('concat');
  });

  it('lets the last usable concatenation count, of either size', () => {
    expect(concatOf('0a 0003 aa 0201 0003 bb 0302')).toEqual({ reference: 0xbb, bits: 8, total: 3, sequence: 2 });
    expect(concatOf('0b 0003 aa 0201 0804 1234 0302')).toEqual({ reference: 0x1234, bits: 16, total: 3, sequence: 2 });
    expect(concatOf('0b 0804 1234 0302 0003 aa 0201')).toEqual({ reference: 0xaa, bits: 8, total: 2, sequence: 1 });
    expect(concatOf('0a 0003 aa 0201 0003 bb 0003')).toEqual({ reference: 0xaa, bits: 8, total: 2, sequence: 1 });
  });

  it.each([
    ['', { ok: false, reason: 'empty' }],
    ['05', { ok: false, reason: 'header-too-long' }],
    ['05 00 03 ab 02', { ok: false, reason: 'header-too-long' }],
    ['ff 00 03 ab 02 01', { ok: false, reason: 'header-too-long' }],
    ['05 00 04 ab 02 01 41', { ok: false, reason: 'element-too-long', headerOctets: 6 }],
    ['06 00 03 ab 02 01 24 01', { ok: false, reason: 'element-too-long', headerOctets: 7 }],
    ['01 00 00', { ok: false, reason: 'element-too-long', headerOctets: 2 }],
  ])('refuses %j', (hex, failure) => {
    expect(parse(hex)).toEqual(failure);
  });

  it('never throws and never reads past the header on garbage', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (octets) => {
        const parsed = parseUdh(octets);
        if (!parsed.ok) return;
        const read = parsed.elements.reduce((sum, { data }) => sum + 2 + data.length, 1);
        expect(read).toBe(parsed.headerOctets);
        expect(read).toBeLessThanOrEqual(octets.length);
      }),
    );
  });
});
