/**
 * How many parts one carrier id covers: one, or several when a long text was sent as a whole (message_payload, or a
 * provider that splits it). Pure.
 */

export interface Spanned {
  /** The first part, from 1. */
  part: number;
  /** Number of parts; absent = 1. */
  spans?: number;
}

/** The numbers of the parts. */
export function partNumbers({ part, spans = 1 }: Spanned): number[] {
  return Array.from({ length: spans }, (_, index) => part + index);
}

/** Total number of parts. */
export function spansOf(parts: readonly Pick<Spanned, 'spans'>[]): number {
  return parts.reduce((sum, { spans = 1 }) => sum + spans, 0);
}
