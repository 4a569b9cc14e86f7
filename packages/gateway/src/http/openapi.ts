/** Builds the OpenAPI document of the API from its routes. */

import type { Limits } from '../model/limits.ts';
import type { AnyApiRoute } from './guard.ts';
import { namedComponents } from './openapi-components.ts';
import { webhookRequests } from './openapi-events.ts';
import {
  answerHeaders,
  bothCredentials,
  inPath,
  inQuery,
  ok,
  open,
  operationOf,
  ours,
  rateHeaders,
  refused,
  retryHeader,
} from './openapi-parts.ts';
import { withReferences } from './openapi-references.ts';
import { dataSchema, limitsSchema, reasonsSchema } from './schemas.ts';
import type { RouteList } from './unmatched.ts';

const groups = [
  {
    name: 'Messages',
    description: 'Send messages and follow their outcome.',
    path: /^\/(SendSMS|api\/v1\/messages)/,
  },
  { name: 'Media', description: 'Upload media for an MMS, download received media.', path: /^\/(api\/v1\/)?media/ },
  {
    name: 'Webhooks',
    description: 'Endpoints, their deliveries, and the events.',
    path: /^\/api\/v1\/(endpoints|deliveries|events)/,
  },
  { name: 'Opt-outs', description: 'Contacts that want no messages.', path: /^\/api\/v1\/opt-outs/ },
  { name: 'Contacts', description: 'Names, notes and tags of telephones.', path: /^\/api\/v1\/contacts/ },
  { name: 'Usage', description: 'What is billed.', path: /^\/api\/v1\/usage/ },
  { name: 'Sandbox', description: 'Simulated handsets and links.', path: /^\/api\/v1\/sandbox/ },
  { name: 'Gateway', description: 'Limits, reasons, health; no credentials.', path: /^\/(?!api\/)/ },
];

const tags = groups.map(({ name, description }) => ({ name, description }));

/** Of a path without a group: none, which a test refuses. */
function tagOf(path: string): string | undefined {
  return groups.find((group) => group.path.test(path))?.name;
}

const file = { schema: { type: 'string', contentMediaType: 'application/octet-stream' } };

const fileHeaders = {
  ETag: { schema: { type: 'string' } },
  'Accept-Ranges': { schema: { const: 'bytes' } },
  'Content-Disposition': { schema: { type: 'string' } },
};

const contentRange = { 'Content-Range': { schema: { type: 'string' } } };

const download = {
  operationId: 'getMedia',
  summary: 'The bytes of a medium',
  description: 'The signed URL of an upload or of a received picture; it needs no credentials.',
  security: [],
  parameters: [
    inPath('mediaId', '`med_…`'),
    inPath('fileName', 'As in the URL.'),
    { ...inQuery('expires', { type: 'string' }, 'As in the URL.'), required: true },
    { ...inQuery('signature', { type: 'string' }, 'As in the URL.'), required: true },
    {
      name: 'Range',
      in: 'header',
      schema: { type: 'string' },
      description: 'One range of bytes (RFC 9110 §14.1.2).',
    },
  ],
  responses: {
    200: { description: 'The file', headers: fileHeaders, content: { '*/*': file } },
    206: {
      description: 'The part that `Range` asks for',
      headers: { ...fileHeaders, ...contentRange },
      content: { '*/*': file },
    },
    304: { description: 'The file named by `If-None-Match`', headers: fileHeaders, content: {} },
    ...ours,
    404: refused('Expired, altered or unknown (`NOT_FOUND`).'),
    416: refused('`Range` lies beyond the end (`INVALID_FIELD`).', { headers: contentRange }),
    503: refused('Not now (`TEMPORARILY_UNAVAILABLE`).', { headers: retryHeader }),
  },
};

const mediaOperations: Readonly<Record<string, object>> = {
  '/media/{mediaId}/{fileName}': { get: download },
};

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
  };
}

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
