/** The seam's part for pages about numbers: what they sent lately, and what waits. Every look is bounded. */

import type { EpochMs } from '../domain/clock.ts';
import type { DeliveryState } from '../domain/lifecycle.ts';

export interface NumberTrafficStore {
  /** Sent messages of an account by number and state; of the newest `look` accepted since a time. */
  numberTraffic(request: {
    accountId: string;
    since: EpochMs;
    look: number;
  }): Promise<{ number: string; state: DeliveryState; count: number }[]>;
  /** Messages of a number that wait in the queue, among `look` of its account. */
  queuedFrom(request: { accountId: string; number: string; look: number }): Promise<number>;
}
