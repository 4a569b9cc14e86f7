/** The JSON Schemas of webhook endpoints and their deliveries, as they are sent and shown. No behaviour here. */
import { eventTypes } from '../domain/event-type.ts';
import { webhookTimeoutMs } from '../domain/webhook-post.ts';
import { endpointLimits } from '../flow/endpoint-check.ts';
import type { JsonSchema } from './schemas.ts';

export const time = { type: 'string', format: 'date-time', description: 'UTC with milliseconds.' };
export const nullableTime = { type: ['string', 'null'], format: 'date-time' };
const nullableString = { type: ['string', 'null'] };

const formats = {
  standard: '`standard`: Standard Webhooks, `{type, timestamp, data}`.',
  flat: '`flat`: one object for each message, for older clients; other events are not sent.',
};

/** Also for the operations that ask for one. */
export const eventTypeSchema = { type: 'string', enum: [...eventTypes] } as const;

/** What can be set on an endpoint. Null takes a filter or the header away. */
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
    items: eventTypeSchema,
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

export const createEndpointSchema = {
  type: 'object',
  required: ['url'],
  properties: settings,
  additionalProperties: false,
} as const;

export const changeEndpointSchema = {
  type: 'object',
  minProperties: 1,
  properties: settings,
  additionalProperties: false,
} as const;

export const rotateSecretSchema = {
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
} as const;

/** The body, if there is one, of what takes no settings. */
export const noFieldsSchema = { type: 'object', properties: {}, additionalProperties: false } as const;

export const replayRangeSchema = {
  type: 'object',
  required: ['since'],
  properties: {
    since: { ...time, maxLength: 40, description: 'Events that happened at this time or later.' },
    until: { ...nullableTime, maxLength: 40, description: 'And before or at this one; now when left out.' },
    after: { ...nullableString, maxLength: 100, description: '`next` of the answer before, when it was not all.' },
    failedOnly: { type: ['boolean', 'null'], default: false, description: 'Only those whose attempts are used up.' },
    dryRun: { type: ['boolean', 'null'], default: false, description: 'Only say how many there are.' },
  },
  additionalProperties: false,
} as const;

/** Without the secrets and without the value of the header. */
export const endpointSchema: JsonSchema = {
  type: 'object',
  properties: {
    endpointId: { type: 'string' },
    name: { type: 'string' },
    url: { type: 'string' },
    types: { type: ['array', 'null'], items: { type: 'string' } },
    format: { type: 'string', enum: Object.keys(formats) },
    number: nullableString,
    campaign: nullableString,
    header: { type: ['object', 'null'], properties: { name: { type: 'string' } }, description: 'Its name only.' },
    timeoutSeconds: { type: 'integer', description: 'How long an attempt waits for its answer.' },
    disabled: {
      type: ['object', 'null'],
      properties: { at: time, why: { type: 'string', enum: ['by hand', 'failing', 'gone'] } },
      description: 'Null while it is enabled. Deliveries wait for it, at most 30 days.',
    },
    oldSecretUntil: { ...nullableTime, description: 'During rotation: until when the old secret signs as well.' },
    createdAt: time,
  },
};

export const endpointWithSecretSchema: JsonSchema = {
  allOf: [
    endpointSchema,
    {
      properties: {
        secret: {
          type: 'string',
          description: 'Verifies the signatures. Shown this once: keep it.',
          examples: ['whsec_…'],
        },
      },
    },
  ],
};

export const deliverySchema: JsonSchema = {
  type: 'object',
  properties: {
    deliveryId: { type: 'string' },
    endpointId: { type: 'string' },
    eventId: { type: 'string', description: '`webhook-id`: the same over all attempts.' },
    type: { type: 'string' },
    state: {
      type: 'string',
      enum: ['waiting', 'delivered', 'failed'],
      description: '`waiting`: another attempt comes; `delivered`: answered with 2xx; `failed`: no more attempts.',
    },
    attemptCount: { type: 'integer' },
    lastStatus: { type: ['integer', 'null'], description: 'HTTP status of the last attempt.' },
    nextAttemptAt: { ...nullableTime, description: 'When the next attempt is due, while it waits.' },
    createdAt: time,
    updatedAt: time,
  },
};

export const eventSchema: JsonSchema = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    type: eventTypeSchema,
    timestamp: time,
    data: { type: 'object', description: 'The same as in the body of the webhook.' },
  },
};

export const deliveryDetailSchema: JsonSchema = {
  allOf: [
    deliverySchema,
    {
      properties: {
        againOf: { type: 'string', description: 'Of one that was sent as a new event: the delivery it repeats.' },
        event: eventSchema,
        attempts: {
          type: 'array',
          description: 'The newest 100, oldest first.',
          items: {
            type: 'object',
            properties: {
              attempt: { type: 'integer' },
              at: time,
              durationMs: { type: 'integer' },
              status: { type: ['integer', 'null'] },
              error: { ...nullableString, description: 'A word when no answer came: `timeout`, `dns`, `blocked` …' },
              answer: { type: 'string', description: 'The first 4 KB of the answer.' },
              skewSeconds: {
                type: ['integer', 'null'],
                description:
                  'How far your clock was behind ours, by the header `Date` of the answer; null without one.',
              },
            },
          },
        },
      },
    },
  ],
};

export const storedEventSchema: JsonSchema = {
  type: 'object',
  properties: { id: { type: 'string' }, type: { type: 'string' } },
};

export const replayedSchema: JsonSchema = { type: 'object', properties: { replayed: { type: 'integer' } } };

export const triggerSchema = {
  type: 'object',
  required: ['type'],
  properties: { type: eventTypeSchema },
  additionalProperties: false,
} as const;
