/** Conversations: lists them, changes their state, and pages through their messages. */
import type { AccountId } from '../../../kernel/ids.ts';
import { messageFields } from '../../../messaging/store/operations/view.ts';
import { ownRow } from '../../../messaging/store/statements/own-side.ts';
import * as sql from '../../../messaging/store/statements/threads.ts';
import type {
  MarkThreadRequest,
  ReadRequestsQuery,
  Thread,
  ThreadMessage,
  ThreadMessagesQuery,
  ThreadQuery,
  ThreadReply,
  ThreadsQuery,
  UnreadCountQuery,
} from '../../../messaging/store/thread-items.ts';
import type { ReadMessage } from '../../../model/delivery.ts';
import type { StoredExtras } from '../../../model/message-extras.ts';
import { one, type StoreOf, storeModule } from '../../../store/module.ts';
import { type Operation, run } from '../../../store/query.ts';

/** Sorts after every message id. */
const afterAllIds = '~';
/** The most runs of conversations that a query reads. */
const runsMax = 25_000;
/** Runs read at one time; most conversations are found among the newest. */
const runsAtOnce = 256;
/** The newest runs, which are searched for a list's replies. */
const replyRunsMax = 64;
const countedMax = 1_000;
/** Messages of a conversation that a person can mark as read at once. */
const readRowsMax = 200;

function* asThreads(accountId: AccountId, rows: readonly sql.ThreadRow[]): Operation<Thread[]> {
  const params = rows.map((row) => ({ account_id: accountId, message_id: row.last_message_id }));
  const last = new Map((yield* run(sql.selectThreadMessages, params)).map((row) => [row.message_id, row]));
  return rows.map((row) => {
    const message = last.get(row.last_message_id);
    return {
      own: row.own,
      peer: row.peer,
      unread: row.unread,
      done: row.done === 1,
      lastMessageId: row.last_message_id,
      lastAt: row.last_at,
      lastText: message?.text ?? '',
      lastMedia: message === undefined ? 0 : messageFields(message).mediaUrls.length,
      assignedTo: row.assigned_to,
      snoozedUntil: row.snoozed_until,
      reply: null,
    };
  });
}

/**
 * Ordered by the handset's latest message, newest first; only those before the message id `before`. `own` null: all
 * numbers.
 */
export function* threads(request: ThreadsQuery): Operation<Thread[]> {
  const rows = yield* rowsOf(request);
  const replies = yield* repliesIn(request.accountId, rows);
  return (yield* asThreads(request.accountId, rows)).map((one) => ({
    ...one,
    reply: replies.get(`${one.own} ${one.peer}`) ?? null,
  }));
}

/** The replies since the handset's last message, by own number and handset. */
function* repliesIn(accountId: AccountId, rows: readonly sql.ThreadRow[]): Operation<Map<string, ThreadReply>> {
  const runs = rows.length === 0 ? [] : yield* run(sql.selectRuns, [{ limit: replyRunsMax }]);
  const params = rows.flatMap(({ own, peer, last_at, last_message_id }) => {
    // Newest first, down to the run that was open when the handset wrote, since that one began earlier.
    const begun = runs.findIndex((one) => one.run <= last_at);
    return runs
      .slice(0, begun === -1 ? runs.length : begun + 1)
      .map((one) => ({ run: one.run, own, peer, after: last_message_id }));
  });
  const newest = new Map<string, string>();
  for (const { own, peer, message_id } of yield* run(sql.selectLastInRuns, params)) {
    const key = `${own} ${peer}`;
    if (message_id !== null && message_id > (newest.get(key) ?? '')) newest.set(key, message_id);
  }
  const ids = [...newest.values()].map((message_id) => ({ account_id: accountId, message_id }));
  const found = new Map((yield* run(sql.selectThreadMessages, ids)).map((row) => [row.message_id, row]));
  const replies = new Map<string, ThreadReply>();
  for (const [key, message_id] of newest) {
    const row = found.get(message_id);
    if (row === undefined) continue;
    const { text, mediaUrls } = messageFields(row);
    replies.set(key, { text: text ?? '', media: mediaUrls.length, at: row.accepted_at });
  }
  return replies;
}

function* rowsOf(request: ThreadsQuery) {
  const { accountId, own, peerLike, peers, state, assignedTo, now, before, limit } = request;
  if (peers !== null) return yield* rowsOfPeers(request, peers);
  const params = {
    account_id: accountId,
    done: state === 'done' ? 1 : 0,
    assigned: assignedTo ?? '*',
    now,
    before: before ?? afterAllIds,
    limit,
    peer: peerLike,
    ...ownRow(request),
  };
  if (state === 'unread') return yield* run(sql.selectUnreadThreads, [{ ...params, own: own ?? '' }]);
  if (state === 'snoozed') return yield* run(sql.selectSnoozed, [{ ...params, own: own ?? '' }]);
  if (assignedTo !== null && assignedTo !== '')
    return yield* run(sql.selectThreadsOfUser, [{ ...params, own: own ?? '' }]);
  if (own === null) return yield* run(sql.selectThreads, [params]);
  return yield* run(sql.selectThreadsOfNumber, [{ ...params, own }]);
}

/** For a few telephones: reads the rows of each, and filters them here. */
function* rowsOfPeers(request: ThreadsQuery, peers: readonly string[]): Operation<sql.ThreadRow[]> {
  const { accountId, own, state, assignedTo, now, before, limit, only, without = [] } = request;
  const rows = yield* run(
    sql.selectThreadsOfPeer,
    peers.map((peer) => ({ account_id: accountId, peer })),
  );
  const isIn = (row: sql.ThreadRow): boolean => {
    const isSnoozed = row.snoozed_until > now;
    if (state === 'done' || state === 'snoozed') return state === 'done' ? row.done === 1 : isSnoozed && row.done === 0;
    return row.done === 0 && !isSnoozed && (state === 'open' || row.unread > 0);
  };
  const isOwn = (row: sql.ThreadRow): boolean =>
    (own === null || row.own === own) && (only === undefined || only.includes(row.own)) && !without.includes(row.own);
  return rows
    .filter((row) => isIn(row) && isOwn(row) && (assignedTo === null || row.assigned_to === assignedTo))
    .filter((row) => before === null || row.last_message_id < before)
    .sort((a, b) => (a.last_message_id < b.last_message_id ? 1 : -1))
    .slice(0, limit);
}

/** Null when the handset has never written to that number of the account. */
export function* thread({ accountId, own, peer }: ThreadQuery): Operation<Thread | null> {
  const rows = yield* run(sql.selectThread, [{ account_id: accountId, own, peer }]);
  return (yield* asThreads(accountId, rows))[0] ?? null;
}

/** Unread messages in all open conversations. */
export function* unreadCount({ accountId, now, ...side }: UnreadCountQuery): Operation<number> {
  const [row] = yield* run(sql.sumUnread, [{ account_id: accountId, now, limit: countedMax, ...ownRow(side) }]);
  return Number(row?.unread ?? 0);
}

/** Both directions, newest first; only those before the message id `before`. */
export function* threadMessages(request: ThreadMessagesQuery): Operation<ThreadMessage[]> {
  const { accountId, limit } = request;
  const ids = yield* idsOf(request);
  const rows = yield* run(
    sql.selectThreadMessages,
    ids.map((message_id) => ({ account_id: accountId, message_id })),
  );
  rows.sort((a, b) => (a.message_id < b.message_id ? 1 : -1));
  return rows.slice(0, limit).map((row) => ({
    ...messageFields(row),
    state: row.state,
    acceptedAt: row.accepted_at,
    updatedAt: row.updated_at,
  }));
}

/**
 * Of the messages that a person reads now, those whose senders requested a read report. Searches the newest of the
 * conversation.
 */
export function* readRequests({ readTo, unread, ...key }: ReadRequestsQuery): Operation<ReadMessage[]> {
  const ids = yield* idsOf({ ...key, before: readTo + afterAllIds, limit: readRowsMax });
  const params = ids.slice(0, readRowsMax).map((message_id) => ({ account_id: key.accountId, message_id }));
  const rows = (yield* run(sql.selectThreadMessages, params)).filter((row) => row.direction === 'inbound');
  rows.sort((a, b) => (a.message_id < b.message_id ? 1 : -1));
  return rows.slice(0, unread).flatMap(({ carrier, extras, sender: from, recipient: to }) => {
    const { readReport }: StoredExtras = extras === null ? {} : JSON.parse(extras);
    return readReport === undefined || carrier === null ? [] : [{ carrier, peerMessageId: readReport, from, to }];
  });
}

/**
 * The newest ids before `before`, at least `limit` if there are so many: some may belong to another account that had
 * the number.
 */
function* idsOf({ own, peer, before, limit }: ThreadMessagesQuery): Operation<string[]> {
  const runs = yield* run(sql.selectRuns, [{ limit: runsMax }]);
  const found: { run: number; message_id: string }[] = [];
  for (let first = 0; first < runs.length; first += runsAtOnce) {
    const some = runs.slice(first, first + runsAtOnce);
    const params = some.map((one) => ({ run: one.run, own, peer, before: before ?? afterAllIds }));
    found.push(...(yield* run(sql.selectInRuns, params)));
    // Messages accepted just before a run began may be in it, so its oldest ids are not certain to be in order.
    const oldest = some.at(-1)!.run;
    if (found.filter((one) => one.run !== oldest).length >= limit) break;
  }
  return found
    .map(({ message_id }) => message_id)
    .sort()
    .reverse();
}

/**
 * `readTo`: marks everything up to this message as read. A null field does not change. A done conversation is not
 * snoozed, and a snoozed one is not done. False for an unknown conversation.
 */
export function* markThread(items: readonly MarkThreadRequest[]): Operation<boolean[]> {
  const marked: boolean[] = [];
  for (const { accountId, own, peer, readTo, done, assignedTo, snoozedUntil } of items) {
    const key = { account_id: accountId, own, peer };
    const [row] = yield* run(sql.selectThread, [key]);
    marked.push(row !== undefined);
    if (row === undefined) continue;
    if (readTo !== null) yield* run(sql.markRead, [{ ...key, read_to: readTo }]);
    if (snoozedUntil !== null) yield* run(sql.snoozeThread, [{ ...key, snoozed_until: snoozedUntil }]);
    if (done !== null) yield* run(sql.markDone, [{ ...key, done: done ? 1 : 0 }]);
    if (assignedTo !== null) yield* run(sql.assignThread, [{ ...key, assigned_to: assignedTo }]);
  }
  return marked;
}

export const conversationStore = storeModule({
  name: 'conversations',
  writes: { markThread: { run: markThread } },
  reads: {
    threads: { run: threads, needs: 'gathered' },
    thread: { run: thread },
    unreadCount: { run: unreadCount },
    threadMessages: { run: threadMessages, needs: 'gathered' },
    readRequests: { run: readRequests },
  },
  verbs: (on) => ({ markThread: one(on.markThread) }),
});

export interface ThreadStore extends StoreOf<typeof conversationStore> {}
