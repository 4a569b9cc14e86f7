/**
 * The JSON Schemas (2020-12) of what is sent and answered. The same objects validate requests and stand in the OpenAPI
 * document, so the two cannot differ. No behaviour here.
 */
import { deliveryStates } from '../domain/lifecycle.ts';
import type { Limits } from '../domain/limits.ts';
import { outcomeCodes, recipientStatuses, requestReasons } from '../domain/reason.ts';
import { extrasProperties } from '../domain/webhook-schema.ts';

export type JsonSchema = Readonly<Record<string, unknown>>;

const nullableString = { type: ['string', 'null'] };
const time = { type: 'string', format: 'date-time', description: 'UTC with milliseconds.' };

/** The body of `POST /SendSMS`. Properties stand in the order in which they are checked. */
export function sendRequestSchema(limits: Limits) {
  return {
    type: 'object',
    required: ['from', 'to', 'text'],
    properties: {
      from: {
        type: 'string',
        description: 'The sending number: E.164 digits without the plus sign, or a short code.',
        examples: ['12025550199'],
      },
      to: {
        type: 'array',
        minItems: 1,
        maxItems: limits.recipientsMax,
        items: { type: 'string' },
        description: 'The receiving numbers: E.164 digits without the plus sign. One separate message each.',
        examples: [['12025550100']],
      },
      text: { type: 'string', description: 'The message body.', examples: ['Hello from my gateway'] },
      mediaUrls: {
        type: ['array', 'null'],
        maxItems: limits.mediaMax,
        items: { type: 'string', maxLength: limits.mediaUrlCharactersMax },
        description: 'Public http or https URLs of media. A non-empty list makes the message an MMS.',
      },
      referenceId: {
        type: ['string', 'null'],
        minLength: 1,
        maxLength: limits.referenceIdCharactersMax,
        description: 'Your own id, echoed. A label, not a key: the same one may be sent twice.',
      },
      validityMinutes: {
        type: ['integer', 'null'],
        minimum: limits.validityMinutesMin,
        maximum: limits.validityMinutesMax,
        description: `How long the message may wait in the queue; ${limits.validityMinutesDefault} when left out.`,
      },
    },
    additionalProperties: true,
  } as const;
}

const envelope = {
  success: { type: 'boolean', description: 'Whether the request as a whole was accepted.' },
  reason: { type: 'string', description: 'Short result code; `SUCCESS` or one of `GET /reasons`.' },
  detail: { type: 'string', maxLength: 300, description: 'A sentence for people. Never parse it.' },
};

export const rejectionSchema: JsonSchema = {
  type: 'object',
  required: ['success', 'reason', 'detail'],
  properties: {
    ...envelope,
    success: { const: false },
    reason: { type: 'string', enum: Object.keys(requestReasons).filter((code) => code !== 'SUCCESS') },
  },
};

const recipientResultSchema = {
  type: 'object',
  required: ['to', 'status'],
  properties: {
    to: { type: 'string' },
    status: { type: 'string', enum: Object.keys(recipientStatuses) },
    messageId: { type: 'string', description: 'This recipient’s message. Left out in exact shape.' },
    detail: { type: 'string', description: 'Why this recipient was refused. Left out in exact shape.' },
  },
};

export const sendAnswerSchema: JsonSchema = {
  type: 'object',
  required: ['success', 'reason', 'detail', 'schema'],
  properties: {
    ...envelope,
    success: { const: true },
    reason: { const: 'SUCCESS' },
    schema: {
      type: 'object',
      required: ['referenceId', 'from', 'text', 'resultResponses'],
      properties: {
        referenceId: { type: 'string' },
        from: { type: 'string' },
        text: { type: 'string' },
        resultResponses: {
          type: 'array',
          description: 'One entry for each entry of `to`, in the same order.',
          items: recipientResultSchema,
        },
        messageType: { type: 'string', enum: ['SMS', 'MMS'], description: 'Left out in exact shape.' },
        encoding: { type: 'string', enum: ['GSM-7', 'UCS-2'], description: 'SMS only. Left out in exact shape.' },
        segments: { type: 'integer', description: 'SMS only. Left out in exact shape.' },
        dryRun: { const: true, description: 'Only in the answer to a dry run.' },
      },
    },
  },
};

const outcomeCodeSchema = { type: ['string', 'null'], enum: [...Object.keys(outcomeCodes), null] };
const stateSchema = { type: 'string', enum: [...deliveryStates] };

const partSchema = {
  type: 'object',
  properties: {
    part: { type: 'integer' },
    spans: {
      type: 'integer',
      description:
        'How many segments from this one on the id stands for, where a long text went out whole. Absent = 1.',
    },
    carrier: { type: 'string' },
    carrierMessageId: { type: 'string' },
    state: { type: 'string', enum: ['accepted', 'delivered', 'undelivered'] },
    carrierCode: nullableString,
    updatedAt: time,
  },
};

/** A move of a message from one state to the next. */
const stepSchema = {
  type: 'object',
  properties: {
    eventId: { type: 'string' },
    sequence: { type: 'integer' },
    state: stateSchema,
    code: nullableString,
    carrier: nullableString,
    carrierCode: nullableString,
    detail: nullableString,
    occurredAt: time,
  },
};

const alteredSchema = {
  type: 'string',
  enum: ['fewer-frames', 'still'],
  description:
    'What fitting changed beyond size, quality and metadata: an animation lost some of its frames, or all but its first. Absent = nothing.',
};
const measures = {
  width: { type: 'integer', description: 'Pixels; absent where it is no picture.' },
  height: { type: 'integer' },
  frames: { type: 'integer', description: 'Pictures of an animation; absent for a still one.' },
};

/** A medium as a carrier of the message takes it. */
const fittedMediumSchema = {
  type: 'object',
  required: ['limit', 'type', 'size'],
  properties: {
    limit: { type: 'integer', description: 'Bytes that the carrier takes for all media of a message.' },
    type: { type: 'string' },
    size: { type: 'integer', description: 'Bytes.' },
    ...measures,
    altered: alteredSchema,
  },
};

/** One medium of a message, from a handset or to one. */
const messageMediumSchema = {
  type: 'object',
  required: ['url', 'type', 'size', 'name'],
  properties: {
    url: { type: 'string' },
    type: { type: 'string', description: 'By the content where it is known; empty for one that was not fetched.' },
    size: { type: 'integer', description: 'Bytes; 0 for one that was not fetched.' },
    name: { type: 'string' },
    ...measures,
    state: {
      type: 'string',
      enum: ['fetched', 'fitted', 'failed', 'skipped'],
      description:
        'Of a sent medium. `failed`: the last event says why; `skipped`: not fetched, as another one had failed.',
    },
    fitted: {
      type: 'array',
      description: 'As handed to the carrier: one entry for each size that carriers of the message take, usually one.',
      items: fittedMediumSchema,
    },
    altered: alteredSchema,
  },
};

const messageMediaSchema = {
  type: 'array',
  description:
    'The media one by one, in the order of `mediaUrls`. Of a sent message: absent until they are fetched, and after 30 days.',
  items: messageMediumSchema,
};

const waitingSchema: JsonSchema = {
  type: 'object',
  description: 'Only in the look-up of one message, while it is queued or uncertain: why it waits now.',
  properties: {
    why: {
      type: 'string',
      enum: [
        ...['off', 'paused', 'opening', 'down', 'unanswered', 'rate', 'throttled', 'window', 'quiet', 'campaign'],
        ...['dayCap', 'retry', 'turn', 'repeat', 'hold', 'receipt'],
      ],
      description:
        'unanswered: its carrier left ten messages in a row without an answer and gets one every 30 seconds. Of an uncertain message, at `until`: repeat = it is sent again; hold = a person decides; receipt = it has had its repeats and ends as unconfirmed.',
    },
    carrier: {
      type: ['object', 'null'],
      properties: { carrierId: { type: 'string' }, name: { type: 'string' } },
    },
    since: { ...time, type: ['string', 'null'] },
    until: { ...time, type: ['string', 'null'] },
    code: nullableString,
    perSecond: { type: ['number', 'null'] },
    doubt: {
      type: 'object',
      description: 'Of an uncertain message: why, how often it was sent again, and how often it may be.',
      properties: {
        cause: { type: ['string', 'null'], enum: ['unanswered', 'broken', null] },
        repeats: { type: 'integer' },
        allowed: { type: 'integer' },
      },
    },
  },
};

/** A message as `/api/v1` shows it. */
export const messageSchema: JsonSchema = {
  type: 'object',
  properties: {
    messageId: { type: 'string' },
    referenceId: { type: 'string' },
    requestId: { type: 'string' },
    direction: { type: 'string', enum: ['outbound', 'inbound'] },
    from: { type: 'string' },
    to: { type: 'string' },
    text: { type: 'string' },
    mediaUrls: { type: 'array', items: { type: 'string' } },
    messageType: { type: 'string', enum: ['SMS', 'MMS'] },
    encoding: { type: ['string', 'null'], enum: ['GSM-7', 'UCS-2', null] },
    segments: { type: 'integer' },
    state: stateSchema,
    code: outcomeCodeSchema,
    carrier: nullableString,
    carrierCode: nullableString,
    dupRisk: { type: 'boolean', description: 'True when it may have been delivered twice.' },
    acceptedAt: time,
    updatedAt: time,
    ...extrasProperties,
    media: messageMediaSchema,
    waiting: waitingSchema,
    bodyDeletedAt: { ...time, description: 'When its text and media were let go of by their age; absent before that.' },
    parts: { type: 'array', items: partSchema },
    events: { type: 'array', items: stepSchema },
  },
};

/** The answer to a cancel. */
export const canceledSchema: JsonSchema = {
  type: 'object',
  properties: { messageId: { type: 'string' }, state: { const: 'canceled' } },
};

const reasonSchema: JsonSchema = {
  type: 'object',
  properties: {
    code: { type: 'string' },
    scope: { type: 'string', enum: ['request', 'recipient', 'outcome'] },
    httpStatus: { type: ['integer', 'null'] },
    retryable: { type: 'boolean' },
    billed: { type: 'string', enum: ['no', 'yes', 'if_sent'] },
    issued: { type: 'boolean', description: 'False: reserved, nothing issues it yet.' },
    title: { type: 'string' },
    cause: { type: 'array', items: { type: 'string' } },
    fix: { type: 'array', items: { type: 'string' } },
  },
};

export const reasonsSchema: JsonSchema = { type: 'array', items: reasonSchema };

/** Numbers by name, as `GET /limits` shows them. */
export function limitsSchema(limits: Limits): JsonSchema {
  return {
    type: 'object',
    properties: Object.fromEntries(Object.keys(limits).map((name) => [name, { type: 'integer' }])),
  };
}

/** What the document names of these. */
export const coreSchemas = {
  Rejection: rejectionSchema,
  SendAnswer: sendAnswerSchema,
  RecipientResult: recipientResultSchema,
  Message: messageSchema,
  MessageMedium: messageMediumSchema,
  FittedMedium: fittedMediumSchema,
  MessageWaiting: waitingSchema,
  MessagePart: partSchema,
  MessageStep: stepSchema,
  State: stateSchema,
  OutcomeCode: outcomeCodeSchema,
  Reason: reasonSchema,
  Time: time,
};

/** What every answer beyond the contract has beside its `data`. */
export const successSchema: JsonSchema = {
  type: 'object',
  required: ['success', 'reason', 'detail', 'data'],
  properties: { ...envelope, success: { const: true }, reason: { const: 'SUCCESS' } },
};

/** The same of a list, by the parameter that takes `next`. */
export const pageSchemas = { before: pageSchema('before'), after: pageSchema('after') };

function pageSchema(parameter: string): JsonSchema {
  const next = { ...nullableString, description: `Send it as \`${parameter}\` to get the next page; null at the end.` };
  return {
    type: 'object',
    required: [...(successSchema.required as string[]), 'next'],
    properties: { ...(successSchema.properties as object), next },
  };
}

/** The envelope of everything beyond the contract, around `data`. Of a list: the parameter that takes `next`. */
export function dataSchema(data: JsonSchema, list: false | 'before' | 'after' = false): JsonSchema {
  return list === false ? enveloped(successSchema, data) : enveloped(pageSchemas[list], { type: 'array', items: data });
}

/** `data` in one of the envelopes above. */
export function enveloped(envelope: JsonSchema, data: JsonSchema): JsonSchema {
  return { allOf: [envelope, { properties: { data } }] };
}
