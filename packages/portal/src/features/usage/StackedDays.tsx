/**
 * Stacked columns, one a day. The canvas is for eyes; the element around it is a slider over the days, so that keyboards
 * and screen readers get each day in words. Loaded only when it is shown.
 */
import { useEffect, useRef, useState } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { dayOf, dayText } from './periods';
import styles from './Usage.module.css';

const heightPx = 220;
const forcedColours = '(forced-colors: active)';
/** In seconds: so that the first and the last column are whole. */
const halfDay = 43_200;
const wholeDay = 2 * halfDay;
/** Months as uPlot knows them: it begins each at its first day. */
const steps = [
  ...[1, 2, 4, 7, 14].map((count) => count * wholeDay),
  ...[1, 2, 3, 4, 6].map((count) => count * 30 * wholeDay),
];

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
  onOpen,
}: {
  label: string;
  /** `YYYY-MM-DD`, each day of the period. */
  days: readonly string[];
  /** From the bottom up. */
  series: readonly Series[];
  /** A day in words. */
  tell(index: number): string;
  /** What a click on a day, and Enter on it, open; left out: nothing. */
  onOpen?(index: number): void;
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

  const keys: Readonly<Record<string, number>> = {
    ArrowLeft: index - 1,
    ArrowRight: index + 1,
    Home: 0,
    End: days.length - 1,
    PageUp: index - 7,
    PageDown: index + 7,
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
        data-opens={onOpen !== undefined || undefined}
        onClick={() => onOpen?.(index)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') return onOpen?.(index);
          const to = keys[event.key];
          if (to === undefined) return;
          event.preventDefault();
          go(to);
        }}
      />
      <p className={styles.told}>{told}</p>
    </div>
  );
}

/** The top series is drawn first, as high as the sum of all below it. */
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
  // A canvas does not inherit forced colours of the system.
  const isForced = matchMedia(forcedColours).matches;
  const line = isForced ? 'GrayText' : colour('--border');
  const axis = {
    stroke: isForced ? 'CanvasText' : colour('--muted'),
    grid: { stroke: line, width: 1 },
    ticks: { stroke: line, width: 1 },
    font: `12px ${style.fontFamily}`,
  };
  const bars = uPlot.paths.bars?.({ size: [0.7, 40] });
  const series = (label: string, fill: string): uPlot.Series => ({
    label,
    fill,
    points: { show: false },
    ...(isForced ? { stroke: 'CanvasText', width: 1 } : { stroke: fill, width: 0 }),
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
      {
        ...axis,
        space: 104,
        incrs: steps,
        values: (_, splits) => splits.map((seconds) => dayText(dayOf(new Date(seconds * 1_000)))),
      },
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

/** Counts changes of colours: theme, contrast, forced colours. */
function useThemeChanges(): number {
  const [count, setCount] = useState(0);
  useEffect(() => {
    const changed = (): void => setCount((before) => before + 1);
    const system = ['(prefers-color-scheme: dark)', forcedColours].map((query) => matchMedia(query));
    for (const one of system) one.addEventListener('change', changed);
    const chosen = new MutationObserver(changed);
    chosen.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    return () => {
      for (const one of system) one.removeEventListener('change', changed);
      chosen.disconnect();
    };
  }, []);
  return count;
}
