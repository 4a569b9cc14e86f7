/** One carrier bar by bar: a chart of each figure with the alerts that fired, or one table of all. */
import type { Alert } from '../../api/routes/alerts';
import type { CarrierHistory, CarrierHistoryBar } from '../../api/routes/carrier-history';
import { useTimeZone } from '../../api/time-zone';
import { numberText, percentText, tookText } from '../../language/formats';
import { labelsOf } from '../../language/labels';
import { ColumnSlider, linesOver, Marks } from '../../ui/ColumnLines';
import { Columns } from '../../ui/Columns';
import { scaleFromZero, scaleOfShares } from '../../ui/column-lines';
import { useNarrow } from '../../ui/narrow';
import { type Column, Table } from '../../ui/Table';
import { Count } from '../../ui/Values';
import styles from './CarrierHistory.module.css';
import { barLog, isGap, marksOf, rateText, textOf, ticksOf, whenText } from './figures';

const labels = labelsOf('carrierHistory');
const names = labels.figures;

type Bar = CarrierHistoryBar;

interface Chart {
  id: string;
  title: string;
  /** Columns, for counts. */
  series?: readonly { label: string; tone: 'main' | 'second' | 'idle' | 'bad'; value(bar: Bar): number }[];
  /** Lines, for shares or delays. */
  lines?: readonly { label: string; value(bar: Bar): number | null }[];
  scale?: typeof scaleFromZero;
  text?(value: number): string;
  /** Further facts of a bar, in words. */
  more?(bar: Bar): string | null;
  /** Its columns link to the messages. */
  leads?: true;
}

const percent = (value: number): string => percentText(value, 1);

const charts: readonly Chart[] = [
  {
    id: 'messages',
    title: labels.charts.messages,
    series: [
      { label: names.taken, tone: 'main', value: ({ taken }) => taken },
      { label: names.refused, tone: 'bad', value: ({ refused, throttled }) => refused + throttled },
    ],
    more: ({ perSecond }) => (perSecond === null ? null : labels.charts.pair(names.throughput, rateText(perSecond))),
    leads: true,
  },
  {
    id: 'refusals',
    title: names.refusalRate,
    lines: [{ label: names.refusalRate, value: ({ refusalRate }) => refusalRate }],
    scale: scaleFromZero,
    text: percent,
  },
  {
    id: 'receipts',
    title: labels.charts.receipts,
    lines: [
      { label: names.deliveryRate, value: ({ deliveryRate }) => deliveryRate },
      { label: names.receiptRate, value: ({ receiptRate }) => receiptRate },
    ],
    scale: scaleOfShares,
    text: percent,
  },
  {
    id: 'delay',
    title: labels.charts.delay,
    lines: [
      { label: names.delayP50Ms, value: ({ delayP50Ms }) => delayP50Ms },
      { label: names.delayP95Ms, value: ({ delayP95Ms }) => delayP95Ms },
    ],
    scale: scaleFromZero,
    text: tookText,
  },
  {
    id: 'uncertain',
    title: names.uncertain,
    series: [
      { label: names.uncertain, tone: 'bad', value: ({ uncertain }) => uncertain },
      { label: names.resolved, tone: 'idle', value: ({ resolved }) => resolved },
    ],
  },
  {
    id: 'window',
    title: names.windowUse,
    lines: [{ label: names.windowUse, value: ({ windowUse }) => windowUse }],
    scale: scaleFromZero,
    text: percent,
  },
  {
    id: 'queue',
    title: names.queuedPeak,
    series: [{ label: names.queuedPeak, tone: 'main', value: ({ queuedPeak }) => queuedPeak }],
  },
  {
    id: 'limit',
    title: labels.charts.limit,
    lines: [
      {
        label: names.limited,
        value: ({ limit, watchedMs }) => (watchedMs === 0 ? null : (limit?.share ?? 0)),
      },
    ],
    scale: scaleFromZero,
    text: percent,
    more: ({ limit }) => labels.factors[limit?.factor ?? 'none'],
  },
];

export interface ChartsProps {
  of: CarrierHistory;
  alerts: readonly Alert[];
  asTable: boolean;
}

export function Charts({ of, alerts, asTable }: ChartsProps) {
  if (asTable) return <AsTable of={of} />;
  return (
    <div className={styles.charts}>
      {charts.map((chart) => (
        <section key={chart.id} aria-label={chart.title} className={styles.chart}>
          <h3>{chart.title}</h3>
          <OneChart of={of} chart={chart} alerts={alerts} />
        </section>
      ))}
    </div>
  );
}

function OneChart({ of: { bars, range, carrierId }, chart, alerts }: Omit<ChartsProps, 'asTable'> & { chart: Chart }) {
  const timeZone = useTimeZone();
  const isNarrow = useNarrow('(max-width: 600px)');
  const { series = [], lines, scale = scaleFromZero, text = numberText, more, leads, title } = chart;
  const marks = marksOf(alerts, bars);
  const over =
    lines === undefined
      ? null
      : linesOver({
          scale: scale(lines.flatMap(({ value }) => bars.map(value))),
          textOf: text,
          lines: lines.map(({ label, value }) => ({ label, values: bars.map(value) })),
        });
  const linesOf = (bar: Bar): string[] => {
    if (isGap(bar)) return [labels.charts.gap];
    const extra = more?.(bar) ?? null;
    return [
      ...series.map(({ label, value }) => labels.charts.pair(label, numberText(value(bar)))),
      ...(lines ?? []).map(({ label, value }) => {
        const known = value(bar);
        return labels.charts.pair(label, known === null ? labels.none : text(known));
      }),
      ...(extra === null ? [] : [extra]),
    ];
  };
  return (
    <Columns
      label={title}
      keys={{ label: labels.charts.keys(title), Slider: ColumnSlider }}
      series={series.map(({ label, tone }) => ({ label, tone }))}
      columns={bars.map((bar) => ({
        key: bar.from,
        values: series.map(({ value }) => value(bar)),
        isGap: isGap(bar),
        ...(leads === true && { href: barLog(carrierId, bar) }),
      }))}
      over={{
        drawing: (
          <>
            {over?.drawing}
            <Marks at={marks.map(({ index }) => index)} count={bars.length} />
          </>
        ),
        legend: over?.legend,
      }}
      ticks={ticksOf(range, bars, { timeZone, isNarrow })}
      describe={(index) =>
        [
          whenText(bars[index]!, timeZone),
          ...linesOf(bars[index]!),
          ...marks.filter((mark) => mark.index === index).map((mark) => mark.text),
        ].join(' · ')
      }
    />
  );
}

function AsTable({ of: { bars, name, range, carrierId } }: { of: CarrierHistory }) {
  const timeZone = useTimeZone();
  const count = (id: 'taken' | 'refused' | 'uncertain' | 'queuedPeak'): Column<Bar> => ({
    id,
    title: names[id],
    figures: true,
    cell: (bar) => (isGap(bar) ? labels.none : <Count value={bar[id]} />),
  });
  const figure = (id: 'deliveryRate' | 'receiptRate' | 'delayP50Ms' | 'windowUse' | 'refusalRate'): Column<Bar> => ({
    id,
    title: names[id],
    figures: true,
    cell: (bar) => textOf(id, bar[id]),
  });
  const columns: Column<Bar>[] = [
    {
      id: 'from',
      title: labels.charts.from,
      cell: (bar) => <a href={barLog(carrierId, bar)}>{whenText(bar, timeZone)}</a>,
    },
    count('taken'),
    count('refused'),
    ...(['refusalRate', 'deliveryRate', 'receiptRate', 'delayP50Ms'] as const).map(figure),
    count('uncertain'),
    figure('windowUse'),
    count('queuedPeak'),
    {
      id: 'limit',
      title: labels.charts.limit,
      cell: (bar) =>
        bar.watchedMs === 0
          ? labels.none
          : bar.limit === null
            ? labels.factors.none
            : labels.factor(labels.factors[bar.limit.factor], bar.limit.share),
    },
  ];
  const caption = `${name}: ${labels.charts.title(labels.spans[range])}`;
  return <Table caption={caption} columns={columns} rows={bars.toReversed()} keyOf={({ from }) => from} />;
}
