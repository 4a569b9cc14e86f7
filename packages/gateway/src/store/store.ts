/**
 * The seam of the memory: everything the flow and the doors need from a store, named for the need, batch in and batch
 * out. Two engines stand behind it (SQLite, PostgreSQL) and run the same operations. No engine detail may leak from here.
 *
 * Every writing method resolves only after its transaction is on disk. Calls made in the same moment share one
 * transaction (group commit) and run in this order inside it: accept, what gathers conversations, inbound texts and MMS,
 * settle, receipts, recover, sweep, what people and the outbox write, links and prepared media, claim.
 */
import type { ThreadStore } from './modules/conversations.ts';
import type { MediaStore } from './modules/media.ts';
import type { MessageLogStore, NumberTrafficStore } from './modules/message-log.ts';
import type { MessageStore } from './modules/messages.ts';
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
export type { MediaJob, MediaLink, MediaPreparation } from './media-items.ts';
export type { MediaStore } from './modules/media.ts';
export type { ConsentStore, PeopleStore } from './modules/people.ts';
export type { RecordsStore } from './modules/records.ts';
export type { EventStore } from './modules/webhooks.ts';
export type { PeopleChange, PeopleRule, PeopleWrite, UserQuery } from './people-items.ts';
export type { FoundCandidate, ReceiptName } from './receipt-match-items.ts';
export type { RecordChanges, RecordsEdit, RouteVersion } from './records-items.ts';
export type { Transition } from './transition.ts';

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
    MessageStore,
    RequestLogStore,
    ThreadStore,
    SystemStore,
    DemoStore {
  /** This node's fencing token: grows with each start on this store. Every state write carries it. */
  readonly token: number;
  readonly engine: 'sqlite' | 'postgres';
  /** `listener` is called after commits that may have left events in the log; one listener at a time. */
  onEvents(listener: () => void): void;

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
