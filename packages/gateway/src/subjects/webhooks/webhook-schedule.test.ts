import { describe, expect, it } from 'vitest';
import { afterFailure, attemptsMax, failingMsMax, isGivenUp, parseRetryAfter } from './webhook-schedule.ts';

const hour = 3_600_000;
const day = 24 * hour;
const base = { now: 0, failingSince: 0, retryAfterMs: null, fraction: 0.5 };

function waitMs(tries: number, more = {}): number {
  const next = afterFailure({ ...base, tries, ...more });
  return next.to === 'waiting' ? next.dueAt : Number.NaN;
}

describe('the waits', () => {
  it('follow the schedule, 13 attempts within seven days', () => {
    const waits = Array.from({ length: attemptsMax - 1 }, (_, i) => waitMs(i + 1));
    expect(waits.map((ms) => ms / hour)).toEqual([5 / 3600, 1 / 12, 0.5, 2, 5, 10, 14, 20, 24, 24, 24, 24]);
    const longest = waits.reduce((sum, ms) => sum + ms, 0) * 1.1;
    expect(longest).toBeLessThan(7 * day);
  });

  it('are never shorter than the named one less ten per cent, never longer than it and ten', () => {
    for (let tries = 1; tries < attemptsMax; tries++) {
      const named = waitMs(tries);
      expect(waitMs(tries, { fraction: 0 })).toBe(named * 0.9);
      expect(waitMs(tries, { fraction: 1 - 2 ** -53 })).toBeLessThanOrEqual(named * 1.1);
    }
  });

  it("follow the endpoint's Retry-After, up to an hour, and are never shorter because of it", () => {
    expect(waitMs(1, { retryAfterMs: 90_000 })).toBe(90_000);
    expect(waitMs(1, { retryAfterMs: 2 * hour })).toBe(hour);
    expect(waitMs(6, { retryAfterMs: 1_000 })).toBe(10 * hour);
  });
});

describe('the last attempt', () => {
  it('ends a delivery while its endpoint lives', () => {
    expect(afterFailure({ ...base, tries: 13, now: 7 * day, failingSince: 6 * day })).toEqual({ to: 'failed' });
    expect(afterFailure({ ...base, tries: 20, now: 7 * day, failingSince: 7 * day })).toEqual({ to: 'failed' });
  });

  it('of an endpoint that was dead all the time leaves it to the end of the seven days', () => {
    for (const fraction of [0.9, 1, 1.1]) {
      const now = Math.round(147.6 * hour * fraction);
      expect(waitMs(13, { now }), String(fraction)).toBe(failingMsMax);
    }
    expect(waitMs(14, { now: 8 * day })).toBe(8 * day);
  });
});

describe('isGivenUp', () => {
  it('is true from the seventh day on', () => {
    expect([isGivenUp(5, 5 + 7 * day - 1), isGivenUp(5, 5 + 7 * day)]).toEqual([false, true]);
  });
});

describe('parseRetryAfter', () => {
  const now = Date.parse('2026-05-04T09:30:00Z');
  it.each([
    ['0', 0],
    ['120', 120_000],
    ['Mon, 04 May 2026 09:31:00 GMT', 60_000],
    ['Monday, 04-May-26 09:31:00 GMT', 60_000],
    ['Mon May  4 09:31:00 2026 GMT', 60_000],
    ['Mon, 04 May 2026 09:00:00 GMT', 0],
    ['-5', null],
    ['1.5', null],
    ['2026', 2_026_000],
    ['2026-05-04T09:31:00Z', null],
    ['Mon, garbage', null],
    ['', null],
    [null, null],
  ])('reads %j as %s', (value, ms) => {
    expect(parseRetryAfter(value, now)).toBe(ms);
  });
});
