/**
 * Retention: deletes old texts hourly, then old messages, account by account; and erases requested numbers at once.
 * Runs in bounded steps with pauses. Messages that may still be sent, and opt-outs, stay.
 */
import type { Clock, EpochMs } from '../../kernel/clock.ts';
import type { AccountId } from '../../kernel/ids.ts';
import type { Logger } from '../../kernel/logger.ts';
import { createOutage } from '../../kernel/outage.ts';
import type { RecordsStore } from '../../messaging/store/modules/records.ts';
import type { TrustedClock } from '../../messaging/time/trusted-clock.ts';
import type { Directory } from '../../model/directory.ts';
import type { Account } from '../../model/records.ts';
import { requestLogLimits } from '../../model/request-log.ts';
import { type RetentionCut, retentionCut } from '../../model/retention.ts';
import type { StoreBase } from '../../store/create-store.ts';
import { StoreUnavailable } from '../../store/faults.ts';
import type { RequestLogStore } from '../request-log/store/module.ts';
import type { ForgetMessagesRequest, RetentionStore } from './store/module.ts';

const everyMs = 3_600_000;
const erasuresEveryMs = 10_000;
/** In this time an account writes at most a sixth of the calls that it may store. */
const requestsEveryMs = 60_000;
/** More than the recipients of one request, so that every step makes progress. */
const stepMax = 2_000;
const restMs = 20;
/** More recent changes of a message may not be counted or notified yet. */
const settledForMs = 60_000;
const erasuresMax = 20;
/** A request gets its id a moment before its messages get theirs. */
const betweenIdsMs = 60_000;

export interface RetentionSweeper {
  /** Also after a stop. */
  start(): void;
  /** One round over all accounts, for tests and after a clock jump. Rejects when the store does. */
  sweep(): Promise<void>;
  /** Carries out requested erasures. Rejects when the store does. */
  eraseAll(): Promise<void>;
  /** Soon, since somebody has just requested it. A node that has the duty looks for it by itself. */
  nudge(): void;
  stop(): Promise<void>;
}

export interface RetentionParts {
  clock: Clock;
  /** Why the machine's clock is not trusted; while it is not, nothing is deleted by age. */
  doubt?: TrustedClock['doubt'];
  logger: Logger;
  store: Pick<
    RetentionStore,
    'forgetMessages' | 'forgetEvents' | 'forgetBeside' | 'hasUnfinished' | 'erasures' | 'erase'
  > &
    Pick<RecordsStore, 'records'> &
    Pick<StoreBase, 'logPartitions' | 'messagePartitions'> &
    Pick<RequestLogStore, 'forgetRequests' | 'eraseFromRequests'>;
  directory(): Directory;
  /** Writes request-log entries that are only in memory, so that an erasure finds them. */
  flushRequests?(): Promise<void>;
}

export function createRetentionSweeper({
  clock,
  logger,
  store,
  directory,
  flushRequests,
  doubt,
}: RetentionParts): RetentionSweeper {
  const cancels = new Map<string, () => void>();
  let round: Promise<void> = Promise.resolve();
  let stopped = false;
  let runs = false;

  function rest(): Promise<void> {
    return new Promise((resolve) => clock.after(restMs, resolve));
  }

  const endpointIds = (accountId: AccountId): string[] =>
    directory()
      .endpointsOf(accountId)
      .map(({ endpointId }) => endpointId);

  async function sweepAccount(cut: RetentionCut, stay: Pick<ForgetMessagesRequest, 'eventsStayTo' | 'messagesFrom'>) {
    let [emptied, deleted, cursor] = [0, 0, null as string | null];
    do {
      const step = { endpointIds: endpointIds(cut.accountId), now: clock.now(), limit: stepMax, cursor, ...stay };
      const done = await store.forgetMessages({ ...cut, ...step });
      emptied += done.emptied;
      deleted += done.deleted;
      cursor = done.cursor;
      if (done.emptied + done.deleted > 0) await rest();
    } while (cursor !== null && !stopped);
    if (emptied + deleted > 0) {
      logger.info({ accountId: cut.accountId, emptied, deleted }, 'old texts and messages are gone');
    }
  }

  const isDoubted = (): boolean => (doubt?.() ?? null) !== null;

  async function sweep(): Promise<void> {
    if (stopped) return;
    await store.logPartitions?.keep();
    if (isDoubted()) return;
    // All accounts, because those of a disabled sandbox must be cleaned up too.
    const { accounts } = await store.records();
    const now = clock.now();
    const cuts = accounts.map((account) => retentionCut(account, now));
    const before = Math.min(...cuts.map(({ messagesBefore }) => messagesBefore));
    const hasCut = Number.isFinite(before);
    const messages = hasCut ? await dropMessages(cuts, now, before) : null;
    // Events stay with their messages.
    const eventsBefore = messages === null ? before : messages.from;
    const left = (hasCut && (await store.logPartitions?.leftToDrop(eventsBefore))) || { to: 0, at: 0 };
    for (const cut of cuts) {
      // Who keeps messages for a shorter time than others does not wait for the partition.
      const messagesFrom = cut.messagesBefore === before ? messages?.to : undefined;
      if (!stopped) await sweepAccount(cut, { eventsStayTo: left.at, ...(messagesFrom && { messagesFrom }) });
    }
    await forgetRequests(accounts);
    if (!hasCut || stopped) return;
    // Where a partition has to stay, what may go there goes event by event.
    const eventsFrom = (await store.logPartitions?.drop(eventsBefore)) === false ? 0 : left.to;
    while (!stopped && (await store.forgetEvents({ before: eventsBefore, limit: stepMax, eventsFrom }))) await rest();
  }

  /**
   * Drops the partitions of messages that nobody keeps. Returns the one whose messages are left until all of it may go; null
   * where messages go one by one: there is none, or something is still to happen with a message of an old one.
   */
  async function dropMessages(cuts: readonly RetentionCut[], now: EpochMs, before: EpochMs) {
    const partitions = store.messagePartitions;
    if (partitions === null || stopped) return null;
    const keptMs = now - before;
    await partitions.keep(keptMs);
    const accountIds = cuts.map(({ accountId }) => accountId);
    for (const to of await partitions.old(before)) {
      // The ids of a request and of its messages may lie on both sides of the end.
      const all = { before: to + betweenIdsMs, accountIds, limit: stepMax };
      if (stopped || (await store.hasUnfinished(all))) return null;
      while (!stopped && (await store.forgetBeside(all))) await rest();
      if (!stopped) await partitions.drop(to, before);
    }
    return partitions.leftToDrop(before, keptMs);
  }

  /** API calls are stored for a shorter time than messages, and in limited number. */
  async function forgetRequests(accounts: readonly Account[]): Promise<void> {
    if (isDoubted()) return;
    for (const { accountId } of accounts) {
      const cut = { accountId, keep: requestLogLimits.rowsPerAccount, limit: stepMax };
      const before = clock.now() - requestLogLimits.keptMs;
      while (!stopped && (await store.forgetRequests({ ...cut, before }))) await rest();
    }
  }

  /** Runs before the erasure itself, which is final once it ends. */
  async function eraseFromRequests(accountId: AccountId, number: string): Promise<void> {
    let cursor: string | null = null;
    do {
      cursor = await store.eraseFromRequests({ accountId, number, cursor, limit: stepMax });
      if (cursor !== null) await rest();
    } while (cursor !== null && !stopped);
  }

  async function eraseAll(): Promise<void> {
    for (const { erasureId, accountId, peer } of await store.erasures({ accountId: null, limit: erasuresMax })) {
      await flushRequests?.();
      await eraseFromRequests(accountId, peer);
      const step = { erasureId, endpointIds: endpointIds(accountId), limit: stepMax };
      let more = true;
      while (more && !stopped) {
        const now = clock.now();
        more = await store.erase({ ...step, settledBefore: now - settledForMs, now });
        if (more) await rest();
      }
    }
  }

  const outage = createOutage<StoreUnavailable>(({ reason }) =>
    logger.warn({ reason }, 'retention waits for the store'),
  );

  function inTurn(work: () => Promise<void>): void {
    round = round.then(work).then(outage.over, (error: unknown) => {
      if (stopped) return;
      // Waiting loses nothing: the next round tries again.
      if (error instanceof StoreUnavailable) outage.failed(error);
      else logger.error({ err: error }, 'old messages could not be let go of');
    });
  }

  function every(name: string, ms: number, work: () => Promise<void>): void {
    const again = (): void => {
      if (stopped) return;
      cancels.set(name, clock.after(ms, again));
      inTurn(work);
    };
    again();
  }

  return {
    start: () => {
      stopped = false;
      runs = true;
      every('sweep', everyMs, sweep);
      every('erasures', erasuresEveryMs, eraseAll);
      every('requests', requestsEveryMs, () => forgetRequests(directory().records.accounts));
    },
    sweep,
    eraseAll,
    nudge: () => {
      if (runs) inTurn(eraseAll);
    },
    stop: async () => {
      stopped = true;
      runs = false;
      for (const cancel of cancels.values()) cancel();
      store.logPartitions?.interrupt();
      store.messagePartitions?.interrupt();
      await round;
    },
  };
}
