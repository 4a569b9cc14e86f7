/**
 * `/api/v1/deliveries`: what was sent to the caller's webhook endpoints, each attempt of it, and sending one again. Only
 * endpoints of the caller's account and environment that are not deleted; never a secret and never a request header.
 */
import type { Clock, EpochMs } from '../domain/clock.ts';
import { eventTypes } from '../domain/event-type.ts';
import type { Ids } from '../domain/ids.ts';
import { shownEvent } from '../domain/shown-event.ts';
import {
  deliveryId,
  readDeliveryId,
  resendData,
  resendOf,
  type WebhookAttempt,
  type WebhookDelivery,
  type WebhookState,
} from '../domain/webhook-event.ts';
import type { EndpointDesk } from '../flow/endpoints.ts';
import { contentOf } from '../flow/notify/content.ts';
import type { EventStore } from '../store/store.ts';
import { readTime } from './endpoint-routes.ts';
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
  store: Pick<EventStore, 'webhookDeliveries' | 'webhookDelivery' | 'replayWebhooks' | 'addEvents'>;
  clock: Pick<Clock, 'now'>;
  ids: Pick<Ids, 'next'>;
  /** New events are in the log. */
  nudge(): void;
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
  type: string | null;
  since: EpochMs | null;
  before: Place | null;
  limit: number;
}

type Asked = Pick<Parameters<EventStore['webhookDeliveries']>[0], 'accountId' | 'endpointIds' | 'state'>;

/** Pages of the store read for one page of a filtered list: with a rare type it may be short and have a next. */
const looksPerPage = 20;
/** Events stand in the log in about the order in which they happened. */
const disorderMs = 300_000;

const readNothing = createBodyReader<object>(noFieldsSchema);

export function deliveryRoutes(parts: DeliveryRouteParts): RouteModule {
  const { desk, store, clock, replayed } = parts;
  async function list(call: Call): Promise<Answer> {
    const query = listQuery(call.exchange.query);
    if (typeof query === 'string') return rejection('INVALID_FIELD', query);
    const { endpoint, state, since, before, limit } = query;
    const owner = ownerOf(call);
    if (endpoint !== null && desk.get(owner, endpoint) === null) return noEndpoint;
    const endpointIds = endpoint === null ? desk.list(owner).map((one) => one.endpointId) : [endpoint];
    const asked = { accountId: owner.accountId, endpointIds, state };
    const page: WebhookDelivery[] = [];
    let place = before;
    let more = endpointIds.length > 0;
    for (let looks = 0; more && page.length < limit && looks < looksPerPage; looks++) {
      const found = await look(asked, place, limit);
      more = found.more;
      for (const [index, row] of found.rows.entries()) {
        place = row;
        if (isWanted(row, query)) page.push(row);
        if (page.length < limit) continue;
        more ||= index < found.rows.length - 1;
        break;
      }
      if (since !== null && place !== null && isLongBefore(found.rows.at(-1), since)) more = false;
    }
    const next = more && place !== null ? deliveryId(place.endpointId, place.position) : null;
    return success(`${page.length} deliveries, newest event first.`, page.map(shownDelivery), next);
  }

  /**
   * The store pages by event; one event may have gone to each of the endpoints. Those of the last page's last event are
   * read again and left out, and a whole event more than the page holds is read, so that it ends in a known order.
   */
  async function look(asked: Asked, before: Place | null, limit: number) {
    const rows = await store.webhookDeliveries({
      ...asked,
      before: before === null ? null : before.position + 1,
      limit: limit + 2 * asked.endpointIds.length,
    });
    const left = rows.filter((row) => before === null || comesAfter(row, before)).sort(inOrder);
    return { rows: left.slice(0, limit), more: left.length > limit };
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
    const again = resendOf(event);
    const content = await contentOf(event, store);
    if (content === 'later') return rejection('TEMPORARILY_UNAVAILABLE', 'The store does not answer now. Try again.');
    return success('The delivery, its event and its attempts.', {
      ...shownDelivery(delivery),
      ...(again !== null && { againOf: deliveryId(again.endpointId, again.position) }),
      event: content === null ? { ...shownEvent(event), data: {} } : shownEvent(content),
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

  /** The same content to the same endpoint, as an event that no program has seen. */
  async function sendAsNew(call: JsonCall): Promise<Answer> {
    const body = readNothing(call.body);
    if (!body.ok) return body.answer;
    const place = placeOf(call);
    const { accountId } = ownerOf(call);
    const found = place === null ? null : await store.webhookDelivery({ accountId, ...place });
    if (place === null || found === null) return noDelivery;
    // Of one that is a repetition itself, the first one's content counts.
    const data = resendData(resendOf(found.event) ?? place);
    const eventId = parts.ids.next('evt_');
    await store.addEvents([{ eventId, accountId, type: found.event.type, at: clock.now(), data }]);
    parts.nudge();
    return success('It is sent as a new event: a program that handled the old one will handle it again.', {
      id: eventId,
      type: found.event.type,
    });
  }

  const path = '/api/v1/deliveries';
  return (_app, { guarded }) => {
    guarded.get(path, 'read', list);
    guarded.get(`${path}/:deliveryId`, 'read', detail);
    guarded.act(`${path}/:deliveryId/replay`, 'send', replay);
    guarded.act(`${path}/:deliveryId/send-as-new`, 'send', sendAsNew);
  };
}

const noEndpoint = rejection('NOT_FOUND', 'Your account has no endpoint with this id. Check the id and the key pair.');
const noDelivery = rejection('NOT_FOUND', 'Your account has no delivery with this id. Check the id and the key pair.');

function listQuery(query: Query): ListQuery | string {
  const values = valuesOnce(query, ['endpoint', 'state', 'type', 'since', 'before', 'limit']);
  if (typeof values === 'string') return values;
  const { endpoint, state, type } = values;
  if (state !== null && state !== 'waiting' && state !== 'delivered' && state !== 'failed') {
    return 'The query parameter state may be waiting, delivered or failed.';
  }
  if (type !== null && !eventTypes.some((known) => known === type)) {
    return 'The query parameter type must be a type of event, such as message.received.';
  }
  const since = values.since === null ? null : readTime(values.since);
  if (values.since !== null && since === null) {
    return 'The query parameter since must be a time with its zone, such as 2026-01-31T12:00:00Z.';
  }
  const before = values.before === null ? null : readDeliveryId(values.before);
  if (values.before !== null && before === null) {
    return 'The query parameter before must be a delivery id, such as the next of the page before.';
  }
  const limit = pageLimit(values.limit);
  return typeof limit === 'string' ? limit : { endpoint, state, type, since, before, limit };
}

function isWanted({ type, createdAt }: WebhookDelivery, asked: ListQuery): boolean {
  return (asked.type === null || type === asked.type) && (asked.since === null || createdAt >= asked.since);
}

function isLongBefore(row: WebhookDelivery | undefined, since: EpochMs): boolean {
  return row !== undefined && row.createdAt < since - disorderMs;
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
