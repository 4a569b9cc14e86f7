import { describe, expect, it } from 'vitest';
import { silentLogger } from './logger.ts';
import { createSummedLog } from './summed-log.ts';

function start() {
  const lines: [object, string | undefined][] = [];
  const timers = new Set<() => void>();
  const log = createSummedLog({
    logger: { ...silentLogger, warn: (fields, message) => lines.push([fields, message]) },
    clock: {
      after: (_, fire) => {
        timers.add(fire);
        return () => timers.delete(fire);
      },
    },
  });
  const pass = () => {
    for (const fire of [...timers]) {
      timers.delete(fire);
      fire();
    }
  };
  return { log, lines, timers, pass };
}

describe('lines that come again and again', () => {
  it('are one at once and one for each interval, with how many there were', () => {
    const { log, lines, pass } = start();
    for (let i = 0; i < 50_000; i++) log.warn('bad', { i }, 'it is bad');
    log.warn('worse', {}, 'it is worse');
    expect(lines).toEqual([
      [{ i: 0 }, 'it is bad'],
      [{}, 'it is worse'],
    ]);
    pass();
    expect(lines.slice(2)).toEqual([
      [{ i: 49_999, more: 49_999, total: 50_000 }, 'it is bad (again; the newest is shown)'],
    ]);
    log.warn('bad', { i: 7 }, 'it is bad');
    expect(lines).toHaveLength(3);
    pass();
    expect(lines.at(-1)).toEqual([{ i: 7, more: 1, total: 50_001 }, 'it is bad (again; the newest is shown)']);
  });

  it('begin anew after an interval of silence', () => {
    const { log, lines, timers, pass } = start();
    log.warn('bad', {}, 'it is bad');
    pass();
    expect(timers.size).toBe(0);
    log.warn('bad', {}, 'it is bad');
    expect(lines).toEqual([
      [{}, 'it is bad'],
      [{}, 'it is bad'],
    ]);
  });

  it('are logged at the close, which leaves no timer', () => {
    const { log, lines, timers } = start();
    for (let i = 0; i < 3; i++) log.warn('bad', { i }, 'it is bad');
    log.close();
    expect(lines.at(-1)).toEqual([{ i: 2, more: 2, total: 3 }, 'it is bad (again; the newest is shown)']);
    expect(timers.size).toBe(0);
  });
});
