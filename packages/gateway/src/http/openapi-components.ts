/** Names for schemas, answers, headers and parameters that an OpenAPI document defines once. */
import type { Limits } from '../model/limits.ts';
import { sendRequestSchema } from '../model/send.ts';
import { digits, eventTime } from '../model/webhook-schema.ts';
import type { AnyApiRoute } from './guard.ts';
import { eventAnswers, eventParameters, eventPathItems, eventSchemas } from './openapi-events.ts';
import {
  answerHeaders,
  answerOf,
  notFoundAnswer,
  notSandbox,
  parametersOf,
  rateHeaders,
  refusedGuarded,
  refusedOpen,
  requestOf,
  retryHeader,
} from './openapi-parts.ts';
import type { Components } from './openapi-references.ts';
import { coreSchemas, limitsSchema, pageSchemas, successSchema } from './schemas.ts';
import { nameOf, namesWithin } from './shape.ts';

/** Also names the schemas that `records` name. */
export function namedComponents(limits: Limits, records: readonly AnyApiRoute[]): Components {
  return {
    schemas: {
      SendRequest: sendRequestSchema(limits),
      ...coreSchemas,
      Success: successSchema,
      NewestFirstPage: pageSchemas.before,
      Page: pageSchemas.after,
      Limits: limitsSchema(limits),
      EventTime: eventTime,
      Digits: digits,
      ...eventSchemas,
      ...namesWithin(records.map(({ body, answer }) => [body?.content, answer.content])),
    },
    responses: {
      Refused: refusedGuarded,
      RefusedOpen: refusedOpen,
      NotSandbox: notFoundAnswer(notSandbox),
      ...notFoundAnswers(records),
      ...sharedAnswers(records),
      ...eventAnswers,
    },
    requestBodies: sharedBodies(records),
    parameters: { ...sharedParameters(records), ...eventParameters },
    headers: { ...answerHeaders, ...rateHeaders, ...retryHeader },
    pathItems: eventPathItems,
  };
}

/** Values that several routes share, by name. If two share a name, the second stays inline. */
function shared(all: readonly { value: object | undefined; name: string | undefined }[]): Record<string, object> {
  const found: Record<string, object> = {};
  const groups = Map.groupBy(all, ({ value }) => JSON.stringify(value));
  for (const [{ value, name }, ...others] of groups.values() as Iterable<[(typeof all)[number]]>) {
    if (others.length > 0 && value !== undefined && name !== undefined) found[name] ??= value;
  }
  return found;
}

const capital = (name: string) => `${name[0]!.toUpperCase()}${name.slice(1)}`;

/** `EndpointId`, `Limit`. */
function sharedParameters(records: readonly AnyApiRoute[]): Record<string, object> {
  return shared(records.flatMap(parametersOf).map((value) => ({ value, name: capital(value.name) })));
}

/** Shared answers, named by their schema: `Endpoint`. */
function sharedAnswers(records: readonly AnyApiRoute[]): Record<string, object> {
  return shared(records.map(({ answer }) => ({ value: answerOf(answer), name: nameOf(answer.data ?? {}) })));
}

/** Shared bodies, named by their schema: `OptOutEntry`. */
function sharedBodies(records: readonly AnyApiRoute[]): Record<string, object> {
  return shared(records.map(({ body }) => ({ value: requestOf(body), name: nameOf(schemaOf(body)) })));
}

/** The schema of a JSON body. */
function schemaOf(body: AnyApiRoute['body']): object {
  const { 'application/json': json } = (body?.content ?? {}) as { 'application/json'?: { schema: object } };
  return json?.schema ?? {};
}

/** Shared 404 answers: `NoSuchEndpoint`. */
function notFoundAnswers(records: readonly AnyApiRoute[]): Record<string, object> {
  const sentences = new Set(records.flatMap(({ notFound }) => notFound ?? []));
  const noSuch = [...sentences].flatMap((sentence) => {
    const [, what] = /^No such (\w+) /.exec(sentence) ?? [];
    return what === undefined ? [] : [[`NoSuch${capital(what)}`, notFoundAnswer(sentence)]];
  });
  return Object.fromEntries(noSuch);
}
