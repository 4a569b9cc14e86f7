import { expect, it } from 'vitest';
import { pacedLook } from './paced-look.ts';

it('a look that takes long is repeated the more seldom, but each half minute, and a quick one each time', async () => {
  let nowMs = 0;
  let takesMs = 0;
  let looks = 0;
  const look = pacedLook({ monotonicMs: () => nowMs }, async () => {
    nowMs += takesMs;
    looks += 1;
    return looks;
  });
  expect([await look(), await look()]).toEqual([1, 2]);
  takesMs = 100;
  expect(await look()).toBe(3);
  nowMs += 19_999;
  expect(await look()).toBe(3);
  nowMs += 1;
  takesMs = 10_000;
  expect(await look()).toBe(4);
  nowMs += 29_999;
  expect(await look()).toBe(4);
  nowMs += 1;
  expect(await look()).toBe(5);
});

it('a look that fails is repeated at once', async () => {
  let nowMs = 0;
  let fails = true;
  const look = pacedLook({ monotonicMs: () => nowMs }, async () => {
    nowMs += 10_000;
    if (fails) throw new Error('the server took too long');
    return 'found';
  });
  await expect(look()).rejects.toThrow('too long');
  fails = false;
  expect(await look()).toBe('found');
});
