/** The operations of the sandbox: what handsets of the simulated carrier got, and answering from one. Data only. */
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
      parameters: [
        handset,
        { name: 'after', in: 'query', schema: { type: 'string' }, description: 'The id of the last text you have.' },
        {
          name: 'wait',
          in: 'query',
          schema: { type: 'integer', minimum: 0, maximum: 60 },
          description: 'Seconds to wait for a text when there is none.',
        },
      ],
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
      responses: {
        ...answers('On its way', queuedSchema),
        408: refused('The body came too slowly (`INVALID_REQUEST`).'),
      },
    },
  },
};
