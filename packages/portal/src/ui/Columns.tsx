/**
 * Stacked columns over time, a line of shares over them. Each column leads to what it counts. The columns are for eyes and pointers;
 * a page gives the same as a table, or a slider over them (`keys`), so that keyboards and screen readers get each column in words.
 */
import { useRouter } from '@tanstack/react-router';
import { type KeyboardEvent, type MouseEvent, useState } from 'react';
import { numberText, percentText } from '../language/formats';
import styles from './Columns.module.css';
import { floorOf, lineHeight, linePath, scaleOf, type Tick } from './columns';

export interface Series {
  label: string;
  tone: 'main' | 'second' | 'idle' | 'bad';
}

export interface ColumnsProps {
  /** What it shows, in a sentence. */
  label: string;
  /** From the bottom upwards. */
  series: readonly Series[];
  columns: readonly {
    key: string;
    /** One for each series. */
    values: readonly number[];
    /** The address of what it counts. */
    href: string;
  }[];
  /** Shares from 0 to 1, one for each column; null where there is none. */
  line?: { label: string; shares: readonly (number | null)[] };
  ticks: readonly Tick[];
  /** A column in words. */
  told(index: number): string;
  chosen?: number | null;
  /** The name of a slider over the columns: arrow keys go along, Enter opens. */
  keys?: string;
}

export function Columns({ label, series, columns, line, ticks, told, chosen = null, keys }: ColumnsProps) {
  const router = useRouter();
  const [pointed, setPointed] = useState<number | null>(null);
  const most = scaleOf(Math.max(...columns.map(({ values }) => values.reduce((sum, value) => sum + value, 0))));
  const go = (event: MouseEvent, href: string): void => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    router.history.push(href);
  };
  const open = (index: number): void => {
    const column = columns[index];
    if (column !== undefined) router.history.push(column.href);
  };
  return (
    <figure className={styles.chart} aria-label={label}>
      <div className={styles.plot} data-lined={line !== undefined || undefined}>
        {/* Out of the tab order: the table, or the slider, has the same. */}
        <div aria-hidden="true" onPointerLeave={() => setPointed(null)}>
          <span className={styles.most}>{numberText(most)}</span>
          <div
            className={styles.bars}
            data-count={columns.length > 120 ? 'most' : columns.length > 45 ? 'many' : undefined}
          >
            {columns.map(({ key, values, href }, index) => (
              <a
                key={key}
                href={href}
                tabIndex={-1}
                className={styles.bar}
                data-pointed={index === pointed || undefined}
                data-chosen={index === chosen || undefined}
                data-faint={(chosen !== null && index !== chosen) || undefined}
                onPointerEnter={() => setPointed(index)}
                onClick={(event) => go(event, href)}
              >
                {series
                  .map(({ tone }, i) => ({ tone, value: values[i] ?? 0 }))
                  .toReversed()
                  .map(
                    ({ tone, value }) =>
                      value > 0 && (
                        <span key={tone} className={styles[tone]} style={{ height: `${(value / most) * 100}%` }} />
                      ),
                  )}
              </a>
            ))}
          </div>
          {line !== undefined && <Line shares={line.shares} />}
          <div className={styles.axis}>
            {ticks.map(({ index, text }) => (
              <span key={index} style={{ left: `${(index / columns.length) * 100}%` }}>
                {text}
              </span>
            ))}
          </div>
        </div>
        {keys !== undefined && (
          <Slider
            label={keys}
            count={columns.length}
            at={pointed ?? chosen}
            told={told}
            point={setPointed}
            open={open}
          />
        )}
      </div>
      <figcaption className={styles.legend}>
        {pointed !== null ? (
          told(pointed)
        ) : (
          <>
            {series.map(({ label: name, tone }) => (
              <span key={tone}>
                <i className={styles[tone]} aria-hidden="true" />
                {name}
              </span>
            ))}
            {line !== undefined && (
              <span>
                <i className={styles.stroke} aria-hidden="true" />
                {line.label}
              </span>
            )}
          </>
        )}
      </figcaption>
    </figure>
  );
}

function Line({ shares }: { shares: readonly (number | null)[] }) {
  if (shares.every((share) => share === null)) return null;
  const path = linePath(shares);
  return (
    <>
      <svg
        aria-hidden="true"
        className={styles.line}
        viewBox={`0 0 ${shares.length} ${lineHeight}`}
        preserveAspectRatio="none"
      >
        <path d={path} className={styles.halo} />
        <path d={path} />
      </svg>
      <span className={styles.whole}>{percentText(1)}</span>
      <span className={styles.floor}>{percentText(floorOf(shares))}</span>
    </>
  );
}

function Slider({
  label,
  count,
  at,
  told,
  point,
  open,
}: {
  label: string;
  count: number;
  at: number | null;
  told(index: number): string;
  point(index: number | null): void;
  open(index: number): void;
}) {
  const last = count - 1;
  const index = Math.min(Math.max(at ?? last, 0), last);
  const steps: Readonly<Record<string, number>> = {
    ArrowLeft: index - 1,
    ArrowRight: index + 1,
    Home: 0,
    End: last,
    PageUp: index - 7,
    PageDown: index + 7,
  };
  const pressed = (event: KeyboardEvent): void => {
    const to = steps[event.key];
    if (event.key === 'Enter') open(index);
    else if (to !== undefined) point(Math.min(Math.max(to, 0), last));
    else return;
    event.preventDefault();
  };
  return (
    <div
      role="slider"
      tabIndex={0}
      className={styles.slider}
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={Math.max(last, 0)}
      aria-valuenow={index}
      aria-valuetext={told(index)}
      onKeyDown={pressed}
      onFocus={() => point(index)}
      onBlur={() => point(null)}
    />
  );
}
