/**
 * The nouns of the message flow: Message (the request), Delivery (one recipient's outcome), and carriers' reports.
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

/** The encodings of a text, as named in the API. */
export type Encoding = 'GSM-7' | 'UCS-2';

/** What the caller requested in one accepted request; immutable. One row for each request. */
export type Message = SmsMessage | MmsMessage;

export interface SmsMessage extends AnyMessage {
  messageType: 'SMS';
  /** The text on the wire if smart encoding changed it, else null. */
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
  /** Unchanged, unit by unit. */
  text: string;
  acceptedAt: EpochMs;
  /** From its request (`traceparent.ts`); absent = none. */
  traceparent?: string;
}

/** One recipient of an accepted request, as it enters the queue. */
export interface NewDelivery {
  /** `msg_` + 26 characters, sortable by time. */
  messageId: MessageId;
  to: string;
  /** Id of the carrier that sends it. */
  lane: LaneId;
  expiresAt: EpochMs;
}

/** For an SMS. An MMS never starts as `sending`: its media must be prepared first. */
export interface NewSmsDelivery extends NewDelivery {
  /** Concatenation reference, 0–65,535; the same in all attempts. */
  concatReference: number;
  /**
   * Stored as `sending` instead of `queued`: its lane has a free slot and takes it after the commit. Code that sets
   * this must pass the delivery to the lane, or settle it.
   */
  sending?: boolean;
}

/** Why newly accepted deliveries are not due at once, and until when. */
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

/** The media of an MMS after preparation. */
export interface PreparedMedia {
  /** As fetched, in the order of the URLs. */
  original: StoredMedium[];
  /** Fitted to each budget that its carriers may need. */
  fitted: FittedSet[];
}

export interface FittedSet {
  /** Total size of all media, before any transfer encoding. */
  budgetBytes: number;
  media: StoredMedium[];
}

/** A delivery claimed for sending: already `sending` on disk when the caller gets it. */
export type Claim = SmsClaim | MmsClaim;

export interface SmsClaim extends AnyClaim {
  messageType: 'SMS';
  segments: number;
  concatReference: number;
}

export interface MmsClaim extends AnyClaim {
  messageType: 'MMS';
  mediaUrls: string[];
  /** Null while not prepared. */
  media: PreparedMedia | null;
}

interface AnyClaim {
  messageId: MessageId;
  accountId: AccountId;
  /** The key pair that requested it, or a mark for messages of the gateway itself (`consent:…`). */
  keyId: KeyId;
  lane: LaneId;
  /** 1 for the first attempt. */
  attempt: number;
  dupRisk: boolean;
  from: string;
  to: string;
  text: string;
  expiresAt: EpochMs;
  acceptedAt: EpochMs;
  /** Part numbers that the carrier accepted in an earlier attempt; only the others are sent. */
  partsAccepted: number[];
}

/** How an attempt ended, in terms of the lifecycle: the only input that moves a `sending` delivery on. */
export interface Settlement {
  messageId: MessageId;
  attempt: number;
  to: 'sent' | 'queued' | 'failed' | 'uncertain';
  code: OutcomeCode | null;
  carrierCode: string | null;
  detail: string | null;
  carrier: string;
  /** Parts accepted in this attempt. */
  parts: (Spanned & { carrierMessageId: string })[];
  /** Why it is `uncertain`, which also sets the first wait for a receipt. */
  cause?: DoubtCause;
  firstWaitMs?: number;
  /**
   * For `queued`: when, and through which lane, the next attempt is due. For `uncertain`: the earliest time at which
   * the policy acts. For `sent`: when the wait for a receipt ends.
   */
  dueAt: EpochMs;
  lane: LaneId;
  /** False does not count the attempt: throttled, or provably never written. */
  countsAttempt: boolean;
}

/** A carrier's later report on one part. Ids are always strings. */
export interface Receipt {
  carrier: string;
  carrierMessageId: string;
  /** The carrier splits long texts itself: one id stands for all segments. Not stored for receipts without a match. */
  ofWhole?: true;
  /** All keys under which the id may be stored (normalised), most exact first. */
  idKeys: string[];
  /** The handset that the receipt names (digits), or null when it names none. */
  to: string | null;
  state: 'delivered' | 'undelivered' | 'interim';
  code: OutcomeCode | null;
  carrierCode: string | null;
  /** The receipt's text, unchanged, for people to read; at most 512 characters. */
  raw: string;
  receivedAt: EpochMs;
  /** The time of the event as the carrier states it; not stored for receipts without a match. Absent: not stated. */
  doneAt?: EpochMs;
}

/** One inbound PDU that is not a receipt: a whole reply or a part of one. */
export interface InboundPart {
  carrier: string;
  from: string;
  to: string;
  /** Decoded text; null when the content is binary (stored in `octets`). */
  text: string | null;
  octets: Uint8Array | null;
  encoding: Encoding | null;
  /** Null for a text in a single part. `bits` of the reference: absent = 8. */
  concat: { reference: number; bits?: 8 | 16; total: number; sequence: number } | null;
  /** What its header and fields contain besides the text; absent = nothing. */
  extras?: Pick<StoredExtras, 'dataCoding' | 'messageClass' | 'ports'>;
  /** The text has the form of a receipt. It counts as this one if the id belongs to a stored part for this handset. */
  perhaps?: Receipt;
  receivedAt: EpochMs;
}

/** One medium of a message from a handset, with its content not yet inspected. */
export interface InboundMedium {
  /** As declared by the peer. */
  contentType: string;
  /** As declared by the peer; '' when it declares none. */
  fileName: string;
  bytes: Buffer;
}

/** A parsed multimedia message from a handset: no SMIL, its text parts joined into one text. */
export interface InboundMms {
  carrier: string;
  /** The peer's id of the message, which identifies redeliveries; '' when it gives none. */
  peerMessageId: string;
  /** Digits, a mail address, or the name that the peer gives instead. */
  from: string;
  /** Digits; all recipients named by the peer that may be ours. */
  to: string[];
  /** All addresses of a group from To and Cc: digits or mail addresses; absent = the addresses in `to`. */
  participants?: string[];
  subject: string;
  text: string;
  media: InboundMedium[];
  /** Its sender requests a read report. */
  asksReadReport?: true;
  receivedAt: EpochMs;
}

/** A message from a handset that a person has read and whose sender requested a read report. Numbers in digits. */
export interface ReadMessage {
  carrier: string;
  /** The peer's id of the message. */
  peerMessageId: string;
  from: string;
  to: string;
}

/** A decision about a waiting delivery. */
export interface Decision {
  accountId: AccountId;
  messageId: MessageId;
  to: 'queued' | 'canceled';
  /** Shown in the timeline; absent = a person. */
  by?: 'person' | 'api';
  now: EpochMs;
}
