/**
 * The OpenAPI 3.1 document, made from the very schema objects that validate requests. Only routes that are registered
 * appear; a test holds the document against the routes and the answers themselves.
 */
import type { Limits } from '../domain/limits.ts';
import { mediaOperations } from './openapi-media.ts';
import { optOutOperations } from './openapi-opt-outs.ts';
import {
  bothCredentials,
  guarded,
  inPath,
  inQuery,
  json,
  limitParameter,
  notAuthorized,
  ok,
  open,
  ours,
  rateHeaders,
  refused,
  rejected,
  retryHeader,
  withCredentials,
} from './openapi-parts.ts';
import { sandboxOperations } from './openapi-sandbox.ts';
import { usageOperations } from './openapi-usage.ts';
import { webhookOperations } from './openapi-webhooks.ts';
import {
  dataSchema,
  limitsSchema,
  messageSchema,
  reasonsSchema,
  sendAnswerSchema,
  sendRequestSchema,
} from './schemas.ts';
import type { RouteList } from './unmatched.ts';

export function openApiDocument(parts: {
  version: string;
  limits: Limits;
  baseUrl: string;
  routes: RouteList;
}): object {
  const registered = Object.entries(operations(parts.limits)).filter(([path]) =>
    parts.routes.has(path.replace(/\{(\w+)\}/g, ':$1')),
  );
  return {
    openapi: '3.1.0',
    info: {
      title: 'Heliograph Messaging API',
      version: '1.0.0',
      description: `Sending SMS and MMS, looking up what became of them, being told of it, and who wants no messages. Served by Heliograph ${parts.version}. Every rejection carries the same envelope with \`success\` false.`,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: parts.baseUrl }],
    paths: Object.fromEntries(registered),
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

/** Every operation the gateway can have, by path and method. */
function operations(limits: Limits): Readonly<Record<string, object>> {
  return {
    '/SendSMS': { post: sendOperation(limits) },
    '/api/v1/messages/{messageId}': { get: getMessageOperation },
    '/api/v1/messages': { get: listMessagesOperation },
    '/limits': { get: open('getLimits', 'The limits of this gateway', limitsSchema(limits)) },
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
    ...webhookOperations,
    ...optOutOperations,
    ...mediaOperations,
    ...usageOperations,
    ...sandboxOperations,
  };
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

const getMessageOperation = guarded({
  operationId: 'getMessage',
  summary: 'One message and what became of it',
  scope: 'read',
  parameters: [inPath('messageId', '`msg_…`')],
  answer: ok('The message', dataSchema(messageSchema), { headers: rateHeaders }),
  notFound: 'Not there, or not on this account',
});

const listMessagesOperation = guarded({
  operationId: 'listMessages',
  summary: 'Sent and received messages',
  description: 'Newest first; with `after` oldest first, which is how to ask for what is new.',
  scope: 'read',
  parameters: [
    inQuery('direction', { type: 'string', enum: ['outbound', 'inbound'] }, 'Both when left out.'),
    inQuery('from', { type: 'string' }, 'Only from this number.'),
    inQuery('to', { type: 'string' }, 'Only to this number.'),
    inQuery('before', { type: 'string' }, '`next` of the page before, newest first.'),
    inQuery(
      'after',
      { type: 'string' },
      'A message id, or `next` of the page before: what came after it, oldest first.',
    ),
    limitParameter,
  ],
  answer: ok('A page', dataSchema(messageSchema, 'before'), { headers: rateHeaders }),
});

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
