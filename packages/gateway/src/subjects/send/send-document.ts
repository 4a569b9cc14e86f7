/**
 * The OpenAPI description of `POST /SendSMS`. The route reads parameters and body itself, for speed and with its own
 * sentences.
 */
import { refused, rejected } from '../../http/openapi-parts.ts';
import { type AnswerRule, ownBody } from '../../http/route.ts';
import { sendAnswerSchema } from '../../http/schemas.ts';
import type { Limits } from '../../model/limits.ts';
import { sendRequestSchema } from '../../model/send.ts';

export function sendDocument(limits: Limits) {
  return {
    operationId: 'sendSMS',
    summary: 'Send an SMS or MMS to one or more numbers',
    description:
      'Accepted means stored safely; each recipient has its own `status`, and a bad number never fails the request. Fields that are not described are ignored and named in the header `X-Unknown-Fields`.',
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
      {
        name: 'traceparent',
        in: 'header',
        schema: { type: 'string' },
        description: 'W3C Trace Context: handed on in the webhooks of these messages. Passed over when not valid.',
      },
    ],
    body: ownBody(sendRequestSchema(limits), {
      examples: {
        oneText: {
          summary: 'One text',
          value: { from: '12025550199', to: ['12025550100'], text: 'Hello from my gateway' },
        },
      },
    }),
    answer: accepted,
    responses: { 400: refusedExamples },
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

/** In the contract's own envelope, unlike the rest of the API. */
const accepted: AnswerRule<never> = {
  description: 'Accepted. Read `schema.resultResponses` for each recipient.',
  data: null,
  content: {
    'application/json': {
      schema: sendAnswerSchema,
      examples: { accepted: { summary: 'Accepted for one recipient', value: acceptedExample } },
    },
  },
  headers: {
    'Idempotent-Replayed': { schema: { const: 'true' } },
    'X-Dry-Run': { schema: { const: '1' } },
    'X-Unknown-Fields': { schema: { type: 'string' } },
  },
};

const refusedExamples = refused(
  'An error in the request, or credentials that were not accepted; `reason` says which.',
  {
    examples: {
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
  },
);
