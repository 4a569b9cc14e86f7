/** Contract: look-ups of queued messages, moves between lanes, a person's decisions, lists of messages. */
import { describe, expect, it } from 'vitest';
import { hour, minute, type StoreFactory, start } from './fixture.ts';
import { useWorld } from './world.ts';

export function queueContract(factory: StoreFactory): void {
  describe('queue', () => {
    const world = useWorld(factory);

    it('lists the messages queued in a lane, oldest first', async () => {
      const first = await world.accept();
      world.clock.set(start + 1);
      const second = await world.accept({ to: '14155550101', accountId: 'acc2' });
      await world.accept({ lane: 'c2' });
      const place = { messageId: first, dueAt: start };
      const shared = { from: '15550001111', messageType: 'SMS', begun: false };
      const rows = [
        { ...place, ...shared, accountId: 'acc1', to: '14155550100' },
        { messageId: second, dueAt: start + 1, ...shared, accountId: 'acc2', to: '14155550101' },
      ];
      expect(await world.store.queued('c1', 10)).toEqual(rows);
      expect(await world.store.queued('c1', 1)).toHaveLength(1);
      expect(await world.store.queued('c1', 10, place)).toEqual(rows.slice(1));
      expect(await world.store.queued('c9', 1)).toEqual([]);
    });

    it('says of which of them a carrier has taken a part', async () => {
      const claim = await world.claimed({ segments: 3 });
      const parts = [{ part: 2, carrierMessageId: 'b' }];
      await world.settle(claim, { to: 'queued', parts, dueAt: start + 1_000 });
      expect(await world.store.queued('c1', 10)).toMatchObject([{ messageId: claim.messageId, begun: true }]);
    });

    it('moves queued messages to another lane', async () => {
      const claim = await world.claimed();
      const waiting = await world.accept();
      const moves = [claim.messageId, waiting, 'msg_unknown'].map((messageId) => ({ messageId, lane: 'c2' }));
      expect(await world.store.relane(moves, start)).toBe(1);
      expect((await world.claim('c2')).map((other) => other.messageId)).toEqual([waiting]);
      expect((await world.view(claim.messageId))?.state).toBe('sending');
      expect(await world.timeline(waiting)).toEqual(['accepted', 'queued', 'sending']);
    });

    it('claims at once what was moved into a lane, however long it has waited', async () => {
      const waiting = await world.accept();
      world.clock.set(start + hour);
      expect(await world.claim('c2')).toEqual([]);
      world.clock.set(start + hour + 1_000);
      expect(await world.store.relane([{ messageId: waiting, lane: 'c2' }], world.clock.now())).toBe(1);
      expect((await world.claim('c2')).map((claim) => claim.messageId)).toEqual([waiting]);
    });

    it('lists the lanes with deadlines, and sweeps those it is given', async () => {
      await world.sent(['a1']);
      await world.uncertain({ lane: 'c3' });
      // Shown, so that no journal has it alone.
      expect((await world.view(await world.accept({ lane: 'c1' })))?.state).toBe('queued');
      const lanes = await world.store.workingLanes();
      expect(lanes).toEqual({ queued: ['c1'], uncertain: ['c3'], sent: ['c1'] });
      world.clock.set(start + 24 * hour);
      expect((await world.sweep({ lanes: { queued: [], uncertain: [], sent: [] } })).moves).toEqual([]);
      expect((await world.sweep({ lanes: { ...lanes, uncertain: [] } })).moves).toMatchObject([{ state: 'expired' }]);
      expect((await world.sweep({ lanes })).moves).toHaveLength(1);
    });

    it('counts per lane', async () => {
      expect(await world.store.queueCounts()).toEqual([]);
      await world.accept();
      world.clock.set(start + 5);
      await world.accept();
      await world.accept({ lane: 'c2' });
      await world.claimed({ lane: 'c3' });
      expect(await world.store.queueCounts()).toEqual([
        { lane: 'c1', queued: 2, oldestDueAt: start },
        { lane: 'c2', queued: 1, oldestDueAt: start + 5 },
      ]);
    });

    it('returns the next time at which a message is due', async () => {
      expect(await world.store.nextDueAt(start)).toBeNull();
      await world.sent(['a1']);
      expect(await world.store.nextDueAt(start)).toBeNull();
      const claim = await world.claimed({ lane: 'c2' });
      await world.settle(claim, { to: 'queued', parts: [], dueAt: start + hour });
      expect(await world.store.nextDueAt(start)).toBe(start + hour);
      await world.uncertain({ lane: 'c3' });
      expect(await world.store.nextDueAt(start)).toBe(start + minute);
      expect(await world.store.nextDueAt(start + minute)).toBe(start + hour);
      expect(await world.store.nextDueAt(start + hour)).toBeNull();
    });
  });

  describe('decide', () => {
    const world = useWorld(factory);
    const decide = (messageId: string, to: 'queued' | 'canceled', accountId = 'acc1') =>
      world.store.decide({ accountId, messageId, to, now: world.clock.now() });

    async function held(): Promise<string> {
      const messageId = await world.uncertain();
      world.clock.set(world.clock.now() + minute);
      await world.sweep({ holdAccountIds: ['acc1'] });
      return messageId;
    }

    it('releases a held message, marked as a possible duplicate', async () => {
      const messageId = await held();
      expect(await decide(messageId, 'queued')).toBe(true);
      expect(await world.claim()).toMatchObject([{ messageId, dupRisk: true, attempt: 2 }]);
    });

    it('cancels a held and a queued message', async () => {
      for (const messageId of [await held(), await world.accept()]) {
        expect(await decide(messageId, 'canceled')).toBe(true);
        expect(await world.view(messageId)).toMatchObject({ state: 'canceled', code: 'CANCELED' });
        expect(await decide(messageId, 'canceled')).toBe(false);
        expect(await decide(messageId, 'queued')).toBe(false);
      }
      expect(await world.claim()).toEqual([]);
    });

    it('decides nothing about messages in another state, unknown ones, or another account’s', async () => {
      const claim = await world.claimed();
      expect(await decide(claim.messageId, 'canceled')).toBe(false);
      await world.settle(claim);
      expect(await decide(claim.messageId, 'canceled')).toBe(false);
      expect(await decide('msg_unknown', 'canceled')).toBe(false);
      const queued = await world.accept();
      expect(await decide(queued, 'canceled', 'acc2')).toBe(false);
      expect(await decide(queued, 'queued')).toBe(false);
      expect((await world.view(queued))?.events).toHaveLength(2);
    });
  });

  describe('messages', () => {
    const world = useWorld(factory);
    const list = (fields = {}) =>
      world.store.messages({
        accountId: 'acc1',
        direction: null,
        from: null,
        to: null,
        before: null,
        limit: 10,
        ...fields,
      });
    const ids = async (fields = {}) => (await list(fields)).map((view) => view.messageId);

    it('lists newest first, page by page, by direction and numbers, of one account only', async () => {
      const first = await world.accept({ to: '14155550101' });
      const second = await world.accept({ from: '15550002222' });
      const reply = world.inboundItem();
      await world.store.inbound([reply]);
      const third = await world.accept();
      await world.accept({ accountId: 'acc2' });

      expect(await ids()).toEqual([third, reply.messageId, second, first]);
      expect(await ids({ limit: 2 })).toEqual([third, reply.messageId]);
      expect(await ids({ before: reply.messageId })).toEqual([second, first]);
      expect(await ids({ after: first })).toEqual([second, reply.messageId, third]);
      expect(await ids({ after: first, limit: 1 })).toEqual([second]);
      expect(await ids({ after: first, direction: 'inbound', to: '15550001111' })).toEqual([reply.messageId]);
      expect(await ids({ after: third })).toEqual([]);
      expect(await ids({ direction: 'outbound' })).toEqual([third, second, first]);
      expect(await ids({ direction: 'inbound' })).toEqual([reply.messageId]);
      expect(await ids({ to: '14155550101' })).toEqual([first]);
      expect(await ids({ from: '15550002222' })).toEqual([second]);
      expect(await ids({ from: '15550002222', to: '14155550101' })).toEqual([]);
      expect(await ids({ accountId: 'acc3' })).toEqual([]);
    });

    it('shows each with its parts and events', async () => {
      const messageId = await world.sent(['a1']);
      const [view] = await list();
      expect(view).toEqual(await world.view(messageId));
      expect(view?.parts).toHaveLength(1);
      expect(view?.events.map((event) => event.sequence)).toEqual([1, 2, 3, 4]);
    });
  });
}
