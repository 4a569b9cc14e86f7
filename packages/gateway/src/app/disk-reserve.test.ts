import { expect, it } from 'vitest';
import { movedClock } from '../../../../test/props/clock.ts';
import { warningsIn } from '../../../../test/props/warnings.ts';
import { silentLogger } from '../kernel/logger.ts';
import { createDiskReserve } from './disk-reserve.ts';

it('lets no message in while the disk has less than the reserve, says so once, and looks once a second', () => {
  const clock = movedClock();
  const warnings: string[] = [];
  let [left, looks] = [256_000_000, 0];
  const hasSpace = createDiskReserve({
    clock,
    logger: warningsIn(warnings),
    folder: '/',
    reserveMb: 256,
    free: () => {
      looks += 1;
      return left;
    },
  });
  expect(hasSpace()).toBe(true);
  left -= 1;
  expect([hasSpace(), looks]).toEqual([true, 1]);
  for (let n = 0; n < 3; n += 1) {
    clock.set(clock.now() + 1_000);
    expect([hasSpace(), hasSpace()]).toEqual([false, false]);
  }
  left += 1;
  clock.set(clock.now() + 1_000);
  expect([hasSpace(), looks]).toEqual([true, 5]);
  expect(warnings).toEqual([
    'the disk is nearly full: no new messages are accepted',
    'the disk has space again: new messages are accepted',
  ]);
});

it('reads the disk of the folder', () => {
  const parts = { clock: movedClock(), logger: silentLogger, folder: '/' };
  expect(createDiskReserve({ ...parts, reserveMb: 0 })()).toBe(true);
  expect(createDiskReserve({ ...parts, reserveMb: 1e12 })()).toBe(false);
});
