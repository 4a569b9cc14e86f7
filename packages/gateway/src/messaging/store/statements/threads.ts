/** SQL over conversations, limited to one account. */
import { statement } from '../../../store/query.ts';
import { ofOwnSide, ownSideColumns } from './own-side.ts';
import { listedColumns, type ViewRow } from './views.ts';

export interface ThreadRow {
  own: string;
  peer: string;
  last_message_id: string;
  last_at: number;
  unread: number;
  done: number;
  assigned_to: string;
  snoozed_until: number;
}

const key = { account_id: 'text', own: 'text', peer: 'text' } as const;
const columns = `t.own, t.peer, t.last_message_id, t.last_at, t.unread, t.done, t.assigned_to, t.snoozed_until`;
const ofKey = `account_id = r.account_id and own = r.own and peer = r.peer`;

/**
 * The handset sent a message: the conversation moves to the top and is neither done nor snoozed. No key twice in a
 * batch.
 */
export const raiseThreads = statement()(
  'raise_threads',
  { ...key, last_message_id: 'text', last_at: 'int', unread: 'int' },
  `insert into threads (account_id, own, peer, last_message_id, last_at, unread, done)
   select r.account_id, r.own, r.peer, r.last_message_id, r.last_at, r.unread, 0 from {rows} r where true
   on conflict (account_id, own, peer) do update set last_message_id = excluded.last_message_id,
     last_at = excluded.last_at, unread = threads.unread + excluded.unread, done = 0, snoozed_until = 0`,
);

const ofSide = ofOwnSide('t.own');

const page = {
  account_id: 'text',
  done: 'int',
  assigned: 'text',
  now: 'int',
  before: 'text',
  limit: 'int',
  peer: 'text',
  ...ownSideColumns,
} as const;
/** `assigned`: '*' = any user. */
const awake = `t.done = r.done and t.snoozed_until <= r.now and (r.assigned = '*' or t.assigned_to = r.assigned)`;
/** `peer`: digits that the phone number contains, '' = any. */
const newestFirst = `and (r.peer = '' or t.peer like '%' || r.peer || '%') and ${ofSide} and t.last_message_id < r.before order by t.last_message_id desc limit r.limit`;

export const selectThreads = statement<ThreadRow>()(
  'select_threads',
  page,
  `select ${columns} from threads t where t.account_id = r.account_id and ${awake} ${newestFirst}`,
);
export const selectThreadsOfNumber = statement<ThreadRow>()(
  'select_threads_of_number',
  { ...page, own: 'text' },
  `select ${columns} from threads t where t.account_id = r.account_id and t.own = r.own and ${awake} ${newestFirst}`,
);
/** Few among many: found by the assigned user. `own`: '' = all numbers. */
export const selectThreadsOfUser = statement<ThreadRow>()(
  'select_threads_of_user',
  { ...page, own: 'text' },
  `select ${columns} from threads t where t.account_id = r.account_id and t.assigned_to = r.assigned
     and t.assigned_to <> '' and t.done = r.done and t.snoozed_until <= r.now and (r.own = '' or t.own = r.own)
     ${newestFirst}`,
);
/** Conversations whose snooze has not ended. */
export const selectSnoozed = statement<ThreadRow>()(
  'select_snoozed_threads',
  { ...page, own: 'text' },
  `select ${columns} from threads t where t.account_id = r.account_id and t.snoozed_until > 0
     and t.snoozed_until > r.now and t.done = r.done and (r.assigned = '*' or t.assigned_to = r.assigned)
     and (r.own = '' or t.own = r.own) ${newestFirst}`,
);
/** Few among many: found by a separate index. `own`: '' = all numbers. */
export const selectUnreadThreads = statement<ThreadRow>()(
  'select_unread_threads',
  { ...page, own: 'text' },
  `select ${columns} from threads t where t.account_id = r.account_id and t.unread > 0 and ${awake}
     and (r.own = '' or t.own = r.own) ${newestFirst}`,
);
/** Conversations of one phone. */
export const selectThreadsOfPeer = statement<ThreadRow>()(
  'select_threads_of_peer',
  { account_id: 'text', peer: 'text' },
  `select ${columns} from {rows} r, threads t where t.account_id = r.account_id and t.peer = r.peer`,
);
export const selectThread = statement<ThreadRow>()(
  'select_thread',
  key,
  `select ${columns} from threads t where t.account_id = r.account_id and t.own = r.own and t.peer = r.peer`,
);

/** Examines no more rows than people could read. */
export const sumUnread = statement<{ unread: number }>()(
  'sum_unread',
  { account_id: 'text', now: 'int', limit: 'int', ...ownSideColumns },
  `select coalesce(sum(u.unread), 0) as unread from (select t.unread from threads t
   where t.account_id = r.account_id and t.done = 0 and t.snoozed_until <= r.now and ${ofSide} order by t.last_message_id desc limit r.limit) u`,
);

export const markRead = statement()(
  'mark_thread_read',
  { ...key, read_to: 'text' },
  `update threads set unread = 0 where ${ofKey} and last_message_id <= r.read_to`,
);
export const markDone = statement()(
  'mark_thread_done',
  { ...key, done: 'int' },
  `update threads set done = r.done, snoozed_until = 0 where ${ofKey}`,
);
export const assignThread = statement()(
  'assign_thread',
  { ...key, assigned_to: 'text' },
  `update threads set assigned_to = r.assigned_to where ${ofKey}`,
);
export const snoozeThread = statement()(
  'snooze_thread',
  { ...key, snoozed_until: 'int' },
  `update threads set snoozed_until = r.snoozed_until, done = 0 where ${ofKey}`,
);
/** A conversation is deleted with its handset's last message. */
export const deleteThreads = statement()(
  'delete_threads',
  { ...key, message_id: 'text' },
  `delete from threads using {rows} r where threads.account_id = r.account_id and threads.own = r.own
     and threads.peer = r.peer and threads.last_message_id = r.message_id`,
);

/** The runs of conversations, newest first. */
export const selectRuns = statement<{ run: number }>()(
  'select_thread_runs',
  { limit: 'int' },
  `with recursive hops (hop, run) as (
     select 0, (select max(c.run) from conversations c)
     union all
     select hops.hop + 1, (select max(c.run) from conversations c where c.run < hops.run)
     from hops where hops.run is not null and hops.hop < r.limit)
   select hops.run from hops where hops.run is not null order by hops.hop`,
);
export const selectInRuns = statement<{ run: number; message_id: string }>()(
  'select_in_runs',
  { run: 'int', own: 'text', peer: 'text', before: 'text' },
  `select c.run, c.message_id from {rows} r, conversations c
   where c.run = r.run and c.own = r.own and c.peer = r.peer and c.message_id < r.before`,
);
/** The last message to the handset within a run; null when there is none. */
export const selectLastInRuns = statement<{ own: string; peer: string; message_id: string | null }>()(
  'select_last_in_runs',
  { run: 'int', own: 'text', peer: 'text', after: 'text' },
  `select r.own as own, r.peer as peer, (select max(c.message_id) from conversations c where c.run = (r.run) and c.own = (r.own)
     and c.peer = (r.peer) and c.outbound = 1 and c.message_id > r.after) as message_id from {rows} r`,
);
export const selectThreadMessages = statement<ViewRow>()(
  'select_thread_messages',
  { account_id: 'text', message_id: 'text' },
  `select ${listedColumns} from {rows} r, deliveries d, messages m
   where d.message_id = r.message_id and d.account_id = r.account_id and m.request_id = d.request_id`,
);
