/** Calls about deliveries: which event was sent to which endpoint, every attempt, and replays. */
import type { WebhookEvent, WebhookEventType } from './events.ts';
import type { CallOptions } from './options.ts';
import { pageSizeDefault, pages } from './pages.ts';
import { dataOf, type Transport } from './transport.ts';

/** One event for one endpoint. Times are ISO 8601. */
export interface Delivery {
  /** `dlv_…` */
  deliveryId: string;
  endpointId: string;
  eventId: string;
  type: WebhookEvent['type'] | (string & {});
  state: 'waiting' | 'delivered' | 'failed';
  attemptCount: number;
  /** HTTP status of the last attempt; null when there was no answer. */
  lastStatus: number | null;
  /** Null when it has ended, and while its endpoint is disabled. */
  nextAttemptAt: string | null;
  createdAt: string;
  updatedAt: string;
}

/** One POST and its result. */
export interface DeliveryAttempt {
  /** From 1. */
  attempt: number;
  at: string;
  durationMs: number;
  /** Null when there was no answer; `error` says why. */
  status: number | null;
  error: string | null;
  /** The first 4 KB of the answer. */
  answer: string;
  /** How far the endpoint's clock was behind the gateway's, by the `Date` of its answer; null without one. */
  skewSeconds: number | null;
}

export type DeliveryWithAttempts = Delivery & { event: WebhookEvent; attempts: DeliveryAttempt[] };

export interface DeliveryFilter {
  /** Only deliveries to this endpoint. */
  endpoint?: string;
  state?: Delivery['state'];
  /** Only deliveries of this type of event. */
  type?: WebhookEventType;
  /** Only deliveries with this in their event id or delivery id. */
  q?: string;
  /** Only deliveries of events of this time (ISO 8601 with its zone) or later. */
  since?: string;
  /** Deliveries per page, 1–100. */
  pageSize?: number;
}

/** Each throws HeliographError, `NOT_FOUND` when the account has no such delivery or endpoint. */
export interface DeliveryCalls {
  /** Newest event first; fetches pages as needed. */
  list(filter?: DeliveryFilter, options?: CallOptions): AsyncGenerator<Delivery, void, void>;
  get(deliveryId: string, options?: CallOptions): Promise<DeliveryWithAttempts>;
  /** Sends it again with the same `webhook-id`. */
  replay(deliveryId: string, options?: CallOptions): Promise<{ deliveryId: string }>;
}

export function deliveryCalls(call: Transport): DeliveryCalls {
  const root = '/api/v1/deliveries';
  const pathOf = (deliveryId: string, rest = '') => `${root}/${encodeURIComponent(deliveryId)}${rest}`;
  return {
    list: ({ pageSize = pageSizeDefault, ...filter } = {}, options = {}) =>
      pages(call, root, { limit: pageSize, ...filter }, options),
    get: (deliveryId, options) => dataOf(call, { method: 'GET', path: pathOf(deliveryId), repeatable: true }, options),
    replay: (deliveryId, options) =>
      dataOf(call, { method: 'POST', path: pathOf(deliveryId, '/replay'), repeatable: false }, options),
  };
}
