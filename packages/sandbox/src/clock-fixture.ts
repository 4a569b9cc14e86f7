/** What the tests of this package share: a clock they move, and waiting for sockets. */
import type { Clock, Random } from './machine.ts';

export interface MovedClock extends Clock {
  /** Moves time and runs what falls due, in order. */
  pass(ms: number): void;
  timers(): number;
}

export function movedClock(): MovedClock {
  let nowMs = 1_700_000_000_000;
  let order = 0;
  const timers = new Set<{ atMs: number; order: number; run: () => void }>();
  const nextUntil = (endMs: number) =>
    [...timers].filter(({ atMs }) => atMs <= endMs).sort((a, b) => a.atMs - b.atMs || a.order - b.order)[0];
  return {
    now: () => nowMs,
    monotonicMs: () => nowMs,
    after: (delayMs, run) => {
      const timer = { atMs: nowMs + Math.max(0, delayMs), order: order++, run };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    pass: (ms) => {
      const endMs = nowMs + ms;
      for (let next = nextUntil(endMs); next !== undefined; next = nextUntil(endMs)) {
        timers.delete(next);
        nowMs = Math.max(nowMs, next.atMs);
        next.run();
      }
      nowMs = endMs;
    },
    timers: () => timers.size,
  };
}

/** Always in the middle. */
export const steadyRandom: Random = { fraction: () => 0.5 };

/** Resolves once `holds` does; looks again whenever the event loop has done something. The test's time-out is its limit. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise<void>((resolve) => setImmediate(resolve));
}

/** Lets sockets on this machine say what they have to say: for tests that something does not come. */
export async function quiet(rounds = 50): Promise<void> {
  for (let i = 0; i < rounds; i++) await new Promise<void>((resolve) => setImmediate(resolve));
}
