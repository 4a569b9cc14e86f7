/** Routes of the gateway, as it has them. Written by `npm run goldens`: do not edit. */
import type { MediumFact } from './conversations';

export interface MessageList {
  messages: (MessageListed & {
    /** Recipients that match the search. */ recipients?: number;
    /** Recipients that the request was refused for; 0 where a search leaves some out. */
    refused?: number;
    states?: { state: string; count: number }[];
    /** Some of them when there are very many. */
    members?: { messageId: string; state: string }[];
  })[];
  searchedTo: string | null;
  problems: { token: string; sentence: string }[];
}

export interface MessageListed {
  messageId: string;
  requestId: string;
  referenceId: string;
  keyId: string;
  keyName: string | null;
  direction: 'outbound' | 'inbound';
  from: string;
  to: string;
  text: string | null;
  textLength?: number;
  mediaUrls: string[];
  mediaUrlsCount?: number;
  media?: MediumFact[];
  subject?: string | null;
  subjectLength?: number;
  data?: string | null;
  dataLength?: number;
  /** Other addresses of a group message. */
  participants?: string[];
  /** SMPP data_coding of `data`. */
  dataCoding?: number;
  /** Message class of GSM 03.38; 0 is a flash message. */
  messageClass?: number;
  /** Application ports, 0–65535. */
  ports?: { source: number; destination: number };
  messageType: 'SMS' | 'MMS';
  encoding: string | null;
  segments: number;
  state: string;
  code: string | null;
  carrier: string | null;
  carrierName: string | null;
  carrierCode: string | null;
  dupRisk: boolean;
  acceptedAt: string;
  updatedAt: string;
}

export interface MessageStates {
  states: { messageId: string; state: string; code: string | null; updatedAt: string }[];
}

export interface RefusedAnswer {
  problems: { token: string; sentence: string }[];
  recipients: ListedRefused[];
  searchedTo: string | null;
  asks: { status: boolean; reason: boolean; number: boolean };
}

export interface ListedRefused {
  keyId: string;
  requestId: string;
  keyName: string;
  referenceId: string;
  from: string;
  acceptedAt: string;
  place: number;
  to: string;
  status: string;
  detail: string;
}

export interface FullMessage {
  message: MessageWhole;
  recipients: MessageListed[];
  refused: RefusedRecipient[];
  key: { keyId: string; name: string } | null;
  webhooks: StoryDelivery[];
  carrierName: string | null;
}

export interface MessageWhole {
  parts: {
    part: number;
    spans?: number;
    carrier: string;
    carrierMessageId: string;
    state: string;
    carrierCode: string | null;
    updatedAt: string;
  }[];
  events: StoryEvent[];
  state: string;
  carrier: string | null;
  messageId: string;
  requestId: string;
  referenceId: string;
  direction: 'outbound' | 'inbound';
  from: string;
  to: string;
  text: string | null;
  textLength?: number;
  mediaUrls: string[];
  mediaUrlsCount?: number;
  media?: MediumFact[];
  subject?: string | null;
  subjectLength?: number;
  data?: string | null;
  dataLength?: number;
  /** Other addresses of a group message. */
  participants?: string[];
  /** SMPP data_coding of `data`. */
  dataCoding?: number;
  /** Message class of GSM 03.38; 0 is a flash message. */
  messageClass?: number;
  /** Application ports, 0–65535. */
  ports?: { source: number; destination: number };
  messageType: 'SMS' | 'MMS';
  encoding: string | null;
  segments: number;
  code: string | null;
  carrierCode: string | null;
  dupRisk: boolean;
  acceptedAt: string;
  updatedAt: string;
}

export interface StoryEvent {
  eventId: string;
  sequence: number;
  state: string;
  occurredAt: string;
  code: string | null;
  carrier: string | null;
  carrierCode: string | null;
  detail: string | null;
}

export interface RefusedRecipient {
  place: number;
  to: string;
  status: string;
  detail: string;
}

export interface StoryDelivery {
  accountId: string;
  position: number;
  tries: number;
  dueAt: string;
  deliveryId: string;
  endpointId: string;
  endpoint: string;
  eventId: string;
  type: string;
  state: string;
  attempts: number;
  lastStatus: number | null;
  createdAt: string;
  updatedAt: string;
}

export interface SentRequest {
  by: 'api' | 'portal' | 'gateway';
  request: { method: string; path: string; body: string | null; bodyLength?: number } | null;
  response: {
    status: number;
    requestId: string;
    kept: boolean;
    keptUntil: string | null;
    body: string | null;
    bodyLength?: number;
  } | null;
  textGone: boolean;
  notes: ('reference left out' | 'cut')[];
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

export interface MessageStory {
  routed: MessageRouted | null;
  waiting: MessageWaiting | null;
  link: StoryLink | null;
  wire: { source: 'sandbox' | 'log' | null; canLog: boolean; until: string | null; pdus: MessagePdu[] };
  receiptTexts: { at: string; carrierAt: string | null; part: number; text: string | null; textLength?: number }[];
  receipts: { count: number; usualMs: number | null; lastAt: string | null; looked: number } | null;
}

export interface MessageRouted {
  carrier: { carrierId: string; name: string } | null;
  rules: RoutedRule[];
  agrees: boolean;
  basis: RoutedBasis;
}

export interface RoutedRule {
  routeId: string;
  prefix: string;
  number: string | null;
  kind: 'SMS' | 'MMS' | null;
  weight: number;
  priority: number;
  share: number;
  campaign: string | null;
  hours: RuleHours | null;
  carriers: { carrierId: string; name: string; enabled: boolean; takesKind: boolean; up: boolean; paused: boolean }[];
}

export interface RuleHours {
  days: ('mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun')[];
  from: string;
  to: string;
}

export interface RoutedBasis {
  rules: 'past' | 'same' | 'now' | 'unknown';
  changedAt: string | null;
}

export interface MessageWaiting {
  /** media: its media are not ready. quiet, campaign, dayCap, retry, time: it is not due before `until`; time = nothing on record says why. unanswered: its carrier left ten messages in a row without an answer and gets one every 30 seconds. person: it is held until a person decides. turn: nothing is in its way. Of an uncertain message, at `until`: repeat = it is sent again; hold = a person decides; receipt = it has had its repeats and ends as unconfirmed. */
  why: WaitingReason;
  carrier: { carrierId: string; name: string } | null;
  since: string | null;
  until: string | null;
  code: string | null;
  perSecond: number | null;
  /** For an uncertain message: the cause, the repeats so far, and the limit. */
  doubt?: { cause: 'unanswered' | 'broken' | null; repeats: number; allowed: number };
  /** Further reasons that hold at the same time: it leaves when none is left. */
  also: {
    /** media: its media are not ready. quiet, campaign, dayCap, retry, time: it is not due before `until`; time = nothing on record says why. unanswered: its carrier left ten messages in a row without an answer and gets one every 30 seconds. person: it is held until a person decides. turn: nothing is in its way. Of an uncertain message, at `until`: repeat = it is sent again; hold = a person decides; receipt = it has had its repeats and ends as unconfirmed. */
    why: WaitingReason;
    since: string | null;
    until: string | null;
    code: string | null;
  }[];
}

export type WaitingReason =
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
  | 'receipt'
  | 'media'
  | 'time'
  | 'person';

export interface StoryLink {
  running: boolean;
  up: boolean;
  since: string | null;
  paused: boolean;
}

export interface MessagePdu {
  at: string;
  direction: 'out' | 'in';
  command: string;
  sequence: string | null;
  status: string | null;
  carrierMessageId: string | null;
  fields: Record<string, string | number>;
  text: string | null;
  textLength?: number;
  hex: string | null;
  hexLength?: number;
  event: number;
}

export interface RoutingTree {
  basis: { rules: string; changedAt: string | null };
  today: string | null;
  hidden: number;
  environment: 'sandbox' | 'live';
  isKnownSender: boolean;
  campaignId: string | null;
  local: RoutedTime;
  timeZone: string;
  rules: {
    routeId: string;
    route: {
      number: string | null;
      routeId: string;
      environment: 'sandbox' | 'live';
      prefix: string;
      kind: 'SMS' | 'MMS' | null;
      campaignId?: string;
      hours?: RuleHours;
      weight: number;
      priority: number;
      carrierIds: string[];
    };
    misses: ('number' | 'campaign' | 'environment' | 'prefix' | 'kind' | 'hours')[];
    share: number;
    carriers: { carrierId: string; name: string; enabled: boolean; takesKind: boolean; up: boolean; paused: boolean }[];
  }[];
  outcome: string;
}

export interface RoutedTime {
  day: 'mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun';
  clock: string;
}

export interface BulkPreview {
  messageIds: string[];
  states: { state: string; count: number }[];
  left: { code: string; count: number }[];
  more: boolean;
  runId: string;
  typedAbove: number;
  messagesMax: number;
}

export interface BulkRan {
  action: string;
  count: number;
  done: number;
  reasons: { code: string; detail: string; count: number }[];
}

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
  /** Base64 of content that is not text, or decodes as text only in part. */
  data?: string | null;
  dataLength?: number;
  /** Other addresses of a group message. */
  participants?: string[];
  /** SMPP data_coding of `data`. */
  dataCoding?: number;
  /** Message class of GSM 03.38; 0 is a flash message. */
  messageClass?: number;
  /** Application ports, 0–65535. */
  ports?: { source: number; destination: number };
  /** Only in the look-up of one message, while it is queued, uncertain or held: why it waits now. */
  waiting?: MessageWaiting;
  /** When its text and media were deleted because of their age; absent before that. */
  bodyDeletedAt?: string;
  parts: MessagePart[];
  events: MessageStep[];
}

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
  /** Detected from the content; empty for a medium that was not fetched. */
  type: string;
  /** Bytes; 0 for a medium that was not fetched. */
  size: number;
  name: string;
  /** Pixels; absent if it is not a picture. */
  width?: number;
  height?: number;
  /** Pictures of an animation; absent for a still one. */
  frames?: number;
  /** For a sent medium. `failed`: the last event says why; `skipped`: not fetched, because another one failed. */
  state?: 'fetched' | 'fitted' | 'failed' | 'skipped';
  /** As sent to the carrier: one entry for each size limit of the carriers, usually one. */
  fitted?: FittedMedium[];
  /** What fitting changed beyond size, quality and metadata: an animation lost some of its frames, or all but its first. Absent = nothing. */
  altered?: Altered;
}

export interface FittedMedium {
  /** Bytes that the carrier accepts for all media of a message. */ limit: number;
  type: string;
  /** Bytes. */
  size: number;
  /** Pixels; absent if it is not a picture. */
  width?: number;
  height?: number;
  /** Pictures of an animation; absent for a still one. */
  frames?: number;
  /** What fitting changed beyond size, quality and metadata: an animation lost some of its frames, or all but its first. Absent = nothing. */
  altered?: Altered;
}

export type Altered = 'fewer-frames' | 'still';

export interface MessagePart {
  part: number;
  /** Number of segments, from this one on, that share the id, when a long text was sent whole. Absent = 1. */
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
