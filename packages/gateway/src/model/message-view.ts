/**
 * A message as it is looked up, listed, and sent to customers. In memory an SMS and an MMS have only their own fields; API,
 * webhooks and exports show every message with the fields of both: `flatMessage`.
 */

import type { EpochMs } from '../kernel/clock.ts';
import type { AccountId, LaneId, MessageId, RequestId } from '../kernel/ids.ts';
import type { Encoding, PartRecord, TimelineEvent } from './delivery.ts';
import type { DeliveryState } from './lifecycle.ts';
import type { MessageExtras, MmsExtras, SmsExtras } from './message-extras.ts';
import type { OutcomeCode } from './reason.ts';
import type { MessageKind } from './records.ts';
import type { DoubtCause } from './repeats.ts';

/** How a message in doubt stands. */
export interface Doubt {
  accountId: AccountId;
  /** Null: it became uncertain before causes were kept. */
  cause: DoubtCause | null;
  /** How often it was sent again. */
  repeats: number;
  /** When the policy acts. */
  dueAt: EpochMs;
  expiresAt: EpochMs;
}

/** What the store knows of a message that is `queued` or `held`: each reason to wait is a fact of its own. */
export interface StoredWait {
  accountId: AccountId;
  /** The send queue in which it stands. */
  lane: LaneId;
  /** Its media are not ready: when they are tried next. Null = they are, or it has none. */
  mediaDueAt: EpochMs | null;
  /** No claim takes it before. Null: no time holds it, but its media or a person. */
  dueAt: EpochMs | null;
}

/** What every view of a message has but its state: that of now, or of an event. */
export type MessageFields = SmsFields | MmsFields;

export interface SmsFields extends AnyFields, SmsExtras {
  messageType: 'SMS';
  mediaUrls: [];
  /** Null: a reply that is no text. */
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
  /** While it is `uncertain`, where one message is looked up. */
  doubt?: Doubt;
  /** While it is `queued` or `held`, where one message is looked up. */
  wait?: StoredWait;
  /** When its text and media went, by their age; absent = they are there. */
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

/** As API, webhooks and exports show it: of an MMS no encoding and one segment, where an SMS has them. */
export function flatMessage<M extends MessageFields>(message: M): FlatMessage<M> {
  if (message.messageType === 'SMS') return message as FlatMessage<M>;
  const { messageId, referenceId, requestId, direction, from, to, text, mediaUrls, messageType, ...more } = message;
  const head = { messageId, referenceId, requestId, direction, from, to, text, mediaUrls, messageType };
  return { ...head, encoding: null, segments: 1, ...more } as unknown as FlatMessage<M>;
}
