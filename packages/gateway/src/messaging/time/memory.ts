/**
 * Tells whether what this process keeps in memory, the records and the opt-out list, is as new as its last transaction saw
 * it. On PostgreSQL other processes change them too; nothing that an older memory allows may go to a carrier.
 */
import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { StoreBase } from '../../store/create-store.ts';
import type { Consent } from '../consent/consent.ts';
import type { DirectoryFollower } from './directory-follower.ts';

/** The directory has a poll of its own. */
const pollEveryMs = 1_000;

export interface Memory {
  /** True when another process has changed something that is not here yet. */
  isBehind(): boolean;
  /** Resolves when all is here that was stored when it was called. Rejects with StoreUnavailable. */
  catchUp(): Promise<void>;
  start(): void;
  stop(): void;
}

export interface MemoryParts {
  clock: Pick<Clock, 'after'>;
  logger: Logger;
  store: Pick<StoreBase, 'newest'>;
  directory: Pick<DirectoryFollower, 'current' | 'catchUp'>;
  consent: Pick<Consent, 'version' | 'refresh'>;
}

export function createMemory({ clock, logger, store, directory, consent }: MemoryParts): Memory {
  let cancel: () => void = () => {};
  let stopped = false;

  const lacks = (newest: ReturnType<typeof store.newest>): boolean =>
    newest !== null && (newest.records > directory.current().version || newest.consent > consent.version());

  function poll(): void {
    if (stopped) return;
    cancel = clock.after(pollEveryMs, () => {
      consent
        .refresh()
        .catch((err: unknown) => logger.warn({ err }, 'the opt-out list could not be read'))
        .finally(poll);
    });
  }

  return {
    isBehind: () => lacks(store.newest()),
    catchUp: async () => {
      const newest = store.newest();
      while (lacks(newest)) await Promise.all([directory.catchUp(), consent.refresh()]);
    },
    start: () => {
      if (store.newest() !== null) poll();
    },
    stop: () => {
      stopped = true;
      cancel();
    },
  };
}
