/**
 * The seam of the memory: everything the flow and the doors need from a store, named for the need, batch in and batch
 * out. Two engines stand behind it (SQLite, PostgreSQL) and run the same operations. No engine detail may leak from here.
 *
 * Every writing method resolves only after its transaction is on disk. Calls made in the same moment share one
 * transaction (group commit) and run in this order inside it: accept, inbound, settle, receipts, recover, sweep, claim.
 */
import type { EpochMs } from '../domain/clock.ts';
import type { Claim, InboundPart, Message, MessageView, NewDelivery, Receipt, Settlement } from '../domain/delivery.ts';
import type { DeliveryState } from '../domain/lifecycle.ts';
import type { Records } from '../domain/records.ts';

export interface AcceptItem {
  message: Message;
  /** Only the recipients that were accepted; may be empty (all refused), then nothing but the idempotency row is kept. */
  deliveries: NewDelivery[];
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

/** A move that was made, for whoever counts or tells of it. */
export interface MadeMove {
  messageId: string;
  accountId: string;
  state: DeliveryState;
  code: string | null;
  carrier: string | null;
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
}

/** Inbound messages are stored under the account that owns `to`; the flow says which, the store only writes. */
export interface InboundItem {
  part: InboundPart;
  accountId: string;
  /** Ids to use if this part completes a message. */
  messageId: string;
  requestId: string;
}

export interface Store {
  /** This node's fencing token: grows with each start on this store. Every state write carries it. */
  readonly token: number;
  readonly engine: 'sqlite' | 'postgres';

  /** One message with its deliveries (states `accepted` then `queued`, an event each) and its idempotency row. */
  accept(items: AcceptItem[]): Promise<AcceptResult[]>;
  /** Moves due deliveries of a lane from `queued` to `sending` with an event, oldest due first; skips those past validity. */
  claim(request: ClaimRequest): Promise<Claim[]>;
  /**
   * Moves `sending` deliveries on, writes their parts and events, and applies receipts that came early.
   * A settlement whose attempt or token is no longer current is ignored. Returns the moves that were made.
   */
  settle(settlements: Settlement[]): Promise<MadeMove[]>;
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
  /** Received or sent messages of an account, newest first; `before` is a message id. */
  messages(request: {
    accountId: string;
    direction: 'outbound' | 'inbound' | null;
    from: string | null;
    to: string | null;
    before: string | null;
    limit: number;
  }): Promise<MessageView[]>;

  /** Receipts that match no part (yet), newest first; for the operator. They are kept until `sweep` lets them go. */
  unmatchedReceipts(limit: number): Promise<Receipt[]>;

  /** All records with their version. */
  records(): Promise<Records>;
  /** Version alone: cheap, polled to notice edits by another process. */
  recordsVersion(): Promise<number>;
  /** Writes records (insert or replace by key) in one transaction and raises the version; returns it. */
  putRecords(changes: Omit<Records, 'version'>): Promise<number>;

  /** A small named value kept with the store (seed marks and the like). */
  getSetting(name: string): Promise<string | null>;
  putSetting(name: string, value: string): Promise<void>;

  /** True when the store can take a write now. */
  healthy(): Promise<boolean>;
  /** Waits for what is under way, then lets go of files, connections and the node lock. */
  close(): Promise<void>;
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
