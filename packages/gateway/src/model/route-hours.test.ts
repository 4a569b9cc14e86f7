import { describe, expect, it } from 'vitest';
import { createWallClock, isWithin, type LocalTime, type RouteHours, weekdays } from './route-hours.ts';

const at = (day: LocalTime['day'], clock: string): LocalTime => ({ day, clock });
const hours = (from: string, to: string, ...days: RouteHours['days']): RouteHours => ({ days, from, to });

describe('the hours of a rule', () => {
  it('begin with their first minute and end before their last', () => {
    const day = hours('08:00', '20:00', 'mon', 'tue');
    const clocks = ['07:59', '08:00', '19:59', '20:00'];
    expect(clocks.map((clock) => isWithin(day, at('mon', clock)))).toEqual([false, true, true, false]);
    expect(isWithin(day, at('wed', '12:00'))).toBe(false);
  });

  it('run over midnight into the next day, also from Sunday to Monday', () => {
    const night = hours('22:00', '06:00', 'sun');
    expect(isWithin(night, at('sun', '05:59'))).toBe(false);
    expect(isWithin(night, at('sun', '23:00'))).toBe(true);
    expect(isWithin(night, at('mon', '05:59'))).toBe(true);
    expect(isWithin(night, at('mon', '06:00'))).toBe(false);
    expect(isWithin(night, at('mon', '23:00'))).toBe(false);
  });

  it('are a whole day when they end where they begin', () => {
    const whole = hours('00:00', '00:00', 'sat');
    expect(weekdays.filter((day) => isWithin(whole, at(day, '00:00')))).toEqual(['sat']);
    expect(weekdays.filter((day) => isWithin(whole, at(day, '23:59')))).toEqual(['sat']);
  });
});

describe('the wall clock', () => {
  it('is that of the zone, over the change to summer time too', () => {
    const read = createWallClock();
    const before = Date.UTC(2026, 2, 29, 0, 59);
    expect(read(before, 'Europe/Berlin')).toEqual({ day: 'sun', clock: '01:59' });
    expect(read(before + 60_000, 'Europe/Berlin')).toEqual({ day: 'sun', clock: '03:00' });
    expect(read(before + 60_000, 'America/Los_Angeles')).toEqual({ day: 'sat', clock: '18:00' });
    expect(read(Date.UTC(2026, 0, 1), 'UTC')).toEqual({ day: 'thu', clock: '00:00' });
  });

  it('reads a minute once', () => {
    const read = createWallClock();
    expect(read(120_001, 'UTC')).toBe(read(179_999, 'UTC'));
    expect(read(180_000, 'UTC').clock).toBe('00:03');
  });
});
