/**
 * A start shares the database with running gateways: under load their writes may block it for longer than a statement
 * may take, or they may use every session of the server. It tries again for a while instead of ending, because a
 * supervisor would only start it again.
 */
import type { Clock, Timers } from '../kernel/clock.ts';
import type { Logger } from '../kernel/logger.ts';
import { StoreUnavailable } from '../store/faults.ts';

export const patienceMs = 60_000;
export const againMs = 500;

export interface Patience {
  clock: Pick<Clock, 'monotonicMs'>;
  /** Those of a clock would not keep the process: a start that has no session yet has nothing else that does. */
  timers: Timers;
  logger: Logger;
}

/**
 * `work`, all of the start, must leave nothing behind when it fails because the store is busy. An unreachable store ends the
 * start at once.
 */
export async function whileBusy<T>({ clock, timers, logger }: Patience, work: () => Promise<T>): Promise<T> {
  const endMs = clock.monotonicMs() + patienceMs;
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      const isBusy = error instanceof StoreUnavailable && error.reason === 'busy';
      if (!isBusy || clock.monotonicMs() >= endMs) throw error;
      if (tries === 1) logger.warn({ cause: error.message }, 'the store is busy: the start tries again for a minute');
    }
    await new Promise<void>((resolve) => timers.after(againMs, resolve));
  }
}
