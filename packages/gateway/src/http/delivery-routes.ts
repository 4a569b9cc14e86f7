/**
 * `/api/v1/deliveries`: what was sent to the caller's webhook endpoints, each attempt of it, and sending one again. Only
 * endpoints of the caller's account and environment that are not deleted; never a secret and never a request header.
 */

import type { Clock } from '../domain/clock.ts';
import { counted } from '../domain/counted.ts';
import type { Ids } from '../domain/ids.ts';
import { shownEvent } from '../domain/shown-event.ts';
import { deliveryId, readDeliveryId, resendData, resendOf, type WebhookAttempt } from '../domain/webhook-event.ts';
import type { EndpointDesk } from '../flow/endpoints.ts';
import { contentOf } from '../flow/notify/content.ts';
import type { EventStore } from '../store/store.ts';
import { type DeliveryPlace, deliveryPage, readDeliveryQuery, shownDelivery } from './delivery-list.ts';
import { noFieldsSchema } from './endpoint-schemas.ts';
import { isoTime } from './envelope.ts';
import { type Answer, rejection, success } from './exchange.ts';
import { type Call, type JsonCall, param } from './guard.ts';
import { createBodyReader } from './json-body.ts';
import { ownerOf } from './owner.ts';
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

const readNothing = createBodyReader<object>(noFieldsSchema);

export function deliveryRoutes(parts: DeliveryRouteParts): RouteModule {
  const { desk, store, clock, replayed } = parts;
  async function list(call: Call): Promise<Answer> {
    const query = readDeliveryQuery(call.exchange.query);
    if (typeof query === 'string') return rejection('INVALID_FIELD', query);
    const { endpoint } = query;
    const owner = ownerOf(call);
    if (endpoint !== null && desk.get(owner, endpoint) === null) return noEndpoint;
    const endpointIds = endpoint === null ? desk.list(owner).map((one) => one.endpointId) : [endpoint];
    const { page, before } = await deliveryPage(store, { accountId: owner.accountId, endpointIds }, query);
    const next = before === null ? null : deliveryId(before.endpointId, before.position);
    return success(
      `${counted(page.length, 'delivery', 'deliveries')}, newest event first.`,
      page.map(shownDelivery),
      next,
    );
  }

  /** Where a delivery of the caller is; null when its endpoint is not there. */
  function placeOf(call: Call): DeliveryPlace | null {
    const place = readDeliveryId(param(call, 'deliveryId'));
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

function shownAttempt({ at, ...attempt }: WebhookAttempt): object {
  return { ...attempt, at: isoTime(at) };
}
