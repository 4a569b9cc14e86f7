/**
 * Stacked columns, one a day. The canvas is for eyes; the element around it is a slider over the days, so that keyboards
 * and screen readers get each day in words. Loaded only when it is shown.
 */
import { useEffect, useRef, useState } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import styles from './Usage.module.css';

const heightPx = 220;
/** In seconds: so that the first and the last column are whole. */
const halfDay = 43_200;

export interface Series {
  label: string;
  /** Which of the colours for series (1–6). */
  colour: 1 | 2 | 3 | 4 | 5 | 6;
  /** One for each day. */
  values: readonly number[];
}

export function StackedDays({
  label,
  days,
  series,
  tell,
}: {
  label: string;
  /** `YYYY-MM-DD`, each day of the period. */
  days: readonly string[];
  /** From the bottom up. */
  series: readonly Series[];
  /** A day in words. */
  tell(index: number): string;
}) {
  const place = useRef<HTMLDivElement>(null);
  const chart = useRef<uPlot | null>(null);
  const [at, setAt] = useState(days.length - 1);
  const theme = useThemeChanges();

  // biome-ignore lint/correctness/useExhaustiveDependencies: another theme has other colours
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    const made = new uPlot(optionsOf(element, series, setAt), dataOf(days, series), element);
    chart.current = made;
    const resized = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height: heightPx }));
    resized.observe(element);
    return () => {
      resized.disconnect();
      made.destroy();
      chart.current = null;
    };
  }, [days, series, theme]);

  const index = Math.min(Math.max(at, 0), days.length - 1);
  const told = days[index] === undefined ? '' : tell(index);

  function go(to: number): void {
    const next = Math.min(Math.max(to, 0), days.length - 1);
    setAt(next);
    const plot = chart.current;
    if (plot !== null) plot.setCursor({ left: plot.valToPos(plot.data[0][next] ?? 0, 'x'), top: 0 }, false);
  }

  const steps: Readonly<Record<string, number>> = {
    ...{ ArrowLeft: index - 1, ArrowRight: index + 1, Home: 0, End: days.length - 1 },
    ...{ PageUp: index - 7, PageDown: index + 7 },
  };
  return (
    <div>
      <p className={styles.legend}>
        {series.map((one) => (
          <span key={one.label} className={styles[`series${one.colour}`]}>
            {one.label}
          </span>
        ))}
      </p>
      <div
        ref={place}
        className={styles.chart}
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={Math.max(days.length - 1, 0)}
        aria-valuenow={index}
        aria-valuetext={told}
        onKeyDown={(event) => {
          const to = steps[event.key];
          if (to === undefined) return;
          event.preventDefault();
          go(to);
        }}
      />
      <p className={styles.told}>{told}</p>
    </div>
  );
}

/** What stands on top is drawn first, as high as all that is below it together. */
function dataOf(days: readonly string[], series: readonly Series[]): uPlot.AlignedData {
  let below: readonly number[] = days.map(() => 0);
  const heights = series.map(({ values }) => {
    below = below.map((sum, index) => sum + (values[index] ?? 0));
    return [...below];
  });
  return [days.map((day) => Date.parse(day) / 1_000), ...heights.reverse()];
}

function optionsOf(element: HTMLElement, stack: readonly Series[], look: (index: number) => void): uPlot.Options {
  const style = getComputedStyle(element);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const axis = {
    stroke: colour('--muted'),
    grid: { stroke: colour('--border'), width: 1 },
    ticks: { stroke: colour('--border'), width: 1 },
    font: `12px ${style.fontFamily}`,
  };
  const bars = uPlot.paths.bars?.({ size: [0.7, 40] });
  const series = (label: string, fill: string): uPlot.Series => ({
    ...{ label, fill, stroke: fill, width: 0, points: { show: false } },
    ...(bars !== undefined && { paths: bars }),
  });
  return {
    width: element.clientWidth,
    height: heightPx,
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1_000), 'Etc/UTC'),
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false } },
    scales: {
      x: { range: (_, min, max) => [min - halfDay, max + halfDay] },
      y: { range: (_, __, max) => [0, Math.max(1, max) * 1.05] },
    },
    axes: [
      { ...axis, space: 64 },
      { ...axis, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 1e4, 1e5, 1e6], size: 56 },
    ],
    series: [{}, ...stack.toReversed().map((one) => series(one.label, colour(`--series-${one.colour}`)))],
    hooks: {
      setCursor: [
        (plot) => {
          if (typeof plot.cursor.idx === 'number') look(plot.cursor.idx);
        },
      ],
    },
  };
}

/** Counts the changes between light and dark, whoever makes them. */
function useThemeChanges(): number {
  const [count, setCount] = useState(0);
  useEffect(() => {
    const changed = (): void => setCount((before) => before + 1);
    const system = matchMedia('(prefers-color-scheme: dark)');
    system.addEventListener('change', changed);
    const chosen = new MutationObserver(changed);
    chosen.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    return () => {
      system.removeEventListener('change', changed);
      chosen.disconnect();
    };
  }, []);
  return count;
}
