/** Contract: a text held at acceptance waits, gives its reason, and becomes due at its time or when it is released. */
import { describe, expect, it } from 'vitest';
import type { SmsItem } from '../../messaging/store/items.ts';
import type { OutcomeCode } from '../../model/reason.ts';
import { hour, type ItemFields, minute, type StoreFactory, start } from './fixture.ts';
import { useWorld, type World } from './world.ts';

const held = { until: start + 9 * hour, code: 'QUIET_HOURS', detail: 'Held until the morning.' } as const;

function item(world: World, fields: ItemFields = {}): SmsItem {
  return { ...world.item({ expiresAt: held.until + hour, ...fields }), held };
}

async function accept(world: World, fields?: ItemFields): Promise<string> {
  const one = item(world, fields);
  await world.store.accept([one]);
  return one.deliveries[0]!.messageId;
}

export function heldContract(factory: StoreFactory): void {
  describe('texts held at acceptance', () => {
    const world = useWorld(factory);

    it('wait, among others that do not, and are claimed at their time as a first attempt, after a restart too', async () => {
      const [first, second] = [item(world, { recipients: ['14155550100', '14155550101'] }), world.item()];
      await world.store.accept([first, second]);
      expect((await world.claim()).map(({ messageId }) => messageId)).toEqual([second.deliveries[0]!.messageId]);
      world.clock.set(held.until - 1);
      await world.restart();
      await world.sweep();
      expect(await world.claim()).toEqual([]);
      world.clock.set(held.until);
      const claims = await world.claim();
      expect(claims.map(({ messageId, attempt }) => [messageId, attempt])).toEqual(
        first.deliveries.map(({ messageId }) => [messageId, 1]),
      );
      await world.settle(claims[0]!);
      expect(await world.timeline(claims[0]!.messageId)).toEqual(['accepted', 'queued', 'queued', 'sending', 'sent']);
    });

    it('say in their timeline why and until when', async () => {
      const view = await world.view(await accept(world));
      expect(view).toMatchObject({ state: 'queued', code: 'QUIET_HOURS' });
      expect(view!.wait).toEqual({ accountId: 'acc1', lane: 'c1', mediaDueAt: null, dueAt: held.until });
      expect(view!.events.at(-1)).toEqual({
        sequence: 3,
        state: 'queued',
        at: start,
        code: 'QUIET_HOURS',
        detail: held.detail,
        carrier: null,
        carrierCode: null,
      });
    });

    it('send no event, expire with their validity, and can be canceled', async () => {
      const short = await accept(world, { expiresAt: start + hour });
      const canceled = await accept(world);
      const log = await world.store.eventsAfter({ after: 0, limit: 100 });
      expect(log.events).toEqual([]);
      const decision = { accountId: 'acc1', messageId: canceled, to: 'canceled', now: start } as const;
      expect(await world.store.decide(decision)).toBe(true);
      world.clock.set(start + hour);
      await world.sweep();
      expect([(await world.view(short))!.state, (await world.view(canceled))!.state]).toEqual(['expired', 'canceled']);
    });

    it('are found by the reason they wait for, and are sent at once when released', async () => {
      const id = await accept(world);
      await accept(world, { lane: 'c2' });
      await world.accept();
      const ask = (codes: OutcomeCode[]) => world.store.waitingFor({ codes, now: start, after: null, limit: 10 });
      expect((await ask(['CAMPAIGN_LIMIT'])).waiting).toEqual([]);
      const { waiting } = await ask([held.code]);
      expect(waiting).toMatchObject([{ messageId: id, dueAt: held.until }]);
      world.clock.set(start + minute);
      expect(await world.store.makeDue([id], start + minute)).toBe(1);
      expect((await world.claim()).map(({ messageId }) => messageId)).toContain(id);
    });

    it('are held once, however often they are sent under one key', async () => {
      const key = { key: 'k', bodyHash: 'h' };
      const id = await accept(world, { key });
      const again = item(world, { key });
      expect(await world.store.accept([again])).toMatchObject([{ kind: 'replay' }]);
      expect(await world.timeline(id)).toHaveLength(3);
      expect(await world.view(again.deliveries[0]!.messageId)).toBeNull();
    });

    it('are no messages under way', async () => {
      const sending = item(world);
      sending.deliveries[0]!.sending = true;
      await expect(world.store.accept([sending])).rejects.toThrow(/only texts/);
    });
  });
}
