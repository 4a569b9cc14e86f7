/** An event as the API shows it: the standard webhook body with its id. Pure. */
import type { CustomerEvent } from '../../model/webhook-event.ts';
import { renderWebhook } from './webhook-payload.ts';

export interface ShownEvent {
  id: string;
  type: string;
  timestamp: string;
  data: Record<string, unknown>;
}

export function shownEvent(event: CustomerEvent): ShownEvent {
  return { id: event.eventId, ...JSON.parse(renderWebhook(event, 'standard')) };
}
