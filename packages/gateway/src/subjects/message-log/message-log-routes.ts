/**
 * The message log in the portal: search, export, message details, and decisions about a waiting message. Limited to the
 * person's company.
 */

import { isDeepStrictEqual } from 'node:util';
import { isoTime } from '../../http/envelope.ts';
import { type Answer, notSent, rejection, success } from '../../http/exchange.ts';
import { param } from '../../http/guard.ts';
import { conflict } from '../../http/portal/answers.ts';
import { answersExport, exported, exportQuery } from '../../http/portal/export-stream.ts';
import { withoutTexts } from '../../http/portal/hidden-texts.ts';
import type { PortalModule } from '../../http/portal/portal.ts';
import type { PortalCall, PortalRoutes } from '../../http/portal/portal-guard.ts';
import { textQueries } from '../../http/query-fields.ts';
import { answers, answersPage, ownBody } from '../../http/route.ts';
import type { RouteDeps } from '../../http/server.ts';
import { list, object, plain } from '../../http/shape.ts';
import { counted } from '../../kernel/counted.ts';
import { type AccountId, isMessageId, type RequestId } from '../../kernel/ids.ts';
import { judgeSender } from '../../messaging/accept/sender.ts';
import type { RefusedRecipient } from '../../messaging/store/message-log-items.ts';
import type { MessageStore } from '../../messaging/store/modules/messages.ts';
import type { Directory } from '../../model/directory.ts';
import { keyNameOf } from '../../model/directory.ts';
import { emptyFilter, type ListedMessage } from '../../model/message-search.ts';
import { stretches } from '../../model/rates.ts';
import { reasons } from '../../model/reason.ts';
import { sandboxNumbers } from '../../model/sandbox.ts';
import { dayOf } from '../../model/usage.ts';
import { readsCalls, shownCall } from '../request-log/request-log-routes.ts';
import type { RequestLogStore } from '../request-log/store/module.ts';
import type { WebhookStore } from '../webhooks/store/module.ts';
import { writeExport } from './message-export.ts';
import { groupedPage } from './message-groups.ts';
import { addHistogram } from './message-histogram.ts';
import {
  carrierNameOf,
  type ListParams,
  messagesQuery,
  noMessage,
  readListParams,
  readRefusedParams,
  refusedCursor,
  refusedQuery,
  shownListed,
  shownRefused,
} from './message-list.ts';
import {
  fullMessage,
  messageList,
  messageStates,
  reason,
  refusedAnswer,
  requestWhole,
  senders as sendersShape,
  sentRequest as sentRequestShape,
} from './message-log-shapes.ts';
import { sentRequest } from './message-request.ts';
import { state as shownState } from './message-shapes.ts';
import { shownMessage } from './messages.ts';
import type { MessageLogStore } from './store/module.ts';

type LogStore = Pick<MessageStore, 'message' | 'decide'> &
  Pick<
    MessageLogStore,
    'countMessages' | 'searchMessages' | 'sentWith' | 'refusedRecipients' | 'refusedCounts' | 'searchRefused'
  > &
  Pick<WebhookStore, 'webhooksOf'> &
  Pick<RequestLogStore, 'request'>;

export interface MessageLogParts {
  store: LogStore;
  /** Messages may be due now. */
  nudgeAll(): void;
}

const requestIdForm = /^req_[0-9A-HJKMNP-TV-Z]{26}$/;
/** Recipients of the same request that a message's page shows. */
const siblingsMax = 500;
/** Messages whose states are read at once: their ids must fit into a URL that every proxy accepts. */
const statesMax = 200;

export function messageLogRoutes(parts: MessageLogParts): PortalModule {
  return (routes, deps) => {
    addList(routes, parts.store, deps.directory);
    addHistogram(routes, parts.store, deps);
    addStates(routes, parts.store);
    addRefused(routes, parts.store, deps.directory);
    addOne(routes, parts.store, deps.directory);
    addRequest(routes, parts.store, deps);
    addDecisions(routes, parts, deps.clock);
    routes.add({
      method: 'GET',
      path: '/senders',
      access: 'read',
      answer: answers(sendersShape, 'Your sending numbers, those first that may send'),
      work: ({ account, environment }) => {
        const directory = deps.directory();
        const at = deps.clock.now();
        const senders = sendersOf(directory, account.accountId, environment).map((sender) => {
          const until = directory.quietUntil(account, sender.number, at);
          return { ...sender, waitsUntil: until === null ? null : isoTime(until) };
        });
        const today = dayOf(at);
        const [now] = stretches({ from: today, to: today }, account.rates ?? []);
        return success(`${counted(senders.length, 'number')}.`, { senders, rate: now?.rate ?? null });
      },
    });
    routes.add({
      method: 'GET',
      path: '/reasons',
      access: 'signed in',
      answer: answers(list(reason), 'Every code, with what it means'),
      work: () => success(`${counted(reasons.length, 'code')}.`, reasons),
    });
  };
}

/** Includes texts only for people who may read them. */
function shownTo<T>(call: PortalCall, answer: Answer<T>): Answer<T> {
  return call.may('readBody') ? answer : withoutTexts(answer);
}

function addList(routes: PortalRoutes, store: LogStore, directory: () => Directory): void {
  routes.add({
    method: 'GET',
    path: '/messages',
    access: 'read',
    query: messagesQuery,
    answer: answersPage(messageList, 'before', 'A page, newest first'),
    work: async (call) => {
      const params = readListParams(call, directory());
      if (typeof params === 'string') return rejection('INVALID_FIELD', params);
      const { rows, next, searchedTo } = await rowsOf(store, params, directory());
      const shown = {
        messages: rows,
        searchedTo: searchedTo === null ? null : isoTime(searchedTo),
        problems: params.problems,
      };
      const what = params.byRequest ? 'requests and received messages' : 'messages';
      return shownTo(call, success(`${rows.length} ${what}, newest first.`, shown, next));
    },
  });

  for (const format of ['csv', 'jsonl'] as const) {
    routes.add({
      method: 'GET',
      path: `/messages/export.${format}`,
      access: 'read',
      query: { ...messagesQuery, ...exportQuery },
      answer: answersExport(format),
      work: async (call) => {
        const params = readListParams(call, directory());
        if (typeof params === 'string') return rejection('INVALID_FIELD', params);
        const hidesTexts = !call.may('readBody');
        return exported(call, { name: 'messages', format }, ({ stream, timeZone, gone }) => {
          const form = { format, hidesTexts, timeZone };
          return writeExport(stream, params.search, form, { store, directory: directory(), gone });
        });
      },
    });
  }
}

/** Recipients refused at acceptance: they have no message that the list could show. */
function addRefused(routes: PortalRoutes, store: LogStore, directory: () => Directory): void {
  routes.add({
    method: 'GET',
    path: '/messages/refused',
    access: 'read',
    query: refusedQuery,
    answer: answers(refusedAnswer, 'Recipients that were refused while others of their request were accepted'),
    work: async (call) => {
      const params = readRefusedParams(call, directory());
      if (typeof params === 'string') return rejection('INVALID_FIELD', params);
      const { recipients, next, searchedTo } = await store.searchRefused(params.search);
      const shown = {
        recipients: recipients.map((one) => shownRefused(directory(), one)),
        searchedTo: searchedTo === null ? null : isoTime(searchedTo),
        problems: params.problems,
        asks: params.asks,
      };
      const detail = `${counted(recipients.length, 'refused recipient')}, newest first.`;
      return success(detail, shown, next === null ? null : refusedCursor(next));
    },
  });
}

/** The present states of the rows on a page, for when it may have missed updates. */
function addStates(routes: PortalRoutes, store: LogStore): void {
  routes.add({
    method: 'GET',
    path: '/messages/states',
    access: 'read',
    query: textQueries({ ids: 'Message ids with a comma between them.' }),
    answer: answers(messageStates, 'The states of these messages'),
    work: async ({ account: { accountId }, query }) => {
      const messageIds = (query.ids ?? '').split(',');
      if (messageIds.length > statesMax || !messageIds.every((id) => isMessageId(id))) {
        const sentence = `The query parameter ids must be 1 to ${statesMax} message ids with a comma between them.`;
        return rejection('INVALID_FIELD', sentence);
      }
      const filter = { ...emptyFilter(), messageIds };
      const search = { accountId, filter, ownNumbers: [], before: null, after: null, limit: statesMax };
      const { messages } = await store.searchMessages(search);
      const states = messages.map(({ messageId, state, code, updatedAt }) => {
        return { messageId, state, code, updatedAt: isoTime(updatedAt) };
      });
      return success(`${counted(states.length, 'message')}.`, { states });
    },
  });
}

async function rowsOf(store: LogStore, { search, byRequest }: ListParams, directory: Directory) {
  if (!byRequest) {
    const { messages, ...page } = await store.searchMessages(search);
    return { ...page, rows: messages.map((one) => shownListed(directory, one)) };
  }
  const { groups, ...page } = await groupedPage(store.searchMessages, search);
  // A search with a filter counts only what it finds, which never includes refused recipients.
  const isWhole = isDeepStrictEqual(search.filter, emptyFilter());
  const requestIds = isWhole ? groups.map(({ message }) => message.requestId) : [];
  const counts = await store.refusedCounts({ accountId: search.accountId, requestIds });
  const refused = new Map(counts.map(({ requestId, count }) => [requestId, count]));
  const rows = groups.map(({ message, ...group }) => ({
    ...shownListed(directory, message),
    ...group,
    refused: refused.get(message.requestId) ?? 0,
  }));
  return { ...page, rows };
}

function addOne(routes: PortalRoutes, store: LogStore, directory: () => Directory): void {
  routes.add({
    method: 'GET',
    path: '/messages/:messageId/full',
    access: 'read',
    answer: answers(fullMessage, 'The message, and all that is known of it'),
    work: async (call) => {
      const { accountId } = call.account;
      const messageId = param(call, 'messageId');
      const message = isMessageId(messageId) ? await store.message(accountId, messageId) : null;
      if (message === null) return noMessage;
      const endpoints = directory().endpointsOf(accountId);
      const [siblings, refused, webhooks] = await Promise.all([
        ofRequest(store, accountId, message.requestId),
        refusedOf(store, accountId, message),
        store.webhooksOf({ accountId, messageId, endpointIds: endpoints.map(({ endpointId }) => endpointId) }),
      ]);
      const keyId = siblings.find((one) => one.messageId === messageId)?.keyId ?? null;
      const nameOf = (endpointId: string) => endpoints.find((one) => one.endpointId === endpointId)?.name ?? endpointId;
      return shownTo(
        call,
        success('The message with all its details.', {
          message: shownMessage(message),
          recipients: siblings.map((one) => shownListed(directory(), one)),
          refused,
          key: keyId === null ? null : { keyId, name: keyNameOf(directory(), keyId) },
          webhooks: webhooks.map(({ createdAt, updatedAt, dueAt, ...webhook }) => ({
            ...webhook,
            endpoint: nameOf(webhook.endpointId),
            createdAt: isoTime(createdAt),
            updatedAt: isoTime(updatedAt),
            dueAt: isoTime(dueAt),
          })),
          carrierName: carrierNameOf(directory(), message.carrier),
        }),
      );
    },
  });

  routes.add({
    method: 'GET',
    path: '/requests/:requestId',
    access: 'read',
    answer: answers(requestWhole, 'The request with its messages and its call'),
    work: async (call) => {
      const requestId = param(call, 'requestId');
      const { accountId } = call.account;
      const isId = requestIdForm.test(requestId);
      const messages = isId ? await ofRequest(store, accountId, requestId) : [];
      const kept = isId && call.may(readsCalls) ? await store.request({ accountId, requestId }) : null;
      if (messages.length === 0 && kept === null) {
        return rejection(
          'NOT_FOUND',
          'Your company has no messages and no API call of a request with this id. The gateway keeps calls for 7 days.',
        );
      }
      const shown = messages.map((one) => shownListed(directory(), one));
      const refused = messages.length === 0 ? [] : await refusedOf(store, accountId, messages[0]!);
      const answer = { requestId, messages: shown, refused, call: kept === null ? null : shownCall(directory(), kept) };
      return shownTo(call, success(`${counted(shown.length, 'message')} of this request.`, answer));
    },
  });
}

/** The original request and answer, to debug the caller's program. */
function addRequest(routes: PortalRoutes, store: LogStore, { directory, limits }: RouteDeps): void {
  const keptMs = limits.idempotencyKeptHours * 3_600_000;
  routes.add({
    method: 'GET',
    path: '/messages/:messageId/request',
    access: 'read',
    answer: answers(sentRequestShape, 'The request and its answer, as far as they are kept'),
    work: async (call) => {
      const { accountId } = call.account;
      const messageId = param(call, 'messageId');
      const message = isMessageId(messageId) ? await store.message(accountId, messageId) : null;
      const kept = message === null ? null : await store.sentWith({ accountId, messageId, keptMs });
      if (message === null) return noMessage;
      if (kept === null) return rejection('NOT_FOUND', 'This message was received: no request of yours made it.');
      const [messages, refused] = await Promise.all([
        ofRequest(store, accountId, message.requestId),
        refusedOf(store, accountId, message),
      ]);
      const key = directory().records.apiKeys.find(({ keyId }) => keyId === messages[0]?.keyId) ?? null;
      const textGone = message.bodyDeletedAt !== undefined;
      const more = messages.length === siblingsMax;
      const shown = sentRequest({ messages, refused, more, textGone, kept, key, limits });
      return shownTo(call, success('The stored parts of the request and its answer.', shown));
    },
  });
}

async function ofRequest(store: LogStore, accountId: AccountId, requestId: RequestId): Promise<ListedMessage[]> {
  const filter = { ...emptyFilter(), requestId };
  const search = { accountId, filter, ownNumbers: [], before: null, after: null, limit: siblingsMax };
  return (await store.searchMessages(search)).messages.toReversed();
}

/** A received text was never refused. */
async function refusedOf(
  store: LogStore,
  accountId: AccountId,
  { requestId, direction }: Pick<ListedMessage, 'requestId' | 'direction'>,
): Promise<RefusedRecipient[]> {
  if (direction === 'inbound') return [];
  return store.refusedRecipients({ accountId, requestId, limit: siblingsMax });
}

function addDecisions(routes: PortalRoutes, { store, nudgeAll }: MessageLogParts, clock: { now(): number }): void {
  const decisions = [
    { path: 'cancel', to: 'canceled', from: ['queued', 'held'], done: 'The message is canceled and will not be sent.' },
    {
      path: 'release',
      to: 'queued',
      from: ['held'],
      done: 'The message is queued again. The handset may get it twice.',
    },
  ] as const;
  for (const { path, to, from, done } of decisions) {
    routes.add({
      method: 'POST',
      path: `/messages/:messageId/${path}`,
      access: 'send',
      body: ownBody(null, { optional: true }),
      answer: answers(object({ messageId: plain(), state: shownState }), 'Its state from now on'),
      work: async (call) => {
        const { accountId } = call.account;
        const messageId = param(call, 'messageId');
        const message = isMessageId(messageId) ? await store.message(accountId, messageId) : null;
        if (message === null) return noMessage;
        const isWaiting = (from as readonly string[]).includes(message.state);
        if (!isWaiting || !(await store.decide({ accountId, messageId, to, now: clock.now() }))) {
          return conflict(`The message is not waiting any more. Nothing was changed.`, { state: message.state });
        }
        await call.audit({
          what: `message.${path}`,
          target: messageId,
          before: { state: message.state },
          after: { state: to },
        });
        nudgeAll();
        return success(done, { messageId, state: to });
      },
    });
  }
}

/** The account's numbers: first those that can send, then the others with the reason why not. */
function sendersOf(directory: Directory, accountId: AccountId, environment: 'sandbox' | 'live') {
  const own = directory.records.numbers.filter(
    (number) => number.accountId === accountId && number.environment === environment,
  );
  const senders = own.map(({ number }) => {
    const sms = judgeSender(directory, number, accountId, environment, 'SMS');
    const mms = judgeSender(directory, number, accountId, environment, 'MMS');
    return {
      number,
      ...(sms.kind === 'ready'
        ? { sms: true, why: null }
        : { sms: false, why: sms.detail.replace(` ${notSent}`, ''), reason: sms.reason }),
      mms: mms.kind === 'ready',
    };
  });
  const rank = ({ number, sms }: (typeof senders)[number]): number =>
    !sms ? 2 : number === sandboxNumbers.ready ? 0 : 1;
  return senders.sort((a, b) => rank(a) - rank(b));
}
