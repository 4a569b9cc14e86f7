/** Sixty minutes in figures, as columns, and as a table for whoever reads those better. */
import { useState } from 'react';
import { Button } from '../../ui/Button';
import { Panel } from '../../ui/Page';
import { type Column, Table } from '../../ui/Table';
import { Count, Time } from '../../ui/Values';
import { homeWords } from '../../words/en/home';
import styles from './Home.module.css';
import type { Figures, Home, Minute } from './home-data';

const words = homeWords.hour;
const all = ['accepted', 'delivered', 'failed', 'waiting', 'replies'] as const satisfies readonly (keyof Figures)[];
/** What is drawn, from below: together what was accepted but for what was canceled, and the replies. */
const drawn = ['delivered', 'failed', 'waiting', 'replies'] as const;
const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });

const columns: readonly Column<Minute>[] = [
  { id: 'minute', title: words.minute, cell: ({ at }) => <Time at={at} /> },
  ...all.map((name) => ({
    id: name,
    title: words[name],
    figures: true,
    cell: (minute: Minute) => <Count value={minute[name]} />,
  })),
];

export function LastHour({ minutes, total, whole, since }: Home['last60']) {
  const [asTable, setAsTable] = useState(false);
  // The rest of what was accepted: the figures add up.
  const canceled = total.accepted - total.delivered - total.failed - total.waiting;
  const some = minutes.filter((minute) => minute.accepted + minute.replies > 0);
  return (
    <Panel
      title={words.title}
      actions={<Button onPress={() => setAsTable(!asTable)}>{asTable ? words.chart : words.table}</Button>}
    >
      <dl className={styles.figures}>
        {all.map((name) => (
          <div key={name} data-figure={name}>
            <dt>{name === 'replies' ? words.repliesOf(total.replies) : words[name]}</dt>
            <dd>
              <Count value={total[name]} />
            </dd>
          </div>
        ))}
        {canceled > 0 && (
          <div data-figure="canceled">
            <dt>{words.canceled}</dt>
            <dd>
              <Count value={canceled} />
            </dd>
          </div>
        )}
      </dl>
      {!whole && <p className={styles.muted}>{words.partly(clock.format(new Date(since)))}</p>}
      {asTable ? (
        <Table
          caption={words.title}
          columns={columns}
          rows={some.length === 0 ? minutes.slice(-1) : some}
          keyOf={({ at }) => at}
          compact
        />
      ) : (
        <Chart minutes={minutes} total={total} />
      )}
    </Panel>
  );
}

const height = 64;
const step = 10;

function Chart({ minutes, total }: { minutes: readonly Minute[]; total: Figures }) {
  const heights = minutes.map((minute) => drawn.map((name) => minute[name]));
  const most = Math.max(1, ...heights.map((counts) => counts.reduce((sum, count) => sum + count, 0)));
  const scale = (height - 4) / most;
  return (
    <figure className={styles.chart}>
      <svg
        viewBox={`0 0 ${minutes.length * step} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={words.summary(total.accepted, total.delivered, total.failed, total.replies)}
      >
        {minutes.map(({ at }, i) => {
          let top = height;
          return (
            <g key={at}>
              {drawn.map((name, j) => {
                const size = heights[i]![j]! * scale;
                top -= size;
                return (
                  <rect key={name} className={styles[name]} x={i * step + 1} width={step - 2} y={top} height={size} />
                );
              })}
            </g>
          );
        })}
      </svg>
      <figcaption className={styles.axis}>
        <span>{clock.format(new Date(minutes[0]?.at ?? 0))}</span>
        <span className={styles.legend}>
          {drawn.map((name) => (
            <span key={name}>
              <svg viewBox="0 0 10 10" aria-hidden="true">
                <rect className={styles[name]} width="10" height="10" />
              </svg>
              {words[name]}
            </span>
          ))}
        </span>
        <span>{clock.format(new Date(minutes.at(-1)?.at ?? 0))}</span>
      </figcaption>
    </figure>
  );
}
