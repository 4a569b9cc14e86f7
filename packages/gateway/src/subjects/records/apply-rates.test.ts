/** Rates in a records file: stored as written, and each wrong one reported by name. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { steadyRandom } from '../../../../../test/props/chance.ts';
import { movedClock } from '../../../../../test/props/clock.ts';
import { applyFile, RecordsRefused } from './apply.ts';
import { memoryRecords, recordsFile, sealer } from './records-fixture.ts';

const rate = { from: '2026-01-01', currency: 'USD', smsPerSegment: '0.0075', mmsPerMessage: '0.02' };

function setUp() {
  const store = memoryRecords();
  const apply = (content: unknown, confirmed = false) =>
    applyFile(recordsFile(content), {
      store,
      sealer,
      clock: movedClock(),
      random: steadyRandom(),
      env: {},
      confirmed,
    });
  const withRates = (rates: unknown, confirmed = false) =>
    apply({ accounts: [{ id: 'A1', name: 'Acme', rates }] }, confirmed);
  return { store, apply, withRates };
}

describe('rates', () => {
  it('are on record as they are written', async () => {
    const { store, withRates } = setUp();
    await withRates([rate]);
    expect(store.now().accounts[0]!.rates).toEqual([rate]);
    expect((await withRates([rate])).lines).toEqual([]);
    const { lines } = await withRates([rate, { ...rate, from: '2027-01-01' }]);
    expect(lines).toEqual([expect.stringMatching(/^~ account A1 rates: \[\{"from":"2026.* → \[\{.*"2027-01-01"/)]);
    await withRates(undefined);
    expect(store.now().accounts[0]!.rates).toHaveLength(2);
    await withRates(null, true);
    expect(store.now().accounts[0]!.rates).toEqual([]);
  });

  it('are none for an account of an earlier version', async () => {
    const { store, apply } = setUp();
    await apply({ accounts: [{ id: 'A1', name: 'Acme' }] });
    const { rates: _, ...account } = store.now().accounts[0]!;
    await store.putRecords({ ...store.now(), accounts: [account] });
    await expect(apply({ campaigns: [{ id: 'C1', account: 'A1', status: 'approved' }] })).resolves.toBeDefined();
  });

  it.each([
    [[{ ...rate, from: '2026-02-30' }], 'accounts[0] (A1): rates[0].from is "2026-02-30"; allowed: a day like'],
    [[{ ...rate, smsPerSegment: 0.0075 }], 'rates[0].smsPerSegment is 0.0075; allowed: a price as text like "0.0075"'],
    [[{ ...rate, smsPerSegment: '1e3' }], 'rates[0].smsPerSegment is "1e3"'],
    [[{ ...rate, smsPerSegment: '-1' }], 'rates[0].smsPerSegment is "-1"'],
    [[{ ...rate, mmsPerMessage: '0.0000001' }], 'rates[0].mmsPerMessage is "0.0000001"'],
    [[{ ...rate, currency: '$' }], 'rates[0].currency is "$"; allowed: a currency as three capital letters'],
    [[{ ...rate, until: '2027-01-01' }], 'unknown field "rates[0].until"; allowed: from, currency'],
    [[{ from: '2026-01-01', currency: 'USD', smsPerSegment: '1' }], '"rates[0].mmsPerMessage" is missing; allowed'],
    ['free', 'rates is "free"; allowed: a list of at most 100 rates'],
    [[rate, { ...rate, smsPerSegment: '1' }], 'account A1: it has 2 rates from 2026-01-01; allowed: one'],
    [
      [rate, { ...rate, from: '2027-01-01', currency: 'EUR' }],
      'account A1: its rates are in USD and EUR; allowed: one',
    ],
  ])('are refused by name: %j', async (rates, expected) => {
    const { store, withRates } = setUp();
    const error: unknown = await withRates(rates).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(RecordsRefused);
    expect((error as RecordsRefused).problems).toEqual([expect.stringContaining(expected)]);
    expect(store.writes()).toBe(0);
  });

  it.each(['billing', 'carriers'])('docs/%s.md shows records files that can be applied', async (name) => {
    const page = readFileSync(new URL(`../../../../../docs/${name}.md`, import.meta.url), 'utf8');
    const files = [...page.matchAll(/```json\n([\s\S]*?)```/g)]
      .map(([, text]) => JSON.parse(text!) as object)
      .filter((content) => 'accounts' in content || 'carriers' in content);
    expect(files.length).toBeGreaterThan(0);
    const env = { MM7_PASSWORD: 'one', MM7_INBOUND_PASSWORD: 'two' };
    for (const content of files) {
      const parts = { store: memoryRecords(), sealer, clock: movedClock(), random: steadyRandom(), env };
      expect((await applyFile(recordsFile(content), parts)).lines).not.toEqual([]);
    }
  });
});
