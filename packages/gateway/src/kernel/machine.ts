/** The machine's clock and random numbers. The only file that reads them. */
import { randomFillSync } from 'node:crypto';
// Imported, because the global of this name is looked up at each use.
import { performance } from 'node:perf_hooks';
import type { Clock, Random, Timers } from './clock.ts';

export const machineClock: Clock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
  after: (delayMs, run) => {
    const timer = setTimeout(run, delayMs);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

export const machineTimers: Timers = {
  after: (delayMs, run) => {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
};

export const machineRandom: Random = {
  fraction: () => Math.random(),
  bytes: (count) => randomFillSync(new Uint8Array(count)),
};
