/** The bodies of webhooks, as types. A gateway newer than this package may send others: keep a `default` branch. */
import type { DeliveryState, OutcomeCode } from './types.ts';

/** What every webhook has. */
interface Envelope<Type extends string, Data> {
  /** `webhook-id`: the same over all attempts, so that a repetition can be told. */
  id: string;
  type: Type;
  /** When it happened, ISO 8601. */
  timestamp: string;
  data: Data;
}

/** One recipient's message, after a change of its state. */
export interface MessageEventData {
  messageId: string;
  referenceId: string;
  from: string;
  to: string;
  state: DeliveryState;
  code: OutcomeCode | null;
  /** The carrier's own code, as it came. */
  carrierCode: string | null;
  segments: number;
  /** Grows with each event of one message; events may arrive in another order. */
  sequence: number;
  occurredAt: string;
  /** True when the message may have been delivered twice. */
  dupRisk: boolean;
}

/** A message from a phone. */
export interface MessageReceivedData {
  messageId: string;
  from: string;
  to: string;
  text: string;
  mediaUrls: string[];
  receivedAt: string;
  /** The message it seems to answer. */
  inReplyTo: string | null;
}

/** Data of a kind that has no fixed fields. */
export type OpenData = Readonly<Record<string, unknown>>;

export type MessageEvent = Envelope<
  | 'message.sent'
  | 'message.delivered'
  | 'message.undelivered'
  | 'message.failed'
  | 'message.expired'
  | 'message.unconfirmed'
  | 'message.held'
  | 'message.canceled',
  MessageEventData
>;
export type MessageReceivedEvent = Envelope<'message.received', MessageReceivedData>;
export type ContactEvent = Envelope<'contact.opted_out' | 'contact.opted_in', OpenData>;
export type CarrierEvent = Envelope<'carrier.down' | 'carrier.up', OpenData>;
export type EndpointDisabledEvent = Envelope<'endpoint.disabled', OpenData>;
export type WebhookTestEvent = Envelope<'webhook.test', OpenData>;

export type WebhookEvent =
  | MessageEvent
  | MessageReceivedEvent
  | ContactEvent
  | CarrierEvent
  | EndpointDisabledEvent
  | WebhookTestEvent;
