/** Log lines and `/readyz` for carriers that cannot be reached. */
import { beforeEach, expect, it } from 'vitest';
import { movedClock } from '../../../../../test/props/clock.ts';
import { silentLogger } from '../../kernel/logger.ts';
import { createCarrierWatch } from './carrier-watch.ts';
import type { Lanes } from './lanes.ts';

const minute = 60_000;
let clock: ReturnType<typeof movedClock>;
let lines: [string, Record<string, unknown>][];
let link: { up: boolean; paused: boolean; detail: string | null };

beforeEach(() => {
  clock = movedClock();
  lines = [];
  link = { up: false, paused: false, detail: 'connect ECONNREFUSED 10.0.0.9:2775' };
});

function watch() {
  const lanes = {
    status: () => [
      {
        carrierId: 'c1',
        up: link.up,
        binds: [{ state: 'connecting', detail: link.detail, window: 10, inFlight: 0 }],
      },
    ],
    report: () => ({ since: 5, detail: null }),
    isPaused: () => link.paused,
  } as unknown as Lanes;
  const warn = (fields: object, message = '') => void lines.push([message, fields as Record<string, unknown>]);
  const made = createCarrierWatch({ clock, logger: { ...silentLogger, warn }, lanes });
  made.start();
  return made;
}

it('a carrier that was never reached has its line after ten seconds, and others with growing waits', () => {
  const { stop } = watch();
  clock.pass(9_000);
  expect(lines).toEqual([]);
  clock.pass(1_000);
  const fields = { carrier: 'c1', downSeconds: 10, detail: 'connect ECONNREFUSED 10.0.0.9:2775' };
  expect(lines).toEqual([['a carrier cannot be reached', fields]]);
  clock.pass(minute);
  expect(lines).toHaveLength(2);
  clock.pass(10 * minute);
  expect(lines).toHaveLength(3);
  clock.pass(10 * 60 * minute);
  expect(lines.length).toBe(3 + 10);
  stop();
  clock.pass(600 * minute);
  expect(lines.length).toBe(3 + 10);
});

it('one that comes back has a line for that, and one that only flapped has none', () => {
  watch();
  clock.pass(5_000);
  link.up = true;
  clock.pass(minute);
  expect(lines).toEqual([]);
  link.up = false;
  clock.pass(15_000);
  link.up = true;
  clock.pass(5_000);
  expect(lines.map(([message]) => message)).toEqual([
    'a carrier cannot be reached',
    'a carrier that could not be reached is back, paused or gone',
  ]);
});

it('a paused one is no news', () => {
  link.paused = true;
  const { states } = watch();
  clock.pass(60 * minute);
  expect(lines).toEqual([]);
  expect(states()).toEqual([
    { carrierId: 'c1', up: false, paused: true, since: 5, detail: 'connect ECONNREFUSED 10.0.0.9:2775' },
  ]);
});
