/** The figures of a period, and which of them count as worse than in the period before. */
import { describe, expect, it } from 'vitest';
import type { HistoryFigures } from '../../model/carrier-history.ts';
import { gotWorse } from './got-worse.ts';
import { addFigures, figuresOf, noFigures } from './history-figures.ts';
import { ranges, timesOf } from './ranges.ts';

const minute = 60_000;
const hour = 60 * minute;
const withReceipts = { asksForReceipts: true };

/** `delays`: counts by bucket; 10 is about 600 ms, 20 about 3.8 s. */
const figures = (fields: Partial<HistoryFigures> = {}, delays: Record<string, number> = {}) =>
  figuresOf(
    { ...noFigures(), watchedMs: 24 * hour, upMs: 24 * hour, ...fields },
    Object.entries(delays).map(([name, count]) => ({ name, count })),
    withReceipts,
  );

describe('the figures of a time', () => {
  it('are rates of what was counted, and the factor that held for longest', () => {
    const sums = { taken: 900, later: 60, refused: 30, throttled: 5, uncertain: 5, delivered: 800, undelivered: 40 };
    const times = { watchedMs: hour, upMs: 0.9 * hour, downMs: 0.1 * hour, windowMs: 0.3 * hour };
    const window = { windowUsed: 30, windowSize: 120, windowPeak: 9, queueLooks: 4, queued: 10, queuedPeak: 7 };
    const found = figures({ ...sums, ...times, ...window }, { 10: 9, 20: 1 });
    expect(found).toMatchObject({
      ...{ taken: 900, tries: 1_000, perSecond: 0.25, refused: 90, refusalRate: 0.09, uncertainRate: 0.005 },
      ...{ deliveryRate: 800 / 840, receiptRate: 840 / 900, windowUse: 0.25, windowPeak: 9, queued: 2.5, upShare: 0.9 },
      limit: { factor: 'window', share: 0.3 },
    });
    expect([Math.round(found.delayP50Ms!), Math.round(found.delayP95Ms!)]).toEqual([619, 3_834]);
  });

  it('are unknown where nothing was counted, and nothing limits what was held for a moment', () => {
    expect(figuresOf(noFigures(), [], withReceipts)).toMatchObject({
      ...{ perSecond: null, refusalRate: null, deliveryRate: null, receiptRate: null, delayP50Ms: null },
      ...{ windowUse: null, upShare: null, queued: null, limit: null, tries: 0 },
    });
    expect(figures({ downMs: 0.005 * 24 * hour }).limit).toBeNull();
    expect(figuresOf({ ...noFigures(), taken: 5 }, [], { asksForReceipts: false }).receiptRate).toBeNull();
  });

  it('add up, of peaks the greater one', () => {
    const sum = noFigures();
    addFigures(sum, { ...noFigures(), taken: 2, windowPeak: 5 });
    addFigures(sum, { ...noFigures(), taken: 3, windowPeak: 4 });
    expect(sum).toEqual({ ...noFigures(), taken: 5, windowPeak: 5 });
  });
});

describe('a carrier got worse', () => {
  const names = (...[now, before]: Parameters<typeof gotWorse>) => gotWorse(now, before).map(({ figure }) => figure);
  const well = { taken: 2_000, delivered: 1_950, undelivered: 20 };

  it('when it refuses more, delivers less, reports less, leaves in doubt, is slower or down', () => {
    const before = figures(well, { 10: 1_000 });
    expect(gotWorse(figures({ ...well, refused: 200 }, { 10: 1_000 }), before)).toEqual([
      { figure: 'refusalRate', now: 200 / 2_200, before: 0, weight: 200 / 2_200 },
    ]);
    expect(names(figures({ ...well, delivered: 1_750, undelivered: 220 }), before)).toEqual(['deliveryRate']);
    expect(names(figures({ ...well, delivered: 1_600 }), before)).toEqual(['receiptRate']);
    expect(names(figures({ ...well, uncertain: 60 }), before)).toEqual(['uncertainRate']);
    expect(names(figures(well, { 20: 1_000 }), before)).toEqual(['delayP50Ms']);
    expect(names(figures({ ...well, upMs: 20 * hour }), before)).toEqual(['upShare']);
  });

  it('with the gravest first', () => {
    const now = figures({ ...well, refused: 100, upMs: 12 * hour });
    expect(names(now, figures(well))).toEqual(['upShare', 'refusalRate']);
    // Receipts that come later are not lost messages.
    const late = figures({ ...well, refused: 100 }, { 30: 1_000 });
    expect(names(late, figures(well, { 10: 1_000 }))).toEqual(['refusalRate', 'delayP50Ms']);
  });

  it('not when it got better, or when a change is small, by chance or of too few', () => {
    expect(names(figures(well), figures({ ...well, refused: 900, undelivered: 900 }))).toEqual([]);
    expect(names(figures({ ...well, refused: 15 }), figures(well))).toEqual([]);
    // Two more refusals of sixty are no evidence: the same carrier on another day.
    expect(names(figures({ taken: 58, refused: 4 }), figures({ taken: 60, refused: 2 }))).toEqual([]);
    expect(names(figures({ taken: 10, refused: 9 }), figures({ taken: 10 }))).toEqual([]);
    expect(names(figures(well, { 12: 1_000 }), figures(well, { 10: 1_000 }))).toEqual([]);
    expect(names(figures({}), figures(well, { 10: 1_000 }))).toEqual([]);
  });

  it('not when a person paused it', () => {
    expect(names(figures({ ...well, upMs: 0, pausedMs: 24 * hour }), figures(well))).toEqual([]);
  });
});

describe('a range', () => {
  it.each(ranges)('%s: bars without gaps that end with what is written, and as long before', (range) => {
    const now = Date.parse('2026-03-08T10:17:42Z');
    const { query, bars, widthMs, from, until, beforeFrom } = timesOf(range, now);
    // The current minute is not shown, nor, for a moment, the one before it.
    expect(until).toBeGreaterThan(now - 2 * minute);
    expect(until).toBeLessThanOrEqual(now - 42_000 + Math.min(widthMs, hour));
    if (range === '1h') expect(new Date(until).toISOString()).toBe('2026-03-08T10:17:00.000Z');
    expect(timesOf(range, Date.parse('2026-03-08T11:00:01Z')).until).toBeLessThanOrEqual(
      Date.parse('2026-03-08T11:00Z'),
    );
    expect([until - from, from - beforeFrom]).toEqual([bars * widthMs, bars * widthMs]);
    expect(until - from).toBe(
      { '1h': hour, '6h': 6 * hour, '24h': 24 * hour, '7d': 168 * hour, '30d': 720 * hour }[range],
    );
    expect(query).toMatchObject({ from: beforeFrom, until, widthMs });
    // Each bar consists of whole rows.
    expect([from % query.stepMs, widthMs % query.stepMs]).toEqual([0, 0]);
  });
});
