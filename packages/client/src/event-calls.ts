/**
 * Calls about events: the log of what happened, a page at a time or as it grows, and examples on demand. It keeps no
 * cursor: to go on later, remember `next`, or the id of the last handled event.
 */
import type { WebhookEvent, WebhookEventType } from './events.ts';
import { HeliographError } from './heliograph-error.ts';
import type { CallOptions } from './options.ts';
import { pageSizeDefault } from './pages.ts';
import { dataOf, jsonBody, type Transport, withQuery } from './transport.ts';

export interface EventFilter {
  /**
   * Only what came after this: `next` of a page or the id of an event. `latest` = from now on. Unless told, from the
   * oldest event that is kept.
   */
  after?: string;
  /** All unless told. */
  types?: readonly (WebhookEventType | (string & {}))[];
  /** Events fetched at once, 1–100. */
  pageSize?: number;
  /** How long the gateway waits for an event when there is none, 0–30. */
  waitSeconds?: number;
}

export interface EventPage {
  /** Oldest first; may be empty. */
  events: WebhookEvent[];
  /** Where to go on, also after an empty page. */
  next: string;
}

export interface EventCalls {
  /** One page, at once unless `waitSeconds` is given. Throws HeliographError. */
  list(filter?: EventFilter, options?: CallOptions): Promise<EventPage>;
  /**
   * Events as they happen, without an end: waits for new ones, and comes back after a break of the connection to where it
   * was (`maxRetries` limits that). Ends when `signal` aborts, by rejecting with its reason. Throws HeliographError.
   */
  iterate(filter?: EventFilter, options?: CallOptions): AsyncGenerator<WebhookEvent, never, void>;
  /** Makes an example event, marked `data.triggered`, that goes to the endpoints like any other. Throws HeliographError. */
  trigger(type: WebhookEventType | (string & {}), options?: CallOptions): Promise<{ id: string; type: string }>;
}

const waitSecondsDefault = 25;

export function eventCalls(call: Transport): EventCalls {
  async function list(filter: EventFilter = {}, options: CallOptions = {}): Promise<EventPage> {
    const { after, types, pageSize = pageSizeDefault, waitSeconds = 0 } = filter;
    const query = { limit: pageSize, after, types: types?.join(','), wait: waitSeconds > 0 ? waitSeconds : undefined };
    const path = withQuery('/api/v1/events', query);
    const { envelope } = await call({ method: 'GET', path, repeatable: true, waitMs: waitSeconds * 1_000 }, options);
    const { data, next } = envelope;
    // Without a cursor the next page would be this one again, for ever.
    if (!Array.isArray(data) || typeof next !== 'string') {
      throw new HeliographError('INVALID_RESPONSE', 'The answer is no page of events.', { status: 200 });
    }
    return { events: data as WebhookEvent[], next };
  }

  async function* iterate(
    filter: EventFilter = {},
    options: CallOptions = {},
  ): AsyncGenerator<WebhookEvent, never, void> {
    const lasting = { ...options, maxRetries: options.maxRetries ?? Number.POSITIVE_INFINITY };
    for (let after = filter.after; ; ) {
      const page = await list({ waitSeconds: waitSecondsDefault, ...filter, after }, lasting);
      yield* page.events;
      after = page.next;
    }
  }

  return {
    list,
    iterate,
    trigger: (type, options) => {
      const path = '/api/v1/events/trigger';
      return dataOf(call, { method: 'POST', path, ...jsonBody({ type }), repeatable: false }, options);
    },
  };
}
