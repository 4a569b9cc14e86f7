/** `/api/v1/messages`: one message with its timeline, and the list. Only the caller's own account, whatever the id. */
import type { MessageView } from '../domain/delivery.ts';
import { eventId } from '../domain/ids.ts';
import type { Store } from '../store/store.ts';
import { renderData } from './envelope.ts';
import { type Answer, rejection } from './exchange.ts';
import type { GuardedRoutes } from './guard.ts';
import { type Query, valuesOf } from './query.ts';

const pageDefault = 50;
const pageMax = 100;
const messageIdForm = /^msg_[0-9A-HJKMNP-TV-Z]{26}$/;
const numberForm = /^[0-9]{1,15}$/;

type ListQuery = Omit<Parameters<Store['messages']>[0], 'accountId'>;

export function messageRoutes(guarded: GuardedRoutes, store: Pick<Store, 'message' | 'messages'>): void {
  guarded.get('/api/v1/messages/:messageId', 'read', async ({ caller, params: { messageId } }) => {
    // A made-up id costs no read, and is told apart from nothing by its answer.
    const message = messageIdForm.test(messageId) ? await store.message(caller.account.accountId, messageId) : null;
    if (message === null) return rejection('NOT_FOUND', 'Your account has no message with this id. Check the id.');
    return ok(renderData('The message and what became of it.', shownMessage(message)));
  });

  guarded.get('/api/v1/messages', 'read', async ({ caller, exchange }) => {
    const query = listQuery(exchange.query);
    if (typeof query === 'string') return rejection('INVALID_FIELD', query);
    const { limit } = query;
    // One more than the page tells whether another page follows.
    const messages = await store.messages({ ...query, limit: limit + 1, accountId: caller.account.accountId });
    const page = messages.slice(0, limit);
    const next = messages.length > limit ? page[page.length - 1].messageId : null;
    return ok(renderData(`${page.length} messages, newest first.`, page.map(shownMessage), next));
  });
}

function ok(body: string): Answer {
  return { status: 200, reason: 'SUCCESS', body };
}

/** The query of the list, or the sentence that says what is wrong with it. */
function listQuery(query: Query): ListQuery | string {
  const values: Record<string, string | null> = {};
  for (const name of ['direction', 'from', 'to', 'before', 'limit']) {
    const sent = valuesOf(query, name);
    if (sent.length > 1 || sent[0] === null) return `The query parameter ${name} cannot be read. Send it once.`;
    values[name] = sent[0] ?? null;
  }
  const { direction, from, to, before, limit } = values;
  if (direction !== null && direction !== 'outbound' && direction !== 'inbound') {
    return 'The query parameter direction may be outbound or inbound.';
  }
  if (from !== null && !numberForm.test(from)) return 'The query parameter from must be a number: digits only.';
  if (to !== null && !numberForm.test(to)) return 'The query parameter to must be a number: digits only.';
  if (before !== null && !messageIdForm.test(before)) {
    return 'The query parameter before must be a message id, such as the next of the page before.';
  }
  const count = limit === null ? pageDefault : Number(limit);
  if (limit !== null && (!/^[0-9]{1,3}$/.test(limit) || count < 1 || count > pageMax)) {
    return `The query parameter limit must be a whole number from 1 to ${pageMax}.`;
  }
  return { direction, from, to, before, limit: count };
}

/** A message in the words of `/api/v1`: times as ISO 8601, events with their stable ids. */
function shownMessage(message: MessageView): object {
  const { parts, events, acceptedAt, updatedAt, ...fields } = message;
  return {
    ...fields,
    acceptedAt: time(acceptedAt),
    updatedAt: time(updatedAt),
    parts: parts.map((part) => ({ ...part, updatedAt: time(part.updatedAt) })),
    events: events.map(({ at, ...event }) => ({
      eventId: eventId(message.messageId, event.sequence),
      ...event,
      occurredAt: time(at),
    })),
  };
}

function time(ms: number): string {
  return new Date(ms).toISOString();
}
