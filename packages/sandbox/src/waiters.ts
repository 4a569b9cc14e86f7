/** Callers that wait for the next message of a handset. Bounded. */

import type { SenderFilter } from './handsets.ts';
import type { Clock } from './machine.ts';

export interface Waiters {
  /**
   * Resolves with a message from a sender that `isOwn` allows, after `waitMs`, or when `signal` aborts. 'full': too
   * many callers wait.
   */
  wait(number: string, isOwn: SenderFilter, waitMs: number, signal?: AbortSignal): Promise<void> | 'full';
  wake(number: string, from: string): void;
  wakeAll(): void;
}

interface Waiter {
  isOwn: SenderFilter;
  done(): void;
}

export function createWaiters(clock: Clock, waitersMax: number): Waiters {
  const waiters = new Map<string, Set<Waiter>>();
  let count = 0;

  function add(number: string, waiter: Waiter): void {
    const set = waiters.get(number) ?? new Set();
    waiters.set(number, set.add(waiter));
    count++;
  }

  function remove(number: string, waiter: Waiter): void {
    const set = waiters.get(number);
    if (set === undefined || !set.delete(waiter)) return;
    count--;
    if (set.size === 0) waiters.delete(number);
  }

  return {
    wait: (number, isOwn, waitMs, signal) => {
      if (count >= waitersMax) return 'full';
      return new Promise<void>((resolve) => {
        const done = (): void => {
          remove(number, waiter);
          cancel();
          signal?.removeEventListener('abort', done);
          resolve();
        };
        const waiter = { isOwn, done };
        const cancel = clock.after(waitMs, done);
        signal?.addEventListener('abort', done, { once: true });
        add(number, waiter);
      });
    },
    wake: (number, from) => {
      for (const waiter of [...(waiters.get(number) ?? [])]) if (waiter.isOwn(from)) waiter.done();
    },
    wakeAll: () => {
      for (const set of [...waiters.values()]) for (const waiter of [...set]) waiter.done();
    },
  };
}
