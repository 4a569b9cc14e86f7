import { describe, expect, it } from 'vitest';
import { barsMax, barsOf, stepOf } from './histogram.ts';

const minute = 60_000;
const start = Date.UTC(2026, 10, 20, 10, 0, 30);

describe('a histogram of messages', () => {
  it.each([
    [0, 1_000],
    [50_000, 1_000],
    [3_600_000, minute],
    [24 * 3_600_000, 30 * minute],
    [30 * 86_400_000, 12 * 3_600_000],
    [3_000 * 86_400_000, 56 * 86_400_000],
    [400_000 * 86_400_000, Math.ceil((400_000 * 86_400_000) / barsMax)],
  ])('divides %d ms into bars of %d', (span, step) => {
    expect(stepOf(start, start + span)).toBe(step);
  });

  it('puts each message into the bar of its time, by outcome, and leaves no bar out', () => {
    const counts = [
      { at: start, state: 'delivered', count: 2 },
      { at: start + 10, state: 'undelivered', count: 1 },
      { at: start + 2 * minute, state: 'queued', count: 1 },
      { at: start + 2 * minute + 1, state: 'unconfirmed', count: 1 },
      { at: start + 9 * minute, state: 'received', count: 1 },
    ] as const;
    const bars = barsOf(counts, start, start + 3 * minute, minute);
    const none = { delivered: 0, failed: 0, waiting: 0, received: 0, canceled: 0 };
    const at = start - 30_000;
    expect(bars).toEqual([
      { ...none, at, delivered: 2, failed: 1 },
      { ...none, at: at + minute },
      { ...none, at: at + 2 * minute, waiting: 2 },
      // After the end, by another node's clock.
      { ...none, at: at + 3 * minute, received: 1 },
    ]);
  });

  it('has a bar even where no time passes', () => {
    expect(barsOf([{ at: start, state: 'canceled', count: 1 }], start, start, 1_000)).toMatchObject([{ canceled: 1 }]);
  });
});
