/** Follows the event log: reads a page, routes each event, stores its deliveries and moves the mark in one commit. */
import type { Clock } from '../../../kernel/clock.ts';
import type { Logger } from '../../../kernel/logger.ts';
import { createOutage } from '../../../kernel/outage.ts';
import { fallbackTypes, wantsFallback } from '../../../messaging/media/mms-fallback.ts';
import type { EventStore } from '../../../messaging/store/modules/events.ts';
import type { Directory } from '../../../model/directory.ts';
import type { EventType } from '../../../model/event-type.ts';
import type { Records } from '../../../model/records.ts';
import type { CustomerEvent } from '../../../model/webhook-event.ts';
import { StoreUnavailable } from '../../../store/faults.ts';
import type { WebhookStore } from '../store/module.ts';
import { route } from '../webhook-routing.ts';

const pageMax = 500;
/** Deliveries in one commit; the events of one account may go to many endpoints. */
const givenMax = 2_000;
const lookEveryMs = 1_000;
/** From the end of one look to the next, so that a busy log is read in larger pages. */
const restMs = 20;

/** How far, and how long, the stored mark may lag while no event has a receiver. */
const behindMax = 10_000;
const behindMs = 1_000;

type FanOut = Parameters<WebhookStore['fanOut']>[0];

/** The accounts with new events, and the events. */
export type ChangedListener = (accountIds: ReadonlySet<string>, events: readonly CustomerEvent[]) => void;

export interface Follower {
  /** Only calls listeners with what is new, as another node gives it out; until `start`. */
  watch(): Promise<void>;
  /** Gives out the log from where it was given out last. */
  start(): Promise<void>;
  /** Gives out nothing more, and watches again. */
  rest(): Promise<void>;
  /** Something may have happened, of that type where it is given. Cheap; call it as often as you like. */
  nudge(type?: string | null): void;
  /** Returns the function that ends listening. */
  changed(listener: ChangedListener): () => void;
  stop(): Promise<void>;
}

export interface FollowerParts {
  clock: Clock;
  logger: Logger;
  store: Pick<EventStore, 'eventsAfter' | 'eventPosition'> & Pick<WebhookStore, 'fannedOut' | 'fanOut'>;
  directory(): Directory;
  /**
   * Resolves once the directory has what was stored before the call. Absent when no other node changes records. An
   * endpoint that a node has confirmed gets every later event, whichever node gives them out.
   */
  catchUp?(): Promise<void>;
  /** A carrier reported that the recipient opted out. Called at least once, before the mark moves. */
  onCarrierOptOut(event: CustomerEvent): Promise<void>;
  /**
   * An MMS ended because its recipient cannot take one, and its account wants a text instead. Called at least once,
   * before the mark moves.
   */
  onMmsNotSupported(event: CustomerEvent): Promise<void>;
  /** Deliveries that are now on disk. */
  given(deliveries: { endpointId: string; event: CustomerEvent }[]): void;
  broken(error: unknown): void;
}

export function createFollower(parts: FollowerParts): Follower {
  const { clock, store } = parts;
  const listeners = new Set<ChangedListener>();
  /** How far deliveries are created, and how far that is stored. */
  let mark = 0;
  let stored = { mark: 0, atMs: 0 };
  let notifiedTo = 0;
  /** The event types wanted by these records; the records object is replaced when they change. */
  let ofRecords: { records: Records; types: readonly EventType[] | null } | null = null;
  let busy = false;
  let round = Promise.resolve();
  let again = false;
  let stopped = false;
  let gives = false;
  let paused = false;
  let cancel: () => void = () => {};
  const outage = createOutage<StoreUnavailable>(({ reason }) =>
    parts.logger.warn({ reason }, 'the log of events waits for the store'),
  );

  function nudge(type: string | null = null): void {
    if (type !== null && !isWanted(type)) return;
    again = true;
    if (stopped || busy || paused) return;
    busy = true;
    round = follow().then(outage.over, handle);
  }

  async function follow(): Promise<void> {
    try {
      while (again && !stopped && !paused) {
        again = false;
        while (!stopped && !paused && (await givePage()));
        if (paused) again = true;
        else if (again && !stopped) await new Promise<void>((resolve) => clock.after(restMs, resolve));
      }
    } finally {
      // In the same tick that found nothing left: one promise later, a nudge in between would be lost.
      busy = false;
    }
  }

  /** False at the end of the log. */
  async function givePage(): Promise<boolean> {
    const { version } = parts.directory();
    const page = await store.eventsAfter({ after: mark, limit: pageMax, types: wanted() });
    if (page.position === mark) {
      if (gives && mark > stored.mark && isBehind(mark)) await moveMark(mark, []);
      return false;
    }
    notify(page.events);
    if (!gives) {
      mark = page.position;
      return true;
    }
    await parts.catchUp?.();
    // Its types were chosen by older records: it is read again.
    if (parts.directory().version !== version) return true;
    const { deliveries, to } = givenBy(page, parts.directory());
    const given = page.events.filter(({ position }) => position <= to);
    for (const event of given) if (event.message?.code === 'CARRIER_OPTED_OUT') await parts.onCarrierOptOut(event);
    // Concurrently, so that they share a commit.
    const unsupported = given.filter((event) => wantsFallback(event, parts.directory()));
    await Promise.all(unsupported.map(parts.onMmsNotSupported));
    const rows = deliveries.map(({ endpointId, event: { accountId, position, eventId, type, at } }) => {
      return { endpointId, accountId, position, eventId, type, at };
    });
    if (rows.length === 0 && !isBehind(to)) mark = to;
    else if (await moveMark(to, rows)) parts.given(deliveries);
    return true;
  }

  function isBehind(to: number): boolean {
    return to - stored.mark >= behindMax || clock.monotonicMs() - stored.atMs >= behindMs;
  }

  /** False when another process has moved the mark: it has handled the events since, or they are handled again. */
  async function moveMark(to: number, deliveries: FanOut['deliveries']): Promise<boolean> {
    const moved = await store.fanOut({ from: stored.mark, to, deliveries });
    if (moved) {
      mark = to;
      stored = { mark, atMs: clock.monotonicMs() };
    } else await readMark();
    return moved;
  }

  /** Event types with a receiver; null = all. Others need not be read. */
  function wanted(): readonly EventType[] | null {
    if (listeners.size > 0) return null;
    if (!gives) return [];
    const { records } = parts.directory();
    if (ofRecords?.records !== records) ofRecords = { records, types: typesWanted(records) };
    return ofRecords.types;
  }

  function isWanted(type: string): boolean {
    const types: readonly string[] | null = wanted();
    return types === null || types.includes(type);
  }

  async function readMark(): Promise<void> {
    mark = await store.fannedOut();
    stored = { mark, atMs: clock.monotonicMs() };
  }

  function notify(events: readonly CustomerEvent[]): void {
    const fresh = events.filter(({ position }) => position > notifiedTo);
    if (fresh.length === 0) return;
    notifiedTo = fresh.at(-1)!.position;
    const accountIds = new Set(fresh.map(({ accountId }) => accountId));
    for (const listener of listeners) listener(accountIds, fresh);
  }

  function handle(error: unknown): void {
    if (!(error instanceof StoreUnavailable)) parts.broken(error);
    else outage.failed(error);
  }

  /** With no round under way before `change` has ended. */
  async function between(change: () => Promise<void>): Promise<void> {
    paused = true;
    try {
      await round;
      await change();
    } finally {
      paused = false;
    }
    tick();
    nudge();
  }

  function tick(): void {
    cancel();
    cancel = clock.after(lookEveryMs, () => {
      tick();
      nudge();
    });
  }

  return {
    // A round of watching has its place in the log further than what is given out.
    start: () =>
      between(async () => {
        await readMark();
        gives = true;
      }),
    rest: () =>
      between(async () => {
        gives = false;
      }),
    watch: async () => {
      mark = (await store.eventPosition({ accountId: '', eventId: 'latest' })) ?? 0;
      tick();
    },
    nudge,
    changed: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    stop: async () => {
      stopped = true;
      cancel();
      await round;
    },
  };
}

/** Event types that an endpoint or account of these records waits for; null = all. */
function typesWanted({ endpoints, accounts }: Records): readonly EventType[] | null {
  const types = new Set<EventType>();
  for (const endpoint of endpoints) {
    if (endpoint.deletedAt !== null) continue;
    if (endpoint.types === null) return null;
    for (const type of endpoint.types) types.add(type);
  }
  if (accounts.some(({ mmsFallback }) => mmsFallback === 'links')) for (const type of fallbackTypes) types.add(type);
  // A test event goes to its endpoint, whatever types that wants.
  return [...types.add('webhook.test')];
}

/** As much of the page as fits into one commit, at least one event. */
function givenBy(page: { events: CustomerEvent[]; position: number }, directory: Directory) {
  const deliveries: { endpointId: string; event: CustomerEvent }[] = [];
  let to = page.position;
  for (const event of page.events) {
    const endpoints = route(event, directory);
    if (deliveries.length > 0 && deliveries.length + endpoints.length > givenMax) break;
    for (const { endpointId } of endpoints) deliveries.push({ endpointId, event });
    to = event.position;
  }
  return { deliveries, to: to === page.events.at(-1)?.position ? page.position : to };
}
