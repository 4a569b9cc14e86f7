/** The results of the search over time: a strip above the list that narrows the search by dragging, a click or keys. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, type PointerEvent, useId, useRef, useState } from 'react';
import { useCalmly } from '../../api/calm';
import { api } from '../../api/client';
import { staysPut } from '../../api/live';
import { labelsOf } from '../../language/labels';
import { nearText, Time } from '../../ui/Values';
import styles from './Histogram.module.css';
import { barAt, withTimes } from './histogram';

const labels = labelsOf('message').list.histogram;

/** From bottom to top */
const outcomes = ['delivered', 'received', 'waiting', 'canceled', 'failed'] as const;
function useHistogram(q: string) {
  const queryKey = ['message-histogram', q] as const;
  useCalmly(queryKey);
  return useQuery({
    queryKey,
    meta: staysPut,
    queryFn: async () => (await api.get('/message-histogram', { query: { q } })).data,
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
  });
}

export function Histogram({ q, onSearch }: { q: string; onSearch(q: string): void }) {
  const { data } = useHistogram(q);
  const id = useId();
  const [from, setFrom] = useState<number | null>(null);
  const [to, setTo] = useState<number | null>(null);
  const [pointed, setPointed] = useState<number | null>(null);
  const drags = useRef(false);
  if (data === undefined || data.bars.length === 0) return <div className={styles.strip} aria-hidden="true" />;
  const { bars, stepMs, count, countedTo } = data;
  const endOf = (index: number) => new Date(Date.parse(bars[index]!.at) + stepMs).toISOString();
  const sumOf = (index: number) => outcomes.reduce((sum, name) => sum + bars[index]![name], 0);
  const most = Math.max(...bars.map((_, index) => sumOf(index)));
  const [least, greatest] = [Math.min(from ?? 0, to ?? 0), Math.max(from ?? 0, to ?? 0)];
  const isChosen = (index: number) => from !== null && index >= least && index <= greatest;
  const rangeText = (first: number, last: number) => {
    const within = bars.slice(first, last + 1);
    const found = within.reduce((sum, _, i) => sum + sumOf(first + i), 0);
    const failed = within.reduce((sum, bar) => sum + bar.failed, 0);
    return labels.bar(nearText(bars[first]!.at, 'second'), nearText(endOf(last), 'second'), found, failed);
  };
  const choose = (first: number | null, last: number | null) => {
    setFrom(first);
    setTo(last);
  };
  const apply = () => {
    if (from === null) return;
    choose(null, null);
    onSearch(withTimes(q, bars[least]!.at, endOf(greatest)));
  };
  const under = ({ clientX, currentTarget }: PointerEvent) =>
    barAt(clientX, currentTarget.getBoundingClientRect(), bars.length);
  const pressed = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : 0;
    if (step !== 0) {
      const next = to === null ? bars.length - 1 : Math.min(bars.length - 1, Math.max(0, to + step));
      choose(event.shiftKey && from !== null ? from : next, next);
    } else if (event.key === 'Enter' || event.key === ' ') apply();
    else if (event.key === 'Escape' && from !== null) {
      drags.current = false;
      choose(null, null);
    } else return;
    event.preventDefault();
  };
  const shown = from !== null ? rangeText(least, greatest) : pointed !== null ? rangeText(pointed, pointed) : null;
  return (
    <div className={styles.strip}>
      <Time at={bars[0]!.at} form="row" />
      <div
        role="listbox"
        tabIndex={0}
        aria-label={labels.label}
        aria-description={labels.help}
        aria-orientation="horizontal"
        aria-multiselectable="true"
        aria-activedescendant={to === null ? undefined : `${id}-${to}`}
        className={styles.bars}
        onKeyDown={pressed}
        onBlur={() => choose(null, null)}
        onPointerDown={(event) => {
          if (event.button !== 0) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          drags.current = true;
          choose(under(event), under(event));
        }}
        onPointerMove={(event) => {
          setPointed(under(event));
          if (drags.current) setTo(under(event));
        }}
        onPointerLeave={() => setPointed(null)}
        onPointerUp={() => {
          if (drags.current) apply();
          drags.current = false;
        }}
        onPointerCancel={() => {
          drags.current = false;
          choose(null, null);
        }}
      >
        {bars.map((bar, index) => (
          <div
            key={bar.at}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={isChosen(index)}
            aria-label={rangeText(index, index)}
            className={`${styles.bar} ${isChosen(index) ? styles.chosen : ''}`}
          >
            {outcomes
              .toReversed()
              .map(
                (name) =>
                  bar[name] > 0 && (
                    <span key={name} className={styles[name]} style={{ height: `${(bar[name] / most) * 100}%` }} />
                  ),
              )}
          </div>
        ))}
      </div>
      <span className={styles.said}>{shown ?? labels.count(count, countedTo === null)}</span>
    </div>
  );
}
