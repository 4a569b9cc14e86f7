/** What became of the messages of each bar of the period: as columns, and as a table with the same links. */
import { useRouter } from '@tanstack/react-router';
import { type MouseEvent, useState } from 'react';
import type { HomeBar, HomePeriod } from '../../api/routes/home';
import { numberText } from '../../language/formats';
import { labelsOf } from '../../language/labels';
import { type Column, Table } from '../../ui/Table';
import { Count } from '../../ui/Values';
import styles from './Figures.module.css';
import { barLog, beginText, scaleOf, ticksOf, whenText } from './figures';

const words = labelsOf('figure');

/** From the bottom upwards. */
const series = ['delivered', 'waiting', 'failed'] as const;
const figures = ['sent', 'delivered', 'waiting', 'failed', 'replies'] as const;

export interface ChartProps {
  data: HomePeriod;
  timeZone: string;
}

export function Chart({ asTable, ...props }: ChartProps & { asTable: boolean }) {
  return asTable ? <AsTable {...props} /> : <Columns {...props} />;
}

function AsTable({ data: { bars, period }, timeZone }: ChartProps) {
  const columns: Column<HomeBar>[] = [
    {
      id: 'from',
      title: words.from,
      cell: (bar) => <a href={barLog(bar)}>{beginText(period, bar, timeZone)}</a>,
    },
    ...figures.map((name) => ({
      id: name,
      title: words.columns[name],
      figures: true,
      cell: (bar: HomeBar) => <Count value={bar[name]} />,
    })),
  ];
  const some = bars.filter(({ sent, failed, replies }) => sent + failed + replies > 0).toReversed();
  if (some.length === 0) return <p className={styles.muted}>{words.quiet}</p>;
  return <Table caption={words.chart} columns={columns} rows={some} keyOf={({ from }) => from} />;
}

function Columns({ data: { bars, period, total }, timeZone }: ChartProps) {
  const router = useRouter();
  const [pointed, setPointed] = useState<number | null>(null);
  const most = scaleOf(Math.max(...bars.map((bar) => series.reduce((sum, name) => sum + bar[name], 0))));
  const told = (bar: HomeBar) => words.bar(whenText(period, bar, timeZone), bar.delivered, bar.waiting, bar.failed);
  const go = (event: MouseEvent, bar: HomeBar): void => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    router.history.push(barLog(bar));
  };
  const bar = pointed === null ? undefined : bars[pointed];
  return (
    <figure className={styles.chart} aria-label={words.summary(period, total.sent, total.delivered, total.failed)}>
      {/* Out of the tab order: the table has the same links, for keyboards and screen readers. */}
      <div aria-hidden="true" className={styles.plot} onPointerLeave={() => setPointed(null)}>
        <span className={styles.most}>{numberText(most)}</span>
        <div className={styles.bars}>
          {bars.map((one, index) => (
            <a
              key={one.from}
              href={barLog(one)}
              tabIndex={-1}
              className={styles.bar}
              onPointerEnter={() => setPointed(index)}
              onClick={(event) => go(event, one)}
            >
              {series
                .toReversed()
                .map(
                  (name) =>
                    one[name] > 0 && (
                      <span key={name} className={styles[name]} style={{ height: `${(one[name] / most) * 100}%` }} />
                    ),
                )}
            </a>
          ))}
        </div>
        <div className={styles.axis}>
          {ticksOf(period, bars, timeZone).map(({ index, text }) => (
            <span key={index} style={{ left: `${(index / bars.length) * 100}%` }}>
              {text}
            </span>
          ))}
        </div>
      </div>
      <figcaption className={styles.legend}>
        {bar !== undefined
          ? told(bar)
          : series.map((name) => (
              <span key={name}>
                <i className={styles[name]} aria-hidden="true" />
                {words.series[name]}
              </span>
            ))}
      </figcaption>
    </figure>
  );
}
