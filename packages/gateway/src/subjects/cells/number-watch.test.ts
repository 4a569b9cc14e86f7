/** Which numbers two cells have, and when that is logged: cells that answer as a script says, and a clock that is moved. */
import { expect, it } from 'vitest';
import { settlingClock } from '../../../../../test/props/clock.ts';
import type { Logger } from '../../kernel/logger.ts';
import { silentLogger } from '../../kernel/logger.ts';
import type { Directory } from '../../model/directory.ts';
import { maskNumber } from '../../model/number.ts';
import { createNumberWatch } from './number-watch.ts';

const numberOf = (place: number): string => String(12_025_550_000 + place);

/** Numbers of this cell, and of the others; one of null does not answer. */
function open(own: Record<string, 'live' | 'sandbox'>, others: Record<string, readonly string[] | null>, logs = true) {
  const clock = settlingClock(0);
  const has = { ...others };
  const lines: object[] = [];
  const questions: number[] = [];
  const whenAsked = { run: (): void => {} };
  const logger: Logger = { ...silentLogger, warn: (fields: object) => void lines.push(fields) };
  const records = { numbers: Object.entries(own).map(([number, environment]) => ({ number, environment })) };
  const watch = createNumberWatch({
    clock,
    logger,
    name: 'a',
    others: Object.keys(others),
    directory: () => ({ records }) as Directory,
    hasNumbers: async (cell, numbers) => {
      questions.push(numbers.length);
      whenAsked.run();
      const known = has[cell];
      if (known == null) throw new Error('away');
      return numbers.map((number) => known.includes(number));
    },
    logs: () => logs,
  });
  watch.start();
  return { watch, clock, has, lines, questions, whenAsked };
}

it('names the number and both cells, once while it lasts', async () => {
  const { watch, clock, has, lines } = open({ 1: 'live', 2: 'live', 3: 'live' }, { b: ['2', '9'], c: ['3'] });
  expect(watch.shared()).toEqual([]);
  await clock.pass(2_000);
  const shared = [
    { number: '2', cells: ['a', 'b'] },
    { number: '3', cells: ['a', 'c'] },
  ];
  expect(watch.shared()).toEqual(shared);
  const logged = [
    { cells: ['a', 'b'], numbers: [maskNumber('2')], count: 1 },
    { cells: ['a', 'c'], numbers: [maskNumber('3')], count: 1 },
  ];
  expect(lines).toEqual(logged);
  await clock.pass(120_000);
  expect(lines).toEqual(logged);
  has.b = [];
  await clock.pass(60_000);
  expect(watch.shared()).toEqual(shared.slice(1));
  has.b = ['2'];
  await clock.pass(60_000);
  expect(lines).toHaveLength(3);
});

it('keeps what it knows of a cell that does not answer, and still looks at the others', async () => {
  const { watch, clock, has } = open({ 1: 'live' }, { b: ['1'], c: [] });
  await clock.pass(2_000);
  has.b = null;
  has.c = ['1'];
  await clock.pass(60_000);
  expect(watch.shared().map(({ cells }) => cells[1])).toEqual(['b', 'c']);
});

it('asks for live numbers only, a thousand at a time, logs a few of many, and leaves the line to one gateway', async () => {
  const many = Array.from({ length: 1_500 }, (_, place) => numberOf(place));
  const own = Object.fromEntries([...many.map((one) => [one, 'live']), ['555', 'sandbox']]) as Record<string, 'live'>;
  const { watch, clock, lines, questions } = open(own, { b: [...many, '555'] });
  await clock.pass(2_000);
  expect(questions).toEqual([1_000, 500]);
  expect(watch.shared()).toHaveLength(1_500);
  expect(lines).toEqual([{ cells: ['a', 'b'], numbers: many.slice(0, 5).map(maskNumber), count: 1_500 }]);
  const quiet = open({ 1: 'live' }, { b: ['1'] }, false);
  await quiet.clock.pass(2_000);
  expect([quiet.lines, quiet.watch.shared().length]).toEqual([[], 1]);
});

it('asks no more once it is stopped', async () => {
  const { watch, clock, questions } = open({ 1: 'live' }, { b: [] });
  await clock.pass(2_000);
  watch.stop();
  await clock.pass(300_000);
  expect(questions).toEqual([1]);
});

it('asks no more once it is stopped while it waits for an answer', async () => {
  const many = Object.fromEntries(Array.from({ length: 1_500 }, (_, place) => [numberOf(place), 'live' as const]));
  const { watch, clock, questions, whenAsked } = open(many, { b: [] });
  whenAsked.run = watch.stop;
  await clock.pass(300_000);
  expect(questions).toEqual([1_000]);
  expect(clock.timers()).toBe(0);
});
