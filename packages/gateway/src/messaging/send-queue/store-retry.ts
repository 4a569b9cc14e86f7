/** Retries a query until the store is available, for background work that must not be skipped. */
import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/logger.ts';
import { createOutage } from '../../kernel/outage.ts';
import { StoreUnavailable } from '../../store/faults.ts';

const retryMs = 1_000;

export interface StoreRetry {
  /** The store's answer; null if stopped or broken. */
  untilAvailable<T>(query: () => Promise<T>): Promise<T | null>;
  /** Waits so many ms, less if stopped. */
  pause(ms: number): Promise<void>;
  stopped(): boolean;
  /** No more queries afterwards. */
  stop(): void;
}

export interface StoreRetryParts {
  clock: Clock;
  logger: Logger;
  broken(error: unknown): void;
}

/** `waits` names the waiting work in the log. */
export function createStoreRetry({ clock, logger, broken }: StoreRetryParts, waits: string): StoreRetry {
  let stopped = false;
  let wake: () => void = () => {};
  const outage = createOutage<StoreUnavailable>(({ reason }) => logger.warn({ reason }, waits));

  function pause(ms: number): Promise<void> {
    if (stopped) return Promise.resolve();
    return new Promise((resolve) => {
      const cancel = clock.after(ms, resolve);
      wake = () => {
        cancel();
        resolve();
      };
    });
  }

  return {
    untilAvailable: async (query) => {
      while (!stopped) {
        try {
          const answer = await query();
          outage.over();
          return answer;
        } catch (error) {
          if (stopped) return null;
          if (!(error instanceof StoreUnavailable)) {
            broken(error);
            return null;
          }
          outage.failed(error);
          await pause(retryMs);
        }
      }
      return null;
    },
    pause,
    stopped: () => stopped,
    stop: () => {
      stopped = true;
      wake();
    },
  };
}
