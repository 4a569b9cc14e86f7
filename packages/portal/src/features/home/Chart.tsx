/** Outcomes of the messages of each bar of the period: as columns, and as a table with the same links. */
import type { HomeBar, HomePeriod } from '../../api/routes/home';
import { labelsOf } from '../../language/labels';
import { Columns } from '../../ui/Columns';
import { type Column, Table } from '../../ui/Table';
import { Count } from '../../ui/Values';
import styles from './Figures.module.css';
import { barLog, beginText, ticksOf, whenText } from './figures';

const labels = labelsOf('figure');

/** From bottom to top */
const series = [
  { name: 'delivered', tone: 'main' },
  { name: 'waiting', tone: 'idle' },
  { name: 'failed', tone: 'bad' },
] as const;
const figures = ['sent', 'delivered', 'waiting', 'failed', 'replies'] as const;

export interface ChartProps {
  data: HomePeriod;
  timeZone: string;
}

export function Chart({ asTable, ...props }: ChartProps & { asTable: boolean }) {
  return asTable ? <AsTable {...props} /> : <AsColumns {...props} />;
}

function AsTable({ data: { bars, period }, timeZone }: ChartProps) {
  const columns: Column<HomeBar>[] = [
    {
      id: 'from',
      title: labels.from,
      cell: (bar) => <a href={barLog(bar)}>{beginText(period, bar, timeZone)}</a>,
    },
    ...figures.map((name) => ({
      id: name,
      title: labels.columns[name],
      figures: true,
      cell: (bar: HomeBar) => <Count value={bar[name]} />,
    })),
  ];
  const some = bars.filter(({ sent, failed, replies }) => sent + failed + replies > 0).toReversed();
  if (some.length === 0) return <p className={styles.muted}>{labels.quiet}</p>;
  return <Table caption={labels.chart} columns={columns} rows={some} keyOf={({ from }) => from} />;
}

function AsColumns({ data: { bars, period, total }, timeZone }: ChartProps) {
  return (
    <Columns
      label={labels.summary(period, total.sent, total.delivered, total.failed)}
      series={series.map(({ name, tone }) => ({ label: labels.series[name], tone }))}
      columns={bars.map((bar) => ({ key: bar.from, values: series.map(({ name }) => bar[name]), href: barLog(bar) }))}
      ticks={ticksOf(period, bars, timeZone)}
      describe={(index) => {
        const bar = bars[index]!;
        return labels.bar(whenText(period, bar, timeZone), bar.delivered, bar.waiting, bar.failed);
      }}
    />
  );
}
