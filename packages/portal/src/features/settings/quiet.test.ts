import '../../language/english';

import { describe, expect, it } from 'vitest';
import { clockText, dayText, nowText, type Quiet, weekdays } from './quiet';

const zone = 'Europe/Berlin';
const noon = Date.parse('2026-06-01T10:00:00Z');
const quiet: Quiet = {
  from: '21:00',
  to: '08:00',
  days: [...weekdays],
  exceptCampaigns: [],
  timeZone: zone,
  now: false,
  begins: '2026-06-01T19:00:00Z',
  ends: '2026-06-02T06:00:00Z',
};

describe('quiet hours in words', () => {
  it('say what holds now and what comes', () => {
    expect(nowText(quiet, noon)).toBe('Now open. Next quiet: today 21:00 – tomorrow 08:00 (Europe/Berlin).');
    const night = Date.parse('2026-06-01T22:30:00Z');
    expect(nowText({ ...quiet, now: true, begins: null }, night)).toBe('Quiet now, until today 08:00 (Europe/Berlin).');
  });

  it('name days by the clock of the company, over the change of the clock too', () => {
    expect(dayText('2026-06-01T22:30:00Z', zone, noon)).toBe('tomorrow 00:30');
    expect(dayText('2026-06-01T22:30:00Z', 'UTC', noon)).toBe('today 22:30');
    expect(dayText('2026-06-05T19:00:00Z', zone, noon)).toBe('Friday 21:00');
    expect(dayText('2026-10-25T07:00:00Z', zone, Date.parse('2026-10-24T21:30:00Z'))).toBe('tomorrow 08:00');
    expect(clockText('2026-06-02T06:00:00Z', zone)).toBe('08:00');
  });
});
