/** What a transaction knows besides its items. */
import type { EpochMs } from '../../domain/clock.ts';

export interface WriteContext {
  /** Fencing token of this node; 0 for a tool, which may not move deliveries. */
  token: number;
  /** Wall clock at the start of the transaction. */
  now: EpochMs;
}
