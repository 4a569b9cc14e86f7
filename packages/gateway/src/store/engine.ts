/**
 * The interface of an engine: transactions of groups, reads, close. What may reach the database is the catalogue that
 * it is opened with.
 */
import type { WriteCall } from './catalogue.ts';
import type { EngineKind } from './module.ts';

/** The commit was sent and its answer never came. Another group may follow at once. */
export class CommitInDoubt extends Error {
  /** The results once it is known to be stored; rejects as `commit` does, and with `inDoubt` when nobody could learn it in time. */
  readonly outcome: Promise<unknown[][]>;
  constructor(outcome: Promise<unknown[][]>) {
    super('the answer to a commit never came');
    this.name = 'CommitInDoubt';
    this.outcome = outcome;
  }
}

export interface Engine {
  readonly kind: EngineKind;
  /** Fencing token of this start; 0 for a tool. */
  readonly token: number;
  /** Transactions it takes before the first is done; it works them off in their order. */
  readonly ahead: number;
  /** So many rows are worth a group while another one runs, or before the turn of the event loop is over. */
  readonly enoughRows: number;
  /** A call that was not begun within this is rejected as `busy`, ms; absent = the engine itself never leaves one waiting long. */
  readonly waitMsMax?: number;
  /** False while another node may have taken over: nothing may leave for a carrier. Always true where there is one node. */
  mayHandOver(): boolean;
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
