/**
 * `/conversations`: the company's inbox: unread, closed and snoozed conversations, assignees, and why a reply is not
 * possible. `/send` sends. Shows only the person's company and the chosen environment.
 */

import { isoTime } from '../../http/envelope.ts';
import { rejection, success } from '../../http/exchange.ts';
import { numberForm, pageLimit } from '../../http/list-query.ts';
import type { PortalModule } from '../../http/portal/portal.ts';
import type { PortalCall, PortalRoutes } from '../../http/portal/portal-guard.ts';
import { numberQuery, textQueries } from '../../http/query-fields.ts';
import { answersPage } from '../../http/route.ts';
import type { TypeOf } from '../../http/shape.ts';
import type { Clock } from '../../kernel/clock.ts';
import { counted } from '../../kernel/counted.ts';
import { type AccountId, isMessageId } from '../../kernel/ids.ts';
import { judgeSender } from '../../messaging/accept/sender.ts';
import { stoppingScopes } from '../../messaging/consent/consent-rules.ts';
import type { ConsentStore } from '../../messaging/store/modules/consent.ts';
import { type Thread, type ThreadMessage, type ThreadState, threadStates } from '../../messaging/store/thread-items.ts';
import { type Contact, tidy } from '../../model/contact.ts';
import type { ReadMessage } from '../../model/delivery.ts';
import type { Directory } from '../../model/directory.ts';
import { flatMessage } from '../../model/message-view.ts';
import type { Environment, SendingNumber } from '../../model/records.ts';
import type { ContactStore } from '../contacts/store/module.ts';
import type { Live } from '../live/live.ts';
import { ofEnvironment } from '../message-log/message-list.ts';
import type { PeopleStore } from '../people/store/module.ts';
import { addMark, auditTarget, type ThreadKey } from './conversation-marks.ts';
import { conversationPage, type conversationThread, threadPage } from './conversation-shapes.ts';
import { addHere, createPresence } from './presence.ts';
import type { ThreadStore } from './store/module.ts';

type ThreadsOf = Pick<
  ThreadStore,
  'threads' | 'thread' | 'unreadCount' | 'threadMessages' | 'readRequests' | 'markThread'
> &
  Pick<ConsentStore, 'optOuts'> &
  Pick<ContactStore, 'contactsOf' | 'contactPage'> &
  Pick<PeopleStore, 'users'>;

const noNumber = rejection('NOT_FOUND', 'Your company has no such number, or this is not a telephone number.');

/** Why the reply box of a conversation is closed. */
interface Closed {
  reason: string;
  detail: string;
  since: string | null;
}

export interface ConversationParts {
  store: ThreadsOf;
  live: Pick<Live, 'conversationChanged' | 'presenceChanged'>;
  /** A person has read a message whose sender requested a read report. */
  reportRead(message: ReadMessage): void;
}

export function conversationRoutes({ store, live, reportRead }: ConversationParts): PortalModule {
  return (routes, { directory, clock }) => {
    addList(routes, store, { directory, clock });
    addOne(routes, store, directory);
    addHere(routes, { live, presence: createPresence(clock), keyOf: (call) => keyOf(pairOf(call, directory())) });
    addMark(routes, { store, live, reportRead, clock, keyOf: (call) => keyOf(pairOf(call, directory())) });
  };
}

export interface Pair {
  number: SendingNumber;
  peer: string;
}

/** The company's number and the telephone from the path; null when invalid. */
function pairOf({ account, params }: PortalCall, directory: Directory): Pair | null {
  const { number: own, peer } = params;
  const number = directory.number(own!);
  if (number?.accountId !== account.accountId || !numberForm.test(peer!)) return null;
  return { number, peer: peer! };
}

/** The store's key of a conversation; null without a pair. */
function keyOf(pair: Pair): ThreadKey;
function keyOf(pair: Pair | null): ThreadKey | null;
function keyOf(pair: Pair | null): ThreadKey | null {
  return pair === null ? null : { accountId: pair.number.accountId, own: pair.number.number, peer: pair.peer };
}

/** `before` and `limit` of a page; a sentence when one is invalid. */
function pageOf({ before, limit }: { before: string | null; limit: string | null }) {
  if (before !== null && !isMessageId(before)) {
    return 'The query parameter before must be a message id, such as the next of the previous page.';
  }
  const rows = pageLimit(limit);
  return typeof rows === 'string' ? rows : { before, limit: rows };
}

/** A part of a number. */
const digitsForm = /^\d{1,15}$/;
/** `me`, `nobody` or the id of a user. */
const assignedForm = /^(?:me|nobody|usr_[0-9A-HJKMNP-TV-Z]{26})$/;

interface Around {
  directory: () => Directory;
  clock: Pick<Clock, 'now'>;
}

/** The most contacts whose conversations a search by name covers. */
const contactsMax = 200;
/** Length of a search text. */
const searchMax = 100;

const pageQuery = textQueries({ before: '`next` of the previous page.', limit: 'Entries of one page.' });
const inboxQuery = {
  number: numberQuery('Only of this number of the company.'),
  ...textQueries({
    peer: 'Only with numbers that hold these digits.',
    q: `Only with telephones whose contact has this in its name or tags; the first ${contactsMax} such contacts count.`,
    state: `One of: ${threadStates.join(', ')}.`,
    assigned: '`me`, `nobody` or the id of a user.',
  }),
  ...pageQuery,
};

function addList(routes: PortalRoutes, store: ThreadsOf, { directory, clock }: Around): void {
  routes.add({
    method: 'GET',
    path: '/conversations',
    access: 'readBody',
    query: inboxQuery,
    answer: answersPage(conversationPage, 'before', 'A page, the newest first'),
    work: async ({ account, environment, person, query }) => {
      const { number: own, peer, state, assigned } = query;
      if (peer !== null && !digitsForm.test(peer)) {
        return rejection('INVALID_FIELD', 'The query parameter peer must be 1 to 15 digits of a number.');
      }
      if (state !== null && !threadStates.includes(state as ThreadState)) {
        return rejection('INVALID_FIELD', `The query parameter state may be one of: ${threadStates.join(', ')}.`);
      }
      if (assigned !== null && !assignedForm.test(assigned)) {
        return rejection('INVALID_FIELD', 'The query parameter assigned may be me, nobody or the id of a user.');
      }
      const q = tidy(query.q ?? '');
      if (q.length > searchMax) {
        return rejection('INVALID_FIELD', `The query parameter q may have at most ${searchMax} characters.`);
      }
      const page = pageOf(query);
      if (typeof page === 'string') return rejection('INVALID_FIELD', page);
      const { accountId } = account;
      const named = q === '' ? null : await store.contactPage({ accountId, q, after: null, limit: contactsMax });
      const peers = named?.map(({ contact }) => contact) ?? null;
      const assignedTo = assigned === 'me' ? person.user.userId : assigned === 'nobody' ? '' : assigned;
      const now = clock.now();
      const mine = directory().records.numbers.filter((one) => one.accountId === accountId);
      const side = { accountId, now, ...ofEnvironment(mine, environment) };
      const filter = { own, peerLike: peer ?? '', peers, state: (state ?? 'open') as ThreadState, assignedTo };
      const [found, unread] = await Promise.all([
        store.threads({ ...side, ...filter, before: page.before, limit: page.limit + 1 }),
        store.unreadCount(side),
      ]);
      const rows = found.slice(0, page.limit);
      const next = found.length > page.limit ? rows.at(-1)!.lastMessageId : null;
      return success(
        `${counted(rows.length, 'conversation')}.`,
        { conversations: rows.map(shownThread(await namesOf(store, accountId, rows))), unread },
        next,
      );
    },
  });
}

function addOne(routes: PortalRoutes, store: ThreadsOf, directory: () => Directory): void {
  async function closedFor(pair: Pair, environment: Environment): Promise<Closed | null> {
    const { accountId, own: from, peer: contact } = keyOf(pair);
    if (pair.number.environment !== environment) {
      const detail = `${from} belongs to the ${pair.number.environment} environment. Change to it to answer.`;
      return { reason: 'SENDER_NOT_FOUND', detail, since: null };
    }
    if (directory().account(accountId)?.status === 'suspended') {
      const detail = 'Your company is suspended: nothing is sent. Ask the operator of this gateway.';
      return { reason: 'ACCOUNT_SUSPENDED', detail, since: null };
    }
    const judged = judgeSender(directory(), from, accountId, environment, 'SMS');
    if (judged.kind === 'refused') return { reason: judged.reason, detail: judged.detail, since: null };
    const found = await Promise.all(
      stoppingScopes(pair.number).map((scope) => store.optOuts({ accountId, scope, contact, after: null, limit: 1 })),
    );
    const [optOut] = found.flat();
    if (optOut === undefined) return null;
    const detail = `This telephone opted out ${howWords[optOut.how]}. START from it opens the conversation again; so does subscribing it again under Opt-outs, with a reason.`;
    return { reason: 'OPTED_OUT', detail, since: isoTime(optOut.at) };
  }

  routes.add({
    method: 'GET',
    path: '/conversations/:number/:peer',
    access: 'readBody',
    query: pageQuery,
    answer: answersPage(threadPage, 'before', 'The conversation and a page of its messages'),
    work: async (call) => {
      const pair = pairOf(call, directory());
      if (pair === null) return noNumber;
      const page = pageOf(call.query);
      if (typeof page === 'string') return rejection('INVALID_FIELD', page);
      const key = keyOf(pair);
      const [thread, found, closed, [contact]] = await Promise.all([
        store.thread(key),
        store.threadMessages({ ...key, before: page.before, limit: page.limit + 1 }),
        closedFor(pair, call.environment),
        store.contactsOf({ accountId: key.accountId, contacts: [key.peer] }),
      ]);
      const rows = found.slice(0, page.limit);
      const next = found.length > page.limit ? rows.at(-1)!.messageId : null;
      const names = await namesOf(store, key.accountId, thread === null ? [] : [thread]);
      const data = {
        number: key.own,
        peer: key.peer,
        unread: thread?.unread ?? 0,
        done: thread?.done ?? false,
        ...shownCare(thread ?? { assignedTo: '', snoozedUntil: 0 }, names),
        begun: thread !== null,
        contact: contact === undefined ? null : shownContact(contact),
        closed,
        auditTarget: auditTarget(key),
        messages: rows.map(shownMessage),
      };
      return success(`${counted(rows.length, 'message')}, newest first.`, data, next);
    },
  });
}

const howWords = {
  keyword: 'by a keyword',
  api: 'through the API',
  import: 'by an import',
  'by hand': 'by hand',
  carrier: 'at its carrier',
} as const;

interface Names {
  /** Names of the company's people, by id. */
  people: ReadonlyMap<string, string>;
  /** Names of telephones, by number. */
  contacts: ReadonlyMap<string, string>;
}

/** The names of assigned people (looked up only when there are any) and of the telephones. */
async function namesOf(store: ThreadsOf, accountId: AccountId, threads: readonly Thread[]): Promise<Names> {
  const isAssigned = threads.some(({ assignedTo }) => assignedTo !== '');
  const [users, contacts] = await Promise.all([
    isAssigned ? store.users({ accountId }) : [],
    store.contactsOf({ accountId, contacts: threads.map(({ peer }) => peer) }),
  ]);
  return {
    people: new Map(users.map(({ userId, name }) => [userId, name])),
    contacts: new Map(contacts.map(({ contact, name }) => [contact, name])),
  };
}

function shownContact({ name, note, tags }: Contact) {
  return { name, note, tags: [...tags] };
}

function shownThread(names: Names): (thread: Thread) => TypeOf<typeof conversationThread> {
  return ({ own, lastAt, reply, ...thread }) => ({
    number: own,
    ...thread,
    name: names.contacts.get(thread.peer) ?? '',
    lastAt: isoTime(lastAt),
    reply: reply === null ? null : { ...reply, at: isoTime(reply.at) },
    ...shownCare(thread, names),
  });
}

function shownCare({ assignedTo, snoozedUntil }: Pick<Thread, 'assignedTo' | 'snoozedUntil'>, names: Names) {
  return {
    assignedTo: assignedTo === '' ? null : { userId: assignedTo, name: names.people.get(assignedTo) ?? assignedTo },
    snoozedUntil: snoozedUntil === 0 ? null : isoTime(snoozedUntil),
  };
}

function shownMessage(found: ThreadMessage) {
  const { acceptedAt, updatedAt, ...message } = flatMessage(found);
  return { ...message, acceptedAt: isoTime(acceptedAt), updatedAt: isoTime(updatedAt) };
}
