import { describe, expect, it } from 'vitest';
import { createReceiptSample } from './receipt-sample.ts';

function moved() {
  let now = 0;
  const sample = createReceiptSample({ monotonicMs: () => now });
  const report = (...idKeys: string[]) => sample.reported({ idKeys, state: 'delivered' });
  return { sample, report, at: (ms: number) => (now = ms) };
}

describe('the sample of receipts', () => {
  it('says nothing before a part is a minute old, then share and median', () => {
    const { sample, report, at } = moved();
    for (const id of ['00A1', 'b', 'c', '']) sample.taken(id);
    at(2_000);
    report('a1');
    sample.reported({ idKeys: ['b'], state: 'interim' });
    at(4_000);
    report('zz', 'b');
    report('b');
    expect(sample.figures()).toBeNull();
    at(60_000);
    expect(sample.figures()).toEqual({ looked: 3, share: 2 / 3, p50Ms: 2_000 });
  });

  it('takes no more than a few of a second and a thousand in all', () => {
    const { sample, report, at } = moved();
    for (let second = 0; second < 400; second++) {
      at(second * 1_000);
      for (let i = 0; i < 10; i++) sample.taken(`${second}-${i}`);
    }
    report('0-0');
    at(500_000);
    expect(sample.figures()).toEqual({ looked: 1_000, share: 0, p50Ms: null });
  });
});
