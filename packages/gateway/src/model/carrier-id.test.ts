import { describe, expect, it } from 'vitest';
import { boundedId, carrierIdKey, carrierIdKeys } from './carrier-id.ts';

describe('boundedId', () => {
  it('keeps what an index takes, and replaces a longer id by its own hash', () => {
    const long = '€'.repeat(255);
    expect(boundedId(long)).toBe(long);
    expect(boundedId('')).toBe('');
    expect(boundedId(`${long}a`)).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(boundedId(`${long}a`)).not.toBe(boundedId(`${long}b`));
  });
});

describe('carrierIdKey', () => {
  it.each([
    ['00AB', 'ab'],
    ['0972660181', '972660181'],
    ['1102C1-00FF', '1102c1-00ff'],
    ['0', '0'],
    ['000', '0'],
    ['', ''],
    ['9007199254740993', '9007199254740993'],
  ])('%j is kept as %j', (id, key) => {
    expect(carrierIdKey(id)).toBe(key);
  });
});

describe('carrierIdKeys', () => {
  it('has no key for no id', () => {
    expect(carrierIdKeys('', 'auto')).toEqual([]);
  });

  it('knows one form when the profile says which', () => {
    expect(carrierIdKeys('0972660181', 'string')).toEqual(['972660181']);
    expect(carrierIdKeys('0972660181', 'resp-hex')).toEqual(['39f99dd5']);
    expect(carrierIdKeys('39F99DD5', 'receipt-hex')).toEqual(['972660181']);
  });

  it('keeps the id as it is when it cannot be in the base the profile names', () => {
    expect(carrierIdKeys('39F99DD5', 'resp-hex')).toEqual(['39f99dd5']);
    expect(carrierIdKeys('1102C1-FF', 'receipt-hex')).toEqual(['1102c1-ff']);
  });

  it('tries the id itself first when nothing is known, then both conversions', () => {
    expect(carrierIdKeys('0016', 'auto')).toEqual(['16', '10', '22']);
    expect(carrierIdKeys('39F99DD5', 'auto')).toEqual(['39f99dd5', '972660181']);
    expect(carrierIdKeys('ABC-1', 'auto')).toEqual(['abc-1']);
    expect(carrierIdKeys('5', 'auto')).toEqual(['5']);
  });

  it('converts what no number type holds, and leaves what no standard allows', () => {
    expect(carrierIdKeys('18446744073709551616', 'resp-hex')).toEqual(['10000000000000000']);
    expect(carrierIdKeys('10000000000000000', 'receipt-hex')).toEqual(['18446744073709551616']);
    const long = '9'.repeat(65);
    expect(carrierIdKeys(long, 'auto')).toEqual([long]);
  });
});
