/** The trial patches fit the sources: a change that makes one harder to apply shows here. */
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { patchNames, tryPatch } from './trials.ts';

// A type check of everything, maybe on a loaded machine.
const patienceMs = 180_000;

it.each(patchNames())('%s applies and compiles', { timeout: patienceMs }, async (name) => {
  const { problem, changed } = await tryPatch(resolve(import.meta.dirname, '../..'), name);
  expect(problem).toBeNull();
  expect(changed).not.toEqual([]);
});
