/**
 * Defines a module: the writes and reads of one subject, what an engine must know of each, and methods that combine
 * them. The store's threads load modules too, so they import SQL and `model` only.
 */
import type { WriteContext } from './context.ts';
import type { Operation } from './query.ts';

/**
 * When a write runs inside a transaction that several share: a place that a settlement frees is claimed with it, and what a
 * commit makes due goes out with it. Within a stage the order is that of the modules.
 */
export const stages = ['accept', 'gather', 'receive', 'settle', 'note', 'prepare', 'claim'] as const;

export type EngineKind = 'sqlite' | 'postgres';

export interface Write {
  /** Takes the items of all calls of one transaction and gives one result per item, in their order. */
  run(items: readonly never[], context: WriteContext): Operation<unknown[]>;
  /** `note` when left out. */
  stage?: (typeof stages)[number];
  /**
   * `kept`: goes to the journal and stays in memory for a while, unless more hangs on it than memory can tell. `apart`: is
   * about no message in its first try, so it needs nothing that is in memory. Left out: everything in memory goes first.
   */
  journal?: 'kept' | 'apart';
  /** What it stores is sent, and has to be gathered before a conversation shows it. */
  sends?: true;
  /** A tool may do it while a node runs; nothing that moves a delivery. */
  tool?: true;
  /** It may leave events in the log. */
  events?: true;
  /** After it nothing may be left of what customers sent, in the journal neither. */
  erases?: true;
  /** Its items hold bytes, which JSON cannot carry. */
  bytes?: true;
  /** Never left for the next transaction, however many there are: what it frees is given out again in the same one. */
  whole?: true;
  /** How much work an item is, in rows; 1 when left out. */
  rows?(item: never): number;
}

/**
 * What a read must see. `nothing`: no message in its first try, so nothing that is in memory only. `newest`: all that was
 * committed. `gathered`: the same, with what was sent brought to where conversations are read.
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

/** The methods of a module as the rest of the gateway sees them: a verb hides the operation of its name. */
export type StoreOf<M> =
  M extends StoreModule<infer W, infer R, infer V> ? Omit<ReadCalls<R> & WriteCalls<W>, keyof V> & V : never;

/** Only for the types: a module is the object it is given. */
export function storeModule<const W extends Writes, const R extends Reads, V = object>(
  module: StoreModule<W, R, V>,
): StoreModule<W, R, V> {
  return module;
}

/** For a method that takes one item and gives its result. */
export function one<I, R>(write: (items: I[]) => Promise<readonly R[]>): (item: I) => Promise<R> {
  return async (item) => (await write([item]))[0]!;
}

/** For a method that takes one item and has nothing to say. */
export function oneDone<I>(write: (items: I[]) => Promise<unknown>): (item: I) => Promise<void> {
  return async (item) => {
    await write([item]);
  };
}

/** For a method that takes items and has nothing to say. */
export function allDone<I>(write: (items: I[]) => Promise<unknown>): (items: I[]) => Promise<void> {
  return async (items) => {
    await write(items);
  };
}
