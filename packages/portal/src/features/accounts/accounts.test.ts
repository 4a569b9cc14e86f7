import '../../language/english';

import { describe, expect, it } from 'vitest';
import { type Account, accountsCsv, fittingAccounts, priceOn } from './accounts';

const early = { from: '2026-01-01', currency: 'USD', smsPerSegment: '0.01', mmsPerMessage: '0.02' };
const later = { ...early, from: '2027-01-01', smsPerSegment: '0.009' };

const account = (accountId: string, more: Partial<Account> = {}): Account => ({
  accountId,
  name: accountId,
  status: 'active',
  destinations: ['US', 'CA'],
  uncertainPolicy: 'resend',
  smartEncoding: false,
  requestsPerSecond: 0,
  mmsFallback: 'none',
  supportContact: '',
  version: '1',
  counts: { numbers: 1, campaigns: 2, keys: 3 },
  ...more,
});

describe('the list of companies', () => {
  const list = [account('acc_1', { name: 'Acme Toys', rates: [early, later] }), account('acc_2', { name: '=Other' })];

  it('is searched by name and id', () => {
    const found = (search: string) => fittingAccounts(list, search).map(({ accountId }) => accountId);
    expect([found(' '), found('TOYS'), found(' acc_2'), found('nobody')]).toEqual([
      ...[['acc_1', 'acc_2'], ['acc_1'], ['acc_2'], []],
    ]);
  });

  it('is saved with the price of the day, and begins no formula', () => {
    const [head, first, second] = accountsCsv(list, '2026-06-01').split('\r\n');
    expect(head!.split(',')).toHaveLength(first!.split(',').length);
    expect(first).toBe('Acme Toys,acc_1,active,1,2,3,,US CA,resend,false,none,,2026-01-01,USD,0.01,0.02');
    expect(second).toBe("'=Other,acc_2,active,1,2,3,,US CA,resend,false,none,,,,,");
  });
});

describe('the price of a day', () => {
  it('is that of the last day before it', () => {
    expect(priceOn('2026-12-31', [later, early])).toBe(early);
    expect(priceOn('2027-01-01', [later, early])).toBe(later);
    expect(priceOn('2025-12-31', [later, early])).toBeNull();
  });
});
