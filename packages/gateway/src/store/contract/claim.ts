/** Contract: claiming for sending and settling the outcome of an attempt. */
import { describe, expect, it } from 'vitest';
import { hour, minute, type StoreFactory, settlement, start } from './fixture.ts';
import { useWorld } from './world.ts';

export function claimContract(factory: StoreFactory): void {
  describe('claim', () => {
    const world = useWorld(factory);

    it('returns what a carrier needs, already `sending` on disk', async () => {
      const item = world.item({ segments: 2 });
      item.message.wireText = 'as sent';
      await world.store.accept([item]);
      const claims = await world.claim();
      expect(claims).toEqual([
        {
          messageId: item.deliveries[0]!.messageId,
          accountId: 'acc1',
          keyId: 'key1',
          lane: 'c1',
          attempt: 1,
          dupRisk: false,
          from: '15550001111',
          to: '14155550100',
          text: 'as sent',
          messageType: 'SMS',
          segments: 2,
          concatReference: 7,
          expiresAt: start + 4 * hour,
          acceptedAt: start,
          partsAccepted: [],
        },
      ]);
      expect(await world.timeline(claims[0]!.messageId)).toEqual(['accepted', 'queued', 'sending']);
      expect((await world.view(claims[0]!.messageId))?.text).toBe('Hello');
    });

    it('gives each delivery once, oldest due first, never more than the limit', async () => {
      const ids = [];
      for (let index = 0; index < 5; index += 1) {
        world.clock.set(start + index);
        ids.push(await world.accept());
      }
      const [two, rest, none] = [await world.claim('c1', 2), await world.claim('c1', 9), await world.claim()];
      expect(two.map((claim) => claim.messageId)).toEqual(ids.slice(0, 2));
      expect(rest.map((claim) => claim.messageId)).toEqual(ids.slice(2));
      expect(none).toEqual([]);
    });

    it('gives what became due long before the head of the queue no later than ten seconds after', async () => {
      world.clock.set(start + hour);
      await world.accept();
      expect(await world.claim()).toHaveLength(1);
      world.clock.set(start + hour - minute);
      const late = await world.accept();
      world.clock.set(start + hour + 10_000);
      expect((await world.claim()).map((claim) => claim.messageId)).toEqual([late]);
    });

    it('gives what was stored late and due before the last claim together with what comes behind it', async () => {
      world.clock.set(start + minute);
      const ids = [await world.accept(), await world.accept(), await world.accept()].sort();
      expect((await world.claim('c1', 2)).map((claim) => claim.messageId)).toEqual(ids.slice(0, 2));
      world.clock.set(start + minute - 1_000);
      const late = await world.accept();
      world.clock.set(start + minute + 1);
      expect((await world.claim('c1', 2)).map((claim) => claim.messageId).sort()).toEqual([ids[2], late].sort());
    });

    it('never gives one delivery to two concurrent callers', async () => {
      await world.store.accept(Array.from({ length: 20 }, () => world.item()));
      const claims = (await Promise.all([1, 2, 3, 4].map(() => world.claim('c1', 7)))).flat();
      expect(new Set(claims.map((claim) => claim.messageId)).size).toBe(20);
      expect(claims).toHaveLength(20);
    });

    it('keeps lanes apart, and skips deliveries that are not due or expired', async () => {
      const later = await world.claimed();
      await world.settle(later, { to: 'queued', parts: [], dueAt: start + minute });
      await world.accept({ lane: 'c2' });
      await world.accept({ expiresAt: start });
      expect(await world.claim('c1')).toEqual([]);
      expect(await world.claim('c2')).toHaveLength(1);
      world.clock.set(start + minute);
      expect((await world.claim('c1')).map((claim) => claim.messageId)).toEqual([later.messageId]);
    });

    it('gives nothing to a token that is not this node’s, and nothing for a limit of 0', async () => {
      await world.accept();
      const { store } = world;
      expect(await store.claim({ lane: 'c1', limit: 5, now: start, token: store.token - 1 })).toEqual([]);
      expect(await store.claim({ lane: 'c1', limit: 0, now: start, token: store.token })).toEqual([]);
      expect(await store.claim({ lane: 'c1', limit: 5, now: start, token: store.token })).toHaveLength(1);
    });

    it('sees what was accepted and settled in the same tick', async () => {
      const again = await world.claimed();
      const [, , claims] = await Promise.all([
        world.settle(again, { to: 'queued', parts: [], dueAt: start }),
        world.accept(),
        world.claim(),
      ]);
      expect(claims).toHaveLength(2);
    });
  });

  describe('settle', () => {
    const world = useWorld(factory);

    it('sent: records parts and waits for receipts', async () => {
      const claim = await world.claimed();
      world.clock.set(start + 5);
      const parts = [{ part: 1, carrierMessageId: '00AB' }];
      expect(await world.settle(claim, { parts, carrierCode: 'ESME_ROK' })).toEqual(['sent']);
      const view = await world.view(claim.messageId);
      expect(view).toMatchObject({ state: 'sent', carrier: 'c1', carrierCode: 'ESME_ROK', updatedAt: start + 5 });
      expect(view?.parts).toEqual([
        {
          part: 1,
          carrier: 'c1',
          carrierMessageId: '00AB',
          state: 'accepted',
          carrierCode: null,
          updatedAt: start + 5,
        },
      ]);
    });

    it('failed: ends the message with its codes', async () => {
      const claim = await world.claimed();
      const refusal = { code: 'UNKNOWN_SUBSCRIBER', carrierCode: '0x0000000B', detail: 'no such number' } as const;
      await world.settle(claim, { to: 'failed', parts: [], ...refusal });
      const view = await world.view(claim.messageId);
      expect(view).toMatchObject({ state: 'failed', code: 'UNKNOWN_SUBSCRIBER', carrierCode: '0x0000000B' });
      expect(view?.events.at(-1)).toMatchObject({ sequence: 4, state: 'failed', ...refusal });
    });

    it('queued: another attempt later, in another lane, without the parts already sent', async () => {
      const claim = await world.claimed({ segments: 3 });
      const parts = [{ part: 2, carrierMessageId: 'b' }];
      await world.settle(claim, { to: 'queued', parts, dueAt: start + 1_000, lane: 'c2' });
      world.clock.set(start + 1_000);
      expect(await world.claim('c1')).toEqual([]);
      const [again] = await world.claim('c2');
      expect(again).toMatchObject({ attempt: 2, partsAccepted: [2], dupRisk: false, lane: 'c2' });
      expect(await world.timeline(claim.messageId)).toEqual(['accepted', 'queued', 'sending', 'queued', 'sending']);
    });

    it('a part that a later attempt sent again has the id of that attempt', async () => {
      const claim = await world.claimed({ segments: 2 });
      await world.settle(claim, { to: 'queued', parts: [{ part: 1, carrierMessageId: 'a' }], dueAt: start });
      const [again] = await world.claim();
      const parts = ['b', 'c'].map((carrierMessageId, index) => ({ part: index + 1, carrierMessageId }));
      expect(await world.settle(again!, { parts })).toEqual(['sent']);
      expect((await world.view(claim.messageId))?.parts.map((part) => part.carrierMessageId)).toEqual(['b', 'c']);
    });

    it('does not count an attempt that is given back', async () => {
      const claim = await world.claimed({ segments: 2 });
      const parts = [{ part: 1, carrierMessageId: 'a' }];
      await world.settle(claim, { to: 'queued', parts, dueAt: start, countsAttempt: false });
      expect((await world.claim())[0]).toMatchObject({ attempt: 1, partsAccepted: [1] });
    });

    it('ignores a settlement whose attempt is not the current one', async () => {
      const first = await world.claimed();
      await world.settle(first, { to: 'queued', parts: [], dueAt: start });
      const [second] = await world.claim();
      expect(await world.settle(first, { to: 'failed' })).toEqual([]);
      expect((await world.view(first.messageId))?.state).toBe('sending');
      expect(await world.settle(second!)).toEqual(['sent']);
      expect(await world.settle(second!)).toEqual([]);
      expect((await world.view(first.messageId))?.state).toBe('sent');
    });

    it('ignores a settlement of an earlier start of the node', async () => {
      const claim = await world.claimed();
      await world.restart();
      expect(await world.settle(claim)).toEqual([]);
      expect(await world.view(claim.messageId)).toMatchObject({ state: 'sending', parts: [] });
    });

    it('applies the current one of two settlements of a message, and none of an unknown message', async () => {
      const claim = await world.claimed();
      const states = await world.store.settle([
        settlement({ ...claim, attempt: 9 }, start, { to: 'failed' }),
        settlement(claim, start),
        settlement(claim, start, { to: 'failed' }),
        settlement({ ...claim, messageId: 'msg_unknown' }, start),
      ]);
      expect(states).toEqual([[], ['sent'], [], []]);
      expect(await world.timeline(claim.messageId)).toEqual(['accepted', 'queued', 'sending', 'sent']);
    });

    it('settles only `sending` deliveries', async () => {
      const messageId = await world.accept();
      const claim = { ...(await world.claimed({ lane: 'c2' })), messageId, attempt: 0 };
      expect(await world.settle(claim)).toEqual([]);
      expect((await world.view(messageId))?.state).toBe('queued');
    });

    it('shows a NUL from the carrier as a replacement character', async () => {
      const claim = await world.claimed();
      await world.settle(claim, { to: 'failed', parts: [], carrierCode: 'a\0b', detail: '\0' });
      expect((await world.view(claim.messageId))?.events.at(-1)).toMatchObject({ carrierCode: 'a�b', detail: '�' });
    });
  });
}
