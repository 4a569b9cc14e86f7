/** Prices: exact in every digit, and the newest rate that is in force. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { costOf, decimalForm, decimalOf, microsOf, stretches } from './rates.ts';
import type { Rate } from './records.ts';

const rate = (from: string, smsPerSegment = '0.0075', mmsPerMessage = '0.02'): Rate => ({
  from,
  currency: 'USD',
  smsPerSegment,
  mmsPerMessage,
});

describe('decimals', () => {
  it.each([
    ['0', 0n, '0.00'],
    ['0.0075', 7_500n, '0.0075'],
    ['1', 1_000_000n, '1.00'],
    ['12.5', 12_500_000n, '12.50'],
    ['0.000001', 1n, '0.000001'],
    ['999999.999999', 999_999_999_999n, '999999.999999'],
    ['10.00', 10_000_000n, '10.00'],
  ])('%s', (text, micros, written) => {
    expect(microsOf(text)).toBe(micros);
    expect(decimalOf(micros)).toBe(written);
    expect(written).toMatch(decimalForm);
  });

  it('come back as they were', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 999_999_999_999n }), (micros) => microsOf(decimalOf(micros)) === micros),
    );
  });
});

describe('the cost of a count', () => {
  it('is exact where binary fractions are not', () => {
    const figures = { smsMessages: 0, smsSegments: 3, mmsMessages: 1 };
    expect(decimalOf(costOf(figures, rate('2026-01-01', '0.1', '0.2')))).toBe('0.50');
    const many = { smsMessages: 0, smsSegments: 9_007_199_254_740_991, mmsMessages: 0 };
    expect(decimalOf(costOf(many, rate('2026-01-01', '0.000001')))).toBe('9007199254.740991');
  });

  it('does not look at how many messages the segments are', () => {
    const one = { smsSegments: 4, mmsMessages: 0 };
    expect(costOf({ ...one, smsMessages: 1 }, rate('2026-01-01'))).toBe(30_000n);
    expect(costOf({ ...one, smsMessages: 4 }, rate('2026-01-01'))).toBe(30_000n);
  });
});

describe('stretches of one rate', () => {
  const days = { from: '2026-11-01', to: '2026-11-30' };
  const shown = (rates: Rate[]) => stretches(days, rates).map((one) => [one.from, one.to, one.rate?.from ?? null]);

  it.each([
    ['no rate', [], [['2026-11-01', '2026-11-30', null]]],
    ['an old one', [rate('2026-01-01')], [['2026-11-01', '2026-11-30', '2026-01-01']]],
    [
      'the newest of the old ones',
      [rate('2026-10-31'), rate('2026-01-01')],
      [['2026-11-01', '2026-11-30', '2026-10-31']],
    ],
    ['one that begins on the first day', [rate('2026-11-01')], [['2026-11-01', '2026-11-30', '2026-11-01']]],
    ['one that comes later', [rate('2026-12-01')], [['2026-11-01', '2026-11-30', null]]],
    [
      'changes within, in any order',
      [rate('2026-11-30'), rate('2026-11-15')],
      [
        ['2026-11-01', '2026-11-14', null],
        ['2026-11-15', '2026-11-29', '2026-11-15'],
        ['2026-11-30', '2026-11-30', '2026-11-30'],
      ],
    ],
  ])('%s', (_, rates, expected) => {
    expect(shown(rates)).toEqual(expected);
  });
});
