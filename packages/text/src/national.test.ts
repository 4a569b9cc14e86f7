import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeGsm7 } from './gsm7.ts';
import { decodeNational, isKnownShift, nationalLanguages, readShift, shiftElements } from './national.ts';
import { countSegments, segment } from './segment.ts';

const digest = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16);
const codes = Array.from({ length: 128 }, (_, code) => code).filter((code) => code !== 0x1b);

describe('the national language tables', () => {
  /**
   * Digests of another transcription of 3GPP TS 23.038 V18.0.0 Annex A (github.com/ndf-zz/gsmcodecs), character for
   * character, U+FFFD where a locking table has none and the default table's character where a single shift table has
   * none. Two of its errors are corrected: 0x2C is the comma in the tables from 4 on, and 0x24 of Kannada is U+0CA1.
   */
  it.each([
    ['turkish', 1, '89fc882484ac25ed', 'dcc268890febc6c5'],
    ['spanish', 2, '322e2665900f7d26', 'd04a9f0c2dffe72c'],
    ['portuguese', 3, 'b86886dac6ac29a9', '8c4f2c0ee153b1d5'],
    ['bengali', 4, '806add5bb9204811', 'c8f88644395ac7d4'],
    ['gujarati', 5, 'a3bfd66369c6f185', 'adcadc1245dd1895'],
    ['hindi', 6, '69dced5e4ff181f9', 'c89ab9bb00b26bdd'],
    ['kannada', 7, '84206d74c9c64fdf', '226d9c2130f3a538'],
    ['malayalam', 8, '195b1a27c30b50fb', '60ba49b79cdd1618'],
    ['oriya', 9, '1997fc4045e11b0b', '7cf5eccfea80a664'],
    ['punjabi', 10, 'ea539b336bece4d3', 'fa3704bbc1d0373b'],
    ['tamil', 11, '669c8176572a7873', 'f09ba5b8de7ed3a1'],
    ['telugu', 12, '97a95492a859bb83', '9384f0b727782729'],
    ['urdu', 13, '4a663b2d8a260cef', 'c8397fbd4ad1df07'],
  ])('%s (%i)', (name, language, locking, single) => {
    expect(nationalLanguages[language]).toBe(name);
    const read = (octets: number[], locking: number, single: number) =>
      decodeNational(Uint8Array.from(octets), { locking, single });
    expect(digest(codes.map((code) => read([code], language, 0)).join(''))).toBe(locking);
    expect(digest(codes.map((code) => read([0x1b, code], 0, language)).join(''))).toBe(single);
  });

  it.each<[string, string, number, number, number[]]>([
    ['Turkish, both', 'Şişli €5', 1, 1, [0x1c, 0x69, 0x1d, 0x6c, 0x69, 0x20, 0x04, 0x35]],
    ['Turkish, single shift', 'ğ€', 0, 1, [0x1b, 0x67, 0x1b, 0x65]],
    ['Spanish, single shift', 'á{Ú}', 0, 2, [0x1b, 0x61, 0x1b, 0x28, 0x1b, 0x55, 0x1b, 0x29]],
    ['Portuguese, locking', 'ação~', 3, 0, [0x61, 0x09, 0x7b, 0x6f, 0x60]],
    ['Portuguese, single shift', 'Ωâ', 0, 3, [0x1b, 0x15, 0x1b, 0x7f]],
    ['Hindi, both', 'नमस्ते १', 6, 6, [0x2f, 0x42, 0x4c, 0x5f, 0x27, 0x59, 0x20, 0x1b, 0x1d]],
    ['Hindi, Latin capitals', 'OK', 6, 6, [0x1b, 0x4f, 0x1b, 0x4b]],
    ['Urdu, both', 'سلام ۱', 13, 13, [0x3d, 0x4d, 0x00, 0x4e, 0x20, 0x1b, 0x1d]],
    ['Tamil, locking', 'தமிழ்', 11, 0, [0x27, 0x42, 0x51, 0x48, 0x5f]],
  ])('%s', (_, text, locking, single, septets) => {
    expect(decodeNational(Uint8Array.from(septets), { locking, single })).toBe(text);
  });
});

describe('decoding with a table', () => {
  const read = (octets: number[], locking: number, single: number) =>
    decodeNational(Uint8Array.from(octets), { locking, single });

  it('shows the character of the locking table where the single shift table has none, and escapes as spaces', () => {
    expect(read([0x1b, 0x62], 6, 6)).toBe('b');
    expect(read([0x1b, 0x1b, 0x1b], 1, 1)).toBe('  ');
    expect(read([0x12, 0x80], 4, 0)).toBe('\ufffd\ufffd');
  });

  it('uses the default table for an undefined number', () => {
    const text = 'Hello {@}';
    expect(decodeNational(encodeGsm7(text)!, { locking: 14, single: 255 })).toBe(text);
    expect([isKnownShift({ locking: 14, single: 0 }), isKnownShift({ locking: 13, single: 13 })]).toEqual([
      false,
      true,
    ]);
  });

  it('uses the tables of the header: the last of each, of one octet', () => {
    const element = (id: number, ...data: number[]) => ({ id, data: Uint8Array.from(data) });
    expect(readShift([element(0x00, 1, 2, 1)])).toBeNull();
    expect(readShift([element(0x24, 1)])).toEqual({ locking: 0, single: 1 });
    expect(readShift([element(0x25, 6), element(0x24, 1), element(0x24, 6), element(0x25, 1, 1)])).toEqual({
      locking: 6,
      single: 6,
    });
  });
});

describe('encoding with a table', () => {
  const tamil = 'தமிழ்';

  /**
   * 3GPP TS 23.040 §9.2.3.24: a header of this many octets, its length octet included, leaves this many septets of 140
   * octets.
   */
  it.each<[string, string, readonly string[], '8-bit' | '16-bit', number, object]>([
    ['one table, one part', 'ş'.repeat(155), ['turkish'], '8-bit', 1, { locking: 1, single: 0 }],
    ['one table, several parts', 'ş'.repeat(156), ['turkish'], '8-bit', 149, { locking: 1, single: 0 }],
    ['one table, 16-bit reference', 'ş'.repeat(156), ['turkish'], '16-bit', 148, { locking: 1, single: 0 }],
    ['both tables', `${tamil}௧`.repeat(40), ['tamil'], '8-bit', 146, { locking: 11, single: 11 }],
    ['both tables, 16-bit reference', `${tamil}{௧`.repeat(40), ['tamil'], '16-bit', 145, { locking: 11, single: 11 }],
    ['the single shift table alone', 'canción á', ['spanish'], '8-bit', 1, { locking: 0, single: 2 }],
    ['the cheaper of several', 'ş'.repeat(20), ['portuguese', 'turkish'], '8-bit', 1, { locking: 1, single: 0 }],
  ])('%s', (_, text, languages, reference, perPart, shift) => {
    const counted = countSegments(text, { languages, reference });
    expect(counted).toMatchObject({ encoding: 'GSM-7', shift });
    if (perPart !== 1) expect(counted.perPart).toBe(perPart);
    else expect(counted.segments).toBe(1);
  });

  it('is not used where plain GSM-7 suffices, where no table fits, or by default', () => {
    for (const [text, languages, encoding] of [
      ['plain {text} €', ['turkish'], 'GSM-7'],
      ['日本', ['turkish', 'hindi'], 'UCS-2'],
      ['ş', [], 'UCS-2'],
      ['ş', ['hindi', 'elvish', 'default'], 'UCS-2'],
    ] as const) {
      const counted = countSegments(text, { languages });
      expect([text, counted.encoding, counted.shift]).toEqual([text, encoding, undefined]);
    }
    expect(countSegments('ş', { languages: ['turkish'], encoding: 'UCS-2' }).shift).toBeUndefined();
  });

  it('names only tables other than the default', () => {
    expect([...shiftElements({ locking: 0, single: 2 })]).toEqual([0x24, 1, 2]);
    expect([...shiftElements({ locking: 6, single: 6 })]).toEqual([0x25, 1, 6, 0x24, 1, 6]);
  });

  it('reads back whole, part by part, for any text, and no part is too large', () => {
    const languages = nationalLanguages.slice(1);
    const letters = languages.map((_, i) =>
      decodeNational(Uint8Array.from(codes), { locking: i + 1, single: 0 }).replaceAll('\ufffd', ''),
    );
    const texts = fc
      .constantFrom(...letters)
      .chain((own) => fc.array(fc.constantFrom(...own, '{', '€', ' ', 'a'), { minLength: 1, maxLength: 600 }));
    fc.assert(
      fc.property(texts, fc.constantFrom('8-bit' as const, '16-bit' as const), (characters, reference) => {
        const text = characters.join('');
        const { parts, shift, encoding, perPart } = segment(text, { languages, reference });
        if (encoding === 'UCS-2' || shift === undefined) return;
        expect(parts.map(({ octets }) => decodeNational(octets, shift)).join('')).toBe(text);
        for (const part of parts) {
          expect(part.octets.length).toBe(part.units);
          expect(part.units).toBeLessThanOrEqual(perPart);
          expect(part.octets.at(-1)).not.toBe(0x1b);
        }
      }),
      { numRuns: 100 },
    );
  });
});
