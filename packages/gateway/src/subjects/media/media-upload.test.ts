import { connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { rawHead, recordsOf, speak, speakRaw, type TestServerOptions } from '../../http/server-fixture.ts';
import { kindOf } from '../../media/kind.ts';
import { amr, movie, mp3, phoneJpeg, picture, pngBomb, vcard } from '../../media/media-fixture.ts';
import { keyOf, newPair } from '../../model/world-fixture.ts';
import { StoreUnavailable } from '../../store/faults.ts';
import { openMediaServer } from './media-server-fixture.ts';

async function open(options?: TestServerOptions) {
  const world = await openMediaServer(options);
  onTestFinished(() => world.testServer.close());
  return world;
}

const photo = await phoneJpeg(120, 80);
const bomb = await pngBomb(14_000, 14_000);

describe('POST /api/v1/media', () => {
  it('stores the file with its link and gives back a URL that reads it', async () => {
    const { upload, get, links, clock } = await open();
    const { status, json } = await upload(photo, {
      query: 'fileName=Tante%20Erna.HEIC',
      headers: { 'content-type': 'image/heic' },
    });
    expect(status).toBe(200);
    const [link] = links.values();
    expect(json).toEqual({
      success: true,
      reason: 'SUCCESS',
      detail: expect.stringContaining('mediaUrls'),
      data: {
        mediaId: link!.mediaId,
        url: expect.stringContaining(`/media/${link!.mediaId}/tante-erna.jpg?expires=`),
        contentType: 'image/jpeg',
        sizeBytes: photo.length,
        expiresAt: new Date(clock.now() + 30 * 86_400_000).toISOString(),
      },
    });
    expect(link).toMatchObject({
      accountId: 'acc_one',
      fileName: 'tante-erna.jpg',
      createdAt: clock.now(),
      expiresAt: clock.now() + 30 * 86_400_000,
      medium: { type: 'image/jpeg', sizeBytes: photo.length },
    });
    expect((await get(json.data.url)).bytes.equals(photo)).toBe(true);
  });

  it.each([
    ['medium.mp4', () => movie('mp42')],
    ['medium.amr', () => amr(3)],
    ['medium.mp3', () => mp3(4)],
    ['medium.vcf', () => vcard],
    ['medium.gif', () => picture(20, 20).gif().toBuffer()],
  ])('takes %s by its content, whatever it is called', async (name, make) => {
    const { upload } = await open();
    const bytes = await make();
    for (const type of ['text/html', 'application/x-www-form-urlencoded', 'x', undefined]) {
      const { json } = await upload(bytes, type === undefined ? {} : { headers: { 'content-type': type } });
      expect(json.data.url).toContain(`/${name}?`);
    }
  });

  it.each([
    ['nothing', Buffer.alloc(0), {}, 'UNSUPPORTED_CONTENT_TYPE', 'empty'],
    [
      'HTML that calls itself a picture',
      Buffer.from('<html>'),
      { 'content-type': 'image/png' },
      'UNSUPPORTED_CONTENT_TYPE',
      'JPEG',
    ],
    ['JSON', photo, { 'content-type': 'application/json' }, 'UNSUPPORTED_CONTENT_TYPE', 'file itself'],
    ['a form', photo, { 'content-type': 'Multipart/form-data; boundary=x' }, 'UNSUPPORTED_CONTENT_TYPE', 'file itself'],
    ['what is compressed', photo, { 'content-encoding': 'gzip' }, 'UNSUPPORTED_CONTENT_TYPE', 'uncompressed'],
    ['5 MB and one byte', Buffer.alloc(5 * 1024 * 1024 + 1), {}, 'BODY_TOO_LARGE', '5242880 bytes'],
    ['a bomb', bomb, {}, 'BODY_TOO_LARGE', 'pixels'],
  ])('refuses %s', async (_name, bytes, headers, reason, word) => {
    const { upload, links } = await open();
    const { status, json } = await upload(bytes, { headers: headers as Record<string, string> });
    expect([status, json.success, json.reason]).toEqual([400, false, reason]);
    expect(json.detail).toContain(word);
    expect(links.size).toBe(0);
  });

  it('takes 5 MB to the byte', async () => {
    const { upload } = await open();
    const bytes = Buffer.concat([
      Buffer.from('BEGIN:VCARD\r\n'),
      Buffer.alloc(5 * 1024 * 1024 - 25, 'x'),
      Buffer.from('\r\nEND:VCARD\n'),
    ]);
    expect(bytes.length).toBe(5 * 1024 * 1024);
    expect((await upload(bytes)).json.data).toMatchObject({ contentType: 'text/vcard', sizeBytes: bytes.length });
  });

  it('requires both credentials and the scope before it reads a byte', async () => {
    const { testServer, links } = await open();
    const whole = rawHead(testServer, ['Content-Length: 5000000'], '/api/v1/media');
    const answered = (head: string) => speakRaw(testServer, head, 'x');
    for (const head of [whole.replace(/Bearer .{5}/, 'Bearer nope'), whole.replace('apikey=', 'apikey=nope')]) {
      expect((await answered(head)).text).toContain('NOT_AUTHORIZED');
    }
    const reader = newPair();
    testServer.use(recordsOf([keyOf(reader, { scopes: ['read', 'admin'] })]));
    const how = { path: '/api/v1/media', bearer: reader.bearerToken, apikey: reader.authToken, body: photo };
    expect((await speak(testServer, { ...how, headers: { 'content-type': 'image/jpeg' } })).json.reason).toBe(
      'NOT_AUTHORIZED',
    );
    expect(links.size).toBe(0);
  });

  it('asks a client for its body that waits for that, and tells the others at once that it is too large', async () => {
    const { testServer } = await open();
    const head = (length: number) =>
      rawHead(
        testServer,
        ['Expect: 100-continue', 'Connection: close', `Content-Length: ${length}`],
        '/api/v1/media',
      ).replace('application/json', 'image/jpeg');
    const taken = await speakRaw(testServer, head(photo.length), photo);
    expect(taken.statuses).toEqual([100, 200]);
    expect((await speakRaw(testServer, head(6_000_000))).statuses).toEqual([400]);
  });

  it.each(['a=b&fileName=x&fileName=y', 'fileName=%zz', `fileName=${'x'.repeat(256)}`, 'fileName=%00'])(
    'refuses a name that cannot be read: %.20s',
    async (query) => {
      const { upload, links } = await open();
      expect((await upload(photo, { query })).json.reason).toBe('INVALID_FIELD');
      expect(links.size).toBe(0);
    },
  );

  it('answers with Retry-After when the disk is full, and when the store is', async () => {
    const { upload, media, store } = await open();
    const { take } = media;
    media.take = async () => ({ kind: 'later', why: 'disk-full' });
    const full = await upload(photo);
    expect([full.status, full.json.reason, full.headers['retry-after']]).toEqual([
      503,
      'TEMPORARILY_UNAVAILABLE',
      '30',
    ]);
    media.take = take;
    store.addMediaLinks = () => Promise.reject(new StoreUnavailable('full', 'x'));
    expect((await upload(photo)).status).toBe(503);
    store.addMediaLinks = () => Promise.reject(new Error('bug'));
    expect((await upload(photo)).json.reason).toBe('INTERNAL_ERROR');
  });

  it('stores nothing while the rest of the disk is kept for messages, and goes on when there is room', async () => {
    const { upload, media, links, disk } = await open();
    const taken: Buffer[] = [];
    const { take } = media;
    media.take = (bytes) => {
      taken.push(bytes);
      return take(bytes);
    };
    disk.hasCapacity = false;
    const { status, json, headers } = await upload(photo);
    expect([status, json.reason, headers['retry-after']]).toEqual([503, 'TEMPORARILY_UNAVAILABLE', '30']);
    expect([taken.length, links.size]).toEqual([0, 0]);
    disk.hasCapacity = true;
    expect((await upload(photo)).status).toBe(200);
  });

  it('what is recognised is what is sent: the file in the store is the one that was uploaded', async () => {
    const { upload, links, media } = await open();
    await upload(photo);
    const stored = (await media.read([...links.values()][0]!.medium.hash))!;
    expect(stored.equals(photo)).toBe(true);
    expect(kindOf(stored)).toEqual({ ok: true, type: 'image/jpeg' });
  });
});

describe('uploads at one time', () => {
  it('are 6 of one account; a client that is gone makes room', async () => {
    const { testServer, upload } = await open();
    const head = rawHead(testServer, ['Content-Length: 1000'], '/api/v1/media').replace(
      'application/json',
      'image/jpeg',
    );
    const sockets = Array.from({ length: 6 }, () => {
      const socket = connect({ host: '127.0.0.1', port: testServer.port });
      socket.on('error', () => {});
      socket.write(`${head}some of it`);
      return socket;
    });
    await expect.poll(async () => (await upload(photo)).status).toBe(503);
    expect((await upload(photo)).json.detail).toContain('Too many files');
    sockets[0]!.destroy();
    await expect.poll(async () => (await upload(photo)).status).toBe(200);
    for (const socket of sockets) socket.destroy();
    // Every accepted upload has released its place.
    await expect
      .poll(async () => (await Promise.all(Array.from({ length: 6 }, () => upload(photo)))).map(({ status }) => status))
      .toEqual(Array(6).fill(200));
  });

  it('that come too slowly end with 408', async () => {
    const { testServer, clock } = await open();
    const head = rawHead(testServer, ['Content-Length: 1000'], '/api/v1/media').replace(
      'application/json',
      'image/jpeg',
    );
    const before = clock.timers();
    const answered = speakRaw(testServer, head, 'x');
    await expect.poll(() => clock.timers()).toBe(before + 1);
    clock.pass(5_000);
    clock.pass(2_000);
    expect((await answered).statuses).toEqual([408]);
  });
});
