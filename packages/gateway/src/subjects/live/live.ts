/**
 * Live updates for open pages: events, carrier links, record changes, sandbox arrivals, webhooks. A watcher receives
 * only its own account's. Missed events are read from the log again, up to a limit.
 */
import type { AccountId } from '../../kernel/ids.ts';
import type { AttemptOutcome } from '../../messaging/store/items.ts';
import type { EventStore } from '../../messaging/store/modules/events.ts';
import type { Directory } from '../../model/directory.ts';
import type { CustomerEvent } from '../../model/webhook-event.ts';
import { deliveryId } from '../../model/webhook-event.ts';
import type { ChangedListener } from '../webhooks/notify/follow.ts';

export const liveLimits = {
  /** Positions of the log that are read again for a client that was away; more is a gap. */
  placesAgainMax: 5_000,
} as const;

export type LiveType =
  | 'message'
  | 'contact'
  | 'carrier'
  | 'records'
  | 'handset'
  | 'webhook'
  | 'conversation'
  | 'presence'
  | 'request';

export interface LiveEvent {
  /** Position in the log; null for updates that are not in it. */
  position: number | null;
  type: LiveType;
  data: Record<string, unknown>;
}

/** A person of a company. */
export interface Onlooker {
  userId: string;
  name: string;
}

export interface Watcher {
  accountId: AccountId;
  /** Gets carrier updates as soon as a link changes; others get them from the log. */
  operator: boolean;
  notify(event: LiveEvent): void;
  /** Called when the gateway stops. */
  end(): void;
}

export interface Live {
  /** Returns the function that ends watching; null when the gateway is stopping. */
  watch(watcher: Watcher): (() => void) | null;
  /**
   * The account's events after a position, oldest first; null when that is too far back, or not a position of this log.
   */
  since(accountId: AccountId, position: number): Promise<LiveEvent[] | null>;
  /** The newest position of the log. */
  position(): Promise<number>;
  recordsChanged(version: number): void;
  linkChanged(carrierId: string, up: boolean): void;
  /** A message arrived at a handset of the sandbox. */
  handsetGot(number: string, from: string): void;
  attempted(outcomes: readonly AttemptOutcome[]): void;
  /** A person read, closed or snoozed it, or it was assigned. */
  conversationChanged(accountId: AccountId, number: string, peer: string): void;
  /** A person joined or left a conversation; `people` are all who view it now. */
  presenceChanged(accountId: AccountId, number: string, peer: string, people: readonly Onlooker[]): void;
  /** A name, a note or a tag of a telephone changed. */
  contactsChanged(accountId: AccountId): void;
  /** API calls were recorded for an account. */
  requestsKept(accountId: AccountId): void;
  /** Lists of an account changed without an event. */
  listsChanged(accountId: AccountId): void;
  /** Ends all watches, now and in future. */
  end(): void;
}

export interface LiveParts {
  store: Pick<EventStore, 'accountEvents' | 'eventPosition'>;
  directory(): Directory;
  /** Calls `listener` with new entries of the log; the returned function ends that. */
  changed(listener: ChangedListener): () => void;
}

const pageMax = 500;

export function createLive({ store, directory, changed }: LiveParts): Live {
  const watchers = new Set<Watcher>();
  let ended = false;
  let ignore: (() => void) | null = null;

  function notify(event: LiveEvent, isFor: (watcher: Watcher) => boolean): void {
    for (const watcher of watchers) if (isFor(watcher)) watcher.notify(event);
  }

  // The log is followed only while somebody watches, because following reads all of it.
  function listen(): void {
    if (watchers.size === 0) {
      ignore?.();
      ignore = null;
      return;
    }
    ignore ??= changed((_accountIds, events) => {
      for (const event of events) {
        const live = asLive(event);
        notify(live, (one) => one.accountId === event.accountId && !(live.type === 'carrier' && one.operator));
      }
    });
  }

  async function position(): Promise<number> {
    return (await store.eventPosition({ accountId: '', eventId: 'latest' })) ?? 0;
  }

  return {
    position,
    watch: (watcher) => {
      if (ended) return null;
      watchers.add(watcher);
      listen();
      return () => {
        watchers.delete(watcher);
        listen();
      };
    },
    since: async (accountId, from) => {
      const last = await position();
      if (from > last || last - from > liveLimits.placesAgainMax) return null;
      const found: LiveEvent[] = [];
      for (let after = from; after < last; ) {
        const page = await store.accountEvents({ accountId, after, types: null, limit: pageMax });
        found.push(...page.events.map(asLive));
        if (!page.more || page.position <= after) break;
        after = page.position;
      }
      return found;
    },
    recordsChanged: (version) => notify({ position: null, type: 'records', data: { version } }, () => true),
    linkChanged: (carrierId, up) => {
      const data = { carrierId, state: up ? 'up' : 'down' };
      notify({ position: null, type: 'carrier', data }, ({ operator }) => operator);
    },
    handsetGot: (number, from) => {
      const owner = directory().number(from)?.accountId;
      notify({ position: null, type: 'handset', data: { number, from } }, ({ accountId }) => accountId === owner);
    },
    conversationChanged: (accountId, number, peer) =>
      notify({ position: null, type: 'conversation', data: { number, peer } }, (one) => one.accountId === accountId),
    presenceChanged: (accountId, number, peer, people) =>
      notify(
        { position: null, type: 'presence', data: { number, peer, people } },
        (one) => one.accountId === accountId,
      ),
    contactsChanged: (owner) =>
      notify({ position: null, type: 'contact', data: {} }, ({ accountId }) => accountId === owner),
    attempted: (outcomes) => {
      if (watchers.size === 0) return;
      for (const { endpointId, position: place, to, attempt } of outcomes) {
        const owner = directory().endpoint(endpointId)?.accountId;
        const data = { endpointId, deliveryId: deliveryId(endpointId, place), state: to, status: attempt.status };
        notify({ position: null, type: 'webhook', data }, ({ accountId }) => accountId === owner);
      }
    },
    requestsKept: (owner) =>
      notify({ position: null, type: 'request', data: {} }, ({ accountId }) => accountId === owner),
    listsChanged: (owner) =>
      notify({ position: null, type: 'message', data: {} }, ({ accountId }) => accountId === owner),
    end: () => {
      ended = true;
      for (const watcher of [...watchers]) watcher.end();
      watchers.clear();
      listen();
    },
  };
}

/** The facts that a page needs to refetch after an event; never a text. */
function asLive({ position, type, at, message, data }: CustomerEvent): LiveEvent {
  const when = new Date(at).toISOString();
  if (message !== null) {
    const { messageId, state, direction, from, to, code } = message;
    return { position, type: 'message', data: { at: when, type, messageId, state, direction, from, to, code } };
  }
  if (type.startsWith('carrier.') && data?.carrierId !== undefined) {
    return { position, type: 'carrier', data: { carrierId: data?.carrierId, state: type.slice(8) } };
  }
  if (type.startsWith('contact.')) return { position, type: 'contact', data: { at: when, type } };
  return { position, type: 'webhook', data: { at: when, type } };
}
