import { describe, expect, it } from 'vitest';
import {
  daysOf,
  daysOfMonth,
  dayText,
  dayTicks,
  everyDay,
  type Group,
  isPeriod,
  lastMonths,
  presetDays,
} from './periods';

const group = (name: string, sms: number, mms = 0): Group => ({
  name,
  smsMessages: sms,
  smsSegments: sms,
  mmsMessages: mms,
  cost: null,
  unpricedMessages: 0,
});

describe('periods', () => {
  it.each([
    ['thisMonth', { from: '2026-03-01', to: '2026-03-31' }],
    ['lastMonth', { from: '2026-02-01', to: '2026-02-28' }],
    ['last30', { from: '2026-03-02', to: '2026-03-31' }],
    ['last12', { from: '2025-04-01', to: '2026-03-31' }],
  ] as const)('%s', (preset, days) => expect(presetDays(preset, '2026-03-31')).toEqual(days));

  it('begin before they end, and are not endless', () => {
    expect(isPeriod({ from: '2026-03-01', to: '2026-03-01' })).toBe(true);
    expect(isPeriod({ from: '2026-03-02', to: '2026-03-01' })).toBe(false);
    expect(isPeriod({ from: '2024-03-02', to: '2026-03-01' })).toBe(false);
    expect(isPeriod({ from: 'yesterday', to: '2026-03-01' })).toBe(false);
  });

  it('of months go over years', () => {
    expect(lastMonths('2026-01-31', 3)).toEqual(['2026-01', '2025-12', '2025-11']);
    expect(daysOfMonth('2024-02')).toEqual({ from: '2024-02-01', to: '2024-02-29' });
  });
});

describe('days', () => {
  it('without traffic are there too', () => {
    const days = everyDay({ from: '2026-02-27', to: '2026-03-02' }, [group('2026-03-01', 3)]);
    expect(days.map(({ name, smsMessages }) => [name, smsMessages])).toEqual([
      ['2026-02-27', 0],
      ['2026-02-28', 0],
      ['2026-03-01', 3],
      ['2026-03-02', 0],
    ]);
  });
});

it('writes a day of UTC, whatever the zone of the machine', () => {
  for (const day of ['2026-11-01', '2026-03-29']) {
    const text = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' }).format(Date.parse(day));
    expect(dayText(day)).toBe(text);
  }
  expect(dayText('2026-11-01')).toContain('1');
  expect(dayText('2026-11-01')).not.toContain('31');
});

describe('the axis', () => {
  const texts = (from: string, to: string) =>
    dayTicks(daysOf({ from, to })).map(({ index, text }) => `${index} ${text}`);

  it('has days without the year, until another one begins', () => {
    expect(texts('2026-11-01', '2026-11-26')).toEqual(['0 Nov 1', '5 Nov 6', '10 Nov 11', '15 Nov 16', '20 Nov 21']);
    expect(texts('2026-12-30', '2027-01-02')).toEqual(['0 Dec 30', '1 Dec 31', '2 Jan 1, 2027', '3 Jan 2']);
    expect(texts('2026-11-05', '2026-11-05')).toEqual(['0 Nov 5']);
  });

  it('has months of a long period', () => {
    expect(texts('2025-11-27', '2026-11-26')).toEqual([
      '4 Dec',
      '66 Feb 2026',
      '125 Apr',
      '186 Jun',
      '247 Aug',
      '308 Oct',
    ]);
  });
});
