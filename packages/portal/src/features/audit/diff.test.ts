import { describe, expect, it } from 'vitest';
import { differences, fieldText, momentOf, readable } from './diff';

describe('moments', () => {
  it('are known by their form, and in milliseconds by their field too', () => {
    expect(momentOf('x', '2026-05-04T10:00:00.000Z')).toBe('2026-05-04T10:00:00.000Z');
    expect(momentOf('createdAt', '1777888800000')).toBe('2026-05-04T10:00:00.000Z');
    expect([momentOf('number', '1777888800000'), momentOf('createdAt', '12025550100'), momentOf('at', 'x')]).toEqual([
      null,
      null,
      null,
    ]);
  });
});

describe('names of fields', () => {
  it('are their own where they have one', () => {
    expect([fieldText('ein', { ein: 'EIN' }), fieldText('mailBox', { ein: 'EIN' })]).toEqual(['EIN', 'Mail box']);
  });
});

describe('differences', () => {
  it('are what changed, came and went', () => {
    expect(differences({ name: 'a', same: 1, gone: true }, { name: 'b', same: 1, come: ['US', 'CA'] })).toEqual([
      { field: 'name', before: 'a', after: 'b' },
      { field: 'gone', before: 'true', after: null },
      { field: 'come', before: null, after: 'US, CA' },
    ]);
  });

  it('reach into what lies deeper', () => {
    expect(differences({ retention: { bodyDays: 30, x: null } }, { retention: { bodyDays: 7 } })).toEqual([
      { field: 'retention.bodyDays', before: '30', after: '7' },
    ]);
    expect(differences(null, { rates: [{ from: '2026-01-01' }] })).toEqual([
      { field: 'rates', before: null, after: 'from 2026-01-01' },
    ]);
  });

  it('are parted where several stand together', () => {
    const rates = [{ from: '2026-01-01', smsPerSegment: '0.01' }, { from: '2027-01-01', note: '' }, null];
    expect(differences({ rates }, null)).toEqual([
      { field: 'rates', before: 'from 2026-01-01, sms per segment 0.01; from 2027-01-01; null', after: null },
    ]);
  });

  it('of nothing are none, and an empty text is nothing', () => {
    expect(differences(null, null)).toEqual([]);
    expect(differences(null, { name: '', list: [] })).toEqual([]);
    expect(differences({ name: 'Ada' }, { name: '' })).toEqual([{ field: 'name', before: 'Ada', after: null }]);
  });
});

describe('what was done', () => {
  it.each([
    ['campaign.submitted', 'Campaign · submitted'],
    ['sign_in', 'Sign-in'],
    ['odd_thing.was_done', 'odd thing · was done'],
    ['', ''],
  ])('%s', (what, text) => expect(readable(what, { campaign: 'Campaign', sign_in: 'Sign-in' })).toBe(text));
});

it.each([
  ['singleKeys', 'Single keys'],
  ['retention.bodyDays', 'Retention · body days'],
  ['allowedIps', 'Allowed IPs'],
  ['name', 'Name'],
])('the field %s is called %s', (field, text) => expect(fieldText(field)).toBe(text));
