import { METHODS } from 'node:http';
import type { Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { movedClock } from '../../../../test/props/clock.ts';
import {
  acceptAll,
  openTestServer,
  rawHead,
  rawSocket,
  speak,
  speakRaw,
  statusesIn,
  type TestServer,
} from './server-fixture.ts';

const body = '{"from":"12025550199","to":["12025550100"],"text":"Hi"}';

function collected(socket: Socket): { text: () => string; ended: Promise<void> } {
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
  });
  return { text: () => text, ended: new Promise((resolve) => socket.on('close', () => resolve())) };
}

describe('paths and methods', () => {
  let testServer: TestServer;
  beforeAll(async () => {
    testServer = await openTestServer();
  });
  afterAll(() => testServer.close());

  const nothing = { bearer: null, apikey: null };

  it.each([
    '/nope',
    '/sendsms',
    '/SendSMS/',
    '/SendSMS/x',
    '//SendSMS',
    '/api',
    '/api/v1',
    '/api/v2/messages',
    '/%zz',
    '/%00',
    '/limits/x',
    `/${'x'.repeat(5_000)}`,
    `/api/v1/messages/${'x'.repeat(500)}/y`,
  ])('the path %s is 404 with the envelope, with any method and any body', async (path) => {
    for (const method of ['GET', 'POST', 'DELETE']) {
      const answer = await speak(testServer, {
        ...nothing,
        path,
        method,
        body: 'x'.repeat(100),
        headers: { 'content-type': 'strange' },
      });
      expect(answer.status, method).toBe(404);
      expect(answer.json).toMatchObject({ success: false, reason: 'NOT_FOUND' });
      expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'api-version': '1.0.0' });
    }
  });

  it.each(METHODS.filter((method) => !['CONNECT', 'POST', 'HEAD'].includes(method)))(
    '%s /SendSMS is 405 and says what is allowed',
    async (method) => {
      const answer = await speak(testServer, { ...nothing, method, body: undefined });
      expect(answer.status).toBe(405);
      expect(answer.headers.allow).toBe('POST');
      expect(answer.json).toMatchObject({ success: false, reason: 'METHOD_NOT_ALLOWED' });
    },
  );

  it('HEAD answers what GET would, without a body', async () => {
    const head = await speak(testServer, { ...nothing, method: 'HEAD', path: '/limits' });
    expect([head.status, head.text]).toEqual([200, '']);
    expect(Number(head.headers['content-length'])).toBeGreaterThan(100);
    const refused = await speak(testServer, { ...nothing, method: 'HEAD' });
    expect([refused.status, refused.headers.allow]).toEqual([405, 'POST']);
  });

  it.each([
    ['PUT', '/api/v1/%6dessages/msg_one', 'GET, HEAD'],
    ['PUT', '/api/v1/messages/', 'GET, HEAD'],
    ['POST', 'http://gateway.example/limits', 'GET, HEAD'],
  ])('%s %s is 405 and says what is allowed', async (method, path, allow) => {
    const answer = await speak(testServer, { ...nothing, method, path, body: undefined });
    expect([answer.status, answer.headers.allow]).toEqual([405, allow]);
  });

  it.each([`/api/v1/messages/${'m'.repeat(101)}`, '/api/v1/messages/%zz', '/api/v1/messages/msg_one/'])(
    'POST %s is 404: no path is like that',
    async (path) => {
      expect((await speak(testServer, { ...nothing, method: 'POST', path, body: undefined })).status).toBe(404);
    },
  );

  it('SEC-69 TRACE echoes nothing, CONNECT and OPTIONS * are no door', async () => {
    const trace = await speak(testServer, { ...nothing, method: 'TRACE', headers: { 'x-canary': 'canary' } });
    expect(trace.status).toBe(405);
    expect(trace.text).not.toContain('canary');
    expect((await speakRaw(testServer, 'CONNECT example.org:443 HTTP/1.1\r\nHost: example.org\r\n\r\n')).text).toMatch(
      /^HTTP\/1\.1 405 [\s\S]*"METHOD_NOT_ALLOWED"/,
    );
    expect((await speakRaw(testServer, 'OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')).statuses).toEqual(
      [405],
    );
  });

  it.each([
    '/.git/config',
    '/.env',
    '/metrics',
    '/debug',
    '/debug/pprof',
    '/server-status',
    '/package.json',
    '/docs/api/index.js',
    '/docs/api/../../package.json',
    '/docs/api/%2e%2e/package.json',
    '/docs/api/index.html',
    '/actuator/health',
    '/console',
  ])('SEC-69 %s is not there', async (path) => {
    expect((await speak(testServer, { ...nothing, method: 'GET', path })).json).toMatchObject({ reason: 'NOT_FOUND' });
  });

  it('SEC-69 no answer names the software behind it', async () => {
    for (const path of ['/', '/nope', '/SendSMS', '/docs/api', '/healthz']) {
      const { headers } = await speak(testServer, { ...nothing, method: 'GET', path });
      expect(headers.server).toBeUndefined();
      expect(headers['x-powered-by']).toBeUndefined();
    }
  });

  it('GET /SendSMS is a page for a browser and the envelope for a program', async () => {
    const page = await speak(testServer, {
      ...nothing,
      method: 'GET',
      headers: { accept: 'text/html,application/xhtml+xml' },
    });
    expect(page.status).toBe(405);
    expect(page.headers.allow).toBe('POST');
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
    expect(page.text).toContain(`http://localhost:${testServer.port}/SendSMS?apikey=YOUR_AUTH_TOKEN`);
    expect((await speak(testServer, { ...nothing, method: 'GET', headers: { accept: '*/*' } })).json.reason).toBe(
      'METHOD_NOT_ALLOWED',
    );
  });

  it('a request in the form for a proxy is answered as if it were not', async () => {
    const { statuses } = await speakRaw(
      testServer,
      'GET http://gateway.example/limits HTTP/1.1\r\nHost: gateway.example\r\nConnection: close\r\n\r\n',
    );
    expect(statuses).toEqual([200]);
  });

  it('a client that waits for 100 gets it only after its credentials are good', async () => {
    const waiting = (head: string) => speakRaw(testServer, head);
    const refused = await waiting(
      rawHead(testServer, ['Expect: 100-continue', `Content-Length: ${body.length}`]).replace('apikey=', 'apikey=x'),
    );
    expect(refused.statuses).toEqual([400]);
    expect(refused.text).toContain('Connection: close');
    const socket = rawSocket(testServer);
    const { text, ended } = collected(socket);
    socket.write(rawHead(testServer, ['Expect: 100-continue', `Content-Length: ${body.length}`, 'Connection: close']));
    await expect.poll(text).toContain('HTTP/1.1 100 Continue');
    socket.write(body);
    await ended;
    expect(statusesIn(text())).toEqual([100, 200]);
  });

  it.each([
    ['a body that is too large', `Content-Length: ${1_000_000}`, 'x'.repeat(300_000)],
    ['chunks that are too much', 'Transfer-Encoding: chunked', `493e0\r\n${'x'.repeat(300_000)}\r\n0\r\n\r\n`],
    ['an unknown expectation', 'Expect: x', ''],
    ['what is no HTTP', 'Transfer-Encoding: chunked', `493e0\r\n${'x'.repeat(300_000)}\r\nnonsense`],
  ])('nothing is read behind %s, though an earlier request waits for its answer', async (_, header, content) => {
    let goOn = (): void => {};
    const waits = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    testServer.flow.accept = async (...params) => {
      await waits;
      return acceptAll(...params);
    };
    const good = rawHead(testServer, [`Content-Length: ${body.length}`]) + body;
    const socket = rawSocket(testServer);
    const { text, ended } = collected(socket);
    testServer.log.length = 0;
    testServer.sends.length = 0;
    socket.write(`${good}${rawHead(testServer, [header])}${content}${good}`);
    await expect.poll(() => testServer.log.map(({ fields }) => fields.status)).toEqual([400]);
    expect(text()).toBe('');
    goOn();
    await ended;
    expect(statusesIn(text())).toEqual([200, 400]);
    expect(text().split('HTTP/1.1 400')[0]).not.toContain('Connection: close');
    expect(text()).toMatch(/HTTP\/1\.1 400[\s\S]*Connection: close/);
    expect(testServer.sends).toHaveLength(1);
    testServer.flow.accept = acceptAll;
  });

  it('a client that speaks HTTP/1.0 gets no 100', async () => {
    const head = rawHead(testServer, ['Expect: 100-continue', `Content-Length: ${body.length}`]);
    const { statuses } = await speakRaw(testServer, head.replace('HTTP/1.1', 'HTTP/1.0') + body);
    expect(statuses).toEqual([200]);
  });

  it('a connection is kept for the next request, after refusals too', async () => {
    const bad = rawHead(testServer, [`Content-Length: ${body.length}`]).replace('apikey=', 'apikey=x') + body;
    const good = rawHead(testServer, [`Content-Length: ${body.length}`, 'Connection: close']) + body;
    expect((await speakRaw(testServer, bad, bad, good)).statuses).toEqual([400, 400, 200]);
  });
});

describe('time-outs and caps', () => {
  const open: TestServer[] = [];
  const testServerWith = async (...options: Parameters<typeof openTestServer>): Promise<TestServer> => {
    const testServer = await openTestServer(...options);
    open.push(testServer);
    return testServer;
  };
  afterEach(async () => {
    for (const testServer of open.splice(0)) await testServer.close();
  });
  const short = { headersTimeoutMs: 150, requestTimeoutMs: 300, keepAliveTimeoutMs: 100, checkEveryMs: 20 };

  it('H-09 headers that do not end are 408, and the connection is closed', async () => {
    const testServer = await testServerWith({ caps: short });
    const socket = rawSocket(testServer);
    const { text, ended } = collected(socket);
    socket.write('POST /SendSMS HTTP/1.1\r\nHost: x\r\n');
    await ended;
    expect(text()).toMatch(/^HTTP\/1\.1 408 [\s\S]*"INVALID_REQUEST"/);
    expect(text()).toContain('Connection: close');
  });

  it('H-09 a body that does not come is 408 and reaches nobody', async () => {
    const testServer = await testServerWith({ caps: short });
    const socket = rawSocket(testServer);
    const { text, ended } = collected(socket);
    socket.write(`${rawHead(testServer, [`Content-Length: ${body.length}`])}${body.slice(0, 10)}`);
    await ended;
    expect(statusesIn(text())).toEqual([408]);
    expect(testServer.sends).toEqual([]);
  });

  it('H-09 a request that is whole is not hurried', async () => {
    const testServer = await testServerWith({ caps: short });
    testServer.flow.accept = async (...params) => {
      for (const start = Date.now(); Date.now() - start < 500; ) await new Promise((resolve) => setImmediate(resolve));
      return acceptAll(...params);
    };
    expect((await speak(testServer)).status).toBe(200);
  });

  it('H-09 a body slower than 1 KB/s is let go after five seconds, a steady one is not', async () => {
    const clock = movedClock();
    const testServer = await testServerWith({ clock });
    const slow = rawSocket(testServer);
    const steady = rawSocket(testServer);
    const [slowAnswer, steadyAnswer] = [collected(slow), collected(steady)];
    const before = clock.timers();
    slow.write(`${rawHead(testServer, ['Content-Length: 100000'])}{`);
    steady.write(`${rawHead(testServer, ['Content-Length: 20000'])}${body.slice(0, -1)}${' '.repeat(10_000)}`);
    await expect.poll(() => clock.timers()).toBe(before + 2);
    clock.pass(5_000);
    await expect.poll(slowAnswer.text).toMatch(/^HTTP\/1\.1 408 /);
    steady.write(`${' '.repeat(20_000 - 10_000 - body.length)}}`);
    await expect.poll(steadyAnswer.text).toMatch(/^HTTP\/1\.1 200 /);
    // The ended connection lingers for a second so that the client can read its answer.
    clock.pass(1_000);
    await slowAnswer.ended;
    steady.destroy();
  });

  it('H-09 an idle connection is closed, and one never used gets no answer', async () => {
    const testServer = await testServerWith({ caps: short });
    const used = collected(rawSocket(testServer));
    const socket = rawSocket(testServer);
    const kept = collected(socket);
    socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
    await Promise.all([used.ended, kept.ended]);
    expect(used.text()).toBe('');
    expect(statusesIn(kept.text())).toEqual([200]);
  });

  it('H-09 a client that does not read its answer is let go', async () => {
    const clock = movedClock();
    const testServer = await testServerWith({ clock });
    // More than the socket buffers of both sides hold.
    testServer.flow.accept = async () => ({ kind: 'accepted', replayed: false, body: `"${'x'.repeat(50_000_000)}"` });
    const socket = rawSocket(testServer);
    socket.pause();
    const closed = new Promise((resolve) => socket.on('close', resolve));
    const before = clock.timers();
    socket.write(`${rawHead(testServer, [`Content-Length: ${body.length}`])}${body}`);
    await expect.poll(() => clock.timers()).toBe(before + 1);
    clock.pass(15_000);
    socket.resume();
    await closed;
    expect(socket.bytesRead).toBeLessThan(50_000_000);
  });

  it.each([
    ['one of 64 KB', [`X-Big: ${'x'.repeat(65_536)}`]],
    ['10,000 of them', Array.from({ length: 10_000 }, (_, i) => `X-${i}: y`)],
    ['101 small ones', Array.from({ length: 101 }, (_, i) => `a${i}: b`)],
    ['a long path', []],
  ])('H-10 headers that are too much (%s) are 431', async (name, headers) => {
    const testServer = await testServerWith();
    const path = name === 'a long path' ? `/${'x'.repeat(20_000)}` : '/SendSMS';
    const { text, statuses } = await speakRaw(
      testServer,
      rawHead(testServer, [...headers, `Content-Length: ${body.length}`], path) + body,
    );
    expect(statuses).toEqual([431]);
    expect(text).toContain('"INVALID_REQUEST"');
    expect(testServer.sends).toEqual([]);
  });

  it('H-10 ninety headers are fine', async () => {
    const testServer = await testServerWith();
    const many = Array.from({ length: 90 }, (_, i) => `a${i}: b`);
    expect(
      (
        await speakRaw(
          testServer,
          rawHead(testServer, [...many, 'Connection: close', `Content-Length: ${body.length}`]) + body,
        )
      ).statuses,
    ).toEqual([200]);
  });

  it('H-11 connections beyond the cap are turned away, and the others work', async () => {
    const testServer = await testServerWith({ caps: { connectionsMax: 20 } });
    const kept: Socket[] = [];
    for (let i = 0; i < 20; i++) {
      const socket = rawSocket(testServer);
      kept.push(socket);
      await new Promise((resolve) => socket.once('connect', resolve));
    }
    await expect(speak(testServer, { method: 'GET', path: '/healthz' })).rejects.toThrow();
    const { text } = collected(kept[7]!);
    kept[7]!.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
    await expect.poll(text).toMatch(/^HTTP\/1\.1 200 /);
    for (const socket of kept) socket.destroy();
    await expect
      .poll(
        async () => (await speak(testServer, { method: 'GET', path: '/healthz' }).catch(() => ({ status: 0 }))).status,
      )
      .toBe(200);
  });
});
