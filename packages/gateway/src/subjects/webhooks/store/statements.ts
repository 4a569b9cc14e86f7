/** SQL over webhook deliveries, their attempts, and endpoint health. */
import { type LogRow, logColumns, messageOfEvent } from '../../../messaging/store/statements/events.ts';
import type { EventType } from '../../../model/event-type.ts';
import type { WebhookState } from '../../../model/webhook-event.ts';
import { statement } from '../../../store/query.ts';

export interface WebhookRow {
  endpoint_id: string;
  position: number;
  account_id: string;
  event_id: string;
  webhook_type: EventType;
  webhook_state: WebhookState;
  attempts: number;
  tries: number;
  due_at: number;
  created_at: number;
  updated_at: number;
  last_status: number | null;
}

/** Type and state get names of their own, because the joined event has columns of the same name. */
const columns = `w.endpoint_id, w.position, w.account_id, w.event_id, w.type as webhook_type, w.state as webhook_state,
  w.attempts, w.tries, w.due_at, w.created_at, w.updated_at, w.last_status`;
const key = { endpoint_id: 'text', position: 'int' } as const;
const sameDelivery = 'webhook_deliveries.endpoint_id = r.endpoint_id and webhook_deliveries.position = r.position';

export const insertWebhooks = statement()(
  'insert_webhooks',
  { ...key, account_id: 'text', event_id: 'text', type: 'text', created_at: 'int', now: 'int' },
  `insert into webhook_deliveries (endpoint_id, position, account_id, event_id, type, state, attempts, tries, due_at,
     created_at, updated_at)
   select r.endpoint_id, r.position, r.account_id, r.event_id, r.type, 'waiting', 0, 0, r.created_at, r.created_at, r.now
   from {rows} r`,
);

export const selectWebhooks = statement<WebhookRow>()(
  'select_webhooks',
  key,
  `select ${columns} from {rows} r, webhook_deliveries w
   where w.endpoint_id = r.endpoint_id and w.position = r.position`,
);

export const updateWebhooks = statement()(
  'update_webhooks',
  { ...key, state: 'text', attempts: 'int', tries: 'int', due_at: 'int', last_status: 'int', now: 'int' },
  `update webhook_deliveries set state = r.state, attempts = r.attempts, tries = r.tries, due_at = r.due_at,
     last_status = r.last_status, updated_at = r.now
   from {rows} r where ${sameDelivery}`,
  true,
);

export interface AttemptRow {
  attempt: number;
  at: number;
  duration_ms: number;
  status: number | null;
  error: string | null;
  answer: string;
  skew_seconds: number | null;
}

export const insertAttempts = statement()(
  'insert_attempts',
  {
    ...key,
    attempt: 'int',
    at: 'int',
    duration_ms: 'int',
    status: 'int',
    error: 'text',
    answer: 'text',
    skew_seconds: 'int',
  },
  `insert into webhook_attempts (endpoint_id, position, attempt, at, duration_ms, status, error, answer, skew_seconds)
   select r.endpoint_id, r.position, r.attempt, r.at, r.duration_ms, r.status, r.error, r.answer, r.skew_seconds
   from {rows} r`,
);

export const selectAttempts = statement<AttemptRow>()(
  'select_attempts',
  { ...key, limit: 'int' },
  `select attempt, at, duration_ms, status, error, answer, skew_seconds from webhook_attempts
   where endpoint_id = r.endpoint_id and position = r.position order by attempt desc limit r.limit`,
);

export const putHealth = statement()(
  'put_health',
  { endpoint_id: 'text', failing_since: 'int', last_success_at: 'int' },
  `insert into endpoint_health (endpoint_id, failing_since, last_success_at)
   select r.endpoint_id, r.failing_since, r.last_success_at from {rows} r where true
   on conflict (endpoint_id) do update set failing_since = excluded.failing_since,
     last_success_at = excluded.last_success_at`,
);

export interface HealthRow {
  endpoint_id: string;
  failing_since: number | null;
  last_success_at: number | null;
}

export const selectHealth = statement<HealthRow>()(
  'select_health',
  {},
  `select endpoint_id, failing_since, last_success_at from endpoint_health order by endpoint_id`,
);

/** A delivery with its event. */
export interface NotificationRow extends WebhookRow, LogRow {
  position: number;
  account_id: string;
}

const due = `select ${columns}, ${logColumns} from webhook_deliveries w join events e on e.position = w.position
  ${messageOfEvent}`;

export const selectDueWebhooks = statement<NotificationRow>()(
  'select_due_webhooks',
  { endpoint_id: 'text', now: 'int', limit: 'int' },
  `${due} where w.state = 'waiting' and w.endpoint_id = r.endpoint_id and w.due_at <= r.now
   order by w.due_at, w.position limit r.limit`,
);

export const selectWebhook = statement<NotificationRow>()(
  'select_webhook',
  { ...key, account_id: 'text' },
  `${due} where w.endpoint_id = r.endpoint_id and w.position = r.position and w.account_id = r.account_id`,
);

/** Endpoints with waiting deliveries, found by jumping from one to the next in the index. */
export const selectWaitingEndpoints = statement<{ endpoint_id: string }>()(
  'select_waiting_endpoints',
  {},
  `with recursive hops (endpoint_id) as (
     select min(endpoint_id) from webhook_deliveries where state = 'waiting'
     union all
     select (select min(w.endpoint_id) from webhook_deliveries w
       where w.state = 'waiting' and w.endpoint_id > hops.endpoint_id)
     from hops where hops.endpoint_id is not null)
   select endpoint_id from hops where endpoint_id is not null`,
);

export const selectWaiting = statement<{ waiting: number; due_at: number }>()(
  'select_waiting_webhooks',
  { endpoint_id: 'text', limit: 'int' },
  `select count(*) as waiting, min(due_at) as due_at from (select due_at from webhook_deliveries
     where state = 'waiting' and endpoint_id = r.endpoint_id order by due_at limit r.limit) counted`,
);

const listed = `select ${columns} from webhook_deliveries w
   where w.endpoint_id = r.endpoint_id and w.account_id = r.account_id`;
const listing = { endpoint_id: 'text', account_id: 'text', before: 'int', limit: 'int' } as const;

/** Deliveries of an endpoint, newest event first. */
export const selectNewestWebhooks = statement<WebhookRow>()(
  'select_newest_webhooks',
  listing,
  `${listed} and w.position < r.before order by w.position desc limit r.limit`,
);

/** `state = r.state`, written so that SQLite uses the index on it instead of reading all deliveries of the endpoint. */
export const selectNewestInState = statement<WebhookRow>()(
  'select_newest_in_state',
  { ...listing, state: 'text' },
  `${listed} and w.state >= r.state and (w.state, w.position) < (r.state, r.before)
   order by w.state desc, w.position desc limit r.limit`,
);

/** The next deliveries of an endpoint, oldest event first. */
export const selectWebhooksAfter = statement<{ position: number; created_at: number; state: string }>()(
  'select_webhooks_after',
  { endpoint_id: 'text', account_id: 'text', after: 'int', limit: 'int' },
  `select position, created_at, state from webhook_deliveries
   where endpoint_id = r.endpoint_id and account_id = r.account_id and position > r.after
   order by position limit r.limit`,
);

export const requeueWebhooks = statement<{ position: number }>()(
  'requeue_webhooks',
  { ...key, account_id: 'text', now: 'int' },
  `update webhook_deliveries set state = 'waiting', tries = 0, due_at = r.now, updated_at = r.now
   from {rows} r where ${sameDelivery} and webhook_deliveries.account_id = r.account_id
   returning webhook_deliveries.position as position`,
);

export const selectIdleWebhooks = statement<WebhookRow>()(
  'select_idle_webhooks',
  { before: 'int', limit: 'int' },
  `select ${columns} from webhook_deliveries w where w.updated_at < r.before order by w.updated_at limit r.limit`,
);

export const deleteWebhooks = statement()(
  'delete_webhooks',
  key,
  `delete from webhook_deliveries using {rows} r where ${sameDelivery}`,
);

export const deleteAttempts = statement()(
  'delete_attempts',
  key,
  `delete from webhook_attempts using {rows} r
   where webhook_attempts.endpoint_id = r.endpoint_id and webhook_attempts.position = r.position`,
);
