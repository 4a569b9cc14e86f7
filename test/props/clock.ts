/**
 * The only clock of all tests. Time stands still until a test moves it. Imports no test runner, so that processes that
 * tests start can use it too.
 */

/** Start time of a clock by default: 2023-11-14T22:13:20Z. */
export const t0 = 1_700_000_000_000;

export interface StoppedClock {
  /** Wall clock, ms since the epoch. */
  now(): number;
  /** The same number: tests need no second one. */
  monotonicMs(): number;
  after(delayMs: number, run: () => void): () => void;
  /** Sets the time without running timers, like an adjusted system clock. */
  set(nowMs: number): void;
  /** How many timers are waiting. */
  timers(): number;
}

export interface MovedClock extends StoppedClock {
  /** Moves time and runs the timers that fall due, each at its own time, in order. */
  pass(ms: number): void;
}

export interface SettlingClock extends StoppedClock {
  /** The same, but lets promises settle before, after, and between two timers. */
  pass(ms: number): Promise<void>;
}

export function movedClock(startedAt?: number): MovedClock {
  const { clock, nextUntil } = stoppedClock(startedAt);
  return {
    ...clock,
    pass: (ms) => {
      const endMs = clock.now() + ms;
      for (let run = nextUntil(endMs); run !== null; run = nextUntil(endMs)) run();
      clock.set(endMs);
    },
  };
}

/** For code that awaits between timers. */
export function settlingClock(startedAt?: number): SettlingClock {
  const { clock, nextUntil } = stoppedClock(startedAt);
  return {
    ...clock,
    pass: async (ms) => {
      await settled();
      const endMs = clock.now() + ms;
      for (let run = nextUntil(endMs); run !== null; run = nextUntil(endMs)) {
        run();
        await settled();
      }
      clock.set(endMs);
      await settled();
    },
  };
}

/** `nextUntil`: moves time to the next timer at or before `endMs` and returns it; null when none is left. */
function stoppedClock(startedAt = t0) {
  let nowMs = startedAt;
  let order = 0;
  const timers = new Set<{ atMs: number; order: number; run: () => void }>();
  const clock: StoppedClock = {
    now: () => nowMs,
    monotonicMs: () => nowMs,
    after: (delayMs, run) => {
      const timer = { atMs: nowMs + Math.max(0, delayMs), order: order++, run };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    set: (toMs) => {
      nowMs = toMs;
    },
    timers: () => timers.size,
  };
  const nextUntil = (endMs: number): (() => void) | null => {
    let next: { atMs: number; order: number; run: () => void } | null = null;
    for (const timer of timers) {
      if (timer.atMs > endMs) continue;
      if (next === null || timer.atMs < next.atMs || (timer.atMs === next.atMs && timer.order < next.order))
        next = timer;
    }
    if (next === null) return null;
    timers.delete(next);
    nowMs = Math.max(nowMs, next.atMs);
    return next.run;
  };
  return { clock, nextUntil };
}

async function settled(): Promise<void> {
  for (let i = 0; i < 20; i++) await Promise.resolve();
}

/** Below the time-out of a test: what went on checking after that would keep a core busy and the test's process alive. */
const patienceMs = 120_000;

/** Resolves once `holds` does; checks after every turn of the event loop. */
export async function until(holds: () => boolean): Promise<void> {
  const end = performance.now() + patienceMs;
  while (!holds()) {
    if (performance.now() > end) throw new Error(`not within ${patienceMs / 1_000} s: ${holds}`);
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
}

/** The same while time passes in small steps, so that sockets keep up with timers. */
export async function untilPassing(clock: MovedClock, holds: () => boolean, stepMs = 100): Promise<void> {
  await until(() => {
    if (holds()) return true;
    clock.pass(stepMs);
    return false;
  });
}

/** Gives sockets of this machine `rounds` turns of the event loop, for tests that expect no arrival. */
export async function quiet(rounds = 50): Promise<void> {
  for (let i = 0; i < rounds; i++) await new Promise<void>((resolve) => setImmediate(resolve));
}
