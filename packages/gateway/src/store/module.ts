/**
 * Defines a module: the writes and reads of one subject, what an engine must know of each, and methods that combine
 * them. The store's threads load modules too, so they import SQL and `model` only.
 */
import type { WriteContext } from './context.ts';
import type { Operation } from './query.ts';

/**
 * When a write runs inside a shared transaction: a claim takes the slots that settlements free, and what a commit makes
 * due is sent with it. Within a stage the order is that of the modules.
 */
export const stages = ['accept', 'gather', 'receive', 'settle', 'note', 'prepare', 'claim'] as const;

export type EngineKind = 'sqlite' | 'postgres';

export interface Write {
  /** Takes the items of all calls of one transaction and gives one result per item, in their order. */
  run(items: readonly never[], context: WriteContext): Operation<unknown[]>;
  /** `note` when left out. */
  stage?: (typeof stages)[number];
  /**
   * `kept`: goes to the journal and stays in memory for a while, unless it needs more than memory knows. `apart`:
   * concerns no message in its first try, so it needs nothing from memory. Left out: everything in memory is flushed
   * first.
   */
  journal?: 'kept' | 'apart';
  /** It stores sent messages, which must be gathered before a conversation shows them. */
  sends?: true;
  /** A tool may do it while a node runs; never for writes that move a delivery. */
  tool?: true;
  /** It may add events to the log. The function returns the type of the events of a result; null = any. */
  events?: true | ((result: never) => string | null);
  /** No caller waits for its result: alone it is delayed by a millisecond, to share the next commit. */
  unhurried?: true;
  /** Where it has changed nothing, nobody relies on what it read: PostgreSQL does not commit that. */
  idles?: true;
  /** After it nothing of the erased content may be left, not even in the journal. */
  erases?: true;
  /** Of several nodes only the one that has this name may do it; at another it rejects with OwnedElsewhere. */
  owned?: string;
  /** Its items hold bytes, which JSON cannot carry. */
  bytes?: true;
  /** Never split over transactions, however many items there are: the slots it frees are claimed in the same one. */
  whole?: true;
  /** The work of an item, in rows; 1 when left out. */
  rows?(item: never): number;
}

/**
 * What a read must see. `nothing`: no message in its first try, so nothing from memory. `newest`: everything committed.
 * `gathered`: the same, with sent messages gathered into conversations.
 */
export type Needs = 'nothing' | 'newest' | 'gathered';

export interface Read {
  run(...params: never[]): Operation<unknown>;
  /** `newest` when left out. The function gets the first parameter and the ms since the newest commit. */
  needs?: Needs | ((query: never, sinceCommitMs: number) => Needs);
}

export type Writes = Readonly<Record<string, Write>>;
export type Reads = Readonly<Record<string, Read>>;

export interface StoreModule<W extends Writes = Writes, R extends Reads = Reads, V = object> {
  readonly name: string;
  readonly writes: W;
  readonly reads: R;
  /** Methods of several steps, or with another signature than their operation. */
  verbs?(on: WriteCalls<W> & ReadCalls<R>, engine: EngineKind): V;
}

type ResultOf<T> = T extends Operation<infer R> ? R : never;

type ItemOf<W extends Write> = Parameters<W['run']>[0][number];

/** One method per write: all items in, one result per item out. */
export type WriteCalls<W extends Writes> = {
  -readonly [K in keyof W]: (items: ItemOf<W[K]>[]) => Promise<ResultOf<ReturnType<W[K]['run']>>>;
};

/** One method per read. */
export type ReadCalls<R extends Reads> = {
  -readonly [K in keyof R]: R[K] extends { run(...params: infer P): Operation<infer A> }
    ? (...params: P) => Promise<A>
    : never;
};

/** The methods of a module as the rest of the gateway sees them: a verb replaces the operation of its name. */
export type StoreOf<M> =
  M extends StoreModule<infer W, infer R, infer V> ? Omit<ReadCalls<R> & WriteCalls<W>, keyof V> & V : never;

/** Returns its argument: only the types matter. */
export function storeModule<const W extends Writes, const R extends Reads, V = object>(
  module: StoreModule<W, R, V>,
): StoreModule<W, R, V> {
  return module;
}

/** For a method that takes one item and gives its result. */
export function one<I, R>(write: (items: I[]) => Promise<readonly R[]>): (item: I) => Promise<R> {
  return async (item) => (await write([item]))[0]!;
}

/** For a method that takes one item and returns nothing. */
export function oneDone<I>(write: (items: I[]) => Promise<unknown>): (item: I) => Promise<void> {
  return async (item) => {
    await write([item]);
  };
}

/** For a method that takes items and returns nothing. */
export function allDone<I>(write: (items: I[]) => Promise<unknown>): (items: I[]) => Promise<void> {
  return async (items) => {
    await write(items);
  };
}
