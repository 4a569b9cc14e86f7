import { describe, expect, it } from 'vitest';
import { priceOn, ratesFrom, ratesText } from './accounts';

const early = { from: '2026-01-01', currency: 'USD', smsPerSegment: '0.01', mmsPerMessage: '0.02' };
const later = { ...early, from: '2027-01-01', smsPerSegment: '0.009' };

describe('prices as text', () => {
  it('are read as they are written', () => {
    expect(ratesFrom(ratesText([early, later]))).toEqual([early, later]);
    expect(ratesFrom('\n 2026-01-01, usd, 0.01, 0.02 \n\n')).toEqual([early]);
    expect(ratesFrom('')).toEqual([]);
  });

  it('name the line that is none', () => {
    expect(ratesFrom('2026-01-01 USD 0.01 0.02\nUSD 0.01')).toEqual({ wrong: 'USD 0.01' });
  });
});

describe('the price of a day', () => {
  it('is that of the last day before it', () => {
    expect(priceOn('2026-12-31', [later, early])).toBe(early);
    expect(priceOn('2027-01-01', [later, early])).toBe(later);
    expect(priceOn('2025-12-31', [later, early])).toBeNull();
  });
});
