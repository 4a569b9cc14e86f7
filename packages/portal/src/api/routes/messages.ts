/** Routes of the gateway, as it has them. Written by `npm run goldens`: do not edit. */

export interface Message {
  messageId: string;
  referenceId: string;
  requestId: string;
  direction: 'outbound' | 'inbound';
  from: string;
  to: string;
  text: string | null;
  textLength?: number;
  mediaUrls: string[];
  messageType: 'SMS' | 'MMS';
  encoding: 'GSM-7' | 'UCS-2' | null;
  segments: number;
  state: State;
  code: OutcomeCode;
  carrier: string | null;
  carrierCode: string | null;
  /** True when it may have been delivered twice. */
  dupRisk: boolean;
  acceptedAt: string;
  updatedAt: string;
  /** The media one by one, in the order of `mediaUrls`. Of a sent message: absent until they are fetched, and after 30 days. */
  media?: MessageMedium[];
  /** Subject of a multimedia message. */
  subject?: string | null;
  subjectLength?: number;
  /** Other addresses of a group message. */
  participants?: string[];
  /** Base64 of content that is no text, or could be read as text only in part. */
  data?: string | null;
  dataLength?: number;
  /** SMPP data_coding of `data`. */
  dataCoding?: number;
  /** Message class of GSM 03.38; 0 is a flash message. */
  messageClass?: number;
  /** Application ports, 0–65535. */
  ports?: { source: number; destination: number };
  /** Only in the look-up of one message, while it is queued or uncertain: why it waits now. */
  waiting?: MessageWaiting;
  /** When its text and media were let go of by their age; absent before that. */
  bodyDeletedAt?: string;
  parts: MessagePart[];
  events: MessageStep[];
}

export type State =
  | 'accepted'
  | 'queued'
  | 'sending'
  | 'sent'
  | 'delivered'
  | 'undelivered'
  | 'unconfirmed'
  | 'uncertain'
  | 'held'
  | 'failed'
  | 'expired'
  | 'canceled'
  | 'received';

export type OutcomeCode =
  | 'DELIVERED'
  | 'UNREACHABLE'
  | 'UNKNOWN_SUBSCRIBER'
  | 'NOT_MOBILE'
  | 'EXPIRED'
  | 'CANCELED'
  | 'CARRIER_REJECTED'
  | 'CARRIER_FILTERED'
  | 'CARRIER_OPTED_OUT'
  | 'CAMPAIGN_LIMIT'
  | 'DAILY_CAP_REACHED'
  | 'QUIET_HOURS'
  | 'CARRIER_UNAVAILABLE'
  | 'MALFORMED'
  | 'MEDIA_UNREACHABLE'
  | 'MEDIA_BLOCKED'
  | 'MEDIA_TOO_LARGE'
  | 'MEDIA_TYPE_NOT_SUPPORTED'
  | 'MMS_NOT_SUPPORTED'
  | 'NO_RECEIPT'
  | 'UNCERTAIN'
  | 'OPTED_OUT'
  | 'SENDER_NOT_ENABLED'
  | 'CAMPAIGN_NOT_ACTIVE'
  | 'GATEWAY_ERROR'
  | 'UNKNOWN'
  | null;

export interface MessageMedium {
  url: string;
  /** By the content where it is known; empty for one that was not fetched. */
  type: string;
  /** Bytes; 0 for one that was not fetched. */
  size: number;
  name: string;
  /** Pixels; absent where it is no picture. */
  width?: number;
  height?: number;
  /** Pictures of an animation; absent for a still one. */
  frames?: number;
  /** Of a sent medium. `failed`: the last event says why; `skipped`: not fetched, as another one had failed. */
  state?: 'fetched' | 'fitted' | 'failed' | 'skipped';
  /** As handed to the carrier: one entry for each size that carriers of the message take, usually one. */
  fitted?: FittedMedium[];
  /** What fitting changed beyond size, quality and metadata: an animation lost some of its frames, or all but its first. Absent = nothing. */
  altered?: 'fewer-frames' | 'still';
}

export interface FittedMedium {
  /** Bytes that the carrier takes for all media of a message. */ limit: number;
  type: string;
  /** Bytes. */
  size: number;
  /** Pixels; absent where it is no picture. */
  width?: number;
  height?: number;
  /** Pictures of an animation; absent for a still one. */
  frames?: number;
  /** What fitting changed beyond size, quality and metadata: an animation lost some of its frames, or all but its first. Absent = nothing. */
  altered?: 'fewer-frames' | 'still';
}

export interface MessageWaiting {
  /** unanswered: its carrier left ten messages in a row without an answer and gets one every 30 seconds. Of an uncertain message, at `until`: repeat = it is sent again; hold = a person decides; receipt = it has had its repeats and ends as unconfirmed. */
  why:
    | 'off'
    | 'paused'
    | 'opening'
    | 'down'
    | 'unanswered'
    | 'rate'
    | 'throttled'
    | 'window'
    | 'quiet'
    | 'campaign'
    | 'dayCap'
    | 'retry'
    | 'turn'
    | 'repeat'
    | 'hold'
    | 'receipt';
  carrier: { carrierId: string; name: string } | null;
  since: string | null;
  until: string | null;
  code: string | null;
  perSecond: number | null;
  /** Of an uncertain message: why, how often it was sent again, and how often it may be. */
  doubt?: { cause: 'unanswered' | 'broken' | null; repeats: number; allowed: number };
}

export interface MessagePart {
  part: number;
  /** How many segments from this one on the id stands for, where a long text went out whole. Absent = 1. */
  spans?: number;
  carrier: string;
  carrierMessageId: string;
  state: 'accepted' | 'delivered' | 'undelivered';
  carrierCode: string | null;
  updatedAt: string;
}

export interface MessageStep {
  eventId: string;
  sequence: number;
  state: State;
  code: string | null;
  carrier: string | null;
  carrierCode: string | null;
  detail: string | null;
  occurredAt: string;
}

export interface MessagesRoutes {
  'GET /messages/:messageId': {
    query: Record<never, never>;
    body: undefined;
    answer: Message;
  };
}
