/** Cells that lend each other the rate of a carrier: what they gain by it, and that they never send more together than before. */
import { describe, expect, it } from 'vitest';
import { dice } from '../../../../../test/props/chance.ts';
import { settlingClock } from '../../../../../test/props/clock.ts';
import { carrierId, recordOf, simulateCells } from './lending-fixture.ts';
import { createRateLending } from './rate-lending.ts';
import { leaseMs } from './rate-share.ts';

const always = Number.POSITIVE_INFINITY;

function sentBy(cells: ReturnType<typeof simulateCells>, cell: number, fromMs: number, toMs: number): number {
  return cells.wire.filter((one) => one.cell === cell && one.atMs > fromMs && one.atMs <= toMs).length;
}

describe('a cell that is short', () => {
  it('uses what the others leave, and they have their own back within a lease', async () => {
    const cells = simulateCells([100, 100, 100]);
    cells.waiting[0] = always;
    await cells.pass(10_000);
    expect(sentBy(cells, 0, 8_000, 10_000)).toBeGreaterThan(2 * 230);
    cells.waiting[1] = always;
    await cells.pass(1_000);
    expect(sentBy(cells, 1, 10_000, 11_000)).toBeGreaterThanOrEqual(25);
    await cells.pass(9_000);
    expect(sentBy(cells, 1, 13_000, 14_000)).toBeGreaterThanOrEqual(98);
    // Both are short now and share what the third leaves.
    const parts = [0, 1].map((cell) => sentBy(cells, cell, 16_000, 20_000) / 4);
    for (const part of parts) expect(part).toBeGreaterThan(125);
    expect(cells.most()).toBeLessThanOrEqual(303);
    expect(cells.excesses).toEqual([]);
  });

  it('has its own share, as ever, when nobody answers', async () => {
    const cells = simulateCells([50, 200]);
    cells.waiting[0] = always;
    await cells.pass(10_000);
    expect(sentBy(cells, 0, 9_000, 10_000)).toBeGreaterThan(150);
    cells.faults.lost = 1;
    await cells.pass(leaseMs);
    expect(cells.perSecond(0)).toBe(50);
    await cells.pass(2_000);
    expect(sentBy(cells, 0, 13_000, 14_000)).toBeLessThanOrEqual(51);
  });

  it('borrows nothing where all have enough to do', async () => {
    const cells = simulateCells([100, 100]);
    cells.waiting.fill(always);
    await cells.pass(10_000);
    for (const cell of [0, 1]) expect(sentBy(cells, cell, 5_000, 10_000)).toBeGreaterThan(5 * 97);
  });

  it('does not count what it borrowed once it stood still for longer than the lease', async () => {
    const cells = simulateCells([50, 200]);
    cells.waiting[0] = always;
    await cells.pass(10_000);
    expect(cells.perSecond(0)).toBeGreaterThan(150);
    cells.pause(0, 3 * leaseMs);
    await cells.pass(3 * leaseMs);
    cells.waiting[1] = always;
    await cells.pass(20);
    expect(cells.perSecond(0)).toBe(50);
    expect(cells.excesses).toEqual([]);
  });
});

it('a lender that was killed leaves alone what it may have lent, until that is over', async () => {
  const cells = simulateCells([50, 200]);
  cells.waiting[0] = always;
  await cells.pass(10_000);
  const borrowed = cells.perSecond(0) - 50;
  expect(borrowed).toBeGreaterThan(100);
  cells.kill(1, 100);
  cells.waiting[1] = always;
  await cells.pass(200);
  expect(cells.perSecond(0) - 50).toBe(borrowed);
  expect(cells.perSecond(1)).toBe(50);
  await cells.pass(leaseMs + 2_000);
  expect(cells.perSecond(1)).toBe(200);
  expect(cells.excesses).toEqual([]);
});

it('whatever is lost, late, paused or killed: together they never send more than the sum of their shares', async () => {
  const rounds = Number(process.env.HELIO_LENDING_ROUNDS ?? 60);
  for (let seed = 1; seed <= rounds; seed++) {
    const random = dice(seed * 7_919);
    const owns = Array.from({ length: 2 + Math.floor(random() * 3) }, () => 4 + Math.floor(random() * 150));
    const cells = simulateCells(owns, seed, {
      lost: random() * 0.4,
      delayMs: random() ** 4 * 3_000,
      paused: random() * 0.3,
      killed: random() * 0.3,
    });
    for (let second = 0; second < 20; second++) {
      for (const cell of owns.keys())
        if (random() < 0.4) cells.waiting[cell] = [0, 30, always][Math.floor(random() * 3)]!;
      await cells.pass(1_000);
    }
    const sum = owns.reduce((total, own) => total + own, 0);
    expect(cells.excesses, `seed ${seed}`).toEqual([]);
    // Clocks that are up to two percent too fast.
    expect(cells.most(), `seed ${seed}, of ${owns.join(' + ')}`).toBeLessThanOrEqual(Math.ceil(sum * 1.02) + 1);
  }
});

describe('one gateway', () => {
  function open(parts: { lends?: boolean; isActive?: boolean } = {}) {
    const clock = settlingClock(0);
    const requests: string[] = [];
    const lending = createRateLending({
      clock,
      others: ['b', 'c'],
      isUp: (cell) => cell !== 'c',
      ask: async (cell) => {
        requests.push(cell);
        return { perSecond: 4, leaseMs };
      },
      mayHandOver: () => parts.isActive ?? true,
    });
    return { lending, clock, requests };
  }

  it('lends only of a carrier whose record says so, that it sends over, and while it is in charge', async () => {
    for (const [record, parts, expected] of [
      [recordOf(100), {}, 75],
      [recordOf(100, false), {}, 0],
      [recordOf(0), {}, 0],
      [null, {}, 0],
      [recordOf(100), { isActive: false }, 0],
    ] as const) {
      const { lending, clock } = open(parts);
      const share = record === null ? null : lending.open(record);
      await clock.pass(leaseMs);
      expect(lending.lend('b', carrierId, 1_000)).toEqual({ perSecond: expected, leaseMs });
      share?.close();
      expect(lending.lend('c', carrierId, 1_000).perSecond).toBe(0);
      expect(lending.figures().size).toBe(0);
    }
  });

  it('remembers what it has lent when the record lets it lend no more', async () => {
    const { lending, clock } = open();
    lending.open(recordOf(100))!.close();
    const share = lending.open(recordOf(100))!;
    await clock.pass(leaseMs);
    expect(lending.lend('b', carrierId, 1_000).perSecond).toBe(75);
    // One that has lent does not borrow: it has its own back soon.
    const nowMs = clock.monotonicMs();
    for (let i = 0; i < 80; i++) share.took(nowMs);
    expect(share.wanted(nowMs)).toBe(0);
    expect(share.borrow('c', { perSecond: 5, leaseMs }, { requestedMs: nowMs, nowMs })).toBe(0);
    expect(share.perSecond(nowMs)).toBe(25);
    share.close();
    const after = lending.open(recordOf(100, false))!;
    expect(after.perSecond(clock.monotonicMs())).toBe(25);
    await clock.pass(leaseMs);
    expect(after.perSecond(clock.monotonicMs())).toBe(100);
    for (let i = 0; i < 100; i++) after.took(clock.monotonicMs());
    expect(after.wanted(clock.monotonicMs())).toBe(0);
    after.close();
    expect(lending.open(recordOf(100, false))).toBeNull();
  });

  it('asks the cells that answer, twice a second, and only while it is short', async () => {
    const { lending, clock, requests } = open();
    const share = lending.open(recordOf(10))!;
    lending.start();
    await clock.pass(3_000);
    expect(requests).toEqual([]);
    for (let i = 0; i < 10; i++) share.took(clock.monotonicMs());
    await clock.pass(1_000);
    expect(requests).toEqual(['b', 'b']);
    expect(share.perSecond(clock.monotonicMs())).toBe(14);
    lending.stop();
    await clock.pass(5_000);
    expect(requests).toEqual(['b', 'b']);
    expect(share.perSecond(clock.monotonicMs())).toBe(10);
  });
});
