/** The names under which schemas, answers, headers and parameters stand in the document once. Data only. */
import type { Limits } from '../domain/limits.ts';
import type { AnyApiRoute } from './guard.ts';
import { eventAnswers, eventParameters, eventPathItems, eventSchemas } from './openapi-events.ts';
import { mediaSchemas } from './openapi-media.ts';
import { answerHeaders, limitParameter, ours, rateHeaders, retryHeader, withCredentials } from './openapi-parts.ts';
import type { Components } from './openapi-references.ts';
import { sandboxParameters, sandboxSchemas } from './openapi-sandbox.ts';
import { notSandbox } from './openapi-sandbox-parts.ts';
import { usageSchemas } from './openapi-usage.ts';
import { webhookAnswers, webhookParameters, webhookSchemas } from './openapi-webhooks.ts';
import { coreSchemas, limitsSchema, pageSchemas, sendRequestSchema, successSchema } from './schemas.ts';
import { namesWithin } from './shape.ts';

/** `records`: what they name stands beside the rest. */
export function namedComponents(limits: Limits, records: readonly AnyApiRoute[]): Components {
  return {
    schemas: {
      SendRequest: sendRequestSchema(limits),
      ...coreSchemas,
      Success: successSchema,
      NewestFirstPage: pageSchemas.before,
      Page: pageSchemas.after,
      Limits: limitsSchema(limits),
      ...webhookSchemas,
      ...mediaSchemas,
      ...usageSchemas,
      ...sandboxSchemas,
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
      NotSandbox: notSandbox,
      ...webhookAnswers,
      ...eventAnswers,
    },
    parameters: { Limit: limitParameter, ...webhookParameters, ...sandboxParameters, ...eventParameters },
    headers: { ...answerHeaders, ...rateHeaders, ...retryHeader },
    pathItems: eventPathItems,
  };
}
