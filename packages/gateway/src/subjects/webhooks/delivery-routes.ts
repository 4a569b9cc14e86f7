/**
 * `/api/v1/deliveries`: webhook deliveries with their attempts, and resending one. Limited to existing endpoints of
 * the caller's account and environment; contains no secrets and no request headers.
 */
import { isoTime } from '../../http/envelope.ts';
import { rejection, success } from '../../http/exchange.ts';
import { type Call, type GuardedRoutes, param } from '../../http/guard.ts';
import { ownerOf } from '../../http/owner.ts';
import { answers, answersPage, noFields } from '../../http/route.ts';
import type { RouteModule } from '../../http/server.ts';
import { list, object, plain } from '../../http/shape.ts';
import type { Clock } from '../../kernel/clock.ts';
import { counted } from '../../kernel/counted.ts';
import type { Ids } from '../../kernel/ids.ts';
import type { EventStore } from '../../messaging/store/modules/events.ts';
import { deliveryId, readDeliveryId, resendData, resendOf, type WebhookAttempt } from '../../model/webhook-event.ts';
import { type DeliveryPlace, deliveryFields, deliveryPage, readDeliveryQuery, shownDelivery } from './delivery-list.ts';
import { delivery, deliveryDetail, storedEvent } from './endpoint-shapes.ts';
import type { EndpointService } from './endpoints.ts';
import { contentOf } from './notify/content.ts';
import { shownEvent } from './shown-event.ts';
import type { WebhookStore } from './store/module.ts';

export interface DeliveryRouteParts {
  service: Pick<EndpointService, 'list' | 'get'>;
  store: Pick<WebhookStore, 'webhookDeliveries' | 'webhookDelivery' | 'replayWebhooks'> & Pick<EventStore, 'addEvents'>;
  clock: Pick<Clock, 'now'>;
  ids: Pick<Ids, 'next'>;
  /** New events are in the log. */
  nudge(): void;
  /** An endpoint has new waiting deliveries. */
  replayed(endpointId: string): void;
}

const params = { deliveryId: '`dlv_…`' };
const notFound = 'No such delivery of this account and environment';
const permission = 'manageWebhooks';

export function deliveryRoutes(parts: DeliveryRouteParts): RouteModule {
  const { service, store, clock, replayed } = parts;
  /** The position of a delivery of the caller; null when its endpoint does not exist. */
  function placeOf(call: Call): DeliveryPlace | null {
    const place = readDeliveryId(param(call, 'deliveryId'));
    return place !== null && service.get(ownerOf(call), place.endpointId) !== null ? place : null;
  }

  async function found(call: Call) {
    const place = placeOf(call);
    const { accountId } = ownerOf(call);
    const delivery = place === null ? null : await store.webhookDelivery({ accountId, ...place });
    return place === null || delivery === null ? null : { ...delivery, place, accountId };
  }

  function addReads(guarded: GuardedRoutes): void {
    guarded.add({
      method: 'GET',
      path: '/api/v1/deliveries',
      scope: 'read',
      operationId: 'listDeliveries',
      summary: 'Deliveries to your endpoints, newest event first',
      query: deliveryFields,
      notFound: 'No such endpoint of this account and environment',
      answer: answersPage(list(delivery), 'before', 'A page'),
      work: async (call) => {
        const query = readDeliveryQuery(call.query);
        if (typeof query === 'string') return rejection('INVALID_FIELD', query);
        const { endpoint } = query;
        const owner = ownerOf(call);
        if (endpoint !== null && service.get(owner, endpoint) === null) return noEndpoint;
        const endpointIds = endpoint === null ? service.list(owner).map((one) => one.endpointId) : [endpoint];
        const { page, before } = await deliveryPage(store, { accountId: owner.accountId, endpointIds }, query);
        const next = before === null ? null : deliveryId(before.endpointId, before.position);
        const detail = `${counted(page.length, 'delivery', 'deliveries')}, newest event first.`;
        return success(
          detail,
          page.map((one) => shownDelivery(one, service.get(owner, one.endpointId))),
          next,
        );
      },
    });

    guarded.add({
      method: 'GET',
      path: '/api/v1/deliveries/:deliveryId',
      scope: 'read',
      operationId: 'getDelivery',
      summary: 'One delivery with its event and its attempts',
      params,
      notFound,
      answer: answers(deliveryDetail, 'The delivery'),
      work: async (call) => {
        const one = await found(call);
        if (one === null) return noDelivery;
        const { delivery, event, attempts, place } = one;
        const again = resendOf(event);
        const content = await contentOf(event, store);
        if (content === 'later') {
          return rejection('TEMPORARILY_UNAVAILABLE', 'The store does not answer now. Try again.');
        }
        return success('The delivery, its event and its attempts.', {
          ...shownDelivery(delivery, service.get(ownerOf(call), place.endpointId)),
          ...(again !== null && { againOf: deliveryId(again.endpointId, again.position) }),
          event: content === null ? { ...shownEvent(event), data: {} } : shownEvent(content),
          attempts: attempts.map(shownAttempt),
        });
      },
    });
  }

  function addSending(guarded: GuardedRoutes): void {
    guarded.add({
      method: 'POST',
      path: '/api/v1/deliveries/:deliveryId/replay',
      scope: 'send',
      people: { permission, audit: 'delivery.replayed' },
      operationId: 'replayDelivery',
      summary: 'Send one delivery again, with the same `webhook-id`',
      params,
      notFound,
      body: noFields,
      answer: answers(object({ deliveryId: plain() }), 'Which one'),
      work: async (call) => {
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
      },
    });

    // Sends the same content to the same endpoint as a new event, which no program has seen.
    guarded.add({
      method: 'POST',
      path: '/api/v1/deliveries/:deliveryId/send-as-new',
      scope: 'send',
      people: { permission, audit: 'delivery.sent_as_new' },
      operationId: 'sendDeliveryAsNew',
      summary: 'Send the content of one delivery to its endpoint again, under a new `webhook-id`',
      description:
        'A program that remembers ids handles it again. It is only in the list of deliveries, not in the list of events.',
      params,
      notFound,
      body: noFields,
      answer: answers(storedEvent, 'The new event'),
      work: async (call) => {
        const one = await found(call);
        if (one === null) return noDelivery;
        const { accountId, event, place } = one;
        // For a repetition, the original's content is used.
        const data = resendData(resendOf(event) ?? place);
        const eventId = parts.ids.next('evt_');
        await store.addEvents([{ eventId, accountId, type: event.type, at: clock.now(), data }]);
        parts.nudge();
        return success('The content is sent as a new event: a program that handled the old one handles it again.', {
          id: eventId,
          type: event.type,
        });
      },
    });
  }

  return (_app, { guarded }) => {
    addReads(guarded);
    addSending(guarded);
  };
}

const noEndpoint = rejection('NOT_FOUND', 'Your account has no endpoint with this id. Check the id and the key pair.');
const noDelivery = rejection('NOT_FOUND', 'Your account has no delivery with this id. Check the id and the key pair.');

function shownAttempt({ at, ...attempt }: WebhookAttempt) {
  return { ...attempt, at: isoTime(at) };
}
