import { describe, expect, it } from 'vitest';
import { isFaultless, priceFaults, ratesOf, rowsOf, withNewRow } from './price-book';

const early = { from: '2026-01-01', currency: 'USD', smsPerSegment: '0.01', mmsPerMessage: '0.02' };
const later = { ...early, from: '2027-01-01', smsPerSegment: '0.009' };

describe('the price book', () => {
  it('stands oldest first, and is handed in as it is written', () => {
    expect(ratesOf(rowsOf([later, early]))).toEqual([early, later]);
    expect(ratesOf([{ ...early, key: 0, currency: ' usd ', smsPerSegment: ' 0.01' }])).toEqual([early]);
    expect(rowsOf()).toEqual([]);
  });

  it('grows by rows with keys of their own', () => {
    const one = withNewRow([], '2026-12-05');
    expect(one).toMatchObject([{ key: 0, from: '2026-12-05', currency: 'USD', smsPerSegment: '' }]);
    const rows = withNewRow([{ ...early, currency: 'EUR', key: 7 }], '2026-12-05');
    expect(rows[1]).toMatchObject({ key: 8, from: '2027-01-01', currency: 'EUR' });
  });

  it('has nothing wrong where nothing is', () => {
    expect(isFaultless(priceFaults(rowsOf([early, later])))).toBe(true);
    expect(isFaultless(priceFaults([]))).toBe(true);
  });

  it.each([
    [{ from: '' }, { from: 'day' }],
    [{ from: '2027-02-30' }, { from: 'day' }],
    [{ from: '2026-01-01' }, { from: 'sameDay' }],
    [{ currency: 'US' }, { currency: 'currency' }],
    [{ currency: 'EUR' }, { currency: 'oneCurrency' }],
    [{ smsPerSegment: '0,01' }, { smsPerSegment: 'price' }],
    [
      { smsPerSegment: '-1', mmsPerMessage: '' },
      { smsPerSegment: 'price', mmsPerMessage: 'price' },
    ],
    [{ mmsPerMessage: '0.0000001' }, { mmsPerMessage: 'price' }],
  ])('tells of the second row: %j', (wrong, faults) => {
    expect(priceFaults(rowsOf([early]).concat({ ...later, ...wrong, key: 1 }))).toEqual([{}, faults]);
  });
});
