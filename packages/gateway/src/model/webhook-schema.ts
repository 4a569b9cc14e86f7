/**
 * Webhook bodies as JSON Schema (2020-12): one for each event type and one for the flat format, each with an example.
 * The documentation derives from these; `webhook-payload.ts` writes the bodies.
 */
import { alertKinds, alertTraits, alertUnits } from './alert.ts';
import { type EventType, eventTypes, reportedStates } from './event-type.ts';
import { deliveryStates } from './lifecycle.ts';
import { outcomeCodes } from './reason.ts';

type JsonSchema = Readonly<Record<string, unknown>>;
type Properties = Readonly<Record<string, JsonSchema>>;

const text = { type: 'string' };
const nullableText = { type: ['string', 'null'] };
/** These two have names in the OpenAPI document. */
export const digits = { type: 'string', pattern: '^[0-9]{1,15}$', description: 'Digits without a plus sign.' };
export const eventTime = {
  type: 'string',
  pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}\\.[0-9]{3}Z$',
  description: 'UTC.',
};
const code = { type: ['string', 'null'], enum: [...Object.keys(outcomeCodes), null] };
const urls = { type: 'array', items: text };

/** Only in a body that would otherwise be larger than 20 KB. */
const cutMark: Properties = {
  truncated: {
    const: true,
    description: 'Only when something was cut, or left out, to keep the body below 20 KB.',
  },
  truncatedFields: {
    type: 'array',
    items: text,
    description: 'The fields that were cut or left out; `data` is complete or absent. Only together with `truncated`.',
  },
  fullMessage: { type: 'string', description: 'Path of the whole message; only together with `truncated`.' },
};

function object(properties: Properties, optional: Properties = {}): JsonSchema {
  return { type: 'object', required: Object.keys(properties), properties: { ...properties, ...optional } };
}

const messageData = object({
  messageId: text,
  referenceId: { type: 'string', description: 'Yours, or one from the gateway.' },
  from: digits,
  to: digits,
  state: { type: 'string', enum: [...deliveryStates] },
  code,
  carrierCode: { ...nullableText, description: 'The carrier’s own code, unchanged.' },
  segments: { type: 'integer' },
  sequence: {
    type: 'integer',
    description: 'Grows with each event of one message; events may arrive out of order.',
  },
  occurredAt: eventTime,
  dupRisk: { type: 'boolean', description: 'True when the message may have been delivered twice.' },
});

/** What a message from a handset has besides its text; each field only if present. */
export const extrasProperties = {
  media: {
    type: 'array',
    description: 'The media one by one, in the order of `mediaUrls`.',
    items: object({
      url: text,
      type: { type: 'string', description: 'Detected from the content, or else as the sender declared it.' },
      size: { type: 'integer', description: 'Bytes.' },
      name: { type: 'string', description: 'File name from the sender, without unsafe characters.' },
    }),
  },
  subject: { type: 'string', description: 'Subject of a multimedia message.' },
  participants: { type: 'array', items: text, description: 'Other addresses of a group message.' },
  data: { type: 'string', description: 'Base64 of content that is not text, or decodes as text only in part.' },
  dataCoding: { type: 'integer', minimum: 0, maximum: 255, description: 'SMPP data_coding of `data`.' },
  messageClass: {
    type: 'integer',
    minimum: 0,
    maximum: 3,
    description: 'Message class of GSM 03.38; 0 is a flash message.',
  },
  ports: {
    ...object({ source: { type: 'integer' }, destination: { type: 'integer' } }),
    description: 'Application ports, 0–65535.',
  },
} satisfies Properties;

const receivedData = object(
  {
    messageId: text,
    from: digits,
    to: { ...digits, description: 'Your number.' },
    text,
    mediaUrls: urls,
    receivedAt: eventTime,
    inReplyTo: { ...nullableText, description: 'The last earlier message from that number to that handset.' },
    messageType: { type: 'string', enum: ['SMS', 'MMS'] },
    encoding: { type: ['string', 'null'], enum: ['GSM-7', 'UCS-2', null] },
    sequence: { type: 'integer' },
    dupRisk: { type: 'boolean', description: 'True when it may repeat an earlier text.' },
  },
  { ...extrasProperties, ...cutMark },
);

const contactData = object({
  contact: { ...digits, description: 'The person who opted out or in.' },
  number: { type: ['string', 'null'], description: 'Your number that the contact wrote to; null without one.' },
  scope: { type: 'string', description: '`campaign:ID` or `number:DIGITS`: where it counts.' },
  campaignId: nullableText,
  how: { type: 'string', enum: ['keyword', 'api', 'import', 'by hand', 'carrier'] },
  keyword: { ...nullableText, description: 'The text of the contact, when it was a keyword.' },
  messageId: { ...nullableText, description: 'The message that proves it.' },
  at: eventTime,
});

const carrierData = object({ carrierId: text, at: eventTime });

const alertData = object({
  alertId: { type: 'string', description: 'The same when it fires and when it is resolved.' },
  state: { type: 'string', enum: ['firing', 'resolved'] },
  environment: { type: 'string', enum: ['sandbox', 'live'] },
  carrierId: { ...nullableText, description: 'The carrier it is about; null = none.' },
  accountId: { ...nullableText, description: 'The company whose budget it is about; null = none.' },
  value: { type: 'number', description: 'As measured when it fired, in `unit`.' },
  limit: { type: 'number', description: 'The limit then, in `unit`.' },
  unit: { type: 'string', enum: [...alertUnits] },
  detail: { type: 'string', description: 'One sentence.' },
  firedAt: eventTime,
  resolvedAt: { ...eventTime, type: ['string', 'null'] },
});

const disabledData = object({
  endpointId: text,
  url: text,
  why: { type: 'string', enum: ['failing', 'gone'] },
  at: eventTime,
});

const testData = object({ endpointId: text }, { message: text });

const at = '2026-05-04T09:30:00.000Z';

const messageExample = {
  messageId: 'msg_01JTCQ5Z0RK3V8M2N4P6Q8S0T2',
  referenceId: 'order-1001',
  from: '12025550199',
  to: '12025550100',
  state: 'delivered',
  code: 'DELIVERED',
  carrierCode: '000',
  segments: 1,
  sequence: 5,
  occurredAt: at,
  dupRisk: false,
};

/** For each kind of alert its target, and a value beyond the limit. */
const alertExamples: Readonly<Record<(typeof alertKinds)[number], { of: object; value: number; detail: string }>> = {
  receipts: {
    of: { carrierId: 'carrier-east' },
    value: 120,
    detail: 'Carrier East has taken 60 parts in 12 min and sent no receipt; 95 of 100 usually come within 6 s.',
  },
  errors: {
    of: { carrierId: 'carrier-east' },
    value: 45,
    detail: 'Carrier East refused 90 of 200 tries in the last five minutes.',
  },
  backlog: {
    of: { carrierId: 'carrier-east' },
    value: 150,
    detail: 'The oldest message for carrier East has been due for 3 min, and the carrier is connected.',
  },
  link: { of: { carrierId: 'carrier-east' }, value: 100, detail: 'Carrier East cannot be reached.' },
  disk: { of: {}, value: 640, detail: 'Only 640 MB are free on the disk of the data folder.' },
  budget: { of: { accountId: 'acme' }, value: 81, detail: 'Acme Inc. has used 81 % of its monthly budget.' },
  certificate: {
    of: { carrierId: 'carrier-east' },
    value: 13,
    detail: 'The certificate of carrier East expires on 2026-05-18.',
  },
};

function alertExample(kind: (typeof alertKinds)[number]): Record<string, unknown> {
  const { of, value, detail } = alertExamples[kind];
  const { limit, unit } = alertTraits[kind];
  const about = { carrierId: null, accountId: null, ...of };
  const state = { alertId: 'alr_01JTCQ9B5C6D7E8F9G0H1J2K3M', state: 'firing', environment: 'live' };
  return { ...state, ...about, value, limit, unit, detail, firedAt: at, resolvedAt: null };
}

/** The fields that each state adds. */
const codeExamples: Partial<Record<(typeof reportedStates)[number], string>> = {
  delivered: 'DELIVERED',
  undelivered: 'UNREACHABLE',
  failed: 'CARRIER_REJECTED',
  expired: 'CARRIER_UNAVAILABLE',
  unconfirmed: 'NO_RECEIPT',
  held: 'UNCERTAIN',
  canceled: 'CANCELED',
};

const receivedExample = {
  messageId: 'msg_01JTCQ7Y4A9B8C7D6E5F4G3H2J',
  from: '12025550100',
  to: '12025550199',
  text: 'YES',
  mediaUrls: [],
  receivedAt: at,
  inReplyTo: messageExample.messageId,
  messageType: 'SMS',
  encoding: 'GSM-7',
  sequence: 1,
  dupRisk: false,
};

const contactExample = {
  contact: '12025550100',
  number: '12025550199',
  scope: 'campaign:CQ7TEST',
  campaignId: 'CQ7TEST',
  how: 'keyword',
  keyword: 'STOP',
  messageId: receivedExample.messageId,
  at,
};

function dataOf(type: EventType): { schema: JsonSchema; example: Record<string, unknown> } {
  switch (type) {
    case 'message.received':
      return { schema: receivedData, example: receivedExample };
    case 'contact.opted_out':
      return { schema: contactData, example: contactExample };
    case 'contact.opted_in':
      return { schema: contactData, example: { ...contactExample, keyword: 'START' } };
    case 'carrier.down':
    case 'carrier.up':
      return { schema: carrierData, example: { carrierId: 'carrier-east', at } };
    case 'endpoint.disabled':
      return {
        schema: disabledData,
        example: { endpointId: 'ep_orders', url: 'https://shop.example/hooks', why: 'failing', at },
      };
    case 'webhook.test':
      return {
        schema: testData,
        example: { endpointId: 'ep_orders', message: 'This is a test. Your endpoint works.' },
      };
    default: {
      const kind = alertKinds.find((one) => type === `alert.${one}`);
      if (kind !== undefined) return { schema: alertData, example: alertExample(kind) };
      const state = type.slice('message.'.length) as (typeof reportedStates)[number];
      const code = codeExamples[state] ?? null;
      const carrierCode = code === 'DELIVERED' ? '000' : null;
      return { schema: messageData, example: { ...messageExample, state, code, carrierCode } };
    }
  }
}

export interface DescribedEvent {
  type: EventType;
  schema: JsonSchema;
  example: { type: EventType; timestamp: string; data: Record<string, unknown> };
}

/** Every type of event in the standard format. */
export const describedEvents: readonly DescribedEvent[] = eventTypes.map((type) => {
  const { schema, example } = dataOf(type);
  return {
    type,
    schema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: type,
      ...object({ type: { const: type }, timestamp: eventTime, data: schema }),
    },
    example: { type, timestamp: at, data: example },
  };
});

/** The flat format of every `message.*` event. */
export const describedFlat = {
  schema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'flat',
    ...object(
      {
        referenceId: { type: 'string', description: 'Yours, or one from the gateway; empty for a reply.' },
        from: digits,
        to: { type: 'array', items: digits, minItems: 1, maxItems: 1 },
        text,
        mediaUrls: urls,
        deliveryReceipt: {
          type: 'boolean',
          description: 'False for a reply, true for the status of a message you sent.',
        },
        status: { type: 'string', enum: [...reportedStates] },
        code,
        timestamp: eventTime,
      },
      cutMark,
    ),
  },
  examples: {
    receipt: {
      referenceId: 'order-1001',
      from: '12025550199',
      to: ['12025550100'],
      text: 'Your order is on its way',
      mediaUrls: [],
      deliveryReceipt: true,
      status: 'delivered',
      code: 'DELIVERED',
      timestamp: at,
    },
    reply: {
      referenceId: '',
      from: '12025550100',
      to: ['12025550199'],
      text: 'YES',
      mediaUrls: [],
      deliveryReceipt: false,
      status: 'received',
      code: null,
      timestamp: at,
    },
  },
};
