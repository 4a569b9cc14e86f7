/** The bars of the start page's periods in counted hours, and the period before. Pure. */
import { dayMs, type EpochMs } from '../../kernel/clock.ts';
import { hourMs } from '../../model/hourly-outcomes.ts';

export const periods = ['24h', '7d', '30d'] as const;
export type Period = (typeof periods)[number];

export interface Span {
  from: EpochMs;
  until: EpochMs;
}

export interface PeriodSpans {
  /** Without gaps, oldest first. The last one ends with the current hour. */
  bars: Span[];
  whole: Span;
  /** Equally long, right before: it ends at the same time of day. */
  before: Span;
}

/** Days of a period; a bar is a quarter of a day, or a day. */
const days = { '7d': 7, '30d': 30 } as const;
const hoursOfBar = { '7d': 6, '30d': 24 } as const;

/**
 * `24h`: bars of an hour, including the current one. `7d` and `30d`: by days of `timeZone`, today last. If a zone is
 * not whole hours from UTC, its day begins with the first counted hour that begins in it.
 */
export function spansOf(period: Period, now: EpochMs, timeZone: string): PeriodSpans {
  const until = Math.floor(now / hourMs) * hourMs + hourMs;
  const bars = period === '24h' ? hourBars(until) : dayBars(period, until, timeZone);
  const whole = { from: bars[0]!.from, until };
  // Whole days, so that an unfinished today is compared with the same part of a day.
  const length = period === '24h' ? dayMs : days[period] * dayMs;
  return { bars, whole, before: { from: whole.from - length, until: until - length } };
}

function hourBars(until: EpochMs): Span[] {
  return Array.from({ length: 24 }, (_, i) => {
    const from = until - (24 - i) * hourMs;
    return { from, until: from + hourMs };
  });
}

function dayBars(period: keyof typeof days, until: EpochMs, timeZone: string): Span[] {
  const format = new Intl.DateTimeFormat('en-CA', {
    ...{ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', hourCycle: 'h23', timeZone },
  });
  const bars: (Span & { name: string })[] = [];
  const seen = new Set<string>();
  // Goes backwards from now, until one day too many begins.
  for (let from = until - hourMs; ; from -= hourMs) {
    const local = Object.fromEntries(format.formatToParts(from).map(({ type, value }) => [type, value]));
    const day = `${local.year}-${local.month}-${local.day}`;
    seen.add(day);
    if (seen.size > days[period]) break;
    const name = `${day} ${Math.floor(Number(local.hour) / hoursOfBar[period])}`;
    const bar = bars[0];
    if (bar?.name === name) bar.from = from;
    else bars.unshift({ name, from, until: from + hourMs });
  }
  return bars.map(({ from, until: end }) => ({ from, until: end }));
}
