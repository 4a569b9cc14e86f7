/** Markers of generated sandbox messages. Plain data. */

import type { DeliveryState } from './lifecycle.ts';
import type { OutcomeCode } from './reason.ts';

/** Key id of all generated messages. No records file can use it, because a key's id cannot contain a colon. */
export const demoKeyId = 'demo:traffic';

/** Days of generated traffic, if the company keeps texts that long. */
export const demoDaysMax = 30;

export interface DemoOutcome {
  /** Counted from acceptance. */
  sendingAfterMs: number;
  /** Null when the carrier refused it. */
  sentAfterMs: number | null;
  to: Extract<DeliveryState, 'delivered' | 'undelivered' | 'unconfirmed' | 'failed'>;
  endAfterMs: number;
  code: OutcomeCode;
  carrierCode: string | null;
}
