/** Messages, as the portal's routes return them. */
import type { MessageWaiting } from '../../api/routes/messages-answers';
import type { MediumFact } from '../../ui/medium';
import type { Hours } from '../routes/routes';

export interface Listed {
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
  /** Each only if present; all but `media` only for messages from handsets. */
  media?: MediumFact[];
  subject?: string | null;
  participants?: string[];
  /** Base64 of content that is not text; null, with its length, for people who may not read texts. */
  data?: string | null;
  dataCoding?: number;
  messageClass?: number;
  ports?: { source: number; destination: number };
  messageType: 'SMS' | 'MMS';
  encoding: string | null;
  segments: number;
  state: string;
  code: string | null;
  carrier: string | null;
  /** The carrier's name; null without one, or when the carrier was deleted. */
  carrierName: string | null;
  carrierCode: string | null;
  dupRisk: boolean;
  acceptedAt: string;
  updatedAt: string;
}

/** A row of the list; for a request when the list is grouped. */
export interface ListedRow extends Listed, Partial<Group> {}

export interface Group {
  /** The messages that match the search */
  recipients: number;
  /** Refused recipients of the request; 0 when a search leaves some out. */
  refused: number;
  states: { state: string; count: number }[];
  /** Incomplete when there are very many. */
  members: { messageId: string; state: string }[];
}

export interface ListAnswer {
  messages: ListedRow[];
  /** How far back it was searched, if the page is not full. */
  searchedTo: string | null;
  problems: { token: string; sentence: string }[];
}

export interface TimelineEvent {
  eventId: string;
  sequence: number;
  state: string;
  occurredAt: string;
  code: string | null;
  carrier: string | null;
  carrierCode: string | null;
  detail: string | null;
}

export interface Whole extends Omit<Listed, 'keyId' | 'keyName' | 'carrierName'> {
  parts: {
    part: number;
    /** How many segments, from this one on, the id covers; absent = 1. */
    spans?: number;
    carrier: string;
    carrierMessageId: string;
    state: string;
    carrierCode: string | null;
    updatedAt: string;
  }[];
  events: TimelineEvent[];
}

export interface StoryDelivery {
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

/** A refused recipient of the request. */
export interface Refused {
  /** Index in the request, from 0. */
  place: number;
  to: string;
  status: string;
  detail: string;
}

/** A refused recipient in the log. */
export interface ListedRefused extends Refused {
  requestId: string;
  keyName: string;
  referenceId: string;
  from: string;
  acceptedAt: string;
}

export interface RefusedAnswer {
  recipients: ListedRefused[];
  searchedTo: string | null;
  /** Which parts of the search can match refused recipients: status, reason, number. */
  asks: { status: boolean; reason: boolean; number: boolean };
}

export interface FullMessage {
  message: Whole;
  recipients: Listed[];
  refused: Refused[];
  key: { keyId: string; name: string } | null;
  webhooks: StoryDelivery[];
  carrierName: string | null;
}

/** The current state of the message's carrier. */
export interface Link {
  /** False when it is disabled or deleted. */
  running: boolean;
  up: boolean;
  since: string | null;
  paused: boolean;
}

/** A rule that matches such messages. */
export interface RoutedRule {
  routeId: string;
  prefix: string;
  number: string | null;
  kind: 'SMS' | 'MMS' | null;
  weight: number;
  priority: number;
  /** 0 to 1. */
  share: number;
  /** The campaign that it is limited to. */
  campaign: string | null;
  hours: Hours | null;
  carriers: { carrierId: string; name: string; enabled: boolean; takesKind: boolean; up: boolean; paused: boolean }[];
}

export interface Routed {
  /** The first carrier; null before the message was routed. */
  carrier: { carrierId: string; name: string } | null;
  rules: RoutedRule[];
  /** Whether the rules name that carrier. */
  agrees: boolean;
  basis: Basis;
}

/** Which rules explain it: the ones of that time, the current ones (unchanged since, changed since, or unknown). */
export interface Basis {
  rules: 'past' | 'same' | 'now' | 'unknown';
  changedAt: string | null;
}

export interface Pdu {
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
  /** The sequence of its event. */
  event: number;
}

/** The details behind the timeline. */
export interface Story {
  routed: Routed | null;
  /** Null when it does not wait. */
  waiting: MessageWaiting | null;
  link: Link | null;
  wire: { source: 'sandbox' | 'log' | null; canLog: boolean; until: string | null; pdus: Pdu[] };
  /** `carrierAt`: the time by the carrier. */
  receiptTexts: { at: string; carrierAt: string | null; part: number; text: string | null; textLength?: number }[];
  receipts: { count: number; usualMs: number | null; lastAt: string | null; looked: number } | null;
}

/** A number of the company, and whether it can send. */
export interface Sender {
  number: string;
  sms: boolean;
  mms: boolean;
  why: string | null;
  /** End of the quiet hours for which its messages wait now; null = they are sent at once. */
  waitsUntil: string | null;
}

/** Whether a row is a request with several recipients, even if all but one were refused. */
export function isGroup({ recipients = 1, refused = 0 }: Partial<Group>): boolean {
  return recipients + refused > 1;
}
