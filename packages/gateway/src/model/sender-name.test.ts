import { describe, expect, it } from 'vitest';
import { isSenderName, nameFault } from './sender-name.ts';

it.each(['Acme', 'A', 'ACME Shop 1', '3M', '24h', 'A&B', 'shop-1.de', 'ab.', '12345678a'])('%j is a name', (name) => {
  expect(isSenderName(name)).toBe(true);
});

it.each([
  '',
  '12345',
  '4915123456789',
  'Acme Shop 12',
  ' Acme',
  'Acme ',
  'Acme!',
  'Äcme',
  '+1a',
  'a\nb',
  '-a',
  'a_',
  'a@b',
])('%j is none', (text) => {
  expect(isSenderName(text)).toBe(false);
});

describe('the record of a name', () => {
  const name = { number: 'Acme', campaignId: null, mmsEnabled: false, countries: ['DE', 'FR'] };

  it('is right with its countries alone', () => {
    expect(nameFault(name)).toBeNull();
    expect(nameFault({ number: '12025550100', campaignId: 'C1', mmsEnabled: true })).toBeNull();
  });

  it.each([
    [{ countries: [] }, 'countries', /needs the countries/],
    [{ countries: ['DE', 'XY'] }, 'countries', /no such country: XY/],
    [{ countries: ['*'] }, 'countries', /no such country/],
    [{ countries: ['DE', 'US'] }, 'countries', /US and Canada/],
    [{ countries: ['CA'] }, 'countries', /US and Canada/],
    [{ campaignId: 'C1' }, 'campaignId', /on no campaign/],
    [{ mmsEnabled: true }, 'mmsEnabled', /no MMS/],
    [{ number: '12025550100', campaignId: 'C1', mmsEnabled: true }, 'countries', /only a name/],
  ] as const)('%j is wrong', (change, field, why) => {
    expect(nameFault({ ...name, ...change } as Parameters<typeof nameFault>[0])).toEqual({
      field,
      why: expect.stringMatching(why),
    });
  });
});
