/**
 * The interface of an engine: transactions of groups, reads, close. It runs the operations of the catalogue that it is
 * opened with.
 */
import type { WriteCall } from './catalogue.ts';
import type { Newest } from './context.ts';
import type { EngineKind } from './module.ts';
import type { LogPartitions } from './postgres-partitions.ts';

/** The commit was sent and its answer never came. Another group may follow at once. */
export class CommitInDoubt extends Error {
  /**
   * The results once the commit is known to be stored; rejects as `commit` does, and with `inDoubt` when it could not
   * be learned in time.
   */
  readonly outcome: Promise<unknown[][]>;
  constructor(outcome: Promise<unknown[][]>) {
    super('the answer to a commit never came');
    this.name = 'CommitInDoubt';
    this.outcome = outcome;
  }
}

/** Where this node stands among those of its store. */
export interface NodePlace {
  /** Whether there may be other nodes. */
  readonly isShared: boolean;
  /** Whether it is the one that hands messages to carriers and does what only one may do. Never ends while it lives. */
  acts(): boolean;
  /** Resolves once it acts; of several nodes perhaps never. */
  readonly acting: Promise<void>;
  /** Nodes that live now, this one included. */
  nodes(): number;
}

/** Notifies other nodes that they should look at something now. They look by themselves too, so that a hint may be lost. */
export interface Hints {
  /** Cheap; call it as often as you like. */
  notify(name: string): void;
  /** One listener at a time gets the notifications of other nodes. */
  onNotified(listener: (name: string) => void): void;
}

/** Of a store that has one node. */
export const onlyNode: NodePlace = { isShared: false, acts: () => true, acting: Promise.resolve(), nodes: () => 1 };

export interface Engine {
  readonly kind: EngineKind;
  /** Fencing token of this start; 0 for a tool. */
  readonly token: number;
  /** How many transactions it queues; it runs them in order. */
  readonly ahead: number;
  /** A group of this many rows starts without waiting for the running one, or for the end of the turn. */
  readonly enoughRows: number;
  /** A call not begun within this time is rejected as `busy`, ms; absent = the engine itself bounds the wait. */
  readonly waitMsMax?: number;
  /** What this node's last transaction found; null where no other process writes messages. */
  newest(): Newest | null;
  /**
   * False while another node may have taken over: nothing may leave for a carrier. Always true without a second node.
   */
  mayHandOver(): boolean;
  /** How much longer it may, unless the lease is renewed, ms, never below 0; null without a lease. */
  leaseLeftMs(): number | null;
  readonly place: NodePlace;
  /** Between several nodes; left out where there is one. */
  readonly hints?: Hints;
  /** Null where the event log is one table. */
  readonly logPartitions: LogPartitions | null;
  /**
   * Runs the calls in one transaction and resolves when it is on disk, with the results per call.
   * Rejects with StoreUnavailable (nothing stored, try later), CommitInDoubt, StoreBroken (end now) or any other error (one
   * of the calls is at fault; nothing stored).
   */
  commit(calls: readonly WriteCall[]): Promise<unknown[][]>;
  /** Answers a read by its name; it changes nothing and never waits for the writer. */
  lookUp(name: string, params: readonly unknown[]): Promise<unknown>;
  close(): Promise<void>;
}
