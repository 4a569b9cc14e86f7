/** A clock that tests move. */
import type { Clock } from './clock.ts';

export interface MovedClock extends Clock {
  /** Moves time, running what falls due, and lets promises settle. */
  pass(ms: number): Promise<void>;
}

export function movedClock(): MovedClock {
  let now = 0;
  const timers = new Set<{ at: number; run: () => void }>();
  const settle = async (): Promise<void> => {
    for (let i = 0; i < 20; i++) await Promise.resolve();
  };
  return {
    monotonicMs: () => now,
    after: (delayMs, run) => {
      const timer = { at: now + delayMs, run };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    pass: async (ms) => {
      await settle();
      const end = now + ms;
      for (;;) {
        const next = [...timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
        if (next === undefined) break;
        timers.delete(next);
        now = Math.max(now, next.at);
        next.run();
        await settle();
      }
      now = end;
      await settle();
    },
  };
}
