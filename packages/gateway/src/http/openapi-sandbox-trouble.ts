/** The operations that make trouble in the sandbox, and show the wire. Data only; the schemas also judge the bodies. */
import {
  answerAfterMsMax,
  autoReplyAfterMsMax,
  autoReplyCharactersMax,
  heldMsMax,
  receiptAfterMsMax,
  refuseBindMsMax,
  throttlePerSecondMax,
} from '@heliograph/sandbox/faults';
import { wirePageMax } from '../domain/sandbox-wire.ts';
import { bothCredentials, json } from './openapi-parts.ts';
import { handset, sandboxAnswers, sandboxPolling } from './openapi-sandbox-parts.ts';
import type { JsonSchema } from './schemas.ts';

const ms = (maximum: number, usual: number, description = '') => ({
  type: ['integer', 'null'],
  minimum: 0,
  maximum,
  description: `${description} ${usual} when left out.`.trim(),
});
const percent = (description: string) => ({ type: ['integer', 'null'], minimum: 0, maximum: 100, description });
const flag = (description: string) => ({ type: ['boolean', 'null'], description });

export const receiptAfterMsUsual = 400;
export const autoReplyAfterMsUsual = 1_000;

export const behaviourSchema: JsonSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    power: {
      type: ['string', 'null'],
      enum: ['on', 'off', null],
      description: `Off: what comes is held, delivered when it is on again, and EXPIRED after ${heldMsMax / 60_000} minutes.`,
    },
    inbox: { type: ['string', 'null'], enum: ['space', 'full', null], description: 'Full: what comes is UNDELIV.' },
    receipt: {
      type: ['object', 'null'],
      description: 'As the number does by itself when left out.',
      additionalProperties: false,
      required: ['outcome'],
      properties: {
        outcome: { type: 'string', enum: ['DELIVRD', 'UNDELIV', 'EXPIRED', 'none'] },
        afterMs: ms(receiptAfterMsMax, receiptAfterMsUsual),
      },
    },
    autoReply: {
      type: ['object', 'null'],
      description: 'As the number does by itself when left out. At most one to the same number within 3 s.',
      additionalProperties: false,
      required: ['text'],
      properties: {
        text: { type: 'string', minLength: 1, maxLength: autoReplyCharactersMax },
        afterMs: ms(autoReplyAfterMsMax, autoReplyAfterMsUsual),
      },
    },
  },
};

export const faultsSchema: JsonSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    refuseBind: flag(
      `Binds are refused with ESME_RBINDFAIL. For every company of this gateway, so it ends after ${refuseBindMsMax / 60_000} minutes.`,
    ),
    throttlePerSecond: {
      type: ['integer', 'null'],
      minimum: 0,
      maximum: throttlePerSecondMax,
      description: 'Above so many submissions in a second ESME_RTHROTTLED is answered; null = no limit.',
    },
    loseReceiptsPercent: percent('Of a hundred receipts so many are lost.'),
    duplicateReceipts: flag('Each receipt comes twice.'),
    answerAfterMs: ms(answerAfterMsMax, 0, 'How late a submission is answered.'),
    receiptFirst: flag('The receipt comes before the answer to the submission.'),
    errorPercent: percent('Of a hundred submissions so many are refused with some ESME_*.'),
    dropLink: flag(
      'Only sent. Done once: every SMPP session of the sandbox is closed, for every company of this gateway.',
    ),
  },
};

const numberOrNull = { type: ['integer', 'null'] };
const textOrNull = { type: ['string', 'null'] };

const wireSchema: JsonSchema = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    at: { type: 'string', format: 'date-time' },
    link: { type: 'string', enum: ['smpp', 'mm7', 'mm4'] },
    direction: { type: 'string', enum: ['to_carrier', 'to_gateway'] },
    command: { type: 'string', examples: ['submit_sm', 'SubmitReq', 'MM4_forward.REQ'] },
    sequence: { ...textOrNull, description: 'sequence_number, or transaction id.' },
    status: { ...textOrNull, description: 'Of an answer.', examples: ['ESME_ROK', '1000', '250'] },
    own: { ...textOrNull, description: 'Your number; null for what concerns the link itself.' },
    handset: textOrNull,
    messageId: { ...textOrNull, description: "The carrier's id of the message." },
    data_coding: numberOrNull,
    esm_class: numberOrNull,
    text: { ...textOrNull, description: 'What it says, cut.' },
    sizeBytes: { type: 'integer' },
    hex: { type: 'string', description: 'Its first octets.' },
  },
};

export const sandboxTroubleSchemas = {
  HandsetBehaviour: behaviourSchema,
  SandboxFaults: faultsSchema,
  WireEntry: wireSchema,
};

export const sandboxTroubleOperations: Readonly<Record<string, object>> = {
  '/api/v1/sandbox/handsets/{number}/behaviour': {
    get: {
      operationId: 'getHandsetBehaviour',
      summary: 'How a handset behaves towards your numbers',
      security: bothCredentials,
      parameters: [handset],
      responses: sandboxAnswers('Its behaviour', behaviourSchema),
    },
    post: {
      operationId: 'setHandsetBehaviour',
      summary: 'Switch a handset off, fill its inbox, choose its receipts and answers; {} makes it ordinary again',
      security: bothCredentials,
      parameters: [handset],
      requestBody: { required: true, content: json(behaviourSchema) },
      responses: sandboxAnswers('As it behaves now', behaviourSchema),
    },
  },
  '/api/v1/sandbox/faults': {
    get: {
      operationId: 'getSandboxFaults',
      summary: 'The faults of the simulated link that are on',
      security: bothCredentials,
      responses: sandboxAnswers('The faults', faultsSchema),
    },
    post: {
      operationId: 'setSandboxFaults',
      summary: 'Make trouble on the simulated link; {} ends all of it',
      security: bothCredentials,
      requestBody: { required: true, content: json(faultsSchema) },
      responses: sandboxAnswers('The faults that are on now', faultsSchema),
    },
  },
  '/api/v1/sandbox/wire': {
    get: {
      operationId: 'listSandboxWire',
      summary: 'What the gateway and the simulated carrier said to each other about your numbers',
      security: bothCredentials,
      parameters: [
        { name: 'number', in: 'query', schema: { type: 'string' }, description: 'Only about this handset.' },
        ...sandboxPolling('entry', 'an entry'),
      ],
      responses: sandboxAnswers(
        `Entries, oldest first; without \`after\` the latest ${wirePageMax}. 500 are kept for a number and a handset, 5,000 in all`,
        wireSchema,
        'after',
      ),
    },
  },
};
