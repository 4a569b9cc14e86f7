/** Contract: the outbox: which endpoint gets which event, the results, and replays. */
import { describe, expect, it } from 'vitest';
import { deliveryId, type WebhookState } from '../../model/webhook-event.ts';
import { minute, type StoreFactory, start } from './fixture.ts';
import { due, giveOut, list, one, outcome, record, webhook } from './outbox.ts';
import { useWorld } from './world.ts';

const health = { endpointId: 'ep_1', failingSince: null, lastSuccessAt: start };

export function webhooksContract(factory: StoreFactory): void {
  describe('fan-out', () => {
    const world = useWorld(factory);

    it('stores a waiting delivery for each endpoint and advances the mark', async () => {
      expect(await world.store.fannedOut()).toBe(0);
      world.clock.set(start + minute);
      const [event] = await giveOut(world, 1, ['ep_1', 'ep_2'], start - 5);
      expect(await world.store.fannedOut()).toBe(event!.position);
      const [row, ...others] = await world.store.dueWebhooks({ endpointId: 'ep_1', now: start, limit: 10 });
      expect(others).toEqual([]);
      expect(row).toEqual({
        event,
        delivery: {
          deliveryId: deliveryId('ep_1', event!.position),
          endpointId: 'ep_1',
          accountId: 'acc1',
          position: event!.position,
          eventId: event!.eventId,
          type: 'carrier.down',
          state: 'waiting',
          attempts: 0,
          tries: 0,
          dueAt: start - 5,
          createdAt: start - 5,
          updatedAt: start + minute,
          lastStatus: null,
        },
      });
      expect(await world.store.webhookQueues()).toEqual([
        { endpointId: 'ep_1', waiting: 1, dueAt: start - 5 },
        { endpointId: 'ep_2', waiting: 1, dueAt: start - 5 },
      ]);
    });

    it('does nothing when the mark is elsewhere (W-02, W-08)', async () => {
      const [event] = await giveOut(world);
      const again = { from: 0, to: event!.position, deliveries: [webhook(event!)] };
      await world.restart();
      expect(await world.store.fanOut(again)).toBe(false);
      expect(await world.store.fanOut({ ...again, from: 99 })).toBe(false);
      const rivals = [1, 2].map((to) =>
        world.store.fanOut({ from: event!.position, to: event!.position + to, deliveries: [] }),
      );
      expect(await Promise.all(rivals)).toEqual([true, false]);
      expect(await world.store.fannedOut()).toBe(event!.position + 1);
      expect(await list(world)).toEqual([event!.position]);
    });

    it('does not advance the mark when a delivery cannot be stored', async () => {
      const [event] = await giveOut(world);
      const twice = { from: event!.position, to: event!.position + 1, deliveries: [webhook(event!)] };
      await expect(world.store.fanOut(twice)).rejects.toThrow();
      expect(await world.store.fannedOut()).toBe(event!.position);
    });

    it('returns the messages with the event', async () => {
      const messageId = await world.sent(['a1']);
      const { events, position } = await world.store.eventsAfter({ after: 0, limit: 10 });
      await world.store.fanOut({ from: 0, to: position, deliveries: events.map((event) => webhook(event)) });
      const [row] = await world.store.dueWebhooks({ endpointId: 'ep_1', now: start, limit: 10 });
      expect(row!.event).toEqual(events[0]);
      expect(row!.event.message).toMatchObject({ messageId, state: 'sent' });
      expect(row!.delivery).toMatchObject({ type: 'message.sent', state: 'waiting' });
    });
  });

  describe('due webhooks', () => {
    const world = useWorld(factory);

    it('come earliest due first, never too early, up to the limit, only of that endpoint', async () => {
      const [later] = await giveOut(world, 1, ['ep_1', 'ep_2'], start + 10);
      const [a, b] = await giveOut(world, 2);
      expect(await due(world)).toEqual([a!.position, b!.position]);
      expect(await due(world, start + 10)).toEqual([a!.position, b!.position, later!.position]);
      expect(await due(world, start + 10, 1)).toEqual([a!.position]);
      expect(await due(world, start - 1)).toEqual([]);
    });

    it('are counted per endpoint, exactly up to 10,000', async () => {
      await giveOut(world, 9_999, ['ep_a', 'ep_b']);
      await giveOut(world, 2, ['ep_b'], start - 1);
      expect(await world.store.webhookQueues()).toEqual([
        { endpointId: 'ep_a', waiting: 9_999, dueAt: start },
        { endpointId: 'ep_b', waiting: 10_000, dueAt: start - 1 },
      ]);
    });
  });

  describe('attempts', () => {
    const world = useWorld(factory);

    it('are numbered in the transaction and end or postpone their delivery', async () => {
      const [event] = await giveOut(world);
      const { position } = event!;
      const failed = outcome(position, { to: 'waiting', dueAt: start + 5_000, status: 500 });
      await record(world, failed);
      expect(await due(world, start + 4_999)).toEqual([]);
      expect(await due(world, start + 5_000)).toEqual([position]);
      world.clock.set(start + 6_000);
      await record(
        world,
        outcome(position, {
          tries: 1,
          attempt: { ...failed.attempt, at: start + 5_500, status: 204, skewSeconds: -7 },
        }),
      );
      const found = await one(world, position);
      expect(found!.delivery).toMatchObject({
        state: 'delivered',
        attempts: 2,
        tries: 2,
        updatedAt: start + 6_000,
        lastStatus: 204,
      });
      expect(found!.event).toEqual(event);
      expect(found!.attempts).toEqual([
        { attempt: 1, at: start, durationMs: 12, status: 500, error: null, answer: 'ok', skewSeconds: null },
        { attempt: 2, at: start + 5_500, durationMs: 12, status: 204, error: null, answer: 'ok', skewSeconds: -7 },
      ]);
      expect(await world.store.webhookQueues()).toEqual([]);
    });

    it('of one batch get a number each, and keep odd answers', async () => {
      const [a, b] = await giveOut(world, 2);
      const noAnswer = outcome(b!.position, { to: 'failed', status: null });
      noAnswer.attempt.answer = 'a\0b\ud83d';
      await Promise.all([
        record(world, outcome(a!.position, { to: 'waiting', dueAt: start + 1, status: 500 }), noAnswer),
        record(world, outcome(a!.position, { tries: 1, to: 'waiting', dueAt: start + 2, status: 501 })),
      ]);
      expect((await one(world, a!.position))!.attempts.map(({ attempt, status }) => [attempt, status])).toEqual([
        [1, 500],
        [2, 501],
      ]);
      expect((await one(world, a!.position))!.delivery).toMatchObject({ tries: 2, dueAt: start + 2 });
      const { delivery, attempts } = (await one(world, b!.position))!;
      expect(delivery).toMatchObject({ state: 'failed', lastStatus: null });
      expect(attempts).toEqual([
        expect.objectContaining({ attempt: 1, status: null, error: 'timeout', answer: 'a\ufffdb\ufffd' }),
      ]);
    });

    it.each(['delivered', 'failed'] as const)('do not move what is %s already', async (state) => {
      const [event] = await giveOut(world);
      await record(world, outcome(event!.position, { to: state }));
      await record(world, outcome(event!.position, { to: 'waiting', dueAt: start, status: 500, tries: 1 }));
      expect((await one(world, event!.position))!.delivery).toMatchObject({ state, attempts: 2, tries: 1 });
      expect(await due(world)).toEqual([]);
    });

    it('of a deleted delivery are dropped', async () => {
      const [event] = await giveOut(world);
      const gone = outcome(event!.position + 1, { endpointId: 'ep_9' });
      await world.store.recordAttempts({ outcomes: [gone, outcome(event!.position)], health: [health] });
      expect((await one(world, event!.position))!.delivery.state).toBe('delivered');
      expect(await world.store.endpointHealth()).toEqual([health]);
    });

    it('update the health of their endpoints, which survives a restart', async () => {
      expect(await world.store.endpointHealth()).toEqual([]);
      const bad = { endpointId: 'ep_0', failingSince: start - 1, lastSuccessAt: null };
      await world.store.recordAttempts({ outcomes: [], health: [bad, health] });
      await world.store.recordAttempts({
        outcomes: [],
        health: [
          { ...health, lastSuccessAt: 1 },
          { ...health, failingSince: 7 },
        ],
      });
      await world.restart();
      expect(await world.store.endpointHealth()).toEqual([bad, { ...health, failingSince: 7 }]);
      await world.store.recordAttempts({ outcomes: [], health: [] });
    });

    it('are shown up to the newest 100', async () => {
      const [event] = await giveOut(world);
      const many = Array.from({ length: 103 }, (_, tries) => outcome(event!.position, { to: 'waiting', tries }));
      await record(world, ...many);
      const { attempts } = (await one(world, event!.position))!;
      expect([attempts.length, attempts[0]!.attempt, attempts.at(-1)!.attempt]).toEqual([100, 4, 103]);
    });
  });

  describe('lists of webhooks', () => {
    const world = useWorld(factory);

    it('are newest event first, by state, in pages', async () => {
      const places = (await giveOut(world, 5, ['ep_1', 'ep_2'])).map((event) => event.position);
      const [a, b, c, d, e] = places as [number, number, number, number, number];
      await record(world, outcome(b), outcome(d), outcome(c, { to: 'failed' }));
      expect(await list(world)).toEqual([e, d, c, b, a]);
      expect(await list(world, { limit: 2 })).toEqual([e, d]);
      expect(await list(world, { before: d, limit: 2 })).toEqual([c, b]);
      const byState = (state: WebhookState, fields = {}) => list(world, { state, ...fields });
      expect(await byState('delivered')).toEqual([d, b]);
      expect(await byState('failed')).toEqual([c]);
      expect(await byState('waiting')).toEqual([e, a]);
      expect(await byState('waiting', { before: e })).toEqual([a]);
      expect(await list(world, { endpointIds: ['ep_2', 'ep_1', 'ep_2'], limit: 3 })).toEqual([e, e, d]);
      expect(await list(world, { endpointIds: [] })).toEqual([]);
    });

    it('show nothing to another account', async () => {
      const [event] = await giveOut(world);
      const { position } = event!;
      const place = { accountId: 'acc2', endpointId: 'ep_1', position };
      expect(await list(world, { accountId: 'acc2' })).toEqual([]);
      expect(await list(world, { accountId: 'acc2', state: 'waiting' })).toEqual([]);
      expect(await world.store.webhookDelivery(place)).toBeNull();
      await record(world, outcome(position));
      const replay = { accountId: 'acc2', endpointId: 'ep_1', now: start };
      expect(await world.store.replayWebhooks({ ...replay, which: { position } })).toMatchObject({ replayed: 0 });
      const which = { since: 0, until: start, after: 0 };
      expect(await world.store.replayWebhooks({ ...replay, which })).toMatchObject({ replayed: 0 });
      expect((await one(world, position))!.delivery.state).toBe('delivered');
    });
  });
}
