import { describe, expect, it } from 'vitest';
import { byName, counted, countryName, fixedText, numberText, percentText, sizeText } from './formats';

describe('formats of the portal’s language', () => {
  it('groups figures and picks the word that goes with them', () => {
    expect(numberText(1_234_567)).toBe('1,234,567');
    expect([0, 1, 2, 1_000].map((count) => counted(count, 'day', 'days'))).toEqual([
      '0 days',
      '1 day',
      '2 days',
      '1,000 days',
    ]);
  });

  it('writes shares, fixed digits and sizes', () => {
    expect([percentText(0.126), percentText(0.126, 1), fixedText(9, 1)]).toEqual(['13%', '12.6%', '9.0']);
    expect([999, 1_500, 2_000_000, 3_210_000_000].map(sizeText)).toEqual(['999 B', '1.5 kB', '2 MB', '3.2 GB']);
  });

  it('sorts names as people do, and names countries', () => {
    expect(['carrier 10', 'Ábaco', 'carrier 9', 'beta'].sort(byName)).toEqual([
      'Ábaco',
      'beta',
      'carrier 9',
      'carrier 10',
    ]);
    expect(countryName('MX')).toBe('Mexico');
  });
});
