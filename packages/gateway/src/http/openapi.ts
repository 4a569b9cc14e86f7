/**
 * The OpenAPI 3.1 document, made from the very schema objects that validate requests. It describes what the routes do;
 * a test holds its paths, methods and statuses against the routes themselves.
 */
import type { Limits } from '../domain/limits.ts';
import { renderRejection } from './envelope.ts';
import {
  dataSchema,
  type JsonSchema,
  limitsSchema,
  messageSchema,
  reasonsSchema,
  rejectionSchema,
  sendAnswerSchema,
  sendRequestSchema,
} from './schemas.ts';

type Responses = Record<string, object>;

/** Both at once: neither credential is worth anything alone. The second entry keeps the secret out of the URL. */
const bothCredentials = [
  { bearerAuth: [], apikey: [] },
  { bearerAuth: [], apiKeyHeader: [] },
];

const answerHeaders = {
  'X-Request-Id': { schema: { type: 'string' }, description: 'Names this request in logs; `req_…`.' },
  'Api-Version': { schema: { type: 'string' } },
};
const rateHeaders = {
  'RateLimit-Policy': { schema: { type: 'string' } },
  RateLimit: { schema: { type: 'string' } },
};
const retryHeader = { 'Retry-After': { schema: { type: 'integer' }, description: 'Seconds.' } };

export function openApiDocument(parts: { version: string; limits: Limits; baseUrl: string }): object {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Heliograph Messaging API',
      version: '1.0.0',
      description: `Sending SMS and MMS, and looking up what became of them. Served by Heliograph ${parts.version}. Every rejection carries the same envelope with \`success\` false.`,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: parts.baseUrl }],
    paths: {
      '/SendSMS': { post: sendOperation(parts.limits) },
      '/api/v1/messages/{messageId}': { get: getMessageOperation },
      '/api/v1/messages': { get: listMessagesOperation },
      '/limits': { get: open('getLimits', 'The limits of this gateway', limitsSchema(parts.limits)) },
      '/reasons': { get: open('getReasons', 'Every reason, status and outcome code', reasonsSchema) },
      '/healthz': { get: open('getHealth', 'Whether the process is alive', { type: 'object' }) },
      '/readyz': { get: readyOperation },
      '/': { get: open('getStart', 'Name, version and where the documents are', { type: 'object' }) },
      '/openapi.json': {
        get: {
          operationId: 'getOpenApi',
          summary: 'This document',
          security: [],
          responses: { 200: ok('The document', { type: 'object' }), ...ours },
        },
      },
    },
    components: {
      securitySchemes: {
        bearerAuth: { type: 'http', scheme: 'bearer', description: 'The Bearer Token (`bt_…`).' },
        apikey: { type: 'apiKey', in: 'query', name: 'apikey', description: 'The Auth Token (`at_…`).' },
        apiKeyHeader: {
          type: 'apiKey',
          in: 'header',
          name: 'X-Api-Key',
          description: 'The Auth Token, kept out of the URL.',
        },
      },
    },
  };
}

function json(schema: JsonSchema, examples?: object): object {
  return { 'application/json': { schema, ...(examples === undefined ? {} : { examples }) } };
}

function ok(description: string, schema: JsonSchema, extra: { headers?: object; examples?: object } = {}): object {
  return { description, headers: { ...answerHeaders, ...extra.headers }, content: json(schema, extra.examples) };
}

function refused(description: string, extra: { headers?: object; examples?: object } = {}): object {
  return ok(description, rejectionSchema, extra);
}

function rejected(summary: string, reason: string, detail: string): object {
  return { summary, value: JSON.parse(renderRejection(reason, detail)) };
}

/** What any path may answer when the HTTP itself is at fault, or we are. */
const ours: Responses = {
  400: refused('HTTP that cannot be read (`INVALID_REQUEST`).'),
  408: refused('The request came too slowly (`INVALID_REQUEST`).'),
  431: refused('The headers are too large (`INVALID_REQUEST`).'),
  500: refused('A fault of the gateway (`INTERNAL_ERROR`).'),
};

const notAuthorized = rejected('Credentials not accepted', 'NOT_AUTHORIZED', 'The credentials were not accepted.');

const withCredentials: Responses = {
  ...ours,
  400: refused('Something the caller sent; `reason` says what. Credentials that are not accepted, too.', {
    headers: rateHeaders,
    examples: {
      notAuthorized,
      invalidField: rejected(
        'A parameter out of range',
        'INVALID_FIELD',
        'The query parameter limit must be a whole number from 1 to 100.',
      ),
    },
  }),
  429: refused('Too many requests (`RATE_LIMITED`).', { headers: { ...rateHeaders, ...retryHeader } }),
  503: refused('Not now (`TEMPORARILY_UNAVAILABLE`).', { headers: { ...rateHeaders, ...retryHeader } }),
};

function open(operationId: string, summary: string, data: JsonSchema): object {
  return { operationId, summary, security: [], responses: { 200: ok(summary, dataSchema(data)), ...ours } };
}

function sendOperation(limits: Limits): object {
  return {
    operationId: 'sendSMS',
    summary: 'Send an SMS or MMS to one or more numbers',
    description:
      'Accepted means stored safely; each recipient has its own `status`, and a bad number never fails the request. Fields that are not described are ignored and named in the header `X-Unknown-Fields`.',
    security: bothCredentials,
    parameters: [
      {
        name: 'dryRun',
        in: 'query',
        schema: { type: 'string', enum: ['true', 'false'] },
        description: 'Check everything, send nothing.',
      },
      {
        name: 'Idempotency-Key',
        in: 'header',
        schema: { type: 'string', minLength: 1, maxLength: limits.idempotencyKeyCharactersMax },
        description: `The same key with the same body gets the stored answer for ${limits.idempotencyKeptHours} h instead of a second message.`,
      },
    ],
    requestBody: {
      required: true,
      content: json(sendRequestSchema(limits), {
        oneText: {
          summary: 'One text',
          value: { from: '12025550199', to: ['12025550100'], text: 'Hello from my gateway' },
        },
      }),
    },
    responses: {
      ...withCredentials,
      200: ok('Accepted. Read `schema.resultResponses` for each recipient.', sendAnswerSchema, {
        headers: {
          ...rateHeaders,
          'Idempotent-Replayed': { schema: { const: 'true' } },
          'X-Dry-Run': { schema: { const: '1' } },
          'X-Unknown-Fields': { schema: { type: 'string' } },
        },
        examples: { accepted: { summary: 'Accepted for one recipient', value: acceptedExample } },
      }),
      400: refused('Something the caller sent; `reason` says what. Credentials that are not accepted, too.', {
        headers: rateHeaders,
        examples: {
          notAuthorized,
          missingField: rejected(
            'A required field is missing',
            'MISSING_FIELD',
            'text is missing, and it is required. Add it and send again. Nothing was sent or billed.',
          ),
          senderNotEnabled: rejected(
            'SMS is off for the number',
            'SENDER_NOT_ENABLED',
            '12025550198 is on your account but SMS is off. Turn it on under Numbers, then send again. Nothing was sent or billed.',
          ),
        },
      }),
    },
  };
}

const acceptedExample = {
  success: true,
  reason: 'SUCCESS',
  detail: 'Accepted for 1 of 1 recipients.',
  schema: {
    referenceId: '0192f1c2-7a51-7c3e-9b57-3f0b6a1d2c44',
    from: '12025550199',
    text: 'Hello from my gateway',
    resultResponses: [{ to: '12025550100', status: 'SUCCESS', messageId: 'msg_01JD8Z6QF2X5T9V3B7N1KMHGCA' }],
    messageType: 'SMS',
    encoding: 'GSM-7',
    segments: 1,
  },
};

const getMessageOperation = {
  operationId: 'getMessage',
  summary: 'One message and what became of it',
  security: bothCredentials,
  parameters: [{ name: 'messageId', in: 'path', required: true, schema: { type: 'string' } }],
  responses: {
    200: ok('The message', dataSchema(messageSchema), { headers: rateHeaders }),
    ...withCredentials,
    404: refused('Not there, or not on this account (`NOT_FOUND`).', {
      headers: rateHeaders,
      examples: {
        notFound: rejected('No such message', 'NOT_FOUND', 'Your account has no message with this id. Check the id.'),
      },
    }),
  },
};

const listMessagesOperation = {
  operationId: 'listMessages',
  summary: 'Sent and received messages, newest first',
  security: bothCredentials,
  parameters: [
    { name: 'direction', in: 'query', schema: { type: 'string', enum: ['outbound', 'inbound'] } },
    { name: 'from', in: 'query', schema: { type: 'string' }, description: 'Only from this number.' },
    { name: 'to', in: 'query', schema: { type: 'string' }, description: 'Only to this number.' },
    { name: 'before', in: 'query', schema: { type: 'string' }, description: '`next` of the page before.' },
    { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 100, default: 50 } },
  ],
  responses: { 200: ok('A page', dataSchema(messageSchema, true), { headers: rateHeaders }), ...withCredentials },
};

const readyOperation = {
  operationId: 'getReadiness',
  summary: 'Whether the gateway can take messages now',
  security: [],
  responses: {
    200: ok('Ready', dataSchema({ type: 'object' })),
    ...ours,
    503: refused('Not ready (`TEMPORARILY_UNAVAILABLE`).', { headers: retryHeader }),
  },
};
