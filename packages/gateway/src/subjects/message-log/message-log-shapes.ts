/** Shapes of the answers in `message-log-routes.ts`. */
import {
  content,
  extended,
  flag,
  list,
  named,
  object,
  oneOf,
  optional,
  orNull,
  plain,
  time,
  whole,
} from '../../http/shape.ts';
import { rateShown } from '../company/company-shapes.ts';
import { apiCallKept } from '../request-log/request-log-shapes.ts';
import { extraFields } from './message-shapes.ts';

export const reason = named(
  'Reason',
  object({
    code: plain(),
    scope: oneOf(['request', 'recipient', 'outcome']),
    httpStatus: orNull(whole()),
    retryable: flag(),
    billed: oneOf(['no', 'yes', 'if_sent']),
    issued: flag(),
    title: plain(),
    cause: list(plain()),
    fix: list(plain()),
  }),
);

export const sentRequest = named(
  'SentRequest',
  object({
    by: oneOf(['api', 'portal', 'gateway']),
    request: orNull(
      object({
        method: plain(),
        path: plain(),
        body: orNull(content()),
      }),
    ),
    response: orNull(
      object({
        status: whole(),
        requestId: plain(),
        kept: flag(),
        keptUntil: orNull(time),
        body: orNull(content()),
      }),
    ),
    textGone: flag(),
    notes: list(oneOf(['reference left out', 'cut'])),
  }),
);

export const storyEvent = named(
  'StoryEvent',
  object({
    eventId: plain(),
    sequence: whole(),
    state: plain(),
    occurredAt: time,
    code: orNull(plain()),
    carrier: orNull(plain()),
    carrierCode: orNull(plain()),
    detail: orNull(plain()),
  }),
);

export const fittedFact = named(
  'FittedFact',
  object({
    limit: whole(),
    type: plain(),
    size: whole(),
    altered: optional(oneOf(['still', 'fewer-frames'])),
    width: optional(whole()),
    height: optional(whole()),
    frames: optional(whole()),
  }),
);

export const mediumFact = named(
  'MediumFact',
  object({
    url: plain(),
    type: plain(),
    size: whole(),
    name: plain(),
    state: optional(oneOf(['failed', 'fetched', 'fitted', 'skipped'])),
    fitted: optional(list(fittedFact)),
    altered: optional(oneOf(['still', 'fewer-frames'])),
    width: optional(whole()),
    height: optional(whole()),
    frames: optional(whole()),
  }),
);

export const messageWhole = named(
  'MessageWhole',
  object({
    parts: list(
      object({
        part: whole(),
        spans: optional(whole()),
        carrier: plain(),
        carrierMessageId: plain(),
        state: plain(),
        carrierCode: orNull(plain()),
        updatedAt: time,
      }),
    ),
    events: list(storyEvent),
    state: plain(),
    carrier: orNull(plain()),
    messageId: plain(),
    requestId: plain(),
    referenceId: plain(),
    direction: oneOf(['outbound', 'inbound']),
    from: plain(),
    to: plain(),
    text: orNull(content()),
    textLength: optional(whole()),
    mediaUrls: list(plain()),
    mediaUrlsCount: optional(whole()),
    media: optional(list(mediumFact)),
    subject: optional(orNull(content())),
    data: optional(orNull(content())),
    ...extraFields,
    messageType: oneOf(['SMS', 'MMS']),
    encoding: orNull(plain()),
    segments: whole(),
    code: orNull(plain()),
    carrierCode: orNull(plain()),
    dupRisk: flag(),
    acceptedAt: time,
    updatedAt: time,
  }),
);

export const messageListed = named(
  'MessageListed',
  object({
    messageId: plain(),
    requestId: plain(),
    referenceId: plain(),
    keyId: plain(),
    keyName: orNull(plain()),
    direction: oneOf(['outbound', 'inbound']),
    from: plain(),
    to: plain(),
    text: orNull(content()),
    textLength: optional(whole()),
    mediaUrls: list(plain()),
    mediaUrlsCount: optional(whole()),
    media: optional(list(mediumFact)),
    subject: optional(orNull(content())),
    data: optional(orNull(content())),
    ...extraFields,
    messageType: oneOf(['SMS', 'MMS']),
    encoding: orNull(plain()),
    segments: whole(),
    state: plain(),
    code: orNull(plain()),
    carrier: orNull(plain()),
    carrierName: orNull(plain()),
    carrierCode: orNull(plain()),
    dupRisk: flag(),
    acceptedAt: time,
    updatedAt: time,
  }),
);

export const refusedRecipient = named(
  'RefusedRecipient',
  object({
    place: whole(),
    to: plain(),
    status: plain(),
    detail: plain(),
  }),
);

export const storyDelivery = named(
  'StoryDelivery',
  object({
    accountId: plain(),
    position: whole(),
    tries: whole(),
    dueAt: time,
    deliveryId: plain(),
    endpointId: plain(),
    endpoint: plain(),
    eventId: plain(),
    type: plain(),
    state: plain(),
    attempts: whole(),
    lastStatus: orNull(whole()),
    createdAt: time,
    updatedAt: time,
  }),
);

export const fullMessage = named(
  'FullMessage',
  object({
    message: messageWhole,
    recipients: list(messageListed),
    refused: list(refusedRecipient),
    key: orNull(
      object({
        keyId: plain(),
        name: plain(),
      }),
    ),
    webhooks: list(storyDelivery),
    carrierName: orNull(plain()),
  }),
);

export const listedRefused = named(
  'ListedRefused',
  object({
    keyId: plain(),
    requestId: plain(),
    keyName: plain(),
    referenceId: plain(),
    from: plain(),
    acceptedAt: time,
    place: whole(),
    to: plain(),
    status: plain(),
    detail: plain(),
  }),
);

export const refusedAnswer = named(
  'RefusedAnswer',
  object({
    problems: list(object({ token: plain(), sentence: plain() })),
    recipients: list(listedRefused),
    searchedTo: orNull(plain()),
    asks: object({
      status: flag(),
      reason: flag(),
      number: flag(),
    }),
  }),
);

export const requestWhole = named(
  'RequestWhole',
  object({
    requestId: plain(),
    messages: list(messageListed),
    refused: list(refusedRecipient),
    call: orNull(apiCallKept),
  }),
);

/** A request, when a search finds several of its messages. */
const messageGroup = {
  recipients: optional(whole('Recipients that match the search.')),
  refused: optional(whole('Recipients that the request was refused for; 0 where a search leaves some out.')),
  states: optional(list(object({ state: plain(), count: whole() }))),
  members: optional(list(object({ messageId: plain(), state: plain() }), 'Some of them when there are very many.')),
};

export const messageList = named(
  'MessageList',
  object({
    messages: list(extended(messageListed, messageGroup)),
    searchedTo: orNull(time),
    problems: list(object({ token: plain(), sentence: plain() })),
  }),
);

const histogramBar = named(
  'MessageHistogramBar',
  object({
    at: time,
    delivered: whole(),
    failed: whole('Failed, undelivered or expired.'),
    waiting: whole('Without an outcome: still waiting, or without a receipt.'),
    received: whole(),
    canceled: whole(),
  }),
);

export const messageHistogram = named(
  'MessageHistogram',
  object({
    from: time,
    until: time,
    stepMs: whole('Length of a bar. Bars begin at multiples of it (UTC).'),
    bars: list(histogramBar, 'Oldest first, without a gap; none when no message was found.'),
    count: whole('Messages in all bars.'),
    /** How far back messages were counted; null when all were. */
    countedTo: orNull(time),
    problems: list(object({ token: plain(), sentence: plain() })),
  }),
);

export const messageStates = named(
  'MessageStates',
  object({
    states: list(object({ messageId: plain(), state: plain(), code: orNull(plain()), updatedAt: time })),
  }),
);

const sender = named(
  'SenderRow',
  object({
    number: plain(),
    sms: flag(),
    mms: flag(),
    why: orNull(plain('Why it cannot send a text now, in a sentence.')),
    reason: optional(plain()),
    waitsUntil: orNull(time),
  }),
);

/** `rate`: today's price of a text; null for an account without rates. */
export const senders = named('Senders', object({ senders: list(sender), rate: orNull(rateShown) }));
