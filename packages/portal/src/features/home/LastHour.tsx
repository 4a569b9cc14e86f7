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
const names = ['accepted', 'delivered', 'failed', 'replies'] as const satisfies readonly (keyof Figures)[];
const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });

const columns: readonly Column<Minute>[] = [
  { id: 'minute', title: words.minute, cell: ({ at }) => <Time at={at} /> },
  ...names.map((name) => ({
    id: name,
    title: words[name],
    figures: true,
    cell: (minute: Minute) => <Count value={minute[name]} />,
  })),
];

export function LastHour({ minutes, total, whole, since }: Home['last60']) {
  const [asTable, setAsTable] = useState(false);
  const some = minutes.filter((minute) => minute.accepted + minute.replies > 0);
  return (
    <Panel
      title={words.title}
      actions={<Button onPress={() => setAsTable(!asTable)}>{asTable ? words.chart : words.table}</Button>}
    >
      <dl className={styles.figures}>
        {names.map((name) => (
          <div key={name} data-figure={name}>
            <dt>{words[name]}</dt>
            <dd>
              <Count value={total[name]} />
            </dd>
          </div>
        ))}
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
  const most = Math.max(1, ...minutes.map(({ accepted, replies }) => accepted + replies));
  const size = (count: number) => (count === 0 ? 0 : Math.max(2, (count / most) * (height - 4)));
  return (
    <figure className={styles.chart}>
      <svg
        viewBox={`0 0 ${minutes.length * step} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={words.summary(total.accepted, total.delivered, total.failed, total.replies)}
      >
        {minutes.map(({ at, accepted, failed, replies }, i) => {
          const good = size(accepted - failed);
          const bad = size(failed);
          const back = size(replies);
          const x = i * step + 1;
          return (
            <g key={at}>
              <rect className={styles.sent} x={x} width={step - 2} y={height - good} height={good} />
              <rect className={styles.failed} x={x} width={step - 2} y={height - good - bad} height={bad} />
              <rect className={styles.replies} x={x} width={step - 2} y={height - good - bad - back} height={back} />
            </g>
          );
        })}
      </svg>
      <figcaption className={styles.axis}>
        <span>{clock.format(new Date(minutes[0]?.at ?? 0))}</span>
        <span className={styles.legend}>
          <i className={styles.keySent} /> {words.accepted}
          <i className={styles.keyFailed} /> {words.failed}
          <i className={styles.keyReplies} /> {words.replies}
        </span>
        <span>{clock.format(new Date(minutes.at(-1)?.at ?? 0))}</span>
      </figcaption>
    </figure>
  );
}
