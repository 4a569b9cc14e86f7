/**
 * The writer of a SQLite store. Texts that the buffer accepts go to the journal and stay in memory; the database
 * receives them later, in batches, with the progress they have made. Other writes go to the database at once, after the
 * buffered rows they concern. A caller is answered once its data is on disk in one of the two.
 */
import type { Catalogue, WriteCall } from '../catalogue.ts';
import type { WriteContext } from '../context.ts';
import { StoreBroken, StoreUnavailable } from '../faults.ts';
import { ageMaxMs, rowsMany, rowsMax, type Sorted, stepRows, type WriteBuffer } from '../hook.ts';
import type { Operation } from '../query.ts';
import type { SqliteConnection } from '../sqlite-connection.ts';
import { noteJournal, noteJournalFrames } from '../system/operations.ts';
import type { Journal } from './journal.ts';
import { outOfUse } from './look.ts';

/** Journal size at which it restarts, which needs everything in the database. */
const journalBytesMax = 64 << 20;
/** Up to this many buffered rows are written in the same transaction as the calls that need them. */
const restRows = 1_024;
/** Rows written after a group of `fewRows`: piece by piece, so that requests are served in between. */
const piecesRows = 256;
/** In a burst, told by larger groups, old rows are written at once: rows may arrive faster than pieces are written. */
const fewRows = 8;
/** A single group of this size is one too. Smaller ones also come from requests that a piece has held up. */
const burstRows = 48;
/** Groups that a moving mean of their rows looks back on: in a burst one in ten is small. */
const groupsMean = 16;
/**
 * While memory holds at most this many rows, those that have ended leave it early: what lives for seconds costs V8 the
 * most to collect. More come from a burst, and are better left until it is over.
 */
const littleRows = 4_096;
/** Rows that leave with a group that the database must sync anyway. */
const alongRows = 32;
/** Old rows that are still under way are also written at once, in steps of about 2 ms. */
const underWayRows = 32;
/** After one of the larger groups of a burst, whose texts wait longer anyway: more rows at a time cost less. */
const burstStepRows = 128;
/** How often the database notes the journal's length while there are commits. */
const noteEveryMs = 100;

export interface WriterParts {
  catalogue: Catalogue;
  connection: SqliteConnection;
  buffer: WriteBuffer;
  /** Null = nothing is buffered in memory. */
  journal: Journal | null;
  /** Generation of the journal. */
  generation: number;
  /** The database has noted that this generation of the journal is in use. */
  isNoted: boolean;
  context: Omit<WriteContext, 'now'>;
}

export class JournaledWriter {
  readonly #parts: WriterParts;
  readonly #buffer: WriteBuffer;
  /** The units being written piece by piece. All have ended, so they cannot change meanwhile. */
  #pieces: { kept: unknown[]; rest: Iterator<void> } | null = null;
  #generation: number;
  #isNoted: boolean;
  /** The number of frames that the database has noted, and the wall clock of that note. */
  #notedFrames = 0;
  #notedAt = 0;
  /** The last write to the database failed as unavailable. */
  #stuck = false;
  #broken: StoreBroken | null = null;
  /** Wall clock of the last group. */
  #now = 0;
  /** Rows that groups have had lately, in the mean. */
  #usualRows = 0;

  constructor(parts: WriterParts) {
    this.#parts = parts;
    this.#buffer = parts.buffer;
    this.#generation = parts.generation;
    this.#isNoted = parts.isNoted;
  }

  /** Whether `commit` should get these calls at once. If not, everything in memory goes to the database first, step by step. */
  takes(calls: readonly WriteCall[]): boolean {
    return this.#mayJournal(calls) && this.#buffer.concernFew(calls);
  }

  #mayJournal(calls: readonly WriteCall[]): boolean {
    const isKnown = ({ kind }: WriteCall) => this.#parts.catalogue.write(kind).journal !== undefined;
    return this.#parts.journal !== null && !this.#stuck && this.#buffer.rows < rowsMax && calls.every(isKnown);
  }

  /** The results per call, once on disk. Throws the store's error; then nothing of the calls is stored. */
  commit(calls: readonly WriteCall[], now: number): unknown[][] {
    if (this.#broken) throw this.#broken;
    this.#now = now;
    return this.#mayJournal(calls) ? this.#commitJournaled(calls, now) : this.#writeAll(calls, now);
  }

  /** Whether the next `piece` continues a write. */
  isWriting(): boolean {
    return this.#pieces !== null && !this.#broken;
  }

  /** Writes one more piece. */
  piece(): void {
    if (this.#pieces === null) return;
    const { kept, rest } = this.#pieces;
    try {
      if (rest.next().done !== true) return;
      this.#buffer.drop(kept);
      this.#pieces = null;
    } catch (error) {
      this.#pieces = null;
      const meant = this.#failed(error, kept);
      if (!(meant instanceof StoreUnavailable)) throw meant;
    }
  }

  /** Writes everything to the database and restarts the journal. */
  flush(): void {
    if (this.#broken) throw this.#broken;
    if (this.holds()) this.#writeAll([], this.#now);
  }

  /** A flush in the background: postponed while the database takes no writes. */
  flushIfPossible(): void {
    try {
      this.flush();
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
    }
  }

  /** Whether memory or journal holds anything. */
  holds(): boolean {
    return this.#buffer.rows > 0 || (this.#parts.journal?.bytes() ?? 0) > 0;
  }

  /** Whether the journal should be flushed before it grows further. */
  isLong(): boolean {
    return (this.#parts.journal?.bytes() ?? 0) >= journalBytesMax;
  }

  /** One step towards a flush; false when no more steps are needed. */
  step(): boolean {
    this.#endPieces();
    if (this.#stuck || this.#buffer.rows <= restRows) return false;
    return this.#writeBehind(this.#buffer.oldest(stepRows, 'any'));
  }

  /**
   * After a group of this many rows: evicts rows that are too old, those that have ended while memory holds little and
   * groups are small, and twice as many ended ones as were added when it holds many.
   */
  relieve(rows: number): void {
    this.#usualRows += (rows - this.#usualRows) / groupsMean;
    const isBurst = this.#usualRows > fewRows || rows > burstRows;
    const isCalm = !isBurst && rows <= fewRows;
    if (isBurst) this.#endPieces();
    if (this.#stuck || this.#pieces !== null) return;
    if (Math.abs(this.#now - this.#notedAt) >= noteEveryMs) this.noteFrames();
    const buffer = this.#buffer;
    if (buffer.oldestAt() <= this.#now - ageMaxMs) {
      const fewest = isBurst && rows > fewRows ? burstStepRows : underWayRows;
      const old = isCalm ? buffer.oldest(piecesRows, 'any') : [];
      if (old.length > 0 && buffer.haveEnded(old)) this.#beginPieces(old);
      // More rows than were added, or old ones would never run out; at most one step.
      else this.#writeBehind(buffer.oldest(Math.min(stepRows, Math.max(fewest, 2 * rows)), 'any'));
    } else if (isCalm && buffer.endedRows >= piecesRows && buffer.rows <= littleRows) {
      this.#beginPieces(buffer.oldest(piecesRows, 'ended'));
    }
    if (buffer.rows >= rowsMany) this.#writeBehind(buffer.oldest(2 * rows, 'ended'));
  }

  /**
   * Notes the journal's length in the database, unsynced, so that the next start detects a missing end. Postponed while
   * the database takes no writes.
   */
  noteFrames(): void {
    this.#endPieces();
    const frames = this.#parts.journal?.frames() ?? 0;
    this.#notedAt = this.#now;
    if (frames === this.#notedFrames || this.#broken || this.#stuck) return;
    try {
      this.#parts.connection.writeBehind(noteJournalFrames(frames), true);
      this.#notedFrames = frames;
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
    }
  }

  /** Evicts some ended messages while idle; false when there are no more. */
  settleDown(): boolean {
    this.#endPieces();
    return !this.#stuck && this.#writeBehind(this.#buffer.oldest(stepRows, 'ended'));
  }

  /** While the database takes no writes, the journal stays for the next start. */
  close(): void {
    const { journal } = this.#parts;
    if (this.#broken) return;
    try {
      this.flush();
      if (journal === null) return;
      this.#parts.connection.write(noteJournalFrames(outOfUse));
      journal.remove();
    } catch (error) {
      journal?.close();
      if (!(error instanceof StoreUnavailable)) throw error;
    }
  }

  #commitJournaled(calls: readonly WriteCall[], now: number): unknown[][] {
    let sorted = this.#sort(calls, now);
    let idle = this.#idle(calls, sorted);
    if (this.#pieces !== null && sorted?.places.some(({ length }, index) => length > 0 && !idle.has(index))) {
      this.#endPieces();
      sorted = this.#sort(calls, now);
      idle = this.#idle(calls, sorted);
    }
    if (sorted === null || sorted.bytesMax > this.#parts.journal!.freeBytes()) return this.#writeAll(calls, now);
    if (!this.#isNoted) this.#note();

    const results: unknown[][] = [];
    for (const { items } of calls) results.push(new Array<unknown>(items.length));
    this.#writeHeavy(calls, sorted, idle, results, now);
    try {
      const text = this.#buffer.take(calls, sorted, results);
      if (text !== null) this.#parts.journal!.append(text);
      return results;
    } catch (error) {
      // Memory may now be ahead of the journal.
      this.#broken = error instanceof StoreBroken ? error : new StoreBroken(`the journal failed: ${error}`);
      throw this.#broken;
    }
  }

  #sort(calls: readonly WriteCall[], now: number): Sorted | null {
    return this.#parts.connection.read(this.#buffer.sort(calls, { now }));
  }

  /** On disk before the first frame, so that a start without this journal detects that it is missing. */
  #note(): void {
    this.#parts.connection.write(noteJournalFrames(0));
    this.#isNoted = true;
  }

  /**
   * By call, the results of items for which the database has nothing to do. Empty when it writes messages too, which may
   * give it something.
   */
  #idle(calls: readonly WriteCall[], sorted: Sorted | null): Map<number, unknown[]> {
    const idle = new Map<number, unknown[]>();
    if (sorted === null || sorted.evicted.size > 0) return idle;
    for (const [index, { kind, items }] of calls.entries()) {
      const places = sorted.places[index]!;
      if (places.length === 0) continue;
      const { whenIdle, journal } = this.#parts.catalogue.write(kind);
      if (journal !== 'kept') continue;
      const found = whenIdle && this.#parts.connection.read(whenIdle(places.map((place) => items[place]) as never[]));
      if (!found) return new Map();
      idle.set(index, found);
    }
    return idle;
  }

  /** Runs in one transaction the items that only the database can handle, and puts their results in place. */
  #writeHeavy(
    calls: readonly WriteCall[],
    { places, evicted }: Sorted,
    idle: ReadonlyMap<number, unknown[]>,
    results: unknown[][],
    now: number,
  ): void {
    const put = (index: number, found: readonly unknown[]) =>
      places[index]!.forEach((place, nth) => {
        results[index]![place] = found[nth];
      });
    for (const [index, found] of idle) put(index, found);
    const heavy = calls.flatMap(({ kind, items }, index) =>
      places[index]!.length > 0 && !idle.has(index)
        ? [{ kind, items: places[index]!.map((place) => items[place]), index }]
        : [],
    );
    if (heavy.length === 0) return;
    // Evicted rows are synced, whatever the calls need.
    const groups = Map.groupBy(heavy, (call) => evicted.size === 0 && this.#parts.catalogue.isUnsynced(call));
    const [unsynced = [], synced = []] = [groups.get(true), groups.get(false)];
    const found =
      unsynced.length > 0
        ? this.#writeUnsyncedFirst(unsynced, synced, now)
        : this.#write([...evicted.union(this.#along())], synced, now);
    for (const [order, { index }] of [...unsynced, ...synced].entries()) put(index, found[order]!);
  }

  /**
   * Ended rows for a transaction that is synced anyway. Where many need one, as receipts do, pieces would never be
   * written in peace: each of these calls has to wait for all of them.
   */
  #along(): Set<unknown> {
    const isCalm = this.#usualRows <= fewRows && this.#buffer.rows <= littleRows;
    return new Set(isCalm && !this.#stuck ? this.#buffer.oldest(alongRows, 'ended') : []);
  }

  #writeAll(calls: readonly WriteCall[], now: number): unknown[][] {
    const { journal } = this.#parts;
    this.#endPieces();
    this.#buffer.forgetDatabase();
    // In small transactions: on a nearly full disk, some of them fit.
    while (this.#buffer.rows > restRows) this.#writeUnsynced(this.#buffer.oldest(stepRows, 'any'));
    const kept = this.#buffer.all();
    const isAnew = journal !== null && journal.bytes() > 0;
    const results = this.#write(kept, calls, now, isAnew ? this.#generation : null);
    this.#stuck = false;
    if (isAnew) {
      this.#generation += 1;
      this.#notedFrames = 0;
      journal.restart(this.#generation);
    }
    if (calls.some(({ kind }) => this.#parts.catalogue.write(kind).erases)) journal?.wipe();
    return results;
  }

  /** One transaction: the buffered rows, the note that the generation is complete, the calls. */
  #write(kept: unknown[], calls: readonly WriteCall[], now: number, generation: number | null = null): unknown[][] {
    const { catalogue, connection, buffer } = this.#parts;
    const context = { ...this.#parts.context, now };
    const progress = { kept: false };
    function* keepAndRun(): Operation<unknown[][]> {
      if (kept.length > 0) yield* buffer.keep(kept, context);
      progress.kept = true;
      if (generation !== null) yield* noteJournal(generation, 0);
      return yield* catalogue.runGroup(calls, context);
    }
    return this.#stored(kept, progress, () => connection.write(keepAndRun()));
  }

  /** One transaction, synced if the calls that need it have changed something. */
  #writeUnsyncedFirst(unsynced: readonly WriteCall[], synced: readonly WriteCall[], now: number): unknown[][] {
    const { catalogue, connection } = this.#parts;
    const context = { ...this.#parts.context, now };
    let changesBefore = 0;
    function* runBoth(): Operation<unknown[][]> {
      const results = yield* catalogue.runGroup(unsynced, context);
      changesBefore = connection.changes();
      return [...results, ...(yield* catalogue.runGroup(synced, context))];
    }
    return this.#stored([], { kept: true }, () => {
      const results = connection.writeBehind(runBoth());
      // Not for a claim that found nothing.
      if (connection.changes() !== changesBefore) connection.sync();
      return results;
    });
  }

  #beginPieces(kept: unknown[]): void {
    const { connection, context } = this.#parts;
    const rest = connection.writeInPieces(this.#buffer.keep(kept, { ...context, now: this.#now }));
    this.#pieces = { kept, rest };
  }

  #endPieces(): void {
    while (this.isWriting()) this.piece();
  }

  /** Unsynced: until the next synced write, only the journal has these rows on disk. False when nothing was written. */
  #writeBehind(kept: unknown[]): boolean {
    if (kept.length === 0 || this.#broken) return false;
    this.#buffer.leaving(kept);
    try {
      this.#writeUnsynced(kept);
      return true;
    } catch (error) {
      if (error instanceof StoreUnavailable) return false;
      throw error;
    }
  }

  #writeUnsynced(kept: unknown[]): void {
    const { connection, context } = this.#parts;
    this.#stored(kept, { kept: false }, () =>
      connection.writeBehind(this.#buffer.keep(kept, { ...context, now: this.#now })),
    );
  }

  #stored<T>(kept: unknown[], progress: Progress, write: () => T): T {
    try {
      const result = write();
      this.#buffer.drop(kept);
      return result;
    } catch (error) {
      throw this.#failed(error, kept, progress);
    }
  }

  /** The transaction was rolled back, and so were the buffered rows in it. */
  #failed(error: unknown, kept: readonly unknown[], progress: Progress = { kept: false }): unknown {
    // The rolled-back transaction changed this map.
    this.#parts.context.sending.clear();
    const isUnavailable = error instanceof StoreUnavailable;
    if (isUnavailable && kept.length > 0) this.#stuck = true;
    // The callers were answered long ago, so a refusal by the database cannot be reported to them.
    const isRefused = kept.length > 0 && !progress.kept && !isUnavailable;
    const meant = isRefused ? new StoreBroken(`the database refuses what the journal holds: ${error}`) : error;
    if (meant instanceof StoreBroken) this.#broken = meant;
    return meant;
  }
}

/** How far a transaction got. */
interface Progress {
  kept: boolean;
}
