/** The shapes of webhook endpoints and their deliveries, in requests and answers. */
import {
  content,
  extended,
  list,
  named,
  object,
  oneOf,
  optional,
  orNull,
  plain,
  time as timeShape,
  whole,
  written,
} from '../../http/shape.ts';
import { type EventType, eventTypes } from '../../model/event-type.ts';
import { type EndpointFields, endpointLimits } from './endpoint-check.ts';
import { webhookTimeoutMs } from './webhook-post.ts';

const nullableTime = { type: ['string', 'null'], format: 'date-time' };
const nullableString = { type: ['string', 'null'] };

const formats = {
  standard: '`standard`: Standard Webhooks, `{type, timestamp, data}`.',
  flat: '`flat`: one object for each message, for older clients; other events are not sent.',
};

/** Also for operations that take an event type. */
export const eventType = named('EventType', oneOf(eventTypes));

/** The settings of an endpoint. Null removes a filter or the header. */
const settings = {
  url: {
    type: 'string',
    minLength: 1,
    maxLength: endpointLimits.urlCharacters,
    description: 'http or https; https for a live endpoint. Redirects are not followed.',
    examples: ['https://shop.example/hooks'],
  },
  name: {
    ...nullableString,
    minLength: 1,
    maxLength: endpointLimits.nameCharacters,
    pattern: '^[^\\p{Cc}\\p{Cs}]+$',
    description: 'For people; the host of `url` when left out.',
  },
  types: {
    type: ['array', 'null'],
    minItems: 1,
    maxItems: eventTypes.length,
    uniqueItems: true,
    items: eventType,
    description: 'Types of event sent here; null = all.',
  },
  format: {
    ...nullableString,
    enum: [...Object.keys(formats), null],
    description: Object.values(formats).join(' '),
  },
  number: { ...nullableString, maxLength: 15, description: 'Only events of this sending number; null = any.' },
  campaign: { ...nullableString, maxLength: 100, description: 'Only events of this campaign; null = any.' },
  header: {
    type: ['object', 'null'],
    required: ['name', 'value'],
    properties: {
      name: { type: 'string', minLength: 1, maxLength: 100 },
      value: { type: 'string', maxLength: 4_000, description: 'Kept encrypted and never shown again.' },
    },
    additionalProperties: false,
    description: 'A header sent with every attempt, such as a token of your server.',
  },
  timeoutSeconds: {
    type: ['integer', 'null'],
    minimum: webhookTimeoutMs.min / 1_000,
    maximum: webhookTimeoutMs.max / 1_000,
    default: webhookTimeoutMs.default / 1_000,
    description: 'An attempt that is not answered within this time has failed; null = the default.',
  },
} as const;

/** An endpoint in a request. */
export type SentEndpoint = Partial<Omit<EndpointFields, 'campaignId' | 'name' | 'format' | 'timeoutMs'>> & {
  timeoutSeconds?: number | null;
  campaign?: string | null;
  name?: string | null;
  format?: EndpointFields['format'] | null;
};

const fields = { type: 'object', properties: settings, additionalProperties: false };

/** A change names at least one field. */
export const endpointFields = named('EndpointFields', written<SentEndpoint>({ ...fields, minProperties: 1 }));

/** The same for a new endpoint, whose URL is required. */
export const newEndpoint = written<SentEndpoint & { url: string }>({ ...fields, required: ['url'] });

export const rotateSecret = written<{ overlapHours?: number | null }>({
  type: 'object',
  properties: {
    overlapHours: {
      type: ['integer', 'null'],
      minimum: 0,
      maximum: endpointLimits.overlapHours,
      default: endpointLimits.overlapHoursDefault,
      description: 'For so long both secrets sign, each with a signature of its own.',
    },
  },
  additionalProperties: false,
});

export interface SentRange {
  since: string;
  until?: string | null;
  after?: string | null;
  failedOnly?: boolean | null;
  dryRun?: boolean | null;
}

export const replayRange = named(
  'ReplayRange',
  written<SentRange>({
    type: 'object',
    required: ['since'],
    properties: {
      since: { ...timeShape, maxLength: 40, description: 'Events that happened at this time or later.' },
      until: { ...nullableTime, maxLength: 40, description: 'And before or at this one; now when left out.' },
      after: { ...nullableString, maxLength: 100, description: '`next` of the answer before, when it was not all.' },
      failedOnly: { type: ['boolean', 'null'], default: false, description: 'Only those whose attempts are used up.' },
      dryRun: { type: ['boolean', 'null'], default: false, description: 'Only say how many there are.' },
    },
    additionalProperties: false,
  }),
);

export const triggered = written<{ type: EventType }>({
  type: 'object',
  required: ['type'],
  properties: { type: eventType },
  additionalProperties: false,
});

/** Without the secrets and the value of the header. */
export const endpoint = named(
  'Endpoint',
  object({
    endpointId: plain(),
    name: plain(),
    url: plain(),
    types: orNull(list(eventType)),
    format: oneOf(['standard', 'flat']),
    number: orNull(plain()),
    campaign: orNull(plain()),
    header: orNull(object({ name: plain() }, 'Its name only.')),
    timeoutSeconds: whole('How long an attempt waits for its answer.'),
    disabled: orNull(
      object(
        { at: timeShape, why: oneOf(['by hand', 'failing', 'gone']) },
        'Null while it is enabled. Deliveries wait for it, at most 30 days.',
      ),
    ),
    oldSecretUntil: written<string | null>({
      ...nullableTime,
      description: 'During rotation: until when the old secret signs as well.',
    }),
    createdAt: timeShape,
  }),
);

export const endpointWithSecret = named(
  'EndpointWithSecret',
  extended(endpoint, {
    secret: written<string>({
      type: 'string',
      description: 'Verifies the signatures. Shown this once: keep it.',
      examples: ['whsec_…'],
    }),
  }),
);

export const delivery = named(
  'Delivery',
  object({
    deliveryId: plain(),
    endpointId: plain(),
    eventId: plain('`webhook-id`: the same over all attempts.'),
    type: plain(),
    state: oneOf(
      ['waiting', 'delivered', 'failed'],
      '`waiting`: another attempt comes; `delivered`: answered with 2xx; `failed`: no more attempts.',
    ),
    attemptCount: whole(),
    lastStatus: orNull(whole('HTTP status of the last attempt.')),
    nextAttemptAt: written<string | null>({
      ...nullableTime,
      description: 'When the next attempt is due; null when no more come, or none before its endpoint is enabled.',
    }),
    createdAt: timeShape,
    updatedAt: timeShape,
  }),
);

/** The OpenAPI document describes the data of each event type under its webhooks. */
export const event = named(
  'Event',
  object({
    id: plain(),
    type: written<string>(eventType),
    timestamp: timeShape,
    data: written<Record<string, unknown>>({ type: 'object', description: 'The same as in the body of the webhook.' }),
  }),
);

export const deliveryDetail = named(
  'DeliveryWithAttempts',
  extended(delivery, {
    againOf: optional(plain('Of one that was sent as a new event: the delivery it repeats.')),
    event,
    attempts: list(
      object({
        attempt: whole(),
        at: timeShape,
        durationMs: whole(),
        status: orNull(whole()),
        error: orNull(plain('A word when no answer came: `timeout`, `dns`, `blocked` …')),
        answer: content('The first 4 KB of the answer.'),
        skewSeconds: orNull(
          whole('How far your clock was behind ours, by the header `Date` of the answer; null without one.'),
        ),
      }),
      'The newest 100, oldest first.',
    ),
  }),
);

export const storedEvent = named('StoredEvent', object({ id: plain(), type: plain() }));
