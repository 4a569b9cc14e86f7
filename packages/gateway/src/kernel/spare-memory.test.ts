import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { collectorOf } from './spare-memory.ts';

const mb = 1_048_576;

/** A thread whose heap has 30 MB after each collection; looks at it now and then. */
function thread() {
  const heap = { busyShare: 0.03, processShare: 0.04, megabytes: 40, collected: [] as ('everything' | 'garbage')[] };
  const look = collectorOf({
    busyShare: () => heap.busyShare,
    processShare: () => heap.processShare,
    bytes: () => heap.megabytes * mb,
    collect: (everything) => {
      heap.collected.push(everything ? 'everything' : 'garbage');
      heap.megabytes = 30;
    },
  });
  return (busyShare: number, megabytes: number, processShare = 0.04) => {
    Object.assign(heap, { busyShare, processShare, megabytes, collected: [] });
    look();
    return heap.collected;
  };
}

test('a quiet thread collects once its heap has grown, and not again before it has', () => {
  const looked = thread();
  expect(looked(0.03, 40)).toEqual(['garbage']);
  expect(looked(0.03, 37)).toEqual([]);
  expect(looked(0.3, 300)).toEqual([]);
  expect(looked(0.05, 300)).toEqual(['garbage']);
});

test('a thread at rest gives back everything, once until it has collected again', () => {
  const looked = thread();
  expect(looked(0.03, 40)).toEqual(['garbage']);
  expect(looked(0.01, 31)).toEqual(['everything']);
  expect(looked(0.01, 31)).toEqual([]);
  expect(looked(0.002, 40)).toEqual(['everything']);
  expect(looked(0.03, 37)).toEqual([]);
  expect(looked(0.01, 37)).toEqual([]);
});

test('a thread at rest in a busy process collects garbage at most', () => {
  const looked = thread();
  expect(looked(0.001, 31, 0.6)).toEqual(['garbage']);
  expect(looked(0.001, 31, 0.6)).toEqual([]);
  expect(looked(0.001, 31, 0.04)).toEqual(['everything']);
});

test('the machine has its memory back', () => {
  const module = new URL('./spare-memory.ts', import.meta.url).href;
  const source = `
    import { collectWhenQuiet } from ${JSON.stringify(module)};
    import { getHeapStatistics } from 'node:v8';
    let rows = Array.from({ length: 500_000 }, (_, i) => ({ i, name: 'row ' + i }));
    rows = null;
    const full = getHeapStatistics().total_physical_size;
    const isGivenBack = () => getHeapStatistics().total_physical_size < full - 15e6;
    collectWhenQuiet(250);
    for (let look = 0; look < 400 && !isGivenBack(); look++) await new Promise((go) => setTimeout(go, 100));
    console.log(isGivenBack());`;
  const flags = ['--expose-gc', '--max-semi-space-size=8', '--input-type=module', '-e', source];
  const { stdout, stderr } = spawnSync(process.execPath, flags, { encoding: 'utf8' });
  expect(stdout + stderr).toBe('true\n');
});
