/** Routes of the gateway, as it has them. Written by `npm run goldens`: do not edit. */
import type { Event, EventType, StoredEvent } from './deliveries';

export interface EventsRoutes {
  'GET /events': {
    query: { after?: string | null; types?: EventType[] | null; limit?: number | null; wait?: number | null };
    body: undefined;
    answer: Event[];
  };
  'POST /events/trigger': {
    query: Record<never, never>;
    body: { type: EventType };
    answer: StoredEvent;
  };
}
