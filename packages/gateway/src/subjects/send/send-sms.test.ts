import { createHash } from 'node:crypto';
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  acceptAll,
  goodBody,
  openTestServer,
  rawHead,
  rawSocket,
  recordsOf,
  speak,
  speakRaw,
  statusesIn,
  type TestServer,
} from '../../http/server-fixture.ts';
import type { SendOutcome } from '../../model/send.ts';
import { keyOf } from '../../model/world-fixture.ts';
import { StoreBroken, StoreUnavailable } from '../../store/faults.ts';

let testServer: TestServer;

beforeAll(async () => {
  testServer = await openTestServer();
});
afterAll(() => testServer.close());
beforeEach(() => {
  testServer.flow.accept = acceptAll;
  testServer.sends.length = 0;
  testServer.log.length = 0;
  testServer.use(recordsOf([keyOf(testServer.pair)]));
});

const always = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  'api-version': '1.0.0',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

describe('POST /SendSMS', () => {
  it('answers 200 with the envelope once the flow has committed', async () => {
    const answer = await speak(testServer);
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject(always);
    expect(answer.headers['x-request-id']).toMatch(/^req_[0-9A-Z]{26}$/);
    expect(answer.json).toMatchObject({ success: true, reason: 'SUCCESS', detail: 'Accepted for 1 of 1 recipients.' });
    expect(testServer.sends).toEqual([
      {
        request: { ...goodBody, mediaUrls: [], referenceId: null, validityMinutes: null },
        caller: expect.objectContaining({ key: expect.objectContaining({ keyId: testServer.pair.keyId }) }),
        context: { requestId: answer.headers['x-request-id'], dryRun: false, idempotency: null },
      },
    ]);
  });

  it.each([
    ['00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01', { idempotency: null }],
    ['00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01', { idempotency: { key: 'k1' } }],
  ])('hands on the trace of the caller: %s, %j', async (traceparent, { idempotency }) => {
    const headers = { traceparent, ...(idempotency && { 'Idempotency-Key': idempotency.key }) };
    expect((await speak(testServer, { headers })).status).toBe(200);
    expect(testServer.sends[0]!.context).toMatchObject({ traceparent });
  });

  it('takes a request whose traceparent is not valid, without it', async () => {
    expect((await speak(testServer, { headers: { traceparent: '00-what' } })).status).toBe(200);
    expect(testServer.sends[0]!.context).not.toHaveProperty('traceparent');
  });

  it('SEC-12 carries the same headers on a refusal', async () => {
    const answer = await speak(testServer, { body: {} });
    expect(answer.headers).toMatchObject(always);
    expect(Object.keys(answer.json)).toEqual(['success', 'reason', 'detail']);
    expect(Buffer.byteLength(answer.text)).toBe(Number(answer.headers['content-length']));
  });

  it('does not answer before the flow does', async () => {
    let commit = (): void => {};
    testServer.flow.accept = (...params) =>
      new Promise((resolve) => {
        commit = () => resolve(acceptAll(...params));
      });
    let answered = false;
    const answer = speak(testServer).then((result) => {
      answered = true;
      return result;
    });
    await expect.poll(() => testServer.sends.length).toBe(1);
    expect(answered).toBe(false);
    commit();
    expect((await answer).status).toBe(200);
  });

  it('SEC-23 answers a key set to exact shape with the contract’s fields alone', async () => {
    testServer.use(recordsOf([keyOf(testServer.pair, { exactShape: true })]));
    const { json } = await speak(testServer);
    expect(Object.keys(json)).toEqual(['success', 'reason', 'detail', 'schema']);
    expect(Object.keys(json.schema)).toEqual(['referenceId', 'from', 'text', 'resultResponses']);
    expect(Object.keys(json.schema.resultResponses[0])).toEqual(['to', 'status']);
  });

  it('names unknown fields in a header, at most ten and none of them dangerous', async () => {
    const body = { ...goodBody, campaign: 1, 'bad\r\nSet-Cookie: x': 1, ['ü'.repeat(100)]: 1 };
    expect((await speak(testServer, { body })).headers['x-unknown-fields']).toBe(
      `campaign, bad??Set-Cookie??x, ${'?'.repeat(40)}`,
    );
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`f${i}`, 1]));
    const { headers } = await speak(testServer, { body: { ...goodBody, ...many } });
    expect(String(headers['x-unknown-fields']).split(', ')).toHaveLength(10);
    expect(headers['set-cookie']).toBeUndefined();
  });

  it.each([
    [{ kind: 'rejected', reason: 'SENDER_NOT_FOUND', detail: 'x' }, 400, undefined],
    [{ kind: 'rejected', reason: 'RATE_LIMITED', detail: 'x' }, 429, '1'],
    [{ kind: 'rejected', reason: 'TEMPORARILY_UNAVAILABLE', detail: 'x' }, 503, '1'],
    [{ kind: 'rejected', reason: 'TEMPORARILY_UNAVAILABLE', detail: 'x', retrySeconds: 9 }, 503, '9'],
    [{ kind: 'rejected', reason: 'NOT_IN_THE_CATALOGUE', detail: 'x' }, 500, undefined],
  ] as [SendOutcome, number, string | undefined][])(
    'passes on what the flow refuses: %o',
    async (outcome, status, retry) => {
      testServer.flow.accept = async () => outcome;
      const answer = await speak(testServer);
      expect(answer.status).toBe(status);
      expect(answer.headers['retry-after']).toBe(retry);
      expect(answer.json.success).toBe(false);
    },
  );

  it.each(['busy', 'down', 'full'] as const)(
    'SEC-79 answers 503 with Retry-After when the store is %s',
    async (reason) => {
      testServer.flow.accept = async () => {
        throw new StoreUnavailable(reason, 'SQLITE_FULL at /var/lib/secret/path');
      };
      const answer = await speak(testServer);
      expect(answer.status).toBe(503);
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
      expect(answer.json).toMatchObject({ success: false, reason: 'TEMPORARILY_UNAVAILABLE' });
      expect(answer.text).not.toContain('SQLITE');
    },
  );

  it.each([
    [false, 'Nothing was sent or billed.'],
    [true, 'It may have been accepted'],
  ])('a 503 says whether something may be sent: in doubt %s', async (inDoubt, sentence) => {
    testServer.flow.accept = async () => {
      throw new StoreUnavailable('down', 'x', { inDoubt });
    };
    const { status, json } = await speak(testServer);
    expect(status).toBe(503);
    expect(json.detail).toContain(sentence);
    expect(json.detail.includes('Nothing was sent')).toBe(!inDoubt);
    expect(json.detail.length).toBeLessThanOrEqual(300);
  });

  it('SEC-79 answers 500 with a constant sentence for anything thrown, and logs it once with the request’s id', async () => {
    for (const thrown of [
      new Error('boom at /srv/x.ts:1'),
      new TypeError('x'),
      'a string',
      undefined,
      null,
      { a: 1 },
    ]) {
      testServer.log.length = 0;
      testServer.flow.accept = () => {
        throw thrown;
      };
      const sync = await speak(testServer);
      testServer.flow.accept = async () => {
        throw thrown;
      };
      const late = await speak(testServer);
      expect([sync.status, late.status]).toEqual([500, 500]);
      expect(sync.text).toBe(late.text);
      expect(sync.json.reason).toBe('INTERNAL_ERROR');
      expect(sync.text).not.toMatch(/boom|srv|at /);
      const errors = testServer.log.filter((line) => line.level === 'error');
      expect(errors.map((line) => line.fields.requestId)).toEqual([
        sync.headers['x-request-id'],
        late.headers['x-request-id'],
      ]);
    }
  });

  it('answers nothing at all when the store is broken', async () => {
    testServer.flow.accept = async () => {
      throw new StoreBroken('fsync failed');
    };
    await expect(speak(testServer)).rejects.toThrow(/hang up|ECONNRESET/);
    expect(testServer.log.filter((line) => line.level === 'error')).toHaveLength(1);
  });
});

describe('dry run and Idempotency-Key', () => {
  it('dryRun=true is passed to the flow and marked in a header, in exact shape too', async () => {
    testServer.use(recordsOf([keyOf(testServer.pair, { exactShape: true })]));
    const answer = await speak(testServer, { query: 'dryRun=true' });
    expect(testServer.sends[0]!.context.dryRun).toBe(true);
    expect(answer.headers['x-dry-run']).toBe('1');
    expect(answer.json.schema.dryRun).toBeUndefined();
    const real = await speak(testServer, { query: 'dryRun=false' });
    expect(testServer.sends[1]!.context.dryRun).toBe(false);
    expect(real.headers['x-dry-run']).toBeUndefined();
  });

  it.each([
    'dryRun=',
    'dryRun',
    'dryRun=1',
    'dryRun=TRUE',
    'dryRun=yes',
    'dryRun=true&dryRun=true',
    'dryRun=true&dryRun=false',
    'dryRun=%ff',
    ...['dryrun=true', 'DryRun=true', 'DRYRUN=true', 'dry_run=true', 'dry-run=true', 'dry%5Frun=true'],
    ...['dryRun[]=true', 'dryRun%5B%5D=true', 'dryRun[0]=true', 'dry_run[]=true', 'dryRun=true&dryrun=true'],
  ])('%s is INVALID_FIELD, never a real send', async (query) => {
    expect((await speak(testServer, { query })).json.reason).toBe('INVALID_FIELD');
    expect(testServer.sends).toEqual([]);
  });

  it.each(['test=true', 'dryRunner=true', 'run=dryrun'])('%s is another parameter, and passed over', async (query) => {
    expect((await speak(testServer, { query })).status).toBe(200);
    expect(testServer.sends[0]!.context.dryRun).toBe(false);
  });

  it('the key and a hash of the exact bytes are passed to the flow', async () => {
    const body = ' {"from":"12025550199", "to":["12025550100"],"text":"x"}\n';
    await speak(testServer, { body, headers: { 'idempotency-key': 'order 7' } });
    expect(testServer.sends[0]!.context.idempotency).toEqual({
      key: 'order 7',
      bodyHash: createHash('sha256').update(body).digest('hex'),
    });
  });

  it('H-17 a replay is the stored bytes with its mark', async () => {
    testServer.flow.accept = async () => ({ kind: 'accepted', replayed: true, body: '{"success":true,"stored":1}' });
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => speak(testServer, { headers: { 'idempotency-key': 'k' } })),
    );
    expect(new Set(answers.map((answer) => answer.text))).toEqual(new Set(['{"success":true,"stored":1}']));
    expect(answers.every((answer) => answer.headers['idempotent-replayed'] === 'true')).toBe(true);
  });

  it('H-18 a key used for another body is the flow’s refusal', async () => {
    testServer.flow.accept = async () => ({
      kind: 'rejected',
      reason: 'IDEMPOTENCY_KEY_REUSED',
      detail: 'Used by req_1.',
    });
    expect((await speak(testServer, { headers: { 'idempotency-key': 'k' } })).json).toEqual({
      success: false,
      reason: 'IDEMPOTENCY_KEY_REUSED',
      detail: 'Used by req_1.',
    });
  });

  it.each(['', 'k'.repeat(256), 'ü', 'a\tb', 'a\u0080'])('the key %j is INVALID_FIELD', async (key) => {
    const bytes = JSON.stringify(goodBody);
    const { text } = await speakRaw(
      testServer,
      `${rawHead(testServer, [`Idempotency-Key: ${key}`, `Content-Length: ${bytes.length}`, 'Connection: close'])}${bytes}`,
    );
    expect(text).toContain('"INVALID_FIELD"');
    expect(testServer.sends).toEqual([]);
  });

  it('two keys are INVALID_FIELD, one with a comma is taken', async () => {
    expect((await speak(testServer, { headers: { 'idempotency-key': ['a', 'b'] } })).json.reason).toBe('INVALID_FIELD');
    expect((await speak(testServer, { headers: { 'idempotency-key': 'a, b' } })).status).toBe(200);
  });

  it('a key of 255 characters is taken', async () => {
    expect((await speak(testServer, { headers: { 'idempotency-key': 'k'.repeat(255) } })).status).toBe(200);
  });
});

const badTypes = [
  'text/plain',
  'text/json',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/xml',
  'application/jsonp',
  'application/json5',
  'application/ld+json',
  'application/vnd.api+json',
  'application/json; charset=utf-16',
  'application/json; charset=iso-8859-1',
  'application/json; charset=latin1',
  'application/json; charset=utf8',
  'application/json; charset=',
  'application/json; charset',
  'application/json;',
  'application/json; charset=utf-8; x=y',
  'application/json; boundary=x',
  'application/json, application/json',
  'application/json; charset="utf-8',
  "application/json; charset='utf-8'",
  '*/*',
  'application/*',
  'json',
  'application',
  'application/',
  '/json',
  ' ',
  'application /json',
  'application/ json',
  'application/json charset=utf-8',
  'application/json;charset=utf-8;',
  'application/json; Charset=utf-7',
  'text/html',
  'image/png',
  'application/octet-stream',
  'application/json\tx',
  'application/json; charset=utf-8x',
  'xapplication/json',
  'application/json+x',
  'application/problem+json',
  'application/json-seq',
  'application/x-ndjson',
  'application/graphql',
  'application/javascript',
  'application/cbor',
  'application/msgpack',
  'multipart/mixed',
  'application/json/x',
  'application\\json',
];

describe('H-07 Content-Type', () => {
  it.each(badTypes)('%j is refused', async (type) => {
    const answer = await speak(testServer, { headers: { 'content-type': type } });
    expect(answer.status).toBe(400);
    expect(answer.json.reason).toBe('UNSUPPORTED_CONTENT_TYPE');
    expect(testServer.sends).toEqual([]);
  });

  it('none at all is refused, and so are two', async () => {
    const head = rawHead(testServer, ['Content-Length: 2', 'Connection: close']);
    expect((await speakRaw(testServer, `${head.replace('Content-Type: application/json\r\n', '')}{}`)).text).toContain(
      '"UNSUPPORTED_CONTENT_TYPE"',
    );
    expect(
      (await speakRaw(testServer, `${head.replace('\r\n\r\n', '\r\nContent-Type: text/plain\r\n\r\n')}{}`)).text,
    ).toContain('"UNSUPPORTED_CONTENT_TYPE"');
  });

  it.each([
    'application/json',
    'APPLICATION/JSON',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'application/json ; charset="utf-8"',
  ])('%s is taken', async (type) => {
    expect((await speak(testServer, { headers: { 'content-type': type } })).status).toBe(200);
  });

  it.each(['gzip', 'br', 'deflate', 'zstd', 'identity', 'x-gzip', 'gzip, gzip', ''])(
    'H-08 Content-Encoding %j is refused unread',
    async (encoding) => {
      const bomb = gzipSync(Buffer.alloc(1_000_000, 0x20));
      const answer = await speak(testServer, { headers: { 'content-encoding': encoding }, body: bomb });
      expect(answer.json.reason).toBe('UNSUPPORTED_CONTENT_TYPE');
    },
  );
});

describe('the body', () => {
  it.each([
    ['', 'INVALID_JSON'],
    ['{', 'INVALID_JSON'],
    ['{"a":1,"a":2}', 'INVALID_JSON'],
    ['['.repeat(200_000), 'INVALID_JSON'],
    ['\ufeff{}', 'INVALID_JSON'],
    [Buffer.from([0x22, 0xff, 0x22]), 'INVALID_JSON'],
    ['[]', 'INVALID_FIELD'],
    ['null', 'INVALID_FIELD'],
    ['"x"', 'INVALID_FIELD'],
    ['{"__proto__":{"from":"1"}}', 'MISSING_FIELD'],
    ['{"constructor":{"prototype":{"from":"1"}}}', 'MISSING_FIELD'],
  ])('H-02 H-03 H-05 H-06 %j comes to %s', async (body, reason) => {
    const answer = await speak(testServer, { body });
    expect(answer.status).toBe(400);
    expect(answer.json.reason).toBe(reason);
    expect(({} as Record<string, unknown>).from).toBeUndefined();
  });

  it('H-01 of 256 KB is taken, one byte more is not, and nothing of it is read', async () => {
    const filled = (size: number) => {
      const bare = JSON.stringify({ ...goodBody, pad: '' });
      return JSON.stringify({ ...goodBody, pad: 'x'.repeat(size - bare.length) });
    };
    expect((await speak(testServer, { body: filled(256 * 1_024) })).status).toBe(200);
    const answer = await speak(testServer, { body: filled(256 * 1_024 + 1) });
    expect(answer.status).toBe(400);
    expect(answer.json.reason).toBe('BODY_TOO_LARGE');
    expect(answer.headers.connection).toBe('close');
  });

  it('H-01 of unknown length is cut off at the limit: little is read, and the connection ends', async () => {
    let far: Socket | undefined;
    testServer.server.app.server.once('connection', (accepted) => {
      far = accepted;
    });
    const socket = rawSocket(testServer);
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
    });
    const ended = new Promise((resolve) => socket.on('close', resolve));
    socket.write(rawHead(testServer, ['Transfer-Encoding: chunked']));
    const chunk = Buffer.concat([Buffer.from('8000\r\n'), Buffer.alloc(0x8000, 0x20), Buffer.from('\r\n')]);
    // 32 MB if somebody reads them; unread bytes stay in the socket's own buffers.
    for (let i = 0; i < 1_000 && !socket.destroyed; i++) {
      socket.write(chunk);
      if (i % 20 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    await ended;
    expect(statusesIn(text)).toEqual([400]);
    expect(text).toContain('"BODY_TOO_LARGE"');
    expect(text).toContain('Connection: close');
    // The limit, and at most one more read of the socket (64 KB).
    expect(far?.bytesRead).toBeLessThanOrEqual(256 * 1_024 + 65_536);
    expect(testServer.sends).toEqual([]);
  });

  it('H-14 that stops in the middle because the client is gone reaches nobody', async () => {
    const body = JSON.stringify(goodBody);
    for (let cut = 1; cut < body.length; cut += 3) {
      const socket = rawSocket(testServer);
      const closed = new Promise((resolve) => socket.on('close', resolve));
      await new Promise<void>((resolve) =>
        socket.write(rawHead(testServer, [`Content-Length: ${body.length}`]) + body.slice(0, cut), () => resolve()),
      );
      socket.resetAndDestroy();
      await closed;
    }
    for (let i = 0; i < 20; i++) await new Promise((resolve) => setImmediate(resolve));
    expect(testServer.sends).toEqual([]);
    expect((await speak(testServer)).status).toBe(200);
  });

  it('H-14 a client that goes away before the answer leaves the doors as they were', async () => {
    let commit = (): void => {};
    testServer.flow.accept = (...params) =>
      new Promise((resolve) => {
        commit = () => resolve(acceptAll(...params));
      });
    const body = JSON.stringify(goodBody);
    const socket = rawSocket(testServer);
    socket.write(rawHead(testServer, [`Content-Length: ${body.length}`]) + body);
    await expect.poll(() => testServer.sends.length).toBe(1);
    socket.resetAndDestroy();
    commit();
    testServer.flow.accept = acceptAll;
    expect((await speak(testServer)).status).toBe(200);
  });

  it('comes in any pieces and is read the same', async () => {
    const body = JSON.stringify({ ...goodBody, text: 'Grüße 😀' });
    const bytes = Buffer.from(body);
    const head = rawHead(testServer, [`Content-Length: ${bytes.length}`, 'Connection: close']);
    const socket = rawSocket(testServer);
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString();
    });
    const ended = new Promise((resolve) => socket.on('close', resolve));
    for (const byte of Buffer.concat([Buffer.from(head), bytes])) {
      socket.write(Buffer.from([byte]));
      await new Promise((resolve) => setImmediate(resolve));
    }
    await ended;
    expect(statusesIn(text)).toEqual([200]);
    expect(testServer.sends[0]!.request.text).toBe('Grüße 😀');
  });
});
