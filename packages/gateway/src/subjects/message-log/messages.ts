/** `/api/v1/messages`: one message with its timeline, and lists. Limited to the caller's account. */
import { isoTime } from '../../http/envelope.ts';
import { rejection, success } from '../../http/exchange.ts';
import { type GuardedRoutes, param } from '../../http/guard.ts';
import { numberForm, timeParameter } from '../../http/list-query.ts';
import { limitQuery, type QueryOf, textQuery } from '../../http/query-fields.ts';
import { answers, answersPage } from '../../http/route.ts';
import type { RouteModule } from '../../http/server.ts';
import { list, type TypeOf } from '../../http/shape.ts';
import type { EpochMs } from '../../kernel/clock.ts';
import { counted } from '../../kernel/counted.ts';
import { type AccountId, eventId, firstIdAt, isMessageId } from '../../kernel/ids.ts';
import type { Waiting } from '../../messaging/send-queue/waiting.ts';
import type { MessageStore } from '../../messaging/store/modules/messages.ts';
import { type DeliveryState, deliveryStates } from '../../model/lifecycle.ts';
import { emptyFilter } from '../../model/message-search.ts';
import { flatMessage, type MessageView } from '../../model/message-view.ts';
import { message as messageShape, state as stateShape, type waiting as waitingShape } from './message-shapes.ts';
import type { MessageLogStore } from './store/module.ts';

export const messageParam = { messageId: '`msg_…`' };
export const noMessage = 'No such message of this account and environment';
const timeSchema = { type: 'string', format: 'date-time' };

/** The same answer as for an invented id. */
export const noSuchMessage = rejection('NOT_FOUND', 'Your account has no message with this id. Check the id.');

type Listing = Required<Omit<Parameters<MessageStore['messages']>[0], 'accountId'>>;

interface ListQuery extends Listing {
  referenceId: string | null;
  state: DeliveryState | null;
  /** Accepted at this time or later. */
  since: EpochMs | null;
  /** Accepted before this time. */
  until: EpochMs | null;
}

export type MessageReads = Pick<MessageStore, 'message' | 'messages'> & Pick<MessageLogStore, 'searchMessages'>;

export interface MessageParts {
  store: MessageReads;
  /** Why a message waits now; absent when unknown. */
  waiting?: (message: MessageView) => Waiting | null;
}

const fields = {
  direction: textQuery('Both when left out.', { type: 'string', enum: ['outbound', 'inbound'] }),
  from: textQuery('Only from this number.'),
  to: textQuery('Only to this number.'),
  referenceId: textQuery('Only messages with this reference. Not with `after`.'),
  state: textQuery('Only messages in this state now. Not with `after`.', stateShape),
  since: textQuery('Only messages accepted at this time or later.', timeSchema),
  until: textQuery('Only messages accepted before this time.', timeSchema),
  before: textQuery('`next` of the page before, newest first.'),
  after: textQuery('A message id, or `next` of the previous page: messages after it, oldest first.'),
  limit: limitQuery,
};

export function messageRoutes(parts: MessageParts): RouteModule {
  return (_app, { guarded }) => addRoutes(guarded, parts);
}

function addRoutes(guarded: GuardedRoutes, { store, waiting }: MessageParts): void {
  guarded.add({
    method: 'GET',
    path: '/api/v1/messages/:messageId',
    scope: 'read',
    operationId: 'getMessage',
    summary: 'One message and what became of it',
    params: messageParam,
    notFound: noMessage,
    answer: answers(messageShape, 'The message'),
    work: async (call) => {
      const messageId = param(call, 'messageId');
      const found = isMessageId(messageId) ? await store.message(call.caller.account.accountId, messageId) : null;
      if (found === null) return noSuchMessage;
      const waits = waiting?.(found) ?? null;
      const shown = { ...shownMessage(found), ...(waits !== null && { waiting: shownWaiting(waits) }) };
      return success('The message and its outcome.', shown);
    },
  });

  guarded.add({
    method: 'GET',
    path: '/api/v1/messages',
    scope: 'read',
    operationId: 'listMessages',
    summary: 'Sent and received messages',
    description:
      'Newest first; with `after` oldest first, to poll for new messages. With `referenceId` or `state` a page looks back a bounded number of messages: it may be short and still have a `next`.',
    query: fields,
    answer: answersPage(list(messageShape), 'before', 'A page'),
    work: async (call) => {
      const query = listQuery(call.query);
      if (typeof query === 'string') return rejection('INVALID_FIELD', query);
      const { accountId } = call.caller.account;
      const isSearch = query.referenceId !== null || query.state !== null;
      const page = await (isSearch ? searched(store, accountId, query) : listed(store, accountId, query));
      const order = query.after === null ? 'newest first' : 'oldest first';
      return success(
        `${counted(page.messages.length, 'message')}, ${order}.${page.more}`,
        page.messages.map(shownMessage),
        page.next,
      );
    },
  });
}

interface Page {
  messages: MessageView[];
  next: string | null;
  /** Follows the sentence with the count. */
  more: string;
}

async function listed(store: MessageReads, accountId: AccountId, query: ListQuery): Promise<Page> {
  const { limit, since, until, direction, from, to } = query;
  // Ids contain the time, so the range limits the page by id.
  const before = query.after === null ? earliest(query.before, idAt(until)) : null;
  const after = query.after === null ? null : latest(query.after, idAt(since));
  // One more than the page shows whether another page follows.
  const found = await store.messages({ direction, from, to, before, after, limit: limit + 1, accountId });
  const end = idAt(after === null ? since : until);
  const within = end === null ? found : found.filter(({ messageId }) => messageId < end === (after !== null));
  const messages = within.slice(0, limit);
  return { messages, next: within.length > limit ? messages.at(-1)!.messageId : null, more: '' };
}

/** The results of the log's index, each with its timeline. A page may be short or empty and still have a next one. */
async function searched(store: MessageReads, accountId: AccountId, query: ListQuery): Promise<Page> {
  const { limit, before, direction, from, to, referenceId, state, since, until } = query;
  const filter = {
    ...emptyFilter(),
    direction,
    reference: referenceId,
    states: state === null ? [] : [state],
    from: from === null ? [] : [from],
    to: to === null ? [] : [to],
    after: since,
    before: until,
  };
  const found = await store.searchMessages({ accountId, filter, ownNumbers: [], before, after: null, limit });
  const messages = await Promise.all(found.messages.map(({ messageId }) => store.message(accountId, messageId)));
  const { searchedTo, next } = found;
  const more = searchedTo === null ? '' : ` Looked back to ${isoTime(searchedTo)}: go on with next.`;
  return { messages: messages.filter((one) => one !== null), next, more };
}

/** Sorts before the id of every message of this time or later. */
function idAt(at: EpochMs | null): string | null {
  return at === null ? null : firstIdAt('msg_', at);
}

function earliest(one: string | null, other: string | null): string | null {
  return one === null || (other !== null && other < one) ? other : one;
}

function latest(one: string, other: string | null): string {
  return other !== null && other > one ? other : one;
}

/** The query of the list, or the sentence about its fault. */
function listQuery(values: QueryOf<typeof fields>): ListQuery | string {
  const { direction, from, to, before, after, referenceId, state } = values;
  if (direction !== null && direction !== 'outbound' && direction !== 'inbound') {
    return 'The query parameter direction may be outbound or inbound.';
  }
  if (from !== null && !numberForm.test(from)) return 'The query parameter from must be a number: digits only.';
  if (to !== null && !numberForm.test(to)) return 'The query parameter to must be a number: digits only.';
  for (const [name, id] of [
    ['before', before],
    ['after', after],
  ] as const) {
    if (id !== null && !isMessageId(id)) {
      return `The query parameter ${name} must be a message id, such as the next of the previous page.`;
    }
  }
  if (before !== null && after !== null) return 'Send before (newest first) or after (oldest first), not both.';
  if (referenceId !== null && referenceId === '') {
    return 'The query parameter referenceId may not be empty.';
  }
  if (state !== null && !deliveryStates.includes(state as DeliveryState))
    return `The query parameter state may be one of: ${deliveryStates.join(', ')}.`;
  if (after !== null && (referenceId !== null || state !== null)) {
    return 'The query parameter after goes with neither referenceId nor state: page through these with before.';
  }
  const since = timeParameter('since', values.since);
  if (typeof since === 'string') return since;
  const until = timeParameter('until', values.until);
  if (typeof until === 'string') return until;
  const { limit } = values;
  return { direction, from, to, before, after, limit, referenceId, state: state as DeliveryState | null, since, until };
}

/** A message in the form of `/api/v1`: times as ISO 8601, events with their stable ids. */
export function shownMessage(message: MessageView): TypeOf<typeof messageShape> {
  const { parts, events, acceptedAt, updatedAt, bodyDeletedAt, doubt: _, wait: __, ...fields } = flatMessage(message);
  return {
    ...fields,
    acceptedAt: isoTime(acceptedAt),
    updatedAt: isoTime(updatedAt),
    ...(bodyDeletedAt !== undefined && { bodyDeletedAt: isoTime(bodyDeletedAt) }),
    parts: parts.map((part) => ({ ...part, updatedAt: isoTime(part.updatedAt) })),
    events: events.map(({ at, ...event }) => ({
      eventId: eventId(message.messageId, event.sequence),
      ...event,
      occurredAt: isoTime(at),
    })),
  };
}

/** What a message waits for, with times as ISO 8601: the main reason first, then the others. */
export function shownWaiting({ carrier, code, reasons }: Waiting): TypeOf<typeof waitingShape> {
  const shown = reasons.map((reason) => {
    const { since, until, ...more } = { since: null, until: null, code: null, perSecond: null, ...reason };
    return { ...more, since: time(since), until: time(until) };
  });
  const [foremost, ...also] = shown;
  return {
    ...foremost!,
    carrier,
    code: foremost!.code ?? code,
    also: also.map(({ why, since, until, code }) => ({ why, since, until, code })),
  };
}

function time(at: EpochMs | null): string | null {
  return at === null ? null : isoTime(at);
}
