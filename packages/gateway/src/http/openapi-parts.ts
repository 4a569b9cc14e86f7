/** Building blocks of OpenAPI operations: answers, headers, credentials. */
import { renderRejection } from './envelope.ts';
import type { AnyApiRoute } from './guard.ts';
import { dataSchema, type JsonSchema, rejectionSchema } from './schemas.ts';

/** Both are required together. The second entry keeps the secret out of the URL. */
export const bothCredentials = [
  { bearerAuth: [], apikey: [] },
  { bearerAuth: [], apiKeyHeader: [] },
];

export const answerHeaders = {
  'X-Request-Id': { schema: { type: 'string' }, description: 'Names this request in logs; `req_…`.' },
  'Api-Version': { schema: { type: 'string' }, description: 'The version of this contract.' },
};
export const rateHeaders = {
  'RateLimit-Policy': { schema: { type: 'string' }, description: 'Requests per second, and how many at once.' },
  RateLimit: { schema: { type: 'string' }, description: 'How many requests are left, and when there are more.' },
};
export const retryHeader = { 'Retry-After': { schema: { type: 'integer' }, description: 'Seconds.' } };

export function json(schema: JsonSchema, examples?: object): object {
  return { 'application/json': { schema, ...(examples === undefined ? {} : { examples }) } };
}

export function ok(
  description: string,
  schema: JsonSchema,
  extra: { headers?: object; examples?: object } = {},
): object {
  const { headers, examples } = extra;
  return { description, ...(headers !== undefined && { headers }), content: json(schema, examples) };
}

export function refused(description: string, extra: { headers?: object; examples?: object } = {}): object {
  return ok(description, rejectionSchema, extra);
}

export function rejected(summary: string, reason: string, detail: string): object {
  return { summary, value: JSON.parse(renderRejection(reason, detail)) };
}

/** The refusals of an operation, by status. */
export type Refusals = Readonly<Record<number, string>>;

/** Refusals of any path, for faulty HTTP or our own failures. */
const ours: Refusals = {
  400: 'Malformed HTTP (`INVALID_REQUEST`).',
  408: 'The request came too slowly (`INVALID_REQUEST`).',
  421: 'The header `Host` has a name that is not the gateway’s; not at `/healthz` and `/readyz` (`INVALID_REQUEST`).',
  431: 'The headers are too large (`INVALID_REQUEST`).',
  500: 'A fault of the gateway (`INTERNAL_ERROR`).',
};

const withCredentials: Refusals = {
  ...ours,
  400: 'An error in the request, or credentials that were not accepted; `reason` says which.',
  429: 'Too many requests (`RATE_LIMITED`).',
  503: 'Not now (`TEMPORARILY_UNAVAILABLE`).',
};

/** One answer for many statuses: each operation refers to it as its `default`, not to one answer for each status. */
function refusedWith(refusals: Refusals, extra: { headers: object; examples?: object }): object {
  const lines = Object.entries(refusals).map(([status, description]) => `- \`${status}\` ${description}`);
  return refused(`Refused:\n${lines.join('\n')}`, extra);
}

/** The refusals that such an answer describes, by status. */
export function refusalsOf(description: string): Refusals {
  return Object.fromEntries(
    [...description.matchAll(/^- `(\d{3})` (.+)$/gm)].map(([, status, text]) => [status, text]),
  );
}

const notAuthorized = rejected('Credentials not accepted', 'NOT_AUTHORIZED', 'The credentials were not accepted.');

/** The `default` answers of operations without and with credentials. */
export const refusedOpen = refusedWith(ours, { headers: answerHeaders });
export const refusedGuarded = refusedWith(withCredentials, {
  headers: { ...answerHeaders, ...rateHeaders, ...retryHeader },
  examples: {
    notAuthorized,
    invalidField: rejected(
      'A parameter out of range',
      'INVALID_FIELD',
      'The query parameter limit must be a whole number from 1 to 100.',
    ),
  },
});

export function open(operationId: string, summary: string, data: JsonSchema): object {
  return {
    operationId,
    summary,
    security: [],
    responses: { 200: ok(summary, dataSchema(data)), default: refusedOpen },
  };
}

/** The OpenAPI operation of a route. Its records belong to the caller's account and environment. */
export function operationOf(route: AnyApiRoute): object {
  const { operationId, summary, description, scope, notFound, conflict } = route;
  const needs = `Scope \`${scope}\`.`;
  const parameters = parametersOf(route);
  const requestBody = requestOf(route.body);
  return {
    operationId,
    summary,
    description: description === undefined ? needs : `${description} ${needs}`,
    security: bothCredentials,
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody !== undefined && { requestBody }),
    responses: {
      200: answerOf(route.answer),
      ...route.responses,
      ...(notFound !== undefined && { 404: notFoundAnswer(notFound) }),
      ...(conflict !== undefined && { 409: refused(conflict) }),
      default: refusedGuarded,
    },
  };
}

/** Undefined when the document describes no body. */
export function requestOf(body: AnyApiRoute['body']): object | undefined {
  if (body === undefined || Object.keys(body.content).length === 0) return undefined;
  return { ...(body.kind !== 'optional json' && { required: true }), content: body.content };
}

export interface Parameter {
  name: string;
  in: string;
  schema: JsonSchema;
}

export function parametersOf({ path, params = {}, query = {}, parameters = [] }: AnyApiRoute): Parameter[] {
  return [
    ...[...path.matchAll(/:(\w+)/g)].map(([, name = '']) => inPath(name, params[name] ?? '')),
    ...Object.entries(query).map(([name, field]) => ({
      ...inQuery(name, field.schema, field.description),
      ...(field.required === true && { required: true }),
      ...(field.explode === false && { explode: false }),
    })),
    ...(parameters as readonly Parameter[]),
  ];
}

export function answerOf({ description, headers, content }: AnyApiRoute['answer']): object {
  return { description, ...(headers !== undefined && { headers }), content };
}

export function notFoundAnswer(what: string): object {
  return refused(`${what} (\`NOT_FOUND\`).`);
}

export function inPath(name: string, description: string) {
  return { name, in: 'path', required: true, schema: { type: 'string' }, description };
}

export function inQuery(name: string, schema: JsonSchema, description: string) {
  return { name, in: 'query', schema, description };
}

export const notSandbox = 'The key pair is not a sandbox pair';
