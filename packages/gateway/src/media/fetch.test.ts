import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { Fetched, FetchRequest, GuardedFetch } from '@heliograph/guarded-fetch';
import { describe, expect, it } from 'vitest';
import { movedClock, until } from '../../../../test/props/clock.ts';
import { httpServer, openGuardedFetch, rawServer, relaxed, strict } from '../../../guarded-fetch/src/net-fixture.ts';
import { machineClock, machineRandom } from '../kernel/machine.ts';
import type { MediaFiles } from '../model/media.ts';
import type { MediaFailureCode } from '../model/medium.ts';
import { fetchMedia, inflatedBytesMax, type MediaFetchParts, mediaFetchCaps } from './fetch.ts';
import { openMediaFiles } from './files.ts';
import { phoneJpeg, pngBomb, temporaryFolder, vcard } from './media-fixture.ts';

const jpeg = await phoneJpeg(60, 40);
const bomb = await pngBomb(14_000, 14_000);
const openFiles = () => openMediaFiles({ dataDir: temporaryFolder(), random: machineRandom, now: machineClock.now });

async function parts(more: Partial<MediaFetchParts> = {}): Promise<MediaFetchParts> {
  const files = await openFiles();
  return {
    clock: machineClock,
    guarded: openGuardedFetch(),
    policy: () => relaxed,
    files,
    own: async () => 'not-ours',
    version: '1.2.3',
    ...more,
  };
}

const answered = (status: number, body: Buffer, headers: Record<string, string> = {}): Fetched => ({
  kind: 'answered',
  status,
  headers,
  body,
  truncated: false,
  ms: 1,
});

/** A dialler that gives these answers in order, each after `tookMs`. */
function scripted(answers: Fetched[], clock = movedClock(), tookMs = 10) {
  const requests: FetchRequest[] = [];
  const guarded: GuardedFetch = {
    async fetch(request) {
      requests.push(request);
      clock.pass(tookMs);
      return answers.shift()!;
    },
    checkUrlResolved: async () => ({ ok: true }),
    close: () => {},
  };
  return { requests, guarded, clock };
}

/** The outcome of fetching one URL, moving time on while it waits. */
async function outcome(answers: Fetched[], tookMs?: number) {
  const { requests, guarded, clock } = scripted(answers, movedClock(), tookMs);
  const result = fetchMedia(await parts({ guarded, clock }), ['http://media.example/a'], 'acct');
  let done = false;
  result.finally(() => {
    done = true;
  });
  await until(() => {
    clock.pass(1_000);
    return done;
  });
  return { requests, result: await result };
}

const failedWith = (code: MediaFailureCode) => expect.objectContaining({ kind: 'failed', code, index: 0 });
const unreachable = (why: (Fetched & { kind: 'unreachable' })['why']): Fetched => ({
  kind: 'unreachable',
  why,
  sent: true,
  ms: 1,
});

describe('over a real socket', () => {
  it('each URL is requested once, and its content is stored', async () => {
    const requests: string[] = [];
    const server = await httpServer((request, response) => {
      requests.push(`${request.method} ${request.url} ${request.headers['user-agent']}`);
      response.setHeader('content-type', 'text/html');
      response.end(request.url === '/card' ? vcard : jpeg);
    });
    const url = (path: string) => `http://127.0.0.1:${server.port}${path}`;
    const all = await parts();
    const result = await fetchMedia(all, [url('/a'), url('/card'), url('/a')], 'acct');
    if (result.kind !== 'fetched') throw new Error(JSON.stringify(result));
    expect(result.media.map(({ type }) => type)).toEqual(['image/jpeg', 'text/vcard', 'image/jpeg']);
    expect(result.media[0]!.sizeBytes).toBe(jpeg.length);
    expect(await all.files.read(result.media[0]!.hash)).toEqual(jpeg);
    expect(requests).toEqual(['GET /a Heliograph/1.2.3', 'GET /card Heliograph/1.2.3']);
  });

  it('a private address is blocked before a packet leaves', async () => {
    const server = await httpServer((_request, response) => response.end(jpeg));
    const all = await parts({ policy: () => strict });
    const result = await fetchMedia(all, [`http://127.0.0.1:${server.port}/a`], 'acct');
    expect(result).toEqual(failedWith('MEDIA_BLOCKED'));
    expect(server.connections()).toBe(0);
  });

  it('an endless body ends at the cap', async () => {
    const server = await rawServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      const more = () => {
        while (socket.writable && socket.write(Buffer.alloc(65_536))) {}
      };
      socket.on('drain', more);
      more();
    });
    const result = await fetchMedia(await parts(), [`http://127.0.0.1:${server.port}/a`], 'acct');
    expect(result).toEqual(failedWith('MEDIA_TOO_LARGE'));
  });

  it('one that never answers is unreachable', async () => {
    const server = await rawServer(() => {});
    const caps = { firstByteMs: 20, totalMs: 60 };
    const result = await fetchMedia(await parts({ caps }), [`http://127.0.0.1:${server.port}/a`], 'acct');
    expect(result).toEqual(failedWith('MEDIA_UNREACHABLE'));
  });
});

describe('what comes back', () => {
  it.each<[string, Fetched, MediaFailureCode]>([
    ['not found', answered(404, jpeg), 'MEDIA_UNREACHABLE'],
    ['login wanted', answered(401, jpeg), 'MEDIA_UNREACHABLE'],
    ['not modified', answered(304, jpeg), 'MEDIA_UNREACHABLE'],
    ['a part only', answered(206, jpeg), 'MEDIA_UNREACHABLE'],
    ['nothing', answered(200, Buffer.alloc(0)), 'MEDIA_UNREACHABLE'],
    ['HTML', answered(200, Buffer.from('<html>secret')), 'MEDIA_TYPE_NOT_SUPPORTED'],
    ['a bomb', answered(200, bomb), 'MEDIA_TOO_LARGE'],
    ['more than 5 MB', unreachable('too-large'), 'MEDIA_TOO_LARGE'],
    ['a loop', unreachable('redirect'), 'MEDIA_UNREACHABLE'],
    ['no certificate', unreachable('tls'), 'MEDIA_UNREACHABLE'],
    ['no HTTP', unreachable('protocol'), 'MEDIA_UNREACHABLE'],
    ['a forbidden redirect', { kind: 'blocked', why: 'address', ms: 1 }, 'MEDIA_BLOCKED'],
  ])('%s is final at once', async (_name, answer, code) => {
    const { requests, result } = await outcome([answer]);
    expect(result).toEqual(failedWith(code));
    expect(requests).toHaveLength(1);
  });

  it.each<[string, Fetched, string]>([
    ['a status', answered(404, jpeg), 'its host answered with HTTP status 404'],
    ['a time-out', unreachable('timeout'), 'did not answer in time (10 s to the first byte, 30 s in all)'],
    ['a name', unreachable('dns'), 'its host name does not resolve'],
    ['a certificate', unreachable('tls'), 'the certificate of its host is not valid'],
    ['a size', unreachable('too-large'), 'is larger than 5,242,880 bytes'],
    ['pixels', answered(200, bomb), 'has too many pixels: at most 25 million in a picture and 65,535 along an edge'],
    [
      'a type',
      answered(200, Buffer.from('<html>secret'), { 'content-type': 'Text/HTML; charset=x' }),
      'file (its host calls it text/html)',
    ],
    ['no type', answered(200, Buffer.from('<html>secret'), { 'content-type': '<b>/secret' }), 'or MP3 file. Use'],
    ['an address', { kind: 'blocked', why: 'address', ms: 1 }, 'a private, local or otherwise forbidden address'],
    ['a port', { kind: 'blocked', why: 'port', ms: 1 }, 'a forbidden port'],
  ])('is named with its place, its host and what was seen: %s', async (_name, answer, saw) => {
    const { guarded, clock } = scripted([answered(200, jpeg), answer, answer], movedClock(), 30_000);
    const urls = ['http://m.example/a', 'https://user.example:8443/b?token=secret#secret', 'http://m.example/c'];
    const result = await fetchMedia(await parts({ guarded, clock }), urls, 'acct');
    if (result.kind !== 'failed') throw new Error(result.kind);
    expect(result.detail).toMatch(/^Medium 2 of 3 in mediaUrls \(user\.example\) /);
    expect(result.detail).toContain(saw);
    expect(result.detail).not.toContain('secret');
    expect(result.detail.length).toBeLessThanOrEqual(300);
    expect(result.fetched).toMatchObject([{ type: 'image/jpeg', width: 60, height: 40 }]);
  });

  it('is requested with the limits of the specification', async () => {
    const { requests } = await outcome([answered(200, jpeg)]);
    const caps = { totalMs: 30_000, firstByteMs: 10_000, bodyBytesMax: 5 * 1024 * 1024, keep: 'whole' };
    expect(requests[0]).toMatchObject({ method: 'GET', redirectsMax: 3, caps });
  });

  it('the first failure ends the message: no later URL is requested', async () => {
    const { requests, guarded, clock } = scripted([answered(200, jpeg), answered(404, jpeg)]);
    const urls = ['http://m.example/a', 'http://m.example/b', 'http://m.example/c'];
    const result = await fetchMedia(await parts({ guarded, clock }), urls, 'acct');
    expect(result).toMatchObject({ code: 'MEDIA_UNREACHABLE', index: 1 });
    expect(requests).toHaveLength(2);
  });
});

describe('a second try', () => {
  it.each<[string, Fetched]>([
    ['503', answered(503, jpeg)],
    ['429', answered(429, jpeg)],
    ['reset', unreachable('reset')],
    ['dns', unreachable('dns')],
    ['connect', unreachable('connect')],
    ['timeout', unreachable('timeout')],
    ['busy', { kind: 'busy', ms: 0 }],
  ])('helps after %s', async (_name, first) => {
    const { requests, result } = await outcome([first, answered(200, jpeg)]);
    expect(result.kind).toBe('fetched');
    expect(requests).toHaveLength(2);
  });

  it('is the last one, and has only the time that is left', async () => {
    const { requests, result } = await outcome([unreachable('timeout'), answered(500, jpeg)], 10_000);
    expect(result).toEqual(failedWith('MEDIA_UNREACHABLE'));
    expect(requests).toHaveLength(2);
    expect(requests[1]!.caps.totalMs).toBeLessThanOrEqual(19_000);
  });

  it('is not made when the time is over', async () => {
    const { requests } = await outcome([unreachable('timeout')], mediaFetchCaps.totalMs);
    expect(requests).toHaveLength(1);
  });

  it('busy twice, or no room on the disk, decides nothing', async () => {
    const busy: Fetched = { kind: 'busy', ms: 0 };
    expect((await outcome([busy, busy])).result).toEqual({ kind: 'later', why: 'busy' });
    const files: MediaFiles = { ...(await openFiles()), put: async () => ({ ok: false, why: 'disk-full' }) };
    const all = await parts({ files, guarded: scripted([answered(200, jpeg)]).guarded });
    expect(await fetchMedia(all, ['http://m.example/a'], 'acct')).toEqual({ kind: 'later', why: 'disk-full' });
  });
});

describe('a compressed body', () => {
  it.each([
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    [' GZIP ', gzipSync],
    ['identity', (bytes: Buffer) => bytes],
  ])('%s is opened', async (encoding, compress) => {
    const { result } = await outcome([answered(200, compress(jpeg), { 'content-encoding': encoding })]);
    expect(result).toMatchObject({ media: [{ type: 'image/jpeg', sizeBytes: jpeg.length }] });
  });

  it('a bomb ends at the cap', async () => {
    const zeros = gzipSync(Buffer.alloc(inflatedBytesMax + 1));
    const { result } = await outcome([answered(200, zeros, { 'content-encoding': 'gzip' })]);
    expect(result).toEqual(failedWith('MEDIA_TOO_LARGE'));
  });

  it.each([
    ['gzip', 'MEDIA_UNREACHABLE'],
    ['gzip, gzip', 'MEDIA_TYPE_NOT_SUPPORTED'],
    ['zstd', 'MEDIA_TYPE_NOT_SUPPORTED'],
    ['constructor', 'MEDIA_TYPE_NOT_SUPPORTED'],
  ] as const)('%s that is none: %s', async (encoding, code) => {
    const { result } = await outcome([answered(200, jpeg, { 'content-encoding': encoding })]);
    expect(result).toEqual(failedWith(code));
  });
});
