/**
 * Contract: outcomes by the hour of acceptance. Each message counts once as sent and once for its end, whatever its path and
 * even if the counting node is killed.
 */
import { describe, expect, it } from 'vitest';
import type { HourlyRow } from '../../model/hourly-outcomes.ts';
import { hourlyRows } from '../../subjects/usage/follow.ts';
import { hour, minute, type StoreFactory, start } from './fixture.ts';
import { useWorld, type World } from './world.ts';

const owner = { accountId: 'acc1', environment: 'sandbox' } as const;
const firstHour = Math.floor(start / hour) * hour;
const noRecords = { number: () => undefined, carrier: () => undefined } as never;

/** Counts as the follower would, in pages of `limit` positions. */
async function count(world: World, limit = 1_000): Promise<void> {
  await world.store.healthy();
  for (let turn = 0; turn < 200; turn += 1) {
    const from = (await world.store.hourlyCountedTo()).mark;
    const { ended, position } = await world.store.countsAfter({ after: from, limit });
    if (position === from) return;
    expect(position).toBeLessThanOrEqual(from + limit);
    const rows = hourlyRows(ended, noRecords);
    expect(await world.store.addHourly({ from, to: position, rows })).toBe(true);
  }
  throw new Error('it never ends');
}

const all = [{ from: 0, until: start + 1_000 * hour }];

/** `outcome code took messages` of all hours, in order. */
async function counted(world: World, spans = all, who: Parameters<World['store']['hourlyOutcomes']>[0] | object = {}) {
  const sums = await world.store.hourlyOutcomes({ ...owner, ...who, spans });
  return sums.map(({ span, outcome, code, took, messages }) => `${span} ${outcome} ${code} ${took} ${messages}`).sort();
}

export function hourlyContract(factory: StoreFactory): void {
  describe('outcomes by the hour', () => {
    const world = useWorld(factory);

    it('count what was sent, what became of it and how long it took, and replies', async () => {
      await world.sent(['a1', 'a2']);
      world.clock.set(start + 1_400);
      await world.receipts({ carrierMessageId: 'a1' }, { carrierMessageId: 'a2' });
      world.clock.set(start);
      await world.sent(['b1'], { to: '14155550101' });
      await world.receipts({ carrierMessageId: 'b1', to: '14155550101', state: 'undelivered', code: 'UNREACHABLE' });
      await world.settle(await world.claimed({ to: '14155550102' }), {
        to: 'failed',
        code: 'CARRIER_REJECTED',
        parts: [],
      });
      await world.store.inbound([world.inboundItem()]);
      await world.accept({ to: '14155550103' });
      await count(world);
      expect(await counted(world)).toEqual([
        '0 delivered  1500 1',
        '0 failed CARRIER_REJECTED 0 1',
        '0 received  0 1',
        '0 sent  0 2',
        '0 undelivered UNREACHABLE 0 1',
      ]);
    });

    it('belong to the hour of acceptance, not to that of the end, and to one account and environment', async () => {
      await world.sent(['a1']);
      world.clock.set(start + 3 * hour);
      await world.sent(['b1'], { to: '14155550101' });
      await world.receipts({ carrierMessageId: 'a1' });
      await world.sent(['c1'], { accountId: 'acc2' });
      await count(world);
      const spans = [
        { from: firstHour + 3 * hour, until: firstHour + 4 * hour },
        { from: firstHour, until: firstHour + hour },
        { from: firstHour + hour, until: firstHour + 3 * hour },
      ];
      expect(await counted(world, spans)).toEqual(['0 sent  0 1', '1 delivered  15000000 1', '1 sent  0 1']);
      expect(await counted(world, all, { accountId: 'acc2' })).toEqual(['0 sent  0 1']);
      expect(await counted(world, all, { environment: 'live' })).toEqual([]);
    });

    it.each(['delivered', 'undelivered'] as const)('count both when it is %s without an answer', async (state) => {
      await world.uncertain();
      await count(world);
      expect(await counted(world)).toEqual([]);
      await world.receipts({ carrierMessageId: 'unknown', state });
      await count(world);
      expect((await counted(world)).map((line) => line.split(' ')[1])).toEqual([state, 'sent'].sort());
    });

    it('count one end after a late receipt, and what expired', async () => {
      await world.sent(['a1']);
      const back = await world.claimed({ to: '14155550101' });
      await world.settle(back, { to: 'queued', parts: [], dueAt: start + minute });
      world.clock.set(start + 73 * hour);
      await world.sweep();
      await count(world);
      expect((await counted(world)).map((line) => line.split(' ')[1])).toEqual(['expired', 'sent']);
      await world.receipts({ carrierMessageId: 'a1' });
      await count(world);
      expect((await counted(world)).map((line) => line.split(' ')[1])).toEqual(['delivered', 'expired', 'sent']);
    });

    it('are the same in pages of any size, wherever the counting process is killed', async () => {
      for (let n = 0; n < 3; n += 1) await world.sent([`a${n}`], { to: `1415555010${n}` });
      await world.receipts({ carrierMessageId: 'a0', to: '14155550100' });
      await world.store.healthy();
      const { last } = await world.store.hourlyCountedTo();
      for (let turn = 0; turn < last; turn += 1) {
        const from = (await world.store.hourlyCountedTo()).mark;
        const { ended, position } = await world.store.countsAfter({ after: from, limit: 1 });
        const rows = hourlyRows(ended, noRecords);
        expect(await world.store.addHourly({ from, to: position, rows })).toBe(true);
        if (turn % 4 === 0) await world.restart();
        expect(await world.store.addHourly({ from, to: position, rows })).toBe(false);
      }
      expect(await counted(world)).toEqual(['0 delivered  100 1', '0 sent  0 3']);
      expect(await world.store.hourlyCountedTo()).toEqual({ mark: last, last });
    });

    it('grow together with the mark, or not at all', async () => {
      const row: HourlyRow = {
        ...{ ...owner, hour: firstHour, outcome: 'sent', code: '', took: 0, demo: false, messages: 2 },
      };
      expect(await world.store.addHourly({ from: 0, to: 10, rows: [row] })).toBe(true);
      const broken = { ...row, messages: null as never };
      await expect(world.store.addHourly({ from: 10, to: 20, rows: [row, broken] })).rejects.toThrow();
      const rivals = [1, 2].map((more) => world.store.addHourly({ from: 10, to: 10 + more, rows: [row] }));
      expect(await Promise.all(rivals)).toEqual([true, false]);
      expect((await world.store.hourlyCountedTo()).mark).toBe(11);
      expect(await counted(world)).toEqual(['0 sent  0 4']);
    });

    it('forget made-up traffic with its messages, and keep the rest', async () => {
      const row: HourlyRow = {
        ...{ ...owner, hour: firstHour, outcome: 'sent', code: '', took: 0, demo: false, messages: 1 },
      };
      await world.store.addHourly({ from: 0, to: 1, rows: [row, { ...row, demo: true, messages: 7 }] });
      await world.store.addHourly({ from: 1, to: 2, rows: [{ ...row, accountId: 'acc2', demo: true, messages: 9 }] });
      expect(await counted(world)).toEqual(['0 sent  0 8']);
      let cursor: string | null = null;
      do {
        const step = { accountId: 'acc1', from: start - hour, until: start, limit: 10, cursor };
        ({ cursor } = await world.store.removeDemo(step));
      } while (cursor !== null);
      expect(await counted(world)).toEqual(['0 sent  0 1']);
      expect(await counted(world, all, { accountId: 'acc2' })).toEqual(['0 sent  0 9']);
    });
  });
}
