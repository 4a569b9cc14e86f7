/**
 * The seam of the memory: everything the flow and the doors need from a store, named for the need, batch in and batch
 * out. Two engines stand behind it (SQLite, PostgreSQL) and run the same operations. No engine detail may leak from here.
 *
 * Every writing method resolves only after its transaction is on disk. Calls made in the same moment share one
 * transaction (group commit) and run in this order inside it: accept, what gathers conversations, inbound texts and MMS,
 * settle, receipts, recover, sweep, what people and the outbox write, links and prepared media, claim.
 */
import type { EpochMs } from '../domain/clock.ts';
import type { Claim, Decision, MessageView, Receipt, Settlement } from '../domain/delivery.ts';
import type { DeliveryState } from '../domain/lifecycle.ts';
import type {
  AcceptItem,
  AcceptResult,
  ClaimRequest,
  InboundItem,
  InboundResult,
  MessagesQuery,
  QueueCounts,
  QueuedRow,
  SweepRequest,
  SweepResult,
} from './items.ts';
import type { MadeMove } from './made-move.ts';
import type { ThreadStore } from './modules/conversations.ts';
import type { MediaStore } from './modules/media.ts';
import type { MessageLogStore, NumberTrafficStore } from './modules/message-log.ts';
import type { ReceiptMatchStore } from './modules/messages.ts';
import type { PacingStore } from './modules/pacing.ts';
import type { ConsentStore, PeopleStore } from './modules/people.ts';
import type { RecordsStore, SystemStore } from './modules/records.ts';
import type { DemoStore, RetentionStore } from './modules/retention.ts';
import type { RequestLogStore, UsageStore } from './modules/usage.ts';
import type { EventStore } from './modules/webhooks.ts';

export type {
  AcceptItem,
  AcceptResult,
  AttemptOutcome,
  ClaimRequest,
  ConsentChange,
  ConsentCommand,
  DueWebhook,
  EndpointHealth,
  InboundItem,
  InboundMmsItem,
  InboundResult,
  NewEvent,
  OptOut,
  QueueCounts,
  QueuedRow,
  SweepRequest,
  SweepResult,
} from './items.ts';
export type { MadeMove } from './made-move.ts';
export type { MediaJob, MediaLink, MediaPreparation } from './media-items.ts';
export type { MediaStore } from './modules/media.ts';
export type { ConsentStore, PeopleStore } from './modules/people.ts';
export type { RecordsStore } from './modules/records.ts';
export type { EventStore } from './modules/webhooks.ts';
export type { PeopleChange, PeopleRule, PeopleWrite, UserQuery } from './people-items.ts';
export type { FoundCandidate, ReceiptName } from './receipt-match-items.ts';
export type { RecordChanges, RecordsEdit, RouteVersion } from './records-items.ts';

export interface Store
  extends EventStore,
    ConsentStore,
    MediaStore,
    PeopleStore,
    RecordsStore,
    RetentionStore,
    UsageStore,
    MessageLogStore,
    NumberTrafficStore,
    PacingStore,
    ReceiptMatchStore,
    RequestLogStore,
    ThreadStore,
    SystemStore,
    DemoStore {
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
  /**
   * After a start: every delivery left in `sending` by an older token becomes `uncertain` (cause `broken`), due at `dueAt`,
   * or later when it was repeated before. Idempotent.
   */
  recover(request: { token: number; now: EpochMs; dueAt: EpochMs; limit: number }): Promise<MadeMove[]>;
  /**
   * Time's work: queued past validity → expired, or unconfirmed (`UNCERTAIN`) when it is a repeat; uncertain past due →
   * queued with dupRisk (same lane) while repeats are left, held where none is allowed, unconfirmed (`UNCERTAIN`) when its
   * validity is over; sent past the wait for a receipt → unconfirmed (`NO_RECEIPT`).
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
  /** Moves a held or queued delivery: `queued` again (marked dupRisk) or `canceled`. False when nothing was moved. */
  decide(request: Decision): Promise<boolean>;

  /** The stored answer of an idempotency key still kept, so that a repeat is answered whatever has changed since. */
  answerFor(
    accountId: string,
    key: string,
    now: EpochMs,
  ): Promise<{ bodyHash: string; answer: string; requestId: string } | null>;
  /** One message of the account, either direction; null when it is not there or not the account's. */
  message(accountId: string, messageId: string): Promise<MessageView | null>;
  /** Received or sent messages of an account: newest first, those before the message id `before`; or, with `after`, oldest first and after it. */
  messages(request: MessagesQuery): Promise<MessageView[]>;

  /** Receipts that match no part (yet), newest first; for the operator. They are kept until `sweep` lets them go. */
  unmatchedReceipts(limit: number): Promise<Receipt[]>;
  /** Waits for what is under way, then lets go of files, connections and the node lock. */
  close(): Promise<void>;
}

/** Try again later: any write may come again, `accept` with an idempotency key. Nothing is stored, unless `inDoubt`: nobody knows. */
export class StoreUnavailable extends Error {
  readonly reason: 'full' | 'busy' | 'down';
  readonly inDoubt: boolean;
  constructor(kind: 'full' | 'busy' | 'down', message: string, { inDoubt = false } = {}) {
    super(message);
    this.name = 'StoreUnavailable';
    this.reason = kind;
    this.inDoubt = inDoubt;
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
