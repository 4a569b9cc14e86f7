/**
 * The modules of a store as an engine sees them: writes and reads by name, in the order of a transaction. Also merges
 * several groups of writes into one transaction.
 */
import { hasOwned, type WriteContext } from './context.ts';
import { type Needs, type StoreModule, stages, type Write } from './module.ts';
import type { Operation } from './query.ts';

/**
 * The result of an item that this node did not store, because it does not own the item's queue or name. Never on
 * SQLite.
 */
export const withheld = Symbol('withheld');

/** All items that one transaction has for one write. */
export interface WriteCall {
  /** Name of the write. */
  kind: string;
  items: readonly unknown[];
}

export interface Catalogue {
  readonly modules: readonly StoreModule[];
  /** Names of all writes in the order in which a transaction runs them. */
  readonly order: readonly string[];
  write(name: string): Write;
  /** The work of a call, in rows. */
  rowsOf(call: WriteCall): number;
  /** Whether none of its items needs a sync. */
  isUnsynced(call: WriteCall): boolean;
  /** One transaction: the calls in order; the results per call. */
  runGroup(calls: readonly WriteCall[], context: WriteContext): Operation<unknown[][]>;
  lookUp(name: string, params: readonly unknown[]): Operation<unknown>;
  /** What a read that starts now must see. */
  needsOf(name: string, params: readonly unknown[], sinceCommitMs: number): Needs;
}

/** Throws when two operations have one name: the second would hide the first. */
export function catalogueOf(modules: readonly StoreModule[]): Catalogue {
  const writes = collect(modules.map((module) => module.writes));
  const reads = collect(modules.map((module) => module.reads));
  const stageOf = (name: string) => stages.indexOf(writes.get(name)!.stage ?? 'note');
  const order = [...writes.keys()].sort((one, other) => stageOf(one) - stageOf(other));
  const write = (name: string) => known(writes, name);
  const read = (name: string) => known(reads, name);

  return {
    modules,
    order,
    write,
    rowsOf({ kind, items }) {
      const rows = write(kind).rows as ((item: unknown) => number) | undefined;
      return rows === undefined ? items.length : items.reduce((sum: number, item) => sum + rows(item), 0);
    },
    isUnsynced({ kind, items }) {
      const { unsynced = false } = write(kind);
      return typeof unsynced === 'boolean' ? unsynced : items.every(unsynced as (item: unknown) => boolean);
    },
    *runGroup(calls, context) {
      const results: unknown[][] = [];
      for (const { kind, items } of calls) {
        const { run, owned } = write(kind);
        const may = owned === undefined || hasOwned(context, owned);
        results.push(may ? yield* run(items as never[], context) : items.map(() => withheld));
      }
      return results;
    },
    lookUp: (name, params) => read(name).run(...(params as never[])),
    needsOf(name, params, sinceCommitMs) {
      const { needs = 'newest' } = read(name);
      return typeof needs === 'function' ? needs(params[0] as never, sinceCommitMs) : needs;
    },
  };
}

function collect<T>(parts: readonly Readonly<Record<string, T>>[]): Map<string, T> {
  const all = new Map<string, T>();
  for (const part of parts) {
    for (const [name, operation] of Object.entries(part)) {
      if (all.has(name)) throw new Error(`two operations of the store are named ${name}`);
      all.set(name, operation);
    }
  }
  return all;
}

function known<T>(operations: ReadonlyMap<string, T>, name: string): T {
  const found = operations.get(name);
  if (found === undefined) throw new Error(`the store has no operation ${name}`);
  return found;
}

/** Several groups as one transaction: calls of one kind run together, and the results return to their groups. */
export interface Merged {
  calls: WriteCall[];
  /** Splits the results of `calls` by group, as if each had run alone. */
  split(results: readonly (readonly unknown[])[]): unknown[][][];
}

export function mergeGroups(groups: readonly (readonly WriteCall[])[], order: Catalogue['order']): Merged {
  const byKind = new Map<string, unknown[]>();
  for (const group of groups) {
    for (const { kind, items } of group) {
      const own = byKind.get(kind);
      if (own === undefined) byKind.set(kind, [...items]);
      else for (const item of items) own.push(item);
    }
  }
  const calls: WriteCall[] = [];
  for (const kind of order) {
    const items = byKind.get(kind);
    if (items !== undefined) calls.push({ kind, items });
  }
  return { calls, split: (results) => split(groups, calls, results) };
}

function split(
  groups: readonly (readonly WriteCall[])[],
  merged: readonly WriteCall[],
  results: readonly (readonly unknown[])[],
): unknown[][][] {
  const taken = new Map<string, number>();
  const parts: unknown[][][] = [];
  for (const group of groups) {
    const own: unknown[][] = [];
    for (const { kind, items } of group) {
      const from = taken.get(kind) ?? 0;
      const to = from + items.length;
      taken.set(kind, to);
      own.push(results[merged.findIndex((call) => call.kind === kind)]!.slice(from, to));
    }
    parts.push(own);
  }
  return parts;
}
