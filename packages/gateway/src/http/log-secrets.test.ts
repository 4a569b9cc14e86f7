import { inspect } from 'node:util';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hashCredential } from '../model/credential.ts';
import { keyOf } from '../model/world-fixture.ts';
import { type Exchange, exchangeOf, respond } from './exchange.ts';
import { safeError, safePath } from './scrub.ts';
import {
  acceptAll,
  goodBody,
  openTestServer,
  rawHead,
  recordsOf,
  speak,
  speakRaw,
  type TestServer,
} from './server-fixture.ts';

/** Hand-made credentials, so that nothing can recognise the tokens by their form. */
const canary = { bearerToken: 'canary-bearer-0123456789', authToken: 'canary-auth-9876543210' };
const number = '12025550173';

let testServer: TestServer;
beforeAll(async () => {
  testServer = await openTestServer();
  Object.assign(testServer.pair, canary);
});
afterAll(() => testServer.close());
beforeEach(() => {
  testServer.log.length = 0;
  testServer.flow.accept = acceptAll;
  testServer.use(
    recordsOf([
      keyOf(testServer.pair, {
        bearerHash: hashCredential(canary.bearerToken),
        authHash: hashCredential(canary.authToken),
      }),
    ]),
  );
});

const everything = (): string =>
  inspect(testServer.log, { depth: 20, showHidden: true, maxStringLength: null, maxArrayLength: null });

describe('SEC-09 SEC-10 the log', () => {
  it('has one access line for each request: path without query, no text, no number', async () => {
    const answer = await speak(testServer, {
      query: 'dryRun=true&x=canary',
      body: { ...goodBody, to: [number], text: 'canary text' },
    });
    expect(answer.status).toBe(200);
    expect(testServer.log).toEqual([
      {
        level: 'debug',
        message: 'answered',
        fields: {
          requestId: answer.headers['x-request-id'],
          method: 'POST',
          path: '/SendSMS',
          status: 200,
          reason: 'SUCCESS',
          ms: expect.any(Number),
          keyId: testServer.pair.keyId,
        },
      },
    ]);
  });

  it('logs refusals on a visible level, and never the key of a wrong pair', async () => {
    await speak(testServer, { bearer: 'wrong' });
    await speak(testServer, { body: {} });
    expect(testServer.log.map(({ level, fields }) => [level, fields.status, fields.reason, fields.keyId])).toEqual([
      ['info', 400, 'NOT_AUTHORIZED', null],
      ['info', 400, 'MISSING_FIELD', testServer.pair.keyId],
    ]);
  });

  it('keeps the caller’s own request id when it is a good one', async () => {
    await speak(testServer, { headers: { 'x-request-id': 'theirs-42' } });
    expect(testServer.log[0]!.fields.clientRequestId).toBe('theirs-42');
    for (const bad of ['x'.repeat(65), 'a b', 'a\tb', '']) {
      testServer.log.length = 0;
      const answer = await speak(testServer, { headers: { 'x-request-id': bad } });
      expect(testServer.log[0]!.fields.clientRequestId).toBeUndefined();
      expect(answer.headers['x-request-id']).toMatch(/^req_/);
    }
  });

  it('SEC-09 SEC-14 never holds a credential, a text or a number, whatever happens', async () => {
    const throwing = (error: unknown) => () => {
      throw error;
    };
    await speak(testServer, { path: `/nope/${number}/${canary.authToken}` });
    await speak(testServer, { path: `/api/v1/messages/apikey=${canary.authToken}`, method: 'GET' });
    await speak(testServer, { path: `/%zz/apikey=${canary.authToken}`, method: 'GET' });
    await speak(testServer, { path: `/SendSMS%3Fapikey%3D${canary.authToken}`, bearer: null, apikey: null });
    await speak(testServer, { path: `/SendSMS%253Fapikey%253D${canary.authToken}`, bearer: null, apikey: null });
    await speak(testServer, { path: `/nope/${canary.authToken.replace('c', '%63')}` });
    await speak(testServer, { method: 'DELETE' });
    await speak(testServer, { headers: { 'x-request-id': `${canary.authToken}` } });
    await speak(testServer, { body: `{"text":"canary text ${number}", broken` });
    await speak(testServer, { apikey: `${canary.authToken}&apikey=${canary.authToken}` });
    await speak(testServer, { apikey: null, headers: { 'x-api-key': canary.authToken } });
    await speak(testServer, {
      bearer: 'guess',
      headers: { referer: `http://x/?apikey=${canary.authToken}`, 'user-agent': canary.authToken },
    });
    testServer.flow.accept = throwing(
      new Error(`cannot parse /SendSMS?apikey=${canary.authToken} of Bearer ${canary.bearerToken}`),
    );
    await speak(testServer);
    testServer.flow.accept = throwing(canary.authToken);
    await speak(testServer);
    testServer.flow.accept = throwing(
      Object.assign(new Error('x', { cause: new Error(canary.authToken) }), {
        url: canary.authToken,
        input: canary.bearerToken,
      }),
    );
    await speak(testServer);
    await speakRaw(testServer, `GET /SendSMS?apikey=${canary.authToken} HTTP/9.9\r\n\r\n`);
    await speakRaw(testServer, rawHead(testServer, ['Content-Length: 5', 'Transfer-Encoding: chunked']));
    expect(testServer.log.length).toBeGreaterThan(12);
    expect(everything()).not.toContain('canary');
    expect(everything()).not.toContain(number);
  });

  it('SEC-09 no answer shows a credential that was sent', async () => {
    const answers = await Promise.all([
      speak(testServer, { path: `/nope/${canary.authToken}` }),
      speak(testServer, { body: `{"apikey":"${canary.authToken}"` }),
      speak(testServer, { method: 'GET', headers: { accept: 'text/html' } }),
      speak(testServer, { query: `dryRun=${canary.authToken}` }),
      speak(testServer, { body: { ...goodBody, mediaUrls: [`https://x:${canary.authToken}@example.org/`] } }),
      speak(testServer, { method: 'GET', path: '/', headers: { accept: 'text/html' } }),
    ]);
    for (const { text } of answers) expect(text).not.toContain('canary');
  });
});

describe('SEC-10 what stands behind the edge', () => {
  it('never sees the query string, whatever it prints', async () => {
    let seen = '';
    const behind = await openTestServer({
      routes: [
        (app) =>
          app.get('/look', (request, reply) => {
            const { url, originalUrl, query, raw } = request;
            seen = inspect([url, originalUrl, query, raw.url, raw], { depth: 6, showHidden: true });
            respond(reply, { status: 200, reason: 'SUCCESS', body: '{}' });
          }),
      ],
    });
    try {
      expect(
        (await speak(behind, { method: 'GET', path: '/look', bearer: null, apikey: 'canary-in-the-query' })).status,
      ).toBe(200);
      expect(seen).toContain('/look');
      expect(seen).not.toContain('canary-in-the-query');
    } finally {
      await behind.close();
    }
  });

  it('answers once: a second answer is dropped, one through Fastify carries the same headers and its line', async () => {
    let twice: Exchange | undefined;
    const behind = await openTestServer({
      routes: [
        (app) => {
          app.get('/twice', (request, reply) => {
            twice = exchangeOf(request.raw);
            respond(reply, { status: 200, reason: 'SUCCESS', body: '{"first":1}' });
            respond(reply, { status: 500, reason: 'INTERNAL_ERROR', body: '{"second":1}' });
          });
          app.get('/plain', (_request, reply) => reply.code(201).send({ ok: true }));
        },
      ],
    });
    try {
      expect((await speak(behind, { method: 'GET', path: '/twice' })).json).toEqual({ first: 1 });
      expect(behind.log.map((line) => line.fields.status)).toEqual([200]);
      expect(twice?.connection.unanswered).toBe(0);
      const plain = await speak(behind, { method: 'GET', path: '/plain' });
      expect(plain.headers).toMatchObject({
        'cache-control': 'no-store',
        'x-request-id': behind.log[1]!.fields.requestId,
      });
      expect(behind.log[1]!.fields).toMatchObject({ status: 201, path: '/plain' });
    } finally {
      await behind.close();
    }
  });
});

describe('SEC-14 scrubbing', () => {
  it('takes out what looks like a credential, and what is known to be one', () => {
    const error = new Error('GET /SendSMS?apikey=abc&x=1 Bearer abc.def at_sbx_0123456789_abc and hand-made');
    const safe = safeError(error, ['hand-made']);
    expect(safe.message).toBe('GET /SendSMS?apikey=[secret]&x=1 Bearer [secret] [secret] and [secret]');
    expect(safe.stack).not.toMatch(/abc|hand-made/);
    expect(Object.keys(safe)).toEqual(['name', 'message', 'stack']);
  });

  /** Percent-encodes each character that `chosen` says, then the result again. */
  const encoded = (text: string, chosen: readonly (readonly boolean[])[]): string =>
    chosen.reduce(
      (before, flags) =>
        before.replace(/./g, (one, i: number) =>
          flags[i % flags.length] ? `%${one.charCodeAt(0).toString(16)}` : one,
        ),
      text,
    );

  it.each(['at_sbx_0123456789_abcdef', 'at_0123456789_abcdef', 'AT_0123456789_ABCDEF', 'hand-made-token'])(
    'takes %s out, however it is percent-encoded',
    (token) => {
      const levels = fc.array(fc.array(fc.boolean(), { minLength: 1, maxLength: 9 }), { maxLength: 8 });
      fc.assert(
        fc.property(levels, fc.constantFrom('?apikey=', '/', '?apikey[]=', 'x_'), (chosen, before) => {
          const path = `/SendSMS${encoded(`${before}${token}`, chosen)}`;
          for (const safe of [safePath(path, ['hand-made-token']), safeError(path, ['hand-made-token']).message]) {
            let plain = safe;
            for (let i = 0; i < 40; i++) plain = plain.replace(/%([0-7][0-9a-f])/gi, (all) => decodeURIComponent(all));
            expect(plain).toContain('[secret]');
            expect(plain.toLowerCase()).not.toMatch(/abcdef|hand-made/);
          }
        }),
        { numRuns: 300 },
      );
    },
  );

  it('leaves encodings alone where there is nothing to mask', () => {
    for (const path of ['/a%20b/%C3%A9%00', '/%zz%', '/caf%25C3%25A9']) expect(safePath(path, [])).toBe(path);
    expect(safePath('/nope/%31202555%30100', [])).toBe('/nope/1202…');
  });

  it('makes every path short and without numbers', () => {
    expect(safePath('/SendSMS', [])).toBe('/SendSMS');
    expect(safePath('/api/v1/sandbox/handsets/12025550100/reply', [])).toBe('/api/v1/sandbox/handsets/1202…/reply');
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        expect(safePath(`/${text}`, [])).not.toMatch(/\d{7}/);
        expect(safePath(`/${text}`, []).length).toBeLessThanOrEqual(150);
      }),
      { numRuns: 200 },
    );
  });

  it('never throws, whatever was thrown', () => {
    for (const thrown of [null, undefined, 0, Symbol('x'), {}, [], () => {}, new Error()]) {
      expect(typeof safeError(thrown, ['']).message).toBe('string');
    }
  });
});
