/** The figures of the board: their texts, changes compared with the period before, order, and marks of charts. Pure. */
import type { Alert } from '../../api/routes/alerts';
import type {
  CarrierBoardRow,
  CarrierFigures,
  CarrierHistoryBar,
  CarrierWorse,
} from '../../api/routes/carrier-history';
import { byName, dateFormat, fixedText, numberText, percentText, tookText } from '../../language/formats';
import { labelsOf } from '../../language/labels';
import { type Scale, scaleFromZero, scaleOfShares } from '../../ui/column-lines';
import type { Tick } from '../../ui/columns';
import type { Range } from './history';

const labels = labelsOf('carrierHistory');

export const figures = [
  'throughput',
  'refusalRate',
  'deliveryRate',
  'receiptRate',
  'delayP50Ms',
  'uncertain',
  'windowUse',
  'limited',
] as const;
export type Figure = (typeof figures)[number];

/** Figures for which less is worse. */
const lessIsWorse: readonly Figure[] = ['deliveryRate', 'receiptRate'];

export function figureIn(figure: Figure, of: CarrierFigures): number | null {
  if (figure === 'throughput') return of.perSecond;
  if (figure === 'limited') return of.watchedMs === 0 ? null : (of.limit?.share ?? 0);
  if (figure === 'uncertain') return isGap(of) ? null : of.uncertain;
  return of[figure];
}

/** Nothing was watched or counted, which is different from zero. */
export function isGap({ watchedMs, tries, delivered, undelivered }: CarrierFigures): boolean {
  return watchedMs + tries + delivered + undelivered === 0;
}

export function textOf(figure: Figure, value: number | null): string {
  if (value === null) return labels.none;
  if (figure === 'throughput') return rateText(value);
  if (figure === 'delayP50Ms') return tookText(value);
  if (figure === 'uncertain') return numberText(value);
  // Never shows 100 % while one is missing, nor 0 % while there is one.
  const round = lessIsWorse.includes(figure) ? Math.floor : Math.ceil;
  return percentText(round(Number((value * 1_000).toPrecision(12))) / 1_000, 1);
}

/** `12/s`, `8.7/min`, `3/h`: in the first unit that gives one or more. */
export function rateText(perSecond: number): string {
  const [value, unit] =
    perSecond >= 1
      ? [perSecond, labels.rate.second]
      : perSecond * 60 >= 1
        ? [perSecond * 60, labels.rate.minute]
        : [perSecond * 3_600, labels.rate.hour];
  return unit(fixedText(value, value >= 10 || value === 0 ? 0 : 1));
}

export interface Delta {
  sign: '↑' | '↓';
  text: string;
  /** The gateway counts it among the figures that got worse. */
  isWorse: boolean;
}

/** Least change to be shown: relative to the old value for a rate or a delay, in points for a share. */
const changeMin = 0.05;
const pointsMin = 0.0005;

/** The change from the period before; null when there is nothing to show. */
export function deltaOf(
  figure: Figure,
  { now, before, worse }: Pick<CarrierBoardRow, 'now' | 'before' | 'worse'>,
): Delta | null {
  const [value, past] = [figureIn(figure, now), figureIn(figure, before)];
  // A change of the window's use is of no interest.
  if (value === null || past === null || figure === 'windowUse' || figure === 'limited') return null;
  const size = Math.abs(value - past);
  const sign = value > past ? '↑' : '↓';
  const isWorse = worse.some((one) => one.figure === worseFigure(figure));
  if (figure === 'uncertain') return size === 0 ? null : { sign, text: numberText(size), isWorse };
  if (figure === 'throughput' || figure === 'delayP50Ms') {
    if (past === 0 || size / past < changeMin) return null;
    return { sign, text: percentText(size / past), isWorse };
  }
  return size < pointsMin ? null : { sign, text: labels.points(size * 100), isWorse };
}

function worseFigure(figure: Figure): CarrierWorse['figure'] | undefined {
  if (figure === 'uncertain') return 'uncertainRate';
  if (figure === 'limited') return 'upShare';
  return figure === 'throughput' || figure === 'windowUse' ? undefined : figure;
}

/** `refuses 6.1% of tries, 0.4% before`. */
export function worseText({ figure, now, before }: CarrierWorse): string {
  return labels.worseOf[figure](now, before);
}

export const orders = ['worse', 'name', ...figures] as const;
export type Order = (typeof orders)[number];

/** The most important rows first. */
export function sortedRows(rows: readonly CarrierBoardRow[], by: Order): CarrierBoardRow[] {
  const names = (a: CarrierBoardRow, b: CarrierBoardRow): number => byName(a.name, b.name);
  if (by === 'name') return [...rows].sort(names);
  if (by === 'worse')
    return [...rows].sort((a, b) => weightOf(b) - weightOf(a) || b.now.tries - a.now.tries || names(a, b));
  const sign = orderOf(by) === 'ascending' ? 1 : -1;
  return [...rows].sort((a, b) => {
    const [one, other] = [figureIn(by, a.now), figureIn(by, b.now)];
    // Unknown values come last.
    if (one === null || other === null) return Number(one === null) - Number(other === null) || names(a, b);
    return (one - other) * sign || names(a, b);
  });
}

/** Bad values first. */
export function orderOf(by: Order): 'ascending' | 'descending' {
  return by === 'name' || lessIsWorse.some((figure) => figure === by) ? 'ascending' : 'descending';
}

const weightOf = ({ worse }: CarrierBoardRow): number => worse.reduce((sum, { weight }) => sum + weight, 0);

/** The scale of one or several similar figures over time. */
export function scaleOfFigure(figure: Figure, values: readonly (number | null)[]): Scale {
  return lessIsWorse.includes(figure) ? scaleOfShares(values) : scaleFromZero(values);
}

interface Times {
  from: string;
  until: string;
}

/** The message log with the messages of a carrier that now have this code, accepted in a period. */
export function codeLog(carrierId: string, code: string, times: Times): string {
  return logOf(`carrier:${carrierId} reason:${code}`, times);
}

/** The message log with the messages of a carrier that were accepted in one bar. */
export function barLog(carrierId: string, bar: Times): string {
  return logOf(`carrier:${carrierId}`, bar);
}

/** Whole minutes are shown without seconds. */
const minuteText = (at: string): string => at.replace(/:00\.000Z$/, 'Z');

function logOf(search: string, { from, until }: Times): string {
  const q = `direction:outbound ${search} after:${minuteText(from)} before:${minuteText(until)}`;
  return `/messages?${new URLSearchParams({ q })}`;
}

const ticksMax = { wide: 6, narrow: 3 };
/** A label that starts further right would be cut off. */
const lastLabelAt = { wide: 0.93, narrow: 0.8 };

const shapes: Readonly<Record<Range, Intl.DateTimeFormatOptions>> = {
  '1h': { hour: 'numeric', minute: '2-digit' },
  '6h': { hour: 'numeric', minute: '2-digit' },
  '24h': { hour: 'numeric' },
  '7d': { month: 'short', day: 'numeric' },
  '30d': { month: 'short', day: 'numeric' },
};

export interface Axis {
  timeZone: string | undefined;
  isNarrow: boolean;
}

/** Labels of the axis: hours and minutes, or days, at their start. */
export function ticksOf(range: Range, bars: readonly { from: string }[], { timeZone, isNarrow }: Axis): Tick[] {
  const format = dateFormat({ ...shapes[range], timeZone });
  const width = isNarrow ? 'narrow' : 'wide';
  const texts = bars.map(({ from }) => format.format(new Date(from)));
  const starts = texts.flatMap((text, index) => (text === texts[index - 1] ? [] : [index]));
  const step = Math.ceil(starts.length / ticksMax[width]);
  return starts
    .filter((index, i) => i % step === 0 && index / bars.length <= lastLabelAt[width])
    .map((index) => ({ index, text: texts[index]! }));
}

/** The time of a bar, in words. */
export function whenText({ from, until }: Times, timeZone: string | undefined): string {
  const format = dateFormat({ month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', timeZone });
  return format.formatRange(new Date(from), new Date(until));
}

/** Marks for alerts on a chart of these bars. */
export function marksOf(
  alerts: readonly Pick<Alert, 'firedAt' | 'detail'>[],
  bars: readonly Pick<CarrierHistoryBar, 'from' | 'until'>[],
): { index: number; text: string }[] {
  return alerts.flatMap(({ firedAt, detail }) => {
    const at = Date.parse(firedAt);
    const index = bars.findIndex(({ from, until }) => Date.parse(from) <= at && at < Date.parse(until));
    return index === -1 ? [] : [{ index, text: labels.charts.fired(detail) }];
  });
}
