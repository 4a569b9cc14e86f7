/** Lines, marks and the slider over a chart of columns. A separate file, because the first page uses none of them. */
import type { KeyboardEvent } from 'react';
import type { Over, SliderProps } from './Columns';
import styles from './Columns.module.css';
import { lineHeight, linePath, type Scale } from './column-lines';

/** With their own scale; null where there is no value. */
export interface Lines {
  scale: Scale;
  textOf(value: number): string;
  lines: readonly { label: string; values: readonly (number | null)[] }[];
}

export function linesOver({ scale, textOf, lines }: Lines): Over {
  return {
    drawing: <Drawn scale={scale} textOf={textOf} lines={lines} />,
    legend: lines.map(({ label }, nth) => (
      <span key={label}>
        <i className={styles.stroke} data-nth={lines.length === 1 ? undefined : nth} aria-hidden="true" />
        {label}
      </span>
    )),
  };
}

function Drawn({ scale, textOf, lines }: Lines) {
  const drawn = lines.map(({ values }) => linePath(values, scale));
  if (drawn.every((path) => path === '')) return null;
  const count = lines[0]?.values.length ?? 0;
  return (
    <>
      <svg aria-hidden="true" className={styles.line} viewBox={`0 0 ${count} ${lineHeight}`} preserveAspectRatio="none">
        {drawn.map((path, nth) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a line is identified by its index
          <g key={nth}>
            <path d={path} className={styles.halo} />
            <path d={path} data-nth={lines.length === 1 ? undefined : nth} />
          </g>
        ))}
      </svg>
      <span className={styles.whole}>{textOf(scale.top)}</span>
      <span className={styles.floor}>{textOf(scale.floor)}</span>
    </>
  );
}

/** Marks events at these columns; the column's description names them. */
export function Marks({ at, count }: { at: Iterable<number>; count: number }) {
  return [...new Set(at)].map((index) => (
    <span key={index} className={styles.mark} style={{ left: `${((index + 0.5) / count) * 100}%` }} />
  ));
}

/** For keyboards and screen readers: one column at a time, in words. */
export function ColumnSlider({ label, count, at, describe, point, open }: SliderProps) {
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
      aria-valuetext={describe(index)}
      onKeyDown={pressed}
      onFocus={() => point(index)}
      onBlur={() => point(null)}
    />
  );
}
