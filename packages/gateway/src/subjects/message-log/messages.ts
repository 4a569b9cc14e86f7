/** `/api/v1/messages`: one message with its timeline, and lists. Limited to the caller's account and environment. */
import { isoTime } from '../../http/envelope.ts';
import { rejection, success } from '../../http/exchange.ts';
import { type Call, type GuardedRoutes, param } from '../../http/guard.ts';
import { numberForm, timeParameter } from '../../http/list-query.ts';
import { type Owner, ownerOf } from '../../http/owner.ts';
import { afterQuery, limitQuery, type QueryOf, textQuery } from '../../http/query-fields.ts';
import { answers, answersPage } from '../../http/route.ts';
import type { RouteModule } from '../../http/server.ts';
import { list, type TypeOf } from '../../http/shape.ts';
import type { EpochMs } from '../../kernel/clock.ts';
import { counted } from '../../kernel/counted.ts';
import { type AccountId, eventId, firstIdAt, idTime, isMessageId } from '../../kernel/ids.ts';
import type { Waiting } from '../../messaging/send-queue/waiting.ts';
import type { OwnSide } from '../../messaging/store/message-log-items.ts';
import type { MessageStore } from '../../messaging/store/modules/messages.ts';
import type { Directory } from '../../model/directory.ts';
import { type DeliveryState, deliveryStates } from '../../model/lifecycle.ts';
import { emptyFilter } from '../../model/message-search.ts';
import { flatMessage, type MessageView } from '../../model/message-view.ts';
import { isSenderName } from '../../model/sender-name.ts';
import { isOfEnvironment, ofEnvironment } from './message-list.ts';
import { message as messageShape, state as stateShape, type waiting as waitingShape } from './message-shapes.ts';
import type { MessageLogStore } from './store/module.ts';

export const messageParam = { messageId: '`msg_…`' };
export const noMessage = 'No such message of this account and environment';
const timeSchema = { type: 'string', format: 'date-time' };

/** The same answer as for an invented id. */
export const noSuchMessage = rejection('NOT_FOUND', 'Your account has no message with this id. Check the id.');

/** Messages of each direction that one page looks at, where those of the other environment are between them. */
const lookMax = 5_000;

type Listing = Required<Omit<Parameters<MessageStore['messages']>[0], 'accountId' | 'end' | keyof OwnSide>>;

interface ListQuery extends Listing {
  referenceId: string | null;
  state: DeliveryState | null;
  /** Accepted at this time or later. */
  since: EpochMs | null;
  /** Accepted before this time. */
  until: EpochMs | null;
}

export type MessageReads = Pick<MessageStore, 'message' | 'messages'> &
  Pick<MessageLogStore, 'searchMessages' | 'messagesReach'>;

export interface MessageParts {
  store: MessageReads;
  /** Why a message waits now; absent when unknown. */
  waiting?: (message: MessageView) => Waiting | null;
}

const fields = {
  direction: textQuery('Both when left out.', { type: 'string', enum: ['outbound', 'inbound'] }),
  from: textQuery('Only from this number.'),
  to: textQuery('Only to this number.'),
  // A request may have any reference without NUL.
  referenceId: { ...textQuery('Only messages with this reference. Not with `after`.'), controls: true as const },
  state: textQuery('Only messages in this state now. Not with `after`.', stateShape),
  since: textQuery('Only messages accepted at this time or later.', timeSchema),
  until: textQuery('Only messages accepted before this time.', timeSchema),
  before: textQuery('`next` of the page before, newest first.'),
  after: afterQuery('A message id, or `next` of the previous page: messages after it, oldest first.'),
  limit: limitQuery,
};

export function messageRoutes(parts: MessageParts): RouteModule {
  return (_app, { guarded, directory }) => addRoutes(guarded, parts, directory);
}

/** The message that the path names, if the caller's key pair sees it. */
export async function messageOf(
  call: Call,
  store: Pick<MessageStore, 'message'>,
  directory: Directory,
): Promise<MessageView | null> {
  const owner = ownerOf(call);
  const messageId = param(call, 'messageId');
  const found = isMessageId(messageId) ? await store.message(owner.accountId, messageId) : null;
  return found !== null && isOfEnvironment(found, owner, directory) ? found : null;
}

function addRoutes(guarded: GuardedRoutes, { store, waiting }: MessageParts, directory: () => Directory): void {
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
      const found = await messageOf(call, store, directory());
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
      'Newest first; with `after` oldest first, to poll for new messages. With `referenceId` or `state`, and for an account with numbers of both environments, a page looks at a bounded number of messages: it may be short or empty and still have a `next`.',
    query: fields,
    answer: answersPage(list(messageShape), 'before', 'A page'),
    work: async (call) => {
      const query = listQuery(call.query);
      if (typeof query === 'string') return rejection('INVALID_FIELD', query);
      const mine = ownOf(ownerOf(call), directory());
      const isSearch = query.referenceId !== null || query.state !== null;
      const page = await (isSearch ? searched(store, mine, query) : listed(store, mine, query));
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

type Own = OwnSide & { accountId: AccountId };

/** The messages that the caller may see. */
function ownOf({ accountId, environment }: Owner, { records }: Directory): Own {
  const numbers = records.numbers.filter((one) => one.accountId === accountId);
  return { accountId, ...ofEnvironment(numbers, environment) };
}

async function listed(store: MessageReads, own: Own, query: ListQuery): Promise<Page> {
  const { limit, since, until, direction, from, to } = query;
  // Ids contain the time, so the range limits the page by id.
  const before = query.after === null ? earliest(query.before, idAt(until)) : null;
  const after = query.after === null ? null : latest(query.after, idAt(since));
  const isMixed = own.only !== undefined || own.without !== undefined;
  const range = { accountId: own.accountId, direction, before, after };
  // A sandbox pair may have few messages between very many live ones.
  const reach = isMixed ? await store.messagesReach({ ...range, look: lookMax }) : null;
  // One more than the page shows whether another page follows.
  const found = await store.messages({ ...own, ...range, from, to, end: reach, limit: limit + 1 });
  const end = idAt(after === null ? since : until);
  const isWithin = (id: string) => end === null || id < end === (after !== null);
  const within = found.filter(({ messageId }) => isWithin(messageId));
  const messages = within.slice(0, limit);
  if (within.length > limit) return { messages, next: messages.at(-1)!.messageId, more: '' };
  if (reach === null || !isWithin(reach)) return { messages, next: null, more: '' };
  return { messages, next: reach, more: lookedTo(idTime(reach)) };
}

function lookedTo(at: EpochMs | null): string {
  return at === null ? '' : ` Looked as far as ${isoTime(at)}: go on with next.`;
}

/** The results of the log's index, each with its timeline. A page may be short or empty and still have a next one. */
async function searched(store: MessageReads, own: Own, query: ListQuery): Promise<Page> {
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
  const found = await store.searchMessages({ ...own, filter, ownNumbers: [], before, after: null, limit });
  const messages = await Promise.all(found.messages.map(({ messageId }) => store.message(own.accountId, messageId)));
  const { searchedTo, next } = found;
  return { messages: messages.filter((one) => one !== null), next, more: lookedTo(searchedTo) };
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
  if (from !== null && !numberForm.test(from) && !isSenderName(from))
    return 'The query parameter from must be a number (digits only) or a name that sends.';
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
