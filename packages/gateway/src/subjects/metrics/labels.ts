/** Labels shared by several metrics, each with all its values. */
import type { OuterLabel } from '../../kernel/metrics.ts';

/** Carriers by their id in the records */
export const byCarrier: OuterLabel = { name: 'carrier', values: null };

export const messageKinds = ['SMS', 'MMS'] as const;

/** The keys of a table, as a list. */
export function namesOf<N extends string>(table: Readonly<Record<N, unknown>>): N[] {
  return Object.keys(table) as N[];
}
