/** Names for schemas, answers, headers and parameters that the OpenAPI document defines once. */
import type { Limits } from '../model/limits.ts';
import { sendRequestSchema } from '../model/send.ts';
import type { AnyApiRoute } from './guard.ts';
import { eventAnswers, eventParameters, eventPathItems, eventSchemas } from './openapi-events.ts';
import {
  answerHeaders,
  inPath,
  limitParameter,
  notFoundAnswer,
  notSandbox,
  ours,
  rateHeaders,
  retryHeader,
  withCredentials,
} from './openapi-parts.ts';
import type { Components } from './openapi-references.ts';
import { coreSchemas, limitsSchema, pageSchemas, successSchema } from './schemas.ts';
import { namesWithin } from './shape.ts';

/** `records`: adds the schemas that they name. */
export function namedComponents(limits: Limits, records: readonly AnyApiRoute[]): Components {
  return {
    schemas: {
      SendRequest: sendRequestSchema(limits),
      ...coreSchemas,
      Success: successSchema,
      NewestFirstPage: pageSchemas.before,
      Page: pageSchemas.after,
      Limits: limitsSchema(limits),
      ...eventSchemas,
      ...namesWithin(records.map(({ body, answer }) => [body?.content, answer.content])),
    },
    responses: {
      BadHttp: ours[400],
      TooSlow: ours[408],
      HeadersTooLarge: ours[431],
      Fault: ours[500],
      Refused: withCredentials[400],
      TooMany: withCredentials[429],
      NotNow: withCredentials[503],
      NotSandbox: notFoundAnswer(notSandbox),
      ...notFoundAnswers(records),
      ...eventAnswers,
    },
    parameters: { Limit: limitParameter, ...pathParameters(records), ...eventParameters },
    headers: { ...answerHeaders, ...rateHeaders, ...retryHeader },
    pathItems: eventPathItems,
  };
}

/** A path parameter of several routes is defined once: `EndpointId`. */
function pathParameters(records: readonly AnyApiRoute[]): Record<string, object> {
  const all = records.flatMap(({ params = {} }) => Object.entries(params));
  const named = Object.groupBy(all, ([name, description]) => `${name} ${description}`);
  const several = Object.values(named).filter((group) => group !== undefined && group.length > 1);
  return Object.fromEntries(
    several.map((group) => {
      const [name, description] = group![0]!;
      return [`${name[0]!.toUpperCase()}${name.slice(1)}`, inPath(name, description)];
    }),
  );
}

/** So does what several routes do not find: `NoSuchEndpoint`. */
function notFoundAnswers(records: readonly AnyApiRoute[]): Record<string, object> {
  const sentences = new Set(records.flatMap(({ notFound }) => notFound ?? []));
  const noSuch = [...sentences].flatMap((sentence) => {
    const [, what] = /^No such (\w+) /.exec(sentence) ?? [];
    return what === undefined ? [] : [[`NoSuch${what[0]!.toUpperCase()}${what.slice(1)}`, notFoundAnswer(sentence)]];
  });
  return Object.fromEntries(noSuch);
}
