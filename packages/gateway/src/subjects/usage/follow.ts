/**
 * Counts the event log for billing: reads a page, adds the counts and moves the mark in one commit, about once a
 * second.
 */
import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/logger.ts';
import { countryOf } from '../../model/country.ts';
import type { Directory } from '../../model/directory.ts';
import type { TakenMessages, UsageRow } from '../../model/usage.ts';
import { StoreUnavailable } from '../../store/faults.ts';
import type { UsageStore } from './store/module.ts';

/** Places of the log in one look: what is counted of a busy second is a few dozen rows. */
const pageMax = 5_000;
const lookEveryMs = 1_000;
/** Between two pages while it lies behind, so that other look-ups get their turn. */
const restMs = 20;

export interface UsageFollower {
  /** Reads the mark and begins. */
  start(): Promise<void>;
  /** Resolves when what was under way is stored. */
  stop(): Promise<void>;
}

export interface UsageFollowerParts {
  clock: Clock;
  logger: Logger;
  store: Pick<UsageStore, 'countedTo' | 'takenAfter' | 'addUsage'>;
  directory(): Directory;
  /** Told of what is no passing fault of the store. */
  broken(error: unknown): void;
}

export function createUsageFollower({ clock, logger, store, directory, broken }: UsageFollowerParts): UsageFollower {
  let mark = 0;
  let stopped = false;
  let cancel: () => void = () => {};
  let round = Promise.resolve();

  /** True when there may be more. */
  async function countPage(): Promise<boolean> {
    const { taken, position } = await store.takenAfter({ after: mark, limit: pageMax });
    if (position === mark) return false;
    const moved = await store.addUsage({ from: mark, to: position, rows: usageRows(taken, directory()) });
    // After an answer that was lost, or a rival, the mark on disk is elsewhere: from there on everything is still to be counted.
    const behind = position - mark >= pageMax || !moved;
    mark = moved ? position : await store.countedTo();
    return behind;
  }

  async function look(): Promise<void> {
    let behind = false;
    try {
      behind = await countPage();
    } catch (error) {
      if (error instanceof StoreUnavailable) logger.warn({ reason: error.reason }, 'usage waits for the store');
      else broken(error);
    }
    if (!stopped) after(behind ? restMs : lookEveryMs);
  }

  function after(ms: number): void {
    cancel = clock.after(ms, () => {
      round = look();
    });
  }

  return {
    start: async () => {
      mark = await store.countedTo();
      after(0);
    },
    stop: async () => {
      stopped = true;
      cancel();
      await round;
    },
  };
}

/**
 * The rows in which messages are counted: which campaign, country and environment they belong to, by the records as they are
 * now. One row for each combination.
 */
export function usageRows(taken: readonly TakenMessages[], directory: Directory): UsageRow[] {
  const rows = new Map<string, UsageRow>();
  for (const { toPrefix, messages, units, ...same } of taken) {
    const number = directory.number(same.number);
    // A live record stays where it is: what is on no record belongs to a sandbox that is switched off.
    const environment = number?.environment ?? directory.carrier(same.carrier)?.environment ?? 'sandbox';
    const names = { ...same, environment, campaign: number?.campaignId ?? '', country: countryOf(toPrefix) ?? '' };
    const key = JSON.stringify(Object.values(names));
    const row = rows.get(key) ?? { ...names, messages: 0, units: 0 };
    rows.set(key, { ...row, messages: row.messages + messages, units: row.units + units });
  }
  return [...rows.values()];
}
