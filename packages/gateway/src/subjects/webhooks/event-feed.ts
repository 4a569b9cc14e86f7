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
  /** Calls that wait, in all and for one account. */
  waits: 500,
  waitsPerAccount: 50,
} as const;

/** Pages of the store read for one page of the feed: most rows of the log may be of others, or of another type. */
const looksPerPage = 10;
/** A waiting call looks no more often than this, however many events come. */
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
  /** Oldest first; may be empty. `next` is where to go on, always. */
  | { kind: 'page'; events: CustomerEvent[]; next: string }
  /** `after` is no place in this account's log. */
  | { kind: 'unknown' }
  /** Too many calls wait. May be tried again. */
  | { kind: 'full' };

export interface EventFeed {
  read(request: FeedRequest): Promise<FeedPage>;
  /** Answers everyone who waits, now and from now on: the gateway stops. */
  endWaits(): void;
}

export interface EventFeedParts {
  store: Pick<EventStore, 'accountEvents' | 'eventPosition'>;
  directory: () => Directory;
  clock: Pick<Clock, 'monotonicMs' | 'after'>;
  /** Calls `listener` with the accounts for which the log has grown; the returned function ends that. */
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
    // A place the log has not reached is of another log, such as one before a restore: waiting there is silence.
    const position = Number(digits);
    const last = await store.eventPosition({ accountId, eventId: 'latest' });
    return last !== null && position <= last ? position : null;
  }

  /** What there is after `position`. A page of events of the other environment is none. */
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

  /** Looks until there is something to tell, or nothing to wait for any more. */
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
    // Listening begins before the first look, so that nothing falls between the two.
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
