/** A state change of a delivery, as the store reports it. */
import type { DeliveryState } from '../../model/lifecycle.ts';

/** A change of state that was committed, for whoever counts it or notifies others. */
export interface Transition {
  messageId: string;
  accountId: string;
  state: DeliveryState;
  code: string | null;
  carrier: string | null;
}
