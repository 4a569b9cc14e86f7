/** Notifies a listener that something happened on a handset: soon, and once for many events. */
import type { Clock } from './machine.ts';

/** About the handset `number` and the gateway's number `own`. */
export type NewsListener = (number: string, own: string) => void;

export interface News {
  report(number: string, own: string): void;
  listen(listener: NewsListener): void;
}

/** Events within this time are reported together. */
const calmMs = 50;

export function createNews(clock: Pick<Clock, 'after'>): News {
  const listeners: NewsListener[] = [];
  const pending = new Map<string, [number: string, own: string]>();

  function flush(): void {
    const arrivals = [...pending.values()];
    pending.clear();
    for (const [number, own] of arrivals) for (const listener of listeners) listener(number, own);
  }

  return {
    report: (number, own) => {
      if (listeners.length === 0) return;
      if (pending.size === 0) clock.after(calmMs, flush);
      pending.set(`${number} ${own}`, [number, own]);
    },
    listen: (listener) => {
      listeners.push(listener);
    },
  };
}
