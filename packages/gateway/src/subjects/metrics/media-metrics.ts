/** Times the fetching of customers' media. */
import type { Clock } from '../../kernel/clock.ts';
import type { Registry } from '../../kernel/metrics.ts';
import type { Media } from '../../model/media.ts';

const fetchBuckets = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** Wraps media so that its fetches are timed. */
export type TimeMedia = <M extends Pick<Media, 'fetch'>>(media: M) => M;

export function createMediaMetrics(registry: Registry, { monotonicMs }: Pick<Clock, 'monotonicMs'>): TimeMedia {
  const took = registry.histogram({
    name: 'helio_media_fetch_seconds',
    help: 'How long it took to fetch all media of a request, or to give up.',
    buckets: fetchBuckets,
  });
  return (media) => ({
    ...media,
    fetch: async (urls, accountId) => {
      const startedMs = monotonicMs();
      try {
        return await media.fetch(urls, accountId);
      } finally {
        took.observe((monotonicMs() - startedMs) / 1_000);
      }
    },
  });
}
