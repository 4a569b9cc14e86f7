/** The board's figures in words, changes, order, and the positions of alerts on a chart. */
import { describe, expect, it } from 'vitest';
import type { CarrierBoardRow, CarrierFigures } from '../../api/routes/carrier-history';
import { loadLabels } from '../../language/labels';

await Promise.all([loadLabels('start'), loadLabels('rest')]);
const { codeLog, deltaOf, figureIn, isGap, marksOf, orderOf, rateText, sortedRows, textOf, ticksOf, worseText } =
  await import('./figures');

const figures = (more: Partial<CarrierFigures> = {}): CarrierFigures => ({
  ...{
    taken: 100,
    tries: 100,
    perSecond: 0.5,
    refused: 0,
    refusalRate: 0,
    throttled: 0,
    delivered: 90,
    undelivered: 0,
  },
  ...{ deliveryRate: 1, receiptRate: 0.9, delayP50Ms: 1_000, delayP95Ms: 2_000, uncertain: 0, uncertainRate: 0 },
  ...{ resolved: 0, windowUse: 0.1, windowPeak: 1, queued: 0, queuedPeak: 0, oldestPeakMs: 0, upShare: 1, limit: null },
  ...{ watchedMs: 3_600_000, ...more },
});
const row = (name: string, more: Partial<CarrierBoardRow> = {}): CarrierBoardRow => ({
  ...{
    carrierId: name,
    name,
    environment: 'live',
    enabled: true,
    now: figures(),
    before: figures(),
    worse: [],
    trend: [],
  },
  ...more,
});
const worse = (figure: 'refusalRate' | 'uncertainRate', weight: number) => ({ figure, now: 0.1, before: 0, weight });

describe('a figure in words', () => {
  it('has the unit in which it is one or more', () => {
    expect([12.4, 1.24, 0.5, 0.016, 0.001, 0].map(rateText)).toEqual([
      '12/s',
      '1.2/s',
      '30/min',
      '58/h',
      '3.6/h',
      '0/h',
    ]);
  });

  it('never says all while one is missing, nor none while there is one', () => {
    expect([textOf('deliveryRate', 0.99999), textOf('deliveryRate', 1)]).toEqual(['99.9%', '100%']);
    expect([textOf('refusalRate', 0.00001), textOf('refusalRate', 0), textOf('refusalRate', 0.051)]).toEqual([
      ...['0.1%', '0%', '5.1%'],
    ]);
    expect([textOf('delayP50Ms', 2_400), textOf('uncertain', 1_200), textOf('windowUse', null)]).toEqual([
      ...['2.4 s', '1,200', '—'],
    ]);
  });

  it('is unknown in a gap, which is not nothing', () => {
    const gap = figures({ watchedMs: 0, tries: 0, taken: 0, delivered: 0, perSecond: null });
    expect([isGap(gap), figureIn('uncertain', gap), figureIn('limited', gap)]).toEqual([true, null, null]);
    // Receipts counted by a node that does not watch the queues.
    expect(isGap({ ...gap, delivered: 1 })).toBe(false);
  });
});

describe('a change', () => {
  it('is in points or parts, and worse where the gateway says so', () => {
    const now = figures({ refusalRate: 0.061, delayP50Ms: 1_500, uncertain: 4, perSecond: 0.25 });
    const changed = row('a', { now, worse: [worse('refusalRate', 0.06), worse('uncertainRate', 0.04)] });
    expect(deltaOf('refusalRate', changed)).toEqual({ sign: '↑', text: '6.1 pp', isWorse: true });
    expect(deltaOf('uncertain', changed)).toEqual({ sign: '↑', text: '4', isWorse: true });
    expect(deltaOf('delayP50Ms', changed)).toEqual({ sign: '↑', text: '50%', isWorse: false });
    expect(deltaOf('throughput', changed)).toEqual({ sign: '↓', text: '50%', isWorse: false });
    expect(deltaOf('deliveryRate', changed)).toBeNull();
    expect(deltaOf('receiptRate', { ...changed, before: figures({ receiptRate: null }) })).toBeNull();
    expect(worseText(worse('refusalRate', 1))).toBe('refuses 10% of tries, 0% before');
  });
});

describe('the order', () => {
  const list = [
    row('idle', { now: figures({ tries: 0, refusalRate: null }) }),
    row('well', { now: figures({ refusalRate: 0.02, deliveryRate: 0.9 }) }),
    row('bad', { now: figures({ refusalRate: 0.1 }), worse: [worse('refusalRate', 0.1)] }),
    row('worst', {
      now: figures({ refusalRate: 0.05 }),
      worse: [worse('refusalRate', 0.06), worse('uncertainRate', 0.05)],
    }),
  ];
  const names = (by: Parameters<typeof sortedRows>[1]) => sortedRows(list, by).map(({ name }) => name);

  it('begins with what got worse the most, else with the bad end; the unknown is last', () => {
    expect(names('worse')).toEqual(['worst', 'bad', 'well', 'idle']);
    expect(names('refusalRate')).toEqual(['bad', 'worst', 'well', 'idle']);
    expect(names('deliveryRate')[0]).toBe('well');
    expect(names('name')).toEqual(['bad', 'idle', 'well', 'worst']);
    expect([orderOf('deliveryRate'), orderOf('refusalRate')]).toEqual(['ascending', 'descending']);
  });
});

describe('a chart', () => {
  const hour = (n: number) => new Date(Date.UTC(2026, 10, 26, n)).toISOString();
  const bars = Array.from({ length: 24 }, (_, n) => ({ from: hour(n), until: hour(n + 1) }));

  it('marks when alerts fired, and none of another time', () => {
    const alert = (firedAt: string) => ({ firedAt, detail: 'It refuses.' });
    expect(marksOf([alert(hour(3)), alert(hour(-1)), alert(hour(24))], bars)).toEqual([
      { index: 3, text: 'alert: It refuses.' },
    ]);
  });

  it('has few words on its axis, fewer on a telephone', () => {
    const ticks = (isNarrow: boolean) => ticksOf('24h', bars, { timeZone: 'UTC', isNarrow }).map(({ text }) => text);
    expect(ticks(false)).toEqual(['12 AM', '4 AM', '8 AM', '12 PM', '4 PM', '8 PM']);
    expect(ticks(true)).toEqual(['12 AM', '8 AM', '4 PM']);
  });

  it('leads to the messages of a carrier with a code', () => {
    const q = new URLSearchParams(codeLog('telco-a', 'UNREACHABLE', bars[0]!).split('?')[1]).get('q');
    expect(q).toBe(
      'direction:outbound carrier:telco-a reason:UNREACHABLE after:2026-11-26T00:00Z before:2026-11-26T01:00Z',
    );
  });
});
