/** Quiet hours in real time zones: over midnight, on some days, over both changes of the clock. */
import { describe, expect, it } from 'vitest';
import { createQuietClock, heldSentence, type QuietHours, quietFault } from './quiet-hours.ts';

const night: QuietHours = { from: '21:00', to: '08:00' };
const berlin = 'Europe/Berlin';
const utc = (text: string): number => Date.parse(`${text}Z`);
const iso = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString().slice(0, 16));

function until(quiet: QuietHours, at: string, zone = 'UTC'): string | null {
  return iso(createQuietClock().until(quiet, zone, utc(at)));
}

function next(quiet: QuietHours, at: string, zone = 'UTC'): (string | null)[] {
  const span = createQuietClock().next(quiet, zone, utc(at));
  return [iso(span.from), iso(span.until)];
}

describe('quiet hours', () => {
  it('begin and end with their minutes, over midnight', () => {
    expect(until(night, '2026-06-01T20:59:59.999')).toBeNull();
    expect(until(night, '2026-06-01T21:00')).toBe('2026-06-02T08:00');
    expect(until(night, '2026-06-02T00:00')).toBe('2026-06-02T08:00');
    expect(until(night, '2026-06-02T07:59:59.999')).toBe('2026-06-02T08:00');
    expect(until(night, '2026-06-02T08:00')).toBeNull();
    const noon: QuietHours = { from: '12:00', to: '13:30' };
    expect([until(noon, '2026-06-01T11:59'), until(noon, '2026-06-01T12:10')]).toEqual([null, '2026-06-01T13:30']);
  });

  it('may leave one minute of a day', () => {
    const almost: QuietHours = { from: '08:01', to: '08:00' };
    expect(until(almost, '2026-06-01T08:01')).toBe('2026-06-02T08:00');
    expect(until(almost, '2026-06-01T08:00:30')).toBeNull();
    expect(next(almost, '2026-06-01T08:00:30')).toEqual(['2026-06-01T08:01', '2026-06-02T08:00']);
  });

  it('belong to the day on which they begin', () => {
    const weekend: QuietHours = { ...night, days: ['fri', 'sun'] };
    expect(until(weekend, '2026-06-05T23:00')).toBe('2026-06-06T08:00');
    expect(until(weekend, '2026-06-06T07:00')).toBe('2026-06-06T08:00');
    expect(until(weekend, '2026-06-06T23:00')).toBeNull();
    expect(until(weekend, '2026-06-08T07:59')).toBe('2026-06-08T08:00');
    expect(until(weekend, '2026-06-08T22:00')).toBeNull();
    expect(next(weekend, '2026-06-08T22:00')).toEqual(['2026-06-12T21:00', '2026-06-13T08:00']);
    expect(next({ ...night, days: ['mon'] }, '2026-06-01T21:30')).toEqual(['2026-06-08T21:00', '2026-06-09T08:00']);
  });

  it('are those of the zone, also where the clock is put forward: one hour less', () => {
    expect(until(night, '2026-03-28T20:00', berlin)).toBe('2026-03-29T06:00');
    expect(until(night, '2026-03-29T00:59', berlin)).toBe('2026-03-29T06:00');
    expect(until(night, '2026-03-29T05:59', berlin)).toBe('2026-03-29T06:00');
    expect(until(night, '2026-03-29T06:00', berlin)).toBeNull();
    expect(until(night, '2026-03-28T20:00', 'Asia/Kolkata')).toBe('2026-03-29T02:30');
  });

  it('and where it is put back: one hour more', () => {
    expect(until(night, '2026-10-24T19:00', berlin)).toBe('2026-10-25T07:00');
    expect(until(night, '2026-10-25T01:30', berlin)).toBe('2026-10-25T07:00');
    expect(until(night, '2026-10-25T07:00', berlin)).toBeNull();
    expect(next(night, '2026-10-24T12:00', berlin)).toEqual(['2026-10-24T19:00', '2026-10-25T07:00']);
  });

  it('end when the clock jumps over their end, and begin when it jumps over their beginning', () => {
    expect(until({ from: '22:00', to: '02:30' }, '2026-03-28T22:00', berlin)).toBe('2026-03-29T01:00');
    const early: QuietHours = { from: '02:30', to: '04:00' };
    expect(next(early, '2026-03-29T00:30', berlin)).toEqual(['2026-03-29T01:00', '2026-03-29T02:00']);
  });

  it('count an hour twice that the clock shows twice', () => {
    const late: QuietHours = { from: '22:00', to: '02:30' };
    expect(until(late, '2026-10-24T20:00', berlin)).toBe('2026-10-25T00:30');
    expect(until(late, '2026-10-25T00:45', berlin)).toBeNull();
    expect(until(late, '2026-10-25T01:00', berlin)).toBe('2026-10-25T01:30');
  });

  it('come next today, tomorrow, and after those under way', () => {
    expect(next(night, '2026-06-01T12:00')).toEqual(['2026-06-01T21:00', '2026-06-02T08:00']);
    expect(next(night, '2026-06-01T20:59:30')).toEqual(['2026-06-01T21:00', '2026-06-02T08:00']);
    expect(next(night, '2026-06-01T22:00')).toEqual(['2026-06-02T21:00', '2026-06-03T08:00']);
    expect(next(night, '2026-06-02T03:00')).toEqual(['2026-06-02T21:00', '2026-06-03T08:00']);
  });

  it('are remembered only as long as they hold', () => {
    const clock = createQuietClock();
    const ask = (at: string, zone = 'UTC') => iso(clock.until(night, zone, utc(at)));
    expect(ask('2026-06-01T22:00')).toBe('2026-06-02T08:00');
    expect(ask('2026-06-02T07:59')).toBe('2026-06-02T08:00');
    expect(ask('2026-06-02T07:59', berlin)).toBeNull();
    expect(ask('2026-06-02T08:00')).toBeNull();
    expect(ask('2026-06-01T20:00')).toBeNull();
    expect(ask('2026-06-02T23:00')).toBe('2026-06-03T08:00');
  });
});

describe('quiet hours as somebody writes them', () => {
  const fault = (quiet: Partial<QuietHours>) => quietFault({ ...night, ...quiet }, (id) => id === 'OTP');

  it('are taken when they say something', () => {
    expect([fault({}), fault({ days: ['mon'], exceptCampaigns: ['OTP'] })]).toEqual([null, null]);
  });

  it('are refused when they are never or always, or no times, days or campaigns', () => {
    expect(fault({ from: '08:00' })).toMatch(/begin and end at 08:00/);
    for (const from of ['8:00', '24:00', '08:60', '', '21:00 ']) expect(fault({ from })).toMatch(/like 21:00/);
    expect(fault({ days: [] })).toMatch(/at least one day/);
    expect(fault({ days: ['someday' as never] })).toMatch(/at least one day/);
    expect(fault({ exceptCampaigns: ['OTP', 'THEIRS'] })).toBe('The company has no campaign THEIRS.');
    expect(fault({ exceptCampaigns: Array(101).fill('OTP') })).toMatch(/At most 100/);
  });

  it('say on a message until when it waits', () => {
    expect(heldSentence(utc('2026-11-22T07:00'), berlin)).toBe(
      "Held by the company's quiet hours until 22 November 2026 at 08:00 (Europe/Berlin).",
    );
  });
});
