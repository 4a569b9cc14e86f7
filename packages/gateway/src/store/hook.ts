/**
 * What the engines need from messaging, which alone knows messages: which writes memory and journal can answer, what a
 * dead node's journal holds, and what to return when the callers of a commit are gone.
 */
import type { EpochMs } from '../kernel/clock.ts';
import type { WriteCall } from './catalogue.ts';
import type { WriteContext } from './context.ts';
import type { Operation } from './query.ts';
import type { SqliteConnection } from './sqlite-connection.ts';

/** Rows written to the database in one step: about 10 ms in which no other request is served. */
export const stepRows = 512;

/** A group whose items have been told apart. */
export interface Sorted<K = unknown> {
  /** By call, the places of the items that the database has to take. */
  places: number[][];
  /** What these are about and the database does not have yet: it goes there with them. */
  evicted: ReadonlySet<K>;
  /** No more bytes has the frame of the journal. */
  bytesMax: number;
}

/** Rows in journal and memory that the database lacks. `K` is the unit that moves to it. */
export interface WriteBuffer<K = unknown> {
  readonly rows: number;
  /** Null when all of the group has to go to the database, with everything that is here. */
  sort(calls: readonly WriteCall[], now: EpochMs): Sorted<K> | null;
  /**
   * Does in memory what the database had not to do, and puts its results beside those of the database. The text of the frame
   * that must be in the journal before anybody is answered; null when nothing has changed here.
   */
  take(calls: readonly WriteCall[], sorted: Sorted<K>, results: unknown[][]): string | null;
  all(): K[];
  /** The oldest, with about so many rows together: those that nothing is under way for, or any. */
  oldest(rows: number, which: 'ended' | 'any'): K[];
  /** When the oldest came; infinite when there is none. */
  oldestAt(): EpochMs;
  /** Stores them in the database as far as they have come. */
  keep(kept: readonly K[], context: WriteContext): Operation<void>;
  /** They are about to be flushed in the background. */
  leaving(kept: readonly K[]): void;
  /** They stand in the database now. */
  drop(kept: readonly K[]): void;
  /** The database is about to take anything: what was known of it holds no more. */
  forgetDatabase(): void;
}

/** What a start found in the journal and the database did not have. */
export interface BroughtIn {
  frames: number;
  requests: number;
  /** Deliveries. */
  messages: number;
  /** The last frame was half written: nobody was answered for it. */
  torn: boolean;
}

/** For SQLite, whose thread is given it. */
export interface JournalHook {
  openBuffer(connection: Pick<SqliteConnection, 'read'>, token: number): WriteBuffer;
  /** Null when there was nothing. Throws StoreDamaged, and changes nothing, when the journal is not as its node left it. */
  recover(connection: SqliteConnection, journalPath: string, now: EpochMs): BroughtIn | null;
}

/** For PostgreSQL, which may lose the answer to a commit. `H` is what a caller was to get to work on. */
export interface HandOutHook<H = unknown> {
  handedOut(calls: readonly WriteCall[], results: readonly unknown[][]): H[];
  /** Without effect for what was not committed. */
  giveBack(handed: readonly H[], now: EpochMs): WriteCall;
}
