/** The link of an HTTP carrier, without a network: probes, waits, and results that overtake each other. */
import { beforeEach, describe, expect, it } from 'vitest';
import { steadyRandom } from '../../../../../test/props/chance.ts';
import { type MovedClock, movedClock, quiet } from '../../../../../test/props/clock.ts';
import { createMm7Link, type Mm7Link } from './link.ts';

let clock: MovedClock;
let link: Mm7Link;
let changes: [up: boolean, detail: string][];
/** Probes under way, in order; call one with its problem. */
let looks: ((problem: string | null) => void)[];

beforeEach(() => {
  clock = movedClock();
  changes = [];
  looks = [];
  link = createMm7Link({
    clock,
    random: steadyRandom(),
    probe: () => new Promise((resolve) => looks.push(resolve)),
    changed: (up, detail) => changes.push([up, detail]),
  });
  link.start();
});

const saw = async (problem: string | null): Promise<void> => {
  looks.at(-1)!(problem);
  await quiet(2);
};
/** Ms until the next probe; afterwards the probe is under way. */
const nextLook = (): number => {
  const before = looks.length;
  let waited = 0;
  for (; looks.length === before && waited < 3_600_000; waited += 100) clock.pass(100);
  return waited;
};

describe('the link', () => {
  it('is nothing until it was looked at, and then looks every half minute', async () => {
    expect([link.up(), link.detail(), changes]).toEqual([false, null, []]);
    await saw(null);
    expect([link.up(), changes]).toEqual([true, [[true, 'reachable']]]);
    expect(nextLook()).toBe(30_000);
    await saw(null);
    expect(nextLook()).toBe(30_000);
    expect(changes).toHaveLength(1);
  });

  it('looks less and less often while nobody is there, and no less than once a minute', async () => {
    const waits: number[] = [];
    for (let i = 0; i < 8; i++) {
      await saw('refused');
      waits.push(nextLook());
    }
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
    expect(changes).toEqual([[false, 'refused']]);
    await saw(null);
    nextLook();
    await saw('refused');
    expect(nextLook()).toBe(1_000);
  });

  it('forgets failures with an answer, not with an open port', async () => {
    await saw(null);
    link.failed('hung');
    expect(nextLook()).toBe(1_000);
    await saw(null);
    link.failed('hung');
    expect(nextLook()).toBe(2_000);
    await saw(null);
    link.worked();
    link.failed('hung');
    expect(nextLook()).toBe(1_000);
  });

  it('counts requests that break together once', async () => {
    await saw(null);
    for (let i = 0; i < 10; i++) link.failed(`hung ${i}`);
    expect(changes.slice(1)).toEqual([[false, 'hung 0']]);
    expect(nextLook()).toBe(1_000);
  });

  it('is back at once when a request that was under way is answered', async () => {
    await saw(null);
    link.failed('hung');
    link.worked();
    expect(changes.map(([up]) => up)).toEqual([true, false, true]);
    expect(nextLook()).toBe(30_000);
  });

  it('waits a minute and up to a quarter of an hour when our credentials are refused', async () => {
    const waits: number[] = [];
    for (let i = 0; i < 6; i++) {
      await saw(null);
      link.refused('who?');
      waits.push(nextLook());
    }
    expect(waits).toEqual([60_000, 120_000, 240_000, 480_000, 900_000, 900_000]);
  });

  it('believes what was heard during a look more than the look', async () => {
    await saw(null);
    nextLook();
    link.worked();
    await saw('no connection in time');
    expect(link.up()).toBe(true);
    nextLook();
    link.failed('hung');
    await saw(null);
    expect([link.up(), link.detail()]).toEqual([false, 'hung']);
    expect(nextLook()).toBe(1_000);
  });

  it('says and does nothing once it is stopped', async () => {
    link.stop();
    await saw(null);
    link.failed('x');
    link.worked();
    expect([changes, clock.timers(), link.up()]).toEqual([[], 0, false]);
  });
});
