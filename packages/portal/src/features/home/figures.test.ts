import { describe, expect, it } from 'vitest';
import type { HomeBar, PeriodFigures } from '../../api/routes/home';
import { loadLabels } from '../../language/labels';

await loadLabels('start');
const { changeOf, figureLog, figureText, reasonChange, reasonLog, ticksOf, whenText } = await import('./figures');
const { tookText } = await import('../../language/formats');

const figures = (more: Partial<PeriodFigures> = {}): PeriodFigures => ({
  ...{ sent: 100, delivered: 90, failed: 10, waiting: 0, replies: 5, deliveryRate: 0.9, medianMs: 2_000, ...more },
});
const bar = (from: string, until: string): HomeBar => ({
  ...{ from, until, sent: 0, delivered: 0, failed: 0, waiting: 0, replies: 0 },
});
const hours = (count: number, each: number) =>
  Array.from({ length: count }, (_, i) => {
    const at = (n: number) => new Date(Date.UTC(2026, 10, 20) + n * each * 3_600_000).toISOString();
    return bar(at(i), at(i + 1));
  });

describe('the links of figures', () => {
  const query = (href: string) => new URLSearchParams(href.split('?')[1]).get('q');

  it('search for what was counted, from the beginning of the period', () => {
    const from = '2026-11-25T11:00:00.000Z';
    expect(query(figureLog('failed', { from }))).toBe('status:failed,undelivered,expired after:2026-11-25T11:00Z');
    expect(query(figureLog('replies', { from }))).toBe('direction:inbound after:2026-11-25T11:00Z');
    expect(query(reasonLog('OPTED_OUT', { from, until: '2026-11-26T11:00:00.000Z' }))).toBe(
      'status:failed,undelivered,expired reason:OPTED_OUT after:2026-11-25T11:00Z before:2026-11-26T11:00Z',
    );
  });
});

describe('the change of a figure', () => {
  const change = (
    name: Parameters<typeof changeOf>[0],
    now: Partial<PeriodFigures>,
    before: Partial<PeriodFigures>,
  ) => {
    const made = changeOf(name, figures(now), figures(before));
    return made === null ? null : `${made.sign} ${made.text}${made.isWorse ? ' !' : ''}`;
  };

  it('is a share with a word, in figures where there were few, and a warning where it is worse', () => {
    expect(change('sent', { sent: 120 }, {})).toBe('↑ 20% more');
    expect(change('sent', { sent: 80 }, {})).toBe('↓ 20% less');
    expect(change('failed', { failed: 17 }, {})).toBe('↑ 7 more !');
    expect(change('failed', { failed: 3 }, {})).toBe('↓ 7 less');
    expect(change('sent', {}, {})).toBe(' as before');
  });

  it('is in points of the rate and in time of the median', () => {
    expect(change('deliveryRate', { deliveryRate: 0.885 }, {})).toBe('↓ 1.5 points lower !');
    expect(change('deliveryRate', { deliveryRate: 0.99 }, { deliveryRate: 0 })).toBe('↑ 99.0 points higher');
    expect(change('medianMs', { medianMs: 3_400 }, {})).toBe('↑ 1.4 s slower !');
    expect(change('medianMs', { medianMs: 1_500 }, {})).toBe('↓ 500 ms faster');
    expect(change('medianMs', { medianMs: 2_050 }, {})).toBe(' as before');
  });

  it('says that there was nothing before, and nothing where there is nothing now', () => {
    const none = { sent: 0, failed: 0, replies: 0 };
    expect(change('sent', {}, none)).toBe(' none before');
    expect(change('sent', { sent: 0 }, none)).toBeNull();
    expect(change('failed', { failed: 8 }, { failed: 0 })).toBe('↑ 8 more !');
    expect(change('failed', { failed: 0 }, { failed: 0 })).toBe(' as before');
    expect(change('medianMs', {}, { medianMs: null })).toBe(' none before');
    expect(change('deliveryRate', { deliveryRate: null }, {})).toBeNull();
  });

  it('of a reason counts messages, and is new only against a period with messages', () => {
    const none = figures({ sent: 0, failed: 0 });
    expect(reasonChange({ count: 4, before: 0 }, none)).toBeNull();
    expect(reasonChange({ count: 4, before: 0 }, figures())).toEqual({ sign: '', text: 'new', isWorse: true });
    expect(reasonChange({ count: 4, before: 6 }, figures())).toEqual({ sign: '↓', text: '2 less', isWorse: false });
    expect(reasonChange({ count: 7, before: 6 }, figures())).toEqual({ sign: '↑', text: '1 more', isWorse: true });
  });
});

describe('texts of the chart', () => {
  it('are times with their unit and figures of the language', () => {
    expect([640, 1_440, 150_000, 11_000_000].map(tookText)).toEqual(['640 ms', '1.4 s', '2.5 min', '3.1 h']);
    expect(figureText('deliveryRate', figures({ deliveryRate: 0.9561 }))).toBe('95.6%');
    expect(figureText('deliveryRate', figures({ deliveryRate: null }))).toBe('—');
    expect(figureText('sent', figures({ sent: 12_345 }))).toBe('12,345');
  });

  it('are hours or days of the zone, none where it would be cut off', () => {
    const texts = (period: Parameters<typeof ticksOf>[0], bars: HomeBar[], zone: string) =>
      ticksOf(period, bars, zone).map(({ index, text }) => `${index} ${text.replace(/\s/g, ' ')}`);
    expect(texts('24h', hours(24, 1), 'UTC')).toEqual([
      '0 12 AM',
      '4 4 AM',
      '8 8 AM',
      '12 12 PM',
      '16 4 PM',
      '20 8 PM',
    ]);
    expect(texts('7d', hours(28, 6), 'UTC').at(0)).toBe('0 Fri');
    expect(texts('7d', hours(28, 6), 'UTC')).toHaveLength(7);
    expect(texts('30d', hours(30, 24), 'UTC')).toEqual(['4 Nov 24', '9 Nov 29', '14 Dec 4', '19 Dec 9', '24 Dec 14']);
    expect(whenText('30d', hours(2, 24)[1]!, 'UTC')).toBe('Nov 21, 2026');
  });
});
