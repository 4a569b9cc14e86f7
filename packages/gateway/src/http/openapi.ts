/** Builds the OpenAPI document of the API from its routes. */

import type { Limits } from '../model/limits.ts';
import type { AnyApiRoute } from './guard.ts';
import { namedComponents } from './openapi-components.ts';
import { webhookRequests } from './openapi-events.ts';
import { openOperations, sandboxPath } from './openapi-open.ts';
import { answerHeaders, bothCredentials, operationOf, rateHeaders } from './openapi-parts.ts';
import { withReferences } from './openapi-references.ts';
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

/** None for a path without a group; a test refuses that. */
function tagOf(path: string): string | undefined {
  return groups.find((group) => group.path.test(path))?.name;
}

/**
 * Programs that send need the first document. The second is for programs that test in the sandbox, and exists only with
 * it.
 */
const documentPath = '/openapi.json';

const isSandbox = ({ path }: AnyApiRoute) => path.startsWith('/api/v1/sandbox/');

interface Described {
  version: string;
  limits: Limits;
  baseUrl: string;
  routes: RouteList;
  records: readonly AnyApiRoute[];
}

/** The documents by path. `parts` is called when one is requested: the port is known only by then. */
export function openApiDocuments(
  records: readonly AnyApiRoute[],
  parts: () => Described,
): Record<string, () => object> {
  const sandbox = records.filter(isSandbox);
  return {
    [documentPath]: () => apiDocument(parts()),
    ...(sandbox.length > 0 && { [sandboxPath]: () => sandboxDocument(parts(), sandbox) }),
  };
}

function apiDocument(parts: Described): object {
  const { limits, routes } = parts;
  const records = parts.records.filter((one) => !isSandbox(one));
  const registered = Object.entries(openOperations(limits)).filter(([path]) =>
    routes.has(path.replace(/\{(\w+)\}/g, ':$1')),
  );
  const apart = routes.has(sandboxPath) ? ` The sandbox has a document of its own: \`${sandboxPath}\`.` : '';
  return documentOf(parts, records, {
    title: 'Heliograph Messaging API',
    about: `Sending SMS and MMS, looking up what became of them, being told of it, and who wants no messages.${apart}`,
    paths: { ...Object.fromEntries(registered), ...pathsOf(records) },
    webhooks: routes.has('/api/v1/endpoints') ? webhookRequests : {},
  });
}

function sandboxDocument(parts: Described, records: readonly AnyApiRoute[]): object {
  return documentOf(parts, records, {
    title: 'Heliograph Sandbox API',
    about: `Handsets, faults and webhooks of the simulated carrier. All else is in \`${documentPath}\`.`,
    paths: pathsOf(records),
    webhooks: {},
  });
}

function pathsOf(records: readonly AnyApiRoute[]): Record<string, object> {
  const byPath = Map.groupBy(records, ({ path }) => path.replace(/:(\w+)/g, '{$1}'));
  return Object.fromEntries(
    [...byPath].map(([path, routes]) => [
      path,
      Object.fromEntries(routes.map((route) => [route.method.toLowerCase(), operationOf(route)])),
    ]),
  );
}

function documentOf(
  { version, limits, baseUrl }: Described,
  records: readonly AnyApiRoute[],
  { title, about, paths, webhooks }: { title: string; about: string; paths: Record<string, object>; webhooks: object },
): object {
  const tagged = Object.fromEntries(Object.entries(paths).map(([path, methods]) => [path, grouped(path, methods)]));
  const used = new Set(Object.keys(paths).map(tagOf));
  const { parts: referring, components } = withReferences(
    { paths: tagged, webhooks },
    namedComponents(limits, records),
  );
  return {
    openapi: '3.1.0',
    info: {
      title,
      version: '1.0.0',
      description: `${about} Served by Heliograph ${version}. \`Scope\` is what the key pair of a request needs. Every rejection carries the same envelope with \`success\` false. Every answer has the headers \`${Object.keys(answerHeaders).join('` and `')}\`; where credentials are needed, \`${Object.keys(rateHeaders).join('` and `')}\` too, while a limit holds.`,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: baseUrl }],
    security: bothCredentials,
    tags: groups.filter(({ name }) => used.has(name)).map(({ name, description }) => ({ name, description })),
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

/** The operations of a path with their tag, without what the document says once for all of them. */
function grouped(path: string, methods: object): object {
  const operations = Object.entries(methods as Record<string, { security?: unknown }>);
  return Object.fromEntries(
    operations.map(([method, { security, ...operation }]) => [
      method,
      { tags: [tagOf(path)], ...operation, ...(security !== bothCredentials && { security }) },
    ]),
  );
}
