import { describe, expect, it } from 'vitest';
import { movedClock } from '../../../../../test/props/clock.ts';
import { createUsualDelay } from './usual-delay.ts';

const hour = 3_600_000;

describe('the usual delay of receipts', () => {
  it('is unknown before ten of them, then what 95 of 100 stay below', () => {
    const clock = movedClock();
    const usual = createUsualDelay(clock);
    for (let i = 0; i < 9; i++) usual.add(1_000);
    expect(usual.p95Ms()).toBeNull();
    usual.add(1_000);
    expect(usual.p95Ms()).toBeGreaterThanOrEqual(1_000);
    expect(usual.p95Ms()).toBeLessThan(1_200);
    for (let i = 0; i < 89; i++) usual.add(2_000);
    usual.add(500_000);
    expect(usual.p95Ms()).toBeLessThan(2_400);
    for (let i = 0; i < 6; i++) usual.add(500_000);
    expect(usual.p95Ms()).toBeGreaterThan(500_000 - 1);
  });

  it('takes what is faster or slower than its buckets for the nearest', () => {
    const usual = createUsualDelay(movedClock());
    for (let i = 0; i < 10; i++) usual.add(0);
    expect(usual.p95Ms()).toBe(100);
    for (let i = 0; i < 10; i++) usual.add(1e12);
    expect(usual.p95Ms()).toBeGreaterThan(3 * 24 * hour - hour);
  });

  it('forgets what is older than a day, hour by hour', () => {
    const clock = movedClock();
    const usual = createUsualDelay(clock);
    for (let i = 0; i < 10; i++) usual.add(60_000);
    clock.pass(23 * hour);
    for (let i = 0; i < 10; i++) usual.add(1_000);
    expect(usual.p95Ms()).toBeGreaterThanOrEqual(60_000);
    clock.pass(hour);
    expect(usual.p95Ms()).toBeLessThan(1_200);
    clock.pass(24 * hour);
    expect(usual.p95Ms()).toBeNull();
    clock.pass(1_000 * hour);
    for (let i = 0; i < 10; i++) usual.add(1_000);
    expect(usual.p95Ms()).toBeLessThan(1_200);
  });
});
