/** An outbox in memory with the semantics of the store's, for the tests of this folder. */
import { t0 } from '../../../../../../test/props/clock.ts';
import type { Store } from '../../../app/store.ts';
import type { AttemptOutcome, EndpointHealth, NewEvent } from '../../../messaging/store/items.ts';
import type { EventStore } from '../../../messaging/store/modules/events.ts';
import type { NewAuditEntry } from '../../../model/people-audit.ts';
import type { Endpoint, Records } from '../../../model/records.ts';
import type { CustomerEvent, EventMessage, WebhookDelivery } from '../../../model/webhook-event.ts';
import { records } from '../../../model/world-fixture.ts';
import type { NotifyStore } from './notifier.ts';

export function message(n: number, more: Partial<EventMessage> = {}): EventMessage {
  const text: EventMessage = {
    messageId: `msg_${n}`,
    requestId: 'req_1',
    referenceId: `order ${n}`,
    direction: 'outbound',
    from: '12025550199',
    to: '12025550100',
    text: 'Hi',
    mediaUrls: [],
    messageType: 'SMS',
    encoding: 'GSM-7',
    segments: 1,
    state: 'delivered',
    code: 'DELIVERED',
    carrier: 'a',
    carrierCode: '000',
    dupRisk: false,
    sequence: 5,
    inReplyTo: null,
  };
  return { ...text, ...more } as EventMessage;
}

export function delivered(position: number, more: Partial<CustomerEvent> = {}): CustomerEvent {
  return {
    position,
    eventId: `evt_${position}_5`,
    accountId: 'acc1',
    type: 'message.delivered',
    at: t0,
    message: message(position),
    data: null,
    ...more,
  };
}

type Row = WebhookDelivery & { event: CustomerEvent };

type OutboxMethods = NotifyStore &
  Pick<Store, 'records' | 'putRecords' | 'editRecords'> &
  Pick<EventStore, 'addEvents'>;

export interface Outbox extends OutboxMethods {
  readonly events: CustomerEvent[];
  readonly rows: Map<string, Row>;
  readonly outcomes: AttemptOutcome[];
  readonly health: Map<string, EndpointHealth>;
  /** Whether this node may send. */
  leased: boolean;
  /** Rows of the audit log. */
  readonly noted: NewAuditEntry[];
  /** Sizes of the batches passed to `recordAttempts`. */
  readonly batches: number[];
  /** Rows that `dueWebhooks` has returned. */
  loaded: number;
  /** Positions that `eventsAfter` has returned. */
  read: number[];
  mark: number;
  /** If set, the methods of these names fail with it. */
  fails: Partial<Record<keyof OutboxMethods, Error>>;
  current: Records;
  row(endpointId: string, position: number): Row;
  log(count: number, more?: Partial<CustomerEvent>): void;
}

const keyOf = (endpointId: string, position: number): string => `${endpointId} ${position}`;

export function outbox(endpoints: Endpoint[], more: Partial<Records> = {}): Outbox {
  const store: Outbox = {
    events: [],
    rows: new Map(),
    outcomes: [],
    health: new Map(),
    noted: [],
    batches: [],
    loaded: 0,
    read: [],
    mark: 0,
    leased: true,
    fails: {},
    current: records({ endpoints, ...more }),
    row: (endpointId, position) => store.rows.get(keyOf(endpointId, position))!,
    log: (count, more = {}) => {
      for (let i = 0; i < count; i++) store.events.push(delivered(store.events.length + 1, more));
    },
    eventsAfter: async ({ after, limit, types = null }) => {
      await called('eventsAfter');
      const page = store.events.filter(({ position }) => position > after).slice(0, limit);
      const wanted = ({ type, message }: CustomerEvent) =>
        types === null || types.includes(type) || message?.code === 'CARRIER_OPTED_OUT';
      const events = page.filter(wanted);
      store.read.push(...events.map(({ position }) => position));
      return { events, position: page.at(-1)?.position ?? after };
    },
    eventPosition: async () => store.events.at(-1)?.position ?? 0,
    mayHandOver: () => store.leased,
    fannedOut: async () => {
      await called('fannedOut');
      return store.mark;
    },
    fanOut: async ({ from, to, deliveries }) => {
      await called('fanOut');
      if (from !== store.mark) return false;
      store.mark = to;
      for (const given of deliveries) add(given.endpointId, given.position);
      return true;
    },
    dueWebhooks: async ({ endpointId, now, limit }) => {
      await called('dueWebhooks');
      const due = [...store.rows.values()]
        .filter((row) => row.endpointId === endpointId && row.state === 'waiting' && row.dueAt <= now)
        .sort((a, b) => a.dueAt - b.dueAt || a.position - b.position)
        .slice(0, limit);
      store.loaded += due.length;
      return due.map(({ event, ...delivery }) => ({ delivery, event }));
    },
    webhookQueues: async () => {
      const waiting = [...store.rows.values()].filter(({ state }) => state === 'waiting');
      return [...Map.groupBy(waiting, (row) => row.endpointId)].map(([endpointId, rows]) => ({
        endpointId,
        waiting: rows.length,
        dueAt: Math.min(...rows.map((row) => row.dueAt)),
      }));
    },
    recordAttempts: async ({ outcomes, health }) => {
      await called('recordAttempts');
      store.batches.push(outcomes.length);
      store.outcomes.push(...outcomes);
      for (const one of health) store.health.set(one.endpointId, one);
      for (const { endpointId, position, tries, to, dueAt, attempt } of outcomes) {
        const row = store.row(endpointId, position);
        if (row === undefined) continue;
        row.attempts++;
        row.lastStatus = attempt.status;
        if (row.state === 'waiting' && (row.tries >= tries || to === 'delivered')) {
          Object.assign(row, { state: to, dueAt, tries: tries + 1 });
        }
      }
    },
    endpointHealth: async () => [...store.health.values()],
    webhookDeliveries: async ({ endpointIds, state, before, limit }) => {
      await called('webhookDeliveries');
      return [...store.rows.values()]
        .filter((row) => endpointIds.includes(row.endpointId) && (state === null || row.state === state))
        .filter(({ position }) => before === null || position < before)
        .sort((a, b) => b.position - a.position)
        .slice(0, limit);
    },
    webhookDelivery: async ({ endpointId, position }) => {
      await called('webhookDelivery');
      const row = store.rows.get(keyOf(endpointId, position));
      return row === undefined ? null : { delivery: row, event: row.event, attempts: [] };
    },
    replayWebhooks: async ({ endpointId, which, now }) => {
      await called('replayWebhooks');
      if (!('position' in which)) throw new Error('not needed here');
      Object.assign(store.row(endpointId, which.position), { state: 'waiting', tries: 0, dueAt: now });
      return { replayed: 1, position: which.position };
    },
    addEvents: async (events: NewEvent[]) => {
      await called('addEvents');
      for (const event of events) store.events.push({ ...event, position: store.events.length + 1, message: null });
    },
    records: async () => store.current,
    putRecords: async ({ endpoints: changed }) => {
      await called('putRecords');
      const byId = new Map([...store.current.endpoints, ...changed].map((one) => [one.endpointId, one]));
      store.current = { ...store.current, version: store.current.version + 1, endpoints: [...byId.values()] };
      return store.current.version;
    },
    editRecords: async ({ version, put: { endpoints = [] }, audit }) => {
      await called('editRecords');
      if (version !== store.current.version) return null;
      store.noted.push(...audit);
      return store.putRecords({ ...store.current, endpoints });
    },
  };

  async function called(name: keyof OutboxMethods): Promise<void> {
    await Promise.resolve();
    const error = store.fails[name];
    if (error !== undefined) throw error;
  }

  function add(endpointId: string, position: number): void {
    const event = store.events[position - 1]!;
    store.rows.set(keyOf(endpointId, position), {
      deliveryId: `dlv_${position}_${endpointId}`,
      endpointId,
      accountId: event.accountId,
      position,
      eventId: event.eventId,
      type: event.type,
      state: 'waiting',
      attempts: 0,
      tries: 0,
      dueAt: event.at,
      createdAt: event.at,
      updatedAt: event.at,
      lastStatus: null,
      event,
    });
  }

  return store;
}
