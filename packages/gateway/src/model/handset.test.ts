import { describe, expect, it } from 'vitest';
import { isNational, isSameHandset } from './handset.ts';

describe('isSameHandset', () => {
  it.each([
    ['14155550101', '14155550101'],
    ['14155550101', '4155550101'],
    ['14155550101', '04155550101'],
    ['4915112345678', '015112345678'],
    ['4712345678', '12345678'],
  ])('%s and %s are one', (one, other) => {
    expect(isSameHandset(one, other)).toBe(true);
    expect(isSameHandset(other, one)).toBe(true);
  });

  it.each([
    ['14155550101', '14155550102'],
    // The same seven digits in another area.
    ['14155550101', '12125550101'],
    ['14155550101', '2125550101'],
    ['14155550101', '550101'],
    ['14155550101', ''],
    ['14155550101', '0000000'],
  ])('%s and %s are two', (one, other) => {
    expect(isSameHandset(one, other)).toBe(false);
    expect(isSameHandset(other, one)).toBe(false);
  });
});

describe('isNational', () => {
  it('is what may lack its country code', () => {
    expect(['4155550101', '04155550101', '12345678'].every(isNational)).toBe(true);
    expect(['14155550101', '4915112345678'].some(isNational)).toBe(false);
  });
});
