import { describe, expect, it } from 'vitest';
import { countryOf, isKnownCountry } from './country.ts';

describe('country of a number', () => {
  it.each([
    ['12025550100', 'US'],
    ['17875550100', 'US'],
    ['16715550100', 'US'],
    ['14165550100', 'CA'],
    ['18765550100', 'JM'],
    ['18095550100', 'DO'],
    ['447700900123', 'GB'],
    ['77011234567', 'KZ'],
    ['79161234567', 'RU'],
    ['493012345678', 'DE'],
    ['85212345678', 'HK'],
    ['99912345678', null],
  ])('%s is %s', (number, country) => expect(countryOf(number)).toBe(country));

  it('knows the codes it can answer', () => {
    expect(isKnownCountry('US')).toBe(true);
    expect(isKnownCountry('CA')).toBe(true);
    expect(isKnownCountry('XX')).toBe(false);
  });
});
