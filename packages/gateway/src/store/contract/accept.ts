/** Contract: accepting requests, idempotency, and look-ups of the accepted messages. */
import { describe, expect, it } from 'vitest';
import { hour, type StoreFactory, start } from './fixture.ts';
import { useWorld } from './world.ts';

export function acceptContract(factory: StoreFactory): void {
  describe('accept', () => {
    const world = useWorld(factory);

    it('stores a message as accepted and queued, an event each', async () => {
      const messageId = await world.accept({ text: 'Grüße 😀 "quoted" \\ {x}' });
      const view = await world.view(messageId);
      expect(view).toMatchObject({
        messageId,
        referenceId: 'reference-1',
        direction: 'outbound',
        from: '15550001111',
        to: '14155550100',
        text: 'Grüße 😀 "quoted" \\ {x}',
        mediaUrls: [],
        messageType: 'SMS',
        encoding: 'GSM-7',
        segments: 1,
        state: 'queued',
        code: null,
        carrier: null,
        carrierCode: null,
        dupRisk: false,
        acceptedAt: start,
        updatedAt: start,
        parts: [],
      });
      expect(view!.events.map(({ sequence, state, at }) => [sequence, state, at])).toEqual([
        [1, 'accepted', start],
        [2, 'queued', start],
      ]);
    });

    it('stores what its lane takes at once as `sending`, as if it had been claimed', async () => {
      const item = world.item({ recipients: ['14155550100', '14155550101'] });
      item.deliveries[0]!.sending = true;
      await world.store.accept([item]);
      const [first, second] = item.deliveries.map((delivery) => delivery.messageId);
      expect(await world.view(first!)).toMatchObject({ state: 'sending', carrier: 'c1', updatedAt: start });
      expect(await world.timeline(first!)).toEqual(['accepted', 'queued', 'sending']);
      const claims = await world.claim();
      expect(claims.map((claim) => claim.messageId)).toEqual([second]);
      await world.settle({ ...claims[0]!, messageId: first!, to: '14155550100' });
      expect(await world.timeline(first!)).toEqual(['accepted', 'queued', 'sending', 'sent']);
    });

    it('makes what was `sending` at once uncertain after a restart', async () => {
      const item = world.item();
      item.deliveries[0]!.sending = true;
      await world.store.accept([item]);
      await world.restart();
      await world.store.recover({ token: world.store.token, now: start, dueAt: start + hour, limit: 10 });
      expect((await world.view(item.deliveries[0]!.messageId))?.state).toBe('uncertain');
    });

    it('keeps one delivery per recipient under one request', async () => {
      const item = world.item({ recipients: ['14155550100', '14155550101', '14155550102'] });
      expect(await world.store.accept([item])).toEqual([{ kind: 'stored' }]);
      const views = await Promise.all(item.deliveries.map((delivery) => world.view(delivery.messageId)));
      expect(views.map((view) => view?.to)).toEqual(['14155550100', '14155550101', '14155550102']);
      expect(new Set(views.map((view) => view?.requestId))).toEqual(new Set([item.message.requestId]));
    });

    it('survives a restart', async () => {
      const messageId = await world.accept();
      await world.restart();
      expect((await world.view(messageId))?.state).toBe('queued');
    });

    it('shows none of it to another account', async () => {
      const messageId = await world.accept();
      expect(await world.view(messageId, 'acc2')).toBeNull();
      expect(await world.view('msg_unknown')).toBeNull();
    });
  });

  describe('idempotency', () => {
    const world = useWorld(factory);
    const key = { key: 'k1', bodyHash: 'aa', answer: 'first' };

    it('replays the first answer to the same key and body, and stores nothing more', async () => {
      await world.store.accept([world.item({ key })]);
      const again = world.item({ key: { ...key, answer: 'second' } });
      expect(await world.store.accept([again])).toEqual([{ kind: 'replay', answer: 'first' }]);
      expect(await world.view(again.deliveries[0]!.messageId)).toBeNull();
      expect(await world.claim()).toHaveLength(1);
    });

    it('refuses the same key with another body and names the first request', async () => {
      const first = world.item({ key });
      await world.store.accept([first]);
      const other = world.item({ key: { ...key, bodyHash: 'bb' } });
      expect(await world.store.accept([other])).toEqual([
        { kind: 'conflict', firstRequestId: first.message.requestId },
      ]);
      expect(await world.claim()).toHaveLength(1);
    });

    it('stores one of many equal requests that arrive together', async () => {
      const twins = Array.from({ length: 50 }, () => world.item({ key }));
      const results = (await Promise.all(twins.map((twin) => world.store.accept([twin])))).flat();
      expect(results.filter((result) => result.kind === 'stored')).toHaveLength(1);
      expect(results.filter((result) => result.kind === 'replay')).toHaveLength(49);
      expect(await world.claim()).toHaveLength(1);
    });

    it('keeps the namespaces of accounts apart', async () => {
      const results = await world.store.accept([world.item({ key }), world.item({ key, accountId: 'acc2' })]);
      expect(results).toEqual([{ kind: 'stored' }, { kind: 'stored' }]);
    });

    it('keeps only the answer when no recipient was accepted', async () => {
      const item = world.item({ key, recipients: [] });
      expect(await world.store.accept([item])).toEqual([{ kind: 'stored' }]);
      expect(await world.store.accept([world.item({ key })])).toEqual([{ kind: 'replay', answer: 'first' }]);
      expect(await world.claim()).toEqual([]);
    });

    it('answers for a kept key and deletes it when its time is over', async () => {
      const item = world.item({ key });
      await world.store.accept([item]);
      expect(await world.store.answerFor('acc1', 'k1', start)).toEqual({
        bodyHash: 'aa',
        answer: 'first',
        requestId: item.message.requestId,
      });
      expect(await world.store.answerFor('acc2', 'k1', start)).toBeNull();
      expect(await world.store.answerFor('acc1', 'k1', start + 72 * hour)).toBeNull();

      world.clock.set(start + 72 * hour);
      expect(await world.store.accept([world.item({ key: { ...key, answer: 'new' } })])).toEqual([{ kind: 'stored' }]);
      await world.sweep();
      expect((await world.store.answerFor('acc1', 'k1', world.clock.now()))?.answer).toBe('new');

      world.clock.set(start + 144 * hour);
      await world.sweep();
      expect(await world.store.answerFor('acc1', 'k1', start)).toBeNull();
    });
  });
}
