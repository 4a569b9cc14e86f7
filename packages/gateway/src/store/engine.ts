/**
 * The interface of an engine: transactions of groups, reads, close. It runs the operations of the catalogue that it is
 * opened with.
 */
import type { WriteCall } from './catalogue.ts';
import type { Newest } from './context.ts';
import type { EngineKind } from './module.ts';
import type { MessagePartitions } from './postgres-message-partitions.ts';
import type { LogPartitions } from './postgres-partitions.ts';

/** The commit was sent and its answer was lost. Another group may follow at once. */
export class CommitInDoubt extends Error {
  /**
   * Resolves with the results once the commit is known to be stored. Rejects like `commit`, and with `inDoubt` when
   * this could not be learned in time.
   */
  readonly outcome: Promise<unknown[][]>;
  constructor(outcome: Promise<unknown[][]>) {
    super('the answer to a commit never came');
    this.name = 'CommitInDoubt';
    this.outcome = outcome;
  }
}

/** The role of this node among those of its store. */
export interface NodePlace {
  /** Whether there can be other nodes. */
  readonly isShared: boolean;
  /**
   * Whether this node is the acting one, which alone hands messages to carriers and does what only one node may do. A
   * node acts until its process ends.
   */
  acts(): boolean;
  /** Resolves once this node acts; with several nodes it may never do so. */
  readonly acting: Promise<void>;
  /** The number of live nodes, including this one. */
  nodes(): number;
}

/** Notifies other nodes that there is something to do. They also look by themselves, so a hint may be lost. */
export interface Hints {
  /** Cheap enough to call at any rate. */
  notify(name: string): void;
  /** The listener gets the notifications of other nodes; one listener at a time. */
  onNotified(listener: (name: string) => void): void;
}

/** The role of the only node. */
export const onlyNode: NodePlace = { isShared: false, acts: () => true, acting: Promise.resolve(), nodes: () => 1 };

export interface Engine {
  readonly kind: EngineKind;
  /** Fencing token of this start; 0 for a tool. */
  readonly token: number;
  /** How many transactions the engine takes now; it runs them in order, unless one waits for something else. */
  ahead(): number;
  /** A group of this many rows starts without waiting for the running group or for the end of the event loop's turn. */
  readonly enoughRows: number;
  /**
   * A call that has not started within this time is rejected as `busy`, ms; absent = the engine limits the wait itself.
   */
  readonly waitMsMax?: number;
  /** The versions that this node's last transaction found; null when no other process writes messages. */
  newest(): Newest | null;
  /**
   * False while another node may have taken over: this node must hand nothing to a carrier. Always true without a
   * second node.
   */
  mayHandOver(): boolean;
  /** How much longer it may hand over without a renewed lease, ms, never below 0; null without a lease. */
  leaseLeftMs(): number | null;
  readonly place: NodePlace;
  /** Hints between several nodes; absent when there is only one. */
  readonly hints?: Hints;
  /** Null when the event log is one table. */
  readonly logPartitions: LogPartitions | null;
  /** Null when messages are in one table. */
  readonly messagePartitions: MessagePartitions | null;
  /**
   * Runs the calls in one transaction and resolves when it is on disk, with the results per call. Rejects with
   * StoreUnavailable (nothing stored, try later), CommitInDoubt, StoreBroken (end the process now) or any other error
   * (one of the calls is at fault; nothing stored).
   */
  commit(calls: readonly WriteCall[]): Promise<unknown[][]>;
  /** Runs a read by its name. It waits for the writer only where the journal has what it must see. */
  lookUp(name: string, params: readonly unknown[]): Promise<unknown>;
  close(): Promise<void>;
}
