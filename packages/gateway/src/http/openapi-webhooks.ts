/** The operations of webhook endpoints, their deliveries and events. Data only. */
import { eventTypes } from '../domain/event-type.ts';
import { feedLimits } from '../flow/event-feed.ts';
import {
  changeEndpointSchema,
  deliveryDetailSchema,
  deliverySchema,
  endpointSchema,
  endpointWithSecretSchema,
  eventSchema,
  eventTypeSchema,
  replayedSchema,
  replayRangeSchema,
  rotateSecretSchema,
  storedEventSchema,
  triggerSchema,
} from './endpoint-schemas.ts';
import { guarded, inPath, inQuery, json, limitParameter, notFoundAnswer, ok, rateHeaders } from './openapi-parts.ts';
import { dataSchema, enveloped, type JsonSchema, pageSchemas } from './schemas.ts';

const answer = (description: string, schema: JsonSchema, list: false | 'before' | 'after' = false) =>
  ok(description, dataSchema(schema, list), { headers: rateHeaders });

const endpointIdParameter = inPath('endpointId', '`ep_…`');
const endpointId = [endpointIdParameter];
const notFound = 'No such endpoint of this account and environment';
const deliveryIdParameter = inPath('deliveryId', '`dlv_…`');
const deliveryId = [deliveryIdParameter];
const deliveryNotFound = 'No such delivery of this account and environment';

/** `createEndpointSchema`, said by what it shares with a change. */
const newEndpointSchema = { allOf: [changeEndpointSchema, { required: ['url'] }] };

const create = guarded({
  operationId: 'createEndpoint',
  summary: 'Have events sent to a URL',
  description: 'The answer holds the secret that signs the webhooks (Standard Webhooks). It is shown this once.',
  scope: 'admin',
  body: {
    content: json(newEndpointSchema, {
      replies: {
        summary: 'Replies only',
        value: { url: 'https://shop.example/hooks', types: ['message.received'] },
      },
    }),
  },
  answer: answer('The endpoint with its secret', endpointWithSecretSchema),
});

/** An operation without a body that changes one endpoint. */
const act = (operationId: string, summary: string) =>
  guarded({
    operationId,
    summary,
    scope: 'admin',
    parameters: endpointId,
    answer: answer('The endpoint', endpointSchema),
    notFound,
  });

const endpointOperations: Readonly<Record<string, object>> = {
  '/api/v1/endpoints': {
    get: guarded({
      operationId: 'listEndpoints',
      summary: 'Your webhook endpoints',
      scope: 'read',
      answer: answer('All of them, oldest first; `next` is null', endpointSchema, 'after'),
    }),
    post: create,
  },
  '/api/v1/endpoints/{endpointId}': {
    get: guarded({
      operationId: 'getEndpoint',
      summary: 'One endpoint',
      scope: 'read',
      parameters: endpointId,
      answer: answer('The endpoint', endpointSchema),
      notFound,
    }),
    patch: guarded({
      operationId: 'changeEndpoint',
      summary: 'Change an endpoint',
      description: 'Only what is sent is changed; null takes a filter or the header away.',
      scope: 'admin',
      parameters: endpointId,
      body: { content: json(changeEndpointSchema) },
      answer: answer('The endpoint', endpointSchema),
      notFound,
    }),
    delete: act('deleteEndpoint', 'Delete an endpoint; nothing is sent to it any more'),
  },
  '/api/v1/endpoints/{endpointId}/disable': {
    post: act('disableEndpoint', 'Stop sending to an endpoint; its deliveries wait, at most 30 days'),
  },
  '/api/v1/endpoints/{endpointId}/enable': {
    post: act('enableEndpoint', 'Send to an endpoint again, beginning with what waited'),
  },
  '/api/v1/endpoints/{endpointId}/rotate-secret': {
    post: guarded({
      operationId: 'rotateEndpointSecret',
      summary: 'Give an endpoint a new secret',
      description: 'Shown this once. Until the overlap ends every webhook is signed with both.',
      scope: 'admin',
      parameters: endpointId,
      body: { content: json(rotateSecretSchema), required: false },
      answer: answer('The endpoint with its new secret', endpointWithSecretSchema),
      notFound,
    }),
  },
  '/api/v1/endpoints/{endpointId}/test': {
    post: guarded({
      operationId: 'testEndpoint',
      summary: 'Send an endpoint the event `webhook.test`',
      description: 'It is a delivery like any other, whatever types the endpoint wants.',
      scope: 'send',
      parameters: endpointId,
      answer: answer('The event', storedEventSchema),
      notFound,
    }),
  },
  '/api/v1/endpoints/{endpointId}/replay': {
    post: guarded({
      operationId: 'replayEndpoint',
      summary: 'Send an endpoint again what happened in a period',
      description: 'Each with the same `webhook-id` as before. `next` is null when that was all.',
      scope: 'send',
      parameters: endpointId,
      body: {
        content: json(replayRangeSchema, {
          outage: {
            summary: 'An outage',
            value: { since: '2026-11-21T08:00:00Z', until: '2026-11-21T09:30:00Z' },
          },
        }),
      },
      answer: ok('How many', enveloped(pageSchemas.after, replayedSchema), { headers: rateHeaders }),
      notFound,
    }),
  },
};

const deliveryOperations: Readonly<Record<string, object>> = {
  '/api/v1/deliveries': {
    get: guarded({
      operationId: 'listDeliveries',
      summary: 'What was sent to your endpoints, newest event first',
      scope: 'read',
      parameters: [
        inQuery('endpoint', { type: 'string' }, 'Only to this endpoint.'),
        inQuery('state', { type: 'string', enum: ['waiting', 'delivered', 'failed'] }, 'Only in this state.'),
        inQuery('type', eventTypeSchema, 'Only of this type of event.'),
        inQuery('q', { type: 'string', maxLength: 100 }, 'Only those whose event id or delivery id holds this.'),
        inQuery('since', { type: 'string', format: 'date-time' }, 'Only events of this time or later.'),
        inQuery('before', { type: 'string' }, '`next` of the page before.'),
        limitParameter,
      ],
      answer: answer('A page', deliverySchema, 'before'),
      notFound,
    }),
  },
  '/api/v1/deliveries/{deliveryId}': {
    get: guarded({
      operationId: 'getDelivery',
      summary: 'One delivery with its event and its attempts',
      scope: 'read',
      parameters: deliveryId,
      answer: answer('The delivery', deliveryDetailSchema),
      notFound: deliveryNotFound,
    }),
  },
  '/api/v1/deliveries/{deliveryId}/replay': {
    post: guarded({
      operationId: 'replayDelivery',
      summary: 'Send one delivery again, with the same `webhook-id`',
      scope: 'send',
      parameters: deliveryId,
      answer: answer('Which one', { type: 'object', properties: { deliveryId: { type: 'string' } } }),
      notFound: deliveryNotFound,
    }),
  },
  '/api/v1/deliveries/{deliveryId}/send-as-new': {
    post: guarded({
      operationId: 'sendDeliveryAsNew',
      summary: 'Send the content of one delivery to its endpoint again, under a new `webhook-id`',
      description: 'A program that remembers ids handles it again. It is in no list of events, only among deliveries.',
      scope: 'send',
      parameters: deliveryId,
      answer: answer('The new event', storedEventSchema),
      notFound: deliveryNotFound,
    }),
  },
};

const eventOperations: Readonly<Record<string, object>> = {
  '/api/v1/events': {
    get: guarded({
      operationId: 'listEvents',
      summary: 'What happened, oldest first',
      description:
        'For programs that ask instead of being told. A page may be empty and `next` is never null: go on from it.',
      scope: 'read',
      parameters: [
        inQuery(
          'after',
          { type: 'string' },
          '`next` of a page, the id of an event, or `latest`; from the oldest when left out.',
        ),
        inQuery(
          'types',
          { type: 'string' },
          `Types with a comma between them; all when left out. ${eventTypes.join(', ')}`,
        ),
        limitParameter,
        inQuery(
          'wait',
          { type: 'integer', minimum: 0, maximum: feedLimits.waitMs / 1_000, default: 0 },
          'Seconds to wait for an event when there is none.',
        ),
      ],
      answer: answer('A page', eventSchema, 'after'),
    }),
  },
  '/api/v1/events/trigger': {
    post: guarded({
      operationId: 'triggerEvent',
      summary: 'Make an example event',
      description:
        'Marked `data.triggered`, and sent like any other to the endpoints that want its type, but for those with the flat format.',
      scope: 'send',
      body: {
        content: json(triggerSchema, { reply: { summary: 'A reply', value: { type: 'message.received' } } }),
      },
      answer: answer('The event', storedEventSchema),
    }),
  },
};

export const webhookSchemas = {
  EventType: eventTypeSchema,
  Endpoint: endpointSchema,
  EndpointWithSecret: endpointWithSecretSchema,
  EndpointFields: changeEndpointSchema,
  ReplayRange: replayRangeSchema,
  Event: eventSchema,
  StoredEvent: storedEventSchema,
  Delivery: deliverySchema,
  DeliveryWithAttempts: deliveryDetailSchema,
};

export const webhookAnswers = {
  NoSuchEndpoint: notFoundAnswer(notFound),
  NoSuchDelivery: notFoundAnswer(deliveryNotFound),
};

export const webhookParameters = { EndpointId: endpointIdParameter, DeliveryId: deliveryIdParameter };

export const webhookOperations: Readonly<Record<string, object>> = {
  ...endpointOperations,
  ...deliveryOperations,
  ...eventOperations,
};
