import { describe, expect, it } from 'vitest';
import { movedClock } from '../../../../../test/props/clock.ts';
import { StoreUnavailable } from '../../store/faults.ts';
import type { DayRequest } from '../../store/system/operations.ts';
import { grantOfDay } from './accept-fixture.ts';
import { createKeyCaps } from './key-caps.ts';

const noon = Date.UTC(2026, 4, 4, 12);

function capsOn(settings = new Map<string, string>(), at = noon) {
  const clock = movedClock(at);
  const disk = { fails: null as Error | null, writes: 0 };
  const store = {
    takeOfDay: async (request: DayRequest) => {
      if (disk.fails !== null) throw disk.fails;
      const before = settings.get(request.name);
      const grant = await grantOfDay(settings, request);
      if (settings.get(request.name) !== before) disk.writes += 1;
      return grant;
    },
  };
  const caps = createKeyCaps({ store, clock });
  const take = (count: number, cap = 10, trial = false) => caps.take({ keyId: 'key_1', cap, count, trial });
  return { take, clock, disk, settings };
}

describe('the daily cap of a key pair', () => {
  it('lets so many through and no more, all of a request or nothing', async () => {
    const { take } = capsOn();
    expect(await take(8)).toMatchObject({ ok: true });
    expect(await take(3)).toEqual({ ok: false, left: 2 });
    expect(await take(2)).toMatchObject({ ok: true });
    expect(await take(1)).toEqual({ ok: false, left: 0 });
  });

  it('counts concurrent requests once each', async () => {
    const { take } = capsOn();
    const taken = await Promise.all(Array.from({ length: 30 }, () => take(1)));
    expect(taken.filter(({ ok }) => ok)).toHaveLength(10);
  });

  it('gives back what was not accepted, and takes nothing for a trial', async () => {
    const { take } = capsOn();
    await take(10, 10, true);
    const taken = await take(10);
    if (!taken.ok) throw new Error('refused');
    taken.giveBack();
    expect(await take(10)).toMatchObject({ ok: true });
  });

  it('tells a trial what is left without taking it, so that a restart costs nothing', async () => {
    const { take, disk, settings } = capsOn();
    expect(await take(10, 10, true)).toMatchObject({ ok: true });
    expect(await take(11, 10, true)).toEqual({ ok: false, left: 10 });
    expect(disk.writes).toBe(0);
    const restarted = capsOn(settings, noon + 60_000);
    expect(await restarted.take(4)).toMatchObject({ ok: true });
    expect(await restarted.take(7, 10, true)).toEqual({ ok: false, left: 6 });
    expect(await restarted.take(6, 10, true)).toMatchObject({ ok: true });
  });

  it('begins anew at midnight UTC', async () => {
    const { take, clock } = capsOn();
    const before = await take(10);
    clock.pass(12 * 3_600_000);
    expect(await take(10)).toMatchObject({ ok: true });
    // Units returned from yesterday do not count for today.
    if (before.ok) before.giveBack();
    expect(await take(1)).toEqual({ ok: false, left: 0 });
  });

  it('is not given again by a restart, which costs at most a hundredth', async () => {
    const { take, settings } = capsOn();
    for (let i = 0; i < 500; i++) await take(1, 1_000);
    const restarted = capsOn(settings, noon + 60_000);
    const left = await restarted.take(1_000, 1_000);
    expect(left).toMatchObject({ ok: false });
    if (!left.ok) expect(left.left).toBeLessThanOrEqual(500);
    if (!left.ok) expect(left.left).toBeGreaterThanOrEqual(490);
  });

  it('writes once for many messages of a large cap', async () => {
    const { take, disk } = capsOn();
    for (let i = 0; i < 1_000; i++) await take(1, 100_000);
    expect(disk.writes).toBeLessThanOrEqual(2);
  });

  it('lets nothing through while the store takes nothing, and goes on when it does', async () => {
    const { take, disk } = capsOn();
    disk.fails = new StoreUnavailable('full', 'full');
    await expect(take(5)).rejects.toBe(disk.fails);
    disk.fails = null;
    expect(await take(10)).toMatchObject({ ok: true });
    expect(await take(1)).toEqual({ ok: false, left: 0 });
  });

  it('is one for all nodes', async () => {
    const first = capsOn();
    const second = capsOn(first.settings);
    let taken = 0;
    for (let i = 0; i < 700; i++) {
      for (const { take } of [first, second]) if ((await take(1, 1_000)).ok) taken += 1;
    }
    expect(taken).toBeLessThanOrEqual(1_000);
    // Each node may keep a remainder that the other cannot use.
    expect(taken).toBeGreaterThanOrEqual(980);
  });

  it('takes garbage on disk for nothing used', async () => {
    const { take } = capsOn(new Map([['key_day:key_1', 'twelve']]));
    expect(await take(10)).toMatchObject({ ok: true });
  });
});
