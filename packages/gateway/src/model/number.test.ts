import { describe, expect, it } from 'vitest';
import { isE164Digits, isFraudRange, isShortCode, isTollFree, maskNumber } from './number.ts';

describe('E.164 digits', () => {
  it.each(['12025550100', '18005551234', '447700900123', '3581234', '123456789012345'.replace('1', '4')])(
    'takes %s',
    (number) => expect(isE164Digits(number)).toBe(true),
  );

  it.each([
    ['', 'empty'],
    ['+12025550100', 'plus'],
    ['1 202 555 0100', 'spaces'],
    ['120255501', 'NANP too short'],
    ['120255501000', 'NANP too long'],
    ['11025550100', 'area code beginning with 1'],
    ['10025550100', 'area code beginning with 0'],
    ['12021550100', 'exchange beginning with 1'],
    ['12020550100', 'exchange beginning with 0'],
    ['19115550100', 'area code 911'],
    ['12925550100', 'area code N9X'],
    ['02025550100', 'first digit 0'],
    ['447700', 'six digits'],
    ['4477009001234567', 'sixteen digits'],
    ['١٢٠٢٥٥٥٠١٠٠', 'Arabic digits'],
    ['1202555010０', 'full-width digit'],
    ['1202555010a', 'letter'],
    ['12025550100\n', 'line feed'],
  ])('refuses %j (%s)', (number) => expect(isE164Digits(number)).toBe(false));
});

describe('other forms', () => {
  it('knows short codes', () => {
    expect(['12345', '123456', '99999'].every(isShortCode)).toBe(true);
    expect(['1234', '1234567', '01234', '12a45', ''].some(isShortCode)).toBe(false);
  });

  it('knows toll-free numbers', () => {
    expect(isTollFree('18885550100')).toBe(true);
    expect(isTollFree('12025550100')).toBe(false);
  });

  it('masks numbers for logs', () => {
    expect(maskNumber('12025550100')).toBe('1202•••0100');
    expect(maskNumber('12345')).toBe('•••');
  });
});

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
