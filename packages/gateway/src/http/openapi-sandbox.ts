/** The operations of the sandbox: what handsets and the webhook inbox got, and answering from them. Data only. */
import { handsetMediaMax } from '@heliograph/sandbox/handsets';
import { inboxDelayMsMax } from '../domain/webhook-inbox.ts';
import { bothCredentials, inPath, json, rateHeaders, refused } from './openapi-parts.ts';
import { handset, sandboxAnswers, sandboxPolling } from './openapi-sandbox-parts.ts';
import { sandboxTroubleOperations, sandboxTroubleSchemas } from './openapi-sandbox-trouble.ts';
import type { JsonSchema } from './schemas.ts';

const time = { type: 'string', format: 'date-time' };

const handsetSchema: JsonSchema = {
  type: 'object',
  properties: {
    number: { type: 'string' },
    messages: { type: 'integer' },
    lastReceivedAt: { type: ['string', 'null'], format: 'date-time' },
  },
};

const via = { type: 'string', enum: ['smpp', 'mm7', 'mm4'], description: 'The protocol it travels over.' };
const encoding = { type: ['string', 'null'], enum: ['GSM-7', 'UCS-2', null], description: 'Null for an MMS.' };

const mediumSchema: JsonSchema = {
  type: 'object',
  properties: {
    mediaId: { type: 'string' },
    contentType: { type: 'string' },
    fileName: { type: 'string' },
    sizeBytes: { type: 'integer' },
    sha256: { type: 'string', description: 'Of its bytes, lower-case hex.' },
    url: {
      type: ['string', 'null'],
      description: 'Path of its bytes on this gateway, for the same credentials; null once they had to make room.',
    },
  },
};

const messageSchema: JsonSchema = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    kind: { type: 'string', enum: ['SMS', 'MMS'] },
    via,
    from: { type: 'string' },
    to: { type: 'string' },
    subject: { type: 'string', description: 'Empty for an SMS.' },
    text: { type: ['string', 'null'], description: 'Null when the content is no text.' },
    encoding,
    parts: { type: 'integer' },
    media: { type: 'array', items: mediumSchema },
    receivedAt: time,
  },
};

const replySchema: JsonSchema = {
  type: 'object',
  properties: {
    text: { type: ['string', 'null'], examples: ['YES'], description: 'May be left out beside `mediaUrls`.' },
    to: { type: ['string', 'null'], description: 'One of your sandbox numbers; the last sender when left out.' },
    mediaUrls: {
      type: ['array', 'null'],
      items: { type: 'string' },
      maxItems: handsetMediaMax,
      description: 'With them the reply is an MMS.',
    },
    files: {
      type: ['array', 'null'],
      maxItems: handsetMediaMax,
      description: 'Files of any type to send along, as a telephone would; with them the reply is an MMS.',
      items: {
        type: 'object',
        required: ['data'],
        properties: {
          data: { type: 'string', description: 'The bytes in base64.' },
          type: { type: ['string', 'null'], examples: ['audio/amr'], description: 'As the telephone declares it.' },
          name: { type: ['string', 'null'], examples: ['voice.amr'] },
        },
      },
    },
    via: {
      type: ['string', 'null'],
      enum: ['mm7', 'mm4', null],
      description: 'Of an MMS; as the last MMS from that number came, else `mm7`, when left out.',
    },
  },
};

const queuedSchema: JsonSchema = {
  type: 'object',
  properties: {
    from: { type: 'string' },
    to: { type: 'string' },
    messageType: { type: 'string', enum: ['SMS', 'MMS'] },
    via,
    parts: { type: 'integer' },
    encoding,
    media: { type: 'integer', description: 'How many media go with it.' },
  },
};

const fileHeaders = {
  'Content-Disposition': { schema: { type: 'string' } },
  'Content-Security-Policy': { schema: { const: "sandbox; default-src 'none'" } },
  ...rateHeaders,
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
        by: { type: 'string', enum: ['current', 'old'], description: 'The secret that signed it.' },
        until: { type: ['string', 'null'], format: 'date-time', description: 'Until when the old secret signs too.' },
        skewSeconds: { type: ['integer', 'null'], description: 'How old `webhook-timestamp` was on arrival.' },
      },
    },
    answered: { type: 'integer', description: 'The HTTP status it was answered with.' },
  },
};

const demoSchema: JsonSchema = {
  type: ['object', 'null'],
  properties: { messages: { type: 'integer' }, from: time, until: time },
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

const carrierSchema: JsonSchema = {
  type: 'object',
  properties: {
    binds: { type: 'array', items: { type: 'string', examples: ['bound_trx'] } },
    address: { type: 'string', description: 'Where its SMPP server listens.', examples: ['127.0.0.1:2775'] },
  },
};

export const sandboxSchemas = {
  ...sandboxTroubleSchemas,
  Handset: handsetSchema,
  HandsetMessage: messageSchema,
  HandsetMedium: mediumSchema,
  HandsetReply: replySchema,
  QueuedReply: queuedSchema,
  ReceivedWebhook: webhookSchema,
  InboxAnswer: inboxAnswerSchema,
  DemoTraffic: demoSchema,
  SandboxCarrier: carrierSchema,
};

export const sandboxParameters = { Handset: handset };

export const sandboxOperations: Readonly<Record<string, object>> = {
  ...sandboxTroubleOperations,
  '/api/v1/sandbox/handsets': {
    get: {
      operationId: 'listHandsets',
      summary: 'The handsets of the simulated carrier',
      security: bothCredentials,
      responses: sandboxAnswers('The handsets', handsetSchema, 'after'),
    },
  },
  '/api/v1/sandbox/handsets/{number}/messages': {
    get: {
      operationId: 'listHandsetMessages',
      summary: 'What a handset received from your numbers',
      security: bothCredentials,
      parameters: [handset, ...sandboxPolling('message', 'a message')],
      responses: sandboxAnswers('Messages, oldest first', messageSchema, 'after'),
    },
  },
  '/api/v1/sandbox/handsets/{number}/sent': {
    get: {
      operationId: 'listHandsetSent',
      summary: 'What a handset sent to your numbers',
      security: bothCredentials,
      parameters: [handset, ...sandboxPolling('message', 'a message')],
      responses: sandboxAnswers('Messages, oldest first; `receivedAt` is when each left', messageSchema, 'after'),
    },
  },
  '/api/v1/sandbox/handsets/{number}/media/{mediaId}': {
    get: {
      operationId: 'getHandsetMedium',
      summary: 'The bytes of a medium that a handset received or sent',
      security: bothCredentials,
      parameters: [handset, inPath('mediaId', '`hmd_…`')],
      responses: {
        ...sandboxAnswers('', {}),
        200: {
          description: 'The file',
          headers: fileHeaders,
          content: { '*/*': { schema: { type: 'string', contentMediaType: 'application/octet-stream' } } },
        },
        404: refused('There is none, or no more, or the key pair is not a sandbox pair (`NOT_FOUND`).', {
          headers: rateHeaders,
        }),
      },
    },
  },
  '/api/v1/sandbox/handsets/{number}/reply': {
    post: {
      operationId: 'replyFromHandset',
      summary: 'Send a text or pictures from a handset',
      security: bothCredentials,
      parameters: [handset],
      requestBody: { required: true, content: json(replySchema) },
      responses: sandboxAnswers('On its way', queuedSchema),
    },
  },
  '/api/v1/sandbox/demo': {
    get: {
      operationId: 'getDemoTraffic',
      summary: 'Whether this company shows made-up traffic',
      security: bothCredentials,
      responses: sandboxAnswers('What there is of it; null when there is none', demoSchema),
    },
    post: {
      operationId: 'seedDemoTraffic',
      summary: 'Make up 30 days of traffic, for screenshots and charts; none of it is sent, reported or billed',
      security: bothCredentials,
      responses: sandboxAnswers('What was made up', demoSchema),
    },
    delete: {
      operationId: 'removeDemoTraffic',
      summary: 'Remove the made-up traffic',
      security: bothCredentials,
      responses: sandboxAnswers('How many messages went', {
        type: 'object',
        properties: { removed: { type: 'integer' } },
      }),
    },
  },
  '/api/v1/sandbox/carrier': {
    get: {
      operationId: 'getSandboxCarrier',
      summary: 'How the gateway is bound to the simulated carrier of texts',
      security: bothCredentials,
      responses: sandboxAnswers('The state of each bind', carrierSchema),
    },
  },
  '/api/v1/sandbox/reset': {
    post: {
      operationId: 'resetSandbox',
      summary: 'Empty the handsets, make them ordinary again and end all faults',
      security: bothCredentials,
      responses: sandboxAnswers('Done', { type: 'object' }),
    },
  },
  '/api/v1/sandbox/webhooks': {
    get: {
      operationId: 'listReceivedWebhooks',
      summary: 'What arrived at the webhook inbox of the sandbox',
      security: bothCredentials,
      parameters: sandboxPolling('webhook', 'a webhook'),
      responses: sandboxAnswers('Webhooks, oldest first; the latest 500 are kept', webhookSchema, 'after'),
    },
  },
  '/api/v1/sandbox/webhooks/answer': {
    get: {
      operationId: 'getReceivedWebhooksAnswer',
      summary: 'How the webhook inbox answers now',
      security: bothCredentials,
      responses: sandboxAnswers('As it answers now', inboxAnswerSchema),
    },
    post: {
      operationId: 'answerReceivedWebhooks',
      summary: 'How the webhook inbox answers from now on, to try failures',
      security: bothCredentials,
      requestBody: { required: true, content: json(inboxAnswerSchema) },
      responses: sandboxAnswers('As it answers now', inboxAnswerSchema),
    },
  },
};
