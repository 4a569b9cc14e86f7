/**
 * The nouns of the message flow: Message (the request), Delivery (one recipient's outcome), and what carriers report.
 * Plain data.
 */

import type { EpochMs } from '../kernel/clock.ts';
import type { AccountId, KeyId, LaneId, MessageId, RequestId } from '../kernel/ids.ts';
import type { DeliveryState, PartState } from './lifecycle.ts';
import type { StoredMedium } from './medium.ts';
import type { StoredExtras } from './message-extras.ts';
import type { OutcomeCode } from './reason.ts';
import type { DoubtCause } from './repeats.ts';
import type { Spanned } from './spans.ts';

/** The encodings of a text, in the words of the API. */
export type Encoding = 'GSM-7' | 'UCS-2';

/** What the caller asked in one accepted request; immutable. One row per request. */
export type Message = SmsMessage | MmsMessage;

export interface SmsMessage extends AnyMessage {
  messageType: 'SMS';
  /** What goes on the wire when smart encoding changed the text, else null. */
  wireText: string | null;
  encoding: Encoding;
  segments: number;
  mediaUrls: [];
}

export interface MmsMessage extends AnyMessage {
  messageType: 'MMS';
  mediaUrls: string[];
}

interface AnyMessage {
  /** `req_…`, also the key of the row. */
  requestId: RequestId;
  accountId: AccountId;
  keyId: KeyId;
  direction: 'outbound' | 'inbound';
  referenceId: string;
  from: string;
  /** As given, unit by unit. */
  text: string;
  acceptedAt: EpochMs;
  /** Of the request that it came with (`traceparent.ts`); absent = none. */
  traceparent?: string;
}

/** One recipient of an accepted request, as it enters the queue. */
export interface NewDelivery {
  /** `msg_` + 26 characters, sortable by time. */
  messageId: MessageId;
  to: string;
  /** Carrier id that works it off. */
  lane: LaneId;
  expiresAt: EpochMs;
}

/** Of an SMS. An MMS is never `sending` at once: its media come first. */
export interface NewSmsDelivery extends NewDelivery {
  /** Concatenation reference, 0–65,535; the same over all tries. */
  concatReference: number;
  /**
   * Stored as `sending` and not as `queued`: its lane has room for it and takes it when the commit is done. Whoever sets
   * this must hand it to the lane, or settle it.
   */
  sending?: boolean;
}

/** Why deliveries just accepted are not due at once, and until when. */
export interface HeldBack {
  until: EpochMs;
  code: OutcomeCode;
  /** One sentence for the timeline. */
  detail: string;
}

/** One entry of a message's timeline. `sequence` counts from 1 per message; the event's id is derived from both. */
export interface TimelineEvent {
  sequence: number;
  state: DeliveryState;
  at: EpochMs;
  code: OutcomeCode | null;
  carrier: string | null;
  carrierCode: string | null;
  /** One sentence for people; never a secret, never a text body. */
  detail: string | null;
}

/** One part of a message that a carrier accepted, with the receipts for it. */
export interface PartRecord extends Spanned {
  carrier: string;
  carrierMessageId: string;
  state: PartState;
  carrierCode: string | null;
  updatedAt: EpochMs;
}

/** The media of an MMS once they are prepared. */
export interface PreparedMedia {
  /** As fetched, in the order of the URLs. */
  original: StoredMedium[];
  /** As fitted for each budget that was foreseen. */
  fitted: FittedSet[];
}

export interface FittedSet {
  /** All media together, before any transfer encoding. */
  budgetBytes: number;
  media: StoredMedium[];
}

/** A delivery as claimed for sending: already `sending` on disk when a caller sees it. */
export type Claim = SmsClaim | MmsClaim;

export interface SmsClaim extends AnyClaim {
  messageType: 'SMS';
  segments: number;
  concatReference: number;
}

export interface MmsClaim extends AnyClaim {
  messageType: 'MMS';
  mediaUrls: string[];
  /** Null: they are not prepared yet. */
  media: PreparedMedia | null;
}

interface AnyClaim {
  messageId: MessageId;
  accountId: AccountId;
  /** The pair that asked for it, or what the gateway sends of itself (`consent:…`). */
  keyId: KeyId;
  lane: LaneId;
  /** 1 for the first try. */
  attempt: number;
  dupRisk: boolean;
  from: string;
  to: string;
  text: string;
  expiresAt: EpochMs;
  acceptedAt: EpochMs;
  /** Part numbers an earlier try already handed over; only the others are sent. */
  partsAccepted: number[];
}

/** How one try ended, in terms of the lifecycle: the only input from which a `sending` delivery moves on. */
export interface Settlement {
  messageId: MessageId;
  attempt: number;
  to: 'sent' | 'queued' | 'failed' | 'uncertain';
  code: OutcomeCode | null;
  carrierCode: string | null;
  detail: string | null;
  carrier: string;
  /** Parts accepted in this try. */
  parts: (Spanned & { carrierMessageId: string })[];
  /** Why it is `uncertain`, and how long the first wait for a receipt is. */
  cause?: DoubtCause;
  firstWaitMs?: number;
  /** For `queued`: when and by which lane to try again. For `uncertain`: when the policy acts at the earliest. For `sent`: when the wait for a receipt ends. */
  dueAt: EpochMs;
  lane: LaneId;
  /** False gives the attempt back: throttled, or provably never written. */
  countsAttempt: boolean;
}

/** A carrier's later word on one part. Ids are strings, always. */
export interface Receipt {
  carrier: string;
  carrierMessageId: string;
  /** The carrier splits long texts itself: one id stands for all segments. Not kept with receipts that match nothing. */
  ofWhole?: true;
  /** All forms under which the id may be on record, most exact first (normalised keys). */
  idKeys: string[];
  /** The handset the receipt speaks of (digits), or null when the carrier does not say. */
  to: string | null;
  state: 'delivered' | 'undelivered' | 'interim';
  code: OutcomeCode | null;
  carrierCode: string | null;
  /** The receipt as it came (text form), kept for people; at most 512 characters. */
  raw: string;
  receivedAt: EpochMs;
  /** When the carrier says that it happened; not kept with receipts that match nothing. Absent: it does not say. */
  doneAt?: EpochMs;
}

/** One inbound PDU that is no receipt: a whole reply or one part of one. */
export interface InboundPart {
  carrier: string;
  from: string;
  to: string;
  /** Decoded text; null when the content is binary (kept in `octets`). */
  text: string | null;
  octets: Uint8Array | null;
  encoding: Encoding | null;
  /** Null for a text in one part. */
  concat: { reference: number; total: number; sequence: number } | null;
  /** What its header and fields say beside the content; absent = nothing. */
  extras?: Pick<StoredExtras, 'dataCoding' | 'messageClass' | 'ports'>;
  /** It has the form of a receipt, and is this one if its id is that of a part on record for this handset. */
  perhaps?: Receipt;
  receivedAt: EpochMs;
}

/** One medium of a message from a handset, as it came: nobody has looked at its content yet. */
export interface InboundMedium {
  /** As the peer calls it. */
  contentType: string;
  /** As the peer calls it; '' when it does not. */
  fileName: string;
  bytes: Buffer;
}

/** A multimedia message from a handset, taken apart: no SMIL, the text parts folded into one text. */
export interface InboundMms {
  carrier: string;
  /** The peer's id of the message, by which a redelivery is known; '' when it gives none. */
  peerMessageId: string;
  /** Digits, or a mail address. */
  from: string;
  /** Digits; all recipients the peer names that may be ours. */
  to: string[];
  /** All addresses of a group, as To and Cc name them: digits, or mail addresses; absent = those of `to`. */
  participants?: string[];
  subject: string;
  text: string;
  media: InboundMedium[];
  /** Its sender asks to be told when it was read. */
  asksReadReport?: true;
  receivedAt: EpochMs;
}

/** A message from a handset that a person has read, and whose sender asked to be told. Numbers in digits. */
export interface ReadMessage {
  carrier: string;
  /** The peer's id of it. */
  peerMessageId: string;
  from: string;
  to: string;
}

/** What is decided of a delivery that waits. */
export interface Decision {
  accountId: AccountId;
  messageId: MessageId;
  to: 'queued' | 'canceled';
  /** Stands in the timeline; absent = a person. */
  by?: 'person' | 'api';
  now: EpochMs;
}
