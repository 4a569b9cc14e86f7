/** Timers that can all be cancelled at once. */
import type { Clock } from '../../domain/clock.ts';

export interface Timers {
  after(delayMs: number, run: () => void): void;
  cancelAll(): void;
}

export function createTimers(clock: Clock): Timers {
  const cancels = new Set<() => void>();
  return {
    after: (delayMs, run) => {
      const cancel = clock.after(delayMs, () => {
        cancels.delete(cancel);
        run();
      });
      cancels.add(cancel);
    },
    cancelAll: () => {
      for (const cancel of cancels) cancel();
      cancels.clear();
    },
  };
}
