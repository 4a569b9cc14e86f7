/**
 * A message in look-ups, lists and webhooks. In memory an SMS and an MMS have only their own fields; API, webhooks and
 * exports show every message with the fields of both: `flatMessage`.
 */

import type { EpochMs } from '../kernel/clock.ts';
import type { AccountId, LaneId, MessageId, RequestId } from '../kernel/ids.ts';
import type { Encoding, PartRecord, TimelineEvent } from './delivery.ts';
import type { DeliveryState } from './lifecycle.ts';
import type { MessageExtras, MmsExtras, SmsExtras } from './message-extras.ts';
import type { OutcomeCode } from './reason.ts';
import type { MessageKind } from './records.ts';
import type { DoubtCause } from './repeats.ts';

/** The state of an uncertain message. */
export interface Doubt {
  accountId: AccountId;
  /** Null: it became uncertain before causes were stored. */
  cause: DoubtCause | null;
  /** How often it was sent again. */
  repeats: number;
  /** When the policy acts. */
  dueAt: EpochMs;
  expiresAt: EpochMs;
}

/** What the store knows about a `queued` or `held` message: each reason to wait is a separate fact. */
export interface StoredWait {
  accountId: AccountId;
  /** Its send queue. */
  lane: LaneId;
  /** When the next attempt to prepare its media is due. Null = they are ready, or it has none. */
  mediaDueAt: EpochMs | null;
  /** No claim takes it earlier. Null: it does not wait for a time, but for its media or a person. */
  dueAt: EpochMs | null;
}

/** Fields of every view of a message except the state, which may be the present one or an event's. */
export type MessageFields = SmsFields | MmsFields;

export interface SmsFields extends AnyFields, SmsExtras {
  messageType: 'SMS';
  mediaUrls: [];
  /** Null for a reply that is not text. */
  encoding: Encoding | null;
  segments: number;
}

export interface MmsFields extends AnyFields, MmsExtras {
  messageType: 'MMS';
  mediaUrls: string[];
}

interface AnyFields {
  messageId: MessageId;
  referenceId: string;
  requestId: RequestId;
  direction: 'outbound' | 'inbound';
  from: string;
  to: string;
  text: string;
  code: OutcomeCode | null;
  carrier: string | null;
  carrierCode: string | null;
  dupRisk: boolean;
}

/** One message as a list shows it. */
export type MessageInList = MessageFields & { state: DeliveryState; acceptedAt: EpochMs; updatedAt: EpochMs };

/** One message as the look-up shows it. */
export type MessageView = MessageInList & {
  /** While it is `uncertain`; only in a look-up of one message. */
  doubt?: Doubt;
  /** While it is `queued` or `held`; only in a look-up of one message. */
  wait?: StoredWait;
  /** When retention deleted its text and media; absent = they are still stored. */
  bodyDeletedAt?: EpochMs;
  parts: PartRecord[];
  events: TimelineEvent[];
};

/** With the fields of both kinds. */
export type FlatMessage<M> = Omit<M, keyof FlatFields> & FlatFields;

interface FlatFields extends MessageExtras {
  messageType: MessageKind;
  mediaUrls: string[];
  encoding: Encoding | null;
  segments: number;
}

/** The form in API, webhooks and exports: an MMS has no encoding and counts as one segment. */
export function flatMessage<M extends MessageFields>(message: M): FlatMessage<M> {
  if (message.messageType === 'SMS') return message as FlatMessage<M>;
  const { messageId, referenceId, requestId, direction, from, to, text, mediaUrls, messageType, ...more } = message;
  const head = { messageId, referenceId, requestId, direction, from, to, text, mediaUrls, messageType };
  return { ...head, encoding: null, segments: 1, ...more } as unknown as FlatMessage<M>;
}
