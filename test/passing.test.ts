/**
 * Short-lived entries must not pile up in the old generation of V8's heap, where they stay until a full collection: an
 * old Map does that when it gets a new table (passing.ts).
 */
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { PassingMap } from '../packages/gateway/src/kernel/passing.ts';
import { commandByName } from '../packages/smpp/src/commands.ts';
import { RequestWindow } from '../packages/smpp/src/outlet.ts';

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc') as (options?: { type: 'minor' }) => void;

const held = 50;
/** 8 MB in all. */
const passing = 5_000;
const load = (): number[] => new Array<number>(200).fill(0);

/** The growth of the old generation in bytes while `come` is called for each entry, once the first entries are old. */
function growth(come: (number: number) => void): number {
  for (let number = 1; number <= held; number++) come(number);
  gc();
  const oldBytes = () => getHeapSpaceStatistics().find(({ space_name }) => space_name === 'old_space')!.space_used_size;
  const before = oldBytes();
  for (let number = held + 1; number <= passing; number++) come(number);
  // An object that survives two minor collections is old.
  gc({ type: 'minor' });
  gc({ type: 'minor' });
  return oldBytes() - before;
}

test('a PassingMap keeps no memory of deleted entries', () => {
  const map = new PassingMap<number, number[]>();
  const grown = growth((number) => {
    map.set(number, load());
    map.delete(number - held);
  });
  expect(map.size).toBe(held);
  expect(grown).toBeLessThan(1 << 20);
});

test('the window of an SMPP session keeps no memory of answered requests', () => {
  const window = new RequestWindow(1);
  const command = commandByName('submit_sm');
  const grown = growth((sequence_number) => {
    const own = load();
    window.add({ sequence_number, command, settle: () => own.length, sentMs: 0, startOctet: 0 });
    const answered = window.get(sequence_number - held);
    if (answered !== undefined) window.remove(answered);
  });
  expect(window.count).toBe(held);
  expect(grown).toBeLessThan(1 << 20);
});
