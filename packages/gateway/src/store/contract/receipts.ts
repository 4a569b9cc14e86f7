/**
 * Contract: receipts are matched to parts early and late, repeated and ambiguous; what they change and what they never
 * change.
 */
import { describe, expect, it } from 'vitest';
import { periodMs } from '../../messaging/store/statements/parts.ts';
import { carrierIdKeys } from '../../model/carrier-id.ts';
import type { Receipt } from '../../model/delivery.ts';
import { hour, minute, receipt, type StoreFactory, start } from './fixture.ts';
import { useWorld } from './world.ts';

const day = 24 * hour;

export function receiptsContract(factory: StoreFactory): void {
  describe('receipts by id', () => {
    const world = useWorld(factory);

    it('delivered and undelivered settle a message with the carrier’s code', async () => {
      const good = await world.sent(['a1']);
      const bad = await world.sent(['a2']);
      world.clock.set(start + 9);
      const moves = await world.receipts(
        { carrierMessageId: 'a1' },
        { carrierMessageId: 'a2', state: 'undelivered', code: 'UNREACHABLE', carrierCode: '021' },
      );
      expect(moves).toEqual([
        { messageId: good, accountId: 'acc1', from: 'sent', state: 'delivered', code: 'DELIVERED', carrier: 'c1' },
        { messageId: bad, accountId: 'acc1', from: 'sent', state: 'undelivered', code: 'UNREACHABLE', carrier: 'c1' },
      ]);
      const view = await world.view(bad);
      expect(view).toMatchObject({
        state: 'undelivered',
        code: 'UNREACHABLE',
        carrierCode: '021',
        updatedAt: start + 9,
      });
      expect(view?.parts[0]).toMatchObject({ state: 'undelivered', carrierCode: '021' });
      expect(await world.timeline(bad)).toEqual(['accepted', 'queued', 'sending', 'sent', 'undelivered']);
    });

    it('makes one event from the same receipt a hundred times', async () => {
      const messageId = await world.sent(['a1']);
      const hundred = Array.from({ length: 50 }, () => ({ carrierMessageId: 'a1' }));
      expect(await world.receipts(...hundred)).toHaveLength(1);
      expect(await world.receipts(...hundred)).toEqual([]);
      expect((await world.timeline(messageId)).filter((state) => state === 'delivered')).toHaveLength(1);
    });

    it('never changes a final state', async () => {
      const messageId = await world.sent(['a1']);
      await world.receipts({ carrierMessageId: 'a1' });
      for (const state of ['undelivered', 'interim'] as const) {
        expect(await world.receipts({ carrierMessageId: 'a1', state })).toEqual([]);
      }
      expect(await world.view(messageId)).toMatchObject({ state: 'delivered', parts: [{ state: 'delivered' }] });
    });

    it('changes nothing for an interim receipt of a sent message', async () => {
      const messageId = await world.sent(['a1']);
      expect(await world.receipts({ carrierMessageId: 'a1', state: 'interim' })).toEqual([]);
      expect((await world.view(messageId))?.state).toBe('sent');
    });

    it('of texts that may be receipts, applies those that name a part for their handset and drops the others', async () => {
      const messageId = await world.sent(['a1']);
      const named = (fields: Partial<Receipt>) => receipt(world.clock.now(), fields);
      const others = [named({ to: '12025550777' }), named({ carrierMessageId: 'x9' })];
      expect(await world.store.knownReceipts([...others, named({})])).toEqual([false, false, true]);
      expect(await world.store.knownReceipts([named({})])).toEqual([true]);
      expect(await world.timeline(messageId)).toEqual(['accepted', 'queued', 'sending', 'sent', 'delivered']);
      expect(await world.store.unmatchedReceipts(10)).toEqual([]);
    });

    it('of receipts that may be another cell’s, applies those on record and says which are still expected', async () => {
      const messageId = await world.sent(['a1']);
      await world.claimed({ to: '12025550191' });
      const named = (fields: Partial<Receipt>) => receipt(world.clock.now(), fields);
      const wanted = [
        named({}),
        named({ carrierMessageId: 'x1', to: '12025550191' }),
        named({ carrierMessageId: 'x2', to: '12025550191', carrier: 'c2' }),
        named({ carrierMessageId: 'x3', to: '12025550777' }),
        named({ carrierMessageId: 'x4', to: null }),
        named({ carrierMessageId: '', idKeys: [], to: null }),
      ];
      const statuses = ['known', 'expected', 'unknown', 'unknown', 'expected', 'unknown'];
      expect(await world.store.lookUpReceipts(wanted)).toEqual(statuses);
      expect((await world.view(messageId))?.state).toBe('delivered');
      expect(await world.store.unmatchedReceipts(10)).toEqual([]);
      expect(await world.store.lookUpReceipts(wanted)).toEqual(statuses);
      expect((await world.timeline(messageId)).filter((state) => state === 'delivered')).toHaveLength(1);
    });

    it('expects no receipt for a message whose answer is on record, and one for a message in doubt', async () => {
      const other = receipt(world.clock.now(), { carrierMessageId: 'x9' });
      await world.sent(['a1']);
      expect(await world.store.lookUpReceipts([other])).toEqual(['unknown']);
      const doubtful = await world.uncertain({ expiresAt: start + minute });
      expect(await world.store.lookUpReceipts([other])).toEqual(['expected']);
      world.clock.set(start + minute);
      await world.sweep();
      expect((await world.view(doubtful))?.state).toBe('unconfirmed');
      expect(await world.store.lookUpReceipts([other])).toEqual(['expected']);
      const late = { ...other, receivedAt: start + 4 * day };
      expect(await world.store.lookUpReceipts([late])).toEqual(['unknown']);
    });

    it('keeps a receipt that several cells expect without taking it as a proof, until its message is answered', async () => {
      const doubtful = await world.uncertain();
      const early = receipt(world.clock.now(), { carrierMessageId: 'x9' });
      await world.store.earlyReceipts([early]);
      expect((await world.view(doubtful))?.state).toBe('uncertain');
      expect(await world.store.unmatchedReceipts(10)).toHaveLength(1);
      const messageId = await world.sent(['x9']);
      expect((await world.view(messageId))?.state).toBe('delivered');
      expect(await world.store.unmatchedReceipts(10)).toEqual([]);
      await world.store.earlyReceipts([early]);
      expect(await world.store.unmatchedReceipts(10)).toEqual([]);
    });

    it('a text that may be a receipt proves nothing about an uncertain message', async () => {
      const messageId = await world.uncertain();
      expect(await world.store.knownReceipts([receipt(world.clock.now(), { carrierMessageId: 'x9' })])).toEqual([
        false,
      ]);
      expect((await world.view(messageId))?.state).toBe('uncertain');
    });

    it.each([
      ['in another case', 'ABcd-1', 'abCD-1'],
      ['without its leading zeros', '000123', '123'],
      ['with zeros in front', '77', '0000000077'],
      ['hexadecimal on record, decimal in the receipt', '39f99dd5', '0972660181'],
      ['decimal on record, hexadecimal in the receipt', '281605133', '10C8F40D'],
      ['longer than any number', '18446744073709551616', '10000000000000000'],
    ])('finds an id %s', async (_, onRecord, reported) => {
      const messageId = await world.sent([onRecord]);
      expect((await world.receipts({ carrierMessageId: reported })).map((move) => move.messageId)).toEqual([messageId]);
    });

    it('prefers the exact id to any other form of it', async () => {
      const hexadecimal = await world.sent(['10']);
      const exact = await world.sent(['16']);
      expect((await world.receipts({ carrierMessageId: '16' })).map((move) => move.messageId)).toEqual([exact]);
      expect((await world.view(hexadecimal))?.state).toBe('sent');
    });

    it('prefers the exact spelling among ids that differ only in spelling', async () => {
      await world.sent(['00A1']);
      const exact = await world.sent(['a1']);
      expect((await world.receipts({ carrierMessageId: 'a1' })).map((move) => move.messageId)).toEqual([exact]);
      expect(await world.receipts({ carrierMessageId: 'A1' })).toEqual([]);
    });

    it('applies the first of two contradicting receipts', async () => {
      const messageId = await world.sent(['a1']);
      const moves = await world.receipts({ state: 'undelivered', code: 'UNREACHABLE' }, { state: 'delivered' });
      expect(moves).toMatchObject([{ messageId, state: 'undelivered', code: 'UNREACHABLE' }]);
    });

    it('matches no part of another carrier or handset', async () => {
      const messageId = await world.sent(['a1']);
      expect(await world.receipts({ carrierMessageId: 'a1', carrier: 'c2' })).toEqual([]);
      expect(await world.receipts({ carrierMessageId: 'a1', to: '14155550199' })).toEqual([]);
      expect((await world.receipts({ carrierMessageId: 'a1', to: null })).map((move) => move.messageId)).toEqual([
        messageId,
      ]);
    });

    it.each(['4155550101', '04155550101'])(
      'with the exact id finds its handset without country code, %s',
      async (to) => {
        const messageId = await world.sent(['a1'], { to: '14155550101' });
        await world.sent(['b1'], { to: '14155550101' });
        expect(await world.receipts({ carrierMessageId: 'A1', to })).toEqual([]);
        expect((await world.receipts({ carrierMessageId: 'a1', to })).map((move) => move.messageId)).toEqual([
          messageId,
        ]);
      },
    );

    it('without country code finds no other number, and neither of two', async () => {
      await world.sent(['a1'], { to: '14155550101' });
      const others = ['2125550101', '5550102', '550101', '12125550101'].map((to) => ({ carrierMessageId: 'a1', to }));
      expect(await world.receipts(...others)).toEqual([]);
      await world.sent(['a1'], { to: '444155550101' });
      expect(await world.receipts({ carrierMessageId: 'a1', to: '4155550101' })).toEqual([]);
    });

    it('matches nothing when two parts fit', async () => {
      const twins = [await world.sent(['a1']), await world.sent(['a1'])];
      expect(await world.receipts({ carrierMessageId: 'a1' })).toEqual([]);
      for (const twin of twins) expect((await world.view(twin))?.state).toBe('sent');
    });

    it('distinguishes parts with one id by their handset', async () => {
      await world.sent(['a1'], { to: '14155550101' });
      const second = await world.sent(['a1'], { to: '14155550102' });
      const moves = await world.receipts({ carrierMessageId: 'a1', to: '14155550102' });
      expect(moves.map((move) => move.messageId)).toEqual([second]);
    });

    it('ignores parts of months ago: carriers reuse ids', async () => {
      const old = await world.sent(['a1']);
      world.clock.set(start + 60 * day);
      const young = await world.sent(['a1']);
      expect((await world.receipts({ carrierMessageId: 'a1' })).map((move) => move.messageId)).toEqual([young]);
      expect((await world.view(old))?.state).toBe('sent');
    });

    it('matches parts of up to 14 days ago, in whatever periods of the index both times are', async () => {
      const border = Math.ceil(start / periodMs) * periodMs;
      const matched: boolean[] = [];
      for (const [accepted, waited] of [
        [-1, 0],
        [-1, 1],
        [-1, 14 * day],
        [0, 14 * day],
        [1, 14 * day],
        [-day, 14 * day],
        [-14 * day, 14 * day],
        [-1, 14 * day + 1],
        [-14 * day, 14 * day + 1],
      ] as const) {
        world.clock.set(border + accepted);
        const to = `1415555${String(matched.length).padStart(4, '0')}`;
        await world.sent(['a1'], { to });
        world.clock.set(border + accepted + waited);
        matched.push((await world.receipts({ carrierMessageId: 'a1', to })).length > 0);
      }
      expect(matched).toEqual([true, true, true, true, true, true, true, false, false]);
    });

    it('matches a part whose answer was stored by a gateway with a later clock', async () => {
      const border = Math.ceil(start / periodMs) * periodMs;
      world.clock.set(border + 3_000);
      const messageId = await world.sent(['a1']);
      world.clock.set(border - 1_000);
      expect((await world.receipts({ carrierMessageId: 'a1' })).map((move) => move.messageId)).toEqual([messageId]);
    });

    it('matches nothing by an empty id', async () => {
      const messageId = await world.sent(['']);
      expect(await world.receipts({ carrierMessageId: '' })).toEqual([]);
      expect((await world.view(messageId))?.state).toBe('sent');
    });
  });

  describe('receipts of long messages', () => {
    const world = useWorld(factory);

    it('delivered when all parts are, in any order', async () => {
      const messageId = await world.sent(['p1', 'p2', 'p3']);
      expect(await world.receipts({ carrierMessageId: 'p3' }, { carrierMessageId: 'p1' })).toEqual([]);
      expect((await world.view(messageId))?.parts.map((part) => part.state)).toEqual([
        'delivered',
        'accepted',
        'delivered',
      ]);
      expect((await world.receipts({ carrierMessageId: 'p2' })).map((move) => move.state)).toEqual(['delivered']);
    });

    it('one id that stands for all parts settles the whole, and a retry sends nothing of it again', async () => {
      const claim = await world.claimed({ segments: 3 });
      const parts = [{ part: 1, spans: 3, carrierMessageId: 'whole' }];
      await world.settle(claim, { to: 'queued', parts, dueAt: start });
      const [again] = await world.claim();
      expect(again?.partsAccepted).toEqual([1, 2, 3]);
      await world.settle(again!, { parts: [] });
      await world.receipts({ carrierMessageId: 'whole', idKeys: ['whole'] });
      const message = await world.view(claim.messageId);
      expect(message).toMatchObject({ state: 'delivered', parts: [{ part: 1, spans: 3, state: 'delivered' }] });
    });

    it('one id that stands for all parts, settled at the first try', async () => {
      const claim = await world.claimed({ segments: 2 });
      await world.settle(claim, { parts: [{ part: 1, spans: 2, carrierMessageId: 'whole' }] });
      expect(await world.receipts({ carrierMessageId: 'whole', idKeys: ['whole'] })).toMatchObject([
        { messageId: claim.messageId, state: 'delivered' },
      ]);
    });

    it('an id without a span stands for one part, as in entries of earlier versions', async () => {
      const claim = await world.claimed({ segments: 2 });
      await world.settle(claim, { parts: [{ part: 1, carrierMessageId: 'one' }] });
      await world.receipts({ carrierMessageId: 'one', idKeys: ['one'] });
      expect((await world.view(claim.messageId))?.state).toBe('sent');
      expect((await world.view(claim.messageId))?.parts[0]).not.toHaveProperty('spans');
    });

    it('undelivered when one part is, with that part’s code', async () => {
      const messageId = await world.sent(['p1', 'p2']);
      const moves = await world.receipts(
        { carrierMessageId: 'p1' },
        { carrierMessageId: 'p2', state: 'undelivered', code: 'UNREACHABLE' },
      );
      expect(moves).toMatchObject([{ messageId, state: 'undelivered', code: 'UNREACHABLE' }]);
      expect(await world.timeline(messageId)).toEqual(['accepted', 'queued', 'sending', 'sent', 'undelivered']);
    });

    it('keeps a part’s outcome while the rest is still to be sent', async () => {
      const claim = await world.claimed({ segments: 2 });
      await world.settle(claim, { to: 'queued', parts: [{ part: 1, carrierMessageId: 'p1' }], dueAt: start });
      expect(await world.receipts({ carrierMessageId: 'p1' })).toEqual([]);
      expect((await world.view(claim.messageId))?.state).toBe('queued');
      const [again] = await world.claim();
      await world.settle(again!, { parts: [{ part: 2, carrierMessageId: 'p2' }] });
      expect((await world.receipts({ carrierMessageId: 'p2' })).map((move) => move.state)).toEqual(['delivered']);
    });

    it('settles with the last part when an earlier part has already failed', async () => {
      const claim = await world.claimed({ segments: 2 });
      await world.settle(claim, { to: 'queued', parts: [{ part: 1, carrierMessageId: 'p1' }], dueAt: start });
      await world.receipts({ carrierMessageId: 'p1', state: 'undelivered', code: 'UNREACHABLE', carrierCode: '5' });
      const [again] = await world.claim();
      const states = await world.settle(again!, { parts: [{ part: 2, carrierMessageId: 'p2' }] });
      expect(states).toEqual(['sent', 'undelivered']);
      const undelivered = { state: 'undelivered', code: 'UNREACHABLE', carrierCode: '5' };
      expect(await world.view(claim.messageId)).toMatchObject(undelivered);
    });

    it('leaves a failed message failed and shows the outcome of its parts', async () => {
      const claim = await world.claimed({ segments: 2 });
      await world.settle(claim, { to: 'failed', parts: [{ part: 1, carrierMessageId: 'p1' }] });
      expect(await world.receipts({ carrierMessageId: 'p1' })).toEqual([]);
      expect(await world.view(claim.messageId)).toMatchObject({ state: 'failed', parts: [{ state: 'delivered' }] });
    });
  });

  describe('receipts before the response', () => {
    const world = useWorld(factory);

    it('are kept and settle the message together with the response', async () => {
      const claim = await world.claimed();
      // With two ids neither proves the message when the start makes it uncertain.
      expect(await world.receipts({ carrierMessageId: '0A1' }, { carrierMessageId: 'b2' })).toEqual([]);
      await world.restart();
      const [again] = [{ ...claim }];
      await world.store.recover({ token: world.store.token, now: start, dueAt: start, limit: 10 });
      await world.sweep();
      const [second] = await world.claim();
      expect(second?.messageId).toBe(again.messageId);
      const states = await world.settle(second!, { parts: [{ part: 1, carrierMessageId: 'a1' }] });
      expect(states).toEqual(['sent', 'delivered']);
      expect(await world.view(claim.messageId)).toMatchObject({ state: 'delivered', parts: [{ state: 'delivered' }] });
    });

    it('match under any form of the id', async () => {
      const claim = await world.claimed();
      await world.receipts({ carrierMessageId: '0972660181', state: 'undelivered', code: 'UNREACHABLE' });
      const states = await world.settle(claim, { parts: [{ part: 1, carrierMessageId: '39f99dd5' }] });
      expect(states).toEqual(['sent', 'undelivered']);
    });

    it('settle a message once, whatever came early and is repeated', async () => {
      const claim = await world.claimed();
      await world.receipts({ state: 'interim' }, { state: 'delivered' }, { state: 'delivered' });
      const parts = [{ part: 1, carrierMessageId: 'a1' }];
      expect(await world.settle(claim, { parts })).toEqual(['sent', 'delivered']);
      expect(await world.receipts({})).toEqual([]);
    });

    it('in the same tick as the response are matched all the same', async () => {
      const claim = await world.claimed();
      const [sent, delivered] = await Promise.all([
        world.settle(claim, { parts: [{ part: 1, carrierMessageId: 'a1' }] }),
        world.receipts({}),
      ]);
      expect([...sent, ...delivered.map((move) => move.state)]).toEqual(['sent', 'delivered']);
    });

    it('of all parts of a long message settle the whole', async () => {
      const claim = await world.claimed({ segments: 2 });
      await world.receipts({ carrierMessageId: 'p1' }, { carrierMessageId: 'p2' });
      const parts = ['p1', 'p2'].map((carrierMessageId, index) => ({ part: index + 1, carrierMessageId }));
      expect(await world.settle(claim, { parts })).toEqual(['sent', 'delivered']);
    });

    it('for another handset or carrier stay unmatched', async () => {
      const claim = await world.claimed();
      await world.receipts({ to: '14155550199' }, { carrier: 'c2' });
      const parts = [{ part: 1, carrierMessageId: 'a1' }];
      expect(await world.settle(claim, { parts })).toEqual(['sent']);
      expect(await world.store.unmatchedReceipts(10)).toHaveLength(2);
    });

    it('are listed until they are matched, newest first, each once', async () => {
      const claim = await world.claimed();
      await world.receipts({ carrierMessageId: 'a1', to: null });
      world.clock.set(start + 1);
      await world.receipts({ carrierMessageId: 'b1' }, { carrierMessageId: 'b1' });
      expect(await world.store.unmatchedReceipts(10)).toEqual([
        {
          carrier: 'c1',
          carrierMessageId: 'b1',
          idKeys: carrierIdKeys('b1', 'auto'),
          to: '14155550100',
          state: 'delivered',
          code: 'DELIVERED',
          carrierCode: '000',
          raw: 'id:b1 stat:DELIVRD err:000',
          receivedAt: start + 1,
        },
        expect.objectContaining({ carrierMessageId: 'a1', to: null, receivedAt: start }),
      ]);
      expect(await world.store.unmatchedReceipts(1)).toHaveLength(1);
      await world.settle(claim, { parts: [{ part: 1, carrierMessageId: 'a1' }] });
      expect((await world.store.unmatchedReceipts(10)).map((receipt) => receipt.carrierMessageId)).toEqual(['b1']);
    });

    it('are deleted after a day, and only then', async () => {
      const claim = await world.claimed();
      const other = await world.claimed({ to: '14155550101' });
      await world.receipts({}, { to: '14155550101', receivedAt: start + hour, carrierMessageId: 'b1' });
      world.clock.set(start + day + 1);
      await world.sweep();
      const first = await world.settle(claim, { parts: [{ part: 1, carrierMessageId: 'a1' }] });
      expect(first).toEqual(['sent']);
      const second = await world.settle(other, { parts: [{ part: 1, carrierMessageId: 'b1' }] });
      expect(second).toEqual(['sent', 'delivered']);
    });

    it('are kept even with a NUL in their text', async () => {
      const claim = await world.claimed();
      await world.receipts({ raw: 'id:a1\0 stat:DELIVRD', carrierCode: '0\0' });
      const states = await world.settle(claim, { parts: [{ part: 1, carrierMessageId: 'a1' }] });
      expect(states).toEqual(['sent', 'delivered']);
      expect((await world.view(claim.messageId))?.carrierCode).toBe('0�');
    });
  });
}
