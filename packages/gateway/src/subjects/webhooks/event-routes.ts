/**
 * `/api/v1/events`: events in log order for polling clients, and example events on demand. The same `data` as in
 * webhooks.
 */
import { rejection, success } from '../../http/exchange.ts';
import { busy } from '../../http/long-poll.ts';
import { ownerOf } from '../../http/owner.ts';
import { afterQuery, limitQuery, type QueryOf, textQuery, wholeQuery } from '../../http/query-fields.ts';
import { answers, answersPage, jsonBody } from '../../http/route.ts';
import type { RouteModule } from '../../http/server.ts';
import { list } from '../../http/shape.ts';
import { untilGone } from '../../http/until-gone.ts';
import { counted } from '../../kernel/counted.ts';
import { type EventType, eventTypes } from '../../model/event-type.ts';
import { event, eventType, storedEvent, triggered } from './endpoint-shapes.ts';
import { type EventFeed, feedLimits } from './event-feed.ts';
import type { ExampleEvents } from './example-events.ts';
import { shownEvent } from './shown-event.ts';

export interface EventRouteParts {
  feed: Pick<EventFeed, 'read'>;
  examples: ExampleEvents;
}

const waitSecondsMax = feedLimits.waitMs / 1_000;
const cursorForm = /^(?:latest|pos_[0-9]{1,15}|evt_[0-9A-Z]{1,40}(?:_[1-9][0-9]{0,8})?)$/;
const badCursor =
  'The query parameter after must be the next of a page, the id of an event of your account, or latest.';

const fields = {
  after: afterQuery('`next` of a page, the id of an event, or `latest`; from the oldest when left out.'),
  types: {
    ...textQuery('Types of event with a comma between them; all when left out.', list(eventType)),
    explode: false as const,
  },
  limit: limitQuery,
  wait: wholeQuery({ min: 0, max: waitSecondsMax, whenMissing: 0 }, 'Seconds to wait for an event when there is none.'),
};

export function eventRoutes({ feed, examples }: EventRouteParts): RouteModule {
  return (_app, { guarded }) => {
    guarded.add({
      method: 'GET',
      path: '/api/v1/events',
      scope: 'read',
      operationId: 'listEvents',
      summary: 'Events, oldest first',
      description:
        'For programs that poll instead of getting webhooks. A page may be empty, and `next` is never null: continue from it.',
      query: fields,
      answer: answersPage(list(event), 'after', 'A page'),
      work: async (call) => {
        const query = listQuery(call.query);
        if (typeof query === 'string') return rejection('INVALID_FIELD', query);
        const page = await untilGone(call.exchange, (signal) => feed.read({ ...ownerOf(call), ...query, signal }));
        switch (page.kind) {
          case 'page': {
            const detail = `${counted(page.events.length, 'event')}, oldest first.`;
            return success(detail, page.events.map(shownEvent), page.next);
          }
          case 'unknown':
            return rejection('INVALID_FIELD', badCursor);
          case 'full':
            return busy('Too many calls wait for events at this moment.');
        }
      },
    });

    guarded.add({
      method: 'POST',
      path: '/api/v1/events/trigger',
      scope: 'send',
      people: { permission: 'manageWebhooks', audit: 'event.triggered' },
      operationId: 'triggerEvent',
      summary: 'Make an example event',
      description:
        'It has `data.triggered` and goes to every endpoint that is set to its type, except those with the flat format.',
      body: jsonBody(triggered, {
        examples: { reply: { summary: 'A reply', value: { type: 'message.received' } } },
      }),
      answer: answers(storedEvent, 'The event'),
      work: async (call) => {
        const { type } = call.body;
        const id = await examples.trigger(ownerOf(call), type);
        return success('An example event is in the log and goes to the endpoints that are set to its type.', {
          id,
          type,
        });
      },
    });
  };
}

interface ListQuery {
  after: string | null;
  types: EventType[] | null;
  limit: number;
  waitMs: number;
}

function listQuery({ after, types: named, limit, wait }: QueryOf<typeof fields>): ListQuery | string {
  if (after !== null && !cursorForm.test(after)) return badCursor;
  const types = named === null ? null : named.split(',');
  if (types?.every(isEventType) === false) {
    return 'The query parameter types must be types of event with a comma between them; /openapi.json lists them.';
  }
  return { after, types: types as EventType[] | null, limit, waitMs: wait * 1_000 };
}

function isEventType(text: string): text is EventType {
  return (eventTypes as readonly string[]).includes(text);
}
