/** A state change of a delivery, as the store reports it. */
import type { DeliveryState } from '../../model/lifecycle.ts';
import type { OutcomeCode } from '../../model/reason.ts';

/** A committed state change, for counters and notifications. */
export interface Transition {
  messageId: string;
  accountId: string;
  state: DeliveryState;
  code: OutcomeCode | null;
  carrier: string | null;
}
