/** Contract: recovery after a restart, and the sweep of messages by time. */
import { describe, expect, it } from 'vitest';
import type { Settlement } from '../../model/delivery.ts';
import { hour, minute, type StoreFactory, start } from './fixture.ts';
import { repeatsContract } from './repeats.ts';
import { useWorld } from './world.ts';

export function timeContract(factory: StoreFactory): void {
  repeatsContract(factory);
  describe('recover', () => {
    const world = useWorld(factory);
    const recover = (limit = 100) =>
      world.store.recover({ token: world.store.token, now: start, dueAt: start + minute, limit });

    it('makes messages that an earlier start left `sending` uncertain, once', async () => {
      const claim = await world.claimed();
      const queued = await world.accept();
      await world.restart();
      expect(await recover()).toEqual([
        {
          messageId: claim.messageId,
          accountId: 'acc1',
          from: 'sending',
          state: 'uncertain',
          code: 'UNCERTAIN',
          carrier: 'c1',
        },
      ]);
      expect(await recover()).toEqual([]);
      await world.restart();
      expect(await recover()).toEqual([]);
      expect(await world.timeline(claim.messageId)).toEqual(['accepted', 'queued', 'sending', 'uncertain']);
      expect((await world.view(queued))?.state).toBe('queued');
    });

    it('leaves this start’s `sending` messages alone, and accepts no other token', async () => {
      const old = await world.claimed();
      await world.restart();
      const own = await world.claimed();
      const token = world.store.token + 1;
      expect(await world.store.recover({ token, now: start, dueAt: start, limit: 100 })).toEqual([]);
      expect((await recover()).map((move) => move.messageId)).toEqual([old.messageId]);
      expect(await world.settle(own)).toEqual(['sent']);
    });

    it('works in steps of the limit, over all lanes', async () => {
      for (const lane of ['c1', 'c2', 'c3']) await world.claimed({ lane });
      await world.restart();
      expect(await recover(2)).toHaveLength(2);
      expect(await recover(2)).toHaveLength(1);
      expect(await recover(2)).toHaveLength(0);
    });

    it('raises the token with every start', async () => {
      const first = world.store.token;
      await world.restart();
      expect(world.store.token).toBeGreaterThan(first);
    });
  });

  describe('sweep', () => {
    const world = useWorld(factory);

    it('expires messages queued past their validity, with one event', async () => {
      const messageId = await world.accept({ expiresAt: start + minute });
      world.clock.set(start + minute - 1);
      expect((await world.sweep()).moves).toEqual([]);
      world.clock.set(start + minute);
      expect((await world.sweep()).moves).toEqual([
        { messageId, accountId: 'acc1', from: 'queued', state: 'expired', code: 'EXPIRED', carrier: null },
      ]);
      expect((await world.sweep()).moves).toEqual([]);
      expect(await world.timeline(messageId)).toEqual(['accepted', 'queued', 'expired']);
    });

    it('expires a message that waits for a later attempt', async () => {
      const claim = await world.claimed({ expiresAt: start + hour });
      await world.settle(claim, { to: 'queued', parts: [], dueAt: start + 9 * hour });
      world.clock.set(start + hour);
      expect((await world.sweep()).moves.map((move) => move.state)).toEqual(['expired']);
    });

    it('says what the carrier refused a message with until its validity ended', async () => {
      const refused: Partial<Settlement> = {
        to: 'queued',
        code: 'CARRIER_UNAVAILABLE',
        parts: [],
        dueAt: start + hour,
      };
      const carrierCode = 'ESME_RTHROTTLED 0x00000058';
      const claims = [
        await world.claimed({ expiresAt: start + hour }),
        await world.claimed({ expiresAt: start + hour }),
      ];
      await world.settle(claims[0]!, { ...refused, carrierCode });
      // The link was down: the carrier gave no code.
      await world.settle(claims[1]!, refused);
      world.clock.set(start + hour);
      await world.sweep();
      const views = await Promise.all(claims.map(({ messageId }) => world.view(messageId)));
      const expired = { state: 'expired', code: 'CARRIER_UNAVAILABLE' };
      expect(views).toMatchObject([
        { ...expired, carrierCode },
        { ...expired, carrierCode: null },
      ]);
      expect(views[0]?.events.at(-1)).toMatchObject({ ...expired, carrierCode });
    });

    it('fails a long message of which the carrier took a part: only what never left expires', async () => {
      const claim = await world.claimed({ segments: 3, expiresAt: start + hour });
      const parts = [{ part: 1, carrierMessageId: 'p1' }];
      await world.settle(claim, { to: 'queued', code: 'CARRIER_UNAVAILABLE', parts, dueAt: start + hour });
      world.clock.set(start + hour);
      const { messageId } = claim;
      expect((await world.sweep()).moves).toMatchObject([{ messageId, state: 'failed', code: 'CARRIER_UNAVAILABLE' }]);
      await world.receipts({ carrierMessageId: 'p1' });
      expect(await world.view(messageId)).toMatchObject({ state: 'failed', parts: [{ part: 1, state: 'delivered' }] });
    });

    it('sends an unproven message again, marked, and only when it is due', async () => {
      const messageId = await world.uncertain();
      world.clock.set(start + minute - 1);
      expect((await world.sweep()).moves).toEqual([]);
      world.clock.set(start + minute);
      expect((await world.sweep()).moves).toMatchObject([{ messageId, state: 'queued' }]);
      const [claim] = await world.claim();
      expect(claim).toMatchObject({ messageId, attempt: 2, dupRisk: true, lane: 'c1' });
      await world.settle(claim!);
      expect((await world.view(messageId))?.dupRisk).toBe(true);
    });

    it('holds it where the account wants that, also past its validity', async () => {
      const messageId = await world.uncertain({ expiresAt: start + minute });
      world.clock.set(start + hour);
      expect((await world.sweep({ holdAccountIds: ['acc1'] })).moves).toMatchObject([
        { messageId, state: 'held', code: 'UNCERTAIN' },
      ]);
      expect((await world.sweep()).moves).toEqual([]);
      expect(await world.claim()).toEqual([]);
    });

    it('leaves it unconfirmed when its validity ended before it could be sent again: it may have arrived', async () => {
      const messageId = await world.uncertain({ expiresAt: start + minute });
      world.clock.set(start + minute);
      expect((await world.sweep()).moves).toMatchObject([{ messageId, state: 'unconfirmed', code: 'UNCERTAIN' }]);
      expect((await world.sweep()).moves).toEqual([]);
    });

    it('stops waiting for a receipt when its time is over', async () => {
      const messageId = await world.sent(['a1']);
      world.clock.set(start + 72 * hour - 1);
      expect((await world.sweep()).moves).toEqual([]);
      world.clock.set(start + 72 * hour);
      expect((await world.sweep()).moves).toMatchObject([{ messageId, state: 'unconfirmed', code: 'NO_RECEIPT' }]);
      expect((await world.sweep()).moves).toEqual([]);
    });

    it('works in steps of the limit and says when there is more', async () => {
      for (const lane of ['c1', 'c1', 'c2']) await world.accept({ lane, expiresAt: start });
      const first = await world.sweep({ limit: 2 });
      expect([first.moves.length, first.more]).toEqual([2, true]);
      const second = await world.sweep({ limit: 2 });
      expect([second.moves.length, second.more]).toEqual([1, false]);
    });

    it('leaves final states alone however much time passes', async () => {
      const claim = await world.claimed({ expiresAt: start + minute });
      await world.settle(claim, { to: 'failed', parts: [] });
      const delivered = await world.sent(['a1']);
      await world.receipts({});
      world.clock.set(start + 1_000 * hour);
      expect((await world.sweep()).moves).toEqual([]);
      expect((await world.view(claim.messageId))?.state).toBe('failed');
      expect((await world.view(delivered))?.state).toBe('delivered');
    });
  });
}
