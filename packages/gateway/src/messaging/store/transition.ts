/** A state change of a delivery, as the store reports it. */
import type { DeliveryState } from '../../model/lifecycle.ts';

/** A committed state change, for counters and notifications. */
export interface Transition {
  messageId: string;
  accountId: string;
  state: DeliveryState;
  code: string | null;
  carrier: string | null;
}
