/** The last sixty minutes in figures, as columns and as a table. */
import { useRouter } from '@tanstack/react-router';
import { type MouseEvent, useState } from 'react';
import { dateFormat } from '../../language/formats';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { Panel } from '../../ui/Page';
import { type Column, Table } from '../../ui/Table';
import { Count, Time } from '../../ui/Values';
import styles from './Home.module.css';
import type { Figures, Home, Minute } from './home-data';

const homeWords = labelsOf('home');

const words = homeWords.hour;
const all = ['accepted', 'delivered', 'failed', 'waiting', 'replies'] as const satisfies readonly (keyof Figures)[];
/** The drawn series, from below: together the accepted messages without the canceled ones, and the replies. */
const drawn = ['delivered', 'failed', 'waiting', 'replies'] as const;
const clock = dateFormat({ hour: '2-digit', minute: '2-digit' });

const columns: readonly Column<Minute>[] = [
  {
    id: 'minute',
    title: words.minute,
    cell: ({ at }) => (
      <a href={messagesOf(at)}>
        <Time at={at} />
      </a>
    ),
  },
  ...all.map((name) => ({
    id: name,
    title: words[name],
    figures: true,
    cell: (minute: Minute) => <Count value={minute[name]} />,
  })),
];

export function LastHour({ minutes, total, whole, since }: Home['last60']) {
  const [asTable, setAsTable] = useState(false);
  // The rest of the accepted messages, so that the figures add up.
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
        />
      ) : (
        <Chart minutes={minutes} total={total} />
      )}
    </Panel>
  );
}

const height = 64;
const step = 10;

const minuteMs = 60_000;

/** Without seconds, the precision of the log's search. */
const minuteText = (ms: number): string => `${new Date(ms).toISOString().slice(0, 16)}Z`;

/** The log with the messages of this minute. */
function messagesOf(at: string): string {
  const from = Date.parse(at);
  return `/messages?${new URLSearchParams({ q: `after:${minuteText(from)} before:${minuteText(from + minuteMs)}` })}`;
}

function Chart({ minutes, total }: { minutes: readonly Minute[]; total: Figures }) {
  const router = useRouter();
  const go = (event: MouseEvent, at: string): void => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    router.history.push(messagesOf(at));
  };
  const heights = minutes.map((minute) => drawn.map((name) => minute[name]));
  const most = Math.max(1, ...heights.map((counts) => counts.reduce((sum, count) => sum + count, 0)));
  const scale = (height - 4) / most;
  return (
    <figure
      className={styles.chart}
      aria-label={words.summary(total.accepted, total.delivered, total.failed, total.replies)}
    >
      <svg viewBox={`0 0 ${minutes.length * step} ${height}`} preserveAspectRatio="none" aria-hidden="true">
        {minutes.map((minute, i) => {
          const { at } = minute;
          let top = height;
          return (
            // Out of the tab order: the table has the same links, for keyboards and screen readers.
            <a
              key={at}
              href={messagesOf(at)}
              tabIndex={-1}
              className={styles.minute}
              onClick={(event) => go(event, at)}
            >
              <title>{`${clock.format(new Date(at))} · ${words.inMinute(minute.accepted, minute.replies)}`}</title>
              <rect className={styles.hit} x={i * step} width={step} y={0} height={height} />
              {drawn.map((name, j) => {
                const size = heights[i]![j]! * scale;
                top -= size;
                return (
                  <rect key={name} className={styles[name]} x={i * step + 1} width={step - 2} y={top} height={size} />
                );
              })}
            </a>
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
