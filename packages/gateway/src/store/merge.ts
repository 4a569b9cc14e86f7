/**
 * Several groups as one transaction: their calls of one kind together, in the order of kinds, and the results back to each.
 * It runs nothing itself.
 */
import { type ItemOf, type WriteCall, writeKinds } from './engine.ts';

/** How much work a call is, in rows. */
export function rowsOf({ kind, items }: WriteCall): number {
  if (kind !== 'accept') return items.length;
  return (items as readonly ItemOf<'accept'>[]).reduce((rows, item) => rows + 1 + item.deliveries.length, 0);
}

export interface Merged {
  calls: WriteCall[];
  /** The results of `calls`, as each group would have had them. */
  split(results: readonly (readonly unknown[])[]): unknown[][][];
}

export function mergeGroups(groups: readonly (readonly WriteCall[])[]): Merged {
  const byKind = Map.groupBy(groups.flat(), ({ kind }) => kind);
  const calls = writeKinds.flatMap((kind) => {
    const own = byKind.get(kind);
    return own ? [{ kind, items: own.flatMap(({ items }) => items) }] : [];
  });
  return {
    calls,
    split(results) {
      const left = new Map(calls.map(({ kind }, index) => [kind, { results: results[index]!, taken: 0 }]));
      return groups.map((group) =>
        group.map(({ kind, items }) => {
          const own = left.get(kind)!;
          own.taken += items.length;
          return own.results.slice(own.taken - items.length, own.taken);
        }),
      );
    },
  };
}
