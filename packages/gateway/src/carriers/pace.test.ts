import { describe, expect, it } from 'vitest';
import { createPace } from './pace.ts';

/** Sends whenever it may, in steps of a millisecond; `throttles` decides which sends the carrier refuses. */
function run(ceiling: number, untilMs: number, throttles: (nowMs: number, sentInSecond: number) => boolean) {
  const pace = createPace(ceiling, 0);
  const perSecond: number[] = [];
  let throttled = 0;
  for (let now = 0; now < untilMs; now++) {
    const second = Math.floor(now / 1_000);
    perSecond[second] ??= 0;
    for (let burst = 0; burst < 20 && pace.left(now) >= 1; burst++) {
      pace.took(now);
      if (throttles(now, perSecond[second])) {
        throttled++;
        pace.throttled(now);
      } else perSecond[second]++;
    }
  }
  return { perSecond, throttled };
}

describe('pace', () => {
  it('keeps to the allowed rate in every second', () => {
    const { perSecond } = run(100, 10_000, () => false);
    for (const sent of perSecond) expect(sent).toBeLessThanOrEqual(105);
    expect(perSecond.slice(1).every((sent) => sent >= 99)).toBe(true);
  });

  it('has no limit when none is set', () => {
    const pace = createPace(0, 0);
    expect(pace.left(0)).toBe(Number.POSITIVE_INFINITY);
    for (let i = 0; i < 10_000; i++) pace.took(0);
    expect(pace.left(0)).toBe(Number.POSITIVE_INFINITY);
    expect(pace.waitMs(0)).toBe(0);
  });

  it('says how long until one part may go', () => {
    const pace = createPace(10, 0);
    pace.took(0);
    expect(pace.left(0)).toBe(0);
    expect(pace.waitMs(0)).toBe(100);
    expect(pace.left(99)).toBe(0);
    expect(pace.left(100)).toBe(1);
  });

  it('earns by the lowest of a share that changed in between, and saves up by its present one', () => {
    const share = { perSecond: 1_000, lowest: 100 };
    const pace = createPace(400, 0, { perSecond: () => share.perSecond, lowest: () => share.lowest, took: () => {} });
    while (pace.left(0) >= 1) pace.took(0);
    expect(pace.left(20)).toBe(2);
    Object.assign(share, { perSecond: 60, lowest: 60 });
    expect(pace.left(5_000)).toBe(3);
    expect(pace.waitMs(5_000)).toBe(0);
  });

  it('keeps to the rate that the carrier refused while a share is below it', () => {
    let perSecond = 1_000;
    const pace = createPace(0, 0, { perSecond: () => perSecond, lowest: () => perSecond, took: () => {} });
    for (let now = 0; now < 1_000; now++) pace.took(now);
    pace.throttled(1_000);
    perSecond = 10;
    expect(pace.left(1_100)).toBe(1);
    perSecond = 1_000;
    expect(pace.left(2_000)).toBeLessThan(45);
  });

  it('halves at a throttle and is back at the old rate after 4 s', () => {
    const pace = createPace(1_000, 0);
    for (let now = 0; now < 1_000; now++) pace.took(now);
    pace.throttled(1_000);
    const rateAt = (now: number): number => {
      while (pace.left(now) >= 1) pace.took(now);
      return 1_000 / pace.waitMs(now + 0);
    };
    expect(pace.left(1_000)).toBe(0);
    expect(pace.waitMs(1_000)).toBe(2);
    expect(rateAt(5_000)).toBeGreaterThan(490);
    expect(pace.left(60_000)).toBe(50);
  });

  it('counts a refused window as one throttle', () => {
    const pace = createPace(0, 0);
    for (let i = 0; i < 1_000; i++) pace.took(500);
    for (let i = 0; i < 100; i++) pace.throttled(1_000 + i);
    expect(pace.waitMs(1_100)).toBeLessThanOrEqual(3);
  });

  it('gets at least nine tenths out of a carrier that throttles above an unknown rate', () => {
    const allowed = 200;
    const { perSecond, throttled } = run(0, 120_000, (_now, sent) => sent >= allowed);
    const steady = perSecond.slice(20);
    const average = steady.reduce((sum, sent) => sum + sent, 0) / steady.length;
    expect(average).toBeGreaterThanOrEqual(allowed * 0.9);
    expect(throttled).toBeLessThan(120_000 * allowed * 0.001 * 0.05);
  });

  it('finds a very slow carrier', () => {
    const { perSecond, throttled } = run(0, 60_000, (_now, sent) => sent >= 1);
    expect(perSecond.slice(30).every((sent) => sent <= 1)).toBe(true);
    expect(perSecond.slice(30).reduce((sum, sent) => sum + sent, 0)).toBeGreaterThanOrEqual(20);
    expect(throttled).toBeLessThan(120);
  });

  it('forgets one throttle of a quiet moment within seconds', () => {
    const pace = createPace(0, 0);
    pace.took(0);
    pace.throttled(10);
    let sent = 0;
    for (let now = 10; now < 30_000; now++) {
      while (sent < 1_000_000 && pace.left(now) >= 1 && sent < now * 10) {
        pace.took(now);
        sent++;
      }
    }
    expect(sent).toBeGreaterThan(1_000);
  });
});
