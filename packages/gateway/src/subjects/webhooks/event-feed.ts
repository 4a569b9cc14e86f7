/** Pages through an account's events in one environment, optionally waiting for the next. */
import type { Clock } from '../../kernel/clock.ts';
import type { AccountId } from '../../kernel/ids.ts';
import type { EventStore } from '../../messaging/store/modules/events.ts';
import type { Directory } from '../../model/directory.ts';
import type { EventType } from '../../model/event-type.ts';
import type { Environment } from '../../model/records.ts';
import type { CustomerEvent } from '../../model/webhook-event.ts';
import { environmentOf } from './webhook-routing.ts';

export const feedLimits = {
  waitMs: 30_000,
  /** Waiting calls, in total and for one account. */
  waits: 500,
  waitsPerAccount: 50,
} as const;

/**
 * Pages of the store read for one page of the feed: most rows of the log may belong to others, or have another type.
 */
const looksPerPage = 10;
/** A waiting call reads the store at most this often, however many events come. */
const lookEveryMs = 100;

export interface FeedRequest {
  accountId: AccountId;
  environment: Environment;
  /** `next` of the page before, the id of an event, or `latest`; null = from the oldest. */
  after: string | null;
  types: EventType[] | null;
  limit: number;
  waitMs: number;
  /** Aborted when the caller is gone. */
  signal: AbortSignal;
}

export type FeedPage =
  /** Oldest first; may be empty. `next` is always the cursor to continue from. */
  | { kind: 'page'; events: CustomerEvent[]; next: string }
  /** `after` is not a position in this account's log. */
  | { kind: 'unknown' }
  /** Too many calls wait. Try again. */
  | { kind: 'full' };

export interface EventFeed {
  read(request: FeedRequest): Promise<FeedPage>;
  /** Answers all waiting calls, now and from now on: the gateway is stopping. */
  endWaits(): void;
}

export interface EventFeedParts {
  store: Pick<EventStore, 'accountEvents' | 'eventPosition'>;
  directory: () => Directory;
  clock: Pick<Clock, 'monotonicMs' | 'after'>;
  /** Calls `listener` with the accounts whose log has grown; the returned function ends that. */
  changed(listener: (accountIds: ReadonlySet<string>) => void): () => void;
}

interface Look {
  events: CustomerEvent[];
  position: number;
  more: boolean;
}

export function createEventFeed({ store, directory, clock, changed }: EventFeedParts): EventFeed {
  const waiters = new Set<{ accountId: AccountId; wake(): void }>();
  let ended = false;

  async function startOf({ accountId, after }: FeedRequest): Promise<number | null> {
    if (after === null) return 0;
    const [, digits] = /^pos_([0-9]{1,15})$/.exec(after) ?? [];
    if (digits === undefined) return store.eventPosition({ accountId, eventId: after });
    // A position beyond the end belongs to another log, such as one before a restore: waiting there would never end.
    const position = Number(digits);
    const last = await store.eventPosition({ accountId, eventId: 'latest' });
    return last !== null && position <= last ? position : null;
  }

  /** The events after `position`. A page with only events of the other environment counts as empty. */
  async function look({ accountId, environment, types, limit }: FeedRequest, from: number): Promise<Look> {
    const found: Look = { events: [], position: from, more: true };
    for (let looks = 0; found.more && found.events.length < limit && looks < looksPerPage; looks++) {
      const room = limit - found.events.length;
      const page = await store.accountEvents({ accountId, after: found.position, types, limit: room });
      const records = directory();
      found.events.push(...page.events.filter((event) => environmentOf(event, records) === environment));
      found.position = page.position;
      found.more = page.more;
    }
    return found;
  }

  /** Reads until there is something to return, or the wait ends. */
  async function lookAndWait(request: FeedRequest, from: number): Promise<Look> {
    const { signal } = request;
    const endMs = clock.monotonicMs() + request.waitMs;
    const leftMs = (): number => (ended || signal.aborted ? 0 : endMs - clock.monotonicMs());
    let grown = false;
    let awake = (): void => {};
    const waiter = { accountId: request.accountId, wake: () => awake() };
    const until = (ms: number, woken: () => boolean): Promise<void> =>
      new Promise((resolve) => {
        const cancel = clock.after(ms, resolve);
        awake = () => {
          if (!woken()) return;
          cancel();
          resolve();
        };
        awake();
      });
    // Starts listening before the first read, so that no event is missed between the two.
    const ignore = changed((accountIds) => {
      if (!accountIds.has(request.accountId)) return;
      grown = true;
      awake();
    });
    signal.addEventListener('abort', waiter.wake);
    waiters.add(waiter);
    try {
      for (let position = from; ; ) {
        grown = false;
        const found = await look(request, position);
        if (found.events.length > 0 || found.more || leftMs() <= 0) return found;
        position = found.position;
        await until(leftMs(), () => grown || leftMs() <= 0);
        if (grown) await until(Math.min(lookEveryMs, Math.max(0, leftMs())), () => leftMs() <= 0);
      }
    } finally {
      ignore();
      signal.removeEventListener('abort', waiter.wake);
      waiters.delete(waiter);
    }
  }

  function isFull(accountId: AccountId): boolean {
    if (waiters.size >= feedLimits.waits) return true;
    let own = 0;
    for (const waiter of waiters) if (waiter.accountId === accountId) own++;
    return own >= feedLimits.waitsPerAccount;
  }

  return {
    read: async (request) => {
      const from = await startOf(request);
      if (from === null) return { kind: 'unknown' };
      if (request.waitMs > 0 && isFull(request.accountId)) return { kind: 'full' };
      const { events, position } = await (request.waitMs > 0 ? lookAndWait(request, from) : look(request, from));
      return { kind: 'page', events, next: `pos_${position}` };
    },
    endWaits: () => {
      ended = true;
      for (const waiter of waiters) waiter.wake();
    },
  };
}
