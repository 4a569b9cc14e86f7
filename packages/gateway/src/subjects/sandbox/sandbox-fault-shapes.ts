/** The shapes of a handset's behaviour, of faults of the simulated link, and of the wire log. */
import {
  answerAfterMsMax,
  autoReplyAfterMsMax,
  autoReplyCharactersMax,
  type HandsetSettings,
  heldMsMax,
  receiptAfterMsMax,
  refuseBindMsMax,
  type SandboxFaults,
  throttlePerSecondMax,
} from '@heliograph/sandbox/faults';
import { simulatedKinds } from '../../carriers/kinds.ts';
import { content, flag, named, object, oneOf, orNull, plain, time, whole, written } from '../../http/shape.ts';

export type Sent<T> = { [K in keyof T]?: T[K] | null };

/** Omitted fields take the default. */
export type SentSettings = Sent<{
  power: HandsetSettings['power'];
  inbox: HandsetSettings['inbox'];
  receipt: Pick<NonNullable<HandsetSettings['receipt']>, 'outcome'> & Sent<{ afterMs: number }>;
  autoReply: { text: string } & Sent<{ afterMs: number }>;
}>;

/** Omitted faults are off. */
export type SentFaults = Sent<SandboxFaults & { dropLink: boolean }>;

const ms = (maximum: number, usual: number, description = '') => ({
  type: ['integer', 'null'],
  minimum: 0,
  maximum,
  description: `${description} ${usual} when left out.`.trim(),
});
const percent = (description: string) => ({ type: ['integer', 'null'], minimum: 0, maximum: 100, description });
const flagOrNull = (description: string) => ({ type: ['boolean', 'null'], description });

export const receiptAfterMsUsual = 400;
export const autoReplyAfterMsUsual = 1_000;

export const handsetSettings = named(
  'HandsetSettings',
  written<SentSettings>({
    type: 'object',
    additionalProperties: false,
    properties: {
      power: {
        type: ['string', 'null'],
        enum: ['on', 'off', null],
        description: `Off: messages are held, delivered when it is on again, and EXPIRED after ${heldMsMax / 60_000} minutes.`,
      },
      inbox: { type: ['string', 'null'], enum: ['space', 'full', null], description: 'Full: messages become UNDELIV.' },
      receipt: {
        type: ['object', 'null'],
        description: 'By default the number’s own receipt.',
        additionalProperties: false,
        required: ['outcome'],
        properties: {
          outcome: { type: 'string', enum: ['DELIVRD', 'UNDELIV', 'EXPIRED', 'none'] },
          afterMs: ms(receiptAfterMsMax, receiptAfterMsUsual),
        },
      },
      autoReply: {
        type: ['object', 'null'],
        description: 'By default the number’s own answer. At most one to the same number within 3 s.',
        additionalProperties: false,
        required: ['text'],
        properties: {
          text: { type: 'string', minLength: 1, maxLength: autoReplyCharactersMax },
          afterMs: ms(autoReplyAfterMsMax, autoReplyAfterMsUsual),
        },
      },
    },
  }),
);

export const handsetBehaviour = named(
  'HandsetBehaviour',
  object({
    number: plain(),
    power: oneOf(['on', 'off']),
    inbox: oneOf(['space', 'full']),
    receipt: orNull(
      object({ outcome: oneOf(['DELIVRD', 'UNDELIV', 'EXPIRED', 'none']), afterMs: whole() }, 'Null: as usual.'),
    ),
    autoReply: orNull(object({ text: content(), afterMs: whole() }, 'Null: as usual.')),
  }),
);

export const faultSettings = named(
  'SandboxFaultSettings',
  written<SentFaults>({
    type: 'object',
    additionalProperties: false,
    properties: {
      refuseBind: flagOrNull(
        `Binds are refused with ESME_RBINDFAIL. For every company of this gateway, so it ends after ${refuseBindMsMax / 60_000} minutes.`,
      ),
      throttlePerSecond: {
        type: ['integer', 'null'],
        minimum: 0,
        maximum: throttlePerSecondMax,
        description: 'More submissions in a second get ESME_RTHROTTLED; null = no limit.',
      },
      loseReceiptsPercent: percent('Percentage of receipts that are lost.'),
      duplicateReceipts: flagOrNull('Each receipt comes twice.'),
      answerAfterMs: ms(answerAfterMsMax, 0, 'Delay of the answer to a submission.'),
      receiptFirst: flagOrNull('The receipt comes before the answer to the submission.'),
      errorPercent: percent('Percentage of submissions refused with some ESME_*.'),
      dropLink: flagOrNull(
        'Write-only. Happens once: every SMPP session of the sandbox is closed, for every company of this gateway.',
      ),
    },
  }),
);

export const sandboxFaults = named(
  'SandboxFaults',
  object({
    refuseBind: flag(),
    throttlePerSecond: orNull(whole()),
    loseReceiptsPercent: whole(),
    duplicateReceipts: flag(),
    answerAfterMs: whole(),
    receiptFirst: flag(),
    errorPercent: whole(),
  }),
);

export const wireEntry = named(
  'WireEntry',
  object({
    id: plain(),
    at: time,
    link: oneOf(simulatedKinds()),
    direction: oneOf(['to_carrier', 'to_gateway']),
    command: plain('`submit_sm`, `SubmitReq`, `MM4_forward.REQ` …'),
    sequence: orNull(plain('sequence_number, or transaction id.')),
    status: orNull(plain('Of an answer: `ESME_ROK`, `1000`, `250` …')),
    own: orNull(plain('Your number; null for PDUs of the link itself.')),
    handset: orNull(plain()),
    messageId: orNull(plain("The carrier's id of the message.")),
    data_coding: orNull(whole()),
    esm_class: orNull(whole()),
    text: orNull(content('What it says, cut.')),
    sizeBytes: whole(),
    hex: content('Its first octets.'),
  }),
);
