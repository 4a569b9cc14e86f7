/**
 * Keeps this process's memory (the records as a directory, and the opt-out list) as new as the store, whichever program
 * changed it (this process, `helio apply`, another node). On PostgreSQL each transaction reads the newest versions; a
 * message that only an older memory allows must not go to a carrier.
 */
import { buildDirectory } from '../../carriers/directory.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/logger.ts';
import { createOutage } from '../../kernel/outage.ts';
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
  /** Reads the records if they changed; resolves when every listener has finished. */
  refresh(): Promise<void>;
  /** The same, but resolves as soon as `current` returns them: for callers that a listener may wait for. */
  catchUp(): Promise<void>;
  /** Calls `listener` after each further change of the records. */
  onChanged(listener: DirectoryListener): void;
  start(): void;
  stop(): void;
}

/** Reads the records at start, and again whenever their version has grown. At most one poll runs at a time. */
export async function followDirectory(parts: {
  clock: Clock;
  logger: Logger;
  store: Pick<RecordsStore, 'records' | 'recordsVersion'>;
  /** The part of the records that this process uses, e.g. without the sandbox. */
  view(records: Records): Records;
}): Promise<DirectoryFollower> {
  let directory = buildDirectory(parts.view(await parts.store.records()));
  const listeners: DirectoryListener[] = [];
  let cancel: () => void = () => {};
  let stopped = false;

  /** What the listeners still have to do; null when nothing has changed. */
  async function read(): Promise<(() => Promise<unknown>) | null> {
    if ((await parts.store.recordsVersion()) === directory.version) return null;
    const records = await parts.store.records();
    // Two reads may overlap: the older records must not replace the newer ones.
    if (records.version <= directory.version) return null;
    const read = buildDirectory(parts.view(records));
    directory = read;
    parts.logger.info({ version: read.version }, 'records changed');
    return () => Promise.all(listeners.map((listener) => listener(read)));
  }

  async function refresh(): Promise<void> {
    await (await read())?.();
  }

  const outage = createOutage<unknown>((err) => parts.logger.warn({ err }, 'the records could not be read'));

  function poll(): void {
    if (stopped) return;
    cancel = parts.clock.after(recordsPollEveryMs, () => {
      refresh().then(outage.over, outage.failed).finally(poll);
    });
  }

  return {
    current: () => directory,
    refresh,
    catchUp: async () => {
      const report = await read();
      if (report !== null) void report().catch(outage.failed);
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
  /** True when another process has changed something that this one has not read yet. */
  isBehind(): boolean;
  /** Resolves when everything stored before the call is in memory. Rejects with StoreUnavailable. */
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
  const outage = createOutage<unknown>((err) => logger.warn({ err }, 'the opt-out list could not be read'));
  let cancel: () => void = () => {};
  let stopped = false;

  const lacks = (newest: ReturnType<typeof store.newest>): boolean =>
    newest !== null && (newest.records > directory.current().version || newest.consent > consent.version());

  function poll(): void {
    if (stopped) return;
    cancel = clock.after(consentPollEveryMs, () => {
      consent.refresh().then(outage.over, outage.failed).finally(poll);
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
