/** Contract: every look-up returns a code that a newer version wrote as `UNKNOWN`. */
import { describe, expect, it } from 'vitest';
import type { OutcomeCode } from '../../model/reason.ts';
import { hour, type StoreFactory, start } from './fixture.ts';
import { useWorld } from './world.ts';

const newer = 'OF_A_NEWER_VERSION' as OutcomeCode;
const stored = { code: newer, carrierCode: 'ESME_NEW', carrier: 'c1' };
const reported = { code: 'UNKNOWN', carrierCode: 'ESME_NEW' };

export function codesContract(factory: StoreFactory): void {
  describe('a code that a newer version wrote', () => {
    const world = useWorld(factory);

    it('is UNKNOWN in look-ups, timeline, events, lists and counts; the code of the carrier stays', async () => {
      const claim = await world.claimed();
      await world.settle(claim, { ...stored, to: 'failed' });
      const view = await world.view(claim.messageId);
      expect(view).toMatchObject(reported);
      expect(view!.events.at(-1)).toMatchObject(reported);
      const { events } = await world.store.eventsAfter({ after: 0, limit: 100 });
      expect(events.at(-1)!.message).toMatchObject(reported);
      expect((await world.store.carrierErrors(9)).errors).toMatchObject([reported]);
    });

    it('is UNKNOWN where it says why a message waits', async () => {
      const claim = await world.claimed();
      await world.settle(claim, { ...stored, to: 'queued', parts: [], dueAt: start + hour });
      const query = { codes: ['UNKNOWN'] as const, now: start, after: null, limit: 10 };
      expect((await world.store.waitingFor(query)).waiting).toMatchObject([{ messageId: claim.messageId }]);
    });

    it('is UNKNOWN in a receipt that waits for its message, and in that message when it comes', async () => {
      const claim = await world.claimed();
      await world.receipts({ state: 'undelivered', carrierMessageId: 'a1', code: newer });
      expect(await world.store.unmatchedReceipts(9)).toMatchObject([{ code: 'UNKNOWN' }]);
      expect(await world.settle(claim, { parts: [{ part: 1, carrierMessageId: 'a1' }] })).toEqual([
        'sent',
        'undelivered',
      ]);
      expect(await world.view(claim.messageId)).toMatchObject({ state: 'undelivered', code: 'UNKNOWN' });
    });
  });
}
