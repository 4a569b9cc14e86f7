/**
 * Deletes old texts, old messages, and everything of one number. Reads select, the writer deletes without checking
 * again, because what may go once may always go. Messages that may still be sent, and the newest event, stay.
 */
import { gatherConversations } from '../../../messaging/store/operations/gather.ts';
import { refusedPlaces } from '../../../messaging/store/operations/refused.ts';
import { deleteMmsDeliveries } from '../../../messaging/store/statements/media.ts';
import { deleteRefused, deleteRefusedOfRequests } from '../../../messaging/store/statements/refused.ts';
import { deleteThreads } from '../../../messaging/store/statements/threads.ts';
import type { DeliveryState } from '../../../model/lifecycle.ts';
import { maskNumber } from '../../../model/number.ts';
import { type Operation, run } from '../../../store/query.ts';
import { deleteAttempts, deleteWebhooks } from '../../webhooks/store/statements.ts';
import type { EraseRequest, Erasure, ErasuresQuery, ForgetEventsRequest, ForgetMessagesRequest } from './items.ts';
import {
  deleteAccountMessages,
  deleteConversations,
  deleteDeliveries,
  deleteEvents,
  deleteLeft,
  deleteMediaOfRequests,
  deleteMessageEvents,
  deleteMessages,
  deleteParts,
  type ErasureRow,
  emptyBodies,
  insertErasures,
  insertLeft,
  type OldRow,
  putPassed,
  selectErasure,
  selectErasures,
  selectLeftMessages,
  selectOldEvents,
  selectOldMessages,
  selectOpenErasures,
  selectPassed,
  selectWebhooksOf,
  updateErasure,
} from './statements.ts';

/** Messages to delete, and requests that then have no message left. */
export interface Gone {
  accountId: string;
  messages: OldRow[];
  requestIds: string[];
  webhooks: { endpoint_id: string; position: number }[];
}

export interface Forgettable {
  accountId: string;
  now: number;
  empty: string[];
  /** To be looked at again, and those that need not be any more. */
  left: string[];
  unleft: string[];
  passed: { name: string; passed: string } | null;
  gone: Gone | null;
  cursor: string | null;
}

const settledStates: ReadonlySet<DeliveryState> = new Set<DeliveryState>([
  ...(['delivered', 'undelivered', 'unconfirmed', 'failed', 'expired', 'canceled', 'received'] as const),
]);
const isSettled = ({ state }: OldRow): boolean => settledStates.has(state);

/** The steps of one account, in their order. */
const phases = ['left', 'bodies outbound', 'bodies inbound', 'messages outbound', 'messages inbound'] as const;
type Phase = (typeof phases)[number];

export function* forgettable(request: ForgetMessagesRequest): Operation<Forgettable> {
  const [phase, after] = readCursor(request.cursor);
  const { accountId, now } = request;
  const none = { accountId, now, empty: [], left: [], unleft: [], passed: null, gone: null };
  const direction = phase.endsWith('outbound') ? 'outbound' : 'inbound';
  if (phase === 'left') {
    const page = yield* leftPage(request, after);
    const settled = page.requests.filter((rows) => rows.every(isSettled)).flat();
    return { ...none, empty: requestIds(settled), unleft: settled.map(messageId), cursor: nextCursor(phase, page) };
  }
  if (phase.startsWith('bodies')) {
    const [mark] = yield* run(selectPassed, [{ account_id: accountId, name: direction }]);
    const page = yield* oldPage(request, direction, mark?.passed ?? '', request.bodiesBefore);
    const [settled, others] = parted(page.requests);
    return {
      ...none,
      empty: requestIds(settled),
      left: others.map(messageId),
      passed: page.last === null ? null : { name: direction, passed: page.last },
      cursor: nextCursor(phase, page),
    };
  }
  const page = yield* oldPage(request, direction, after, request.messagesBefore);
  const [messages] = parted(page.requests);
  const gone = yield* goneOf(request, messages, requestIds(messages));
  return { ...none, gone, cursor: nextCursor(phase, page) };
}

const messageId = (row: OldRow): string => row.message_id;
export const requestIds = (rows: readonly OldRow[]): string[] => [...new Set(rows.map((row) => row.request_id))];

function parted(requests: readonly OldRow[][]): [settled: OldRow[], others: OldRow[]] {
  const settled = requests.filter((rows) => rows.every(isSettled));
  return [settled.flat(), requests.filter((rows) => !settled.includes(rows)).flat()];
}

function readCursor(cursor: string | null): [Phase, string] {
  const [phase = phases[0], after = ''] = cursor?.split('|') ?? [];
  return [phase as Phase, after];
}

function nextCursor(phase: Phase, { last, more }: Page): string | null {
  if (more && last !== null) return `${phase}|${last}`;
  return phases[phases.indexOf(phase) + 1] ?? null;
}

interface Page {
  /** Each request whole. */
  requests: OldRow[][];
  /** Looked at up to this message; null when there was none. */
  last: string | null;
  more: boolean;
}

function* leftPage({ accountId, limit }: ForgetMessagesRequest, after: string): Operation<Page> {
  const rows = yield* run(selectLeftMessages, [{ account_id: accountId, after, limit }]);
  return pageOf(rows, limit, Number.POSITIVE_INFINITY);
}

export function* oldPage(
  { accountId, limit }: { accountId: string; limit: number },
  direction: string,
  after: string,
  before: number,
): Operation<Page> {
  return pageOf(yield* run(selectOldMessages, [{ account_id: accountId, direction, after, limit }]), limit, before);
}

/** The ids of a request's messages follow each other: only the last request of a full page may go on behind it. */
function pageOf(rows: readonly OldRow[], limit: number, before: number): Page {
  const young = rows.findIndex((row) => row.accepted_at >= before);
  const old = young === -1 ? rows : rows.slice(0, young);
  const full = young === -1 && rows.length >= limit;
  const requests = [...Map.groupBy(old, (row) => row.request_id).values()];
  if (full && requests.length > 1) requests.pop();
  return { requests, last: requests.at(-1)?.at(-1)?.message_id ?? null, more: full };
}

export function* goneOf(
  { accountId, endpointIds }: { accountId: string; endpointIds: readonly string[] },
  messages: OldRow[],
  wholeRequestIds: string[],
): Operation<Gone | null> {
  if (messages.length === 0) return null;
  const asked = messages.flatMap(({ message_id }) => endpointIds.map((endpoint_id) => ({ endpoint_id, message_id })));
  return { accountId, messages, requestIds: wholeRequestIds, webhooks: yield* run(selectWebhooksOf, asked) };
}

export function* forgetMessages(items: readonly Forgettable[]): Operation<null[]> {
  for (const { accountId, now, empty, left, unleft, passed, gone } of items) {
    const named = (ids: readonly string[]) => ids.map((message_id) => ({ account_id: accountId, message_id }));
    yield* run(
      emptyBodies,
      empty.map((request_id) => ({ request_id, now })),
    );
    yield* run(insertLeft, named(left));
    yield* run(deleteLeft, named(unleft));
    if (passed !== null) yield* run(putPassed, [{ account_id: accountId, ...passed }]);
    if (gone !== null) yield* letGo(gone);
  }
  return items.map(() => null);
}

/** Everything that is known of messages, but the newest place of the log. */
export function* letGo({ accountId, messages, requestIds: whole, webhooks }: Gone): Operation<void> {
  yield* run(deleteAttempts, webhooks);
  yield* run(deleteWebhooks, webhooks);
  const rows = messages.map((row) => ({ ...row, account_id: accountId }));
  yield* run(deleteMessageEvents, rows);
  yield* run(deleteParts, rows);
  if (messages.length > 0) yield* gatherConversations();
  yield* run(deleteConversations, messages.map(conversationRow));
  yield* run(
    deleteThreads,
    messages.map((row) => ({ account_id: accountId, ...conversationRow(row) })),
  );
  yield* run(deleteMmsDeliveries, rows);
  yield* run(deleteLeft, rows);
  yield* run(deleteAccountMessages, rows);
  yield* run(deleteDeliveries, rows);
  const requests = whole.map((request_id) => ({ request_id }));
  yield* run(deleteMediaOfRequests, requests);
  yield* run(deleteRefusedOfRequests, requests);
  yield* run(deleteMessages, requests);
}

function conversationRow({ direction, sender, recipient, message_id, accepted_at }: OldRow) {
  return direction === 'outbound'
    ? { own: sender, peer: recipient, outbound: 1, message_id, at: accepted_at }
    : { own: recipient, peer: sender, outbound: 0, message_id, at: accepted_at };
}

/** `passed` is the mark of the log; it moves only over what is older than `before`. */
export interface ForgettableEvents {
  positions: number[];
  passed: string | null;
  more: boolean;
}

const logMark = { account_id: '', name: 'events' } as const;

export function* forgettableEvents({ before, limit }: ForgetEventsRequest): Operation<ForgettableEvents> {
  const [mark] = yield* run(selectPassed, [logMark]);
  const rows = yield* run(selectOldEvents, [{ after: Number(mark?.passed ?? 0), limit }]);
  const young = rows.findIndex(({ at }) => at >= before);
  const old = young === -1 ? rows : rows.slice(0, young);
  const positions = old.filter(({ alone }) => alone === 1).map(({ position }) => position);
  return { positions, passed: old.length === 0 ? null : String(old.at(-1)!.position), more: old.length >= limit };
}

export function* forgetEvents(items: readonly ForgettableEvents[]): Operation<null[]> {
  for (const { positions, passed } of items) {
    yield* run(
      deleteEvents,
      positions.map((position) => ({ position })),
    );
    if (passed !== null) yield* run(putPassed, [{ ...logMark, passed }]);
  }
  return items.map(() => null);
}

export function* addErasure(
  items: readonly Pick<Erasure, 'erasureId' | 'accountId' | 'peer' | 'requestedAt' | 'requestedBy'>[],
): Operation<null[]> {
  yield* run(
    insertErasures,
    items.map(({ erasureId, accountId, peer, requestedAt, requestedBy }) => ({
      erasure_id: erasureId,
      account_id: accountId,
      peer,
      requested_at: requestedAt,
      requested_by: requestedBy,
    })),
  );
  return items.map(() => null);
}

/** Erasures of one account, newest first; or unfinished ones of all accounts, oldest first. */
export function* erasures({ accountId, limit }: ErasuresQuery): Operation<Erasure[]> {
  const rows =
    accountId === null
      ? yield* run(selectOpenErasures, [{ limit }])
      : yield* run(selectErasures, [{ account_id: accountId, limit }]);
  return rows.map((row) => ({
    erasureId: row.erasure_id,
    accountId: row.account_id,
    peer: row.peer,
    requestedAt: row.requested_at,
    requestedBy: row.requested_by,
    deleted: row.deleted,
    leftOver: row.left_over,
    doneAt: row.done_at,
  }));
}

/** A direction that is looked through to its end. */
const toTheEnd = '~';

export interface ErasureStep {
  row: ErasureRow;
  gone: Gone | null;
  /** Where the number was refused in requests that stay. */
  refused: { request_id: string; place: number }[];
  more: boolean;
}

export function* erasable(request: EraseRequest): Operation<ErasureStep | null> {
  const [row] = yield* run(selectErasure, [{ erasure_id: request.erasureId }]);
  if (row === undefined || row.done_at !== null) return null;
  const direction = row.passed_outbound === toTheEnd ? 'inbound' : 'outbound';
  const after = direction === 'outbound' ? row.passed_outbound : row.passed_inbound;
  const accountId = row.account_id;
  const page = yield* oldPage({ accountId, limit: request.limit }, direction, after, Number.POSITIVE_INFINITY);
  const theirs = (one: OldRow) => (direction === 'outbound' ? one.recipient : one.sender) === row.peer;
  const found = page.requests.flat().filter(theirs);
  const messages = found.filter((one) => isSettled(one) && one.updated_at <= request.settledBefore);
  const goes = new Set(messages);
  const whole = page.requests.filter((rows) => rows.every((one) => goes.has(one))).flat();
  const passed = page.more ? (page.last ?? toTheEnd) : toTheEnd;
  const done = direction === 'inbound' && passed === toTheEnd;
  const next: ErasureRow = {
    ...row,
    [`passed_${direction}`]: passed,
    deleted: row.deleted + messages.length,
    left_over: row.left_over + found.length - messages.length,
    ...(done && { done_at: request.now, peer: maskNumber(row.peer) }),
  };
  const gone = yield* goneOf({ accountId, endpointIds: request.endpointIds }, messages, requestIds(whole));
  const refused = yield* refusedPlaces(requestIds(page.requests.flat()), row.peer);
  return { row: next, gone, refused, more: !done };
}

export function* erase(items: readonly ErasureStep[]): Operation<null[]> {
  for (const { row, gone, refused } of items) {
    if (gone !== null) yield* letGo(gone);
    yield* run(deleteRefused, refused);
    yield* run(updateErasure, [row]);
  }
  return items.map(() => null);
}
