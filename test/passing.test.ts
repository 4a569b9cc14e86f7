/**
 * What comes and goes with every text must not pile up in the old part of V8's heap, where it stays until the whole heap is
 * looked through: an old Map does that when it is given a new table (passing.ts).
 */
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { PassingMap } from '../packages/gateway/src/kernel/passing.ts';
import { commandByName } from '../packages/smpp/src/commands.ts';
import { RequestWindow } from '../packages/smpp/src/windows.ts';

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc') as (options?: { type: 'minor' }) => void;

const held = 50;
/** 8 MB in all. */
const passing = 5_000;
const load = (): number[] => new Array<number>(200).fill(0);

/** Bytes by which the old part of the heap grows while `come` is called for each, once the first ones are old. */
function growth(come: (number: number) => void): number {
  for (let number = 1; number <= held; number++) come(number);
  gc();
  const oldBytes = () => getHeapSpaceStatistics().find(({ space_name }) => space_name === 'old_space')!.space_used_size;
  const before = oldBytes();
  for (let number = held + 1; number <= passing; number++) come(number);
  // What lives after two small collections is old.
  gc({ type: 'minor' });
  gc({ type: 'minor' });
  return oldBytes() - before;
}

test('a PassingMap keeps nothing of what has left it', () => {
  const map = new PassingMap<number, number[]>();
  const grown = growth((number) => {
    map.set(number, load());
    map.delete(number - held);
  });
  expect(map.size).toBe(held);
  expect(grown).toBeLessThan(1 << 20);
});

test('the window of an SMPP session keeps nothing of what was answered', () => {
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
