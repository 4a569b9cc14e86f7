/**
 * `/api/v1/events`: what happened, in the order of the log, for clients that poll instead of using webhooks; and example events on
 * demand. Only the caller's account and environment; the same `data` as in webhooks.
 */

import { counted } from '../domain/counted.ts';
import { type EventType, eventTypes } from '../domain/event-type.ts';
import { shownEvent } from '../domain/shown-event.ts';
import { type EventFeed, feedLimits } from '../flow/event-feed.ts';
import type { ExampleEvents } from '../flow/example-events.ts';
import { triggerSchema } from './endpoint-schemas.ts';
import { type Answer, rejection, success } from './exchange.ts';
import type { Call, JsonCall } from './guard.ts';
import { createBodyReader } from './json-body.ts';
import { pageLimit, valuesOnce, wholeNumber } from './list-query.ts';
import { busy } from './long-poll.ts';
import { ownerOf } from './owner.ts';
import type { Query } from './query.ts';
import type { RouteModule } from './server.ts';
import { untilGone } from './until-gone.ts';

export interface EventRouteParts {
  feed: Pick<EventFeed, 'read'>;
  examples: ExampleEvents;
}

const waitSecondsMax = feedLimits.waitMs / 1_000;
const cursorForm = /^(?:latest|pos_[0-9]{1,15}|evt_[0-9A-Z]{1,40}(?:_[1-9][0-9]{0,8})?)$/;
const badCursor =
  'The query parameter after must be the next of a page, the id of an event of your account, or latest.';

export function eventRoutes({ feed, examples }: EventRouteParts): RouteModule {
  const readTrigger = createBodyReader<{ type: EventType }>(triggerSchema);

  async function list(call: Call): Promise<Answer> {
    const query = listQuery(call.exchange.query);
    if (typeof query === 'string') return rejection('INVALID_FIELD', query);
    const page = await untilGone(call.exchange, (signal) => feed.read({ ...ownerOf(call), ...query, signal }));
    switch (page.kind) {
      case 'page':
        return success(
          `${counted(page.events.length, 'event')}, oldest first.`,
          page.events.map(shownEvent),
          page.next,
        );
      case 'unknown':
        return rejection('INVALID_FIELD', badCursor);
      case 'full':
        return busy('Too many calls wait for events at this moment.');
    }
  }

  async function trigger(call: JsonCall): Promise<Answer> {
    const body = readTrigger(call.body);
    if (!body.ok) return body.answer;
    const { type } = body.fields;
    const id = await examples.trigger(ownerOf(call), type);
    return success('An example event is in the log, and goes to the endpoints that want its type.', { id, type });
  }

  return (_app, { guarded }) => {
    guarded.get('/api/v1/events', 'read', list);
    guarded.post('/api/v1/events/trigger', 'send', trigger);
  };
}

interface ListQuery {
  after: string | null;
  types: EventType[] | null;
  limit: number;
  waitMs: number;
}

function listQuery(query: Query): ListQuery | string {
  const values = valuesOnce(query, ['after', 'types', 'limit', 'wait']);
  if (typeof values === 'string') return values;
  const { after } = values;
  if (after !== null && !cursorForm.test(after)) return badCursor;
  const types = values.types === null ? null : values.types.split(',');
  if (types?.every(isEventType) === false) {
    return 'The query parameter types must be types of event with a comma between them; /openapi.json lists them.';
  }
  const limit = pageLimit(values.limit);
  if (typeof limit === 'string') return limit;
  const wait = wholeNumber('wait', values.wait, { min: 0, max: waitSecondsMax, whenMissing: 0 });
  if (typeof wait === 'string') return wait;
  return { after, types: types as EventType[] | null, limit, waitMs: wait * 1_000 };
}

function isEventType(text: string): text is EventType {
  return (eventTypes as readonly string[]).includes(text);
}
