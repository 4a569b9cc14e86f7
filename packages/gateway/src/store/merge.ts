/**
 * Merges several groups into one transaction: calls of one kind run together, in the order of kinds, and results
 * return to their groups.
 */
import type { Catalogue, WriteCall } from './catalogue.ts';

export interface Merged {
  calls: WriteCall[];
  /** The results of `calls`, as each group would have had them. */
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
