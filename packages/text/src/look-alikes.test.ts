// Which characters are replaced, which are not, and that either all or none are.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countSeptets } from './gsm7.ts';
import { lookAlike, replaceLookAlikes } from './look-alikes.ts';

describe('replaceLookAlikes', () => {
  it('replaces quotes, dashes, dots and spaces, and lists what it replaced where', () => {
    expect(replaceLookAlikes('“Hi” – it’s\u00a0me…')).toEqual({
      text: '"Hi" - it\'s me...',
      replacements: [
        { from: '“', to: '"', index: 0 },
        { from: '”', to: '"', index: 3 },
        { from: '–', to: '-', index: 5 },
        { from: '’', to: "'", index: 9 },
        { from: '\u00a0', to: ' ', index: 11 },
        { from: '…', to: '...', index: 14 },
      ],
    });
  });

  it('composes a letter and its accent when GSM-7 has the composed letter', () => {
    expect(replaceLookAlikes('cafe\u0301')).toEqual({
      text: 'café',
      replacements: [{ from: 'e\u0301', to: 'é', index: 3 }],
    });
    expect(replaceLookAlikes('a\u0301').replacements).toEqual([]);
  });

  it('drops invisible characters, unless nothing would be left', () => {
    expect(replaceLookAlikes('\u202a+1 202\u202c\u200b')).toMatchObject({ text: '+1 202' });
    expect(replaceLookAlikes('a\u200d')).toMatchObject({ text: 'a' });
    expect(replaceLookAlikes('\u200b\ufeff')).toEqual({ text: '\u200b\ufeff', replacements: [] });
  });

  it.each(['“Hi” 😀', 'it’s Ж', '‘ç’', '’\u202e', '’\ud83d', '’1️⃣'])('leaves %j alone: all or nothing', (text) => {
    expect(replaceLookAlikes(text)).toEqual({ text, replacements: [] });
  });

  it.each(['', 'plain', 'line\r\nline', '{€}'])('leaves %j unchanged', (text) => {
    expect(replaceLookAlikes(text)).toEqual({ text, replacements: [] });
  });

  it('returns GSM-7 or the original, and its list explains the difference', () => {
    const piece = fc.oneof(
      fc.constantFrom('’', '…', '\u00a0', '\u200b', 'e\u0301', '\r\n', '€', '\u2028'),
      fc.string(),
    );
    fc.assert(
      fc.property(
        fc.array(piece).map((pieces) => pieces.join('')),
        (text) => {
          const { text: replaced, replacements } = replaceLookAlikes(text);
          if (replaced !== text) expect(countSeptets(replaced)).toBeDefined();
          const redone = replacements.reduceRight(
            (sum, { from, to, index }) => sum.slice(0, index) + to + sum.slice(index + from.length),
            text,
          );
          expect(redone).toBe(replaced);
          expect(replacements.every(({ from, index }) => text.startsWith(from, index))).toBe(true);
        },
      ),
    );
  });
});

describe('lookAlike', () => {
  it.each([
    ['‘', "'"],
    ['‚', "'"],
    ['`', "'"],
    ['´', "'"],
    ['„', '"'],
    ['«', '"'],
    ['—', '-'],
    ['−', '-'],
    ['•', '-'],
    ['⁄', '/'],
    ['\t', ' '],
    ['\u3000', ' '],
    ['\u2028', '\n'],
    ['ﬁ', 'fi'],
    ['Ａ', 'A'],
    ['｀', "'"],
    ['～', '~'],
    ['\u2126', 'Ω'],
    ['\u00ad', ''],
    ['x', 'x'],
  ])('%j: %j', (grapheme, like) => {
    expect(lookAlike(grapheme)).toBe(like);
  });

  it.each(['Α', 'Ε', 'А', 'е', 'ç', 'á', 'º', '½', '×', '°', '™', '😀', '\0', '\u001b', '❤️'])(
    '%j has none',
    (grapheme) => {
      expect(lookAlike(grapheme)).toBeUndefined();
    },
  );

  it('is always GSM-7, whatever the character', () => {
    for (let unit = 0; unit <= 0xffff; unit++) {
      const like = lookAlike(String.fromCharCode(unit));
      if (like !== undefined) expect(countSeptets(like), unit.toString(16)).toBeDefined();
    }
  });

  it('ignores a letter with many accents', () => {
    expect(lookAlike(`e${'\u0301\u0323'.repeat(50_000)}`)).toBeUndefined();
  });
});
