/** Contract: the history of carriers adds up by minute and by hour, whichever node writes, and is deleted by age. */
import { describe, expect, it } from 'vitest';
import { type HistoryRow, historyHourMs, historyNames, minuteMs } from '../../model/carrier-history.ts';
import type { HistoryQuery } from '../../subjects/carrier-history/store/module.ts';
import { hour, minute, type StoreFactory, start } from './fixture.ts';
import { useWorld, type World } from './world.ts';

const first = Math.floor(start / hour) * hour;
const row = (fields: Partial<HistoryRow> = {}): HistoryRow => ({
  ...{ carrierId: 'c1', at: first, figures: {}, counts: [] },
  ...fields,
});

/** `bar carrier name=value …` for non-zero values, then the counts. */
async function kept({ store }: World, fields: Partial<HistoryQuery> = {}): Promise<string[]> {
  const query: HistoryQuery = {
    ...{ stepMs: minuteMs, from: first, until: first + hour, widthMs: minute, carrierId: null, ...fields },
  };
  const bars = await store.carrierHistory(query);
  const counts = await store.carrierHistoryCounts(query);
  return [
    ...bars.map(({ bar, carrierId, figures }) => {
      const some = historyNames.flatMap((name) => (figures[name] === 0 ? [] : [`${name}=${figures[name]}`]));
      return [bar, carrierId, ...some].join(' ');
    }),
    ...counts.map(({ bar, carrierId, part, name, count }) => `${bar} ${carrierId} ${part} ${name} ${count}`),
  ].sort();
}

export function carrierHistoryContract(factory: StoreFactory): void {
  describe('the history of carriers', () => {
    const world = useWorld(factory);
    const add = (rows: HistoryRow[], demo = '') => world.store.addCarrierHistory({ rows, demo });

    it('adds counts and sums, keeps the greatest peak, and survives a restart', async () => {
      const refused = (count: number) => [{ part: 'refused' as const, name: 'CARRIER_REJECTED', count }];
      await add([row({ figures: { taken: 3, watchedMs: 40_000, windowPeak: 9 }, counts: refused(2) })]);
      await world.restart();
      // Another node, which received receipts in the same minute, and then the first node again.
      await add([
        row({ figures: { delivered: 2 } }),
        row({ figures: { taken: 1, watchedMs: 20_000, windowPeak: 4 }, counts: refused(5) }),
        row({ carrierId: 'c2', at: first + 2 * minute, figures: { taken: 7 } }),
      ]);
      expect(await kept(world)).toEqual([
        '0 c1 refused CARRIER_REJECTED 7',
        '0 c1 taken=4 delivered=2 watchedMs=60000 windowPeak=9',
        '2 c2 taken=7',
      ]);
    });

    it('has every figure, by the minute and by the hour alike', async () => {
      const figures = Object.fromEntries(historyNames.map((name, i) => [name, i + 1]));
      await add([row({ at: first + 59 * minute, figures })]);
      const all = historyNames.map((name, i) => `${name}=${i + 1}`).join(' ');
      expect(await kept(world)).toEqual([`59 c1 ${all}`]);
      const byHour = { stepMs: historyHourMs, widthMs: hour } as const;
      expect(await kept(world, byHour)).toEqual([`0 c1 ${all}`]);
    });

    it('is read in bars of any width, of one carrier or of all, from its first moment to before its last', async () => {
      await add(
        [0, 4, 5, 9, 10]
          .map((n) => row({ at: first + n * minute, figures: { taken: 1 } }))
          .concat(
            row({ carrierId: 'c2', at: first + 5 * minute, figures: { taken: 8, queuedPeak: 2 } }),
            row({ carrierId: 'c2', at: first + 6 * minute, figures: { queuedPeak: 1 } }),
          ),
      );
      const fives = { widthMs: 5 * minute, until: first + 10 * minute };
      expect(await kept(world, fives)).toEqual(['0 c1 taken=2', '1 c1 taken=2', '1 c2 taken=8 queuedPeak=2']);
      expect(await kept(world, { ...fives, carrierId: 'c2' })).toEqual(['1 c2 taken=8 queuedPeak=2']);
      expect(await kept(world, { ...fives, from: first + 5 * minute, carrierId: 'c1' })).toEqual(['0 c1 taken=2']);
      expect(await kept(world, { ...fives, carrierId: 'nobody' })).toEqual([]);
    });

    it('forgets what is too old, a day at a time, minutes and hours by themselves', async () => {
      const day = 24 * hour;
      const counts = [{ part: 'delay' as const, name: '7', count: 1 }];
      for (const days of [0, 1, 2, 3]) await add([row({ at: first + days * day, figures: { taken: 1 }, counts })]);
      const all = { until: first + 9 * day, widthMs: day };
      const forget = () => world.store.forgetCarrierHistory({ stepMs: minuteMs, before: first + 3 * day });
      expect([await forget(), (await kept(world, all)).length]).toEqual([false, 6]);
      expect([await forget(), await forget(), await forget()]).toEqual([false, true, true]);
      expect(await kept(world, all)).toEqual(['3 c1 delay 7 1', '3 c1 taken=1']);
      expect((await kept(world, { ...all, stepMs: historyHourMs })).length).toBe(8);
    });
  });
}
