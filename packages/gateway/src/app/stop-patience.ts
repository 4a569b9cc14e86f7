/**
 * A stop waits for a store that is away only as long as it can: a container is killed after ten seconds. Then the stop
 * goes on without it, and says so. Whoever waits for the store gets an error: it may not know what was stored last.
 */
import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/logger.ts';
import type { Store } from './store.ts';

/** How long a stop waits for a store that takes no write. A server that fails over is back within this time. */
export const stopPatienceMs = 4_000;
const lookEveryMs = 250;

export interface StopPatience {
  /** Aborted once the stop goes on without the store. */
  readonly givenUp: AbortSignal;
  /** Call when the stop begins. Looks until `end`. */
  watch(store: Pick<Store, 'healthy'>): void;
  /** Nobody needs the store any more: it may be closed. */
  end(): void;
}

export interface StopPatienceParts {
  clock: Pick<Clock, 'monotonicMs' | 'after'>;
  logger: Logger;
}

export function createStopPatience({ clock, logger }: StopPatienceParts): StopPatience {
  const given = new AbortController();
  let cancel = (): void => {};

  function watch(store: Pick<Store, 'healthy'>): void {
    const giveUp = (): void => {
      cancel();
      logger.error({ waitedMs: stopPatienceMs }, 'the store takes no writes: the stop goes on without it');
      given.abort();
    };
    let cancelLook = (): void => {};
    let cancelEnd = clock.after(stopPatienceMs, giveUp);
    let over = false;
    cancel = () => {
      over = true;
      cancelLook();
      cancelEnd();
    };
    const look = async (): Promise<void> => {
      const isHealthy = await store.healthy();
      if (over) return;
      if (isHealthy) {
        cancelEnd();
        cancelEnd = clock.after(stopPatienceMs, giveUp);
      }
      cancelLook = clock.after(lookEveryMs, () => void look());
    };
    void look();
  }

  return { givenUp: given.signal, watch, end: () => cancel() };
}
