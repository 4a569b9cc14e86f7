/** The shapes of the sandbox: messages on handsets, webhooks in the inbox, and replies from handsets. */
import { handsetMediaMax } from '@heliograph/sandbox/handsets';
import { simulatedKinds } from '../../carriers/kinds.ts';
import { byName, content, list, named, object, oneOf, orNull, plain, time, whole, written } from '../../http/shape.ts';
import { inboxDelayMsMax } from '../../model/webhook-inbox.ts';
import { signature } from '../webhooks/shown-verdict.ts';

export const handset = named('Handset', object({ number: plain(), messages: whole(), lastReceivedAt: orNull(time) }));

const via = oneOf(simulatedKinds(), 'The protocol it travels over.');
const encoding = orNull(oneOf(['GSM-7', 'UCS-2'], 'Null for an MMS.'));

const medium = named(
  'HandsetMedium',
  object({
    mediaId: plain(),
    contentType: plain(),
    fileName: plain(),
    sizeBytes: whole(),
    sha256: plain('SHA-256 of the bytes, lower-case hex.'),
    url: orNull(
      plain('Path of its bytes on this gateway, for the same credentials; null once newer media replaced them.'),
    ),
  }),
);

export const handsetMessage = named(
  'HandsetMessage',
  object({
    id: plain(),
    kind: oneOf(['SMS', 'MMS']),
    via,
    from: plain(),
    to: plain(),
    subject: content('Empty for an SMS.'),
    text: orNull(content('Null when the content is not text.')),
    encoding,
    parts: whole(),
    media: list(medium),
    receivedAt: time,
  }),
);

/** The route validates it itself, with its own sentences. */
export const handsetReply = named(
  'HandsetReply',
  written<unknown>({
    type: 'object',
    properties: {
      text: { type: ['string', 'null'], examples: ['YES'], description: 'Optional with `mediaUrls`.' },
      to: { type: ['string', 'null'], description: 'One of your sandbox numbers; the last sender when left out.' },
      mediaUrls: {
        type: ['array', 'null'],
        items: { type: 'string' },
        maxItems: handsetMediaMax,
        description: 'With them the reply is an MMS.',
      },
      files: {
        type: ['array', 'null'],
        maxItems: handsetMediaMax,
        description: 'Files of any type to send along, as a telephone would; with them the reply is an MMS.',
        items: {
          type: 'object',
          required: ['data'],
          properties: {
            data: { type: 'string', description: 'The bytes in base64.' },
            type: { type: ['string', 'null'], examples: ['audio/amr'], description: 'As the telephone declares it.' },
            name: { type: ['string', 'null'], examples: ['voice.amr'] },
          },
        },
      },
      via: {
        type: ['string', 'null'],
        enum: [...simulatedKinds('MMS'), null],
        description: 'Protocol of an MMS; by default the one of the last MMS from that number, or else `mm7`.',
      },
    },
  }),
);

export const queuedReply = named(
  'QueuedReply',
  object({
    from: plain(),
    to: plain(),
    messageType: oneOf(['SMS', 'MMS']),
    via,
    parts: whole(),
    encoding,
    media: whole('Number of media in the reply.'),
  }),
);

export const receivedWebhook = named(
  'ReceivedWebhook',
  object({
    id: plain('A new one for each attempt, unlike the header `webhook-id`.'),
    receivedAt: time,
    headers: byName(plain(), 'Names in lower case.'),
    body: content('The raw body, which the signature covers.'),
    signature,
    answered: whole('The HTTP status it was answered with.'),
  }),
);

export const demoTraffic = named('DemoTraffic', object({ messages: whole(), from: time, until: time }));

/** Omitted fields, and null, mean the initial value. */
export const inboxAnswerChange = written<{ status?: number | null; delayMs?: number | null }>({
  type: 'object',
  properties: {
    status: { type: ['integer', 'null'], minimum: 200, maximum: 599, description: '200 when left out.' },
    delayMs: { type: ['integer', 'null'], minimum: 0, maximum: inboxDelayMsMax, description: '0 when left out.' },
  },
  additionalProperties: false,
});

export const inboxAnswer = named('InboxAnswer', object({ status: whole(), delayMs: whole() }));

export const sandboxCarrier = named(
  'SandboxCarrier',
  object({
    binds: list(plain('`bound_trx`, …')),
    address: plain('Where its SMPP server listens: host and port.'),
  }),
);
