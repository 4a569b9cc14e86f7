import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { collectorOf } from './spare-memory.ts';

const mb = 1_048_576;

test('a quiet thread collects once its heap has grown, and not again before it has', () => {
  let busyShare = 0.01;
  let bytes = 40 * mb;
  let collected = 0;
  const look = collectorOf({
    busyShare: () => busyShare,
    bytes: () => bytes,
    collect: () => {
      collected++;
      bytes = 30 * mb;
    },
  });
  look();
  expect(collected).toBe(1);
  bytes = 37 * mb;
  look();
  expect(collected).toBe(1);
  bytes = 300 * mb;
  busyShare = 0.3;
  look();
  expect(collected).toBe(1);
  busyShare = 0.05;
  look();
  expect(collected).toBe(2);
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
