/** Events, their deliveries to endpoints, and attempts, with their ids. Plain data. */
import type { EpochMs } from '../kernel/clock.ts';
import type { AccountId, MessageId } from '../kernel/ids.ts';
import type { EventType } from './event-type.ts';
import type { DeliveryState } from './lifecycle.ts';
import type { MessageFields } from './message-view.ts';

/** The message an event is about, as it was when the event happened (`state`, `code`, `dupRisk`, `sequence`). */
export type EventMessage = MessageFields & {
  state: DeliveryState;
  /** Counts within the message; its events may arrive in any order. */
  sequence: number;
  /** For a reply: the last message from that number to that handset before it; else null. */
  inReplyTo: string | null;
};

/** An event for the customer, committed together with its change. */
export interface CustomerEvent {
  /** Position in the log of all events: grows with each commit, has gaps. */
  position: number;
  /** `evt_…`, never changes; also `webhook-id`. */
  eventId: string;
  accountId: AccountId;
  type: EventType;
  at: EpochMs;
  /** Null for events that are not about a message. */
  message: EventMessage | null;
  /** `data` of an event without a message, as sent; null otherwise. */
  data: Record<string, unknown> | null;
  /** The trace of its message's request; absent = none. */
  traceparent?: string;
}

/** A delivery that sends an event once more, only to its endpoint, under a new id. */
export interface Resend {
  endpointId: string;
  /** Position of the original event. Its content is not copied, so that it is erased with its message. */
  position: number;
}

/** `data` of an event that repeats another one. */
export function resendData({ endpointId, position }: Resend): Record<string, unknown> {
  return { resend: { endpointId, position } };
}

/** The event that this one repeats; null for an original. */
export function resendOf({ data }: Pick<CustomerEvent, 'data'>): Resend | null {
  const { endpointId, position } = (data?.resend ?? {}) as Partial<Resend>;
  return typeof endpointId === 'string' && typeof position === 'number' ? { endpointId, position } : null;
}

/** A decoded event id: a message and one of its events, or (sequence 0) an event without a message. */
export interface EventKey {
  /** `msg_…`; the id itself for an event without a message. */
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
 * `waiting`: an attempt is due at `dueAt`, or waits until the endpoint is enabled again; `delivered`: answered with
 * 2xx; `failed`: all attempts used up, or dropped after 30 days.
 */
export type WebhookState = 'waiting' | 'delivered' | 'failed';

/** One event for one endpoint. There is exactly one per pair, however often it is replayed. */
export interface WebhookDelivery {
  /** `dlv_…`, built from endpoint and position. */
  deliveryId: string;
  endpointId: string;
  accountId: AccountId;
  position: number;
  eventId: string;
  type: EventType;
  state: WebhookState;
  /** Attempts made so far. */
  attempts: number;
  /** Attempts since it was (re)queued; they decide the next wait. */
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

/** Endpoint and position of an id made by `deliveryId`; null for anything else. */
export function readDeliveryId(id: string): { endpointId: string; position: number } | null {
  const [, position, endpointId] = /^dlv_([1-9][0-9]{0,14})_([A-Za-z0-9][A-Za-z0-9._-]{0,63})$/.exec(id) ?? [];
  return endpointId === undefined ? null : { endpointId, position: Number(position) };
}

/** One POST and its result. */
export interface WebhookAttempt {
  /** From 1. */
  attempt: number;
  at: EpochMs;
  durationMs: number;
  /** HTTP status, null when no answer came. */
  status: number | null;
  /** A word from a fixed set when there was no usable answer: `blocked`, `timeout`, `dns`, …; else null. */
  error: string | null;
  /** First 4 KB of the answer's body, as text. */
  answer: string;
  /** Our clock minus the endpoint's, by the `Date` of its answer; null when it sent none. */
  skewSeconds: number | null;
}
