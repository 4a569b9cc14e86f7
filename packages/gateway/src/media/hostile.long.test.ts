import { expect, it } from 'vitest';
import { hostileCorpus } from './hostile-fixture.ts';
import { judge } from './hostile-judge-fixture.ts';

it('the whole hostile corpus: nothing crashes, gets through, grows or connects', async () => {
  const corpus = await hostileCorpus();
  expect(corpus.length).toBeGreaterThan(1_000);
  const { faults, counts, mediaProcess, connects, slowest } = await judge(corpus);
  console.log(
    JSON.stringify({
      files: corpus.length,
      counts,
      mediaProcess,
      connects: connects?.length ?? 'not watched',
      slowest,
    }),
  );
  expect(faults).toEqual([]);
  expect(counts.refused).toBeGreaterThan(300);
  expect(counts.fitted).toBeGreaterThan(50);
  expect(counts.failed).toBeGreaterThan(50);
  expect(connects ?? []).toEqual([]);
  // Only files marked `take long` may cost a process, and each at most two.
  expect(mediaProcess.failures).toBeLessThanOrEqual(2 * corpus.filter(({ may }) => may === 'take long').length);
  expect(mediaProcess.childPeakMb).toBeLessThan(256);
  expect(mediaProcess.ownPeakMb).toBeLessThan(200);
});
