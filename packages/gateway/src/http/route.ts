/**
 * Routes as data: one record holds path, access, input, answer and handler. The guard, the OpenAPI documents and the
 * types derive from it. Schemas compile at the first body: compiling all at start would take a third of a second.
 */
import type { Answer } from './exchange.ts';
import type { FileSlots } from './file-semaphore.ts';
import { createBodyReader, type ReadBody } from './json-body.ts';
import type { QueryFields, QueryOf } from './query-fields.ts';
import type { JsonSchema } from './schemas.ts';
import { enveloped, pageSchemas, successSchema } from './schemas.ts';
import { type Shape, written } from './shape.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

declare const gives: unique symbol;
declare const holds: unique symbol;

/** How a body is read; `Given` is what `work` gets of it. */
export interface BodyRule<Given> {
  readonly [gives]?: Given;
  kind: 'json' | 'optional json' | 'json or csv' | 'file';
  /** `content` of the OpenAPI request body. */
  content: object;
  /** For a JSON body: returns its fields, or the answer that names the first fault. Absent = `work` reads the body. */
  read?: ReadBody<unknown>;
  /** Limits file bodies in memory. */
  fileSlots?: FileSlots;
}

export interface JsonGiven<T> {
  body: T;
  /** The raw body. */
  bytes: Buffer;
}

type Examples = Readonly<Record<string, { summary: string; value: unknown }>>;

/**
 * A JSON body validated by the schema. `optional`: no body counts as an empty object. `shownAs`: an equivalent schema
 * for the document, built on one that other routes share.
 */
export function jsonBody<T>(
  shape: Shape<T>,
  extra: { optional?: true; examples?: Examples; shownAs?: JsonSchema } = {},
): BodyRule<JsonGiven<T>> {
  return {
    kind: extra.optional === true ? 'optional json' : 'json',
    content: jsonContent(extra.shownAs ?? shape, extra.examples),
    read: createBodyReader<T>(shape),
  };
}

/** For routes without settings: no body, or an empty object. */
export const noFields: BodyRule<JsonGiven<object>> = {
  kind: 'optional json',
  content: {},
  read: createBodyReader<object>(written<object>({ type: 'object', properties: {}, additionalProperties: false })),
};

/** A JSON body that `work` reads itself or ignores; `schema` is for the document, null for none. */
export function ownBody(
  schema: JsonSchema | null,
  extra: { optional?: true; examples?: Examples } = {},
): BodyRule<JsonGiven<unknown>> {
  return {
    kind: extra.optional === true ? 'optional json' : 'json',
    content: schema === null ? {} : jsonContent(schema, extra.examples),
  };
}

/** A body that is a table (`text/csv`, RFC 4180) or JSON; `schema` describes the JSON, null for none. */
export function tableBody(
  schema: JsonSchema | null,
): BodyRule<{ body: { kind: 'json'; value: unknown } | { kind: 'csv'; text: string } }> {
  return {
    kind: 'json or csv',
    content: { ...(schema !== null && jsonContent(schema)), 'text/csv': { schema: { type: 'string' } } },
  };
}

/** A body that is one file of any type. */
export function fileBody(fileSlots: FileSlots): BodyRule<{ bytes: Buffer }> {
  const schema = { type: 'string', contentMediaType: 'application/octet-stream' };
  return { kind: 'file', content: { '*/*': { schema } }, fileSlots };
}

function jsonContent(schema: JsonSchema, examples?: Examples): object {
  return { 'application/json': { schema, ...(examples !== undefined && { examples }) } };
}

/** What a route answers with 200; `T` is the type of `data`. */
export interface AnswerRule<T> {
  readonly [holds]?: T;
  description: string;
  /** Schema of `data`; null when the answer is not JSON. */
  data: JsonSchema | null;
  /** `content` of the OpenAPI answer. */
  content: object;
  /** Headers beyond the common ones, by name. */
  headers?: Readonly<Record<string, object>>;
}

/** `data` in the envelope of all answers beyond the frozen contract. */
export function answers<T>(shape: Shape<T>, description: string): AnswerRule<T> {
  return { description, data: shape, content: jsonContent(enveloped(successSchema, shape)) };
}

/** The same, with `next`: the cursor that the parameter `by` takes. */
export function answersPage<T>(shape: Shape<T>, by: 'before' | 'after', description: string): AnswerRule<T> {
  return { description, data: shape, content: jsonContent(enveloped(pageSchemas[by], shape)) };
}

/** A file of any type. */
export function answersFile(description: string, headers: Readonly<Record<string, object>>): AnswerRule<never> {
  const schema = { type: 'string', contentMediaType: 'application/octet-stream' };
  return { description, data: null, content: { '*/*': { schema } }, headers };
}

/** A table or a stream: an answer that is not JSON. */
export function answersRaw(
  contentType: string,
  description: string,
  headers?: Readonly<Record<string, object>>,
): AnswerRule<never> {
  const content = { [contentType]: { schema: { type: 'string' } } };
  return { description, data: null, content, ...(headers !== undefined && { headers }) };
}

/** `Base` is the admitted call; query and body are added to it. */
export interface RouteRecord<Base, Q extends QueryFields, Given, T> {
  method: Method;
  /** With parameters as `:name`. */
  path: string;
  /** Refuses callers for whom the route does not exist, before query and body are validated. */
  admits?(call: Base): Answer<never> | null;
  /** Refuses by the caller alone, before the body is read. Must cost little: it is for overload. */
  refusesUnread?(call: Base): Answer<never> | null;
  /** Its parameters; each at most once, validated before `work`. */
  query?: Q;
  body?: BodyRule<Given>;
  answer: AnswerRule<T>;
  /** The result must match `answer`, which alone determines `T`. */
  work(call: Base & Given & { query: QueryOf<Q> }): Answer<NoInfer<T>> | Promise<Answer<NoInfer<T>>>;
}

/** A record in a list, without its types: those are known where it is written. */
export type AnyRoute = Omit<RouteRecord<never, QueryFields, unknown, unknown>, 'work' | 'admits' | 'refusesUnread'>;
