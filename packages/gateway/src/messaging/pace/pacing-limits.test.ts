import { describe, expect, it } from 'vitest';
import { capDay, pacingFor } from './pacing-limits.ts';

const brand = (vettingScore: number | null, more: object = {}) => ({
  ...({ entityType: 'PRIVATE_PROFIT', vettingScore, identityStatus: 'verified' } as const),
  ...more,
});

describe('the limits of the networks', () => {
  it.each([
    [100, 4_500, 2_400, 200_000],
    [76, 4_500, 2_400, 200_000],
    [75, 4_500, 2_400, 40_000],
    [74, 2_400, 1_200, 40_000],
    [51, 2_400, 1_200, 40_000],
    [50, 2_400, 1_200, 2_000],
    [49, 240, 150, 10_000],
    [1, 240, 150, 10_000],
    [null, 75, 50, 2_000],
  ])('by a score of %s for one use', (score, segmentsPerMinute, mmsPerMinute, segmentsPerDay) => {
    expect(pacingFor(brand(score), { useCase: '2FA' })).toEqual({ segmentsPerMinute, mmsPerMinute, segmentsPerDay });
  });

  it.each([
    [86, 200_000],
    [85, 40_000],
    [66, 40_000],
    [65, 10_000],
    [26, 10_000],
    [25, 2_000],
  ])('by a score of %s for mixed uses', (score, perDay) => {
    expect(pacingFor(brand(score), { useCase: 'MARKETING' }).segmentsPerDay).toBe(perDay);
  });

  it('by what the brand is', () => {
    const alone = brand(90, { entityType: 'SOLE_PROPRIETOR' });
    expect(pacingFor(alone, { useCase: '2FA' })).toEqual({
      segmentsPerMinute: 15,
      mmsPerMinute: 15,
      segmentsPerDay: 1_000,
    });
    expect(pacingFor(brand(90, { entityType: 'GOVERNMENT' }), { useCase: '2FA' }).segmentsPerDay).toBeNull();
    const unverified = brand(90, { entityType: 'GOVERNMENT', identityStatus: 'unverified' });
    expect(pacingFor(unverified, { useCase: '2FA' }).segmentsPerDay).toBe(200_000);
    expect(pacingFor(brand(90), { useCase: 'LOW_VOLUME' })).toEqual({
      segmentsPerMinute: 75,
      mmsPerMinute: 50,
      segmentsPerDay: 2_000,
    });
    expect(pacingFor(undefined, { useCase: '' }).segmentsPerDay).toBe(2_000);
  });
});

describe('a day of the caps', () => {
  const hours = (at: string) => {
    const { name, startsAt, endsAt } = capDay(Date.parse(at));
    return [name, new Date(startsAt).toISOString(), new Date(endsAt).toISOString()];
  };

  it.each([
    // Standard time, summer time.
    ['2026-01-15T20:00:00Z', '2026-01-15', '2026-01-15T08:00:00.000Z', '2026-01-16T08:00:00.000Z'],
    ['2026-07-15T06:59:59.999Z', '2026-07-14', '2026-07-14T07:00:00.000Z', '2026-07-15T07:00:00.000Z'],
    ['2026-07-15T07:00:00Z', '2026-07-15', '2026-07-15T07:00:00.000Z', '2026-07-16T07:00:00.000Z'],
    // 23 hours: the clocks go forward on 8 March 2026 at 2:00.
    ['2026-03-08T08:00:00Z', '2026-03-08', '2026-03-08T08:00:00.000Z', '2026-03-09T07:00:00.000Z'],
    ['2026-03-08T09:59:59Z', '2026-03-08', '2026-03-08T08:00:00.000Z', '2026-03-09T07:00:00.000Z'],
    ['2026-03-09T06:59:59Z', '2026-03-08', '2026-03-08T08:00:00.000Z', '2026-03-09T07:00:00.000Z'],
    // 25 hours: the clocks go back on 1 November 2026.
    ['2026-11-01T07:00:00Z', '2026-11-01', '2026-11-01T07:00:00.000Z', '2026-11-02T08:00:00.000Z'],
    ['2026-11-01T09:30:00Z', '2026-11-01', '2026-11-01T07:00:00.000Z', '2026-11-02T08:00:00.000Z'],
    ['2026-11-02T07:59:59Z', '2026-11-01', '2026-11-01T07:00:00.000Z', '2026-11-02T08:00:00.000Z'],
  ])('holds %s', (at, ...day) => {
    expect(hours(at)).toEqual(day);
  });
});
