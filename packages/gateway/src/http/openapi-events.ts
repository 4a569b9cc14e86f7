/** The `webhooks` part of the OpenAPI document; `model/webhook-schema.ts` has the shapes. */
import { type DescribedEvent, describedEvents } from '../model/webhook-schema.ts';
import { json } from './openapi-parts.ts';
import type { JsonSchema } from './schemas.ts';

interface Kind {
  name: string;
  summary: string;
  /** Whether an event type is of this kind; the first kind that matches is used. */
  has: (type: string) => boolean;
}

const kinds: readonly Kind[] = [
  { name: 'MessageReceivedEvent', summary: 'A reply arrived', has: (type) => type === 'message.received' },
  {
    name: 'MessageEvent',
    summary: 'A message that you sent changed its state',
    has: (type) => type.startsWith('message.'),
  },
  {
    name: 'ContactEvent',
    summary: 'A contact wants no messages, or wants them again',
    has: (type) => type.startsWith('contact.'),
  },
  { name: 'CarrierEvent', summary: 'A carrier went down or came back', has: (type) => type.startsWith('carrier.') },
  { name: 'EndpointDisabledEvent', summary: 'An endpoint was disabled', has: (type) => type.startsWith('endpoint.') },
  {
    name: 'AlertEvent',
    summary: 'An alert of the operator fires, or is resolved',
    has: (type) => type.startsWith('alert.'),
  },
  { name: 'WebhookTestEvent', summary: 'A test that you sent', has: (type) => type === 'webhook.test' },
];

const signed = (name: string, description: string) => ({
  name,
  in: 'header',
  required: true,
  schema: { type: 'string' },
  description,
});

export const eventParameters = {
  WebhookId: signed('webhook-id', 'The id of the event; the same for all attempts.'),
  WebhookTimestamp: signed('webhook-timestamp', 'When this attempt was made, in seconds since 1970.'),
  WebhookSignature: signed(
    'webhook-signature',
    'One `v1,…` for each active secret, separated by a space (Standard Webhooks).',
  ),
};

const responses = {
  '2XX': {
    description:
      'Accepted. Answer within `timeoutSeconds` of the endpoint; the gateway retries after any other answer.',
  },
};

const described = kinds.map((kind) => {
  const events = describedEvents.filter(({ type }) => kinds.find(({ has }) => has(type)) === kind);
  const [first] = events;
  if (first === undefined) throw new Error(`No event is a ${kind.name}.`);
  return { ...kind, events, first, schema: bodyOf(first, events) };
});

/** One body for all events of a kind: only their `type` differs. */
function bodyOf(first: DescribedEvent, events: readonly DescribedEvent[]): JsonSchema {
  const { $schema, title, ...schema } = first.schema;
  const properties = schema.properties as Record<string, JsonSchema>;
  return { ...schema, properties: { ...properties, type: { type: 'string', enum: events.map(({ type }) => type) } } };
}

export const eventAnswers = { WebhookTaken: responses['2XX'] };

/** The schemas of the bodies, by name. */
export const eventSchemas = Object.fromEntries(described.map(({ name, schema }) => [name, schema]));

/** The request of each kind, by name: in the document once for all event types of the kind. */
export const eventPathItems = Object.fromEntries(
  described.map(({ name, summary, schema, first }) => [
    name,
    {
      post: {
        summary,
        tags: ['Webhooks'],
        security: [],
        parameters: Object.values(eventParameters),
        requestBody: {
          required: true,
          content: json(schema, { [first.type]: { value: first.example } }),
        },
        responses,
      },
    },
  ]),
);

/** References to them, by event type. */
export const webhookRequests = Object.fromEntries(
  described.flatMap(({ name, events }) => events.map(({ type }) => [type, eventPathItems[name]])),
);
