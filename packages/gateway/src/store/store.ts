/**
 * The seam of the memory: everything the flow and the doors need from a store, named for the need, batch in and batch
 * out. Two engines stand behind it (SQLite, PostgreSQL) and run the same operations. No engine detail may leak from here.
 *
 * Every writing method resolves only after its transaction is on disk. Calls made in the same moment share one
 * transaction (group commit) and run in this order inside it: accept, what gathers conversations, inbound texts and MMS,
 * settle, receipts, recover, sweep, what people and the outbox write, links and prepared media, claim.
 */
import type { EpochMs } from '../domain/clock.ts';
import type {
  Claim,
  HeldBack,
  InboundPart,
  Message,
  MessageView,
  NewDelivery,
  PreparedMedia,
  Receipt,
  Settlement,
} from '../domain/delivery.ts';
import type { EventType } from '../domain/event-type.ts';
import type { DeliveryState } from '../domain/lifecycle.ts';
import type { StoredMedium } from '../domain/medium.ts';
import type { CustomerEvent, WebhookAttempt, WebhookDelivery, WebhookState } from '../domain/webhook-event.ts';
import type { MadeMove } from './made-move.ts';
import type { RefusedRecipient } from './message-log-store.ts';
import type { Seams } from './seams.ts';

export type { MadeMove } from './made-move.ts';
export type { PeopleChange, PeopleRule, PeopleStore, PeopleWrite, UserQuery } from './people-store.ts';
export type { FoundCandidate, ReceiptName } from './receipt-match-store.ts';
export type { RecordChanges, RecordsEdit, RecordsStore, RouteVersion } from './records-store.ts';

export interface AcceptItem {
  message: Message;
  /** Only the recipients that were accepted; may be empty (all refused), then nothing but the idempotency row is kept. */
  deliveries: NewDelivery[];
  /** Recipients that were not, as they are answered; kept when others were accepted. */
  refused?: readonly RefusedRecipient[];
  /** None of its deliveries is due before; for texts. */
  held?: HeldBack;
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
  | { kind: 'stored' }
  /** The idempotency key is known with the same body: nothing was stored, this is the first answer. */
  | { kind: 'replay'; answer: string }
  /** The idempotency key is known with another body: nothing was stored. */
  | { kind: 'conflict'; firstRequestId: string };

export interface ClaimRequest {
  lane: string;
  /** At most this many deliveries. */
  limit: number;
  now: EpochMs;
  /** Fencing token of the claiming node (see `Store.token`). */
  token: number;
}

export interface SweepRequest {
  now: EpochMs;
  /** At most this many rows per rule and call; call again while `more`. */
  limit: number;
  /** Accounts whose uncertain messages are held instead of sent again. */
  holdAccountIds: string[];
  /** Unmatched receipts older than this are let go, as are used-up idempotency rows. */
  unmatchedReceiptsBefore: EpochMs;
  /** Inbound parts that waited for their siblings since before this are delivered with a mark. */
  incompletePartsBefore: EpochMs;
}

export interface SweepResult {
  moves: MadeMove[];
  more: boolean;
}

export interface QueuedRow {
  messageId: string;
  from: string;
  to: string;
  messageType: 'SMS' | 'MMS';
  accountId: string;
}

export interface QueueCounts {
  lane: string;
  queued: number;
  oldestDueAt: EpochMs | null;
}

export interface InboundResult {
  /**
   * Per item the `messageId` of the reply it brought about: the text it completed, or an unfinished one whose place it
   * took. Null: the part is stored and its siblings are missing, or a part that already waits came again.
   */
  messageIds: (string | null)[];
  /** Contacts whose consent changed, for the list in memory. */
  consent: { scope: string; contact: string; to: 'out' | 'in' }[];
  /** Lanes in which a confirmation waits now. */
  lanes: string[];
}

/** Inbound messages are stored under the account that owns `to`; the flow says which, the store only writes. */
export interface InboundItem {
  part: InboundPart;
  accountId: string;
  /** Ids to use if this part completes a message. */
  messageId: string;
  requestId: string;
  /** Set when the whole text is a keyword (only texts in one part are). */
  consent: ConsentCommand | null;
}

/** What a keyword asks for, decided by the flow; whether it changes anything is decided in the transaction. */
export interface ConsentCommand {
  keyword: 'out' | 'in' | 'help';
  /** `campaign:ID` or `number:DIGITS` (toll-free numbers and short codes). */
  scope: string;
  /**
   * The confirmation, stored with the reply when one is due: after `out` when none was stored for this contact in the 24 h
   * before, after `in` when the contact was opted out, after `help` always; to what may be a redelivery, in no case twice
   * within 24 h. Null: the network or nobody answers.
   */
  confirmation: AcceptItem | null;
}

/** One entry of the list of those who want no messages. */
export interface OptOut {
  accountId: string;
  scope: string;
  /** The contact, digits. */
  contact: string;
  /** Since when; for one that is lifted, since when it is lifted. */
  at: EpochMs;
  how: 'keyword' | 'api' | 'import' | 'by hand' | 'carrier';
  /** Why a person or a program entered or lifted it; '' for keywords. */
  reason: string;
  /** The inbound message that proves it, or the sent message the carrier refused; null when there is none. */
  evidenceMessageId: string | null;
}

/** A change of the list that did not come by a keyword. */
export interface ConsentChange extends OptOut {
  to: 'out' | 'in';
}

export interface Store extends EventStore, ConsentStore, MediaStore, Seams {
  /** This node's fencing token: grows with each start on this store. Every state write carries it. */
  readonly token: number;
  readonly engine: 'sqlite' | 'postgres';
  /** `listener` is called after commits that may have left events in the log; one listener at a time. */
  onEvents(listener: () => void): void;

  /**
   * One message with its deliveries (states `accepted` then `queued`, an event each) and its idempotency row. An MMS gets a
   * media job, due at once; its deliveries are due when that is done.
   */
  accept(items: AcceptItem[]): Promise<AcceptResult[]>;
  /** Moves due deliveries of a lane from `queued` to `sending` with an event, oldest due first; skips those past validity. */
  claim(request: ClaimRequest): Promise<Claim[]>;
  /**
   * Moves `sending` deliveries on, writes their parts and events, and applies receipts that came early.
   * A settlement whose attempt or token is no longer current is ignored. Returns for each the states that its delivery came
   * to; none where it was ignored.
   */
  settle(settlements: Settlement[]): Promise<DeliveryState[][]>;
  /**
   * Matches receipts to parts by (carrier, id key, handset) and moves what they settle; keeps the unmatched.
   * Two candidates are no match. The same receipt twice makes one event. With an unknown id it may prove the one
   * uncertain or held delivery of this carrier to this handset, if there is exactly one, none is `sending`, and exactly one
   * of its parts has no id on record.
   */
  receipts(receipts: Receipt[]): Promise<MadeMove[]>;
  /**
   * Stores replies; re-assembles parts in any order. Nothing that could be a new text is dropped: a whole text that came
   * before within 24 h is stored again with `dupRisk`; only a part that still waits for its siblings is taken once.
   */
  inbound(items: InboundItem[]): Promise<InboundResult>;
  /** After a start: every delivery left in `sending` by an older token becomes `uncertain`, due at `dueAt`. Idempotent. */
  recover(request: { token: number; now: EpochMs; dueAt: EpochMs; limit: number }): Promise<MadeMove[]>;
  /**
   * Time's work: queued past validity → expired; uncertain past due → queued with dupRisk (same lane), held, or expired;
   * sent past the wait for a receipt → unconfirmed (`NO_RECEIPT`).
   */
  sweep(request: SweepRequest): Promise<SweepResult>;

  /** Waiting deliveries of a lane, oldest first, for moving them to another carrier. */
  queued(lane: string, limit: number): Promise<QueuedRow[]>;
  /** Puts queued deliveries into another lane (failover). Those no longer queued are left alone. */
  relane(moves: { messageId: string; lane: string }[], now: EpochMs): Promise<number>;
  queueCounts(): Promise<QueueCounts[]>;
  /** Lanes in which deliveries wait; one that has just been accepted may be missing for up to ten seconds. */
  queuedLanes(): Promise<string[]>;
  /** Earliest due time over queued and uncertain deliveries after `now`, to set a timer by. */
  nextDueAt(now: EpochMs): Promise<EpochMs | null>;
  /** A held or queued delivery, by a person: `queued` again (marked dupRisk) or `canceled`. False when nothing was moved. */
  decide(request: { accountId: string; messageId: string; to: 'queued' | 'canceled'; now: EpochMs }): Promise<boolean>;

  /** The stored answer of an idempotency key still kept, so that a repeat is answered whatever has changed since. */
  answerFor(
    accountId: string,
    key: string,
    now: EpochMs,
  ): Promise<{ bodyHash: string; answer: string; requestId: string } | null>;
  /** One message of the account, either direction; null when it is not there or not the account's. */
  message(accountId: string, messageId: string): Promise<MessageView | null>;
  /** Received or sent messages of an account: newest first, those before the message id `before`; or, with `after`, oldest first and after it. */
  messages(request: {
    accountId: string;
    direction: 'outbound' | 'inbound' | null;
    from: string | null;
    to: string | null;
    before: string | null;
    after?: string | null;
    limit: number;
  }): Promise<MessageView[]>;

  /** Receipts that match no part (yet), newest first; for the operator. They are kept until `sweep` lets them go. */
  unmatchedReceipts(limit: number): Promise<Receipt[]>;

  /** A small named value kept with the store (seed marks and the like). */
  getSetting(name: string): Promise<string | null>;
  putSetting(name: string, value: string): Promise<void>;

  /** True when the store can take a write now. */
  healthy(): Promise<boolean>;
  /** Waits for what is under way, then lets go of files, connections and the node lock. */
  close(): Promise<void>;
}

/** A webhook delivery that is to be attempted, with its event. */
export interface DueWebhook {
  delivery: WebhookDelivery;
  event: CustomerEvent;
}

/** How one attempt ended, and what becomes of its delivery. */
export interface AttemptOutcome {
  endpointId: string;
  position: number;
  attempt: Omit<WebhookAttempt, 'attempt'>;
  /**
   * `tries` of the delivery when the attempt began. When the store has fewer by now, the delivery was replayed meanwhile:
   * a failed attempt is noted and changes nothing else, so that all its tries are still ahead.
   */
  tries: number;
  to: WebhookState;
  /** For `waiting`: when the next attempt is due. */
  dueAt: EpochMs;
}

/** What an endpoint has been doing, kept over restarts. */
export interface EndpointHealth {
  endpointId: string;
  /** Since when there has been nothing but failure; null after a success or before the first attempt. */
  failingSince: EpochMs | null;
  lastSuccessAt: EpochMs | null;
}

/** An event about no message, or an example of any. Its place in the log and its timeline are the store's. */
export interface NewEvent {
  /** `evt_…` + 26 characters. */
  eventId: string;
  accountId: string;
  type: EventType;
  at: EpochMs;
  data: Record<string, unknown>;
}

/**
 * The outbox: the log of events, and who was told of them. Events of messages are written with the moves that cause them
 * (`makeMoves`) and with received texts; nobody else writes them.
 */
export interface EventStore {
  /**
   * Told (to someone) events after `after` in the order of the log, over all accounts; looks at no more than `limit` places.
   * `types`: only these, and whatever a carrier says of an opt-out; all when left out. `position` is how far it looked.
   */
  eventsAfter(request: { after: number; limit: number; types?: EventType[] | null }): Promise<{
    events: CustomerEvent[];
    position: number;
  }>;
  /**
   * Events of one account after a position, oldest first. Looks at a bounded number of rows: a page may hold fewer than
   * `limit` (even none) while `more` is true; go on from `position`.
   */
  accountEvents(request: {
    accountId: string;
    after: number;
    types: EventType[] | null;
    limit: number;
  }): Promise<{ events: CustomerEvent[]; position: number; more: boolean }>;
  /** The place of an event of this account; null when it has none such. The newest place of all for `latest`. */
  eventPosition(request: { accountId: string; eventId: string | 'latest' }): Promise<number | null>;
  /** Stores events about no message. */
  addEvents(events: NewEvent[]): Promise<void>;

  /** How far the log has been given out to endpoints. */
  fannedOut(): Promise<number>;
  /**
   * Gives out the log from `from` to `to`: stores a `waiting` delivery for each (endpoint, event), and moves the mark, in one
   * commit. False, and nothing is stored, when the mark is not at `from`. `at` is when the event happened: the delivery's
   * `createdAt` and first `dueAt`, so that what has waited longest goes first.
   */
  fanOut(request: {
    from: number;
    to: number;
    deliveries: {
      endpointId: string;
      accountId: string;
      position: number;
      eventId: string;
      type: EventType;
      at: EpochMs;
    }[];
  }): Promise<boolean>;
  /** Waiting deliveries of an endpoint that are due, earliest due first. */
  dueWebhooks(request: { endpointId: string; now: EpochMs; limit: number }): Promise<DueWebhook[]>;
  /** Per endpoint with waiting deliveries: how many there are (exact up to 10,000, then 10,000) and when the earliest is due. */
  webhookQueues(): Promise<{ endpointId: string; waiting: number; dueAt: EpochMs }[]>;
  /**
   * Writes attempts and moves their deliveries; health of the endpoints concerned goes with them. A delivery that is gone
   * gets none; one that waits no more is not moved.
   */
  recordAttempts(request: { outcomes: AttemptOutcome[]; health: EndpointHealth[] }): Promise<void>;
  endpointHealth(): Promise<EndpointHealth[]>;
  /** Puts deliveries back to `waiting`, due now, with all their tries ahead. Returns how many, and the last one's position. */
  replayWebhooks(request: {
    accountId: string;
    endpointId: string;
    /** One delivery, or all whose event happened in `since`…`until` (at most 10,000 a call; call again while it returns that many). */
    which: { position: number } | { since: EpochMs; until: EpochMs; after: number; failedOnly?: boolean };
    now: EpochMs;
    /** Says how many there would be, and changes nothing. */
    countOnly?: boolean;
  }): Promise<{ replayed: number; position: number }>;
  /** Deliveries of one account's endpoint or of all its endpoints, newest event first. */
  webhookDeliveries(request: {
    accountId: string;
    endpointIds: string[];
    state: WebhookState | null;
    /** Only events before this position; null = from the newest. */
    before: number | null;
    limit: number;
  }): Promise<WebhookDelivery[]>;
  /** With its newest 100 attempts, oldest first. */
  webhookDelivery(request: {
    accountId: string;
    endpointId: string;
    position: number;
  }): Promise<{ delivery: WebhookDelivery; event: CustomerEvent; attempts: WebhookAttempt[] } | null>;
  /**
   * Lets go of deliveries to which nothing has happened since `before`: a waiting one becomes `failed`, the others are
   * deleted with their attempts. At most `limit` a call; true while there is more.
   */
  forgetWebhooks(request: { before: EpochMs; limit: number }): Promise<boolean>;
}

/** The media of one accepted request that are still to be prepared. Until then its deliveries are queued and not due. */
export interface MediaJob {
  requestId: string;
  accountId: string;
  mediaUrls: string[];
  /** Carriers its queued deliveries wait for, each once; none when all were canceled or expired. */
  lanes: string[];
  /** When the last of its deliveries expires. */
  expiresAt: EpochMs;
  /** How often it was put off. */
  tries: number;
}

/** What came of preparing the media of a request. */
export interface MediaPreparation {
  requestId: string;
  now: EpochMs;
  outcome: /** Written with the message; its queued deliveries are due now. */
    | { to: 'queued'; media: PreparedMedia }
    /** Its queued deliveries are `failed`, with an event each. */
    | { to: 'failed'; code: string; detail: string }
    /** Looked at again at `dueAt`; nothing else changes. */
    | { to: 'later'; dueAt: EpochMs };
}

/** A medium the world may fetch from us under a signed URL: what a handset sent, or what a customer uploaded. */
export interface MediaLink {
  /** `med_` + 26 characters. */
  mediaId: string;
  accountId: string;
  medium: StoredMedium;
  /** For the last part of the URL: a-z 0-9 . _ - only. */
  fileName: string;
  createdAt: EpochMs;
  /** From then on the URL is dead and the medium may be let go. */
  expiresAt: EpochMs;
}

/** A multimedia message for one of our numbers; its media are in the media store already. */
export interface InboundMmsItem {
  carrier: string;
  /** With carrier and recipient it tells a redelivery; '' = cannot be told. */
  peerMessageId: string;
  accountId: string;
  messageId: string;
  requestId: string;
  from: string;
  to: string;
  text: string;
  links: MediaLink[];
  /** The signed URLs of `links`, in their order. */
  mediaUrls: string[];
  receivedAt: EpochMs;
  /** Set when the text is a keyword. */
  consent: ConsentCommand | null;
}

/** Media of messages: what is to be prepared, what was, and who may fetch what. The bytes are in the media store. */
export interface MediaStore {
  /**
   * Requests whose media are due to be prepared, in turns: of each account its earliest, then of each its second, and so on.
   * Within a turn the accounts of `served` come last, in their order; the others by due time.
   */
  mediaJobs(request: { now: EpochMs; limit: number; served?: readonly string[] }): Promise<MediaJob[]>;
  /** When the next job is due; null when there is none. */
  nextMediaJobAt(): Promise<EpochMs | null>;
  /** Per item the lanes in which deliveries are due now. A request that has no job any more changes nothing. */
  prepareMedia(items: MediaPreparation[]): Promise<string[][]>;
  /**
   * Stores messages in state `received` with their links, and does what keywords ask. One that came before (same carrier,
   * peer's id and recipient) changes nothing and gives the `messageId` it was stored under.
   */
  inboundMms(items: InboundMmsItem[]): Promise<InboundResult>;
  addMediaLinks(links: MediaLink[]): Promise<void>;
  /** Null when it is not there. */
  mediaLink(mediaId: string): Promise<MediaLink | null>;
  /** Those of the hashes that a message not older than `keptSince`, one that is not final, or a live link needs. */
  neededMedia(request: { hashes: string[]; now: EpochMs; keptSince: EpochMs }): Promise<string[]>;
  /** Lets go of expired links and of the media lists of final messages accepted before `keptSince`; true while there is more. */
  forgetMedia(request: { now: EpochMs; keptSince: EpochMs; limit: number }): Promise<boolean>;
}

/** Who wants no messages, and why we believe it. */
export interface ConsentStore {
  /** Contacts that are opted out, for the list in memory; `after` is the last entry of the page before. */
  optOutPage(request: {
    after: { scope: string; contact: string } | null;
    limit: number;
  }): Promise<{ scope: string; contact: string }[]>;
  /** Contacts of an account that are opted out, by contact and scope, with their proof; `after` is the last entry of the page before. */
  optOuts(request: {
    accountId: string;
    scope: string | null;
    contact: string | null;
    after: { scope: string; contact: string } | null;
    limit: number;
  }): Promise<OptOut[]>;
  /**
   * Enters or lifts; one event (`contact.opted_out`, `contact.opted_in`) for each that changed, in the same commit.
   * `eventIds`: one to use per change. True per change that changed something. That the scope is the account's is for the
   * caller to know.
   */
  changeConsent(request: { changes: ConsentChange[]; eventIds: string[] }): Promise<boolean[]>;
}

/**
 * Nothing is known to be stored and the caller may try again: disk full, lock held elsewhere too long, database down.
 * After `down` it may have been stored all the same (the answer to the commit was lost): every writing method may be
 * called again with the same items, `accept` with an idempotency key.
 */
export class StoreUnavailable extends Error {
  readonly reason: 'full' | 'busy' | 'down';
  constructor(kind: 'full' | 'busy' | 'down', message: string) {
    super(message);
    this.name = 'StoreUnavailable';
    this.reason = kind;
  }
}

/** The store must not be used (weak durability setting, second node, newer schema): say so and end with exit code 78. */
export class StoreRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'StoreRefused';
  }
}

/** The disk failed under a commit. The process must end at once: nothing may be answered after this (never retry fsync). */
export class StoreBroken extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'StoreBroken';
  }
}
