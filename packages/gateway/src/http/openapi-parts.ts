/** Building blocks of OpenAPI operations: answers, headers, credentials. */
import type { KeyScope } from '../model/records.ts';
import { renderRejection } from './envelope.ts';
import type { AnyApiRoute } from './guard.ts';
import { limitQuery } from './query-fields.ts';
import { dataSchema, type JsonSchema, rejectionSchema } from './schemas.ts';

export type Responses = Record<string, object>;

/** Both at once: neither credential is worth anything alone. The second entry keeps the secret out of the URL. */
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
  return { description, headers: { ...answerHeaders, ...extra.headers }, content: json(schema, extra.examples) };
}

export function refused(description: string, extra: { headers?: object; examples?: object } = {}): object {
  return ok(description, rejectionSchema, extra);
}

export function rejected(summary: string, reason: string, detail: string): object {
  return { summary, value: JSON.parse(renderRejection(reason, detail)) };
}

/** What any path may answer when the HTTP itself is at fault, or we are. */
export const ours = {
  400: refused('Malformed HTTP (`INVALID_REQUEST`).'),
  408: refused('The request came too slowly (`INVALID_REQUEST`).'),
  431: refused('The headers are too large (`INVALID_REQUEST`).'),
  500: refused('A fault of the gateway (`INTERNAL_ERROR`).'),
} satisfies Responses;

export const notAuthorized = rejected(
  'Credentials not accepted',
  'NOT_AUTHORIZED',
  'The credentials were not accepted.',
);

export const withCredentials = {
  ...ours,
  400: refused('An error in the request, or credentials that were not accepted; `reason` says which.', {
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
} satisfies Responses;

export function open(operationId: string, summary: string, data: JsonSchema): object {
  return { operationId, summary, security: [], responses: { 200: ok(summary, dataSchema(data)), ...ours } };
}

/** An operation of `/api/v1` on things of the caller's account and environment; `scope` is what its key pair needs. */
export function guarded(parts: {
  operationId: string;
  summary: string;
  scope: KeyScope;
  /** Of the answer 200. */
  answer: object;
  description?: string;
  parameters?: readonly object[];
  /** `required` by default. */
  body?: { content: object; required?: boolean };
  /** Another account's and the other environment's things are not found either. */
  notFound?: string;
  /** What it was meant for is not in a state for it. */
  conflict?: string;
  /** In the place of what every operation answers, by status. */
  responses?: Responses;
}): object {
  const { operationId, summary, scope, parameters = [], body, notFound, conflict } = parts;
  const needs = `The key pair needs the scope \`${scope}\`.`;
  return {
    operationId,
    summary,
    description: parts.description === undefined ? needs : `${parts.description} ${needs}`,
    security: bothCredentials,
    ...(parameters.length > 0 && { parameters }),
    ...(body !== undefined && { requestBody: { required: body.required ?? true, content: body.content } }),
    responses: {
      200: parts.answer,
      ...withCredentials,
      ...parts.responses,
      ...(notFound !== undefined && { 404: notFoundAnswer(notFound) }),
      ...(conflict !== undefined && { 409: refused(conflict, { headers: rateHeaders }) }),
    },
  };
}

/** The operation of a route that is data. */
export function operationOf({ params = {}, query = {}, body, answer, parameters = [], ...route }: AnyApiRoute): object {
  return guarded({
    ...route,
    parameters: [
      ...[...route.path.matchAll(/:(\w+)/g)].map(([, name = '']) => inPath(name, params[name] ?? '')),
      ...Object.entries(query).map(([name, field]) => ({
        ...inQuery(name, field.schema, field.description),
        ...(field.required === true && { required: true }),
      })),
      ...parameters,
    ],
    ...(body !== undefined &&
      Object.keys(body.content).length > 0 && {
        body: { content: body.content, required: body.kind !== 'optional json' },
      }),
    answer: {
      description: answer.description,
      headers: { ...(answer.data !== null && answerHeaders), ...rateHeaders, ...answer.headers },
      content: answer.content,
    },
  });
}

export function notFoundAnswer(what: string): object {
  return refused(`${what} (\`NOT_FOUND\`).`, { headers: rateHeaders });
}

export function inPath(name: string, description: string): object {
  return { name, in: 'path', required: true, schema: { type: 'string' }, description };
}

export function inQuery(name: string, schema: JsonSchema, description: string): object {
  return { name, in: 'query', schema, description };
}

export const limitParameter = inQuery('limit', limitQuery.schema, limitQuery.description);

export const notSandbox = 'The key pair is not a sandbox pair';
