/**
 * Defines a module: the writes and reads of one subject, the properties of each that engines use, and methods that
 * combine them. The store's threads load modules too, so they import SQL and `model` only.
 */
import type { WriteContext } from './context.ts';
import type { Operation } from './query.ts';

/**
 * The order of writes in a shared transaction: a claim takes the slots that settlements free, and sends what the commit
 * makes due. Within a stage, modules keep their order.
 */
export const stages = ['accept', 'gather', 'receive', 'settle', 'note', 'prepare', 'claim'] as const;

export type EngineKind = 'sqlite' | 'postgres';

export interface Write {
  /** Gets the items of all calls of one transaction; returns one result per item, in their order. */
  run(items: readonly never[], context: WriteContext): Operation<unknown[]>;
  /** Default: `note`. */
  stage?: (typeof stages)[number];
  /**
   * `kept`: is journaled and stays in memory for a while, unless it needs more than memory knows. `behind`: goes to the
   * database, behind the messages in memory that it may concern. `apart`: concerns no message in its first try, so it
   * needs nothing from memory. Default: everything in memory is flushed first.
   */
  journal?: 'kept' | 'behind' | 'apart';
  /** Stores sent messages, which must be gathered before a conversation shows them. */
  sends?: true;
  /** Allowed for a tool while a node runs; never set for writes that move a delivery. */
  tool?: true;
  /** May add events to the log. The function returns the type of a result's events; null = any. */
  events?: true | ((result: never) => string | null);
  /** No caller waits for the result: when alone, the write waits a millisecond to share the next commit. */
  unhurried?: true;
  /** A caller waits, but no other work: a single write may wait a millisecond if another one is expected. */
  shares?: true;
  /** If it changed nothing, no caller relies on what it read: PostgreSQL skips the commit. */
  idles?: true;
  /** The results when there is nothing to do, found by reading alone; else null. Saves SQLite a transaction. */
  whenIdle?(items: readonly never[]): Operation<unknown[] | null>;
  /** Afterwards nothing of the erased content may be left, not even in the journal. */
  erases?: true;
  /** With several nodes, only the owner of this name may run it; elsewhere it rejects with OwnedElsewhere. */
  owned?: string;
  /** The items hold bytes, which JSON cannot represent. */
  bytes?: true;
  /**
   * Nobody misses what a power cut takes of it, or it is done again from what is on disk: SQLite does not sync a commit
   * of such items alone.
   */
  unsynced?: true | ((item: never) => boolean);
  /** Never split over several transactions: the slots it frees are claimed in the same one. */
  whole?: true;
  /** The cost of an item, in rows; default 1. */
  rows?(item: never): number;
}

/**
 * What a read must see. `nothing`: no message in its first try, so nothing from memory. `newest`: everything committed.
 * `gathered`: the same, with sent messages gathered into conversations.
 */
export type Needs = 'nothing' | 'newest' | 'gathered';

export interface Read {
  run(...params: never[]): Operation<unknown>;
  /** Default: `newest`. The function gets the first parameter and the ms since the newest commit. */
  needs?: Needs | ((query: never, sinceCommitMs: number) => Needs);
}

export type Writes = Readonly<Record<string, Write>>;
export type Reads = Readonly<Record<string, Read>>;

export interface StoreModule<W extends Writes = Writes, R extends Reads = Reads, V = object> {
  readonly name: string;
  readonly writes: W;
  readonly reads: R;
  /** Methods with several steps, or with another signature than their operation. */
  verbs?(on: WriteCalls<W> & ReadCalls<R>, engine: EngineKind): V;
}

type ResultOf<T> = T extends Operation<infer R> ? R : never;

type ItemOf<W extends Write> = Parameters<W['run']>[0][number];

/** One method per write: takes all items, returns one result per item. */
export type WriteCalls<W extends Writes> = {
  -readonly [K in keyof W]: (items: ItemOf<W[K]>[]) => Promise<ResultOf<ReturnType<W[K]['run']>>>;
};

/** One method per read. */
export type ReadCalls<R extends Reads> = {
  -readonly [K in keyof R]: R[K] extends { run(...params: infer P): Operation<infer A> }
    ? (...params: P) => Promise<A>
    : never;
};

/** The methods of a module for the rest of the gateway: a verb replaces the operation of the same name. */
export type StoreOf<M> =
  M extends StoreModule<infer W, infer R, infer V> ? Omit<ReadCalls<R> & WriteCalls<W>, keyof V> & V : never;

/** Returns its argument: only the types matter. */
export function storeModule<const W extends Writes, const R extends Reads, V = object>(
  module: StoreModule<W, R, V>,
): StoreModule<W, R, V> {
  return module;
}

/** Makes a method that takes one item and returns its result. */
export function one<I, R>(write: (items: I[]) => Promise<readonly R[]>): (item: I) => Promise<R> {
  return async (item) => (await write([item]))[0]!;
}

/** Makes a method that takes one item and returns nothing. */
export function oneDone<I>(write: (items: I[]) => Promise<unknown>): (item: I) => Promise<void> {
  return async (item) => {
    await write([item]);
  };
}

/** Makes a method that takes items and returns nothing. */
export function allDone<I>(write: (items: I[]) => Promise<unknown>): (items: I[]) => Promise<void> {
  return async (items) => {
    await write(items);
  };
}
