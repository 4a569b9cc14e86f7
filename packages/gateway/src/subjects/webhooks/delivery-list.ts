/** Lists webhook deliveries: filters, gapless paging, visible fields. The caller limits the endpoints. */
import { isoTime } from '../../http/envelope.ts';
import { limitQuery, type QueryOf, textQuery, timeQuery } from '../../http/query-fields.ts';
import type { TypeOf } from '../../http/shape.ts';
import type { EpochMs } from '../../kernel/clock.ts';
import { eventTypes } from '../../model/event-type.ts';
import type { Endpoint } from '../../model/records.ts';
import { deliveryId, readDeliveryId, type WebhookDelivery, type WebhookState } from '../../model/webhook-event.ts';
import { type delivery as deliveryShape, eventType } from './endpoint-shapes.ts';
import type { WebhookStore } from './store/module.ts';

export interface DeliveryPlace {
  endpointId: string;
  position: number;
}

export interface DeliveryQuery {
  endpoint: string | null;
  state: WebhookState | null;
  type: string | null;
  /** Part of the id of the event or the delivery. */
  q: string | null;
  since: EpochMs | null;
  before: DeliveryPlace | null;
  limit: number;
}

type Store = Pick<WebhookStore, 'webhookDeliveries'>;
type DeliveryFilter = Pick<Parameters<WebhookStore['webhookDeliveries']>[0], 'accountId' | 'endpointIds' | 'state'>;

/**
 * Pages of the store read for one page of a filtered list: with a rare type a page may be short and still have a next
 * one.
 */
const looksPerPage = 20;
/** Events in the log are only roughly in the order in which they happened. */
const disorderMs = 300_000;
const searchCharactersMax = 100;

/** `before` of the next page; null when there is none. */
export async function deliveryPage(
  store: Store,
  owner: Omit<DeliveryFilter, 'state'>,
  query: DeliveryQuery,
): Promise<{ page: WebhookDelivery[]; before: DeliveryPlace | null }> {
  const { state, since, before, limit } = query;
  const filter = { ...owner, state };
  const page: WebhookDelivery[] = [];
  let place = before;
  let more = owner.endpointIds.length > 0;
  for (let looks = 0; more && page.length < limit && looks < looksPerPage; looks++) {
    const found = await look(store, filter, place, limit);
    more = found.more;
    for (const [index, row] of found.rows.entries()) {
      place = row;
      if (isWanted(row, query)) page.push(row);
      if (page.length < limit) continue;
      more ||= index < found.rows.length - 1;
      break;
    }
    if (since !== null && place !== null && isLongBefore(found.rows.at(-1), since)) more = false;
  }
  return { page, before: more ? place : null };
}

/**
 * The store pages by event, and one event may have gone to each endpoint. Deliveries of the last page's last event are
 * read again and skipped, and one whole event more than the page holds is read, so that it ends in a known order.
 */
async function look(store: Store, filter: DeliveryFilter, before: DeliveryPlace | null, limit: number) {
  const rows = await store.webhookDeliveries({
    ...filter,
    before: before === null ? null : before.position + 1,
    limit: limit + 2 * filter.endpointIds.length,
  });
  const left = rows.filter((row) => before === null || comesAfter(row, before)).sort(inOrder);
  return { rows: left.slice(0, limit), more: left.length > limit };
}

/** The fields of the query, and rules that the OpenAPI document cannot express. */
export const deliveryFields = {
  endpoint: textQuery('Only to this endpoint.'),
  state: textQuery('Only in this state.', { type: 'string', enum: ['waiting', 'delivered', 'failed'] }),
  type: textQuery('Only of this type of event.', eventType),
  q: textQuery('Only deliveries with this in their event id or delivery id.', {
    type: 'string',
    maxLength: searchCharactersMax,
  }),
  since: timeQuery('Only events of this time or later.'),
  before: textQuery('`next` of the previous page.'),
  limit: limitQuery,
};

/** The query, or the sentence about its fault. */
export function readDeliveryQuery(values: QueryOf<typeof deliveryFields>): DeliveryQuery | string {
  const { state, type, q } = values;
  if (state !== null && state !== 'waiting' && state !== 'delivered' && state !== 'failed') {
    return 'The query parameter state may be waiting, delivered or failed.';
  }
  if (type !== null && !eventTypes.some((known) => known === type)) {
    return 'The query parameter type must be a type of event, such as message.received.';
  }
  if (q !== null && q.length > searchCharactersMax) {
    return `The query parameter q may have at most ${searchCharactersMax} characters.`;
  }
  const before = values.before === null ? null : readDeliveryId(values.before);
  if (values.before !== null && before === null) {
    return 'The query parameter before must be a delivery id, such as the next of the previous page.';
  }
  return { ...values, state, before };
}

function isWanted(row: WebhookDelivery, { type, q, since }: DeliveryQuery): boolean {
  if ((type !== null && row.type !== type) || (since !== null && row.createdAt < since)) return false;
  const words = q?.trim().toLowerCase() ?? '';
  const ids = `${row.eventId} ${deliveryId(row.endpointId, row.position)}`;
  return words === '' || ids.toLowerCase().includes(words);
}

function isLongBefore(row: WebhookDelivery | undefined, since: EpochMs): boolean {
  return row !== undefined && row.createdAt < since - disorderMs;
}

/** Newest event first; its deliveries ordered by endpoint. */
function inOrder(a: DeliveryPlace, b: DeliveryPlace): number {
  return b.position - a.position || (a.endpointId < b.endpointId ? -1 : 1);
}

function comesAfter(row: DeliveryPlace, before: DeliveryPlace): boolean {
  return row.position < before.position || (row.position === before.position && row.endpointId > before.endpointId);
}

/** ISO time; null when it has ended, or waits until its endpoint is enabled. `endpoint`: its own. */
export function nextAttemptAt(
  { state, dueAt }: Pick<WebhookDelivery, 'state' | 'dueAt'>,
  endpoint: Pick<Endpoint, 'disabled'> | null | undefined,
): string | null {
  return state === 'waiting' && endpoint?.disabled == null ? isoTime(dueAt) : null;
}

export function shownDelivery(
  delivery: WebhookDelivery,
  endpoint: Parameters<typeof nextAttemptAt>[1],
): TypeOf<typeof deliveryShape> {
  const { endpointId, position, eventId, type, state, attempts, lastStatus, createdAt, updatedAt } = delivery;
  return {
    deliveryId: deliveryId(endpointId, position),
    endpointId,
    eventId,
    type,
    state,
    attemptCount: attempts,
    lastStatus,
    nextAttemptAt: nextAttemptAt(delivery, endpoint),
    createdAt: isoTime(createdAt),
    updatedAt: isoTime(updatedAt),
  };
}
