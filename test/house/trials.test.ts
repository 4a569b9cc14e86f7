/**
 * The trial patches apply to the sources and stay as small as they were, so a change that makes one of them harder
 * fails here. That they compile too is a test of the short form.
 */
import { resolve } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { patchNames, type Trial, tryPatches } from './trials.ts';

/** Files that a newcomer changes or adds, without tests and docs. */
const filesMax: Readonly<Record<string, number>> = {
  // A kind of carrier: its own folder, and the list of kinds.
  'carrier-kind.patch': 4,
  // A page with a list: its route, the page, its labels in two languages, the places that register them.
  'list-page.patch': 6,
  // A request field that is stored with the message, delays it at acceptance on both engines, and is shown again:
  // `scheduledAt`.
  'scheduled-at.patch': 10,
  // A look-up on both engines: its statement, and its operation in the module.
  'store-query.patch': 2,
};

let trials: Trial[];
beforeAll(async () => {
  trials = await tryPatches(resolve(import.meta.dirname, '../..'), patchNames(), 'apply');
});

it.each(patchNames())('%s applies', (name) => {
  const { problem, changed, added } = trials.find((trial) => `${trial.name}.patch` === name)!;
  expect(problem).toBeNull();
  expect(changed).not.toEqual([]);
  expect(changed.length + added.length).toBeLessThanOrEqual(filesMax[name]!);
});
