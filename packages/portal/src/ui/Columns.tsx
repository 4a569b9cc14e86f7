/**
 * Stacked columns over time, lines over them, and marks. A column may link to the counted items. The columns are for
 * eyes and pointers; a page also provides a table, or a slider over them (`keys`), so that keyboards and screen readers
 * get each column in words.
 */
import { useRouter } from '@tanstack/react-router';
import { type ComponentType, type MouseEvent, type ReactNode, useState } from 'react';
import { numberText } from '../language/formats';
import styles from './Columns.module.css';
import { scaleOf, type Tick } from './columns';

export interface Series {
  label: string;
  tone: 'main' | 'second' | 'idle' | 'bad';
}

/** Drawn over the columns, with its entry in the legend (`ColumnLines.tsx`). */
export interface Over {
  drawing: ReactNode;
  legend: ReactNode;
}

export interface SliderProps {
  label: string;
  count: number;
  at: number | null;
  describe(index: number): string;
  point(index: number | null): void;
  open(index: number): void;
}

export interface ColumnsProps {
  /** The content of the chart, in a sentence. */
  label: string;
  /** From bottom to top. */
  series: readonly Series[];
  columns: readonly {
    key: string;
    /** One for each series. */
    values: readonly number[];
    /** URL of the counted items. */
    href?: string;
    /** Nothing is known about this time. */
    isGap?: boolean;
  }[];
  over?: Over;
  ticks: readonly Tick[];
  /** A column in words. */
  describe(index: number): string;
  chosen?: number | null;
  /** The name of a slider over the columns (`ColumnSlider`): arrow keys move, Enter opens a column's link. */
  keys?: { label: string; Slider: ComponentType<SliderProps> };
}

export function Columns({ label, series, columns, ticks, describe, over, chosen = null, keys }: ColumnsProps) {
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
  return (
    <figure className={styles.chart} aria-label={label}>
      <div className={styles.plot} data-lined={over !== undefined || undefined}>
        {/* Not in the tab order: the table or the slider has the same links */}
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
          {over?.drawing}
          <div className={styles.axis}>
            {ticks.map(({ index, text }) => (
              <span key={index} style={{ left: `${(index / columns.length) * 100}%` }}>
                {text}
              </span>
            ))}
          </div>
        </div>
        {keys !== undefined && (
          <keys.Slider
            label={keys.label}
            count={columns.length}
            at={pointed ?? chosen}
            describe={describe}
            point={setPointed}
            open={open}
          />
        )}
      </div>
      <figcaption className={styles.legend}>
        {pointed !== null ? (
          describe(pointed)
        ) : (
          <>
            {series.map(({ label: name, tone }) => (
              <span key={tone}>
                <i className={styles[tone]} aria-hidden="true" />
                {name}
              </span>
            ))}
            {over?.legend}
          </>
        )}
      </figcaption>
    </figure>
  );
}
