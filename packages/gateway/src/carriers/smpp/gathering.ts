/**
 * Lets receipts that come within milliseconds of each other be stored together: one by one, at a thousand a second, they
 * cost more than the texts they are about (docs/decisions/010).
 */
import type { Clock } from '../../kernel/clock.ts';
import { Company } from '../../kernel/company.ts';

/** Gathering ends when nothing has come for this long. */
const quietMs = 2;
/** And after this long in any case. */
const longestMs = 10;
/** More in one commit gain little. */
const enough = 32;
/**
 * Only what comes at least so long after the first shows that waiting is worth it: a carrier that waits for answers sends
 * all that its window allows at once, and nothing before it has them.
 */
const laterMs = 1;

export interface Gathering {
  /** One more has come, and now so many wait. */
  came(waiting: number): void;
  /** Resolves when those that wait should be stored: at once unless more are expected. */
  end(waiting: number): Promise<void>;
}

export function createGathering(clock: Pick<Clock, 'after' | 'monotonicMs'>): Gathering {
  const company = new Company(clock, { apartMs: 0, tryEvery: 64 });
  let running: { beganMs: number; lastMs: number; isJoined: boolean; end(): void } | null = null;

  function gather(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const beganMs = clock.monotonicMs();
    const own = { beganMs, lastMs: beganMs, isJoined: false, end };
    let cancel = clock.after(quietMs, look);
    running = own;
    return promise;

    function look(): void {
      const nowMs = clock.monotonicMs();
      if (nowMs - own.lastMs >= quietMs || nowMs - beganMs >= longestMs) end();
      else cancel = clock.after(1, look);
    }

    function end(): void {
      cancel();
      running = null;
      company.learn(own.isJoined);
      resolve();
    }
  }

  return {
    came: (waiting) => {
      company.came();
      if (running === null) return;
      running.lastMs = clock.monotonicMs();
      if (running.lastMs - running.beganMs >= laterMs) running.isJoined = true;
      if (waiting >= enough) running.end();
    },
    end: async (waiting) => {
      if (waiting < enough && company.isExpected()) await gather();
    },
  };
}
