/** What a transaction knows besides its items. */
import type { EpochMs } from '../../domain/clock.ts';

export interface WriteContext {
  /** Fencing token of this node; 0 for a tool, which may not move deliveries. */
  token: number;
  /** Wall clock at the start of the transaction. */
  now: EpochMs;
  /** Places in the log of events. */
  positions: Positions;
}

/** Hands out places in the log of events, each once; a transaction that is undone leaves a gap. */
export interface Positions {
  next(): number;
}

/** Goes on after `last`, the highest place that is taken. */
export function createPositions(last: number): Positions {
  let taken = last;
  return { next: () => ++taken };
}
