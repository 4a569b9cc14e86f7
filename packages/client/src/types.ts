/**
 * The data exchanged between a caller and the gateway, as types, and the gateway's words as lists. Pure data. A newer
 * gateway may use unlisted words, so every such type allows any string.
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

/** Reasons of this package, for failures without an answer of the gateway. */
export type ClientReason = 'INVALID_CONFIGURATION' | 'NETWORK_ERROR' | 'TIMEOUT' | 'INVALID_RESPONSE';

/** Body of `POST /SendSMS`. Numbers are digits only, with country code and without a plus. */
export interface SendRequest {
  from: string;
  to: string[];
  text: string;
  /** With at least one, the message is an MMS. */
  mediaUrls?: string[];
  /** Your own id, echoed; not used to detect duplicates. */
  referenceId?: string;
  /** How long the gateway may try, 1–2,880; default 240. */
  validityMinutes?: number;
}

export interface RecipientResult {
  to: string;
  /** `SUCCESS` = accepted for sending to this number. */
  status: RecipientStatus;
  /** This recipient's message. Missing in exact shape and for refused recipients. */
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

/** One part of a message, once accepted by a carrier. Times are ISO 8601. */
export interface MessagePart {
  part: number;
  /** How many segments, from this one on, the id covers if a long text was sent whole; absent = 1. */
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

/** What fitting changed beyond size, quality and metadata: an animation lost some frames, or all but its first. */
export type MediumAltered = 'fewer-frames' | 'still';

/** Pixels, and frames of an animation; each only where it applies. */
export interface MediumMeasures {
  width?: number;
  height?: number;
  frames?: number;
}

/** A medium as sent to a carrier. */
export interface FittedMedium extends MediumMeasures {
  /** The carrier's limit in bytes for all media of a message. */
  limit: number;
  type: string;
  /** In bytes. */
  size: number;
  altered?: MediumAltered;
}

/** One medium of a message. */
export interface MessageMedium extends MediumMeasures {
  /** The same as the `mediaUrls` entry at this index; of a reply signed, and expired after 30 days. */
  url: string;
  /** Detected by content where possible, else as declared by the sender; '' for one that was not fetched. */
  type: string;
  /** In bytes; 0 for one that was not fetched. */
  size: number;
  name: string;
  /** Only for messages that you sent. */
  state?: 'fetched' | 'fitted' | 'failed' | 'skipped';
  /** One entry for each size that the message's carriers accept, usually one. Only for messages that you sent. */
  fitted?: FittedMedium[];
  /** The largest change by fitting; absent = none. */
  altered?: MediumAltered;
}

/** Extras of a message from a phone, each only where it applies. */
export interface MessageExtras {
  /** The media one by one, in the order of `mediaUrls`. */
  media?: MessageMedium[];
  subject?: string;
  /** Other addresses of a group message: digits, or mail addresses. */
  participants?: string[];
  /** Base64 of content that is not text, or only partly decodable. */
  data?: string;
  /** SMPP data_coding of `data`, 0–255. */
  dataCoding?: number;
  /** 0 (flash) to 3. */
  messageClass?: number;
  /** Application ports. */
  ports?: { source: number; destination: number };
}

/** One recipient's message and its outcome. */
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
  /** When its text and media were deleted by retention; absent before that. */
  bodyDeletedAt?: string;
  /** Why it waits now; only in a look-up of one message that is queued, uncertain or held. */
  waiting?: MessageWaiting;
  parts: MessagePart[];
  events: MessageStep[];
}

/** What a message waits for. More words may be added: ignore unknown ones. */
export interface MessageWaiting {
  /**
   * Such as `down`, `retry`, `quiet`, `media` (its media are not ready), `person` (it is held until a person decides); for an
   * uncertain message `repeat`, `hold` or `receipt`.
   */
  why: string;
  carrier: { carrierId: string; name: string } | null;
  since: string | null;
  until: string | null;
  code: string | null;
  perSecond: number | null;
  doubt?: { cause: 'unanswered' | 'broken' | null; repeats: number; allowed: number };
  /** Further reasons that hold at the same time; older gateways send none. */
  also?: { why: string; since: string | null; until: string | null; code: string | null }[];
}
