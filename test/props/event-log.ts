/** The gateway's event feed, read through `GET /api/v1/events` as a customer would. */
import { callApi } from './api.ts';

/** An event as the feed shows it: the body of its webhook, with its id. */
export interface LoggedEvent {
  id: string;
  type: string;
  timestamp: string;
  data: Record<string, unknown>;
}

const pageEvents = 100;

/** All events, oldest first. */
export async function readEventLog(port: number): Promise<LoggedEvent[]> {
  const events: LoggedEvent[] = [];
  for (let after: string | null = null; ; ) {
    const query: string = after === null ? '' : `&after=${after}`;
    const { data, next } = await callApi<LoggedEvent[]>(port, { path: `/api/v1/events?limit=${pageEvents}${query}` });
    events.push(...data);
    if (next === after) return events;
    after = next;
  }
}
