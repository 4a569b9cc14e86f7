/** Helpers for the life of a webhook: an event assigned to endpoints, its attempts, and their look-ups. */
import { expect } from 'vitest';
import type { AttemptOutcome } from '../../messaging/store/items.ts';
import type { CustomerEvent } from '../../model/webhook-event.ts';
import { newEvent, start } from './fixture.ts';
import type { World } from './world.ts';

export function webhook(event: CustomerEvent, endpointId = 'ep_1') {
  const { accountId, position, eventId, type, at } = event;
  return { endpointId, accountId, position, eventId, type, at };
}

/** Adds events and assigns them to the endpoints; returns the events. */
export async function giveOut(world: World, count = 1, endpointIds = ['ep_1'], at = start): Promise<CustomerEvent[]> {
  await world.store.addEvents(Array.from({ length: count }, () => newEvent({ at })));
  const from = await world.store.fannedOut();
  const { events, position } = await world.store.eventsAfter({ after: from, limit: 20_000 });
  const deliveries = events.flatMap((event) => endpointIds.map((endpointId) => webhook(event, endpointId)));
  expect(await world.store.fanOut({ from, to: position, deliveries })).toBe(true);
  return events;
}

export function outcome(
  position: number,
  fields: Partial<AttemptOutcome> & { status?: number | null } = {},
): AttemptOutcome {
  const { status = 200, ...rest } = fields;
  const error = status === null ? 'timeout' : null;
  const attempt = { at: start, durationMs: 12, status, error, answer: 'ok', skewSeconds: null };
  return { endpointId: 'ep_1', position, attempt, tries: 0, to: 'delivered', dueAt: 0, ...rest };
}

export const record = (world: World, ...outcomes: AttemptOutcome[]) =>
  world.store.recordAttempts({ outcomes, health: [] });
export const due = (world: World, now = start, limit = 100) =>
  world.store.dueWebhooks({ endpointId: 'ep_1', now, limit }).then((rows) => rows.map((row) => row.delivery.position));
export const one = (world: World, position: number) =>
  world.store.webhookDelivery({ accountId: 'acc1', endpointId: 'ep_1', position });
export const list = (world: World, fields: Partial<Parameters<World['store']['webhookDeliveries']>[0]> = {}) =>
  world.store
    .webhookDeliveries({ accountId: 'acc1', endpointIds: ['ep_1'], state: null, before: null, limit: 100, ...fields })
    .then((rows) => rows.map((row) => row.position));
