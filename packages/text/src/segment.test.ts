// Segmentation by table: the borders of each capacity, pairs and graphemes over a border, and the shape of the answer.

import { describe, expect, it } from 'vitest';
import { countSegments, type SegmentOptions, segment } from './segment.ts';
import { toHex } from './testing/hex.ts';

const FAMILY = '👨‍👩‍👧‍👦'; // 11 units
const FLAG = '🇺🇸'; // 4 units
const KEYCAP = '1️⃣'; // 3 units

/** name, text, encoding, units, units of each part */
type Row = readonly [string, string, 'GSM-7' | 'UCS-2', number, readonly number[]];

function expectRows(rows: readonly Row[], options?: SegmentOptions): void {
  for (const [name, text, encoding, units, parts] of rows) {
    const segmented = segment(text, options);
    expect({ ...segmented, parts: segmented.parts.map((part) => part.units) }, name).toMatchObject({
      encoding,
      units,
      segments: parts.length,
      unitsLeft: segmented.perPart - parts.at(-1)!,
      parts,
    });
    expect(segmented.parts.map((part) => part.text).join(''), name).toBe(text);
    expect(segmented, name).toMatchObject(countSegments(text, options));
  }
}

const a = (length: number) => 'a'.repeat(length);

describe('GSM-7', () => {
  it('holds 160 alone and 153 in each of several', () => {
    expectRows([
      ['empty', '', 'GSM-7', 0, [0]],
      ['one', 'a', 'GSM-7', 1, [1]],
      ['160', a(160), 'GSM-7', 160, [160]],
      ['161', a(161), 'GSM-7', 161, [153, 8]],
      ['306', a(306), 'GSM-7', 306, [153, 153]],
      ['307', a(307), 'GSM-7', 307, [153, 153, 1]],
      ['1530', a(1530), 'GSM-7', 1530, Array(10).fill(153)],
      ['1531', a(1531), 'GSM-7', 1531, [...Array(10).fill(153), 1]],
    ]);
  });

  it('holds 152 with a 16-bit reference, and still 160 alone', () => {
    expectRows(
      [
        ['160', a(160), 'GSM-7', 160, [160]],
        ['304', a(304), 'GSM-7', 304, [152, 152]],
        ['305', a(305), 'GSM-7', 305, [152, 152, 1]],
        ['152 euros', '€'.repeat(152), 'GSM-7', 304, [152, 152]],
      ],
      { reference: '16-bit' },
    );
  });

  it('counts an extension character as two and never splits its pair', () => {
    expectRows([
      ['80 euros', '€'.repeat(80), 'GSM-7', 160, [160]],
      ['159 and a euro', `${a(159)}€`, 'GSM-7', 161, [153, 8]],
      ['153 euros', '€'.repeat(153), 'GSM-7', 306, [152, 152, 2]],
      ['pair over the border', `${a(152)}€${a(10)}`, 'GSM-7', 164, [152, 12]],
      ['pair up to the border', `${a(151)}€${a(10)}`, 'GSM-7', 163, [153, 10]],
      ['one part more than units say', `${a(152)}{${a(152)}`, 'GSM-7', 306, [152, 153, 1]],
    ]);
  });

  it('keeps CR LF whole, as one grapheme, but neither CR nor LF alone', () => {
    expectRows([
      ['CR LF over the border', `${a(152)}\r\n${a(10)}`, 'GSM-7', 164, [152, 12]],
      ['CR LF up to the border', `${a(151)}\r\n${a(10)}`, 'GSM-7', 163, [153, 10]],
      ['LF CR', `${a(152)}\n\r${a(10)}`, 'GSM-7', 164, [153, 11]],
      ['CR CR LF', `${a(152)}\r\r\n${a(10)}`, 'GSM-7', 165, [153, 12]],
      ['CR at the end', `${a(160)}\r`, 'GSM-7', 161, [153, 8]],
    ]);
  });

  it('gives unpacked octets, escapes included', () => {
    const [first, second] = segment(`${'@'.repeat(151)}€${'é'.repeat(20)}`).parts;
    expect(first?.octets).toEqual(Uint8Array.of(...Array(151).fill(0), 0x1b, 0x65));
    expect(second?.octets).toEqual(new Uint8Array(20).fill(0x05));
  });
});

describe('UCS-2', () => {
  it('holds 70 alone and 67 in each of several', () => {
    const zh = (length: number) => 'Ж'.repeat(length);
    expectRows([
      ['70', zh(70), 'UCS-2', 70, [70]],
      ['71', zh(71), 'UCS-2', 71, [67, 4]],
      ['134', zh(134), 'UCS-2', 134, [67, 67]],
      ['135', zh(135), 'UCS-2', 135, [67, 67, 1]],
      ['one quote in 160', `’${a(159)}`, 'UCS-2', 160, [67, 67, 26]],
      ['670', zh(670), 'UCS-2', 670, Array(10).fill(67)],
    ]);
    expectRows([['133', zh(133), 'UCS-2', 133, [66, 66, 1]]], { reference: '16-bit' });
  });

  it('never splits a surrogate pair or a grapheme that fits', () => {
    expectRows([
      ['35 emoji', '😀'.repeat(35), 'UCS-2', 70, [70]],
      ['67 emoji', '😀'.repeat(67), 'UCS-2', 134, [66, 66, 2]],
      ['accent over the border', `${a(66)}e\u0301${a(5)}`, 'UCS-2', 73, [66, 7]],
      ['accent up to the border', `${a(65)}e\u0301${a(5)}`, 'UCS-2', 72, [67, 5]],
      ['family', `${a(57)}${FAMILY}${a(5)}`, 'UCS-2', 73, [57, 16]],
      ['families', FAMILY.repeat(13), 'UCS-2', 143, [66, 66, 11]],
      ['flag', `${a(65)}${FLAG}${a(5)}`, 'UCS-2', 74, [65, 9]],
      ['flags', FLAG.repeat(18), 'UCS-2', 72, [64, 8]],
      ['a row of flags cut between flags', `a${FLAG.repeat(18)}`, 'UCS-2', 73, [65, 8]],
      ['keycap', `${a(65)}${KEYCAP}${a(5)}`, 'UCS-2', 73, [65, 8]],
      ['CR LF', `Ж${a(65)}\r\n${a(5)}`, 'UCS-2', 73, [66, 7]],
      ['jamo', `${a(66)}\u1112\u1161\u11ab${a(5)}`, 'UCS-2', 74, [66, 8]],
      ['Hindi syllable', `${a(65)}क्षि${a(5)}`, 'UCS-2', 74, [65, 9]],
    ]);
  });

  it('cuts a grapheme longer than a part at code points, filling the parts', () => {
    const heap = `e${'\u0301'.repeat(99)}`;
    const chain = Array(30).fill('👩').join('\u200d'); // 89 units, pairs and joiners
    expectRows([
      ['alone', heap, 'UCS-2', 100, [67, 33]],
      ['behind a text', `${a(60)}${heap}`, 'UCS-2', 160, [67, 67, 26]],
      ['before a text', `${heap}${a(40)}`, 'UCS-2', 140, [67, 67, 6]],
      ['pairs are kept', chain, 'UCS-2', 89, [66, 23]],
      ['a border before a pair', `a${chain}`, 'UCS-2', 90, [67, 23]],
      ['68 units: fits alone, not in one of several', `e${'\u0301'.repeat(67)}${a(10)}`, 'UCS-2', 78, [67, 11]],
      ['67 units: fits', `abc${`e${'\u0301'.repeat(66)}`}`, 'UCS-2', 70, [70]],
      ['67 units: goes to the next part whole', `abcd${`e${'\u0301'.repeat(66)}`}`, 'UCS-2', 71, [4, 67]],
    ]);
  });

  it('passes lone surrogates through', () => {
    expectRows([['lone', '\ud83d'.repeat(71), 'UCS-2', 71, [67, 4]]]);
  });

  it('gives UTF-16BE octets', () => {
    const { parts } = segment(`${'Ж'.repeat(67)}😀 ok`);
    expect(toHex(parts[0]!.octets)).toBe('0416'.repeat(67));
    expect(toHex(parts[1]!.octets)).toBe('d83dde000020006f006b');
  });

  it('is used when requested, though nothing requires it', () => {
    expectRows([['71', a(71), 'UCS-2', 71, [67, 4]]], { encoding: 'UCS-2' });
    expect(segment('hi', { encoding: 'UCS-2' }).forcing).toEqual([]);
  });
});

describe('the result', () => {
  it('is complete for a single part', () => {
    const part = { text: 'a€', units: 3, octets: Uint8Array.of(0x61, 0x1b, 0x65) };
    const size = { encoding: 'GSM-7', units: 3, segments: 1, perPart: 160, unitsLeft: 157 };
    expect(segment('a€')).toEqual({ ...size, parts: [part], forcing: [] });
    expect(countSegments('a€')).toEqual(size);
    expect(segment('')).toMatchObject({ segments: 1, unitsLeft: 160, parts: [{ text: '', units: 0 }] });
  });

  it.each([
    [a(160), {}, 160],
    [a(161), {}, 153],
    [a(161), { reference: '16-bit' }, 152],
    ['Ж'.repeat(70), {}, 70],
    ['Ж'.repeat(71), {}, 67],
    ['Ж'.repeat(71), { reference: '16-bit' }, 66],
  ] as const)('says what a part can hold', (text, options, perPart) => {
    expect(countSegments(text, options).perPart).toBe(perPart);
  });

  it('names what forced UCS-2, and copies like any value', () => {
    const forcing = [{ text: '’', codePoints: [0x2019], indexes: [2], lookAlike: "'" }];
    expect(segment('it’s').forcing).toEqual(forcing);
    expect({ ...segment('it’s') }.forcing).toEqual(forcing);
  });
});
