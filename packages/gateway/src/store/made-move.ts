/** A move of a delivery that was made, as the parts of the seam tell of it. */
import type { DeliveryState } from '../domain/lifecycle.ts';

/** A move that was made, for whoever counts or tells of it. */
export interface MadeMove {
  messageId: string;
  accountId: string;
  state: DeliveryState;
  code: string | null;
  carrier: string | null;
}
