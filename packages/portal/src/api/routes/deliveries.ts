/** Routes of the gateway, as it has them. Written by `npm run goldens`: do not edit. */

export type EventType =
  | 'message.received'
  | 'message.sent'
  | 'message.delivered'
  | 'message.undelivered'
  | 'message.failed'
  | 'message.expired'
  | 'message.unconfirmed'
  | 'message.held'
  | 'message.canceled'
  | 'contact.opted_out'
  | 'contact.opted_in'
  | 'carrier.down'
  | 'carrier.up'
  | 'endpoint.disabled'
  | 'webhook.test'
  | 'alert.receipts'
  | 'alert.errors'
  | 'alert.backlog'
  | 'alert.link'
  | 'alert.disk'
  | 'alert.budget'
  | 'alert.certificate';

export interface DeliveryRequest {
  deliveryId: string;
  format: 'standard' | 'flat';
  secretsInForce: number;
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | null;
  bodyLength?: number;
}

export interface DeliverySignatures {
  attempts: {
    attempt: number;
    signature:
      | {
          valid: true;
          /** The secret that signed it. */
          by: 'current' | 'old';
          until: string | null;
          /** How old `webhook-timestamp` was on arrival. */
          skewSeconds: number;
        }
      | {
          valid: false;
          /** As in `@heliograph/client`. */
          reason: string;
          detail: string;
          /** How old `webhook-timestamp` was on arrival. */
          skewSeconds: number | null;
        };
  }[];
}

export interface Delivery {
  deliveryId: string;
  endpointId: string;
  /** `webhook-id`: the same over all attempts. */
  eventId: string;
  type: string;
  /** `waiting`: another attempt comes; `delivered`: answered with 2xx; `failed`: no more attempts. */
  state: 'waiting' | 'delivered' | 'failed';
  attemptCount: number;
  /** HTTP status of the last attempt. */
  lastStatus: number | null;
  /** When the next attempt is due; null when no more come, or none before its endpoint is enabled. */
  nextAttemptAt: string | null;
  createdAt: string;
  updatedAt: string;
}

export type DeliveryWithAttempts = Delivery & {
  /** Of one that was sent as a new event: the delivery it repeats. */ againOf?: string;
  event: Event;
  /** The newest 100, oldest first. */
  attempts: {
    attempt: number;
    at: string;
    durationMs: number;
    status: number | null;
    /** A word when no answer came: `timeout`, `dns`, `blocked` … */
    error: string | null;
    /** The first 4 KB of the answer. */
    answer: string | null;
    answerLength?: number;
    /** How far your clock was behind ours, by the header `Date` of the answer; null without one. */
    skewSeconds: number | null;
  }[];
};

export interface Event {
  id: string;
  type: EventType;
  timestamp: string;
  /** The same as in the body of the webhook. */
  data: Record<string, unknown>;
}

export interface StoredEvent {
  id: string;
  type: string;
}

export interface DeliveriesRoutes {
  'GET /deliveries': {
    query: {
      endpoint?: string | null;
      state?: 'waiting' | 'delivered' | 'failed' | null;
      type?: EventType | null;
      q?: string | null;
      since?: string | null;
      before?: string | null;
      limit?: number | null;
    };
    body: undefined;
    answer: Delivery[];
  };
  'GET /deliveries/:deliveryId': {
    query: Record<never, never>;
    body: undefined;
    answer: DeliveryWithAttempts;
  };
  'GET /deliveries/:deliveryId/request': {
    query: Record<never, never>;
    body: undefined;
    answer: DeliveryRequest;
  };
  'GET /deliveries/:deliveryId/signatures': {
    query: Record<never, never>;
    body: undefined;
    answer: DeliverySignatures;
  };
  'GET /deliveries/export.csv': {
    query: {
      endpoint?: string | null;
      state?: 'waiting' | 'delivered' | 'failed' | null;
      type?: EventType | null;
      q?: string | null;
      since?: string | null;
      before?: string | null;
      limit?: number | null;
      timeZone?: string | null;
    };
    body: undefined;
    answer: never;
  };
  'GET /deliveries/export.jsonl': {
    query: {
      endpoint?: string | null;
      state?: 'waiting' | 'delivered' | 'failed' | null;
      type?: EventType | null;
      q?: string | null;
      since?: string | null;
      before?: string | null;
      limit?: number | null;
      timeZone?: string | null;
    };
    body: undefined;
    answer: never;
  };
  'POST /deliveries/:deliveryId/replay': {
    query: Record<never, never>;
    body: unknown;
    answer: { deliveryId: string };
  };
  'POST /deliveries/:deliveryId/send-as-new': {
    query: Record<never, never>;
    body: unknown;
    answer: StoredEvent;
  };
}
