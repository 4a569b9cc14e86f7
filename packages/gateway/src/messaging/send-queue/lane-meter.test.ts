import { describe, expect, it } from 'vitest';
import type { Carrier, CarrierSink } from '../../carriers/carrier.ts';
import type { Receipt } from '../../model/delivery.ts';
import { createLaneMeter } from './lane-meter.ts';

const receipt = (carrierMessageId: string) => ({ carrierMessageId }) as Receipt;

function watched() {
  const meter = createLaneMeter({ monotonicMs: () => 0 });
  let sink!: CarrierSink;
  const carrier = { start: (given: CarrierSink) => (sink = given) } as unknown as Carrier;
  const passed: string[][] = [];
  meter
    .watch(carrier, () => false)
    .start({
      receipts: async (list: Receipt[]) => void passed.push(list.map((one) => one.carrierMessageId)),
    } as unknown as CarrierSink);
  return { meter, passed, hear: (...ids: string[]) => sink.receipts(ids.map(receipt)) };
}

const idsOf = (list: Receipt[]) => list.map((one) => one.carrierMessageId);

describe('the newest receipts of a lane', () => {
  it('are none at first, then newest first, and go on unchanged', async () => {
    const { meter, passed, hear } = watched();
    expect(meter.newestReceipts()).toEqual([]);
    await hear('a', 'b');
    await hear('c');
    expect(idsOf(meter.newestReceipts())).toEqual(['c', 'b', 'a']);
    expect(passed).toEqual([['a', 'b'], ['c']]);
    expect(meter.figures().receipts).toBe(3);
  });

  it('are no more than two thousand', async () => {
    const { meter, hear } = watched();
    await hear(...Array.from({ length: 2_003 }, (_, i) => String(i)));
    const kept = idsOf(meter.newestReceipts());
    expect([kept.length, kept[0], kept.at(-1)]).toEqual([2_000, '2002', '3']);
  });
});
