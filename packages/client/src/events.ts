/** The bodies of webhooks, as types. A newer gateway may send others: keep a `default` branch. */
import type { DeliveryState, Encoding, MessageExtras, OutcomeCode } from './types.ts';

/** The fields of every webhook. */
interface Envelope<Type extends string, Data> {
  /** `webhook-id`: the same over all attempts, so that a repetition can be recognised. */
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
  /** The carrier's own code, unchanged. */
  carrierCode: string | null;
  segments: number;
  /** Increases with each event of a message; events may arrive out of order. */
  sequence: number;
  occurredAt: string;
  /** True when the message may have been delivered twice. */
  dupRisk: boolean;
  /** Only in examples made by `events.trigger`. */
  triggered?: true;
}

/** A message from a phone. */
export interface MessageReceivedData extends MessageExtras {
  messageId: string;
  from: string;
  to: string;
  text: string;
  mediaUrls: string[];
  receivedAt: string;
  /** The message it probably answers. */
  inReplyTo: string | null;
  messageType: 'SMS' | 'MMS';
  encoding: Encoding | null;
  sequence: number;
  /** True when it may have arrived twice. */
  dupRisk: boolean;
  /** Set when the event was too large to hold all of it: `messages.get` has the rest. */
  truncated?: true;
  /** Which fields were shortened or omitted; `data` is whole or missing. */
  truncatedFields?: string[];
  triggered?: true;
}

/** A contact opted out or in. */
export interface ContactEventData {
  contact: string;
  /** The scope: `campaign:ID` or `number:DIGITS`. */
  scope: string;
  campaignId: string | null;
  number: string | null;
  how: 'keyword' | 'api' | 'import' | 'by hand' | 'carrier';
  /** The keyword of the contact's message. */
  keyword: string | null;
  /** The message that is the evidence. */
  messageId: string | null;
  at: string;
  triggered?: true;
}

/** An endpoint is disabled: it failed for too long, or answered 410. */
export interface EndpointDisabledData {
  endpointId: string;
  url: string;
  why: 'failing' | 'gone';
  at: string;
  triggered?: true;
}

/** An alert fires or is resolved: for companies with an operator of the gateway. */
export interface AlertEventData {
  /** The same when it fires and when it is resolved. */
  alertId: string;
  state: 'firing' | 'resolved';
  environment: 'sandbox' | 'live';
  carrierId: string | null;
  /** The company whose budget it is about. */
  accountId: string | null;
  /** The value when it fired and the limit at that time, both in `unit`. */
  value: number;
  limit: number;
  unit: 'times' | 'percent' | 'seconds' | 'megabytes' | 'days';
  /** One sentence. */
  detail: string;
  firedAt: string;
  resolvedAt: string | null;
  triggered?: true;
}

/** Data of a type without fixed fields. */
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
export type ContactEvent = Envelope<'contact.opted_out' | 'contact.opted_in', ContactEventData>;
export type CarrierEvent = Envelope<'carrier.down' | 'carrier.up', OpenData>;
export type EndpointDisabledEvent = Envelope<'endpoint.disabled', EndpointDisabledData>;
export type AlertEvent = Envelope<
  | 'alert.receipts'
  | 'alert.errors'
  | 'alert.backlog'
  | 'alert.link'
  | 'alert.disk'
  | 'alert.budget'
  | 'alert.certificate',
  AlertEventData
>;
export type WebhookTestEvent = Envelope<'webhook.test', OpenData>;

/** Every event type this package knows. Events of other types are passed on unchanged. */
export type WebhookEvent =
  | MessageEvent
  | MessageReceivedEvent
  | ContactEvent
  | CarrierEvent
  | EndpointDisabledEvent
  | AlertEvent
  | WebhookTestEvent;

export type WebhookEventType = WebhookEvent['type'];

export const webhookEventTypes = [
  'message.received',
  'message.sent',
  'message.delivered',
  'message.undelivered',
  'message.failed',
  'message.expired',
  'message.unconfirmed',
  'message.held',
  'message.canceled',
  'contact.opted_out',
  'contact.opted_in',
  'carrier.down',
  'carrier.up',
  'endpoint.disabled',
  'webhook.test',
  'alert.receipts',
  'alert.errors',
  'alert.backlog',
  'alert.link',
  'alert.disk',
  'alert.budget',
  'alert.certificate',
] as const satisfies readonly WebhookEventType[];
