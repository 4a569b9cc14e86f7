import { expect, it } from 'vitest';
import { readExposition } from '../../../../../test/props/exposition.ts';
import { createRegistry } from '../../kernel/metrics.ts';
import type { FetchedMedia } from '../../model/media.ts';
import { createMediaMetrics } from './media-metrics.ts';

it('times fetches that end well and those that do not, and changes neither', async () => {
  const registry = createRegistry(() => {});
  const clock = { ms: 0, monotonicMs: () => clock.ms };
  const fetched: FetchedMedia = { kind: 'fetched', media: [] };
  const outcomes = [Promise.resolve(fetched), Promise.reject(new Error('broken disk'))];
  outcomes[1]!.catch(() => {});
  const calls: unknown[] = [];
  const media = createMediaMetrics(
    registry,
    clock,
  )({
    other: 'stays',
    fetch: (...given) => {
      calls.push(given);
      clock.ms += 3_000;
      return outcomes[calls.length - 1]!;
    },
  });
  expect(media.other).toBe('stays');
  expect(await media.fetch(['http://a'], 'acc1')).toBe(fetched);
  await expect(media.fetch(['http://b'], 'acc1')).rejects.toThrow('broken disk');
  expect(calls).toEqual([
    [['http://a'], 'acc1'],
    [['http://b'], 'acc1'],
  ]);
  const found = readExposition(await registry.text());
  expect(found.value('helio_media_fetch_seconds_sum')).toBe(6);
  expect(found.value('helio_media_fetch_seconds_bucket', { le: '2.5' })).toBe(0);
  expect(found.value('helio_media_fetch_seconds_bucket', { le: '5' })).toBe(2);
});
