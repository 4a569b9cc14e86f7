/** Contract: replaying webhooks, by hand or by time range, and the deletion of old ones. */
import { describe, expect, it } from 'vitest';
import { hour, minute, type StoreFactory, start } from './fixture.ts';
import { due, giveOut, list, one, outcome, record } from './outbox.ts';
import { useWorld, type World } from './world.ts';

const days = 24 * hour;

function replayOne(world: World, position: number) {
  const now = world.clock.now();
  return world.store.replayWebhooks({ accountId: 'acc1', endpointId: 'ep_1', which: { position }, now });
}

function replayRange(world: World, since: number, until: number, after = 0) {
  const now = world.clock.now();
  return world.store.replayWebhooks({ accountId: 'acc1', endpointId: 'ep_1', which: { since, until, after }, now });
}

export function replayContract(factory: StoreFactory): void {
  describe('a replay', () => {
    const world = useWorld(factory);

    it.each(['delivered', 'failed', 'waiting'] as const)('queues a %s delivery again with the same id', async (to) => {
      const [event] = await giveOut(world);
      await record(world, outcome(event!.position, { to, dueAt: start + hour, status: 500 }));
      const before = (await one(world, event!.position))!;
      world.clock.set(start + minute);
      expect(await replayOne(world, event!.position)).toEqual({ replayed: 1, position: event!.position });
      expect(await due(world, start + minute)).toEqual([event!.position]);
      const { delivery, attempts } = (await one(world, event!.position))!;
      const now = start + minute;
      expect(delivery).toEqual({ ...before.delivery, state: 'waiting', tries: 0, dueAt: now, updatedAt: now });
      expect(attempts).toEqual(before.attempts);
      await record(world, outcome(event!.position));
      expect((await one(world, event!.position))!.attempts.map(({ attempt }) => attempt)).toEqual([1, 2]);
    });

    it('during an attempt stays queued if that fails, and is done if it succeeds', async () => {
      const [a, b] = await giveOut(world, 2);
      for (const { position } of [a!, b!]) {
        await record(world, outcome(position, { to: 'waiting', dueAt: start, status: 500 }));
        await replayOne(world, position);
      }
      await record(world, outcome(a!.position, { to: 'failed', tries: 1 }), outcome(b!.position, { tries: 1 }));
      expect((await one(world, a!.position))!.delivery).toMatchObject({
        state: 'waiting',
        attempts: 2,
        tries: 0,
        dueAt: start,
      });
      expect((await one(world, b!.position))!.delivery).toMatchObject({ state: 'delivered', attempts: 2 });
    });

    it('of a missing delivery does nothing', async () => {
      expect(await replayOne(world, 1)).toEqual({ replayed: 0, position: 1 });
      expect(await replayRange(world, 0, start)).toEqual({ replayed: 0, position: 0 });
    });

    it('takes only failed ones on request, and none when it only counts', async () => {
      const events = await giveOut(world, 3);
      const [a, b, c] = events.map(({ position }) => position);
      await record(
        world,
        outcome(a!),
        outcome(b!, { to: 'failed' }),
        outcome(c!, { to: 'waiting', dueAt: start + hour }),
      );
      const which = { since: 0, until: start + hour, after: 0, failedOnly: true };
      const request = { accountId: 'acc1', endpointId: 'ep_1', which, now: start };
      expect(await world.store.replayWebhooks({ ...request, countOnly: true })).toMatchObject({ replayed: 1 });
      expect((await one(world, b!))!.delivery.state).toBe('failed');
      expect(await world.store.replayWebhooks(request)).toMatchObject({ replayed: 1 });
      expect((await one(world, b!))!.delivery.state).toBe('waiting');
      expect((await one(world, a!))!.delivery.state).toBe('delivered');
    });

    it('of a time range takes the events in it', async () => {
      const at = [start, start + 1, start + 2, start + 3];
      const places: number[] = [];
      for (const time of at) places.push((await giveOut(world, 1, ['ep_1', 'ep_2'], time))[0]!.position);
      await record(world, ...places.map((position) => outcome(position)));
      expect(await replayRange(world, start + 1, start + 2)).toEqual({ replayed: 2, position: places[3] });
      expect(await due(world, start + hour)).toEqual(places.slice(1, 3));
      expect(await replayRange(world, 0, start + 9, places[2])).toEqual({ replayed: 1, position: places[3] });
    });

    it('of very many continues where the last call ended', async () => {
      const events = await giveOut(world, 10_003);
      await record(world, ...events.map((event) => outcome(event.position)));
      const first = await replayRange(world, start, start);
      expect(first).toEqual({ replayed: 10_000, position: events[9_999]!.position });
      expect(await replayRange(world, start, start, first.position)).toEqual({
        replayed: 3,
        position: events.at(-1)!.position,
      });
      expect(await world.store.webhookQueues()).toEqual([{ endpointId: 'ep_1', waiting: 10_000, dueAt: start }]);
    });
  });

  describe('an old delivery', () => {
    const world = useWorld(factory);
    const forget = (before: number, limit = 100) => world.store.forgetWebhooks({ before, limit });

    it('is deleted with its attempts; a waiting one fails first', async () => {
      const [done, waiting] = await giveOut(world, 2);
      await record(world, outcome(done!.position));
      expect(await forget(start)).toBe(false);
      expect(await list(world)).toHaveLength(2);

      world.clock.set(start + 30 * days + 1);
      expect(await forget(start + 1)).toBe(false);
      expect(await one(world, done!.position)).toBeNull();
      expect((await one(world, waiting!.position))!.delivery).toMatchObject({
        state: 'failed',
        attempts: 0,
        updatedAt: start + 30 * days + 1,
      });
      expect(await world.store.webhookQueues()).toEqual([]);
      expect(await forget(start + 1)).toBe(false);
      expect(await list(world, { state: 'failed' })).toEqual([waiting!.position]);
      expect(await forget(start + 61 * days)).toBe(false);
      expect(await list(world)).toEqual([]);
    });

    it('is deleted in bounded steps', async () => {
      await giveOut(world, 5);
      const steps: boolean[] = [];
      world.clock.set(start + 1);
      for (let more = true; more && steps.length < 10; steps.push(more)) more = await forget(start + 1, 2);
      expect(steps).toEqual([true, true, false]);
      expect(await list(world, { state: 'failed' })).toHaveLength(5);
    });

    it('accepts no attempt any more', async () => {
      const [event] = await giveOut(world);
      await record(world, outcome(event!.position));
      await forget(start + 1);
      await record(world, outcome(event!.position, { tries: 1 }));
      expect(await one(world, event!.position)).toBeNull();
      expect(await list(world)).toEqual([]);
    });
  });
}
