/**
 * The journal of the only node on a PostgreSQL database. A group of texts becomes one row, a frame, with what it accepts,
 * claims and settles; the texts stay in memory, and get their rows once, as far as they have come by then. Transactions
 * follow one another: each ends with `settle`.
 */
import type { Catalogue, WriteCall } from './catalogue.ts';
import type { WriteContext } from './context.ts';
import {
  ageMaxMs,
  type BroughtIn,
  type PostgresJournalHook,
  rowsMany,
  rowsMax,
  type Sorted,
  stepRows,
  type WriteBuffer,
} from './hook.ts';
import type { Operation } from './query.ts';
import { addFrame, forgetFrames, frames } from './system/frames.ts';

/** While memory holds at most this many rows, those that have ended leave it with a transaction, so many at a time. */
const littleRows = 4_096;
const alongRows = 32;
/** Of those that are too old, at least so many: commits may be few. */
const oldRows = 128;
/** Fewer frames are not worth a statement of their own. */
const framesMin = 64;

/** What the transaction under way has done to memory. */
interface Pending {
  kept: unknown[];
  /** Memory has taken the group. */
  taken: boolean;
  /** `#first` before it. */
  first: number;
}

export class PostgresJournal {
  readonly #catalogue: Catalogue;
  readonly #buffer: WriteBuffer;
  /** Frames before this one are deleted. */
  #first = 1;
  #next = 1;
  #pending: Pending | null = null;

  constructor(catalogue: Catalogue, hook: PostgresJournalHook, token: number) {
    this.#catalogue = catalogue;
    this.#buffer = hook.openBuffer(token);
  }

  /** Rows that are only in memory, as far as known. */
  get rows(): number {
    return this.#buffer.rows;
  }

  /** Whether memory has something that the database may not have. */
  holds(): boolean {
    return this.#buffer.rows > 0 || this.#pending !== null;
  }

  /** Whether the table may have frames, or memory anything. */
  isEmpty(): boolean {
    return !this.holds() && this.#first === this.#next;
  }

  /** Whether these calls should run at once. If not, memory goes to the database first, step by step. */
  takes(calls: readonly WriteCall[]): boolean {
    return this.#mayJournal(calls) && this.#buffer.concernFew(calls);
  }

  #mayJournal(calls: readonly WriteCall[]): boolean {
    return this.#buffer.rows < rowsMax && calls.every(({ kind }) => this.#catalogue.write(kind).journal !== undefined);
  }

  /** The group's transaction, with its frame. */
  *run(calls: readonly WriteCall[], context: WriteContext): Operation<unknown[][]> {
    this.#begin();
    // First: of these the group may settle some.
    yield* this.#keep(this.#along(calls, context.now), context);
    const sorted = this.#mayJournal(calls) ? yield* this.#buffer.sort(calls, context) : null;
    if (sorted === null) return yield* this.#runAll(calls, context);
    yield* this.#keep([...sorted.evicted], context);
    const results = yield* this.#runHeavy(calls, sorted, context);
    this.#pending!.taken = true;
    const text = this.#buffer.take(calls, sorted, results, this.#next);
    if (text !== null) {
      yield* addFrame(this.#next, text);
      this.#next += 1;
    }
    yield* this.#forget(framesMin);
    return results;
  }

  /** Moves the oldest rows to the database: one step. */
  *move(context: WriteContext): Operation<void> {
    this.#begin();
    yield* this.#keep(this.#buffer.oldest(stepRows, 'any'), context);
    yield* this.#forget(1);
  }

  /** The transaction is stored, or is not. */
  settle(isStored: boolean): void {
    const pending = this.#pending;
    this.#pending = null;
    if (isStored || pending === null) return;
    if (pending.taken) this.#buffer.revert();
    this.#buffer.restore(pending.kept);
    this.#first = pending.first;
  }

  #begin(): void {
    this.#pending = { kept: [], taken: false, first: this.#first };
  }

  *#runAll(calls: readonly WriteCall[], context: WriteContext): Operation<unknown[][]> {
    this.#buffer.forgetDatabase();
    yield* this.#keep(this.#buffer.all(), context);
    yield* this.#forget(1);
    return yield* this.#catalogue.runGroup(calls, context);
  }

  /** The items that only the database can handle; their results in place. */
  *#runHeavy(calls: readonly WriteCall[], { places }: Sorted, context: WriteContext): Operation<unknown[][]> {
    const results = calls.map(({ items }) => new Array<unknown>(items.length));
    const heavy = calls.flatMap(({ kind, items }, index) =>
      places[index]!.length > 0 ? [{ kind, items: places[index]!.map((place) => items[place]), index }] : [],
    );
    const found = yield* this.#catalogue.runGroup(heavy, context);
    for (const [order, { index }] of heavy.entries())
      for (const [nth, place] of places[index]!.entries()) results[index]![place] = found[order]![nth];
    return results;
  }

  /** Rows that leave with a group. */
  #along(calls: readonly WriteCall[], now: number): unknown[] {
    const buffer = this.#buffer;
    const twice = 2 * calls.reduce((rows, call) => rows + this.#catalogue.rowsOf(call), 0);
    if (buffer.oldestAt() <= now - ageMaxMs) return buffer.oldest(Math.min(stepRows, Math.max(oldRows, twice)), 'any');
    if (buffer.rows >= rowsMany) return buffer.oldest(twice, 'ended');
    const isLittle = buffer.endedRows >= alongRows && buffer.rows <= littleRows;
    return isLittle ? buffer.oldest(alongRows, 'ended') : [];
  }

  *#keep(kept: unknown[], context: WriteContext): Operation<void> {
    if (kept.length === 0) return;
    this.#buffer.leaving(kept);
    yield* this.#buffer.keep(kept, context);
    this.#buffer.drop(kept);
    this.#pending!.kept.push(...kept);
  }

  /** Deletes the frames before the one of the oldest text in memory, once there are so many. */
  *#forget(fewest: number): Operation<void> {
    const until = Math.min(this.#buffer.oldestFrame(), this.#next);
    if (until - this.#first < fewest) return;
    yield* forgetFrames(this.#first, until);
    this.#first = until;
  }
}

/** Brings in what a node that ended left in the journal; null = nothing. */
export function* bringInFrames(hook: PostgresJournalHook, context: WriteContext): Operation<BroughtIn | null> {
  const found = yield* frames();
  if (found.length === 0) return null;
  const brought = yield* hook.bringIn(
    found.map(({ text }) => text),
    context,
  );
  yield* forgetFrames(0, found.at(-1)!.place + 1);
  return { frames: found.length, torn: false, ...brought };
}
