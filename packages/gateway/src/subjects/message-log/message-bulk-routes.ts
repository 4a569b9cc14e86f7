/**
 * Resends one message, or cancels or resends many. A search is previewed first, then applied to exactly the previewed
 * messages in bounded batches; each is checked again at its turn.
 */

import { success } from '../../http/exchange.ts';
import { param } from '../../http/guard.ts';
import { conflict, fieldFaults, refusal } from '../../http/portal/answers.ts';
import { form, optional, optionalTexts, required } from '../../http/portal/forms.ts';
import type { PortalModule } from '../../http/portal/portal.ts';
import type { JsonPortalCall, PortalRoutes } from '../../http/portal/portal-guard.ts';
import { answers } from '../../http/route.ts';
import { flag, list, named, object, plain, whole } from '../../http/shape.ts';
import { counted } from '../../kernel/counted.ts';
import { isMessageId, type MessageId } from '../../kernel/ids.ts';
import type { Acceptor } from '../../messaging/accept/accept.ts';
import {
  createResend,
  notAgain,
  type Resend,
  type ResendWay,
  type Resent,
  resendWays,
} from '../../messaging/accept/resend.ts';
import type { MessageSearch } from '../../messaging/store/message-log-items.ts';
import type { MessageStore } from '../../messaging/store/modules/messages.ts';
import { type ListedMessage, wantsOnlyRefused } from '../../model/message-search.ts';
import { StoreUnavailable } from '../../store/faults.ts';
import { noMessage, searchOf } from './message-list.ts';
import type { MessageLogStore } from './store/module.ts';

const bulkPreview = named(
  'BulkPreview',
  object({
    messageIds: list(plain()),
    states: list(
      object({
        state: plain(),
        count: whole(),
      }),
    ),
    left: list(
      object({
        code: plain(),
        count: whole(),
      }),
    ),
    more: flag(),
    runId: plain(),
    typedAbove: whole(),
    messagesMax: whole(),
  }),
);

const bulkRan = named(
  'BulkRan',
  object({
    action: plain(),
    count: whole(),
    done: whole(),
    reasons: list(
      object({
        code: plain(),
        detail: plain(),
        count: whole(),
      }),
    ),
  }),
);

export const bulkLimits = {
  /** The most messages of one action. */
  messages: 1_000,
  /** Above this number a person must type the count to confirm. */
  untyped: 100,
  /** The most pages of a search that are read. */
  looks: 30,
} as const;
const pageRows = 500;
/** Messages handled concurrently, so that they share commits. */
const atOnce = 25;

type BulkStore = Pick<MessageStore, 'message' | 'decide'> & Pick<MessageLogStore, 'searchMessages'>;

export interface BulkParts {
  store: BulkStore;
  acceptor: Pick<Acceptor, 'accept'>;
  /** Messages may be due now. */
  nudgeAll(): void;
}

const actions = ['cancel', 'resend'] as const;
type Action = (typeof actions)[number];

/** The result for one message; null = done. */
type Failure = Omit<Extract<Resent, { kind: 'refused' }>, 'kind'> | null;

export function messageBulkRoutes(parts: BulkParts): PortalModule {
  return (routes, deps) => {
    const resend = createResend({ ...deps, acceptor: parts.acceptor });
    addResend(routes, parts.store, resend);
    addPreview(routes, parts.store, deps.directory);
    addRun(routes, parts, { resend, clock: deps.clock });
  };
}

function addResend(routes: PortalRoutes, store: BulkStore, resend: Resend): void {
  routes.add({
    method: 'POST',
    path: '/messages/:messageId/resend',
    access: 'send',
    audit: ['message.resend'],
    body: form({ way: { ...required, oneOf: resendWays } }),
    answer: answers(
      object({
        messageId: plain(),
      }),
      'It is sent again, as a message of its own',
    ),
    work: async (call) => {
      const { account, audit, body, caller } = call;
      const way = body.way as ResendWay;
      const messageId = param(call, 'messageId');
      const message = isMessageId(messageId) ? await store.message(account.accountId, messageId) : null;
      if (message === null) return noMessage;
      const sent = await resend({ message, way, caller, onceAs: null });
      if (sent.kind === 'refused') return refusal(400, sent.code, sent.detail);
      await audit({ what: 'message.resend', target: messageId, after: { way, messageId: sent.messageId } });
      return success('It is sent again, as a message of its own.', { messageId: sent.messageId });
    },
  });
}

function addPreview(
  routes: PortalRoutes,
  store: BulkStore,
  directory: Parameters<typeof createResend>[0]['directory'],
): void {
  routes.add({
    method: 'POST',
    path: '/messages/bulk/preview',
    access: 'send',
    body: form({ ...whatForm, q: optional }),
    answer: answers(bulkPreview, 'Which messages it would be'),
    work: async (call) => {
      const { q = '', action, way = 'same' } = call.body;
      const { search, problems } = searchOf(call, directory(), q);
      const [problem] = problems;
      // If an unknown word were ignored, the action would apply to more messages than intended.
      if (problem !== undefined) return fieldFaults({ q: `${problem.token}: ${problem.sentence}` });
      const found = await gather(store, narrowed(search, action as Action), action as Action, way as ResendWay);
      return success(`${counted(found.messageIds.length, 'message')}.`, {
        ...found,
        states: tallied(found.states).map(([state, count]) => ({ state, count })),
        left: tallied(found.left).map(([code, count]) => ({ code, count })),
        runId: call.exchange.requestId,
        typedAbove: bulkLimits.untyped,
        messagesMax: bulkLimits.messages,
      });
    },
  });
}

const whatForm = { action: { ...required, oneOf: actions }, way: { ...optional, oneOf: resendWays } } as const;

/** Limits the search to messages that the action applies to; null when it can be none. */
function narrowed(search: Omit<MessageSearch, 'limit' | 'before' | 'after'>, action: Action) {
  const { filter } = search;
  // Refused recipients have no message. With the states set below, the search would find all that wait.
  if (wantsOnlyRefused(filter)) return null;
  if (action === 'resend')
    return { ...search, filter: { ...filter, direction: filter.direction ?? 'outbound' } } as const;
  const waiting = ['queued', 'held'] as const;
  const states = filter.states.length === 0 ? [...waiting] : waiting.filter((state) => filter.states.includes(state));
  return states.length === 0 ? null : { ...search, filter: { ...filter, states } };
}

/** Newest first, until enough are found or the limit of pages is reached. */
async function gather(store: BulkStore, search: ReturnType<typeof narrowed>, action: Action, way: ResendWay) {
  const messageIds: string[] = [];
  const states: string[] = [];
  const left: string[] = [];
  let before: string | null = null;
  let more = false;
  for (let look = 0; search !== null && look < bulkLimits.looks; look++) {
    const page = await store.searchMessages({ ...search, before, after: null, limit: pageRows });
    for (const message of page.messages) {
      const refused = unfit(message, action, way);
      if (refused !== null) left.push(refused);
      else if (messageIds.length === bulkLimits.messages) more = true;
      else {
        messageIds.push(message.messageId);
        states.push(message.state);
      }
    }
    before = page.next;
    if (before === null) return { messageIds, states, left, more };
    if (more) break;
  }
  return { messageIds, states, left, more: search !== null };
}

/** Why a message is left out; null when it is included. */
function unfit(message: ListedMessage, action: Action, way: ResendWay): string | null {
  return action === 'cancel' ? null : (notAgain(message, way)?.code ?? null);
}

function addRun(
  routes: PortalRoutes,
  { store, nudgeAll }: BulkParts,
  { resend, clock }: { resend: Resend; clock: { now(): number } },
): void {
  const busy = new Set<string>();

  async function one(
    call: JsonPortalCall,
    messageId: MessageId,
    form: { action: Action; way: ResendWay; runId: string },
  ): Promise<Failure> {
    const { accountId } = call.account;
    const message = isMessageId(messageId) ? await store.message(accountId, messageId) : null;
    if (message === null) return { code: 'NOT_FOUND', detail: 'Your company has no such message.' };
    if (form.action === 'cancel') {
      const isDone = await store.decide({ accountId, messageId, to: 'canceled', now: clock.now() });
      return isDone ? null : { code: 'NOT_WAITING', detail: 'It was not waiting any more.' };
    }
    const onceAs = `bulk ${form.runId} ${messageId}`;
    const sent = await resend({ message, way: form.way, caller: call.caller, onceAs });
    return sent.kind === 'sent' ? null : { code: sent.code, detail: sent.detail };
  }

  async function all(
    messageIds: readonly string[],
    work: (messageId: MessageId) => Promise<Failure>,
  ): Promise<Failure[]> {
    const outcomes: Failure[] = [];
    for (let i = 0; i < messageIds.length; i += atOnce) {
      outcomes.push(...(await Promise.all(messageIds.slice(i, i + atOnce).map((id) => work(id).catch(unavailable)))));
    }
    return outcomes;
  }

  routes.add({
    method: 'POST',
    path: '/messages/bulk',
    access: 'send',
    audit: ['message.bulk-resend'],
    body: form({
      ...whatForm,
      messageIds: optionalTexts(bulkLimits.messages, 30),
      runId: required,
      q: optional,
      typed: optional,
    }),
    answer: answers(bulkRan, 'For how many it was done, and why not for the others'),
    work: async (call) => {
      const { q = '', runId, typed = '' } = call.body;
      const messageIds = [...new Set(call.body.messageIds ?? [])];
      const count = messageIds.length;
      if (count === 0) return fieldFaults({ messageIds: 'Name at least one message.' });
      if (!/^req_[0-9A-HJKMNP-TV-Z]{26}$/.test(runId)) return fieldFaults({ runId: 'Send the runId of the preview.' });
      if (count > bulkLimits.untyped && typed !== String(count)) {
        return fieldFaults({ typed: `Type ${count}, the number of messages, to confirm.` });
      }
      const { accountId } = call.account;
      if (busy.has(accountId)) return conflict('Your company has another such action running. Wait until it is done.');
      busy.add(accountId);
      try {
        const action = call.body.action as Action;
        const form = { action, way: (call.body.way ?? 'same') as ResendWay, runId };
        const outcomes = await all(messageIds, (messageId) => one(call, messageId, form));
        const reasons = byReason(outcomes);
        const done = outcomes.filter((outcome) => outcome === null).length;
        const refused = Object.fromEntries(reasons.map((one) => [one.code, one.count]));
        // With the ids, each message's page can show the action.
        const after = { count, done, refused, messageIds: messageIds.filter((_, i) => outcomes[i] === null) };
        await call.audit({ what: `message.bulk-${action}`, target: q === '' ? 'all messages' : q, after });
        if (action === 'cancel') nudgeAll();
        return success(`Done for ${done} of ${count}.`, { action, count, done, reasons });
      } finally {
        busy.delete(accountId);
      }
    },
  });
}

function unavailable(error: unknown): Failure {
  if (!(error instanceof StoreUnavailable)) throw error;
  return { code: 'TEMPORARILY_UNAVAILABLE', detail: 'It could not be stored. Repeat it: nothing is done twice.' };
}

/** Each reason with its count and its first sentence, the most frequent first. */
function byReason(outcomes: readonly Failure[]): (NonNullable<Failure> & { count: number })[] {
  const failures = outcomes.filter((outcome) => outcome !== null);
  return [...Map.groupBy(failures, ({ code }) => code)]
    .map(([code, list]) => ({ code, detail: list[0]!.detail, count: list.length }))
    .sort((a, b) => b.count - a.count);
}

function tallied(values: readonly string[]): [string, number][] {
  return [...Map.groupBy(values, (value) => value)]
    .map(([value, list]): [string, number] => [value, list.length])
    .sort((a, b) => b[1] - a[1]);
}
