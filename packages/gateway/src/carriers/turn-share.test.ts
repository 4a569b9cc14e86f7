import { expect, it } from 'vitest';
import { createTurnShare } from './turn-share.ts';

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

it('starts so much in a turn, and the rest in order in the next ones', async () => {
  const share = createTurnShare(3);
  const started: number[] = [];
  const start = (i: number) =>
    share(() => {
      started.push(i);
      return undefined;
    });
  for (let i = 0; i < 8; i++) start(i);
  expect(started).toEqual([0, 1, 2]);
  await nextTurn();
  expect(started).toEqual([0, 1, 2, 3, 4, 5]);
  start(8);
  await nextTurn();
  expect(started).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
});

it('gives each of several that always have more the same', async () => {
  const share = createTurnShare(10);
  const counts = [0, 0];
  const more = (one: number) => (): undefined => {
    counts[one]!++;
    if (counts[one]! < 1_000) share(more(one));
  };
  share(more(0));
  share(more(1));
  for (let turn = 0; turn < 10; turn++) await nextTurn();
  const [first, second] = counts as [number, number];
  expect(first + second).toBeLessThanOrEqual(110);
  expect(first + second).toBeGreaterThanOrEqual(90);
  // The first turn belongs to the first alone: the other had not arrived yet.
  expect(first - second).toBeLessThanOrEqual(10);
});

it('holds work back until earlier work has ended, well or badly', async () => {
  const share = createTurnShare(10, 2);
  const works = Array.from({ length: 4 }, () => Promise.withResolvers<void>());
  let started = 0;
  for (const { promise } of works)
    share(() => {
      started++;
      return promise;
    });
  for (let turn = 0; turn < 5; turn++) await nextTurn();
  expect(started).toBe(2);
  works[0]!.reject(new Error('not stored'));
  await nextTurn();
  expect(started).toBe(3);
  works[1]!.resolve();
  works[2]!.resolve();
  await nextTurn();
  expect(started).toBe(4);
});

it('starts work that each brings the next without a deeper stack', () => {
  const share = createTurnShare(100_000);
  let left = 50_000;
  const next = (): undefined => {
    if (--left > 0) share(next);
  };
  share(next);
  expect(left).toBe(0);
});
