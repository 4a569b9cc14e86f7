/** Alert rules in a records file: only differences are listed, and a wrong limit is reported by name. */
import { describe, expect, it } from 'vitest';
import { steadyRandom } from '../../../../../test/props/chance.ts';
import { movedClock } from '../../../../../test/props/clock.ts';
import { applyFile } from './apply.ts';
import { memoryRecords, recordsFile, sealer } from './records-fixture.ts';

function setUp() {
  const store = memoryRecords();
  const apply = (alerts: unknown, confirmed = false) =>
    applyFile(recordsFile({ alerts }), {
      store,
      sealer,
      clock: movedClock(),
      random: steadyRandom(),
      env: {},
      confirmed,
    });
  return { store, apply };
}

describe('rules of alerts', () => {
  it('get the defaults of their kind for what is left out, and keep what is on record', async () => {
    const { store, apply } = setUp();
    expect((await apply([{ id: 'disk', limit: 5_000 }])).lines).toEqual(['+ alert disk']);
    expect(store.now().alerts).toEqual([{ alertId: 'disk', enabled: true, limit: 5_000, forSeconds: 60 }]);
    expect((await apply([{ id: 'disk', forSeconds: 5 }, { id: 'link' }])).lines).toEqual([
      '~ alert disk forSeconds: 60 → 5',
      '+ alert link',
    ]);
    expect((await apply([{ id: 'disk', limit: null }])).lines).toEqual(['~ alert disk limit: 5000 → 1000']);
    expect((await apply([{ id: 'disk' }, { id: 'link' }])).lines).toEqual([]);
    expect(store.now().alerts).toContainEqual({ alertId: 'link', enabled: true, limit: 100, forSeconds: 300 });
  });

  it('are switched off only when that is confirmed', async () => {
    const { store, apply } = setUp();
    await apply([{ id: 'budget' }]);
    await expect(apply([{ id: 'budget', enabled: false }])).rejects.toThrow('- alert budget enabled: true → false');
    await apply([{ id: 'budget', enabled: false }], true);
    expect(store.now().alerts).toMatchObject([{ alertId: 'budget', enabled: false }]);
  });

  it.each([
    [[{ id: 'disc' }], 'alerts[0] (disc): id is "disc"; allowed: "receipts", "errors"'],
    [[{ id: 'errors', limit: 101 }], 'alert errors: its limit is 101; allowed: a whole number from 1 to 100 (percent)'],
    [[{ id: 'receipts', limit: 1 }], 'alert receipts: its limit is 1; allowed: a whole number from 2 to 100 (times)'],
    [[{ id: 'disk', limit: 0.5 }], 'limit is 0.5; allowed: a whole number'],
    [[{ id: 'disk', forSeconds: 100_000 }], 'forSeconds is 100000; allowed: a whole number from 0 to 86400'],
    [[{ id: 'disk', threshold: 5 }], 'unknown field "threshold"'],
  ])('are refused when %j is written', async (alerts, problem) => {
    const { store, apply } = setUp();
    await expect(apply(alerts)).rejects.toThrow(problem);
    expect(store.now().alerts).toEqual([]);
  });
});
