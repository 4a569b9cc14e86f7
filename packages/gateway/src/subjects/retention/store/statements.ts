/** SQL that deletes by age and by number. */
import type { DeliveryState } from '../../../model/lifecycle.ts';
import { statement } from '../../../store/query.ts';

/** A message as checked before its deletion. */
export interface OldRow {
  message_id: string;
  request_id: string;
  key_id: string;
  direction: 'outbound' | 'inbound';
  state: DeliveryState;
  sender: string;
  recipient: string;
  accepted_at: number;
  updated_at: number;
}

const columns = `d.message_id, d.request_id, m.key_id, m.direction, d.state, m.sender, d.recipient, m.accepted_at, d.updated_at`;

/** One direction of an account, oldest first. */
export const selectOldMessages = statement<OldRow>()(
  'select_old_messages',
  { account_id: 'text', direction: 'text', after: 'text', limit: 'int' },
  `select ${columns} from account_messages a
     join deliveries d on d.message_id = a.message_id join messages m on m.request_id = d.request_id
   where a.account_id = r.account_id and a.direction = r.direction and a.message_id > r.after
   order by a.message_id limit r.limit`,
);

/** Messages that were skipped. */
export const selectLeftMessages = statement<OldRow>()(
  'select_left_messages',
  { account_id: 'text', after: 'text', limit: 'int' },
  `select ${columns} from retention_left a
     join deliveries d on d.message_id = a.message_id join messages m on m.request_id = d.request_id
   where a.account_id = r.account_id and a.message_id > r.after
   order by a.message_id limit r.limit`,
);

export const selectPassed = statement<{ passed: string }>()(
  'select_retention_mark',
  { account_id: 'text', name: 'text' },
  `select passed from retention_marks where account_id = r.account_id and name = r.name`,
);

export const putPassed = statement()(
  'put_retention_mark',
  { account_id: 'text', name: 'text', passed: 'text' },
  `insert into retention_marks (account_id, name, passed) select r.account_id, r.name, r.passed from {rows} r where true
   on conflict (account_id, name) do update set passed = excluded.passed`,
);

export const insertLeft = statement()(
  'insert_retention_left',
  { account_id: 'text', message_id: 'text' },
  `insert into retention_left (account_id, message_id) select r.account_id, r.message_id from {rows} r where true
   on conflict (account_id, message_id) do nothing`,
);

export const deleteLeft = statement()(
  'delete_retention_left',
  { account_id: 'text', message_id: 'text' },
  `delete from retention_left using {rows} r
   where retention_left.account_id = r.account_id and retention_left.message_id = r.message_id`,
);

export const emptyBodies = statement()(
  'empty_bodies',
  { request_id: 'text', now: 'int' },
  `update messages set text = '', wire_text = null, octets = null, extras = null, media_urls = '[]', body_deleted_at = r.now
   from {rows} r where messages.request_id = r.request_id and messages.body_deleted_at is null`,
);

export const deleteDeliveries = statement()(
  'delete_deliveries',
  { message_id: 'text' },
  `delete from deliveries using {rows} r where deliveries.message_id = r.message_id`,
);

export const deleteAccountMessages = statement()(
  'delete_account_messages',
  { account_id: 'text', direction: 'text', message_id: 'text' },
  `delete from account_messages using {rows} r where account_messages.account_id = r.account_id
     and account_messages.direction = r.direction and account_messages.message_id = r.message_id`,
);

/** The newest event of all stays, because later positions are counted from it. */
export const deleteMessageEvents = statement()(
  'delete_message_events',
  { message_id: 'text', accepted_at: 'int' },
  `delete from events using {rows} r{log of r.message_id since r.accepted_at} where {in log events}
     and events.position + 0 < (select max(position) from events)`,
);

export const deleteParts = statement()(
  'delete_parts',
  { message_id: 'text' },
  `delete from parts using {rows} r where parts.message_id = r.message_id`,
);

/** It is in the run that had begun when it was accepted, or in the next one if that began before its commit. */
export const deleteConversations = statement()(
  'delete_conversations',
  { own: 'text', peer: 'text', outbound: 'int', message_id: 'text', at: 'int' },
  `delete from conversations using {rows} r where conversations.own = r.own and conversations.peer = r.peer
     and conversations.outbound = r.outbound and conversations.message_id = r.message_id
     and conversations.run in ((select max(c.run) from conversations c where c.run <= r.at),
       (select min(c.run) from conversations c where c.run > r.at))`,
);

export const deleteMessages = statement()(
  'delete_messages',
  { request_id: 'text' },
  `delete from messages using {rows} r where messages.request_id = r.request_id`,
);

export const deleteMediaOfRequests = statement()(
  'delete_media_of_requests',
  { request_id: 'text' },
  `delete from message_media using {rows} r where message_media.request_id = r.request_id`,
);

export interface OldEventRow {
  position: number;
  at: number;
  /** 1 for an event without a message, or whose message is deleted. */
  alone: number;
}

export const selectOldEvents = statement<OldEventRow>()(
  'select_old_events',
  { after: 'int', limit: 'int' },
  `select e.position, e.at, case when e.type is not null
     or not exists (select 1 from deliveries d where d.message_id = e.message_id) then 1 else 0 end as alone
   from events e where e.position > r.after and e.position < (select max(position) from events)
   order by e.position limit r.limit`,
);

export const deleteEvents = statement()(
  'delete_events',
  { position: 'int' },
  `delete from events using {rows} r where events.position = r.position`,
);

export const selectWebhooksOf = statement<{ endpoint_id: string; position: number }>()(
  'select_webhooks_of_message',
  { endpoint_id: 'text', message_id: 'text', accepted_at: 'int' },
  `select w.endpoint_id, w.position from {rows} r, events e
     join webhook_deliveries w on w.position = e.position{log of r.message_id since r.accepted_at}
   where {in log e} and w.endpoint_id = r.endpoint_id`,
);

/** Ids of the time before, in the tables beside those whose partitions are dropped. */
const pageBefore = { before: 'text', limit: 'int' } as const;
const ofAccountBefore = { account_id: 'text', ...pageBefore } as const;

const ofRequests = (table: string) =>
  statement<{ request_id: string }>()(
    `select_old_${table}`,
    pageBefore,
    `select t.request_id from ${table} t where t.request_id < r.before order by t.request_id limit r.limit`,
  );
export const selectOldMedia = ofRequests('message_media');
export const selectOldRefused = ofRequests('refused_recipients');

export const selectOldMms = statement<{ request_id: string; message_id: string }>()(
  'select_old_mms',
  pageBefore,
  `select t.request_id, t.message_id from mms_deliveries t where t.request_id < r.before
   order by t.request_id, t.message_id limit r.limit`,
);

export const selectOldLeft = statement<{ account_id: string; message_id: string }>()(
  'select_old_left',
  ofAccountBefore,
  `select t.account_id, t.message_id from retention_left t where t.account_id = r.account_id and t.message_id < r.before
   order by t.message_id limit r.limit`,
);

export interface ThreadKey {
  account_id: string;
  own: string;
  peer: string;
  message_id: string;
}
export const selectOldThreads = statement<ThreadKey>()(
  'select_old_threads',
  { ...ofAccountBefore, done: 'int' },
  `select t.account_id, t.own, t.peer, t.last_message_id as message_id from threads t
   where t.account_id = r.account_id and t.done = r.done and t.last_message_id < r.before
   order by t.last_message_id limit r.limit`,
);

const working = ['queued', 'sending', 'uncertain', 'held', 'sent'].map((state) => `d.state = '${state}'`).join(' or ');

/** One row if a message of the time before is not final. */
export const selectAnyWorking = statement<{ found: number }>()(
  'select_any_working',
  { before: 'text' },
  `select 1 as found from deliveries d where (${working}) and d.message_id < r.before limit 1`,
);

/** One row if a notification about a message of the time before waits. */
export const selectAnyNotification = statement<{ found: number }>()(
  'select_any_notification',
  { before: 'text' },
  `select 1 as found from webhook_deliveries w join events e on e.position = w.position
   where w.state = 'waiting' and e.type is null and e.message_id < r.before limit 1`,
);

export interface ErasureRow {
  erasure_id: string;
  account_id: string;
  peer: string;
  requested_at: number;
  requested_by: string;
  passed_outbound: string;
  passed_inbound: string;
  deleted: number;
  left_over: number;
  done_at: number | null;
}

const erasure = `erasure_id, account_id, peer, requested_at, requested_by, passed_outbound, passed_inbound, deleted,
  left_over, done_at`;

export const insertErasures = statement()(
  'insert_erasures',
  { erasure_id: 'text', account_id: 'text', peer: 'text', requested_at: 'int', requested_by: 'text' },
  `insert into erasures (erasure_id, account_id, peer, requested_at, requested_by, passed_outbound, passed_inbound,
     deleted, left_over)
   select r.erasure_id, r.account_id, r.peer, r.requested_at, r.requested_by, '', '', 0, 0 from {rows} r where true
   on conflict (erasure_id) do nothing`,
);

export const selectErasures = statement<ErasureRow>()(
  'select_erasures',
  { account_id: 'text', limit: 'int' },
  `select ${erasure} from erasures where account_id = r.account_id order by erasure_id desc limit r.limit`,
);

export const selectOpenErasures = statement<ErasureRow>()(
  'select_open_erasures',
  { limit: 'int' },
  `select ${erasure} from erasures where done_at is null order by erasure_id limit r.limit`,
);

export const selectErasure = statement<ErasureRow>()(
  'select_erasure',
  { erasure_id: 'text' },
  `select ${erasure} from erasures where erasure_id = r.erasure_id`,
);

export const updateErasure = statement()(
  'update_erasure',
  {
    erasure_id: 'text',
    peer: 'text',
    passed_outbound: 'text',
    passed_inbound: 'text',
    deleted: 'int',
    left_over: 'int',
    done_at: 'int',
  },
  `update erasures set peer = r.peer, passed_outbound = r.passed_outbound, passed_inbound = r.passed_inbound,
     deleted = r.deleted, left_over = r.left_over, done_at = r.done_at
   from {rows} r where erasures.erasure_id = r.erasure_id`,
);
