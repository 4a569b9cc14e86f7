import { connect } from 'node:net';
import { inspect } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { amr, movie, phoneJpeg, picture, vcard } from '../../media/media-fixture.ts';
import { StoreUnavailable } from '../../store/faults.ts';
import { openMediaServer } from './media-server-fixture.ts';

async function open() {
  const world = await openMediaServer();
  onTestFinished(() => world.testServer.close());
  const put = async (bytes: Buffer): Promise<string> => (await world.upload(bytes)).json.data.url;
  return { ...world, put };
}

const photo = await phoneJpeg(120, 80);
const day = 86_400_000;

describe('GET /media/…', () => {
  it('serves the file to anyone with the URL, and nothing that a browser could run', async () => {
    const { put, get, clock } = await open();
    const url = await put(photo);
    clock.pass(day);
    const { status, headers, bytes } = await get(url);
    expect([status, bytes.equals(photo)]).toEqual([200, true]);
    expect(headers).toMatchObject({
      'content-type': 'image/jpeg',
      'content-length': String(photo.length),
      'content-disposition': 'inline; filename="medium.jpg"',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'accept-ranges': 'bytes',
      'cache-control': `private, max-age=${29 * 86_400}, immutable`,
      etag: expect.stringMatching(/^"[0-9a-f]{64}"$/),
    });
  });

  it.each([
    ['video/mp4', 'inline', () => movie('mp42')],
    ['audio/amr', 'inline', () => amr(3)],
    ['image/webp', 'inline', () => picture(20, 20).webp().toBuffer()],
    ['text/vcard; charset=utf-8', 'attachment', () => vcard],
  ])('%s is shown %s', async (type, how, make) => {
    const { put, get } = await open();
    const { headers } = await get(await put(await make()));
    expect([headers['content-type'], headers['content-disposition']?.split(';')[0]]).toEqual([type, how]);
  });

  it.each([
    ['HTML', 'text/html', '<!DOCTYPE html><script>alert(1)</script>', 'application/octet-stream'],
    ['HTML called a picture', 'image/png', '<html><script>alert(1)</script>', 'application/octet-stream'],
    ['SVG', 'image/svg+xml', '<svg onload="alert(1)"/>', 'application/octet-stream'],
    ['another XML picture', 'image/x+xml', '<a/>', 'application/octet-stream'],
    ['a script', 'text/javascript', 'alert(1)', 'application/octet-stream'],
    ['a style sheet', 'text/css', 'p{}', 'application/octet-stream'],
    ['plain text', 'text/plain', '<b>x', 'application/octet-stream'],
    ['a PDF', 'application/pdf', '%PDF-1.7\n/JavaScript', 'application/pdf'],
    ['an HEIC', 'image/jpeg', '\0\0\0\x18ftypheic\0\0\0\0heicmif1', 'image/heic'],
    ['a JPEG that is none', 'image/jpeg', '\xff\xd8\xff nonsense', 'image/jpeg'],
    ['a film that is not whole', 'video/mp4', 'nonsense', 'video/mp4'],
  ])('%s from a handset is only saved, and can run nothing', async (_, declared, content, served) => {
    const { received, get } = await open();
    const bytes = Buffer.from(content, 'latin1');
    const answer = await get(await received(bytes, declared, 'file.bin'));
    expect([answer.status, answer.bytes.equals(bytes)]).toEqual([200, true]);
    expect(answer.headers).toMatchObject({
      'content-type': served,
      'content-disposition': 'attachment; filename="file.bin"',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
    });
  });

  it('a picture from a handset that is whole is shown in place', async () => {
    const { received, get } = await open();
    const { headers } = await get(await received(photo, 'application/octet-stream', 'a.jpg'));
    expect([headers['content-type'], headers['content-disposition']]).toEqual([
      'image/jpeg',
      'inline; filename="a.jpg"',
    ]);
  });

  it('answers HEAD with the headers alone', async () => {
    const { put, get } = await open();
    const { status, headers, bytes } = await get(await put(photo), { method: 'HEAD' });
    expect([status, headers['content-length'], bytes.length]).toEqual([200, String(photo.length), 0]);
  });

  it('answers an expired, an altered and an unknown URL alike', async () => {
    const { put, get, clock, links } = await open();
    const url = await put(photo);
    const details = new Set<string>();
    const refused = async (path: string) => {
      const { status, text, headers } = await get(path);
      expect([status, headers['cache-control']]).toEqual([404, 'no-store']);
      details.add(text);
    };
    for (const path of [
      url.replace('expires=1', 'expires=2'),
      url.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
      url.replace('medium.jpg', 'page.html'),
      url.replace('medium.jpg', '..%2f..%2fsecret.key'),
      url.replace(/med_./, 'med_7'),
      url.replace(/\?.*/, ''),
      `${url}&expires=9`,
      `${url}&signature=x`,
      url.replace(/signature=.*/, 'signature=%zz'),
      '/media/x/y',
    ]) {
      await refused(path);
    }
    clock.pass(30 * day - 1_000);
    expect((await get(url)).status).toBe(200);
    const [link] = links.values();
    clock.pass(1_000);
    await refused(url);
    // The URL has its own expiry, whatever its link says.
    links.set(link!.mediaId, { ...link!, expiresAt: clock.now() + day });
    await refused(url);
    clock.pass(-30 * day);
    expect((await get(url)).status).toBe(200);
    links.set(link!.mediaId, { ...link!, expiresAt: clock.now() });
    await refused(url);
    links.clear();
    await refused(url);
    expect([...details]).toEqual([expect.stringContaining('NOT_FOUND')]);
  });

  it('answers 404 and warns the operator when the file is missing', async () => {
    const { put, get, media, testServer } = await open();
    const url = await put(photo);
    media.read = async () => null;
    expect((await get(url)).status).toBe(404);
    expect(testServer.log.filter(({ level }) => level === 'error').map(({ message }) => message)).toEqual([
      'a medium is not in the media store',
    ]);
  });

  it('comes to an answer when store or disk fail', async () => {
    const { put, get, store, media } = await open();
    const url = await put(photo);
    media.read = () => Promise.reject(new Error('EIO'));
    expect((await get(url)).json.reason).toBe('INTERNAL_ERROR');
    store.mediaLink = () => Promise.reject(new StoreUnavailable('down', 'x'));
    expect((await get(url)).json.reason).toBe('TEMPORARILY_UNAVAILABLE');
  });

  it('takes no other method', async () => {
    const { put, get } = await open();
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
      const { status, headers } = await get(await put(photo), { method });
      expect([status, headers.allow]).toEqual([405, 'GET, HEAD']);
    }
  });
});

describe('a part of it', () => {
  const size = photo.length;
  it.each([
    ['bytes=0-99', 0, 100],
    ['bytes=100-', 100, size],
    ['bytes=-100', size - 100, size],
    [`bytes=-${size + 1}`, 0, size],
    [`bytes=5-${size + 1_000}`, 5, size],
    [`Bytes=${size - 1}-`, size - 1, size],
    ['bytes=0-0', 0, 1],
  ])('%s', async (range, start, end) => {
    const { put, get } = await open();
    const { status, headers, bytes } = await get(await put(photo), { headers: { range } });
    expect([status, headers['content-range']]).toEqual([206, `bytes ${start}-${end - 1}/${size}`]);
    expect([headers['content-length'], bytes.equals(photo.subarray(start, end))]).toEqual([String(end - start), true]);
  });

  it.each([`bytes=${size}-`, `bytes=${size}-${size + 5}`, 'bytes=-0', 'bytes=999999999999999-'])(
    '%s lies beyond the end',
    async (range) => {
      const { put, get } = await open();
      const { status, headers, json } = await get(await put(photo), { headers: { range } });
      expect([status, headers['content-range'], json.reason]).toEqual([416, `bytes */${size}`, 'INVALID_FIELD']);
    },
  );

  it.each([
    'bytes=0-1,5-6',
    'bytes=5-1',
    'bytes=-',
    'bytes=x-',
    'items=0-1',
    'bytes',
    '',
    'bytes=1-1e3',
    `bytes=${'9'.repeat(99)}-`,
  ])('is none when it cannot be read: %.30s', async (range) => {
    const { put, get } = await open();
    const { status, bytes } = await get(await put(photo), { headers: { range } });
    expect([status, bytes.length]).toEqual([200, size]);
  });

  it('is given only of the file the client has begun with, and only to GET', async () => {
    const { put, get } = await open();
    const url = await put(photo);
    const etag = (await get(url)).headers.etag!;
    const status = async (headers: Record<string, string>, method = 'GET') =>
      (await get(url, { method, headers: { range: 'bytes=0-9', ...headers } })).status;
    expect(await status({ 'if-range': etag })).toBe(206);
    for (const other of ['"x"', `W/${etag}`, 'Tue, 14 Nov 2023 22:13:20 GMT'])
      expect(await status({ 'if-range': other })).toBe(200);
    expect(await status({}, 'HEAD')).toBe(200);
  });
});

describe('a client that has it', () => {
  it('gets 304 without the bytes', async () => {
    const { put, get } = await open();
    const url = await put(photo);
    const etag = (await get(url)).headers.etag!;
    for (const known of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const { status, headers, bytes } = await get(url, { headers: { 'if-none-match': known, range: 'bytes=0-1' } });
      expect([status, headers.etag, bytes.length]).toEqual([304, etag, 0]);
      expect(headers['content-length']).toBeUndefined();
    }
    expect((await get(url, { headers: { 'if-none-match': '"x"' } })).status).toBe(200);
  });

  it('gets no second answer in front of its next one on the same connection', async () => {
    const { put, get, testServer } = await open();
    const url = await put(photo);
    const etag = (await get(url)).headers.etag!;
    const path = url.replace('https://sms.example.com', '');
    const head = (extra: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\nIf-None-Match: ${etag}\r\n${extra}\r\n`;
    const socket = connect({ host: '127.0.0.1', port: testServer.port });
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
    });
    socket.write(head('') + head('Content-Length: 9999999\r\n'));
    await new Promise((resolve) => socket.on('close', resolve));
    const answers = text.split('HTTP/1.1 ').slice(1);
    expect(answers.map((one) => one.slice(0, 3))).toEqual(['304', '304']);
    for (const one of answers) expect(one.endsWith('\r\n\r\n')).toBe(true);
  });
});

describe('what is on its way', () => {
  it('is read once for all who ask meanwhile, and let go', async () => {
    const { put, get, media } = await open();
    const url = await put(photo);
    const { read } = media;
    const reads: string[] = [];
    const waiting = Promise.withResolvers<void>();
    media.read = async (hash) => {
      reads.push(hash);
      await waiting.promise;
      return read(hash);
    };
    const downloads = Array.from({ length: 20 }, () => get(url));
    await expect.poll(() => reads.length).toBe(1);
    waiting.resolve();
    for (const { bytes } of await Promise.all(downloads)) expect(bytes.equals(photo)).toBe(true);
    await get(url);
    expect(reads.length).toBeGreaterThan(1);
  });
});

describe('SEC-10 the log', () => {
  it('never holds the query, whatever happens', async () => {
    const { put, get, testServer, media } = await open();
    const url = await put(photo);
    const [, signature] = /signature=(.*)$/.exec(url)!;
    await get(url);
    await get(url.replace('medium.jpg', 'x.jpg'));
    await get(`${url}&signature=again`);
    await get(url.replace('/media/', '/nope/'));
    await get(url, { method: 'DELETE' });
    await get(url, { headers: { 'x-request-id': signature! } });
    media.read = () => Promise.reject(new Error(`cannot read ${url} ${signature}`));
    await get(url);
    expect(testServer.log.length).toBeGreaterThan(6);
    const lines = testServer.log.map((line) => inspect(line, { depth: 9, maxStringLength: null })).join('\n');
    expect(lines).toContain("route: '/media/:mediaId/:fileName'");
    expect(lines).not.toContain(signature);
    expect(lines).not.toContain('expires=');
  });
});
