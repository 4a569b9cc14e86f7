/**
 * The OpenAPI 3.1 document, made from the very schema objects that validate requests. Only routes that are registered
 * appear; a test holds the document against the routes and the answers themselves.
 */
import { deliveryStates } from '../domain/lifecycle.ts';
import type { Limits } from '../domain/limits.ts';
import type { AnyApiRoute } from './guard.ts';
import { namedComponents } from './openapi-components.ts';
import { webhookRequests } from './openapi-events.ts';
import { mediaOperations } from './openapi-media.ts';
import {
  answerHeaders,
  bothCredentials,
  guarded,
  inPath,
  inQuery,
  json,
  limitParameter,
  notAuthorized,
  ok,
  open,
  operationOf,
  ours,
  rateHeaders,
  refused,
  rejected,
  retryHeader,
  withCredentials,
} from './openapi-parts.ts';
import { withReferences } from './openapi-references.ts';
import { sandboxOperations } from './openapi-sandbox.ts';
import { tagOf, tags } from './openapi-tags.ts';
import { usageOperations } from './openapi-usage.ts';
import {
  canceledSchema,
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
  records: readonly AnyApiRoute[];
}): object {
  const registered = Object.entries(operations(parts.limits)).filter(([path]) =>
    parts.routes.has(path.replace(/\{(\w+)\}/g, ':$1')),
  );
  const byPath = Map.groupBy(parts.records, ({ path }) => path.replace(/:(\w+)/g, '{$1}'));
  for (const [path, routes] of byPath) {
    registered.push([
      path,
      Object.fromEntries(routes.map((route) => [route.method.toLowerCase(), operationOf(route)])),
    ]);
  }
  const paths = Object.fromEntries(registered.map(([path, methods]) => [path, grouped(path, methods)]));
  const webhooks = parts.routes.has('/api/v1/endpoints') ? webhookRequests : {};
  const { parts: referring, components } = withReferences(
    { paths, webhooks },
    namedComponents(parts.limits, parts.records),
  );
  return {
    openapi: '3.1.0',
    info: {
      title: 'Heliograph Messaging API',
      version: '1.0.0',
      description: `Sending SMS and MMS, looking up what became of them, being told of it, and who wants no messages. Served by Heliograph ${parts.version}. Every rejection carries the same envelope with \`success\` false. Every answer has the headers \`${Object.keys(answerHeaders).join('` and `')}\`; where credentials are needed, \`${Object.keys(rateHeaders).join('` and `')}\` too, while a limit holds.`,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: parts.baseUrl }],
    security: bothCredentials,
    tags,
    ...referring,
    components: {
      ...components,
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

interface Described {
  security?: unknown;
  responses: { 200: { headers?: object } };
}

/** The operations of a path with their tag, and without what the document says once for all of them. */
function grouped(path: string, methods: object): object {
  const operations = Object.entries(methods as Record<string, Described>);
  return Object.fromEntries(
    operations.map(([method, { security, responses, ...operation }]) => [
      method,
      {
        tags: [tagOf(path)],
        ...operation,
        ...(security !== bothCredentials && { security }),
        responses: { ...responses, 200: withoutCommonHeaders(responses[200]) },
      },
    ]),
  );
}

/** An answer without the headers of every answer; `info.description` names those. */
function withoutCommonHeaders({ headers = {}, ...answer }: { headers?: object }): object {
  const own = Object.entries(headers).filter(([name]) => !(name in answerHeaders || name in rateHeaders));
  return { ...answer, ...(own.length > 0 && { headers: Object.fromEntries(own) }) };
}

/** Every operation the gateway can have, by path and method. */
function operations(limits: Limits): Readonly<Record<string, object>> {
  return {
    '/SendSMS': { post: sendOperation(limits) },
    '/api/v1/messages/{messageId}': { get: getMessageOperation },
    '/api/v1/messages/{messageId}/cancel': { post: cancelMessageOperation },
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

const cancelMessageOperation = guarded({
  operationId: 'cancelMessage',
  summary: 'Cancel a message that still waits',
  description: 'Only a message that is `queued` or `held` can be canceled. To repeat it is safe.',
  scope: 'send',
  parameters: [inPath('messageId', '`msg_…`')],
  answer: ok('It is canceled', dataSchema(canceledSchema), { headers: rateHeaders }),
  notFound: 'Not there, or not on this account',
  conflict: 'It does not wait any more (`NOT_WAITING`); `detail` says its state.',
});

const listMessagesOperation = guarded({
  operationId: 'listMessages',
  summary: 'Sent and received messages',
  description:
    'Newest first; with `after` oldest first, which is how to ask for what is new. With `referenceId` or `state` a page looks back a bounded number of messages: it may be short and still have a `next`.',
  scope: 'read',
  parameters: [
    inQuery('direction', { type: 'string', enum: ['outbound', 'inbound'] }, 'Both when left out.'),
    inQuery('from', { type: 'string' }, 'Only from this number.'),
    inQuery('to', { type: 'string' }, 'Only to this number.'),
    inQuery('referenceId', { type: 'string' }, 'Only what was sent with this reference. Not with `after`.'),
    inQuery(
      'state',
      { type: 'string', enum: [...deliveryStates] },
      'Only what is in this state now. Not with `after`.',
    ),
    inQuery('since', { type: 'string', format: 'date-time' }, 'Only what was accepted at this time or later.'),
    inQuery('until', { type: 'string', format: 'date-time' }, 'Only what was accepted before this time.'),
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
