/**
 * What goes over the wire between a caller and the gateway, as types, and the words of the gateway as lists. Pure data.
 * A gateway newer than this package may use a word that is not listed: every such type takes any string.
 */

export const requestReasons = [
  'SUCCESS',
  'NOT_AUTHORIZED',
  'INVALID_REQUEST',
  'INVALID_JSON',
  'MISSING_FIELD',
  'INVALID_FIELD',
  'INVALID_SENDER',
  'SENDER_NOT_FOUND',
  'SENDER_NOT_ENABLED',
  'CAMPAIGN_REQUIRED',
  'CAMPAIGN_NOT_ACTIVE',
  'EMPTY_RECIPIENTS',
  'TOO_MANY_RECIPIENTS',
  'TEXT_EMPTY',
  'TEXT_TOO_LONG',
  'INVALID_MEDIA_URL',
  'TOO_MANY_MEDIA',
  'INVALID_REFERENCE_ID',
  'UNSUPPORTED_CONTENT_TYPE',
  'BODY_TOO_LARGE',
  'IDEMPOTENCY_KEY_REUSED',
  'ACCOUNT_SUSPENDED',
  'SPEND_LIMIT_REACHED',
  'RATE_LIMITED',
  'NOT_FOUND',
  'NOT_WAITING',
  'METHOD_NOT_ALLOWED',
  'TEMPORARILY_UNAVAILABLE',
  'INTERNAL_ERROR',
] as const;

export const recipientStatuses = [
  'SUCCESS',
  'INVALID_NUMBER',
  'SENDER_EQUALS_RECIPIENT',
  'DUPLICATE_RECIPIENT',
  'DESTINATION_NOT_ALLOWED',
  'OPTED_OUT',
  'NO_ROUTE',
  'RATE_LIMITED',
  'BLOCKED_BY_FRAUD_GUARD',
] as const;

export const outcomeCodes = [
  'DELIVERED',
  'UNREACHABLE',
  'UNKNOWN_SUBSCRIBER',
  'NOT_MOBILE',
  'EXPIRED',
  'CANCELED',
  'CARRIER_REJECTED',
  'CARRIER_FILTERED',
  'CARRIER_OPTED_OUT',
  'CAMPAIGN_LIMIT',
  'DAILY_CAP_REACHED',
  'QUIET_HOURS',
  'CARRIER_UNAVAILABLE',
  'MALFORMED',
  'MEDIA_UNREACHABLE',
  'MEDIA_BLOCKED',
  'MEDIA_TOO_LARGE',
  'MEDIA_TYPE_NOT_SUPPORTED',
  'MMS_NOT_SUPPORTED',
  'NO_RECEIPT',
  'UNCERTAIN',
  'OPTED_OUT',
  'SENDER_NOT_ENABLED',
  'CAMPAIGN_NOT_ACTIVE',
  'GATEWAY_ERROR',
  'UNKNOWN',
] as const;

export const deliveryStates = [
  'accepted',
  'queued',
  'sending',
  'sent',
  'delivered',
  'undelivered',
  'unconfirmed',
  'uncertain',
  'held',
  'failed',
  'expired',
  'canceled',
  'received',
] as const;

/** Any string, without hiding the known ones from an editor. */
type Unlisted = string & {};

export type RequestReason = (typeof requestReasons)[number] | Unlisted;
export type RecipientStatus = (typeof recipientStatuses)[number] | Unlisted;
export type OutcomeCode = (typeof outcomeCodes)[number] | Unlisted;
export type DeliveryState = (typeof deliveryStates)[number];
export type Encoding = 'GSM-7' | 'UCS-2';

/** Reasons that come from this package, when there is no answer of the gateway. */
export type ClientReason = 'INVALID_CONFIGURATION' | 'NETWORK_ERROR' | 'TIMEOUT' | 'INVALID_RESPONSE';

/** Body of `POST /SendSMS`. Numbers are digits only, with country code and without a plus. */
export interface SendRequest {
  from: string;
  to: string[];
  text: string;
  /** With at least one the message is an MMS. */
  mediaUrls?: string[];
  /** Your own id, echoed; never used to tell duplicates. */
  referenceId?: string;
  /** How long the gateway may try, 1–2,880; 240 unless told. */
  validityMinutes?: number;
}

export interface RecipientResult {
  to: string;
  /** `SUCCESS` = accepted for sending to this number. */
  status: RecipientStatus;
  /** This recipient's message. Left out in exact shape and for refused recipients. */
  messageId?: string;
  /** Why this recipient was refused. */
  detail?: string;
}

export interface SendAnswer {
  success: true;
  reason: RequestReason;
  detail: string;
  schema: {
    referenceId: string;
    from: string;
    text: string;
    /** One entry for each entry of `to`, in the same order. */
    resultResponses: RecipientResult[];
    messageType?: 'SMS' | 'MMS';
    encoding?: Encoding;
    segments?: number;
    dryRun?: true;
  };
  /** `X-Request-Id` of the answer. */
  requestId: string | null;
  /** True when the answer is the stored one of an earlier call with the same idempotency key. */
  replayed: boolean;
  /** Fields of the request that the gateway does not know and ignored (`X-Unknown-Fields`); mostly empty. */
  unknownFields: string[];
}

/** One part of a message, once a carrier took it. Times are ISO 8601. */
export interface MessagePart {
  part: number;
  /** How many segments from this one on the id stands for, where a long text went out whole; absent = 1. */
  spans?: number;
  carrier: string;
  carrierMessageId: string;
  state: 'accepted' | 'delivered' | 'undelivered';
  carrierCode: string | null;
  updatedAt: string;
}

/** One entry of a message's timeline. */
export interface MessageStep {
  eventId: string;
  sequence: number;
  state: DeliveryState;
  code: OutcomeCode | null;
  carrier: string | null;
  carrierCode: string | null;
  detail: string | null;
  occurredAt: string;
}

/** What fitting changed beyond size, quality and metadata: an animation lost some of its frames, or all but its first. */
export type MediumAltered = 'fewer-frames' | 'still';

/** Pixels, and pictures of an animation; each only where there is such a thing. */
export interface MediumMeasures {
  width?: number;
  height?: number;
  frames?: number;
}

/** A medium as it was handed to a carrier. */
export interface FittedMedium extends MediumMeasures {
  /** Bytes that the carrier takes for all media of a message. */
  limit: number;
  type: string;
  /** In bytes. */
  size: number;
  altered?: MediumAltered;
}

/** One medium of a message. */
export interface MessageMedium extends MediumMeasures {
  /** The same as in `mediaUrls` at the same place; of a reply signed, and dead after 30 days. */
  url: string;
  /** By its content where that is known, else as the sender's side declared it; '' for one that was not fetched. */
  type: string;
  /** In bytes; 0 for one that was not fetched. */
  size: number;
  name: string;
  /** Only of a message that you sent. */
  state?: 'fetched' | 'fitted' | 'failed' | 'skipped';
  /** One entry for each size that carriers of the message take, usually one. Only of a message that you sent. */
  fitted?: FittedMedium[];
  /** The largest change that fitting made; absent = none. */
  altered?: MediumAltered;
}

/** What a message from a phone has beside its text, each only where there is such a thing. */
export interface MessageExtras {
  /** The media one by one, in the order of `mediaUrls`. */
  media?: MessageMedium[];
  subject?: string;
  /** Other addresses of a group message: digits, or mail addresses. */
  participants?: string[];
  /** Base64 of content that is no text, or could be read as text only in part. */
  data?: string;
  /** SMPP data_coding of `data`, 0–255. */
  dataCoding?: number;
  /** 0 (flash) to 3. */
  messageClass?: number;
  /** Application ports. */
  ports?: { source: number; destination: number };
}

/** One recipient's message and what became of it. */
export interface Message extends MessageExtras {
  messageId: string;
  referenceId: string;
  requestId: string;
  direction: 'outbound' | 'inbound';
  from: string;
  to: string;
  text: string;
  mediaUrls: string[];
  messageType: 'SMS' | 'MMS';
  encoding: Encoding | null;
  segments: number;
  state: DeliveryState;
  code: OutcomeCode | null;
  carrier: string | null;
  carrierCode: string | null;
  /** True when it may have been delivered twice. */
  dupRisk: boolean;
  acceptedAt: string;
  updatedAt: string;
  /** When its text and media were let go of by their age; absent before that. */
  bodyDeletedAt?: string;
  /** Why it waits now; only where one message is looked up, while it is queued or uncertain. */
  waiting?: MessageWaiting;
  parts: MessagePart[];
  events: MessageStep[];
}

/** What a message waits for. Its words may grow: ignore those you do not know. */
export interface MessageWaiting {
  /** Such as `down`, `retry`, `unanswered`; of an uncertain message `repeat`, `hold` or `receipt`. */
  why: string;
  carrier: { carrierId: string; name: string } | null;
  since: string | null;
  until: string | null;
  code: string | null;
  perSecond: number | null;
  doubt?: { cause: 'unanswered' | 'broken' | null; repeats: number; allowed: number };
}
