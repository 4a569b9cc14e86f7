/**
 * What customers are told, as plain data: the types of event, an event with the message it is about, a delivery of an
 * event to an endpoint, and one attempt at it. No rules and no I/O here.
 */
import type { EpochMs } from './clock.ts';
import type { Encoding } from './delivery.ts';
import type { DeliveryState } from './lifecycle.ts';
import type { MessageKind } from './records.ts';

/** States whose event a customer is told of; the type is `message.` and the state. */
export const toldStates = [
  'received',
  'sent',
  'delivered',
  'undelivered',
  'failed',
  'expired',
  'unconfirmed',
  'held',
  'canceled',
] as const satisfies readonly DeliveryState[];

type ToldState = (typeof toldStates)[number];

/** Events that are about no single state of a message. */
export const otherEventTypes = [
  'contact.opted_out',
  'contact.opted_in',
  'carrier.down',
  'carrier.up',
  'endpoint.disabled',
  'webhook.test',
] as const;

export type OtherEventType = (typeof otherEventTypes)[number];
export type EventType = `message.${ToldState}` | OtherEventType;

export const eventTypes: readonly EventType[] = [
  ...toldStates.map((state) => `message.${state}` as const),
  ...otherEventTypes,
];

/** The message an event is about, as it was when the event happened (`state`, `code`, `dupRisk`, `sequence`). */
export interface EventMessage {
  messageId: string;
  requestId: string;
  referenceId: string;
  direction: 'outbound' | 'inbound';
  from: string;
  to: string;
  text: string;
  mediaUrls: string[];
  messageType: MessageKind;
  encoding: Encoding | null;
  segments: number;
  state: DeliveryState;
  code: string | null;
  carrier: string | null;
  carrierCode: string | null;
  dupRisk: boolean;
  /** Counts per message; events of one message may arrive in any order. */
  sequence: number;
  /** Of a reply: the last message sent from that number to that handset before it; else null. */
  inReplyTo: string | null;
}

/** A fact for the customer, committed together with the change it tells of. */
export interface CustomerEvent {
  /** Place in the log of all events: grows with each commit, has gaps. */
  position: number;
  /** `evt_…`, the same for ever; also `webhook-id`. */
  eventId: string;
  accountId: string;
  type: EventType;
  at: EpochMs;
  /** Null for events about no message. */
  message: EventMessage | null;
  /** `data` of an event about no message, as it is told; null otherwise. */
  data: Record<string, unknown> | null;
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
  accountId: string;
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
}
