/**
 * The start page's figures: their searches in the message log, changes from the period before, times, axis labels.
 * Pure.
 */
import type { HomeBar, HomePeriod, HomeReason, PeriodFigures } from '../../api/routes/home';
import { dateFormat, numberText, percentText, tookText } from '../../language/formats';
import { labelsOf } from '../../language/labels';
import { type Change, changed, countChange, firstTime, shareChange } from '../../ui/change';
import type { Tick } from '../../ui/columns';

const labels = labelsOf('figure');
const { same } = labelsOf('ui').change;

export type Period = HomePeriod['period'];
export const periods: readonly Period[] = ['24h', '7d', '30d'];

export const shown = [
  'deliveryRate',
  'sent',
  'failed',
  'replies',
  'medianMs',
] as const satisfies readonly (keyof PeriodFigures)[];
export type Figure = (typeof shown)[number];

const searches: Record<Figure, string> = {
  deliveryRate: 'status:delivered',
  sent: 'direction:outbound status:sent,delivered,undelivered,unconfirmed',
  failed: 'status:failed,undelivered,expired',
  replies: 'direction:inbound',
  medianMs: 'status:delivered',
};

interface Times {
  from: string;
  until?: string;
}

/** Whole hours are shown without seconds. */
const hourText = (at: string): string => at.replace(/:00\.000Z$/, 'Z');

function logOf(search: string, { from, until }: Times): string {
  const times = [`after:${hourText(from)}`, ...(until === undefined ? [] : [`before:${hourText(until)}`])];
  return `/messages?${new URLSearchParams({ q: [search, ...times].join(' ') })}`;
}

/** The log with the messages that a figure counts. */
export function figureLog(figure: Figure, times: Times): string {
  return logOf(searches[figure], times);
}

export function reasonLog(code: string, times: Times): string {
  return logOf(`${searches.failed} reason:${code}`, times);
}

/** The log with all messages sent in one bar. */
export function barLog({ from, until }: HomeBar): string {
  return logOf('direction:outbound', { from, until });
}

export function figureText(figure: Figure, figures: PeriodFigures): string {
  const value = figures[figure];
  if (value === null) return labels.none;
  if (figure === 'deliveryRate') return percentText(value, 1);
  return figure === 'medianMs' ? tookText(value) : numberText(value);
}

/** The change from the period before, in words; null when there is nothing to show. */
export function changeOf(figure: Figure, now: PeriodFigures, before: PeriodFigures): Change | null {
  const [value, past] = [now[figure], before[figure]];
  const isFirst = before.sent + before.failed + before.replies === 0;
  if (figure === 'deliveryRate') return shareChange(value, isFirst ? null : past);
  if (value === null || past === null || isFirst) return firstTime(value);
  if (figure !== 'medianMs') return countChange(value, past, figure === 'failed' ? '↑' : undefined);
  const size = Math.abs(value - past);
  const textOf = (isUp: boolean): string => (isUp ? labels.slower(tookText(size)) : labels.faster(tookText(size)));
  return changed({ value, past, same: size / past < 0.05 }, textOf, '↑');
}

/** The change of a reason, in messages; null when the period before had no messages. */
export function reasonChange(
  { count, before }: Pick<HomeReason, 'count' | 'before'>,
  past: PeriodFigures,
): Change | null {
  if (past.sent + past.failed === 0) return null;
  if (before === 0) return { sign: '', text: labels.reasons.isNew, isWorse: true };
  if (count === before) return { sign: '', text: same, isWorse: false };
  const text = numberText(Math.abs(count - before));
  return count > before
    ? { sign: '↑', text: labels.reasons.more(text), isWorse: true }
    : { sign: '↓', text: labels.reasons.less(text), isWorse: false };
}

const daysBetween = 5;
/** A label that starts further right would be cut off. */
const lastLabelAt = 0.93;

/** Labels of the axis: hours, or days in the zone. */
export function ticksOf(period: Period, bars: readonly HomeBar[], timeZone: string | undefined): Tick[] {
  const hour = dateFormat({ hour: '2-digit', hourCycle: 'h23', timeZone });
  const clock = dateFormat({ hour: 'numeric', timeZone });
  const day =
    period === '7d'
      ? dateFormat({ weekday: 'short', timeZone })
      : dateFormat({ month: 'short', day: 'numeric', timeZone });
  const ticks: Tick[] = [];
  let last = '';
  for (const [index, { from }] of bars.entries()) {
    const at = new Date(from);
    if (period === '24h') {
      if (Number.parseInt(hour.format(at), 10) % 4 === 0) ticks.push({ index, text: clock.format(at) });
      continue;
    }
    const text = day.format(at);
    const isDue = period === '7d' ? text !== last : (bars.length - 1 - index) % daysBetween === 0;
    if (isDue) ticks.push({ index, text });
    last = text;
  }
  return ticks.filter(({ index }) => index / bars.length <= lastLabelAt);
}

/** The time of a bar: its hour or hours, or its day. */
export function whenText(period: Period, { from, until }: HomeBar, timeZone: string | undefined): string {
  const format = dateFormat({ ...shapeOf(period), timeZone });
  return period === '30d' ? format.format(new Date(from)) : format.formatRange(new Date(from), new Date(until));
}

/** When a bar begins. */
export function beginText(period: Period, { from }: HomeBar, timeZone: string | undefined): string {
  return dateFormat({ ...shapeOf(period), timeZone }).format(new Date(from));
}

function shapeOf(period: Period): Intl.DateTimeFormatOptions {
  if (period === '30d') return { dateStyle: 'medium' };
  return { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' };
}
