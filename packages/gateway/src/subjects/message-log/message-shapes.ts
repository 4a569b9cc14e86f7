/** The shapes of messages, as `/api/v1` and the portal show them. */
import {
  always,
  content,
  decimal,
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
  written,
} from '../../http/shape.ts';
import { deliveryStates } from '../../model/lifecycle.ts';
import type { Ports } from '../../model/message-extras.ts';
import { outcomeCodes } from '../../model/reason.ts';
import { extrasProperties } from '../../model/webhook-schema.ts';

export const state = named('State', oneOf(deliveryStates));

const outcomeCode = named(
  'OutcomeCode',
  written<string | null>({ type: ['string', 'null'], enum: [...Object.keys(outcomeCodes), null] }),
);

const part = named(
  'MessagePart',
  object({
    part: whole(),
    spans: optional(
      whole('Number of segments, from this one on, that share the id, when a long text was sent whole. Absent = 1.'),
    ),
    carrier: plain(),
    carrierMessageId: plain(),
    state: oneOf(['accepted', 'delivered', 'undelivered']),
    carrierCode: orNull(plain()),
    updatedAt: time,
  }),
);

/** A transition of a message from one state to the next. */
const step = named(
  'MessageStep',
  object({
    eventId: plain(),
    sequence: whole(),
    state,
    code: orNull(plain()),
    carrier: orNull(plain()),
    carrierCode: orNull(plain()),
    detail: orNull(plain()),
    occurredAt: time,
  }),
);

const altered = named(
  'Altered',
  oneOf(
    ['fewer-frames', 'still'],
    'What fitting changed beyond size, quality and metadata: an animation lost some of its frames, or all but its first. Absent = nothing.',
  ),
);
const measures = {
  width: optional(whole('Pixels; absent if it is not a picture.')),
  height: optional(whole()),
  frames: optional(whole('Pictures of an animation; absent for a still one.')),
};

/** A medium as fitted for a carrier of the message. */
const fittedMedium = named(
  'FittedMedium',
  object({
    limit: whole('Bytes that the carrier accepts for all media of a message.'),
    type: plain(),
    size: whole('Bytes.'),
    ...measures,
    altered: optional(altered),
  }),
);

/** One medium of a message, from a handset or to one. */
const medium = named(
  'MessageMedium',
  object({
    url: plain(),
    type: plain('Detected from the content; empty for a medium that was not fetched.'),
    size: whole('Bytes; 0 for a medium that was not fetched.'),
    name: plain(),
    ...measures,
    state: optional(
      oneOf(
        ['fetched', 'fitted', 'failed', 'skipped'],
        'For a sent medium. `failed`: the last event says why; `skipped`: not fetched, because another one failed.',
      ),
    ),
    fitted: optional(
      list(fittedMedium, 'As sent to the carrier: one entry for each size limit of the carriers, usually one.'),
    ),
    altered: optional(altered),
  }),
);

const waitWhy = named(
  'WaitingReason',
  oneOf(
    [
      ...(['off', 'paused', 'opening', 'down', 'unanswered', 'rate', 'throttled', 'window', 'quiet'] as const),
      ...(['campaign', 'dayCap', 'retry', 'turn', 'repeat', 'hold', 'receipt', 'media', 'time', 'person'] as const),
    ],
    'media: its media are not ready. quiet, campaign, dayCap, retry, time: it is not due before `until`; time = nothing on record says why. unanswered: its carrier left ten messages in a row without an answer and gets one every 30 seconds. person: it is held until a person decides. turn: nothing is in its way. Of an uncertain message, at `until`: repeat = it is sent again; hold = a person decides; receipt = it has had its repeats and ends as unconfirmed.',
  ),
);

export const waiting = named(
  'MessageWaiting',
  object(
    {
      why: waitWhy,
      carrier: orNull(object({ carrierId: plain(), name: plain() })),
      since: orNull(time),
      until: orNull(time),
      code: orNull(plain()),
      perSecond: orNull(decimal()),
      doubt: optional(
        object(
          {
            cause: orNull(oneOf(['unanswered', 'broken'])),
            repeats: whole(),
            allowed: whole(),
          },
          'For an uncertain message: the cause, the repeats so far, and the limit.',
        ),
      ),
      also: list(
        object({ why: waitWhy, since: orNull(time), until: orNull(time), code: orNull(plain()) }),
        'Further reasons that hold at the same time: it leaves when none is left.',
      ),
    },
    'Only in the look-up of one message, while it is queued, uncertain or held: why it waits now.',
  ),
);

/** Fields of a message besides text and media, without content: the same wherever a message is shown. */
export const extraFields = {
  participants: optional(written<string[]>(extrasProperties.participants)),
  dataCoding: optional(written<number>(extrasProperties.dataCoding)),
  messageClass: optional(written<number>(extrasProperties.messageClass)),
  ports: optional(written<Ports>(extrasProperties.ports)),
};

/** A message as `/api/v1` shows it. */
export const message = named(
  'Message',
  object({
    messageId: plain(),
    referenceId: plain(),
    requestId: plain(),
    direction: oneOf(['outbound', 'inbound']),
    from: plain(),
    to: plain(),
    text: content(),
    mediaUrls: list(plain()),
    messageType: oneOf(['SMS', 'MMS']),
    encoding: orNull(oneOf(['GSM-7', 'UCS-2'])),
    segments: whole(),
    state,
    code: outcomeCode,
    carrier: orNull(plain()),
    carrierCode: orNull(plain()),
    dupRisk: flag('True when it may have been delivered twice.'),
    acceptedAt: time,
    updatedAt: time,
    media: optional(
      list(
        medium,
        'The media one by one, in the order of `mediaUrls`. Of a sent message: absent until they are fetched, and after 30 days.',
      ),
    ),
    subject: optional(content('Subject of a multimedia message.')),
    data: optional(content('Base64 of content that is not text, or decodes as text only in part.')),
    ...extraFields,
    waiting: optional(waiting),
    bodyDeletedAt: optional(
      written<string>({
        ...time,
        description: 'When its text and media were deleted because of their age; absent before that.',
      }),
    ),
    parts: list(part),
    events: list(step),
  }),
);

/** The answer to a cancellation. */
export const canceled = named('CanceledMessage', object({ messageId: plain(), state: always('canceled') }));
