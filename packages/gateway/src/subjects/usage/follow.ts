/**
 * Counts the event log: reads a page, adds the counts and moves the mark in one commit, about once a second. Billing and the
 * outcomes by the hour each have a mark of their own.
 */
import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/logger.ts';
import { countryOf } from '../../model/country.ts';
import type { Directory } from '../../model/directory.ts';
import type { EndedMessages, HourlyRow } from '../../model/hourly-outcomes.ts';
import type { Environment } from '../../model/records.ts';
import type { TakenMessages, UsageRow } from '../../model/usage.ts';
import { StoreUnavailable } from '../../store/faults.ts';
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
  /** Reads a page after the mark. `add` stores its counts; false = another process has moved the mark. */
  read(page: { after: number; limit: number }): Promise<{ position: number; add(): Promise<boolean> }>;
}

export interface UsageFollowerParts {
  clock: Clock;
  logger: Logger;
  ledgers: readonly Ledger[];
  /** Called for an error that is not a temporary failure of the store. */
  broken(error: unknown): void;
}

export function createUsageFollower({ clock, logger, ledgers, broken }: UsageFollowerParts): UsageFollower {
  const marks = ledgers.map(() => 0);
  let stopped = false;
  let cancel: () => void = () => {};
  let round = Promise.resolve();

  /** True when there may be more. */
  async function countPage(ledger: Ledger, index: number): Promise<boolean> {
    const mark = marks[index]!;
    const { position, add } = await ledger.read({ after: mark, limit: pageMax });
    if (position === mark) return false;
    const moved = await add();
    // After a lost answer, or a rival, the stored mark differs: counting goes on from there.
    marks[index] = moved ? position : await ledger.countedTo();
    return position - mark >= pageMax || !moved;
  }

  async function look(): Promise<void> {
    // Concurrently, so that their counts share a commit.
    const looks = await Promise.all(
      ledgers.map((ledger, index) =>
        countPage(ledger, index).catch((error: unknown) => {
          if (error instanceof StoreUnavailable) logger.warn({ reason: error.reason }, 'usage waits for the store');
          else broken(error);
          return false;
        }),
      ),
    );
    if (!stopped) after(looks.includes(true) ? restMs : lookEveryMs);
  }

  function after(ms: number): void {
    cancel = clock.after(ms, () => {
      round = look();
    });
  }

  return {
    start: async () => {
      stopped = false;
      for (const [index, ledger] of ledgers.entries()) marks[index] = await ledger.countedTo();
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
export function usageLedger(
  store: Pick<UsageStore, 'countedTo' | 'takenAfter' | 'addUsage'>,
  directory: () => Directory,
): Ledger {
  return {
    countedTo: store.countedTo,
    read: async (page) => {
      const { taken, position: to } = await store.takenAfter(page);
      const add = () => store.addUsage({ from: page.after, to, rows: usageRows(taken, directory()) });
      return { position: to, add };
    },
  };
}

/** Counts outcomes by the hour. */
export function hourlyLedger(
  store: Pick<UsageStore, 'hourlyCountedTo' | 'outcomesAfter' | 'addHourly'>,
  directory: () => Directory,
): Ledger {
  return {
    countedTo: async () => (await store.hourlyCountedTo()).mark,
    read: async (page) => {
      const { ended, position: to } = await store.outcomesAfter(page);
      const add = () => store.addHourly({ from: page.after, to, rows: hourlyRows(ended, directory()) });
      return { position: to, add };
    },
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
