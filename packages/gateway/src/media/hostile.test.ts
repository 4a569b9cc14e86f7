import { expect, it } from 'vitest';
import { hostileCorpus } from './hostile-fixture.ts';
import { judge } from './hostile-judge-fixture.ts';
import { kindOf } from './kind.ts';

const corpus = await hostileCorpus();

it('none of the files that must be refused is taken', () => {
  const wrong = corpus.filter(({ may }) => may === 'be refused');
  expect(wrong.length).toBeGreaterThan(300);
  expect(wrong.filter(({ bytes }) => kindOf(bytes).ok).map(({ name }) => name)).toEqual([]);
});

it('one in ten of the corpus: nothing crashes, gets through, grows or connects', async () => {
  const some = corpus.filter(({ may }, index) => index % 10 === 0 && may !== 'take long');
  const { faults, counts, mediaProcess, connects } = await judge(some);
  expect(faults).toEqual([]);
  expect(Math.min(counts.refused, counts.fitted, counts.failed)).toBeGreaterThan(10);
  expect(connects ?? []).toEqual([]);
  expect(mediaProcess.failures).toBe(0);
  expect(mediaProcess.childPeakMb).toBeLessThan(256);
  expect(mediaProcess.ownPeakMb).toBeLessThan(200);
});
