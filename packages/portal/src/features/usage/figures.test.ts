/** Rates that are never rounded up, sums by name, filters in the URL and in the log. */
import { describe, expect, it } from 'vitest';
import { loadLabels } from '../../language/labels';

await loadLabels('start');
const { byMessages, costChange, outcomesOf, rateOf, rateText, totalOf } = await import('./figures');
const { dimensionOf, filterOf, isNarrowed, messagesSearch, withSet } = await import('./filter');

const counts = (delivered: number, failed: number, waiting = 0) => ({ delivered, failed, waiting });

describe('the delivery rate', () => {
  it('is of messages with an outcome, and 100% is all of them', () => {
    expect(rateOf(counts(2, 1, 9))).toBeCloseTo(2 / 3);
    expect(rateOf(counts(0, 0, 9))).toBeNull();
    expect(rateText(rateOf(counts(9_999, 1)))).toBe('99.9%');
    expect(rateText(rateOf(counts(1, 0)))).toBe('100%');
    expect(rateText(0.995)).toBe('99.5%');
    expect(rateText(null)).toBe('—');
  });

  it('is summed up, and found by name', () => {
    expect(totalOf([counts(1, 2, 3), counts(10, 20, 30)])).toEqual(counts(11, 22, 33));
    expect(outcomesOf(['a', 'b'], [{ name: 'b', ...counts(1, 0) }])).toEqual([
      counts(0, 0),
      expect.objectContaining(counts(1, 0)),
    ]);
  });
});

it('the table begins with most messages', () => {
  const group = (name: string, smsMessages: number, mmsMessages: number) => ({
    ...{ name, smsMessages, mmsMessages, smsSegments: 0, cost: null, unpricedMessages: 0 },
    ...{ before: null, outcomes: counts(0, 0) },
  });
  expect(byMessages([group('a', 1, 0), group('b', 1, 2), group('c', 2, 0)]).map(({ name }) => name)).toEqual([
    'b',
    'c',
    'a',
  ]);
});

it('the change of a cost is a share of it', () => {
  const labels = { more: (share: string) => `+${share}`, less: (share: string) => `-${share}` };
  expect(costChange('1.50', '1.00', labels)).toMatchObject({ sign: '↑', text: '+50%' });
  expect(costChange('0.50', '1.00', labels)).toMatchObject({ sign: '↓', text: '-50%', isWorse: false });
  expect(costChange('1.50', null, labels)).toBeNull();
  expect(costChange('0.00', '0.00', labels)).toBeNull();
});

describe('a filter', () => {
  it('is kept in the address, beside what else is there', () => {
    const search = '?from=2026-11-01&number=12025550199&key=portal%3Ausr_1&day=&other=1';
    expect(filterOf(search)).toEqual({ number: '12025550199', key: 'portal:usr_1' });
    expect(isNarrowed(filterOf('?from=2026-11-01&by=key'))).toBe(false);
    expect(withSet({ pathname: '/usage', search: '?by=key&number=1' }, { number: '', key: 'k 1' })).toBe(
      '/usage?by=key&key=k+1',
    );
    expect(withSet({ pathname: '/usage', search: '?number=1' }, { number: '' })).toBe('/usage');
    expect(dimensionOf('person')).toBe('key');
    expect(dimensionOf('carrier')).toBe('carrier');
  });

  it('is the search of its messages, where the log has words for it', () => {
    const month = { from: '2026-02-01', to: '2026-02-28' };
    expect(messagesSearch(month, {})).toBe('direction:outbound after:2026-02-01 before:2026-03-01');
    expect(messagesSearch(month, { number: '1', kind: 'MMS', key: 'portal:u' }, ['failed', 'expired'])).toBe(
      'direction:outbound from:1 type:mms key:"portal:u" status:failed,expired after:2026-02-01 before:2026-03-01',
    );
    for (const filter of [{ campaign: 'C' }, { carrier: 'c' }, { country: 'US' }]) {
      expect(messagesSearch(month, filter)).toBeNull();
    }
  });
});
