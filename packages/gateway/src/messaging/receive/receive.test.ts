import { describe, expect, it } from 'vitest';
import type { Receipt } from '../../model/delivery.ts';
import { contact } from '../../model/world-fixture.ts';
import { consentWorld, part } from '../consent/consent-fixture.ts';

const receiptOf = (carrierMessageId: string): Receipt => ({
  carrier: 'a',
  carrierMessageId,
  idKeys: [carrierMessageId],
  to: contact,
  state: 'delivered',
  code: 'DELIVERED',
  carrierCode: 'DELIVRD',
  raw: `id:${carrierMessageId} stat:DELIVRD`,
  receivedAt: 1_000,
});

const perhaps = (id: string) => part(`id:${id} stat:DELIVRD`, { perhaps: receiptOf(id) });

describe('texts that may be receipts', () => {
  it('are no texts when the store knows them as receipts', async () => {
    const { receiver, store } = consentWorld();
    store.sentIds.add('77');
    await receiver.inbound([part('Hello'), perhaps('77'), perhaps('88')]);
    expect(store.items.map((item) => item.part)).toEqual([part('Hello'), part('id:88 stat:DELIVRD')]);
    await receiver.inbound([perhaps('77')]);
    expect(store.items).toHaveLength(2);
  });

  it('are not acknowledged while the store does not answer', async () => {
    const { receiver, store } = consentWorld();
    store.fails.receipts = new Error('disk full');
    await expect(receiver.inbound([part('Hello'), perhaps('77')])).rejects.toThrow('disk full');
    expect(store.items).toEqual([]);
  });
});
