/** Shapes of conversations. Only people who may read texts get them. */
import { content, flag, list, named, object, oneOf, optional, orNull, plain, time, whole } from '../../http/shape.ts';
import { mediumFact } from '../message-log/message-log-shapes.ts';
import { extraFields } from '../message-log/message-shapes.ts';

export const assignee = named('Assignee', object({ userId: plain(), name: plain() }));

export const conversationThread = named(
  'ConversationThread',
  object({
    number: plain(),
    peer: plain(),
    name: plain('Of the contact; empty where there is none.'),
    lastMessageId: plain(),
    lastAt: time,
    lastText: content(),
    lastMedia: whole(),
    reply: orNull(
      object({ text: content(), media: whole(), at: time }, 'The last message to the telephone, where it is newer.'),
    ),
    unread: whole(),
    done: flag(),
    assignedTo: orNull(assignee),
    snoozedUntil: orNull(time),
  }),
);

export const conversationPage = named(
  'ConversationPage',
  object({ conversations: list(conversationThread), unread: whole() }),
);

const threadMessage = named(
  'ThreadMessage',
  object({
    messageId: plain(),
    referenceId: plain(),
    requestId: plain(),
    direction: oneOf(['outbound', 'inbound']),
    from: plain(),
    to: plain(),
    text: content(),
    mediaUrls: list(plain()),
    media: optional(list(mediumFact, 'For a message from a handset: details of each of `mediaUrls`.')),
    subject: optional(content()),
    data: optional(content('Base64 of content that is not text.')),
    ...extraFields,
    messageType: oneOf(['SMS', 'MMS']),
    encoding: orNull(oneOf(['GSM-7', 'UCS-2'])),
    segments: whole(),
    state: plain(),
    code: orNull(plain()),
    carrier: orNull(plain()),
    carrierCode: orNull(plain()),
    dupRisk: flag('It may have been received or sent twice.'),
    acceptedAt: time,
    updatedAt: time,
  }),
);

export const threadPage = named(
  'ThreadPage',
  object({
    number: plain(),
    peer: plain(),
    unread: whole(),
    done: flag(),
    assignedTo: orNull(assignee),
    snoozedUntil: orNull(time),
    contact: orNull(object({ name: plain(), note: plain(), tags: list(plain()) })),
    begun: flag('Whether the telephone has ever written.'),
    closed: orNull(object({ reason: plain(), detail: plain(), since: orNull(time) })),
    auditTarget: plain('Its name in the audit log.'),
    messages: list(threadMessage),
  }),
);
