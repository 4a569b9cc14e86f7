import { describe, expect, it } from 'vitest';
import { readExposition } from '../../../../test/props/exposition.ts';
import { createRegistry, type Registry } from './metrics.ts';

function registry() {
  const failures: string[] = [];
  return { registry: createRegistry((source, error) => failures.push(`${source}: ${error}`)), failures };
}

const kinds = { name: 'kind', values: ['SMS', 'MMS'] } as const;
const byCarrier = { name: 'carrier', values: null };
const read = async (from: Registry) => readExposition(await from.text());

describe('the registry', () => {
  it('writes counters with every value of their label, also those at 0', async () => {
    const { registry: own } = registry();
    const texts = own.counter({ name: 'helio_texts_total', help: 'Texts.', label: kinds });
    texts.add('MMS');
    texts.add('MMS', 2);
    expect(await own.text()).toBe(
      '# HELP helio_texts_total Texts.\n# TYPE helio_texts_total counter\n' +
        'helio_texts_total{kind="SMS"} 0\nhelio_texts_total{kind="MMS"} 3\n',
    );
  });

  it('keeps the counters of each carrier apart, and writes any id of one so that it can be read', async () => {
    const { registry: own } = registry();
    const of = own.counters(byCarrier, { name: 'helio_texts_total', help: 'Texts.', label: kinds });
    of('a').add('SMS');
    of('a').add('SMS');
    of('back\\slash "quoted"\nline').add('MMS', 5);
    const found = await read(own);
    expect(found.value('helio_texts_total', { carrier: 'a', kind: 'SMS' })).toBe(2);
    expect(found.value('helio_texts_total', { carrier: 'back\\\\slash \\"quoted\\"\\nline', kind: 'MMS' })).toBe(5);
    expect(found.families.get('helio_texts_total')!.samples).toHaveLength(4);
  });

  it('shows closed outer labels from the start', async () => {
    const { registry: own } = registry();
    own.histograms({ name: 'route', values: ['send', 'api'] }, { name: 'helio_took_seconds', help: 'x', buckets: [1] });
    const found = await read(own);
    expect(found.value('helio_took_seconds_count', { route: 'api' })).toBe(0);
  });

  it('puts a value into the bucket whose bound it does not exceed, and counts buckets together', async () => {
    const { registry: own } = registry();
    const took = own.histogram({ name: 'helio_took_seconds', help: 'x', buckets: [0.1, 1, 10] });
    for (const value of [0, 0.1, 0.11, 1, 9, 11, 1_000]) took.observe(value);
    const found = await read(own);
    const bucket = (le: string) => found.value('helio_took_seconds_bucket', { le });
    expect([bucket('0.1'), bucket('1'), bucket('10'), bucket('+Inf')]).toEqual([2, 4, 5, 7]);
    expect(found.value('helio_took_seconds_sum')).toBeCloseTo(1_021.21);
    expect(found.value('helio_took_seconds_count')).toBe(7);
  });

  it('reads gauges anew at each scrape, and leaves out those whose source fails', async () => {
    const { registry: own, failures } = registry();
    const depth = own.gauge({ name: 'helio_depth', help: 'x', labels: { carrier: null } });
    const free = own.gauge({ name: 'helio_free_bytes', help: 'x' });
    const state = { depths: { a: 1, b: 2 } as Record<string, number>, broken: false };
    own.collect('store', async () => {
      await null;
      if (state.broken) throw new Error('away');
      for (const [carrier, value] of Object.entries(state.depths)) depth.set(value, { carrier });
    });
    own.collect('disk', () => free.set(5));
    expect((await read(own)).value('helio_depth')).toBe(3);
    state.depths = { b: 7 };
    expect((await read(own)).families.get('helio_depth')!.samples).toEqual([
      { name: 'helio_depth', labels: { carrier: 'b' }, value: 7 },
    ]);
    state.broken = true;
    const last = await read(own);
    expect([last.value('helio_depth'), last.value('helio_free_bytes')]).toEqual([undefined, 5]);
    expect(failures).toEqual(['store: Error: away']);
  });

  it('reads its sources once for scrapes at the same time', async () => {
    const { registry: own } = registry();
    let reads = 0;
    own.collect('store', async () => {
      reads += 1;
      await null;
    });
    const [one, other] = await Promise.all([own.text(), own.text()]);
    expect(one).toBe(other);
    await own.text();
    expect(reads).toBe(2);
  });

  it('has each name once', () => {
    const { registry: own } = registry();
    own.gauge({ name: 'helio_free_bytes', help: 'x' });
    expect(() => own.gauge({ name: 'helio_free_bytes', help: 'y' })).toThrow('two metrics are named helio_free_bytes');
  });
});
