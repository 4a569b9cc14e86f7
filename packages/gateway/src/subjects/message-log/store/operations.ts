/**
 * Searches an account's messages, newest first. The filter decides where to search: named ids, a rare state, a
 * reference, a pair of numbers, or from the newest backwards, within a bound. Never returns another account's message.
 */

import { type AccountId, firstIdAt, idTime } from '../../../kernel/ids.ts';
import type {
  MessageSearch,
  MessageSearchPage,
  MessagesReachQuery,
  ReceiptTimes,
  ReceiptTimesQuery,
  SentWith,
  SentWithQuery,
  StuckMessagesQuery,
} from '../../../messaging/store/message-log-items.ts';
import { patternOf } from '../../../messaging/store/operations/text-search.ts';
import { messageFields } from '../../../messaging/store/operations/view.ts';
import {
  type filterColumns,
  type ListedRow,
  type ScarceState,
  scarceStates,
  selectAnswer,
  selectEdge,
  selectEdgeAfter,
  selectInState,
  selectListed,
  selectMatching,
  selectReceiptTimes,
  selectReferenced,
  selectRequest,
  selectSent,
} from '../../../messaging/store/statements/message-log.ts';
import { ownRow } from '../../../messaging/store/statements/own-side.ts';
import {
  emptyFilter,
  type ListedMessage,
  type MessageFilter,
  wantsOnlyRefused,
} from '../../../model/message-search.ts';
import { type Operation, type RowFor, run } from '../../../store/query.ts';
import { type Found, newestFirst, readTalk, type Span, talkOf } from './message-talk.ts';

/** The answer is stored by the same request as its messages, at most this much later. */
const slackMs = 100;

/** `keptMs`: how long answers are stored. Null for messages that were not sent. */
export function* sentWith({
  accountId: account_id,
  messageId: message_id,
  keptMs,
}: SentWithQuery): Operation<SentWith | null> {
  const [sent] = yield* run(selectSent, [{ account_id, message_id }]);
  if (sent === undefined) return null;
  const { request_id, accepted_at, valid_for: validForMs } = sent;
  const end = accepted_at + keptMs;
  const [found] = yield* run(selectAnswer, [{ account_id, request_id, after: end - slackMs, before: end + slackMs }]);
  return { validForMs, answer: found?.answer ?? null, answerKeptUntil: found?.expires_at ?? null };
}

/** Messages read one after the other, few at first, then more; for each direction. */
const looks = [500, 2_000, 4_000, 6_000] as const;
/** Messages in one state that are filtered by account; with more, all messages are scanned. */
const scarceMax = 5_000;
const candidatesMax = 2_000;
/** Sorts after every message id. */
const afterAllIds = '~';
const prefix = 'msg_';
/** Requests with one reference that are looked up one by one. */
const referencedMax = 100;

type FilterRow = RowFor<typeof filterColumns>;

export function* searchMessages(request: MessageSearch): Operation<MessageSearchPage> {
  const { filter } = request;
  const span = yield* spanOf(request);
  if (span === null || wantsOnlyRefused(filter)) return { messages: [], next: null, searchedTo: null };
  const params = filterRow(request);
  const named = filter.messageIds.length > 0 ? filter.messageIds : yield* inScarceStates(request);
  if (named !== null) return pageOf(request, yield* candidates(request, within(named, span), params));
  const referenced = filter.reference === null ? null : yield* withReference(request, span, params);
  if (referenced !== null) return pageOf(request, referenced);
  const talk = talkOf(request);
  if (talk !== null) {
    const found = yield* readTalk(request, talk, span, (ids) => candidates(request, ids, params));
    // Nothing found: the message may belong to a number that the account once had.
    if (found.rows.length > 0) return pageOf(request, found);
  }
  return yield* lookThrough(request, span, params);
}

/** Null when no message can match. */
export function* spanOf({ accountId, filter, before, after }: MessageSearch): Operation<Span | null> {
  const span = { before: before ?? afterAllIds, after: after === null ? '' : idAfter(after) };
  narrow(span, filter.after, filter.before);
  if (filter.requestId === null) return span;
  const [found] = yield* run(selectRequest, [{ account_id: accountId, request_id: filter.requestId }]);
  if (found === undefined) return null;
  narrowToRequest(span, { request_id: filter.requestId, ...found });
  return span;
}

/** The ids of its messages were made between its own id and its time of acceptance. */
function narrowToRequest(span: Span, { request_id, accepted_at }: { request_id: string; accepted_at: number }): void {
  const times = [idTime(request_id) ?? accepted_at, accepted_at];
  narrow(span, Math.min(...times) - requestSlackMs, Math.max(...times) + requestSlackMs);
}

/** Messages with a reference; null when so many requests have it that a scan finds enough of them. */
function* withReference(request: MessageSearch, span: Span, params: FilterRow): Operation<Found | null> {
  const { accountId, limit, filter } = request;
  const wanted = { account_id: accountId, reference: filter.reference!, limit: referencedMax };
  const requests = yield* run(selectReferenced, [wanted]);
  if (requests.length === referencedMax) return null;
  const rows: ListedRow[] = [];
  for (const one of requests) {
    const own = { ...span };
    narrowToRequest(own, one);
    const range = { account_id: accountId, before: own.before, after: own.after, request_id: one.request_id };
    for (const direction of directionsOf(filter)) {
      rows.push(...(yield* run(selectMatching, [{ ...params, ...range, direction, limit: limit + 1 }])));
    }
  }
  rows.sort((a, b) => newestFirst(a.message_id, b.message_id));
  return { rows, end: null };
}

const requestSlackMs = 1_000;

function narrow(span: Span, from: number | null, until: number | null): void {
  if (from !== null && firstIdAt(prefix, from) > span.after) span.after = firstIdAt(prefix, from);
  if (until !== null && firstIdAt(prefix, until) < span.before) span.before = firstIdAt(prefix, until);
}

function within(ids: readonly string[], { before, after }: Span): string[] {
  return [...new Set(ids)].filter((id) => id < before && id >= after).sort(newestFirst);
}

/** Ids of all messages in the wanted states if these are few; null when they are not, or no state is wanted. */
function* inScarceStates({ accountId, filter: { states } }: MessageSearch): Operation<string[] | null> {
  if (states.length === 0 || !states.every(isScarce)) return null;
  const ids: string[] = [];
  for (const state of states) {
    const rows = yield* run(selectInState[state as ScarceState], [{ limit: scarceMax }]);
    if (rows.length === scarceMax) return null;
    for (const { message_id, account_id } of rows) if (account_id === accountId) ids.push(message_id);
  }
  return ids;
}

export function isScarce(state: string): boolean {
  return (scarceStates as readonly string[]).includes(state);
}

/** The ids that match the search, newest first. */
function* candidates(
  { accountId, limit, filter: { direction } }: MessageSearch,
  ids: readonly string[],
  params: FilterRow,
): Operation<Found> {
  const rows: ListedRow[] = [];
  let looked = 0;
  while (looked < ids.length && looked < candidatesMax && rows.length <= limit) {
    const some = ids.slice(looked, looked + limit).map((message_id) => ({
      account_id: accountId,
      message_id,
      direction,
      ...params,
    }));
    rows.push(...(yield* run(selectListed, some)));
    looked += some.length;
  }
  rows.sort((a, b) => newestFirst(a.message_id, b.message_id));
  return { rows, end: looked < ids.length ? ids[looked - 1]! : null };
}

function pageOf({ limit }: MessageSearch, { rows, end }: Found): MessageSearchPage {
  const messages = rows.slice(0, limit).map(asListed);
  if (rows.length > limit) return { messages, next: messages.at(-1)!.messageId, searchedTo: null };
  return { messages, next: end, searchedTo: end === null ? null : idTime(endId(end)) };
}

/** A bound may be only the first part of an id. */
export function endId(end: string): string {
  return end.padEnd(prefix.length + 26, '0');
}

function* lookThrough(request: MessageSearch, span: Span, params: FilterRow): Operation<MessageSearchPage> {
  const { accountId, limit, filter } = request;
  const directions = directionsOf(filter);
  const rows: ListedRow[] = [];
  let { before } = span;
  for (const look of looks) {
    const edge = yield* edgeOf(accountId, directions, { before, after: span.after }, look);
    for (const direction of directions) {
      const range = { account_id: accountId, direction, before, after: edge ?? span.after };
      rows.push(...(yield* run(selectMatching, [{ ...range, ...params, limit: limit + 1 }])));
    }
    rows.sort((a, b) => newestFirst(a.message_id, b.message_id));
    if (edge === null || rows.length > limit) return pageOf(request, { rows, end: null });
    before = edge;
  }
  return pageOf(request, { rows, end: before });
}

/** The first id that is greater. */
function idAfter(id: string): string {
  return `${id} `;
}

/** How far `look` messages of each direction reach; null when that is everything. */
export function* edgeOf(
  accountId: AccountId,
  directions: readonly string[],
  span: Span,
  look: number,
  order: 'newest first' | 'oldest first' = 'newest first',
) {
  const isNewestFirst = order === 'newest first';
  let edge: string | null = null;
  for (const direction of directions) {
    const params = { account_id: accountId, direction, ...span, look };
    const [found] = yield* run(isNewestFirst ? selectEdge : selectEdgeAfter, [params]);
    const reached = found!.found === look ? found!.edge : null;
    if (reached !== null && (edge === null || reached > edge === isNewestFirst)) edge = reached;
  }
  return edge;
}

/** The last id to which `look` messages of each direction reach, in the order of the list; null = to the end. */
export function* messagesReach({ accountId, direction, before, after, look }: MessagesReachQuery) {
  const span = { before: before ?? afterAllIds, after: after === null ? '' : idAfter(after) };
  const directions = direction === null ? bothDirections : [direction];
  return yield* edgeOf(accountId, directions, span, look, after === null ? 'newest first' : 'oldest first');
}

const bothDirections = ['outbound', 'inbound'] as const;

export function directionsOf({ direction, states }: MessageFilter): ('outbound' | 'inbound')[] {
  if (direction !== null) return [direction];
  if (states.length > 0 && !states.includes('received')) return ['outbound'];
  return states.length === 1 ? ['inbound'] : ['outbound', 'inbound'];
}

export function filterRow({ filter, ...side }: MessageSearch): FilterRow {
  return {
    sender: list(filter.from),
    recipient: list(filter.to),
    number: list(filter.numbers),
    states: list(filter.states),
    codes: list(filter.codes),
    keys: list(filter.keys),
    carriers: list(filter.carriers),
    reference: filter.reference,
    type: filter.type,
    request_id: filter.requestId,
    ...ownRow(side),
    text: filter.text === null ? null : patternOf(filter.text),
  };
}

/** A list in the form of the statements; null = no filter. */
function list(values: readonly string[]): string | null {
  return values.length === 0 ? null : `,${values.join(',')},`;
}

function asListed(row: ListedRow): ListedMessage {
  return {
    ...messageFields(row),
    keyId: row.key_id,
    state: row.state,
    acceptedAt: row.accepted_at,
    updatedAt: row.updated_at,
  };
}

/** Receipts of one carrier among the newest `look` messages that an account sent through any carrier. */
export function* receiptTimes({ accountId: account_id, ...request }: ReceiptTimesQuery): Operation<ReceiptTimes> {
  const rows = yield* run(selectReceiptTimes, [{ account_id, ...request }]);
  const tookMs = rows.map(({ took }) => took);
  return { tookMs, lastAt: rows.length === 0 ? null : Math.max(...rows.map(({ at }) => at)) };
}

/** Messages that wait for a person or a receipt; reads at most `look` of each state over all accounts. */
export function* stuckMessages({
  accountId,
  look,
  ...side
}: StuckMessagesQuery): Operation<{ held: number; uncertain: number }> {
  const count = function* (state: 'held' | 'uncertain'): Operation<number> {
    const rows = yield* run(selectInState[state], [{ limit: look }]);
    const ids = rows.filter(({ account_id }) => account_id === accountId).map(({ message_id }) => message_id);
    if (side.only === undefined && side.without === undefined) return ids.length;
    const filter = emptyFilter();
    const search = { accountId, filter, ownNumbers: [], limit: look, ...side, before: null, after: null };
    return (yield* candidates(search, ids, filterRow(search))).rows.length;
  };
  return { held: yield* count('held'), uncertain: yield* count('uncertain') };
}
