/** `/api/v1/messages`: one message with its timeline, and the list. Only the caller's own account, whatever the id. */
import { counted } from '../domain/counted.ts';
import type { MessageView } from '../domain/delivery.ts';
import { eventId } from '../domain/ids.ts';
import type { Store } from '../store/store.ts';
import { isoTime } from './envelope.ts';
import { rejection, success } from './exchange.ts';
import type { GuardedRoutes } from './guard.ts';
import { numberForm, pageLimit, valuesOnce } from './list-query.ts';
import type { Query } from './query.ts';

const messageIdForm = /^msg_[0-9A-HJKMNP-TV-Z]{26}$/;

type ListQuery = Required<Omit<Parameters<Store['messages']>[0], 'accountId'>>;

export function messageRoutes(guarded: GuardedRoutes, store: Pick<Store, 'message' | 'messages'>): void {
  guarded.get('/api/v1/messages/:messageId', 'read', async ({ caller, params: { messageId } }) => {
    // A made-up id costs no read, and is told apart from nothing by its answer.
    const message = messageIdForm.test(messageId) ? await store.message(caller.account.accountId, messageId) : null;
    if (message === null) return rejection('NOT_FOUND', 'Your account has no message with this id. Check the id.');
    return success('The message and what became of it.', shownMessage(message));
  });

  guarded.get('/api/v1/messages', 'read', async ({ caller, exchange }) => {
    const query = listQuery(exchange.query);
    if (typeof query === 'string') return rejection('INVALID_FIELD', query);
    const { limit, after } = query;
    // One more than the page tells whether another page follows.
    const messages = await store.messages({ ...query, limit: limit + 1, accountId: caller.account.accountId });
    const page = messages.slice(0, limit);
    const next = messages.length > limit ? page[page.length - 1].messageId : null;
    const order = after === null ? 'newest first' : 'oldest first';
    return success(`${counted(page.length, 'message')}, ${order}.`, page.map(shownMessage), next);
  });
}

/** The query of the list, or the sentence that says what is wrong with it. */
function listQuery(query: Query): ListQuery | string {
  const values = valuesOnce(query, ['direction', 'from', 'to', 'before', 'after', 'limit']);
  if (typeof values === 'string') return values;
  const { direction, from, to, before, after } = values;
  if (direction !== null && direction !== 'outbound' && direction !== 'inbound') {
    return 'The query parameter direction may be outbound or inbound.';
  }
  if (from !== null && !numberForm.test(from)) return 'The query parameter from must be a number: digits only.';
  if (to !== null && !numberForm.test(to)) return 'The query parameter to must be a number: digits only.';
  for (const [name, id] of [
    ['before', before],
    ['after', after],
  ] as const) {
    if (id !== null && !messageIdForm.test(id)) {
      return `The query parameter ${name} must be a message id, such as the next of the page before.`;
    }
  }
  if (before !== null && after !== null) return 'Send before (newest first) or after (oldest first), not both.';
  const limit = pageLimit(values.limit);
  return typeof limit === 'string' ? limit : { direction, from, to, before, after, limit };
}

/** A message in the words of `/api/v1`: times as ISO 8601, events with their stable ids. */
export function shownMessage(message: MessageView): object {
  const { parts, events, acceptedAt, updatedAt, bodyDeletedAt, ...fields } = message;
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
