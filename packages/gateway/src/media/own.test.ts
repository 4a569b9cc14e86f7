import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { MediaFiles } from '../model/media.ts';
import { createMediaUrls } from '../model/media-url.ts';
import type { KeptMedium, StoredMedium } from '../model/medium.ts';
import { fetchMedia } from './fetch.ts';
import { createOwnMedia } from './own.ts';

const now = 1_700_000_000_000;
const later = now + 60_000;
const mediaId = 'med_01JD8Z6QF2X5T9V3B7N1KMHGCA';
const medium: StoredMedium = { hash: 'a'.repeat(64), type: 'image/png', sizeBytes: 7 };
const urls = createMediaUrls({ key: randomBytes(32), baseUrl: () => 'https://sms.example.com' });
const url = urls.urlFor(mediaId, 'cat.png', later);

function openOwn(link: { accountId: string; medium: KeptMedium; downloadOnly?: boolean; expiresAt: number } | null) {
  const lookups: string[] = [];
  const own = createOwnMedia({
    urls,
    now: () => now,
    mediaLink: async (id) => {
      lookups.push(id);
      return link;
    },
  });
  return { own, lookups };
}

const link = { accountId: 'acc', medium, expiresAt: later };

describe('a media URL in a message', () => {
  it('of ours is read from the store, under whatever host', async () => {
    const { own, lookups } = openOwn(link);
    expect(await own(url, 'acc')).toBe(medium);
    expect(await own(url.replace('sms.example.com', 'old-name.example'), 'acc')).toBe(medium);
    expect(lookups).toEqual([mediaId, mediaId]);
  });

  it('of another account, unknown or expired is gone', async () => {
    expect(await openOwn(link).own(url, 'acc_other')).toBe('gone');
    expect(await openOwn(null).own(url, 'acc')).toBe('gone');
    expect(await openOwn({ ...link, expiresAt: now }).own(url, 'acc')).toBe('gone');
    const { own, lookups } = openOwn(link);
    expect(await own(urls.urlFor(mediaId, 'cat.png', now), 'acc')).toBe('gone');
    expect(lookups).toEqual([]);
  });

  it('of a file that is only for saving, or of a type that is not sent, is not supported', async () => {
    expect(await openOwn({ ...link, downloadOnly: true }).own(url, 'acc')).toBe('unsupported');
    const pdf = { ...medium, type: 'application/pdf' };
    const { own } = openOwn({ ...link, medium: pdf });
    expect(await own(url, 'acc')).toBe('unsupported');
    const nothing = {} as never;
    const parts = { clock: nothing, guarded: nothing, policy: nothing, files: nothing, own, version: '1' };
    expect(await fetchMedia(parts, [url], 'acc')).toMatchObject({ kind: 'failed', code: 'MEDIA_TYPE_NOT_SUPPORTED' });
  });

  it('of somebody else, or altered, is not ours: nothing is looked up', async () => {
    const { own, lookups } = openOwn(link);
    for (const other of ['https://shop.example/cat.png', url.replace('cat', 'dog'), `${url}x`, 'garbage', '']) {
      expect(await own(other, 'acc')).toBe('not-ours');
    }
    expect(lookups).toEqual([]);
  });

  it('passes on that the store does not answer', async () => {
    const own = createOwnMedia({ urls, now: () => now, mediaLink: () => Promise.reject(new Error('down')) });
    await expect(own(url, 'acc')).rejects.toThrow('down');
  });

  it('is never dialled, alive or gone', async () => {
    const nothing = {} as never;
    const files = { ...(nothing as MediaFiles), read: async () => null };
    const fetched = (accountId: string) =>
      fetchMedia(
        { clock: nothing, guarded: nothing, policy: nothing, files, own: openOwn(link).own, version: '1' },
        [url, url],
        accountId,
      );
    expect(await fetched('acc')).toEqual({ kind: 'fetched', media: [medium, medium] });
    expect(await fetched('acc_other')).toMatchObject({ kind: 'failed', code: 'MEDIA_UNREACHABLE', index: 0 });
  });
});
