/** Contract: messages that have ended, for their traces. */
import { describe, expect, it } from 'vitest';
import { minute, type StoreFactory, start } from './fixture.ts';
import { useWorld } from './world.ts';

const sampled = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
const unsampled = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00';
const whole = { after: 0, limit: 1_000 };

export function tracesContract(factory: StoreFactory): void {
  describe('messages that have ended', () => {
    const world = useWorld(factory);

    it('come with every state they were in', async () => {
      const messageId = await world.sent(['a1'], { traceparent: sampled });
      expect(await world.store.endedAfter({ ...whole, share: 0 })).toMatchObject({ ended: [] });
      await world.receipts({ carrierMessageId: 'a1', receivedAt: start + minute });
      const { ended, position } = await world.store.endedAfter({ ...whole, share: 0 });
      const { requestId } = (await world.view(messageId))!;
      expect(ended).toEqual([
        {
          messageId,
          requestId,
          accountId: 'acc1',
          messageType: 'SMS',
          traceparent: sampled,
          acceptedAt: start,
          steps: [
            { state: 'sent', at: start, code: null, carrier: 'c1', sendingAt: start },
            { state: 'delivered', at: start + minute, code: 'DELIVERED', carrier: 'c1', sendingAt: null },
          ],
        },
      ]);
      expect(position).toBe(await world.store.eventPosition({ accountId: '', eventId: 'latest' }));
      expect(await world.store.endedAfter({ after: position, limit: 1_000, share: 1 })).toEqual({
        ended: [],
        position,
      });
    });

    it('are those whose caller is traced, and of the others the share that the settings name', async () => {
      for (const [id, traceparent] of [
        ['a1', sampled],
        ['a2', unsampled],
        ['a3', undefined],
      ] as const) {
        await world.sent([id], { ...(traceparent && { traceparent }) });
        await world.receipts({ carrierMessageId: id });
      }
      const traces = async (share: number) =>
        (await world.store.endedAfter({ ...whole, share })).ended.map(({ traceparent }) => traceparent);
      expect(await traces(0)).toEqual([sampled]);
      expect(await traces(1)).toEqual([sampled, null]);
    });

    it('are none that were made up, came from handsets, or are under way', async () => {
      await world.sent(['a1']);
      await world.store.inbound([world.inboundItem()]);
      expect((await world.store.endedAfter({ ...whole, share: 1 })).ended).toEqual([]);
    });
  });
}
