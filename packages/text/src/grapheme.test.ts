// The shortcut past the segmenter must never separate units that the segmenter keeps together.

import { describe, expect, it } from 'vitest';
import { graphemeFinder, graphemes, surelyApart } from './grapheme.ts';

const count = (text: string) => [...graphemes(text)].length;

describe('surelyApart', () => {
  it('is right for every unit of the basic plane beside itself and beside a letter', () => {
    let apart = 0;
    for (let unit = 0; unit <= 0xffff; unit++) {
      const character = String.fromCharCode(unit);
      if (!surelyApart(`a${character}`, 1)) continue;
      apart++;
      expect(count(`a${character}${character}a`), unit.toString(16)).toBe(4);
    }
    expect(apart).toBeGreaterThan(39_000);
  });

  it('is right for every pair of kinds, CR LF apart', () => {
    const kinds = Array.from('\r\n\t a~©®éʰΩЖאبـ—“€漢字가각各');
    for (const left of kinds) {
      for (const right of kinds) {
        const pair = left + right;
        expect(surelyApart(pair, 1), JSON.stringify(pair)).toBe(count(pair) === 2);
      }
    }
  });

  it.each([
    'e\u0301',
    '\u200da',
    'a\u200d',
    '\ud83d\ude00',
    '\u0915\u093f',
    '\u1100\u1161',
    '각\u11a8',
    '\u0600ب',
    'a\ufe0f',
    '0\u20e3',
  ])('does not vouch for %j', (pair) => {
    expect(surelyApart(pair, 1)).toBe(false);
  });
});

describe('graphemeFinder', () => {
  it('finds the grapheme at an index, the same one again, and later ones', () => {
    const find = graphemeFinder('a🇺🇸e\u0301b');
    expect(find(0)).toMatchObject({ segment: 'a', index: 0 });
    expect(find(2)).toMatchObject({ segment: '🇺🇸', index: 1 });
    expect(find(4)).toMatchObject({ segment: '🇺🇸', index: 1 });
    expect(find(7)).toMatchObject({ segment: 'b', index: 7 });
  });

  it('throws beyond the text', () => {
    expect(() => graphemeFinder('ab')(2)).toThrow(RangeError);
  });
});
