/** Markers of made-up sandbox messages. Plain data. */

import type { DeliveryState } from './lifecycle.ts';
import type { OutcomeCode } from './reason.ts';

/** Key id of everything that was made up. No records file can name a key so: of a key's id it has the colon alone. */
export const demoKeyId = 'demo:traffic';

/** Days of it, where the company keeps texts that long. */
export const demoDaysMax = 30;

export interface DemoOutcome {
  /** From acceptance. */
  sendingAfterMs: number;
  /** Null when the carrier refused it. */
  sentAfterMs: number | null;
  to: Extract<DeliveryState, 'delivered' | 'undelivered' | 'unconfirmed' | 'failed'>;
  endAfterMs: number;
  code: OutcomeCode;
  carrierCode: string | null;
}
