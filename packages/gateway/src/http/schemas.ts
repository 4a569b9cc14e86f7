/**
 * The JSON Schemas (2020-12) that validate requests and appear in the OpenAPI document: the same objects, so the two
 * cannot differ.
 */
import type { Limits } from '../model/limits.ts';
import { recipientStatuses, requestReasons } from '../model/reason.ts';

export type JsonSchema = Readonly<Record<string, unknown>>;

const nullableString = { type: ['string', 'null'] };
const time = { type: 'string', format: 'date-time', description: 'UTC with milliseconds.' };

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

/** The numbers by name, as `GET /limits` shows them. */
export function limitsSchema(limits: Limits): JsonSchema {
  return {
    type: 'object',
    properties: Object.fromEntries(Object.keys(limits).map((name) => [name, { type: 'integer' }])),
  };
}

/** Schemas with names in the document. */
export const coreSchemas = {
  Rejection: rejectionSchema,
  SendAnswer: sendAnswerSchema,
  RecipientResult: recipientResultSchema,
  Reason: reasonSchema,
  Time: time,
};

/** The fields beside `data` in every answer beyond the frozen contract. */
export const successSchema: JsonSchema = {
  type: 'object',
  required: ['success', 'reason', 'detail', 'data'],
  properties: { ...envelope, success: { const: true }, reason: { const: 'SUCCESS' } },
};

/** The same for a list, by the parameter that takes `next`. */
export const pageSchemas = { before: pageSchema('before'), after: pageSchema('after') };

function pageSchema(parameter: string): JsonSchema {
  const next = { ...nullableString, description: `Send it as \`${parameter}\` to get the next page; null at the end.` };
  return {
    type: 'object',
    required: [...(successSchema.required as string[]), 'next'],
    properties: { ...(successSchema.properties as object), next },
  };
}

/** Wraps `data` in the envelope of answers beyond the frozen contract. `list` names the parameter that takes `next`. */
export function dataSchema(data: JsonSchema, list: false | 'before' | 'after' = false): JsonSchema {
  return list === false ? enveloped(successSchema, data) : enveloped(pageSchemas[list], { type: 'array', items: data });
}

/** `data` in one of the envelopes above. */
export function enveloped(envelope: JsonSchema, data: JsonSchema): JsonSchema {
  return { allOf: [envelope, { properties: { data } }] };
}
