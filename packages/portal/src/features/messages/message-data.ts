/** Messages as the portal's doors show them. */

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
  messageType: 'SMS' | 'MMS';
  encoding: string | null;
  segments: number;
  state: string;
  code: string | null;
  carrier: string | null;
  carrierCode: string | null;
  dupRisk: boolean;
  acceptedAt: string;
  updatedAt: string;
}

export interface ListAnswer {
  messages: Listed[];
  /** How far back was looked, when the page is not full. */
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

export interface Whole extends Omit<Listed, 'keyId' | 'keyName'> {
  parts: {
    part: number;
    carrier: string;
    carrierMessageId: string;
    state: string;
    carrierCode: string | null;
    updatedAt: string;
  }[];
  events: TimelineEvent[];
}

export interface Told {
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

export interface FullMessage {
  message: Whole;
  recipients: Listed[];
  key: { keyId: string; name: string } | null;
  webhooks: Told[];
  carrierName: string | null;
}

/** A number of the company, and whether a message may leave from it. */
export interface Sender {
  number: string;
  sms: boolean;
  mms: boolean;
  why: string | null;
}
