/** Counters by name, each for a limited time; in memory and bounded. */
import type { Clock } from '../../kernel/clock.ts';

export interface Counter {
  count: number;
  /** On the monotonic clock. */
  endsAt: number;
}

export interface Counters {
  /** Null when nothing is counted under this name. */
  of(name: string): Counter | null;
  /** Adds one; the first starts the window. */
  add(name: string, windowMs: number): void;
  takeBack(name: string): void;
  forget(name: string): void;
}

/** `max` counters are kept; the oldest are dropped. */
export function createCounters(clock: Pick<Clock, 'monotonicMs'>, max: number): Counters {
  const counters = new Map<string, Counter>();

  function of(name: string): Counter | null {
    const known = counters.get(name);
    if (known === undefined) return null;
    if (known.endsAt > clock.monotonicMs()) return known;
    counters.delete(name);
    return null;
  }

  return {
    of,
    add(name, windowMs) {
      const counter = of(name) ?? { count: 0, endsAt: clock.monotonicMs() + windowMs };
      counter.count += 1;
      counters.delete(name);
      counters.set(name, counter);
      if (counters.size > max) counters.delete(counters.keys().next().value!);
    },
    takeBack(name) {
      const counter = of(name);
      if (counter === null) return;
      counter.count -= 1;
      if (counter.count <= 0) counters.delete(name);
    },
    forget: (name) => {
      counters.delete(name);
    },
  };
}
