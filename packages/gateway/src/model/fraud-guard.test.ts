import { describe, expect, it } from 'vitest';
import { isFraudRange } from './fraud-guard.ts';

describe('the ranges of the fraud guard', () => {
  it.each([
    ['19005551234', 'NANP premium'],
    ['12129765555', 'the exchange 976 in any area'],
    ['15005550006', 'NANP personal numbers'],
    ['15215550100', 'NANP personal numbers'],
    ['17005550100', 'NANP carrier-specific'],
    ['979123456789', 'international premium rate'],
    ['881612345678', 'satellite'],
    ['88213123456', 'international networks'],
    ['870773112345', 'Inmarsat'],
    ['449098790000', 'premium in the United Kingdom'],
    ['447012345678', 'personal numbers in the United Kingdom'],
    ['33899123456', 'premium in France'],
    ['491371234567', 'mass calls in Germany'],
    ['34803123456', 'premium in Spain'],
    ['3989212345', 'premium in Italy'],
    ['61190123456', 'premium in Australia'],
  ])('hold %s: %s', (digits) => {
    expect(isFraudRange(digits)).toBe(true);
  });

  it.each([
    '12025550100',
    '12129755555',
    '19765550100',
    '18005550100',
    '16045550100',
    '447700900123',
    '33612345678',
    '4915112345678',
    '34612345678',
    '393331234567',
    '61412345678',
    '421903123456',
    '48600123456',
    '525512345678',
    '27821234567',
    '8801712345678',
    '77011234567',
    '79161234567',
  ])('leave %s, an ordinary mobile or toll-free number', (digits) => {
    expect(isFraudRange(digits)).toBe(false);
  });
});
