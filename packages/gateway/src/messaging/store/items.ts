/** Parameters and results of the store's methods for messages. */
import type { EpochMs } from '../../kernel/clock.ts';
import type { AccountId, LaneId, MessageId, RequestId } from '../../kernel/ids.ts';
import type {
  HeldBack,
  InboundPart,
  MmsMessage,
  NewDelivery,
  NewSmsDelivery,
  SmsMessage,
} from '../../model/delivery.ts';
import type { EventType } from '../../model/event-type.ts';
import type { StoredExtras } from '../../model/message-extras.ts';
import type { RepeatRules } from '../../model/repeats.ts';
import type { CustomerEvent, WebhookAttempt, WebhookDelivery, WebhookState } from '../../model/webhook-event.ts';
import type { MediaLink } from './media-items.ts';
import type { OwnSide, RefusedRecipient } from './message-log-items.ts';
import type { Transition } from './transition.ts';

export type AcceptItem = SmsItem | MmsItem;

/** `deliveries`: only accepted recipients; if empty (all refused), only the idempotency row is kept. */
export interface SmsItem extends AnyItem {
  message: SmsMessage;
  deliveries: NewSmsDelivery[];
  /** None of its deliveries is due before then. */
  held?: HeldBack;
}

/** None of its deliveries is due before its media are prepared. */
export interface MmsItem extends AnyItem {
  message: MmsMessage;
  deliveries: NewDelivery[];
}

export function isSmsItem(item: AcceptItem): item is SmsItem {
  return item.message.messageType === 'SMS';
}

interface AnyItem {
  /** Refused recipients, as in the answer; kept if others were accepted. */
  refused?: readonly RefusedRecipient[];
  /**
   * The opt-out list used to judge its recipients: their scope, and the list's version. If absent, they are not checked
   * again.
   */
  judged?: { scope: string; version: number };
  idempotency: null | {
    key: string;
    /** SHA-256 of the request body, hex. */
    bodyHash: string;
    /** The exact answer body, stored to be replayed. */
    answer: string;
    expiresAt: EpochMs;
  };
}

export type AcceptResult =
  /**
   * `waits`: the whole item is queued, because this node no longer owns a send queue that should have taken it at once.
   */
  | { kind: 'stored'; waits?: true }
  /** The idempotency key is known with the same body: nothing was stored; `answer` is the first answer. */
  | { kind: 'replay'; answer: string }
  /** The idempotency key is known with another body: nothing was stored. */
  | { kind: 'conflict'; firstRequestId: RequestId }
  /** A recipient has opted out since it was judged: nothing was stored. */
  | { kind: 'opted out' };

export interface ClaimRequest {
  lane: LaneId;
  /** At most this many deliveries. */
  limit: number;
  now: EpochMs;
  /** Fencing token of the claiming node (see `Store.token`). */
  token: number;
}

/** The lanes that have deliveries of a state. */
export interface WorkingLanes {
  queued: LaneId[];
  uncertain: LaneId[];
  sent: LaneId[];
}

export interface SweepRequest {
  now: EpochMs;
  /** At most this many rows per rule and call; call again while `more`. */
  limit: number;
  /** Accounts whose uncertain messages are held instead of repeated. */
  holdAccountIds: string[];
  /** How often uncertain messages may be repeated. */
  repeats: RepeatRules;
  /** Unmatched receipts older than this are deleted, like expired idempotency rows. */
  unmatchedReceiptsBefore: EpochMs;
  /** Inbound parts whose siblings have been missing since before this are delivered with a mark. */
  incompletePartsBefore: EpochMs;
  /** As found earlier; absent = looked up. A lane that is missing is swept by a later call. */
  lanes?: WorkingLanes;
}

export interface SweepResult {
  moves: Transition[];
  more: boolean;
}

/** A message's place in its queue. */
export interface QueuePlace {
  dueAt: EpochMs;
  messageId: MessageId;
}

export interface QueuedRow extends QueuePlace {
  from: string;
  to: string;
  messageType: 'SMS' | 'MMS';
  accountId: AccountId;
  /** A carrier has taken a part of it. */
  begun: boolean;
}

export interface QueueCounts {
  lane: LaneId;
  queued: number;
  oldestDueAt: EpochMs | null;
}

export interface InboundResult {
  /**
   * Per item the `messageId` of the resulting reply: the text that it completed, or an unfinished one that it replaced.
   * Null: the part is stored and its siblings are missing, or a waiting part arrived again.
   */
  messageIds: (string | null)[];
  /** Contacts whose consent changed, for the list in memory. */
  consent: { scope: string; contact: string; to: 'out' | 'in' }[];
  /** Lanes in which a confirmation waits. */
  lanes: string[];
}

/** Inbound messages are stored under the account that owns `to`, which the flow determines. */
export interface InboundItem {
  part: InboundPart;
  accountId: AccountId;
  /** Ids to use if this part completes a message. */
  messageId: MessageId;
  requestId: RequestId;
  /** Set when the whole text is a keyword (only texts in one part can be). */
  consent: ConsentCommand | null;
}

/** The command of a keyword, decided by the flow; the transaction decides whether it changes anything. */
export interface ConsentCommand {
  keyword: 'out' | 'in' | 'help';
  /** `campaign:ID` or `number:DIGITS` (toll-free numbers and short codes). */
  scope: string;
  /** Of `in`: lifted too, the scope of the number alone, from before it joined its campaign. */
  earlier?: string;
  /**
   * The confirmation, stored with the reply when one is due: after `out` when none was stored for this contact in the
   * 24 h before, after `in` when the contact was opted out, after `help` always; never twice within 24 h for a possible
   * redelivery. Null: the network answers, or nobody.
   */
  confirmation: SmsItem | null;
}

/** One entry of the opt-out list. */
export interface OptOut {
  accountId: AccountId;
  scope: string;
  /** The contact, digits. */
  contact: string;
  /** Time of the opt-out; for a lifted one, time of the lifting. */
  at: EpochMs;
  how: 'keyword' | 'api' | 'import' | 'by hand' | 'carrier';
  /** The reason given by the person or program that entered or lifted it; '' for keywords. */
  reason: string;
  /** The inbound message that proves it, or the sent message that the carrier refused; null when there is none. */
  evidenceMessageId: string | null;
}

/** A change of the list without a keyword. */
export interface ConsentChange extends OptOut {
  to: 'out' | 'in';
}

/** A webhook delivery to attempt, with its event. */
export interface DueWebhook {
  delivery: WebhookDelivery;
  event: CustomerEvent;
}

/** The result of one attempt, and the next state of its delivery. */
export interface AttemptOutcome {
  endpointId: string;
  position: number;
  attempt: Omit<WebhookAttempt, 'attempt'>;
  /**
   * `tries` of the delivery when the attempt began. If the store has fewer now, the delivery was replayed meanwhile: a
   * failed attempt is then only recorded, so that the replay keeps all its tries.
   */
  tries: number;
  to: WebhookState;
  /** For `waiting`: when the next attempt is due. */
  dueAt: EpochMs;
}

/** An endpoint's recent results, kept over restarts. */
export interface EndpointHealth {
  endpointId: string;
  /** Start of the current run of failures; null after a success or before the first attempt. */
  failingSince: EpochMs | null;
  lastSuccessAt: EpochMs | null;
}

/** An event about no message, or an example of any. The store assigns its position in the log and its timeline. */
export interface NewEvent {
  /** `evt_…` + 26 characters. */
  eventId: string;
  accountId: AccountId;
  type: EventType;
  at: EpochMs;
  data: Record<string, unknown>;
}

/** A multimedia message to one of our numbers; its media are already in the media store. */
export interface InboundMmsItem {
  carrier: string;
  /** Identifies a redelivery, together with carrier and recipient; '' = it cannot be identified. */
  peerMessageId: string;
  accountId: AccountId;
  messageId: MessageId;
  requestId: RequestId;
  from: string;
  to: string;
  text: string;
  links: MediaLink[];
  /** The signed URLs of `links`, in their order. */
  mediaUrls: string[];
  /** Its `media` in the order of `mediaUrls`. */
  extras?: StoredExtras;
  receivedAt: EpochMs;
  /** Set when the text is a keyword. */
  consent: ConsentCommand | null;
}

/**
 * Received or sent messages of an account: newest first and before the message id `before`; or, with `after`, oldest
 * first and after it.
 */
export interface MessagesQuery extends OwnSide {
  accountId: AccountId;
  direction: 'outbound' | 'inbound' | null;
  from: string | null;
  to: string | null;
  before: string | null;
  after?: string | null;
  /** The last id that may be listed, in either order; absent or null = all. */
  end?: string | null;
  limit: number;
}

export interface NeededMediaQuery {
  hashes: string[];
  now: EpochMs;
  keptSince: EpochMs;
}

export interface ForgetMediaQuery {
  now: EpochMs;
  keptSince: EpochMs;
  limit: number;
}

export interface FanOutRequest {
  from: number;
  to: number;
  deliveries: {
    endpointId: string;
    accountId: AccountId;
    position: number;
    eventId: string;
    type: EventType;
    at: EpochMs;
  }[];
}

export interface RecordAttemptsRequest {
  outcomes: AttemptOutcome[];
  health: EndpointHealth[];
}

export interface ReplayWebhooksRequest {
  accountId: AccountId;
  endpointId: string;
  /** One delivery, or all whose event happened in `since`…`until` (at most 10,000 a call; call again while it returns that many). */
  which: { position: number } | { since: EpochMs; until: EpochMs; after: number; failedOnly?: boolean };
  now: EpochMs;
  /** Returns the number only and changes nothing. */
  countOnly?: boolean;
}

export interface WebhookDeliveriesQuery {
  accountId: AccountId;
  endpointIds: string[];
  state: WebhookState | null;
  /** Only events before this position; null = from the newest. */
  before: number | null;
  limit: number;
}

export interface WebhookDeliveryQuery {
  accountId: AccountId;
  endpointId: string;
  position: number;
}

export interface OptOutsQuery {
  accountId: AccountId;
  scope: string | null;
  contact: string | null;
  after: { scope: string; contact: string } | null;
  limit: number;
}

export interface ChangeConsentRequest {
  changes: ConsentChange[];
  eventIds: string[];
}
