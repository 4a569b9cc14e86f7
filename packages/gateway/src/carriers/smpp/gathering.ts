/**
 * Lets receipts that keep coming be stored together: one by one they cost more than the texts they are about
 * (docs/decisions/010).
 */
import type { Clock } from '../../kernel/clock.ts';
import { Company } from '../../kernel/company.ts';

/** How long the first waits for others. */
const gathersMs = 10;
/** More in one commit gain little. */
const enough = 32;
/**
 * Only what comes at least so long after the first shows that waiting is worth it: a carrier that waits for our answers
 * sends all that its window allows at once, and then nothing.
 */
const laterMs = 3;

export interface Gathering {
  /** One more has come, and now so many wait. */
  came(waiting: number): void;
  /** Resolves when those that wait should be stored: at once unless more are expected. */
  end(waiting: number): Promise<void>;
}

export function createGathering(clock: Pick<Clock, 'after' | 'monotonicMs'>): Gathering {
  const company = new Company(clock, { apartMs: 0, tryEvery: 64 });
  let running: { beganMs: number; isJoined: boolean; end(): void } | null = null;

  function gather(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const end = () => {
      cancel();
      running = null;
      company.learn(own.isJoined);
      resolve();
    };
    const cancel = clock.after(gathersMs, end);
    const own = { beganMs: clock.monotonicMs(), isJoined: false, end };
    running = own;
    return promise;
  }

  return {
    came: (waiting) => {
      company.came();
      if (running === null) return;
      if (clock.monotonicMs() - running.beganMs >= laterMs) running.isJoined = true;
      if (waiting >= enough) running.end();
    },
    end: async (waiting) => {
      if (waiting < enough && company.isExpected()) await gather();
    },
  };
}
