/**
 * What the engines need from the messaging code, which alone knows messages: which writes memory and journal can
 * handle, how to recover a dead node's journal, and how to return claims whose callers are gone.
 */
import type { EpochMs } from '../kernel/clock.ts';
import type { WriteCall } from './catalogue.ts';
import type { Newest, WriteContext } from './context.ts';
import type { Operation } from './query.ts';
import type { SqliteConnection } from './sqlite-connection.ts';

/** Rows written to the database in one step: about 10 ms, during which no other request is served. */
export const stepRows = 512;
/** The most rows in memory: about 100 MB. */
export const rowsMax = 65_536;
/** The longest a row stays in memory, however busy the writer is. */
export const ageMaxMs = 10_000;
/** Rows in memory from which on every group writes rows that have ended: about 75 MB. */
export const rowsMany = 49_152;

/** A group whose items are split between memory and the database. */
export interface Sorted<K = unknown> {
  /** By call, the indices of the items that go to the database. */
  places: number[][];
  /** Buffered units that these items concern: the same transaction writes them to the database. */
  evicted: ReadonlySet<K>;
  /** Upper bound of the journal frame's size. */
  bytesMax: number;
}

/** Rows in journal and memory that the database lacks. `K` is the unit that is moved to the database. */
export interface WriteBuffer<K = unknown> {
  readonly rows: number;
  /** Rows of the units with nothing under way. */
  readonly endedRows: number;
  /** Whether these calls concern units that it can name, and few. If not, everything is better moved step by step first. */
  concernFew(calls: readonly WriteCall[]): boolean;
  /** Null when the whole group must go to the database, together with everything in the buffer. */
  sort(calls: readonly WriteCall[], at: SortContext): Operation<Sorted<K> | null>;
  /**
   * Applies in memory the items that did not need the database, and adds their results to those of the database.
   * Returns the text of the frame that must be in the journal before any caller is answered; null when memory has not
   * changed. `frame`: its number.
   */
  take(calls: readonly WriteCall[], sorted: Sorted<K>, results: unknown[][], frame?: number): string | null;
  /** Undoes the last `take`: its frame is not in the journal. */
  revert(): void;
  /** The frame that accepted the oldest unit; infinite when there is none. */
  oldestFrame(): number;
  all(): K[];
  /** The oldest units, together about this many rows: only those with nothing under way, or any. */
  oldest(rows: number, which: 'ended' | 'any'): K[];
  /** Whether none of these units has anything under way. */
  haveEnded(kept: readonly K[]): boolean;
  /** When the oldest unit was added; infinite when there is none. */
  oldestAt(): EpochMs;
  /** Writes these units to the database in their current state. */
  keep(kept: readonly K[], context: WriteContext): Operation<void>;
  /** Announces that these units will be flushed in the background. */
  leaving(kept: Iterable<K>): void;
  /** Removes these units from memory: the database has them now. */
  drop(kept: readonly K[]): void;
  /** Undoes a drop. */
  restore(dropped: readonly K[]): void;
  /** Forgets what the buffer knows of the database's contents, because any write may follow. */
  forgetDatabase(): void;
}

/** What the group's transaction found at its beginning. */
export interface SortContext {
  now: EpochMs;
  /** Absent when no other process writes messages. */
  newest?: Newest | undefined;
}

/** What a start recovered from the journal because the database did not have it. */
export interface BroughtIn {
  frames: number;
  requests: number;
  /** Deliveries. */
  messages: number;
  /** The last frame was half written; no caller was answered for it. */
  torn: boolean;
}

/** What SQLite's thread gets. */
export interface JournalHook {
  openBuffer(token: number): WriteBuffer;
  /**
   * Null when there was nothing. Throws StoreDamaged, without changing anything, when the journal is not as its node
   * left it.
   */
  recover(connection: SqliteConnection, journalPath: string, now: EpochMs): BroughtIn | null;
}

/** What the writer of a PostgreSQL store with a single node gets. */
export interface PostgresJournalHook {
  openBuffer(token: number): WriteBuffer;
  /** Stores what these frames, oldest first, have and the database lacks. */
  bringIn(frames: readonly string[], context: WriteContext): Operation<Pick<BroughtIn, 'requests' | 'messages'>>;
}

/**
 * For PostgreSQL, where the answer to a commit may be lost. `H`: a claim that a commit hands to its caller for sending.
 */
export interface HandOutHook<H = unknown> {
  handedOut(calls: readonly WriteCall[], results: readonly unknown[][]): H[];
  /** Does nothing for items that were not committed. */
  giveBack(handed: readonly H[], now: EpochMs): WriteCall;
}
