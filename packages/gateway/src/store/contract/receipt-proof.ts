/** Contract: which uncertain messages a receipt with an unknown id proves, and where it may be about something else. */
import { describe, expect, it } from 'vitest';
import { carrierIdKeys } from '../../model/carrier-id.ts';
import type { Settlement } from '../../model/delivery.ts';
import { hour, minute, receipt, type StoreFactory, start } from './fixture.ts';
import { useWorld } from './world.ts';

export function receiptProofContract(factory: StoreFactory): void {
  describe('receipts for uncertain messages', () => {
    const world = useWorld(factory);

    it.each(['delivered', 'undelivered'] as const)('an unknown id proves the only candidate %s', async (state) => {
      const messageId = await world.uncertain();
      expect(await world.receipts({ carrierMessageId: 'x9', state })).toMatchObject([{ messageId, state }]);
      expect((await world.view(messageId))?.parts).toMatchObject([{ part: 1, carrierMessageId: 'x9', state }]);
      expect(await world.receipts({ carrierMessageId: 'x9', state })).toEqual([]);
    });

    it('an interim receipt proves it sent; the final one then finds it by its id', async () => {
      const messageId = await world.uncertain();
      const moves = await world.receipts({ carrierMessageId: 'x9', state: 'interim' }, { carrierMessageId: 'x9' });
      expect(moves.map((move) => move.state)).toEqual(['delivered']);
      const other = await world.uncertain();
      expect(await world.receipts({ carrierMessageId: 'y9', state: 'interim' })).toMatchObject([{ state: 'sent' }]);
      world.clock.set(start + 2 * minute);
      await world.sweep();
      expect((await world.view(other))?.state).toBe('sent');
      expect(await world.receipts({ carrierMessageId: 'y9' })).toMatchObject([
        { messageId: other, state: 'delivered' },
      ]);
      expect(await world.timeline(messageId)).toEqual(['accepted', 'queued', 'sending', 'uncertain', 'delivered']);
    });

    it('a held message is proven too', async () => {
      const messageId = await world.uncertain();
      world.clock.set(start + 2 * minute);
      await world.sweep({ holdAccountIds: ['acc1'] });
      expect((await world.view(messageId))?.state).toBe('held');
      expect(await world.receipts({ carrierMessageId: 'x9' })).toMatchObject([{ messageId, state: 'delivered' }]);
    });

    it('proves nothing with two candidates, one being sent, another handset, another carrier or none named', async () => {
      await world.uncertain();
      expect(await world.receipts({ carrierMessageId: 'x1', to: '14155550199' })).toEqual([]);
      expect(await world.receipts({ carrierMessageId: 'x2', carrier: 'c2' })).toEqual([]);
      expect(await world.receipts({ carrierMessageId: 'x3', to: null })).toEqual([]);
      await world.claimed();
      expect(await world.receipts({ carrierMessageId: 'x4' })).toEqual([]);
    });

    it('proves nothing with two candidates', async () => {
      await world.uncertain();
      await world.uncertain();
      expect(await world.receipts({ carrierMessageId: 'x1' })).toEqual([]);
    });

    it('proves nothing while a part that was sent without an id may be meant', async () => {
      await world.sent(['']);
      await world.uncertain();
      expect(await world.receipts({ carrierMessageId: 'x1' })).toEqual([]);
    });

    it('proves one message with one of two unknown ids', async () => {
      const messageId = await world.uncertain();
      expect(await world.receipts({ carrierMessageId: 'x1' }, { carrierMessageId: 'x2' })).toMatchObject([
        { messageId },
      ]);
      expect((await world.view(messageId))?.parts).toMatchObject([{ carrierMessageId: 'x1' }]);
      const later = await world.claimed();
      const states = await world.settle(later, { parts: [{ part: 1, carrierMessageId: 'x2' }] });
      expect(states).toEqual(['sent', 'delivered']);
    });

    it('does not take one part’s receipt as proof of a long message', async () => {
      const messageId = await world.uncertain({ segments: 2 });
      expect(await world.receipts({ carrierMessageId: 'x1' })).toEqual([]);
      expect((await world.view(messageId))?.state).toBe('uncertain');
    });

    it('takes the one receipt of a text that the carrier splits as proof of all of it', async () => {
      const messageId = await world.uncertain({ segments: 3 });
      const moves = await world.receipts({ carrierMessageId: 'x1', ofWhole: true });
      expect(moves).toMatchObject([{ messageId, state: 'delivered' }]);
      expect((await world.view(messageId))?.parts).toMatchObject([{ part: 1, spans: 3, carrierMessageId: 'x1' }]);
    });

    it('proves nothing of a text that the carrier splits once a part of it is known', async () => {
      const claim = await world.claimed({ segments: 3 });
      const parts = [{ part: 2, carrierMessageId: 'p2' }];
      await world.settle(claim, { to: 'uncertain', parts, dueAt: start + minute });
      expect(await world.receipts({ carrierMessageId: 'x1', ofWhole: true })).toEqual([]);
    });

    it('proves the one part of a long message that was not answered', async () => {
      const claim = await world.claimed({ segments: 2 });
      const parts = [{ part: 2, carrierMessageId: 'p2' }];
      await world.settle(claim, { to: 'uncertain', parts, dueAt: start + minute });
      expect(await world.receipts({ carrierMessageId: 'x1' })).toMatchObject([{ state: 'sent' }]);
      expect(await world.receipts({ carrierMessageId: 'p2' })).toMatchObject([{ state: 'delivered' }]);
    });

    it('a failed part with a known id settles the message', async () => {
      const claim = await world.claimed({ segments: 2 });
      const parts = [{ part: 1, carrierMessageId: 'p1' }];
      await world.settle(claim, { to: 'uncertain', parts, dueAt: start + minute });
      expect(await world.receipts({ carrierMessageId: 'p1', state: 'undelivered' })).toMatchObject([
        { state: 'undelivered' },
      ]);
    });

    it('an unconfirmed message still takes a late receipt', async () => {
      const messageId = await world.sent(['a1']);
      world.clock.set(start + 80 * hour);
      await world.sweep();
      expect((await world.view(messageId))?.state).toBe('unconfirmed');
      const idKeys = carrierIdKeys('a1', 'string');
      expect(await world.receipts({ carrierMessageId: 'a1', idKeys })).toMatchObject([
        { messageId, state: 'delivered' },
      ]);
    });
  });

  describe('a receipt with an unknown id, for a handset with other messages', () => {
    const world = useWorld(factory);

    /** Uncertain, then repeated and sent under another id: the carrier may have its first copy too. */
    async function repeated(id: string): Promise<string> {
      const messageId = await world.uncertain();
      world.clock.set(world.clock.now() + minute);
      await world.sweep();
      const [again] = await world.claim();
      expect(again).toMatchObject({ messageId, dupRisk: true });
      await world.settle(again!, { parts: [{ part: 1, carrierMessageId: id }] });
      return messageId;
    }

    const unknown = { carrierMessageId: 'face0001', idKeys: ['face0001'] };

    it('may be about the first copy of a message that was repeated: proves no other', async () => {
      const first = await repeated('face0002');
      const second = await world.uncertain();
      expect(await world.receipts(unknown)).toEqual([]);
      expect((await world.view(first))?.state).toBe('sent');
      expect((await world.view(second))?.state).toBe('uncertain');
      expect(await world.store.unmatchedReceipts(10)).toMatchObject([{ carrierMessageId: 'face0001' }]);
      // For three days: the receipt of a copy may come as late as any other.
      await world.receipts({ carrierMessageId: 'face0002', idKeys: ['face0002'] });
      world.clock.set(world.clock.now() + 71 * hour);
      await world.sweep();
      await world.uncertain();
      const late = { carrierMessageId: 'face0003', idKeys: ['face0003'] };
      expect(await world.receipts(late)).toEqual([]);
    });

    it('after three days no earlier copy is expected', async () => {
      await repeated('face0002');
      world.clock.set(world.clock.now() + 72 * hour + 1);
      await world.sweep();
      const later = await world.uncertain();
      expect(await world.receipts(unknown)).toMatchObject([{ messageId: later, state: 'delivered' }]);
    });

    it('may be about a message that a person released or canceled', async () => {
      for (const to of ['queued', 'canceled'] as const) {
        const messageId = await world.uncertain({ to: '14155550122' });
        world.clock.set(world.clock.now() + minute);
        await world.sweep({ holdAccountIds: ['acc1'] });
        await world.store.decide({ accountId: 'acc1', messageId, to, now: world.clock.now() });
        if (to === 'queued') await world.settle((await world.claim())[0]!);
      }
      await world.uncertain({ to: '14155550122' });
      expect(await world.receipts({ ...unknown, to: '14155550122' })).toEqual([]);
    });

    it('is expected where a copy may be', async () => {
      await repeated('face0002');
      expect(await world.store.lookUpReceipts([receipt(world.clock.now(), unknown)])).toEqual(['expected']);
    });

    it('proves a repeated message itself: every copy is the same text', async () => {
      const messageId = await world.uncertain();
      world.clock.set(start + minute);
      await world.sweep();
      const [again] = await world.claim();
      await world.settle(again!, { to: 'uncertain', parts: [], dueAt: start + hour });
      expect(await world.receipts(unknown)).toMatchObject([{ messageId, state: 'delivered' }]);
    });

    it('proves no part of a long message that was repeated: it may be about an earlier copy of another part', async () => {
      const messageId = await world.uncertain({ segments: 2 });
      world.clock.set(start + minute);
      await world.sweep();
      const [again] = await world.claim();
      const parts = [{ part: 1, carrierMessageId: 'p1' }];
      await world.settle(again!, { to: 'uncertain', parts, dueAt: start + hour });
      expect(await world.receipts(unknown)).toEqual([]);
      expect((await world.view(messageId))?.parts).toHaveLength(1);
    });

    it.each([
      ['hexadecimal on record', '00B8BE19', '0012107289'],
      ['decimal on record', '12107289', '00B8BE19'],
    ])('may be about a part whose id it is in another base, %s', async (_, onRecord, reported) => {
      const first = await world.sent([onRecord]);
      const second = await world.uncertain();
      const idKeys = carrierIdKeys(reported, 'string');
      expect(await world.receipts({ carrierMessageId: reported, idKeys })).toEqual([]);
      expect((await world.view(first))?.state).toBe('sent');
      expect((await world.view(second))?.state).toBe('uncertain');
    });

    it('that fits two parts proves no third message', async () => {
      const twins = [await world.sent(['a1'], { to: '14155550133' }), await world.sent(['a1'], { to: '14155550133' })];
      await world.uncertain({ to: '14155550133' });
      expect(await world.receipts({ carrierMessageId: 'a1', to: '14155550133' })).toEqual([]);
      for (const twin of twins) expect((await world.view(twin))?.state).toBe('sent');
    });
  });

  describe('a receipt that came while the attempt had no answer', () => {
    const world = useWorld(factory);
    const doubtful: Partial<Settlement> = { to: 'uncertain', code: 'UNCERTAIN', parts: [], dueAt: start + hour };

    it.each(['delivered', 'undelivered'] as const)('settles the message as it becomes uncertain: %s', async (state) => {
      const claim = await world.claimed();
      world.clock.set(start + 5);
      expect(await world.receipts({ state: 'interim' }, { state })).toEqual([]);
      expect(await world.settle(claim, doubtful)).toEqual(['uncertain', state]);
      expect(await world.view(claim.messageId)).toMatchObject({ state, parts: [{ carrierMessageId: 'a1', state }] });
      expect(await world.store.unmatchedReceipts(10)).toEqual([]);
    });

    it('settles it after a crash too', async () => {
      const claim = await world.claimed();
      await world.receipts({});
      await world.restart();
      const request = { token: world.store.token, now: start, dueAt: start + minute, limit: 10 };
      const moves = await world.store.recover(request);
      expect(moves.map(({ state }) => state)).toEqual(['uncertain', 'delivered']);
      expect((await world.view(claim.messageId))?.state).toBe('delivered');
    });

    it('proves nothing where it came before the attempt, for another handset or carrier, or where two ids came', async () => {
      await world.receipts({ carrierMessageId: 'x1' });
      world.clock.set(start + 1);
      const claim = await world.claimed();
      await world.receipts({ carrierMessageId: 'x2', to: '14155550199' }, { carrierMessageId: 'x3', carrier: 'c2' });
      expect(await world.settle(claim, doubtful)).toEqual(['uncertain']);
      const other = await world.claimed({ to: '14155550144' });
      const to = '14155550144';
      await world.receipts({ carrierMessageId: 'y1', to }, { carrierMessageId: 'y2', to });
      expect(await world.settle(other, doubtful)).toEqual(['uncertain']);
      expect(await world.store.unmatchedReceipts(10)).toHaveLength(5);
    });

    it('proves nothing where it may be about another message', async () => {
      await world.sent(['00B8BE19']);
      const claim = await world.claimed();
      await world.receipts({ carrierMessageId: '0012107289', idKeys: ['12107289'] });
      expect(await world.settle(claim, doubtful)).toEqual(['uncertain']);
    });
  });
}
