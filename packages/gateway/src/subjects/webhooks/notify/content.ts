/**
 * Loads an event's content. A repeated event refers to its original, which is read when needed, so an erased text is
 * not sent again.
 */
import { type CustomerEvent, resendOf } from '../../../model/webhook-event.ts';
import { StoreUnavailable } from '../../../store/faults.ts';
import type { WebhookStore } from '../store/module.ts';

/**
 * `event` with its content, under its own id; null when the content was deleted, 'later' when the store does not answer
 * now.
 */
export async function contentOf(
  event: CustomerEvent,
  store: Pick<WebhookStore, 'webhookDelivery'>,
): Promise<CustomerEvent | null | 'later'> {
  const again = resendOf(event);
  if (again === null) return event;
  const { accountId, eventId, position } = event;
  try {
    const found = await store.webhookDelivery({ accountId, ...again });
    return found === null ? null : { ...found.event, eventId, position };
  } catch (error) {
    if (error instanceof StoreUnavailable) return 'later';
    throw error;
  }
}
