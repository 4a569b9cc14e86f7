/**
 * The seam's part for retention: letting go of texts and of whole messages by their age, and of everything that went
 * between an account and one number. In bounded steps; a kill between two of them loses nothing but time.
 */
import type { EpochMs } from '../domain/clock.ts';
import type { RetentionCut } from '../domain/retention.ts';

/** A number whose messages are to go. */
export interface Erasure {
  /** `era_` + 26 characters. */
  erasureId: string;
  accountId: string;
  /** E.164 digits; masked when it is done. */
  peer: string;
  requestedAt: EpochMs;
  /** For people: an e-mail address. */
  requestedBy: string;
  /** Messages that went so far. */
  deleted: number;
  /** Messages that were not final, or so a moment ago: they stay. */
  leftOver: number;
  doneAt: EpochMs | null;
}

export interface RetentionStore {
  /**
   * Empties the texts and media lists of an account's old messages, then deletes its oldest messages with their timelines.
   * Looks at no more than `limit` messages of each sort, and takes requests whole: a text goes when none of the request's
   * messages may yet be sent. Of deleted messages `endpointIds` are told nothing more. `cursor` is what the step before gave, null for the first; null comes back after the last.
   */
  forgetMessages(
    request: RetentionCut & { endpointIds: string[]; now: EpochMs; limit: number; cursor: string | null },
  ): Promise<{
    emptied: number;
    deleted: number;
    cursor: string | null;
  }>;
  /** Deletes events about no message that happened before `before`, whosever they are; true while there is more. */
  forgetEvents(request: { before: EpochMs; limit: number }): Promise<boolean>;
  addErasure(erasure: Pick<Erasure, 'erasureId' | 'accountId' | 'peer' | 'requestedAt' | 'requestedBy'>): Promise<void>;
  /** Of one account, newest first; or those of all accounts that are not done, oldest first. */
  erasures(request: { accountId: string | null; limit: number }): Promise<Erasure[]>;
  /**
   * One step of an erasure: deletes final messages to and from its number, with what is still to be told of them to
   * `endpointIds`. Messages changed after `settledBefore` stay. True while there is more.
   */
  erase(request: {
    erasureId: string;
    endpointIds: string[];
    settledBefore: EpochMs;
    now: EpochMs;
    limit: number;
  }): Promise<boolean>;
}
