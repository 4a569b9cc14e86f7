/** Contract: receipts that a person assigns to a message. They act like any other receipt, once, with an event. */
import { describe, expect, it } from 'vitest';
import { firstIdAt } from '../../kernel/ids.ts';
import type { NewAuditEntry } from '../../model/people-audit.ts';
import { hour, minute, type StoreFactory, start } from './fixture.ts';
import { useWorld } from './world.ts';

const name = { carrier: 'c1', carrierMessageId: 'x9', to: '14155550100', state: 'delivered' } as const;
const audit: NewAuditEntry = {
  at: start,
  accountId: 'acc0',
  userId: 'usr_1',
  who: 'ada@example.com',
  what: 'receipt.matched',
  target: 't',
  before: null,
  after: null,
  address: null,
  requestId: null,
};

export function receiptMatchContract(factory: StoreFactory): void {
  describe('receipts matched by hand', () => {
    const world = useWorld(factory);
    const match = (messageId: string, more: object = {}) =>
      world.store.matchReceipt({ receipt: name, messageId, part: 1, audit, ...more });
    const candidates = async (messageId: string | null = null) =>
      (await world.store.receiptCandidates({ receipt: name, messageId }))?.candidates ?? null;
    const kept = () => world.store.unmatchedReceipts(10);

    it('are offered for open and earlier messages of its handset and carrier', async () => {
      const waits = await world.sent(['a1'], { text: 'Hello you' });
      // Final messages are found by the time in their id.
      const over = firstIdAt('msg_', start - minute);
      const item = world.item();
      await world.store.accept([{ ...item, deliveries: [{ ...item.deliveries[0]!, messageId: over }] }]);
      const [claim] = await world.claim();
      await world.settle(claim!, { parts: [{ part: 1, carrierMessageId: 'a2' }] });
      await world.receipts({ carrierMessageId: 'a2' });
      const doubtful = await world.uncertain();
      await world.sent(['a3'], { to: '14155550101' });
      await world.sent(['a4'], { lane: 'c2' });
      await world.claimed({ to: '14155550100' });
      // Two uncertain messages: the receipt proves neither.
      await world.uncertain();
      await world.receipts({ carrierMessageId: 'x9' });
      const found = (await candidates())!;
      const ofThese = found.filter(({ messageId }) => [waits, over, doubtful].includes(messageId));
      expect(ofThese.map(({ messageId, state, partState }) => [messageId, state, partState]).sort()).toEqual(
        [
          [waits, 'sent', 'accepted'],
          [over, 'delivered', 'delivered'],
          [doubtful, 'uncertain', null],
        ].sort(),
      );
      expect(found.every(({ to, carrier }) => to === '14155550100' && carrier === 'c1')).toBe(true);
      expect(found.find(({ messageId }) => messageId === waits)).toMatchObject({
        accountId: 'acc1',
        from: '15550001111',
        part: 1,
        partCount: 1,
        carrierMessageId: 'a1',
        text: 'Hello you',
      });
    });

    it('move the message like any other receipt, with its event, and are kept no longer', async () => {
      const messageId = await world.sent(['a1']);
      world.clock.set(start + 9);
      await world.receipts({ carrierMessageId: 'x9', carrierCode: '007' });
      let notified = 0;
      world.store.onEvents(() => {
        notified += 1;
      });
      expect(await match(messageId)).toEqual({
        kind: 'matched',
        moves: [{ messageId, accountId: 'acc1', from: 'sent', state: 'delivered', code: 'DELIVERED', carrier: 'c1' }],
      });
      expect(notified).toBe(1);
      expect(await world.view(messageId)).toMatchObject({
        state: 'delivered',
        code: 'DELIVERED',
        carrierCode: '007',
        updatedAt: start + 9,
        parts: [{ carrierMessageId: 'a1', state: 'delivered', carrierCode: '007' }],
      });
      expect(await world.timeline(messageId)).toEqual(['accepted', 'queued', 'sending', 'sent', 'delivered']);
      expect((await world.view(messageId))!.events.at(-1)).toMatchObject({
        state: 'delivered',
        detail: 'Matched by hand.',
      });
      expect(await kept()).toEqual([]);
      expect(await match(messageId)).toEqual({ kind: 'no receipt' });
      expect(await candidates()).toBeNull();
      const [row] = await world.store.auditRows({ after: 0, limit: 9 });
      expect(JSON.parse(row!.body)).toMatchObject({
        what: 'receipt.matched',
        who: 'ada@example.com',
        before: { messageId, state: 'sent', partState: 'accepted', receipt: { carrierMessageId: 'x9' } },
        after: { messageId, state: 'delivered', partState: 'delivered' },
      });
    });

    it('are not applied again when a part gets their id later', async () => {
      const first = await world.sent(['a1']);
      const second = await world.claimed();
      await world.receipts({ carrierMessageId: 'x9' });
      await match(first);
      const parts = [{ part: 1, carrierMessageId: 'x9' }];
      expect(await world.settle(second, { parts })).toEqual(['sent']);
    });

    it('settle an uncertain message under the id they name', async () => {
      const messageId = await world.uncertain();
      await world.uncertain();
      await world.receipts({ carrierMessageId: 'x9' });
      expect(await match(messageId)).toMatchObject({ kind: 'matched', moves: [{ messageId, state: 'delivered' }] });
      expect((await world.view(messageId))?.parts).toMatchObject([{ carrierMessageId: 'x9', state: 'delivered' }]);
    });

    it('that name no id prove nothing by themselves, are each kept, and leave the message without one', async () => {
      const messageId = await world.uncertain();
      const nameless = ['(none) 1', '(none) 2'].map((carrierMessageId) => ({ carrierMessageId, idKeys: [] }));
      expect(await world.receipts(...nameless)).toEqual([]);
      expect((await world.view(messageId))?.state).toBe('uncertain');
      const named = (await kept()).map(({ carrierMessageId, to }) => [carrierMessageId, to]);
      expect(named.sort()).toEqual([
        ['(none) 1', name.to],
        ['(none) 2', name.to],
      ]);
      const receipt = { ...name, carrierMessageId: '(none) 2' };
      expect(await match(messageId, { receipt })).toMatchObject({ moves: [{ messageId, state: 'delivered' }] });
      expect((await world.view(messageId))?.parts).toMatchObject([{ carrierMessageId: '', state: 'delivered' }]);
      expect(await kept()).toMatchObject([{ carrierMessageId: '(none) 1' }]);
    });

    it('decide the whole of a long message with its last part', async () => {
      const messageId = await world.sent(['p1', 'p2']);
      await world.receipts({ carrierMessageId: 'p1' }, { carrierMessageId: 'x9' });
      expect(await match(messageId)).toEqual({ kind: 'refused', fault: 'answered' });
      expect(await match(messageId, { part: 2 })).toMatchObject({ moves: [{ state: 'delivered' }] });
    });

    it('are refused where they do not fit, and nothing is written', async () => {
      const elsewhere = await world.sent(['a1'], { to: '14155550101' });
      const otherCarrier = await world.sent(['a1'], { lane: 'c2' });
      const over = await world.sent(['a2']);
      await world.receipts({ carrierMessageId: 'a2', state: 'undelivered', code: 'UNREACHABLE' });
      const beingSent = (await world.claimed()).messageId;
      const waits = await world.accept();
      await world.receipts({ carrierMessageId: 'x9' });
      expect(await match(elsewhere)).toEqual({ kind: 'refused', fault: 'other handset' });
      expect(await match(otherCarrier)).toEqual({ kind: 'refused', fault: 'other carrier' });
      expect(await match(over)).toEqual({ kind: 'refused', fault: 'answered' });
      expect(await match(beingSent)).toEqual({ kind: 'refused', fault: 'being sent' });
      expect(await match(waits)).toEqual({ kind: 'refused', fault: 'not handed over' });
      expect(await match('msg_none')).toEqual({ kind: 'no message' });
      expect(await match(over, { part: 2 })).toEqual({ kind: 'no message' });
      expect((await world.view(over))?.state).toBe('undelivered');
      expect(await kept()).toHaveLength(1);
      expect(await world.store.auditRows({ after: 0, limit: 9 })).toEqual([]);
    });

    it('apply to a message that ended as unconfirmed, named by its id', async () => {
      const messageId = await world.sent(['a1']);
      world.clock.set(start + 80 * hour);
      await world.sweep();
      await world.receipts({ carrierMessageId: 'x9' });
      expect(await candidates()).toEqual([]);
      expect(await candidates(messageId)).toMatchObject([{ messageId, state: 'unconfirmed', partState: 'accepted' }]);
      expect(await match(messageId)).toMatchObject({ moves: [{ state: 'delivered' }] });
    });

    it('are offered for every handset of the carrier when they name none', async () => {
      const messageId = await world.sent(['a1'], { to: '14155550101' });
      const unnamed = { ...name, to: null, carrierMessageId: '' };
      world.clock.set(start + minute);
      await world.receipts({ ...unnamed, idKeys: [] });
      const found = await world.store.receiptCandidates({ receipt: unnamed, messageId: null });
      expect(found?.candidates.map((one) => one.messageId)).toEqual([messageId]);
      expect(await match(messageId, { receipt: unnamed })).toMatchObject({ moves: [{ state: 'delivered' }] });
    });
  });

  describe('refusals of carriers', () => {
    const world = useWorld(factory);

    it('are counted by carrier and code, the most frequent first', async () => {
      expect(await world.store.carrierErrors(9)).toEqual({ looked: 0, since: null, errors: [] });
      const refused = { to: 'failed', code: 'UNKNOWN_SUBSCRIBER', carrierCode: '0x0B', parts: [] } as const;
      for (const lane of ['c1', 'c2', 'c2']) {
        await world.settle(await world.claimed({ lane }), { ...refused, parts: [] });
      }
      await world.sent(['a1']);
      world.clock.set(start + 1);
      await world.receipts({ state: 'undelivered', code: 'UNREACHABLE', carrierCode: '021' });
      const { errors, since } = await world.store.carrierErrors(9);
      expect(since).toBe(start);
      expect(errors).toEqual([
        { carrier: 'c2', state: 'failed', code: 'UNKNOWN_SUBSCRIBER', carrierCode: '0x0B', count: 2, lastAt: start },
        { carrier: 'c1', state: 'undelivered', code: 'UNREACHABLE', carrierCode: '021', count: 1, lastAt: start + 1 },
        { carrier: 'c1', state: 'failed', code: 'UNKNOWN_SUBSCRIBER', carrierCode: '0x0B', count: 1, lastAt: start },
      ]);
      expect((await world.store.carrierErrors(1)).errors).toHaveLength(1);
    });
  });
}
