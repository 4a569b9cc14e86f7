/** A state change of a delivery, as the store reports it. */
import type { AccountId, MessageId } from '../../kernel/ids.ts';
import type { DeliveryState } from '../../model/lifecycle.ts';
import type { OutcomeCode } from '../../model/reason.ts';

/** A committed state change, for counters and notifications. */
export interface Transition {
  messageId: MessageId;
  accountId: AccountId;
  /** Null for a received message, which is new. */
  from: DeliveryState | null;
  state: DeliveryState;
  code: OutcomeCode | null;
  carrier: string | null;
}
