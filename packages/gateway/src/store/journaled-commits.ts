/**
 * The commits of a PostgreSQL node with a journal, and the moves of its memory to the database: one transaction after the
 * other. What needs everything in the database waits while memory moves there step by step; other groups go on in between.
 */
import type { Clock, Timers } from '../kernel/clock.ts';
import type { WriteCall } from './catalogue.ts';
import { StoreUnavailable } from './faults.ts';
import type { PostgresJournal } from './postgres-journal.ts';
import type { PostgresWriter } from './postgres-writer.ts';

/** After a pause of this length memory goes to the database. */
const quietMs = 1_000;
/** Up to this many rows move in the transaction that needs them in the database. */
const restRows = 1_024;
/** After this many steps that transaction begins, whatever is still in memory. */
const stepsMax = 200;
/** A stop leaves the rest to the next start, which finds it in the journal. */
const stopMs = 1_500;

export class JournaledCommits {
  readonly #writer: Pick<PostgresWriter, 'commit' | 'move'>;
  readonly #journal: PostgresJournal;
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #timers: Timers;
  /** The transaction under way and those that wait for it. */
  #last: Promise<unknown> = Promise.resolve();
  /** Groups for which memory moves to the database. */
  #waiting = 0;
  #committedMs = Number.NEGATIVE_INFINITY;
  /** Memory moves for look-ups; null when something was committed since. */
  #moved: Promise<void> | null = null;
  #cancelQuiet: (() => void) | null = null;
  #closed = false;

  constructor(
    writer: Pick<PostgresWriter, 'commit' | 'move'>,
    journal: PostgresJournal,
    { clock, timers }: { clock: Pick<Clock, 'monotonicMs'>; timers: Timers },
  ) {
    this.#writer = writer;
    this.#journal = journal;
    this.#clock = clock;
    this.#timers = timers;
  }

  /** How many groups it takes at a time. */
  ahead(): number {
    return 1 + this.#waiting;
  }

  sinceCommitMs(): number {
    return this.#clock.monotonicMs() - this.#committedMs;
  }

  async commit(calls: readonly WriteCall[]): Promise<unknown[][]> {
    if (!this.#journal.takes(calls)) await this.#makeRoom();
    this.#committedMs = this.#clock.monotonicMs();
    this.#cancelQuiet ??= this.#afterPause(quietMs);
    try {
      return await this.#inTurn(() => this.#writer.commit(calls));
    } finally {
      this.#moved = null;
    }
  }

  /** Resolves once look-ups read everything committed before; while the database takes no writes, at once. */
  async newest(): Promise<void> {
    if (!this.#journal.holds()) return;
    this.#moved ??= this.#move();
    try {
      await this.#moved;
    } catch (error) {
      this.#moved = null;
      if (!(error instanceof StoreUnavailable)) throw error;
    }
  }

  /** Call when no more commits come. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#cancelQuiet?.();
    const endMs = this.#clock.monotonicMs() + stopMs;
    try {
      while (!this.#journal.isEmpty() && this.#clock.monotonicMs() < endMs) await this.#step();
    } catch {
      // The store is closed anyway.
    }
  }

  async #makeRoom(): Promise<void> {
    this.#waiting += 1;
    try {
      for (let steps = 0; steps < stepsMax && this.#journal.rows > restRows; steps += 1) await this.#step();
    } finally {
      this.#waiting -= 1;
    }
  }

  /** Moves what is in memory now. */
  async #move(): Promise<void> {
    let left = this.#journal.rows;
    do {
      const before = this.#journal.rows;
      await this.#step();
      left -= before - this.#journal.rows;
    } while (left > 0 && this.#journal.rows > 0);
  }

  #step(): Promise<void> {
    return this.#inTurn(async () => {
      if (!this.#journal.isEmpty()) await this.#writer.move();
    });
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => {});
    return done;
  }

  #afterPause(ms: number): () => void {
    return this.#timers.after(ms, () => {
      this.#cancelQuiet = null;
      if (this.#closed || this.#journal.isEmpty()) return;
      const leftMs = quietMs - this.sinceCommitMs();
      if (leftMs > 0) this.#cancelQuiet = this.#afterPause(leftMs);
      else void this.#quiet();
    });
  }

  async #quiet(): Promise<void> {
    try {
      await this.#move();
    } catch {
      // Whoever needs the store next is told.
    }
    if (!this.#closed && !this.#journal.isEmpty()) this.#cancelQuiet ??= this.#afterPause(quietMs);
  }
}
