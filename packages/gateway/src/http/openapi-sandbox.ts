/** The operations of the sandbox: what handsets and the webhook inbox got, and answering from them. Data only. */
import { inboxDelayMsMax } from '../domain/webhook-inbox.ts';
import { bothCredentials, json, ok, rateHeaders, refused, withCredentials } from './openapi-parts.ts';
import { dataSchema, type JsonSchema } from './schemas.ts';

const handset = { name: 'number', in: 'path', required: true, schema: { type: 'string' }, description: 'The handset.' };
const time = { type: 'string', format: 'date-time' };

const handsetSchema: JsonSchema = {
  type: 'object',
  properties: {
    number: { type: 'string' },
    messages: { type: 'integer' },
    lastReceivedAt: { type: ['string', 'null'], format: 'date-time' },
  },
};

const textSchema: JsonSchema = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    from: { type: 'string' },
    to: { type: 'string' },
    text: { type: ['string', 'null'], description: 'Null when the content is no text.' },
    encoding: { type: ['string', 'null'], enum: ['GSM-7', 'UCS-2', null] },
    parts: { type: 'integer' },
    receivedAt: time,
  },
};

const replySchema: JsonSchema = {
  type: 'object',
  required: ['text'],
  properties: {
    text: { type: 'string', examples: ['YES'] },
    to: { type: ['string', 'null'], description: 'One of your sandbox numbers; the last sender when left out.' },
  },
};

const queuedSchema: JsonSchema = {
  type: 'object',
  properties: {
    from: { type: 'string' },
    to: { type: 'string' },
    parts: { type: 'integer' },
    encoding: { type: 'string', enum: ['GSM-7', 'UCS-2'] },
  },
};

const webhookSchema: JsonSchema = {
  type: 'object',
  properties: {
    id: { type: 'string', description: 'Another one for each attempt, unlike the header `webhook-id`.' },
    receivedAt: time,
    headers: { type: 'object', additionalProperties: { type: 'string' }, description: 'Names in lower case.' },
    body: { type: 'string', description: 'As it came: what the signature is about.' },
    signature: {
      type: 'object',
      required: ['valid'],
      properties: {
        valid: { type: 'boolean', description: "Whether one of the seeded endpoint's secrets signed it, lately." },
        reason: { type: 'string', description: 'Of a signature that is not valid; as in `@heliograph/client`.' },
        detail: { type: 'string' },
      },
    },
    answered: { type: 'integer', description: 'The HTTP status it was answered with.' },
  },
};

/** As it is sent, and as it is answered. */
export const inboxAnswerSchema: JsonSchema = {
  type: 'object',
  properties: {
    status: { type: ['integer', 'null'], minimum: 200, maximum: 599, description: '200 when left out.' },
    delayMs: { type: ['integer', 'null'], minimum: 0, maximum: inboxDelayMsMax, description: '0 when left out.' },
  },
  additionalProperties: false,
};

const polling = (idOf: string, what: string) => [
  { name: 'after', in: 'query', schema: { type: 'string' }, description: `The id of the last ${idOf} you have.` },
  {
    name: 'wait',
    in: 'query',
    schema: { type: 'integer', minimum: 0, maximum: 60 },
    description: `Seconds to wait for ${what} when there is none.`,
  },
];

const tooSlow = { 408: refused('The body came too slowly (`INVALID_REQUEST`).') };

const answers = (description: string, schema: JsonSchema, list = false) => ({
  200: ok(description, dataSchema(schema, list), { headers: rateHeaders }),
  ...withCredentials,
  404: refused('The key pair is not a sandbox pair (`NOT_FOUND`).', { headers: rateHeaders }),
});

export const sandboxOperations: Readonly<Record<string, object>> = {
  '/api/v1/sandbox/handsets': {
    get: {
      operationId: 'listHandsets',
      summary: 'The handsets of the simulated carrier',
      security: bothCredentials,
      responses: answers('The handsets', handsetSchema, true),
    },
  },
  '/api/v1/sandbox/handsets/{number}/messages': {
    get: {
      operationId: 'listHandsetMessages',
      summary: 'What a handset received from your numbers',
      security: bothCredentials,
      parameters: [handset, ...polling('text', 'a text')],
      responses: answers('Texts, oldest first', textSchema, true),
    },
  },
  '/api/v1/sandbox/handsets/{number}/reply': {
    post: {
      operationId: 'replyFromHandset',
      summary: 'Send a text from a handset',
      security: bothCredentials,
      parameters: [handset],
      requestBody: { required: true, content: json(replySchema) },
      responses: { ...answers('On its way', queuedSchema), ...tooSlow },
    },
  },
  '/api/v1/sandbox/webhooks': {
    get: {
      operationId: 'listReceivedWebhooks',
      summary: 'What arrived at the webhook inbox of the sandbox',
      security: bothCredentials,
      parameters: polling('webhook', 'a webhook'),
      responses: answers('Webhooks, oldest first; the latest 500 are kept', webhookSchema, true),
    },
  },
  '/api/v1/sandbox/webhooks/answer': {
    post: {
      operationId: 'answerReceivedWebhooks',
      summary: 'How the webhook inbox answers from now on, to try failures',
      security: bothCredentials,
      requestBody: { required: true, content: json(inboxAnswerSchema) },
      responses: { ...answers('As it answers now', inboxAnswerSchema), ...tooSlow },
    },
  },
};
