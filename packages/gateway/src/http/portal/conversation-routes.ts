/**
 * `/conversations`: what handsets wrote to the company's numbers and what went back, for people: what is new, what is put
 * away, and why a reply cannot be sent. Sending is `/send`. Everything within the person's company; what is of another one is
 * not there.
 */
import { consentScope } from '../../domain/consent.ts';
import type { Directory } from '../../domain/directory.ts';
import type { Environment, SendingNumber } from '../../domain/records.ts';
import { judgeSender } from '../../flow/sender.ts';
import type { Store } from '../../store/store.ts';
import type { Thread, ThreadMessage } from '../../store/thread-store.ts';
import { isoTime } from '../envelope.ts';
import { type Answer, rejection, success } from '../exchange.ts';
import { numberForm, pageLimit, valuesOnce } from '../list-query.ts';
import { flag, optional, readForm } from './forms.ts';
import type { PortalModule } from './portal.ts';
import type { PortalCall, PortalRoutes } from './portal-guard.ts';

type ThreadsOf = Pick<Store, 'threads' | 'thread' | 'unreadCount' | 'threadMessages' | 'markThread' | 'optOuts'>;

const messageIdForm = /^msg_[0-9A-HJKMNP-TV-Z]{26}$/;
const noNumber = rejection('NOT_FOUND', 'Your company has no such number, or this is no number of a telephone.');
const noThread = rejection('NOT_FOUND', 'This telephone has not written to that number.');

/** Why the reply box of a conversation is closed. */
interface Closed {
  reason: string;
  detail: string;
  since: string | null;
}

export function conversationRoutes({ store }: { store: ThreadsOf }): PortalModule {
  return (routes, { directory }) => {
    addList(routes, store);
    addOne(routes, store, directory);
    addMark(routes, store, directory);
  };
}

interface Pair {
  number: SendingNumber;
  peer: string;
}

/** The company's number and the telephone of the path; null when they are none. */
function pairOf({ account, params }: PortalCall, directory: Directory): Pair | null {
  const { number: own, peer } = params;
  const number = directory.number(own!);
  if (number?.accountId !== account.accountId || !numberForm.test(peer!)) return null;
  return { number, peer: peer! };
}

function keyOf({ number, peer }: Pair) {
  return { accountId: number.accountId, own: number.number, peer };
}

/** `before` and `limit` of a page; a sentence when they are wrong. */
function pageOf({ before, limit }: { before: string | null; limit: string | null }) {
  if (before !== null && !messageIdForm.test(before)) {
    return 'The query parameter before must be a message id, such as the next of the page before.';
  }
  const rows = pageLimit(limit);
  return typeof rows === 'string' ? rows : { before, limit: rows };
}

function addList(routes: PortalRoutes, store: ThreadsOf): void {
  routes.get('/conversations', 'readBody', async ({ account, exchange }) => {
    const values = valuesOnce(exchange.query, ['number', 'done', 'before', 'limit']);
    if (typeof values === 'string') return rejection('INVALID_FIELD', values);
    const { number: own, done } = values;
    if (own !== null && !numberForm.test(own)) {
      return rejection('INVALID_FIELD', 'The query parameter number must be a number: digits only.');
    }
    if (done !== null && done !== 'true' && done !== 'false') {
      return rejection('INVALID_FIELD', 'The query parameter done may be true or false.');
    }
    const page = pageOf(values);
    if (typeof page === 'string') return rejection('INVALID_FIELD', page);
    const { accountId } = account;
    const [found, unread] = await Promise.all([
      store.threads({ accountId, own, done: done === 'true', before: page.before, limit: page.limit + 1 }),
      store.unreadCount(accountId),
    ]);
    const rows = found.slice(0, page.limit);
    const next = found.length > page.limit ? rows.at(-1)!.lastMessageId : null;
    return success(`${rows.length} conversations.`, { conversations: rows.map(shownThread), unread }, next);
  });
}

function addOne(routes: PortalRoutes, store: ThreadsOf, directory: () => Directory): void {
  async function closedFor(pair: Pair, environment: Environment): Promise<Closed | null> {
    const { accountId, own: from, peer: contact } = keyOf(pair);
    if (pair.number.environment !== environment) {
      const detail = `${from} belongs to the ${pair.number.environment} environment. Change to it to answer.`;
      return { reason: 'SENDER_NOT_FOUND', detail, since: null };
    }
    const judged = judgeSender(directory(), from, accountId, environment, 'SMS');
    if (judged.kind === 'refused') return { reason: judged.reason, detail: judged.detail, since: null };
    const scope = consentScope(pair.number);
    const [optOut] = await store.optOuts({ accountId, scope, contact, after: null, limit: 1 });
    if (optOut === undefined) return null;
    const detail = `This telephone opted out ${howWords[optOut.how]}. Only START from it opens the conversation again.`;
    return { reason: 'OPTED_OUT', detail, since: isoTime(optOut.at) };
  }

  routes.get('/conversations/:number/:peer', 'readBody', async (call) => {
    const pair = pairOf(call, directory());
    if (pair === null) return noNumber;
    const values = valuesOnce(call.exchange.query, ['before', 'limit']);
    if (typeof values === 'string') return rejection('INVALID_FIELD', values);
    const page = pageOf(values);
    if (typeof page === 'string') return rejection('INVALID_FIELD', page);
    const key = keyOf(pair);
    const [thread, found, closed] = await Promise.all([
      store.thread(key),
      store.threadMessages({ ...key, before: page.before, limit: page.limit + 1 }),
      closedFor(pair, call.environment),
    ]);
    const rows = found.slice(0, page.limit);
    const next = found.length > page.limit ? rows.at(-1)!.messageId : null;
    const data = {
      ...{ number: key.own, peer: key.peer, unread: thread?.unread ?? 0, done: thread?.done ?? false },
      ...{ begun: thread !== null, closed, messages: rows.map(shownMessage) },
    };
    return success(`${rows.length} messages, newest first.`, data, next);
  });
}

function addMark(routes: PortalRoutes, store: ThreadsOf, directory: () => Directory): void {
  routes.post('/conversations/:number/:peer', 'send', async (call): Promise<Answer> => {
    const pair = pairOf(call, directory());
    if (pair === null) return noNumber;
    const read = readForm(call.body, { readTo: optional, done: flag });
    if (!read.ok) return read.answer;
    const { readTo = null, done = null } = read.form;
    if (readTo !== null && !messageIdForm.test(readTo)) {
      return rejection('INVALID_FIELD', 'The field readTo must be a message id.');
    }
    return (await store.markThread({ ...keyOf(pair), readTo, done })) ? success('Noted.', {}) : noThread;
  });
}

const howWords = {
  keyword: 'by a keyword',
  api: 'through the API',
  import: 'by an import',
  'by hand': 'by hand',
  carrier: 'at its carrier',
} as const;

function shownThread({ own, lastAt, ...thread }: Thread): object {
  return { number: own, ...thread, lastAt: isoTime(lastAt) };
}

function shownMessage({ acceptedAt, updatedAt, ...message }: ThreadMessage): object {
  return { ...message, acceptedAt: isoTime(acceptedAt), updatedAt: isoTime(updatedAt) };
}
