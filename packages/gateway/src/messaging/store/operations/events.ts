/**
 * The event log as customers see it, in the order of commits: a writer assigns positions only during its turn, so a
 * reader's past never changes. An event is never shown to another account.
 */
import { type AccountId, eventId } from '../../../kernel/ids.ts';
import type { EventType } from '../../../model/event-type.ts';
import { readStoredTrace } from '../../../model/message-extras.ts';
import { type CustomerEvent, type EventMessage, readEventId } from '../../../model/webhook-event.ts';
import type { WriteContext } from '../../../store/context.ts';
import { type Operation, run } from '../../../store/query.ts';
import { lastPosition } from '../../../store/system/operations.ts';
import type { NewEvent } from '../items.ts';
import {
  insertOtherEvents,
  type LogRow,
  selectAccountEvents,
  selectEventPosition,
  selectEventsAfter,
} from '../statements/events.ts';
import { messageFields } from './view.ts';

/** Positions of the log that one page of an account's events examines. */
export const placesPerPage = 20_000;

export interface EventsAfterRequest {
  after: number;
  limit: number;
  types?: readonly EventType[] | null;
}

export function* eventsAfter({ after, limit, types = null }: EventsAfterRequest): Operation<{
  events: CustomerEvent[];
  position: number;
}> {
  const until = Math.max(after, Math.min(yield* lastPosition(after), after + limit));
  const rows = yield* run(selectEventsAfter, [{ after, until, types: listed(types) }]);
  return { events: asEvents(rows), position: until };
}

function listed(types: readonly EventType[] | null): string | null {
  return types && `,${types.join(',')},`;
}

export interface AccountEventsRequest {
  accountId: AccountId;
  after: number;
  types: EventType[] | null;
  limit: number;
}

export function* accountEvents({ accountId, after, types, limit }: AccountEventsRequest): Operation<{
  events: CustomerEvent[];
  position: number;
  more: boolean;
}> {
  const last = yield* lastPosition(after);
  const until = Math.max(after, Math.min(last, after + placesPerPage));
  const params = { account_id: accountId, after, until, types: listed(types), limit };
  const rows = yield* run(selectAccountEvents, [params]);
  const position = rows.length < limit ? until : (rows.at(-1)?.position ?? after);
  return { events: asEvents(rows), position, more: position < last };
}

export function* eventPosition(request: {
  accountId: AccountId;
  eventId: string | 'latest';
}): Operation<number | null> {
  if (request.eventId === 'latest') return yield* lastPosition();
  const key = readEventId(request.eventId);
  if (key === null) return null;
  const params = { account_id: request.accountId, message_id: key.messageId, sequence: key.sequence };
  const [found] = yield* run(selectEventPosition, [params]);
  return found?.position ?? null;
}

/** Stores events about no message. */
export function* addEvents(events: readonly NewEvent[], { positions }: WriteContext): Operation<null[]> {
  const once = new Map(events.toReversed().map((event) => [event.eventId, event]));
  yield* run(
    insertOtherEvents,
    [...once.values()].reverse().map((event) => ({
      position: positions.next(),
      account_id: event.accountId,
      event_id: event.eventId,
      type: event.type,
      at: event.at,
      body: JSON.stringify(event.data),
    })),
  );
  return events.map(() => null);
}

function asEvents(rows: readonly LogRow[]): CustomerEvent[] {
  return rows.flatMap((row) => asCustomerEvent(row) ?? []);
}

/** Null when customers are not notified of it. */
export function asCustomerEvent(row: LogRow): CustomerEvent | null {
  const { position, account_id: accountId, at } = row;
  if (row.type !== null) {
    const data = JSON.parse(row.body ?? '{}');
    return { position, eventId: row.message_id, accountId, type: row.type, at, message: null, data };
  }
  const message = asEventMessage(row);
  if (message === null) return null;
  const type = `message.${message.state}` as EventType;
  const event = { position, eventId: eventId(row.message_id, row.sequence), accountId, type, at, message, data: null };
  const traceparent = row.direction === 'outbound' ? readStoredTrace(row.extras) : null;
  return traceparent === null ? event : { ...event, traceparent };
}

function asEventMessage(row: LogRow): EventMessage | null {
  const { request_id, state } = row;
  if (request_id === null || state === null) return null;
  return {
    ...messageFields({ ...row, request_id }),
    state,
    sequence: row.sequence,
    inReplyTo: row.in_reply_to,
  };
}
