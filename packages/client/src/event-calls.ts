/**
 * Calls about events: the log by page or as a stream, and example events. Keeps no cursor: to resume later, remember
 * `next`, or the id of the last handled event.
 */
import type { WebhookEvent, WebhookEventType } from './events.ts';
import { HeliographError } from './heliograph-error.ts';
import type { CallOptions } from './options.ts';
import { pageSizeDefault } from './pages.ts';
import { dataOf, jsonBody, type Transport, withQuery } from './transport.ts';

export interface EventFilter {
  /**
   * Only events after this: `next` of a page or the id of an event. `latest` = from now on. Default: from the oldest
   * kept event.
   */
  after?: string;
  /** Default: all. */
  types?: readonly (WebhookEventType | (string & {}))[];
  /** Events per page, 1–100. */
  pageSize?: number;
  /** How long the gateway waits for an event when there is none, 0–30 s. */
  waitSeconds?: number;
}

export interface EventPage {
  /** Oldest first; may be empty. */
  events: WebhookEvent[];
  /** The cursor to continue from, also after an empty page. */
  next: string;
}

export interface EventCalls {
  /** One page, at once unless `waitSeconds` is given. Throws HeliographError. */
  list(filter?: EventFilter, options?: CallOptions): Promise<EventPage>;
  /**
   * Events as they happen, without an end: waits for new ones, and resumes after a break of the connection
   * (`maxRetries` limits that). Ends when `signal` aborts, by rejecting with its reason. Throws HeliographError.
   */
  iterate(filter?: EventFilter, options?: CallOptions): AsyncGenerator<WebhookEvent, never, void>;
  /**
   * Creates an example event, marked `data.triggered`, that is sent to the endpoints like any other. Throws
   * HeliographError.
   */
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
    // Without a cursor the next page would be the same again, for ever.
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
