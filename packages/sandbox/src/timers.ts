/** Timers that can all be cancelled at once. */
import type { Clock } from './machine.ts';

export interface Timers {
  /** The returned function cancels it. */
  after(delayMs: number, run: () => void): () => void;
  cancelAll(): void;
}

export function createTimers(clock: Clock): Timers {
  const cancels = new Set<() => void>();
  return {
    after: (delayMs, run) => {
      const stop = clock.after(delayMs, () => {
        cancels.delete(cancel);
        run();
      });
      const cancel = (): void => {
        cancels.delete(cancel);
        stop();
      };
      cancels.add(cancel);
      return cancel;
    },
    cancelAll: () => {
      for (const cancel of cancels) cancel();
      cancels.clear();
    },
  };
}
