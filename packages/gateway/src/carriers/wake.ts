/** One timer per carrier: wakes the sender when rate is available again. */
import type { Clock } from '../kernel/clock.ts';

/** Waking for each single token of the rate budget would cost more than it sends. */
const wakeMsMin = 20;

export interface Wake {
  /** Calls `run` once after `waitMs`; not at all for 0, and never two timers at a time. */
  within(waitMs: number): void;
  cancel(): void;
}

export function createWake(clock: Clock, run: () => void): Wake {
  let cancel: (() => void) | null = null;
  return {
    within: (waitMs) => {
      if (waitMs === 0 || cancel !== null) return;
      cancel = clock.after(Math.max(wakeMsMin, waitMs), () => {
        cancel = null;
        run();
      });
    },
    cancel: () => cancel?.(),
  };
}
