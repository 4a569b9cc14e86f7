/**
 * `/api/v1/deliveries`: what was sent to the caller's webhook endpoints, each attempt of it, and sending one again. Only
 * endpoints of the caller's account and environment that are not deleted; never a secret and never a request header.
 */
import type { Clock } from '../domain/clock.ts';
import { shownEvent } from '../domain/shown-event.ts';
import {
  deliveryId,
  readDeliveryId,
  type WebhookAttempt,
  type WebhookDelivery,
  type WebhookState,
} from '../domain/webhook-event.ts';
import type { EndpointDesk } from '../flow/endpoints.ts';
import type { EventStore } from '../store/store.ts';
import { noFieldsSchema } from './endpoint-schemas.ts';
import { isoTime } from './envelope.ts';
import { type Answer, rejection, success } from './exchange.ts';
import type { Call, JsonCall } from './guard.ts';
import { createBodyReader } from './json-body.ts';
import { pageLimit, valuesOnce } from './list-query.ts';
import { ownerOf } from './owner.ts';
import type { Query } from './query.ts';
import type { RouteModule } from './server.ts';

export interface DeliveryRouteParts {
  desk: Pick<EndpointDesk, 'list' | 'get'>;
  store: Pick<EventStore, 'webhookDeliveries' | 'webhookDelivery' | 'replayWebhooks'>;
  clock: Pick<Clock, 'now'>;
  /** Deliveries of an endpoint wait anew. */
  replayed(endpointId: string): void;
}

interface Place {
  endpointId: string;
  position: number;
}

interface ListQuery {
  endpoint: string | null;
  state: WebhookState | null;
  before: Place | null;
  limit: number;
}

const readNothing = createBodyReader<object>(noFieldsSchema);

export function deliveryRoutes({ desk, store, clock, replayed }: DeliveryRouteParts): RouteModule {
  async function list(call: Call): Promise<Answer> {
    const query = listQuery(call.exchange.query);
    if (typeof query === 'string') return rejection('INVALID_FIELD', query);
    const { endpoint, state, before, limit } = query;
    const owner = ownerOf(call);
    if (endpoint !== null && desk.get(owner, endpoint) === null) return noEndpoint;
    const endpointIds = endpoint === null ? desk.list(owner).map((one) => one.endpointId) : [endpoint];
    if (endpointIds.length === 0) return success('0 deliveries, newest event first.', [], null);
    // The store pages by event; one event may have gone to each of the endpoints. Those of the last page's last event are
    // read again and left out, and a whole event more than the page holds is read, so that it ends in a known order.
    const rows = await store.webhookDeliveries({
      accountId: owner.accountId,
      endpointIds,
      state,
      before: before === null ? null : before.position + 1,
      limit: limit + 2 * endpointIds.length,
    });
    const left = rows.filter((row) => before === null || comesAfter(row, before)).sort(inOrder);
    const page = left.slice(0, limit);
    const next = left.length > limit ? page[page.length - 1].deliveryId : null;
    return success(`${page.length} deliveries, newest event first.`, page.map(shownDelivery), next);
  }

  /** Where a delivery of the caller is; null when its endpoint is not there. */
  function placeOf(call: Call): Place | null {
    const place = readDeliveryId(call.params.deliveryId);
    return place !== null && desk.get(ownerOf(call), place.endpointId) !== null ? place : null;
  }

  async function detail(call: Call): Promise<Answer> {
    const place = placeOf(call);
    const { accountId } = ownerOf(call);
    const found = place === null ? null : await store.webhookDelivery({ accountId, ...place });
    if (found === null) return noDelivery;
    const { delivery, event, attempts } = found;
    return success('The delivery, its event and its attempts.', {
      ...shownDelivery(delivery),
      event: shownEvent(event),
      attempts: attempts.map(shownAttempt),
    });
  }

  async function replay(call: JsonCall): Promise<Answer> {
    const body = readNothing(call.body);
    if (!body.ok) return body.answer;
    const place = placeOf(call);
    if (place === null) return noDelivery;
    const { accountId } = ownerOf(call);
    const { endpointId, position } = place;
    const answer = await store.replayWebhooks({ accountId, endpointId, which: { position }, now: clock.now() });
    if (answer.replayed === 0) return noDelivery;
    replayed(endpointId);
    return success('The delivery is sent again, with the same webhook-id.', {
      deliveryId: deliveryId(endpointId, position),
    });
  }

  const path = '/api/v1/deliveries';
  return (_app, { guarded }) => {
    guarded.get(path, 'read', list);
    guarded.get(`${path}/:deliveryId`, 'read', detail);
    guarded.act(`${path}/:deliveryId/replay`, 'send', replay);
  };
}

const noEndpoint = rejection('NOT_FOUND', 'Your account has no endpoint with this id. Check the id and the key pair.');
const noDelivery = rejection('NOT_FOUND', 'Your account has no delivery with this id. Check the id and the key pair.');

function listQuery(query: Query): ListQuery | string {
  const values = valuesOnce(query, ['endpoint', 'state', 'before', 'limit']);
  if (typeof values === 'string') return values;
  const { endpoint, state } = values;
  if (state !== null && state !== 'waiting' && state !== 'delivered' && state !== 'failed') {
    return 'The query parameter state may be waiting, delivered or failed.';
  }
  const before = values.before === null ? null : readDeliveryId(values.before);
  if (values.before !== null && before === null) {
    return 'The query parameter before must be a delivery id, such as the next of the page before.';
  }
  const limit = pageLimit(values.limit);
  return typeof limit === 'string' ? limit : { endpoint, state, before, limit };
}

/** Newest event first; its deliveries by endpoint. */
function inOrder(a: Place, b: Place): number {
  return b.position - a.position || (a.endpointId < b.endpointId ? -1 : 1);
}

function comesAfter(row: Place, before: Place): boolean {
  return row.position < before.position || (row.position === before.position && row.endpointId > before.endpointId);
}

function shownDelivery(delivery: WebhookDelivery): object {
  const { endpointId, position, eventId, type, state, attempts, lastStatus, dueAt, createdAt, updatedAt } = delivery;
  return {
    deliveryId: deliveryId(endpointId, position),
    endpointId,
    eventId,
    type,
    state,
    attemptCount: attempts,
    lastStatus,
    nextAttemptAt: state === 'waiting' ? isoTime(dueAt) : null,
    createdAt: isoTime(createdAt),
    updatedAt: isoTime(updatedAt),
  };
}

function shownAttempt({ attempt, at, durationMs, status, error, answer }: WebhookAttempt): object {
  return { attempt, at: isoTime(at), durationMs, status, error, answer };
}
