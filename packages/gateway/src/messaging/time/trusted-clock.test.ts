import { describe, expect, it } from 'vitest';
import type { Logger } from '../../kernel/logger.ts';
import { createTrustedClock, gapHoldMs, gapMs, jumpMs } from './trusted-clock.ts';

const hour = 3_600_000;
const day = 24 * hour;

/** A machine with a wall clock that tests set, and a steady monotonic one. */
function world() {
  const start = 1_700_000_000_000;
  const times = { wall: start, monotonic: 1_000 };
  const timers = new Set<{ atMs: number; run: () => void }>();
  const machine = {
    now: () => times.wall,
    monotonicMs: () => times.monotonic,
    after: (delayMs: number, run: () => void) => {
      const timer = { atMs: times.monotonic + delayMs, run };
      timers.add(timer);
      return () => timers.delete(timer);
    },
  };
  const logged: string[] = [];
  const write = (level: string) => (_: object, text: string) => void logged.push(`${level} ${text}`);
  const logger = { info: write('info'), warn: write('warn'), error: write('error') } as unknown as Logger;
  const clock = createTrustedClock(machine, logger);
  const pass = (ms: number) => {
    const end = times.monotonic + ms;
    for (;;) {
      const [next] = [...timers].filter(({ atMs }) => atMs <= end).sort((a, b) => a.atMs - b.atMs);
      if (next === undefined) break;
      timers.delete(next);
      times.wall += next.atMs - times.monotonic;
      times.monotonic = next.atMs;
      next.run();
    }
    times.wall += end - times.monotonic;
    times.monotonic = end;
  };
  const jump = (ms: number) => {
    times.wall += ms;
  };
  return { start, clock, pass, jump, logged };
}

describe('the clock while the gateway runs', () => {
  it('is followed through what passes and through small steps, without a word', () => {
    const { start, clock, pass, jump, logged } = world();
    pass(hour);
    expect(clock.now()).toBe(start + hour);
    for (const step of [jumpMs, -jumpMs, 1_000]) {
      jump(step);
      clock.now();
    }
    expect([clock.now(), clock.doubt(), logged]).toEqual([start + hour + 1_000, null, []]);
  });

  it('that stood still for an hour is doubted, though it shows the time that was believed last', () => {
    const { start, clock, pass, jump } = world();
    clock.now();
    pass(hour);
    jump(-hour);
    expect(clock.doubt()).toEqual({ kind: 'back', byMs: hour });
    expect(clock.now()).toBe(start + hour);
  });

  it.each([
    ['forward', day],
    ['back', -day],
  ] as const)('that jumps %s is not followed: time goes on, loudly, and nothing expires', (kind, by) => {
    const { start, clock, pass, jump, logged } = world();
    clock.now();
    jump(by);
    expect(clock.now()).toBe(start);
    pass(hour);
    expect(clock.now()).toBe(start + hour);
    expect(clock.doubt()).toEqual({ kind, byMs: day });
    expect(logged).toHaveLength(1);
    expect(logged[0]).toMatch(/^error .*24 hours/);
  });

  it('is believed again when it comes back', () => {
    const { start, clock, jump, logged } = world();
    jump(day);
    clock.now();
    jump(-day);
    expect([clock.now(), clock.doubt(), clock.warning()]).toEqual([start, null, null]);
    expect(logged.at(-1)).toContain('agrees with the gateway again');
  });

  it('is believed when an operator confirms it, once', () => {
    const { start, clock, jump } = world();
    expect(clock.confirm()).toBe(false);
    jump(day);
    expect(clock.confirm()).toBe(true);
    expect([clock.now(), clock.doubt()]).toEqual([start + day, null]);
    expect(clock.confirm()).toBe(false);
  });

  it('is checked without queries for the time, and a doubt is logged again every ten minutes', () => {
    const { clock, pass, jump, logged } = world();
    const end = clock.watch();
    jump(day);
    pass(1_000);
    expect(logged).toHaveLength(1);
    pass(20 * 60_000);
    expect(logged).toHaveLength(3);
    end();
    pass(hour);
    expect(logged).toHaveLength(3);
  });
});

describe('the clock at the start', () => {
  it('is believed beside a newest event that fits, and where nothing is on record', () => {
    for (const age of [null, 0, hour, gapMs, -jumpMs]) {
      const { start, clock, logged } = world();
      clock.compare(age === null ? null : start - age);
      expect([clock.now(), clock.doubt(), logged]).toEqual([start, null, []]);
    }
  });

  it('that stands before the newest event is not: time begins there and goes on until the clock has come back', () => {
    const { start, clock, pass, jump, logged } = world();
    clock.compare(start + day);
    pass(hour);
    expect([clock.now(), clock.doubt()?.kind]).toEqual([start + day + hour, 'back']);
    expect(logged[0]).toMatch(/^error /);
    jump(day);
    expect([clock.now(), clock.doubt()]).toEqual([start + day + hour, null]);
  });

  it('long after the newest event lets nothing expire for a while, in which it goes steadily', () => {
    const { start, clock, pass, logged } = world();
    clock.compare(start - gapMs - 1);
    expect([clock.now(), clock.doubt()?.kind]).toEqual([start, 'gap']);
    pass(gapHoldMs - 1);
    expect(clock.doubt()).not.toBeNull();
    pass(1);
    expect([clock.doubt(), logged.length]).toEqual([null, 2]);
  });

  it('that jumps in that while is not believed', () => {
    const { start, clock, pass, jump } = world();
    clock.compare(start - day);
    pass(1_000);
    clock.now();
    jump(day);
    expect([clock.now(), clock.doubt()?.kind]).toEqual([start + 1_000, 'forward']);
  });
});
