/** Events, their deliveries to endpoints, and attempts, with their ids. Plain data. */
import type { EpochMs } from '../kernel/clock.ts';
import type { AccountId, MessageId } from '../kernel/ids.ts';
import type { EventType } from './event-type.ts';
import type { DeliveryState } from './lifecycle.ts';
import type { MessageFields } from './message-view.ts';

/** The message an event is about, as it was when the event happened (`state`, `code`, `dupRisk`, `sequence`). */
export type EventMessage = MessageFields & {
  state: DeliveryState;
  /** Counts per message; events of one message may arrive in any order. */
  sequence: number;
  /** Of a reply: the last message sent from that number to that handset before it; else null. */
  inReplyTo: string | null;
};

/** An event for the customer, committed together with its change. */
export interface CustomerEvent {
  /** Place in the log of all events: grows with each commit, has gaps. */
  position: number;
  /** `evt_…`, the same for ever; also `webhook-id`. */
  eventId: string;
  accountId: AccountId;
  type: EventType;
  at: EpochMs;
  /** Null for events about no message. */
  message: EventMessage | null;
  /** `data` of an event without a message, as sent; null otherwise. */
  data: Record<string, unknown> | null;
  /** The trace of the request that its message came with; absent = none. */
  traceparent?: string;
}

/** A delivery whose event goes out once more, to its endpoint alone, under an id of its own. */
export interface Resend {
  endpointId: string;
  /** Of the event whose content it has: that is not copied, so that it is erased with its message. */
  position: number;
}

/** `data` of an event that is another one once more. */
export function resendData({ endpointId, position }: Resend): Record<string, unknown> {
  return { resend: { endpointId, position } };
}

/** The event that this one repeats; null for an original. */
export function resendOf({ data }: Pick<CustomerEvent, 'data'>): Resend | null {
  const { endpointId, position } = (data?.resend ?? {}) as Partial<Resend>;
  return typeof endpointId === 'string' && typeof position === 'number' ? { endpointId, position } : null;
}

/** An event id, decoded: a message and one of its events, or (sequence 0) an event without a message. */
export interface EventKey {
  /** `msg_…`; the id itself for an event about no message. */
  messageId: MessageId;
  sequence: number;
}

/** Decodes an id made by `eventId`, or the id of an event without a message; null for anything else. */
export function readEventId(id: string): EventKey | null {
  const [, name, sequence] = /^evt_([0-9A-Z]{1,40})(?:_([1-9][0-9]{0,8}))?$/.exec(id) ?? [];
  if (name === undefined) return null;
  return sequence === undefined
    ? { messageId: id, sequence: 0 }
    : { messageId: `msg_${name}`, sequence: Number(sequence) };
}

/**
 * `waiting`: an attempt is due at `dueAt` (or the endpoint is disabled and it waits for that to end); `delivered`: answered
 * with 2xx; `failed`: all attempts used up, or let go after 30 days.
 */
export type WebhookState = 'waiting' | 'delivered' | 'failed';

/** One event on its way to one endpoint. There is exactly one per pair, however often it is replayed. */
export interface WebhookDelivery {
  /** `dlv_…`, made of endpoint and position. */
  deliveryId: string;
  endpointId: string;
  accountId: AccountId;
  position: number;
  eventId: string;
  type: EventType;
  state: WebhookState;
  /** Attempts made so far. */
  attempts: number;
  /** Attempts made since it was (re)queued: decides the next wait. */
  tries: number;
  dueAt: EpochMs;
  createdAt: EpochMs;
  updatedAt: EpochMs;
  /** HTTP status of the last attempt; null when there was no answer or no attempt. */
  lastStatus: number | null;
}

/** The id of the delivery of the event at `position` to an endpoint. */
export function deliveryId(endpointId: string, position: number): string {
  return `dlv_${position}_${endpointId}`;
}

/** Endpoint and position from an id that `deliveryId` made; null for anything else. */
export function readDeliveryId(id: string): { endpointId: string; position: number } | null {
  const [, position, endpointId] = /^dlv_([1-9][0-9]{0,14})_([A-Za-z0-9][A-Za-z0-9._-]{0,63})$/.exec(id) ?? [];
  return endpointId === undefined ? null : { endpointId, position: Number(position) };
}

/** One POST and what came of it. */
export interface WebhookAttempt {
  /** From 1. */
  attempt: number;
  at: EpochMs;
  durationMs: number;
  /** HTTP status, null when no answer came. */
  status: number | null;
  /** One of a fixed set of words when there was no usable answer: `blocked`, `timeout`, `dns`, …; else null. */
  error: string | null;
  /** First 4 KB of the answer's body, as text. */
  answer: string;
  /** Our clock less the endpoint's, by the `Date` of its answer; null when it said none. */
  skewSeconds: number | null;
}
