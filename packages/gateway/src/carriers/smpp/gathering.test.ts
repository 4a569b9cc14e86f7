/** Receipts wait for each other only where that has been worth it, and never long. */
import { beforeEach, describe, expect, it } from 'vitest';
import { type MovedClock, movedClock, quiet } from '../../../../../test/props/clock.ts';
import { createGathering, type Gathering } from './gathering.ts';

let clock: MovedClock;
let gathering: Gathering;

beforeEach(() => {
  clock = movedClock();
  gathering = createGathering(clock);
});

/** One comes, and would be stored; then others come, so many ms after it. Returns how long the first has waited. */
async function round(afterMs: readonly number[]): Promise<number> {
  const beganMs = clock.now();
  let endedMs: number | null = null;
  gathering.came(1);
  void gathering.end(1).then(() => {
    endedMs = clock.now();
  });
  await quiet();
  let waiting = 1;
  for (let ms = 0; endedMs === null; ms += 1) {
    for (const _ of afterMs.filter((at) => at === ms)) gathering.came(++waiting);
    await quiet();
    if (endedMs === null) clock.pass(1);
    await quiet();
    expect(ms).toBeLessThan(30);
  }
  return endedMs - beganMs;
}

const waits = async (rounds: number, afterMs: readonly number[]) => {
  const found: number[] = [];
  for (let count = 0; count < rounds; count += 1) found.push(await round(afterMs));
  return found;
};

describe('gathering', () => {
  it('happens only now and then while nothing else comes', async () => {
    expect((await waits(640, [])).filter((ms) => ms > 0)).toEqual(Array.from({ length: 10 }, () => 10));
  });

  it('lasts ten milliseconds from the first, once others have come meanwhile often enough', async () => {
    expect((await waits(64 * 12, [4])).filter((ms) => ms > 0).length).toBeGreaterThanOrEqual(12);
    for (const afterMs of [[4], [9], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]]) expect(await round(afterMs)).toBe(10);
  });

  it('ends with the one that makes enough', async () => {
    await waits(64 * 12, [4]);
    expect(await round(Array.from({ length: 31 }, () => 1))).toBe(1);
    gathering.came(32);
    await gathering.end(32);
  });

  it('does not happen for a carrier that sends all it may at once, and stops when others stay away', async () => {
    expect((await waits(64 * 20, [0, 1, 2])).filter((ms) => ms > 0)).toHaveLength(20);
    await waits(64 * 20, [4]);
    expect(await round([4])).toBe(10);
    await waits(20, []);
    expect(await round([])).toBe(0);
  });
});
