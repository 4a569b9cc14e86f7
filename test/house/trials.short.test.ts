/** The trial patches compile: a type check of everything, so not in the everyday suite, where `trials.test.ts` applies them. */
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { patchNames, tryPatches } from './trials.ts';

it('each trial patch compiles', async () => {
  const trials = await tryPatches(resolve(import.meta.dirname, '../..'), patchNames(), 'compile');
  expect(trials.filter(({ problem }) => problem !== null)).toEqual([]);
}, 360_000);
