// Which encoding a text gets, and which characters cause it.

import { describe, expect, it } from 'vitest';
import { chooseEncoding, forcingCharacters } from './encoding.ts';

describe('chooseEncoding', () => {
  it.each([
    ['', 'GSM-7'],
    ['Hello, world!\r\n', 'GSM-7'],
    ['{[€|~^\\]}\f', 'GSM-7'],
    ['ÇØÅΔΩñ§¿', 'GSM-7'],
    ['ç', 'UCS-2'],
    ['`', 'UCS-2'],
    ['’', 'UCS-2'],
    ['\t', 'UCS-2'],
    ['e\u0301', 'UCS-2'],
    ['😀', 'UCS-2'],
    ['\ud83d', 'UCS-2'],
  ] as const)('%j: %s', (text, encoding) => {
    expect(chooseEncoding(text)).toBe(encoding);
  });
});

describe('forcingCharacters', () => {
  it('is empty for GSM-7', () => {
    expect(forcingCharacters('all {of} this\r\nis €')).toEqual([]);
  });

  it('names each character once, with all its places and its look-alike', () => {
    expect(forcingCharacters('it’s Ж’s')).toEqual([
      { text: '’', codePoints: [0x2019], indexes: [2, 6], lookAlike: "'" },
      { text: 'Ж', codePoints: [0x416], indexes: [5], lookAlike: undefined },
    ]);
  });

  it('keeps graphemes together', () => {
    const family = '👨‍👩‍👧';
    expect(forcingCharacters(`e\u0301\r\n${family}🇺🇸`)).toEqual([
      { text: 'e\u0301', codePoints: [0x65, 0x301], indexes: [0], lookAlike: 'é' },
      { text: family, codePoints: [0x1f468, 0x200d, 0x1f469, 0x200d, 0x1f467], indexes: [4], lookAlike: undefined },
      { text: '🇺🇸', codePoints: [0x1f1fa, 0x1f1f8], indexes: [12], lookAlike: undefined },
    ]);
  });

  it('reports a lone surrogate as such', () => {
    expect(forcingCharacters('a\ud83d')).toEqual([
      { text: '\ud83d', codePoints: [0xd83d], indexes: [1], lookAlike: undefined },
    ]);
  });

  it('stops after a hundred places, or after the given number', () => {
    const places = (text: string, max?: number) =>
      forcingCharacters(text, max).reduce((sum, { indexes }) => sum + indexes.length, 0);
    expect(places('Ж'.repeat(100))).toBe(100);
    expect(places('Жш'.repeat(5000))).toBe(100);
    expect(places('aЖ'.repeat(50), 3)).toBe(3);
  });
});
