import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createIds } from '../kernel/ids.ts';
import { mediumFileName } from './media-name.ts';
import { createMediaUrls } from './media-url.ts';

const key = randomBytes(32);
const urlsAt = (baseUrl: string, withKey: Uint8Array = key) =>
  createMediaUrls({ key: withKey, baseUrl: () => baseUrl });
const urls = urlsAt('https://sms.example.com');
const mediaId = 'med_01JD8Z6QF2X5T9V3B7N1KMHGCA';
const url = urls.urlFor(mediaId, 'tante-erna.jpg', 1_700_000_000_999);

describe('a URL of ours', () => {
  it('says which medium it is for and until when, in whole seconds', () => {
    expect(url).toMatch(
      /^https:\/\/sms\.example\.com\/media\/med_01JD8Z6QF2X5T9V3B7N1KMHGCA\/tante-erna\.jpg\?expires=1700000000&signature=[\w-]{43}$/,
    );
    expect(urls.read(url)).toEqual({ mediaId, expiresAt: 1_700_000_000_000 });
  });

  it('is made for the ids there are', () => {
    const ids = createIds(
      { now: () => 1, monotonicMs: () => 1, after: () => () => {} },
      { bytes: randomBytes, fraction: () => 0 },
    );
    const made = ids.next('med_');
    expect(urls.read(urls.urlFor(made, 'a.png', 5_000))).toEqual({ mediaId: made, expiresAt: 5_000 });
  });

  it('is made for the file names there are', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (called) => {
        const made = urls.urlFor(mediaId, mediumFileName(called, 'audio/amr'), 1_000);
        expect(urls.read(made)).toEqual({ mediaId, expiresAt: 1_000 });
      }),
    );
  });

  it('is ours under every name of this gateway, and below a path of its own', () => {
    for (const baseUrl of ['http://localhost:8088', 'https://other.example/sms/v2', 'http://[::1]']) {
      expect(urls.read(url.replace('https://sms.example.com', baseUrl))).toEqual({
        mediaId,
        expiresAt: 1_700_000_000_000,
      });
    }
  });

  it('is not ours under another key', () => {
    expect(urlsAt('https://sms.example.com', randomBytes(32)).read(url)).toBeNull();
  });

  it.each([
    ['another medium', url.replace('GCA/', 'GCB/')],
    ['another time', url.replace('expires=1700000000', 'expires=1700000001')],
    ['the same time written otherwise', url.replace('expires=', 'expires=0')],
    ['another name', url.replace('tante', 'tanze')],
    ['a name with a path', url.replace('tante-erna.jpg', '..%2Ftante-erna.jpg')],
    ['another signature', url.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))],
    ['a signature with more behind it', `${url}A`],
    ['padding behind the signature', `${url}=`],
    ['half a signature', url.slice(0, -20)],
    ['no signature', url.replace(/&signature=.*/, '')],
    ['an empty signature', url.replace(/signature=.*/, 'signature=')],
    ['no time', url.replace('expires=1700000000&', '')],
    ['another path', url.replace('/media/', '/Media/')],
    ['more path', url.replace('?', '/x?')],
    ['no URL', 'med'],
    ['nothing', ''],
  ])('%s is none', (_name, altered) => {
    expect(altered).not.toBe(url);
    expect(urls.read(altered)).toBeNull();
  });

  it('is none after any one character was changed', () => {
    const start = url.indexOf('med_');
    fc.assert(
      fc.property(
        fc.integer({ min: start, max: url.length - 1 }),
        fc.string({ minLength: 1, maxLength: 1 }),
        (at, other) => {
          const altered = url.slice(0, at) + other + url.slice(at + 1);
          // A fragment, and characters that a URL parser removes, do not change the URL.
          const same = URL.parse(altered)?.href.replace(/#.*/, '') === url;
          expect(urls.read(altered) !== null).toBe(same);
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('the parts of a URL', () => {
  const right = {
    mediaId,
    fileName: 'tante-erna.jpg',
    expires: '1700000000',
    signature: /signature=(.*)/.exec(url)![1]!,
  };

  it('are checked like the whole', () => {
    expect(urls.check(right)).toEqual({ mediaId, expiresAt: 1_700_000_000_000 });
    const wrong = [
      { expires: null },
      { signature: null },
      { signature: 'ä'.repeat(43) },
      { expires: '1e9' },
      { mediaId: 'med_' },
      { mediaId: '../etc/passwd' },
      { fileName: '' },
      { fileName: 'x'.repeat(65) },
    ];
    for (const part of wrong) expect(urls.check({ ...right, ...part })).toBeNull();
  });
});
