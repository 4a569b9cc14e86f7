/** Reads of the outbox: due deliveries, queue sizes, customer views. */
import type { AccountId } from '../../../kernel/ids.ts';
import type {
  DueWebhook,
  EndpointHealth,
  WebhookDeliveriesQuery,
  WebhookDeliveryQuery,
} from '../../../messaging/store/items.ts';
import type { WebhooksOfQuery } from '../../../messaging/store/message-log-items.ts';
import { asCustomerEvent } from '../../../messaging/store/operations/events.ts';
import { selectNotificationsOf } from '../../../messaging/store/statements/message-log.ts';
import { deliveryId, type WebhookAttempt, type WebhookDelivery } from '../../../model/webhook-event.ts';
import { type Operation, run } from '../../../store/query.ts';
import {
  type AttemptRow,
  type NotificationRow,
  selectAttempts,
  selectDueWebhooks,
  selectHealth,
  selectNewestInState,
  selectNewestWebhooks,
  selectWaiting,
  selectWaitingEndpoints,
  selectWebhook,
  selectWebhooks,
  selectWebhooksAfter,
  type WebhookRow,
} from './statements.ts';

/** Waiting deliveries of an endpoint are counted up to this number. */
const countedMax = 10_000;
const attemptsShownMax = 100;
/** The most deliveries that one search for the next to replay reads. */
const replayLooksMax = 20_000;

export function* dueWebhooks(request: { endpointId: string; now: number; limit: number }): Operation<DueWebhook[]> {
  const params = { endpoint_id: request.endpointId, now: request.now, limit: request.limit };
  return (yield* run(selectDueWebhooks, [params])).flatMap((row) => asDueWebhook(row) ?? []);
}

/** Null when the event's content is deleted. */
function asDueWebhook(row: NotificationRow): DueWebhook | null {
  const event = asCustomerEvent(row);
  return event && { delivery: asDelivery(row), event };
}

function asDelivery(row: WebhookRow): WebhookDelivery {
  return {
    deliveryId: deliveryId(row.endpoint_id, row.position),
    endpointId: row.endpoint_id,
    accountId: row.account_id,
    position: row.position,
    eventId: row.event_id,
    type: row.webhook_type,
    state: row.webhook_state,
    attempts: row.attempts,
    tries: row.tries,
    dueAt: row.due_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    lastStatus: row.last_status,
  };
}

export function* webhookQueues(): Operation<{ endpointId: string; waiting: number; dueAt: number }[]> {
  const queues: { endpointId: string; waiting: number; dueAt: number }[] = [];
  for (const { endpoint_id } of yield* run(selectWaitingEndpoints, [{}])) {
    const [found] = yield* run(selectWaiting, [{ endpoint_id, limit: countedMax }]);
    queues.push({ endpointId: endpoint_id, waiting: found!.waiting, dueAt: found!.due_at });
  }
  return queues;
}

export function* endpointHealth(): Operation<EndpointHealth[]> {
  const rows = yield* run(selectHealth, [{}]);
  return rows.map((row) => ({
    endpointId: row.endpoint_id,
    failingSince: row.failing_since,
    lastSuccessAt: row.last_success_at,
  }));
}

export function* webhookDeliveries(request: WebhookDeliveriesQuery): Operation<WebhookDelivery[]> {
  const { accountId, state, limit } = request;
  const before = request.before ?? Number.MAX_SAFE_INTEGER;
  const rows: WebhookRow[] = [];
  for (const endpoint_id of new Set(request.endpointIds)) {
    const params = { endpoint_id, account_id: accountId, before, limit };
    rows.push(
      ...(state === null
        ? yield* run(selectNewestWebhooks, [params])
        : yield* run(selectNewestInState, [{ ...params, state }])),
    );
  }
  rows.sort((a, b) => b.position - a.position);
  return rows.slice(0, limit).map(asDelivery);
}

/** The deliveries of a message's events to these endpoints, oldest event first. */
export function* webhooksOf({
  accountId: account_id,
  messageId: message_id,
  endpointIds,
}: WebhooksOfQuery): Operation<WebhookDelivery[]> {
  const params = endpointIds.map((endpoint_id) => ({ account_id, endpoint_id, message_id }));
  const rows = yield* run(selectWebhooks, yield* run(selectNotificationsOf, params));
  return rows.map(asDelivery).sort((a, b) => a.position - b.position);
}

export function* webhookDelivery({
  accountId,
  endpointId,
  position,
}: WebhookDeliveryQuery): Operation<(DueWebhook & { attempts: WebhookAttempt[] }) | null> {
  const key = { endpoint_id: endpointId, position };
  const [row] = yield* run(selectWebhook, [{ ...key, account_id: accountId }]);
  const due = row && asDueWebhook(row);
  if (!due) return null;
  const attempts = yield* run(selectAttempts, [{ ...key, limit: attemptsShownMax }]);
  return { ...due, attempts: attempts.map(asAttempt).reverse() };
}

function asAttempt({ duration_ms: durationMs, skew_seconds: skewSeconds, ...row }: AttemptRow): WebhookAttempt {
  return { ...row, durationMs, skewSeconds };
}

export interface ReplayableRequest {
  accountId: AccountId;
  endpointId: string;
  since: number;
  until: number;
  after: number;
  failedOnly: boolean;
}

/** The next deliveries whose events happened in a period; reads a bounded number. `position` is how far it read. */
export function* replayable(request: ReplayableRequest): Operation<{
  positions: number[];
  position: number;
  more: boolean;
}> {
  const { accountId, endpointId, since, until, after, failedOnly } = request;
  const params = { endpoint_id: endpointId, account_id: accountId, after, limit: replayLooksMax };
  const rows = yield* run(selectWebhooksAfter, [params]);
  const asWanted = rows.filter(({ created_at: at, state }) => {
    return at >= since && at <= until && (!failedOnly || state === 'failed');
  });
  return {
    positions: asWanted.map(({ position }) => position),
    position: rows.at(-1)?.position ?? after,
    more: rows.length === replayLooksMax,
  };
}
