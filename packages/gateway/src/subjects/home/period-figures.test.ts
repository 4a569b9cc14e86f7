/** Bars and periods by days of a time zone, their figures, and their route. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPortalWorld, type PortalWorld } from '../../http/portal/portal-fixture.ts';
import { type HourlyRow, hourMs, medianOf, tookBounds, tookOver } from '../../model/hourly-outcomes.ts';
import type { HourlySum } from '../usage/store/hourly.ts';
import { homeFiguresRoutes } from './figures-routes.ts';
import { summedPeriod } from './period-figures.ts';
import { type Period, spansOf } from './spans.ts';

const at = (text: string) => Date.parse(text);
const shown = ({ from, until }: { from: number; until: number }) =>
  [from, until].map((ms) => new Date(ms).toISOString().slice(5, 16));

describe('the bars of a period', () => {
  const now = at('2026-11-26T10:20:00Z');

  it('are the hours of a day, with the day before', () => {
    const { bars, whole, before } = spansOf('24h', now, 'America/New_York');
    expect(bars).toHaveLength(24);
    expect(shown(whole)).toEqual(['11-25T11:00', '11-26T11:00']);
    expect(shown(before)).toEqual(['11-24T11:00', '11-25T11:00']);
    expect(bars.every(({ from, until }, i) => until - from === hourMs && from === whole.from + i * hourMs)).toBe(true);
  });

  it('are quarters of local days, today’s as far as it came, and the week before as far', () => {
    const { bars, whole, before } = spansOf('7d', now, 'America/New_York');
    expect(shown(whole)).toEqual(['11-20T05:00', '11-26T11:00']);
    expect(shown(before)).toEqual(['11-13T05:00', '11-19T11:00']);
    expect(bars).toHaveLength(6 * 4 + 1);
    expect(shown(bars.at(-1)!)).toEqual(['11-26T05:00', '11-26T11:00']);
  });

  it.each<[string, number]>([
    ['UTC', 24],
    ['Europe/Berlin', 25],
  ])('are local days in %s, the one on which clocks change with its own length', (zone, hours) => {
    const { bars, whole } = spansOf('30d', at('2026-10-26T10:20:00Z'), zone);
    expect(bars).toHaveLength(30);
    expect((bars[28]!.until - bars[28]!.from) / hourMs).toBe(hours);
    expect(bars.at(-1)!.until).toBe(whole.until);
    for (const [i, { from }] of bars.slice(1).entries()) expect(from).toBe(bars[i]!.until);
  });

  it('begin at whole hours where the zone is half an hour off', () => {
    const { whole } = spansOf('30d', now, 'Asia/Kolkata');
    expect(shown(whole)[0]).toBe('10-27T19:00');
  });
});

describe('the median', () => {
  const count = (took: number, messages: number) => ({ took, messages });

  it('is within the bound that half of the messages reached', () => {
    expect(medianOf([])).toBeNull();
    expect(medianOf([count(0, 9)])).toBeNull();
    expect(medianOf([count(100, 10)])).toBe(50);
    expect(medianOf([count(2_000, 1), count(1_500, 2), count(1_000, 1), count(0, 50)])).toBe(1_250);
    expect(medianOf([count(300, 1), count(tookOver, 5)])).toBe(tookBounds.at(-1));
  });

  it('has bounds in order, up to a day', () => {
    expect([tookBounds[0], tookBounds.at(-1)]).toEqual([100, 86_400_000]);
    expect(tookBounds.every((bound, i) => i === 0 || bound > tookBounds[i - 1]!)).toBe(true);
  });
});

describe('the figures of a period', () => {
  const sum = (span: number, outcome: HourlySum['outcome'], messages: number, more: Partial<HourlySum> = {}) => ({
    ...{ span, outcome, messages, code: '', took: 0, ...more },
  });

  it('are sums of bars, their rate and reasons, and those of the period before', () => {
    const { bars, total, before, reasons } = summedPeriod(
      [
        sum(0, 'sent', 10),
        sum(0, 'delivered', 6, { took: 1_500, code: '' }),
        sum(0, 'undelivered', 2, { code: 'UNREACHABLE' }),
        sum(1, 'sent', 1),
        sum(1, 'failed', 3, { code: 'OPTED_OUT' }),
        sum(1, 'expired', 1, { code: 'no such code' }),
        sum(1, 'received', 4),
        sum(2, 'failed', 5, { code: 'OPTED_OUT' }),
        sum(2, 'failed', 9, { code: 'CARRIER_REJECTED' }),
      ],
      2,
    );
    expect(bars).toEqual([
      { sent: 10, delivered: 6, failed: 2, waiting: 2, replies: 0 },
      { sent: 1, delivered: 0, failed: 4, waiting: 1, replies: 4 },
    ]);
    expect(total).toEqual({
      ...bars[0],
      sent: 11,
      failed: 6,
      waiting: 3,
      replies: 4,
      deliveryRate: 0.5,
      medianMs: 1_250,
    });
    expect(before).toMatchObject({ sent: 0, failed: 14, deliveryRate: 0, medianMs: null });
    expect(reasons).toEqual([
      { code: 'OPTED_OUT', count: 3, before: 5, bars: [0, 3] },
      { code: 'UNREACHABLE', count: 2, before: 0, bars: [2, 0] },
      { code: 'UNKNOWN', count: 1, before: 0, bars: [0, 1] },
    ]);
  });
});

describe('GET /home/figures', () => {
  let world: PortalWorld;
  beforeAll(async () => {
    world = await openPortalWorld({ modules: ({ store }) => [homeFiguresRoutes({ store })] });
  });
  afterAll(() => world.close());

  it('counts the own company’s side alone, in each period', async () => {
    const now = world.clock.now();
    const hour = Math.floor(now / hourMs) * hourMs;
    const row = (fields: Partial<HourlyRow>): HourlyRow => ({
      ...{ accountId: 'acc_one', environment: 'sandbox', hour, outcome: 'sent', code: '', took: 0, demo: false },
      ...{ messages: 1, ...fields },
    });
    const rows = [
      row({ messages: 3 }),
      row({ hour: hour - 30 * hourMs, messages: 5 }),
      row({ hour: hour - 9 * 24 * hourMs, messages: 7 }),
      row({ outcome: 'delivered', took: 700, messages: 2 }),
      row({ accountId: 'acc_two', messages: 100 }),
      row({ environment: 'live', messages: 1_000 }),
    ];
    expect(await world.store.addHourly({ from: 0, to: 60_000, rows })).toBe(true);
    const viewer = await world.as('Viewer');
    const ask = async (query: string, environment = 'sandbox') =>
      (
        await viewer.call('GET', `/home/figures${query}`, undefined, {
          headers: { 'x-helio-environment': environment },
        })
      ).json;
    const sent = async (period: Period) => {
      const { data } = await ask(`?period=${period}&timeZone=Europe/Berlin`);
      return [data.total.sent, data.before.sent];
    };
    expect(await sent('24h')).toEqual([3, 5]);
    expect(await sent('7d')).toEqual([8, 7]);
    expect(await sent('30d')).toEqual([15, 0]);
    const { data } = await ask('');
    expect(data).toMatchObject({
      period: '24h',
      behind: false,
      total: { delivered: 2, deliveryRate: 1, medianMs: 600 },
    });
    expect(data.bars.at(-1)).toMatchObject({ sent: 3, delivered: 2, waiting: 1 });
    expect((await ask('?period=24h', 'live')).data.total.sent).toBe(1_000);
    for (const query of ['?period=1h', '?timeZone=Mars/Base', `?timeZone=${'x'.repeat(70)}`, '?period=7d&period=30d']) {
      expect((await ask(query)).reason, query).toBe('INVALID_FIELD');
    }
  });
});
