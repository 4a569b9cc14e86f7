/**
 * Counts the event log about once a second: reads a page, and each ledger (billing, outcomes by the hour) adds its counts and
 * moves its own mark in one commit. All read the same page; one that is behind reads alone until it has the others' mark.
 */
import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/logger.ts';
import { createOutage } from '../../kernel/outage.ts';
import { countryOf } from '../../model/country.ts';
import type { Directory } from '../../model/directory.ts';
import type { EndedMessages, HourlyRow } from '../../model/hourly-outcomes.ts';
import type { Environment } from '../../model/records.ts';
import type { TakenMessages, UsageRow } from '../../model/usage.ts';
import { StoreUnavailable } from '../../store/faults.ts';
import type { LogPage } from './store/counted.ts';
import type { UsageStore } from './store/module.ts';

/** Positions read at one time: a busy second results in a few dozen rows. */
const pageMax = 5_000;
const lookEveryMs = 1_000;
/** Pause between two pages while it is behind, so that other look-ups get their turn. */
const restMs = 20;

export interface UsageFollower {
  /** Reads the marks and begins; also after a stop. */
  start(): Promise<void>;
  /** Resolves when the current page is stored. */
  stop(): Promise<void>;
}

/** One kind of count over the log, with its own mark. */
export interface Ledger {
  countedTo(): Promise<number>;
  /** Stores the counts of the page that begins after `from`; false = another process has moved the mark. */
  add(from: number, page: LogPage): Promise<boolean>;
}

export interface UsageFollowerParts {
  clock: Clock;
  logger: Logger;
  store: Pick<UsageStore, 'countsAfter'>;
  ledgers: readonly Ledger[];
  /** Called for an error that is not a temporary failure of the store. */
  broken(error: unknown): void;
}

export function createUsageFollower({ clock, logger, store, ledgers, broken }: UsageFollowerParts): UsageFollower {
  const counts = ledgers.map((ledger) => ({ ledger, mark: 0 }));
  let stopped = false;
  let cancel: () => void = () => {};
  let round = Promise.resolve();
  const outage = createOutage<StoreUnavailable>(({ reason }) => logger.warn({ reason }, 'usage waits for the store'));

  /** True when there may be more. */
  async function countPage(): Promise<boolean> {
    const from = Math.min(...counts.map(({ mark }) => mark));
    const ahead = counts.filter(({ mark }) => mark > from);
    const limit = Math.min(pageMax, ...ahead.map(({ mark }) => mark - from));
    const page = await store.countsAfter({ after: from, limit });
    if (page.position === from) {
      outage.over();
      return false;
    }
    // Concurrently, so that their counts share a commit.
    const behind = counts.filter(({ mark }) => mark === from);
    const added = await Promise.all(behind.map((count) => addTo(count, page)));
    if (added.includes('failed')) return false;
    outage.over();
    return page.position - from >= limit || added.includes('elsewhere');
  }

  async function addTo(count: (typeof counts)[number], page: LogPage): Promise<'added' | 'elsewhere' | 'failed'> {
    try {
      const moved = await count.ledger.add(count.mark, page);
      // After a lost answer, or a rival, the stored mark differs: counting goes on from there.
      count.mark = moved ? page.position : await count.ledger.countedTo();
      return moved ? 'added' : 'elsewhere';
    } catch (error) {
      failed(error);
      return 'failed';
    }
  }

  function failed(error: unknown): void {
    if (error instanceof StoreUnavailable) outage.failed(error);
    else broken(error);
  }

  async function look(): Promise<void> {
    const more = await countPage().catch((error: unknown) => {
      failed(error);
      return false;
    });
    if (!stopped) after(more ? restMs : lookEveryMs);
  }

  function after(ms: number): void {
    cancel = clock.after(ms, () => {
      round = look();
    });
  }

  return {
    start: async () => {
      stopped = false;
      for (const count of counts) count.mark = await count.ledger.countedTo();
      after(0);
    },
    stop: async () => {
      stopped = true;
      cancel();
      await round;
    },
  };
}

/** Counts for billing. */
export function usageLedger(store: Pick<UsageStore, 'countedTo' | 'addUsage'>, directory: () => Directory): Ledger {
  return {
    countedTo: store.countedTo,
    add: (from, { taken, position: to }) => store.addUsage({ from, to, rows: usageRows(taken, directory()) }),
  };
}

/** Counts outcomes by the hour. */
export function hourlyLedger(
  store: Pick<UsageStore, 'hourlyCountedTo' | 'addHourly'>,
  directory: () => Directory,
): Ledger {
  return {
    countedTo: async () => (await store.hourlyCountedTo()).mark,
    add: (from, { ended, position: to }) => store.addHourly({ from, to, rows: hourlyRows(ended, directory()) }),
  };
}

/**
 * The rows of counted messages: campaign, country and environment by the present records. One row for each combination.
 */
export function usageRows(taken: readonly TakenMessages[], directory: Directory): UsageRow[] {
  const rows = new Map<string, UsageRow>();
  for (const { toPrefix, messages, units, ...same } of taken) {
    const campaign = directory.number(same.number)?.campaignId ?? '';
    const names = {
      ...same,
      environment: environmentOf(same, directory),
      campaign,
      country: countryOf(toPrefix) ?? '',
    };
    const key = JSON.stringify(Object.values(names));
    const row = rows.get(key) ?? { ...names, messages: 0, units: 0 };
    rows.set(key, { ...row, messages: row.messages + messages, units: row.units + units });
  }
  return [...rows.values()];
}

/** Live records are never deleted, so a number or carrier without a record belongs to a disabled sandbox. */
function environmentOf({ number, carrier }: { number: string; carrier: string }, directory: Directory): Environment {
  return directory.number(number)?.environment ?? directory.carrier(carrier)?.environment ?? 'sandbox';
}

/** The rows of counted outcomes: each end once, and once that a carrier took the message. */
export function hourlyRows(ended: readonly EndedMessages[], directory: Directory): HourlyRow[] {
  const rows = new Map<string, HourlyRow>();
  const add = (row: HourlyRow): void => {
    const { messages, ...names } = row;
    const key = JSON.stringify(Object.values(names));
    rows.set(key, { ...row, messages: messages + (rows.get(key)?.messages ?? 0) });
  };
  for (const one of ended) {
    const { accountId, hour, state, code, took, demo, messages, taken } = one;
    const common = { accountId, environment: environmentOf(one, directory), hour, demo };
    if (taken > 0) add({ ...common, outcome: 'sent', code: '', took: 0, messages: taken });
    if (state !== 'sent') add({ ...common, outcome: state, code, took, messages });
  }
  return [...rows.values()];
}
