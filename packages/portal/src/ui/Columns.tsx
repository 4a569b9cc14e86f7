/**
 * Stacked columns over time, lines over them, and marks. A column may lead to what it counts. The columns are for eyes and pointers;
 * a page gives the same as a table, or a slider over them (`keys`), so that keyboards and screen readers get each column in words.
 */
import { useRouter } from '@tanstack/react-router';
import { type KeyboardEvent, type MouseEvent, useState } from 'react';
import { numberText, percentText } from '../language/formats';
import styles from './Columns.module.css';
import { lineHeight, linePath, type Scale, scaleOf, scaleOfShares, type Tick } from './columns';

export interface Series {
  label: string;
  tone: 'main' | 'second' | 'idle' | 'bad';
}

/** Lines over the columns, on a scale of their own; null where there is no value. */
export interface Lines {
  scale: Scale;
  textOf(value: number): string;
  lines: readonly { label: string; values: readonly (number | null)[] }[];
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
    href?: string;
    /** Nothing is known of this time. */
    isGap?: boolean;
  }[];
  /** Shares from 0 to 1, one for each column; null where there is none. */
  line?: { label: string; shares: readonly (number | null)[] };
  lines?: Lines;
  /** What happened during a column: its words are with those of the column. */
  marks?: readonly { index: number; text: string }[];
  ticks: readonly Tick[];
  /** A column in words. */
  told(index: number): string;
  chosen?: number | null;
  /** The name of a slider over the columns: arrow keys go along, Enter opens what a column leads to. */
  keys?: string;
}

export function Columns(props: ColumnsProps) {
  const { label, series, columns, ticks, marks = [], chosen = null, keys } = props;
  const lines = linesOf(props);
  const router = useRouter();
  const [pointed, setPointed] = useState<number | null>(null);
  const most = scaleOf(Math.max(...columns.map(({ values }) => values.reduce((sum, value) => sum + value, 0))));
  const go = (event: MouseEvent, href: string): void => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    router.history.push(href);
  };
  const open = (index: number): void => {
    const href = columns[index]?.href;
    if (href !== undefined) router.history.push(href);
  };
  const told = (index: number): string =>
    [props.told(index), ...marks.filter((mark) => mark.index === index).map(({ text }) => text)].join(' · ');
  return (
    <figure className={styles.chart} aria-label={label}>
      <div className={styles.plot} data-lined={lines !== null || undefined}>
        {/* Out of the tab order: the table, or the slider, has the same. */}
        <div aria-hidden="true" onPointerLeave={() => setPointed(null)}>
          {series.length > 0 && <span className={styles.most}>{numberText(most)}</span>}
          <div
            className={styles.bars}
            data-count={columns.length > 120 ? 'most' : columns.length > 45 ? 'many' : undefined}
          >
            {columns.map(({ key, values, href, isGap }, index) => (
              <a
                key={key}
                href={href}
                tabIndex={-1}
                data-gap={isGap || undefined}
                className={styles.bar}
                data-pointed={index === pointed || undefined}
                data-chosen={index === chosen || undefined}
                data-faint={(chosen !== null && index !== chosen) || undefined}
                onPointerEnter={() => setPointed(index)}
                onClick={href === undefined ? undefined : (event) => go(event, href)}
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
          {lines !== null && <LinesOver of={lines} />}
          {[...new Set(marks.map(({ index }) => index))].map((index) => (
            <span key={index} className={styles.mark} style={{ left: `${((index + 0.5) / columns.length) * 100}%` }} />
          ))}
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
            {lines?.lines.map(({ label: name }, nth) => (
              <span key={name}>
                <i className={styles.stroke} data-nth={nth} aria-hidden="true" />
                {name}
              </span>
            ))}
          </>
        )}
      </figcaption>
    </figure>
  );
}

/** The line of shares, or the lines with their own scale; null where there is no value at all. */
function linesOf({ line, lines }: ColumnsProps): Lines | null {
  if (line !== undefined) {
    const { label, shares } = line;
    return { scale: scaleOfShares(shares), textOf: (share) => percentText(share), lines: [{ label, values: shares }] };
  }
  return lines ?? null;
}

function LinesOver({ of: { scale, textOf, lines } }: { of: Lines }) {
  const drawn = lines.map(({ values }) => linePath(values, scale));
  if (drawn.every((path) => path === '')) return null;
  const count = lines[0]?.values.length ?? 0;
  return (
    <>
      <svg aria-hidden="true" className={styles.line} viewBox={`0 0 ${count} ${lineHeight}`} preserveAspectRatio="none">
        {drawn.map((path, nth) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the place is what a line is
          <g key={nth}>
            <path d={path} className={styles.halo} />
            <path d={path} data-nth={nth} data-only={lines.length === 1 || undefined} />
          </g>
        ))}
      </svg>
      <span className={styles.whole}>{textOf(scale.top)}</span>
      <span className={styles.floor}>{textOf(scale.floor)}</span>
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
