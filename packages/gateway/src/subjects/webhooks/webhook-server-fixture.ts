/**
 * Shared by the tests of endpoints, deliveries, events and opt-outs: the server with all these routes, two accounts
 * with key pairs of each kind, and a store in memory with only what they need. No test opens another port.
 */

import { type MovedClock, movedClock, t0 } from '../../../../../test/props/clock.ts';
import type { Store } from '../../app/store.ts';
import { buildDirectory } from '../../carriers/directory.ts';
import { type Answered, openTestServer, type Speak, speak, type TestServer } from '../../http/server-fixture.ts';
import { createIds } from '../../kernel/ids.ts';
import { machineRandom } from '../../kernel/machine.ts';
import { Secret } from '../../kernel/secret.ts';
import type { NewEvent } from '../../messaging/store/items.ts';
import type { EventStore } from '../../messaging/store/modules/events.ts';
import type { CredentialPair } from '../../model/credential.ts';
import type { Directory } from '../../model/directory.ts';
import type { Endpoint, Records } from '../../model/records.ts';
import {
  type CustomerEvent,
  deliveryId,
  type WebhookAttempt,
  type WebhookDelivery,
} from '../../model/webhook-event.ts';
import {
  accounts,
  campaign,
  endpoint,
  inLive,
  inSandbox,
  keyOf,
  newPair,
  number,
  ofOther,
  recordsWith,
} from '../../model/world-fixture.ts';
import { deliveryRoutes } from './delivery-routes.ts';
import { endpointRoutes } from './endpoint-routes.ts';
import { createEndpointService, type EndpointService } from './endpoints.ts';
import { createEventFeed, type EventFeed } from './event-feed.ts';
import { eventRoutes } from './event-routes.ts';
import { createExampleEvents } from './example-events.ts';
import type { WebhookStore } from './store/module.ts';
import { isUsableWebhookHeader } from './webhook-poster.ts';

type PairName = 'own' | 'live' | 'other' | 'reader' | 'sender' | 'admin';

const pairs: Record<PairName, CredentialPair> = {
  own: newPair(),
  live: newPair('live'),
  other: newPair(),
  reader: newPair(),
  sender: newPair(),
  admin: newPair(),
};

function firstRecords(): Records {
  return recordsWith({
    accounts,
    numbers: [
      number('12025550199', { ...inSandbox, campaignId: 'C-ONE' }),
      number('12025550150', { ...inLive, campaignId: 'C-LIVE' }),
      number('12025550160', { ...ofOther, campaignId: 'C-TWO' }),
    ],
    campaigns: [campaign('C-ONE', inSandbox), campaign('C-LIVE', inLive), campaign('C-TWO', ofOther)],
    apiKeys: [
      keyOf(pairs.own),
      keyOf(pairs.live, inLive),
      keyOf(pairs.other, ofOther),
      keyOf(pairs.reader, { scopes: ['read'] }),
      keyOf(pairs.sender, { scopes: ['send'] }),
      keyOf(pairs.admin, { scopes: ['admin'] }),
    ],
  });
}

/** A store in memory. Reverses the order of deliveries of one event, since the interface promises none. */
export interface ScriptedStore
  extends Pick<EventStore, 'addEvents' | 'accountEvents' | 'eventPosition'>,
    Pick<WebhookStore, 'webhookDeliveries' | 'webhookDelivery' | 'replayWebhooks'>,
    Pick<Store, 'putRecords' | 'editRecords'> {
  records: Records;
  events: CustomerEvent[];
  deliveries: WebhookDelivery[];
  attempts: WebhookAttempt[];
  replays: Parameters<WebhookStore['replayWebhooks']>[0][];
  /** If set: the counts that a replay returns, call by call. */
  replayCounts: number[];
  /** If set, everything fails with it. */
  broken: Error | null;
}

function webhookStore(): ScriptedStore {
  const store: ScriptedStore = {
    records: firstRecords(),
    events: [],
    deliveries: [],
    attempts: [],
    replays: [],
    replayCounts: [],
    broken: null,
    putRecords: async ({ endpoints }) => {
      // A write takes a moment, so that concurrent edits would show.
      await new Promise<void>((resolve) => setImmediate(resolve));
      failing();
      const byId = new Map([...store.records.endpoints, ...endpoints].map((one) => [one.endpointId, one]));
      store.records = { ...store.records, version: store.records.version + 1, endpoints: [...byId.values()] };
      return store.records.version;
    },
    editRecords: async ({ version, put: { endpoints = [] } }) =>
      version === store.records.version ? store.putRecords({ ...store.records, endpoints }) : null,
    addEvents: async (events) => {
      failing();
      for (const event of events) log(store, event);
    },
    accountEvents: async ({ accountId, after, types, limit }) => {
      failing();
      const events = store.events
        .filter((event) => event.position > after && event.accountId === accountId)
        .filter((event) => types === null || types.includes(event.type));
      const page = events.slice(0, limit);
      const last = store.events.at(-1)?.position ?? after;
      const position = events.length > limit ? page.at(-1)!.position : Math.max(after, last);
      return { events: page, position, more: events.length > limit };
    },
    eventPosition: async ({ accountId, eventId }) => {
      failing();
      if (eventId === 'latest') return store.events.at(-1)?.position ?? 0;
      return store.events.find((one) => one.eventId === eventId && one.accountId === accountId)?.position ?? null;
    },
    webhookDeliveries: async ({ accountId, endpointIds, state, before, limit }) => {
      failing();
      return store.deliveries
        .filter((row) => row.accountId === accountId && endpointIds.includes(row.endpointId))
        .filter((row) => (state === null || row.state === state) && (before === null || row.position < before))
        .sort((a, b) => b.position - a.position || (a.endpointId < b.endpointId ? 1 : -1))
        .slice(0, limit);
    },
    webhookDelivery: async ({ accountId, endpointId, position }) => {
      failing();
      const delivery = store.deliveries.find((row) => row.endpointId === endpointId && row.position === position);
      const event = store.events.find((one) => one.position === position);
      if (delivery?.accountId !== accountId || event === undefined) return null;
      return { delivery, event, attempts: store.attempts };
    },
    replayWebhooks: async (request) => {
      failing();
      store.replays.push(request);
      const { which, endpointId } = request;
      if (!('position' in which)) return { replayed: store.replayCounts.shift() ?? 0, position: which.after + 10 };
      const found = store.deliveries.some((row) => row.endpointId === endpointId && row.position === which.position);
      return { replayed: found ? 1 : 0, position: which.position };
    },
  };
  function failing(): void {
    if (store.broken !== null) throw store.broken;
  }
  return store;
}

function log(store: ScriptedStore, { eventId, accountId, type, at, data }: NewEvent): CustomerEvent {
  const position = (store.events.at(-1)?.position ?? 0) + 1;
  const event: CustomerEvent = { position, eventId, accountId, type, at, message: null, data };
  store.events.push(event);
  return event;
}

export interface WebhookTestServer {
  testServer: TestServer;
  store: ScriptedStore;
  directory(): Directory;
  service: EndpointService;
  feed: EventFeed;
  clock: MovedClock;
  /** The verdict of `checkUrl` on the next URLs. */
  url: { verdict: { ok: true } | { ok: false; why: string } };
  nudged: { count: number };
  replayed: string[];
  /** Resets everything except the port. */
  reset(): void;
  /** Every key pair is revoked. */
  revoke(): void;
  /** Replaces the stored endpoints. */
  useEndpoints(...endpoints: Endpoint[]): void;
  /** Reports that the log has grown for these accounts. */
  grown(accountIds?: string[]): void;
  /** Number of listeners for that. */
  listening(): number;
  /** Adds an event of an account, about one of its numbers. */
  happened(number: string, more?: Partial<NewEvent>): CustomerEvent;
  delivered(endpointId: string, event: CustomerEvent, more?: Partial<WebhookDelivery>): WebhookDelivery;
  credentials(as: PairName): { bearer: string; apikey: string };
  call(method: string, path: string, body?: unknown, as?: PairName | null, how?: Speak): Promise<Answered>;
}

export async function openWebhookServer(): Promise<WebhookTestServer> {
  const clock = movedClock();
  const ids = createIds(clock, machineRandom);
  const listeners = new Set<(accountIds: ReadonlySet<string>) => void>();
  const store = webhookStore();
  let directory = buildDirectory(store.records);
  const nudged = { count: 0 };
  const replayed: string[] = [];
  const url: WebhookTestServer['url'] = { verdict: { ok: true } };
  let secrets = 0;
  const service = createEndpointService({
    store,
    clock,
    ids,
    directory: () => directory,
    refreshDirectory: async () => {
      await Promise.resolve();
      directory = buildDirectory(store.records);
    },
    sealer: { seal: (text) => `sealed(${Buffer.from(text).toString('base64url')})` },
    createSecret: () => new Secret(`whsec_${Buffer.alloc(32, ++secrets).toString('base64')}`),
    checkUrl: async () => url.verdict,
    liveNeedsHttps: () => true,
    isUsableHeader: isUsableWebhookHeader,
  });
  const changed = (listener: (accountIds: ReadonlySet<string>) => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const feed = createEventFeed({ store, clock, directory: () => directory, changed });
  const nudge = (): void => {
    nudged.count++;
  };
  const examples = createExampleEvents({
    store,
    clock,
    ids,
    nudge,
    directory: () => directory,
  });
  const again = (endpointId: string): void => {
    replayed.push(endpointId);
  };
  const testServer = await openTestServer({
    directory: () => directory,
    routes: [
      endpointRoutes({ service, store, clock, ids, nudge, replayed: again }),
      deliveryRoutes({ service, store, clock, ids, nudge, replayed: again }),
      eventRoutes({ feed, examples }),
    ],
  });
  return {
    testServer,
    store,
    service,
    feed,
    clock,
    url,
    nudged,
    replayed,
    directory: () => directory,
    useEndpoints: (...endpoints) => {
      store.records = { ...store.records, endpoints };
      directory = buildDirectory(store.records);
    },
    revoke: () => {
      const apiKeys = store.records.apiKeys.map((key) => ({ ...key, revokedAt: 1 }));
      store.records = { ...store.records, apiKeys };
      directory = buildDirectory(store.records);
    },
    reset: () => {
      Object.assign(store, {
        ...webhookStoreState(),
        records: { ...firstRecords(), version: store.records.version + 1 },
      });
      directory = buildDirectory(store.records);
      nudged.count = 0;
      replayed.length = 0;
      url.verdict = { ok: true };
    },
    grown: (accountIds = ['acc_one', 'acc_two']) => {
      for (const listener of [...listeners]) listener(new Set(accountIds));
    },
    listening: () => listeners.size,
    happened: (digits, more = {}) => {
      const accountId = directory.number(digits)!.accountId;
      const data = { contact: '12025550100', number: digits };
      return log(store, { eventId: ids.next('evt_'), accountId, type: 'contact.opted_out', at: t0, data, ...more });
    },
    delivered: (endpointId, { position, eventId, type, accountId }, more = {}) => {
      const row: WebhookDelivery = {
        deliveryId: deliveryId(endpointId, position),
        endpointId,
        accountId,
        position,
        eventId,
        type,
        state: 'delivered',
        attempts: 1,
        tries: 1,
        dueAt: t0,
        createdAt: t0,
        updatedAt: t0,
        lastStatus: 200,
        ...more,
      };
      store.deliveries.push(row);
      return row;
    },
    credentials: (as) => credentialsOf(pairs[as]),
    call: (method, path, body, as = 'own', how = {}) => {
      const pair = as === null ? { bearer: null, apikey: null } : credentialsOf(pairs[as]);
      // A POST without a body sends no bytes; by default `speak` would send a text message.
      return speak(testServer, {
        method,
        path: `/api/v1${path}`,
        body: body ?? (method === 'POST' ? Buffer.alloc(0) : body),
        ...pair,
        ...how,
      });
    },
  };
}

function webhookStoreState(): Partial<ScriptedStore> {
  return { events: [], deliveries: [], attempts: [], replays: [], replayCounts: [], broken: null };
}

function credentialsOf({ bearerToken, authToken }: CredentialPair) {
  return { bearer: bearerToken, apikey: authToken };
}

/** An endpoint of `account`. */
export const endpointOf = (endpointId: string, more: Partial<Endpoint> = {}): Endpoint =>
  endpoint(endpointId, {
    ...inSandbox,
    url: 'https://shop.example/hooks',
    secrets: [{ secret: 'sealed(old)', expiresAt: null }],
    ...more,
  });
