/**
 * What this process keeps in memory, the records as a directory and the opt-out list, stays as new as the store, however it
 * was changed (by this process, `helio apply`, another node). On PostgreSQL each transaction reads what is newest; nothing that an
 * older memory allows may go to a carrier.
 */
import { buildDirectory } from '../../carriers/directory.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { Directory } from '../../model/directory.ts';
import type { Records } from '../../model/records.ts';
import type { StoreBase } from '../../store/create-store.ts';
import type { Consent } from '../consent/consent.ts';
import type { RecordsStore } from '../store/modules/records.ts';

const consentPollEveryMs = 1_000;
const recordsPollEveryMs = 500;

type DirectoryListener = (directory: Directory) => void | Promise<void>;

export interface DirectoryFollower {
  current(): Directory;
  /** Reads the records if they changed; resolves when every listener is done. */
  refresh(): Promise<void>;
  /** The same, but resolves as soon as `current` has them: for those whom a listener may wait for. */
  catchUp(): Promise<void>;
  /** Calls `listener` after each change of the records, from the next on. */
  onChanged(listener: DirectoryListener): void;
  start(): void;
  stop(): void;
}

/** Reads the records at start, and again whenever their version has grown. At most one poll is under way. */
export async function followDirectory(parts: {
  clock: Clock;
  logger: Logger;
  store: Pick<RecordsStore, 'records' | 'recordsVersion'>;
  /** What of the records this process works with, e.g. without the sandbox. */
  view(records: Records): Records;
}): Promise<DirectoryFollower> {
  let directory = buildDirectory(parts.view(await parts.store.records()));
  const listeners: DirectoryListener[] = [];
  let cancel: () => void = () => {};
  let stopped = false;

  /** What the listeners are still to do; null when nothing has changed. */
  async function read(): Promise<(() => Promise<unknown>) | null> {
    if ((await parts.store.recordsVersion()) === directory.version) return null;
    const records = await parts.store.records();
    // Two may read at once: the older picture must not win.
    if (records.version <= directory.version) return null;
    const read = buildDirectory(parts.view(records));
    directory = read;
    parts.logger.info({ version: read.version }, 'records changed');
    return () => Promise.all(listeners.map((listener) => listener(read)));
  }

  async function refresh(): Promise<void> {
    await (await read())?.();
  }

  const unread = (err: unknown): void => parts.logger.warn({ err }, 'the records could not be read');

  function poll(): void {
    if (stopped) return;
    cancel = parts.clock.after(recordsPollEveryMs, () => {
      refresh().catch(unread).finally(poll);
    });
  }

  return {
    current: () => directory,
    refresh,
    catchUp: async () => {
      const report = await read();
      if (report !== null) void report().catch(unread);
    },
    onChanged: (listener) => {
      listeners.push(listener);
    },
    start: poll,
    stop: () => {
      stopped = true;
      cancel();
    },
  };
}

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
    cancel = clock.after(consentPollEveryMs, () => {
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
