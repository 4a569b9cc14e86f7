/** Guarded fetch from its callers' side: the results with good and bad servers. */
import { connect, Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { settlingClock, until } from '../../../test/props/clock.ts';
import type { ConnectTcp } from './dial.ts';
import { createGuardedFetch } from './guarded-fetch.ts';
import {
  get,
  httpServer,
  httpsServer,
  openGuardedFetch,
  post,
  pretendingConnect,
  publicAddress,
  rawServer,
  relaxed,
  strict,
  testCertificate,
  webhookCaps,
} from './net-fixture.ts';

const proceed = 'HTTP/1.1 100 Continue\r\n\r\n';
/** Its body looks like an interim answer and is none. */
const ok = `HTTP/1.1 200 OK\r\ncontent-length: ${proceed.length}\r\n\r\n${proceed}`;

describe('an answer', () => {
  it('comes with status, a few headers and the first bytes of the body', async () => {
    let seen = {};
    const { port } = await httpServer((request, response) => {
      const { method, url, headers } = request;
      request.setEncoding('utf8').on('data', (body) => {
        seen = { method, url, headers, body };
        response.writeHead(202, { 'Content-Type': 'text/plain', 'Retry-After': '7', 'Set-Cookie': 'a=b', Server: 'x' });
        response.end('y'.repeat(5_000));
      });
    });
    const headers = { 'content-type': 'application/json', 'X-Static': 'pair', 'user-agent': 'Heliograph' };
    const answer = await openGuardedFetch().fetch(
      post(`http://127.0.0.1:${port}/hook?a=1#x`, { body: '{"ü":1}', headers }),
    );
    expect(answer).toEqual({
      kind: 'answered',
      status: 202,
      headers: { 'content-type': 'text/plain', date: expect.any(String), 'retry-after': '7' },
      body: Buffer.from('y'.repeat(4_096)),
      truncated: true,
      ms: expect.any(Number),
    });
    expect(seen).toEqual({
      method: 'POST',
      url: '/hook?a=1',
      body: '{"ü":1}',
      headers: {
        host: `127.0.0.1:${port}`,
        connection: 'keep-alive',
        'accept-encoding': 'identity',
        'content-length': '8',
        'content-type': 'application/json',
        'x-static': 'pair',
        'user-agent': 'Heliograph',
      },
    });
  });

  it.each([204, 301, 404, 410, 429, 500])('of status %i is an answer like any other', async (status) => {
    const { port } = await httpServer((_request, response) => response.writeHead(status, { location: '/x' }).end());
    const answer = await openGuardedFetch().fetch(post(`http://127.0.0.1:${port}/`));
    expect(answer).toMatchObject({ kind: 'answered', status, truncated: false });
  });

  it('may follow interim ones', async () => {
    const { port } = await rawServer((socket) =>
      socket.end('HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'),
    );
    const answer = await openGuardedFetch().fetch(get(`http://127.0.0.1:${port}/`));
    expect(answer).toMatchObject({ kind: 'answered', status: 200, body: Buffer.from('ok'), truncated: false });
  });

  it.each([
    ['in one piece', [proceed + ok]],
    ['in pieces', ['HTTP/1.', '1 100 Continue\r\nx: y\r\n', '\r\n', ok]],
    ['twice', [proceed, proceed, ok]],
  ])('may follow a 100 that nobody asked for, %s', async (_how, pieces) => {
    const { port, connections } = await rawServer((socket) =>
      socket.on('data', async () => {
        for (const piece of pieces) {
          socket.write(piece);
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
      }),
    );
    const guarded = openGuardedFetch();
    for (const _ of [1, 2]) {
      const answer = await guarded.fetch(post(`http://127.0.0.1:${port}/`));
      expect(answer).toMatchObject({ kind: 'answered', status: 200, body: Buffer.from(proceed), truncated: false });
    }
    expect(connections()).toBe(1);
  });

  it('is none when it is only a 100', async () => {
    const { port } = await rawServer((socket) => socket.end(proceed));
    const answer = await openGuardedFetch().fetch(post(`http://127.0.0.1:${port}/`));
    expect(answer).toMatchObject({ kind: 'unreachable', why: 'reset', sent: true });
  });

  it('is not decoded', async () => {
    const bytes = Buffer.from([31, 139, 8, 0]);
    const { port } = await httpServer((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bytes);
    });
    const answer = await openGuardedFetch().fetch(get(`http://127.0.0.1:${port}/`));
    expect(answer).toMatchObject({ headers: { 'content-encoding': 'gzip' }, body: bytes });
  });

  it('comes from the second address when the first refuses', async () => {
    const { port } = await httpServer((_request, response) => response.end('ok'));
    const guarded = openGuardedFetch({
      resolve: async () => ['10.0.0.1', '127.0.0.1'],
      connectTcp: (address) => connect({ host: '127.0.0.1', port: address === '10.0.0.1' ? 1 : port }),
    });
    expect(await guarded.fetch(post(`http://hooks.example.com:${port}/`))).toMatchObject({ status: 200 });
  });
});

describe('a public name', () => {
  it('is dialled at its address, with its name in the request', async () => {
    let host: string | undefined;
    const { port } = await httpServer((request, response) => {
      host = request.headers.host;
      response.end();
    });
    const { connectTcp, dialled } = pretendingConnect();
    const guarded = openGuardedFetch({ connectTcp, resolve: async () => [publicAddress] });
    const policy = { ...strict, extraPorts: [port] };
    const answer = await guarded.fetch(post(`http://hooks.example.com:${port}/`, { policy }));
    expect(answer).toMatchObject({ kind: 'answered', status: 200 });
    expect({ host, dialled }).toEqual({ host: `hooks.example.com:${port}`, dialled: [publicAddress] });
  });

  it('is not dialled when only one of its addresses is forbidden', async () => {
    const { connectTcp, dialled } = pretendingConnect();
    for (const forbidden of ['127.0.0.1', '10.0.0.1', '169.254.169.254', '::1', 'fd00::1', '::ffff:1.1.1.1', 'x']) {
      for (const list of [[publicAddress, forbidden], [forbidden, publicAddress], [forbidden]]) {
        const guarded = openGuardedFetch({ connectTcp, resolve: async () => list });
        const answer = await guarded.fetch(post('https://hooks.example.com/', { policy: strict }));
        expect(answer).toMatchObject({ kind: 'blocked', why: 'address' });
      }
    }
    expect(dialled).toEqual([]);
  });

  it('is not dialled later when it resolves to a private address', async () => {
    const { port } = await httpServer((_request, response) => response.end());
    const { connectTcp, dialled } = pretendingConnect();
    const answers = [[publicAddress], ['127.0.0.1']];
    const clock = settlingClock();
    const guarded = openGuardedFetch({ clock, connectTcp, resolve: async () => answers.shift() ?? [] });
    const request = post(`http://rebind.example.com:${port}/`, { policy: { ...strict, extraPorts: [port] } });
    expect(await guarded.fetch(request)).toMatchObject({ kind: 'answered' });
    await clock.pass(10_000);
    expect(await guarded.fetch(request)).toMatchObject({ kind: 'blocked', why: 'address' });
    expect({ dialled, answers }).toEqual({ dialled: [publicAddress], answers: [] });
  });

  it('is not dialled when it has too many addresses', async () => {
    const { connectTcp, dialled } = pretendingConnect();
    const guarded = openGuardedFetch({ connectTcp, resolve: async () => Array(65).fill(publicAddress) });
    const answer = await guarded.fetch(post('https://hooks.example.com/', { policy: strict }));
    expect(answer).toMatchObject({ kind: 'blocked', why: 'address' });
    expect(dialled).toEqual([]);
  });

  it('is resolved by DNS alone, unless private targets are allowed', async () => {
    const localNamesAllowed: boolean[] = [];
    const resolve = async (_name: string, localNames: boolean) => {
      localNamesAllowed.push(localNames);
      return null;
    };
    for (const policy of [strict, relaxed])
      await openGuardedFetch({ resolve }).fetch(post('https://a.example/', { policy }));
    expect(localNamesAllowed).toEqual([false, true]);
  });

  it('resolves once for the check and the dial', async () => {
    const { port, connections } = await httpServer((_request, response) => response.end());
    const lookups: string[] = [];
    const { connectTcp, dialled } = pretendingConnect();
    const resolve = async (name: string) => [lookups.push(name) === 1 ? publicAddress : '127.0.0.1'];
    const policy = { ...strict, extraPorts: [port] };
    await openGuardedFetch({ connectTcp, resolve }).fetch(post(`http://rebind.example.com:${port}/`, { policy }));
    expect({ lookups: lookups.length, dialled, connections: connections() }).toEqual({
      lookups: 1,
      dialled: [publicAddress],
      connections: 1,
    });
  });

  it('gets no byte when the peer has another address', async () => {
    let bytes = 0;
    const { port, open } = await rawServer((socket) => socket.on('data', (chunk) => (bytes += chunk.length)));
    const policy = { ...strict, extraPorts: [port] };
    const connectTcp = () => connect({ host: '127.0.0.1', port });
    const guarded = openGuardedFetch({ connectTcp, resolve: async () => [publicAddress] });
    for (const scheme of ['http', 'https']) {
      const answer = await guarded.fetch(post(`${scheme}://hooks.example.com:${port}/`, { policy }));
      expect(answer).toMatchObject({ kind: 'blocked', why: 'address' });
    }
    await until(() => open() === 0);
    expect(bytes).toBe(0);
  });

  it('gets no byte when the peer is this machine', async () => {
    let bytes = 0;
    const { port } = await rawServer((socket) => socket.on('data', (chunk) => (bytes += chunk.length)));
    const connectTcp: ConnectTcp = (address) => {
      const socket = connect({ host: '127.0.0.1', port });
      for (const end of ['remoteAddress', 'localAddress']) Object.defineProperty(socket, end, { value: address });
      return socket;
    };
    const guarded = openGuardedFetch({ connectTcp, resolve: async () => [publicAddress] });
    const answer = await guarded.fetch(post('http://hooks.example.com/', { policy: strict }));
    expect(answer).toMatchObject({ kind: 'blocked', why: 'address' });
    expect(bytes).toBe(0);
  });
});

describe('an unreachable target', () => {
  it.each([null, []])('has no address: %j', async (none) => {
    const answer = await openGuardedFetch({ resolve: async () => none }).fetch(post('https://a.example/'));
    expect(answer).toMatchObject({ kind: 'unreachable', why: 'dns', sent: false });
  });

  it('never reveals what its name resolves to', async () => {
    const clock = settlingClock();
    const outcome = openGuardedFetch({ clock, resolve: () => new Promise(() => {}) }).fetch(post('https://a.example/'));
    await clock.pass(webhookCaps.connectMs);
    expect(await outcome).toMatchObject({ kind: 'unreachable', why: 'timeout', sent: false });
  });

  it('refuses the connection', async () => {
    const answer = await openGuardedFetch().fetch(post('http://127.0.0.1:1/'));
    expect(answer).toMatchObject({ kind: 'unreachable', why: 'connect', sent: false });
  });

  it('closes the connection at once', async () => {
    const { port } = await rawServer(() => {});
    const connectTcp: ConnectTcp = () => {
      const socket = connect({ host: '127.0.0.1', port });
      Object.defineProperty(socket, 'remoteAddress', { value: undefined });
      return socket;
    };
    const answer = await openGuardedFetch({ connectTcp }).fetch(post(`http://127.0.0.1:${port}/`));
    expect(answer).toMatchObject({ kind: 'unreachable', why: 'connect', sent: false });
  });

  it('never accepts the connection: every address gets its share of the time', async () => {
    const clock = settlingClock();
    const sockets: Socket[] = [];
    const guarded = openGuardedFetch({
      clock,
      resolve: async () => ['127.0.0.1', '127.0.0.2'],
      connectTcp: () => sockets[sockets.push(new Socket()) - 1]!,
    });
    const outcome = guarded.fetch(post('http://a.example/'));
    await clock.pass(webhookCaps.connectMs / 2);
    expect(sockets.map((socket) => socket.destroyed)).toEqual([true, false]);
    await clock.pass(webhookCaps.connectMs / 2);
    expect(await outcome).toMatchObject({ kind: 'unreachable', why: 'timeout', sent: false });
    expect(sockets.every((socket) => socket.destroyed)).toBe(true);
  });

  it('has more addresses than are tried', async () => {
    const dialled: string[] = [];
    const guarded = openGuardedFetch({
      resolve: async () => Array.from({ length: 50 }, (_, i) => `10.0.0.${i}`),
      connectTcp: (address) => {
        dialled.push(address);
        return connect({ host: '127.0.0.1', port: 1 });
      },
    });
    expect(await guarded.fetch(post('http://a.example/'))).toMatchObject({ why: 'connect' });
    expect(dialled).toHaveLength(4);
  });

  it.each([
    ['hangs up', (socket: Socket) => socket.end(), 'reset'],
    ['resets', (socket: Socket) => socket.once('data', () => socket.resetAndDestroy()), 'reset'],
    ['speaks something else', (socket: Socket) => socket.once('data', () => socket.write('-ERR\r\n')), 'protocol'],
    [
      'sends headers without end',
      (socket: Socket) => socket.once('data', () => socket.write(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(20_000)}`)),
      'protocol',
    ],
  ] as const)('%s', async (_how, talk, why) => {
    const { port, open } = await rawServer(talk);
    const answer = await openGuardedFetch().fetch(post(`http://127.0.0.1:${port}/`));
    expect(answer).toMatchObject({ kind: 'unreachable', why });
    await until(() => open() === 0);
  });
});

it('a target that sends before the request gets no answer', async () => {
  const { port } = await rawServer((socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'));
  const answer = await openGuardedFetch().fetch(post(`http://127.0.0.1:${port}/`));
  // By chance its bytes come before or after the request; bytes before it are not an answer.
  expect(answer.kind === 'unreachable' ? answer.why : answer.kind).toMatch(/^(reset|protocol|answered)$/);
});

describe('https', () => {
  const resolve = async () => ['127.0.0.1'];

  it('checks the certificate against the name of the URL', async () => {
    const { port } = await httpsServer((_request, response) => response.end('ok'));
    const trusting = openGuardedFetch({ resolve, ca: testCertificate });
    expect(await trusting.fetch(post(`https://hooks.example.com:${port}/`))).toMatchObject({ status: 200 });
    expect(await trusting.fetch(post(`https://127.0.0.1:${port}/`))).toMatchObject({ status: 200 });
    const elsewhere = openGuardedFetch({ resolve, ca: testCertificate, connectTcp: pretendingConnect().connectTcp });
    for (const host of ['other.example.com', '127.0.0.2']) {
      const answer = await elsewhere.fetch(post(`https://${host}:${port}/`));
      expect(answer).toMatchObject({ kind: 'unreachable', why: 'tls', sent: false });
    }
  });

  it('trusts no unknown certificate, whatever the environment says', async () => {
    const { port, open } = await httpsServer((_request, response) => response.end('ok'));
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
    const answer = await openGuardedFetch({ resolve })
      .fetch(post(`https://hooks.example.com:${port}/`))
      .finally(() => delete process.env.NODE_TLS_REJECT_UNAUTHORIZED);
    expect(answer).toMatchObject({ kind: 'unreachable', why: 'tls', sent: false });
    await until(() => open() === 0);
  });

  it('fails with a server without TLS, and with a silent one', async () => {
    const plain = await rawServer((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'));
    expect(await openGuardedFetch().fetch(post(`https://127.0.0.1:${plain.port}/`))).toMatchObject({
      why: 'tls',
      sent: false,
    });
    const silent = await rawServer(() => {});
    const clock = settlingClock();
    const outcome = openGuardedFetch({ clock }).fetch(post(`https://127.0.0.1:${silent.port}/`));
    await until(() => silent.connections() === 1);
    await clock.pass(webhookCaps.connectMs);
    expect(await outcome).toMatchObject({ kind: 'unreachable', why: 'timeout', sent: false });
    await until(() => silent.open() === 0);
  });
});

describe('a URL refused before any attempt', () => {
  it('has its reason in one word', async () => {
    const guarded = openGuardedFetch();
    const fetched = (url: string, more = {}) => guarded.fetch(post(url, more));
    expect(await fetched('file:///etc/passwd')).toEqual({ kind: 'blocked', why: 'scheme', ms: expect.any(Number) });
    expect(await fetched('http://127.0.0.1/', { policy: strict })).toMatchObject({ kind: 'blocked', why: 'address' });
    for (const header of ['host', 'content-length', 'transfer-encoding']) {
      const answer = await fetched('http://127.0.0.1/', { headers: { [header]: '1' } });
      expect(answer).toMatchObject({ kind: 'blocked', why: 'header' });
    }
  });

  it('is a port of this process, however it is reached', async () => {
    const { port, connections } = await httpServer((_request, response) => response.end());
    const guarded = openGuardedFetch({ resolve: async () => ['127.0.0.1'] });
    const policy = { ...relaxed, ownPorts: [port] };
    for (const host of ['127.0.0.1', 'localhost', 'me.example.com', '127.0.0.2']) {
      expect(await guarded.fetch(post(`http://${host}:${port}/`, { policy }))).toMatchObject({ kind: 'blocked' });
    }
    expect(connections()).toBe(0);
  });
});

describe('checkUrlResolved', () => {
  it('checks as the dialler does, and dials nothing', async () => {
    const { connectTcp, dialled } = pretendingConnect();
    const names: Record<string, string[]> = { 'good.example': [publicAddress], 'bad.example': ['10.0.0.1'] };
    const guarded = openGuardedFetch({ connectTcp, resolve: async (name) => names[name] ?? null });
    const check = (url: string) => guarded.checkUrlResolved(url, strict, 1_000);
    expect(await check('https://good.example/')).toEqual({ ok: true });
    expect(await check(`https://${publicAddress}/`)).toEqual({ ok: true });
    expect(await check('https://bad.example/')).toEqual({ ok: false, why: 'address' });
    expect(await check('https://none.example/')).toEqual({ ok: false, why: 'dns' });
    expect(await check('https://good.example:22/')).toEqual({ ok: false, why: 'port' });
    expect(dialled).toEqual([]);
  });

  it('does not wait for ever', async () => {
    const clock = settlingClock();
    const guarded = openGuardedFetch({ clock, resolve: () => new Promise(() => {}) });
    const checked = guarded.checkUrlResolved('https://a.example/', strict, 2_000);
    await clock.pass(2_000);
    expect(await checked).toEqual({ ok: false, why: 'dns' });
  });
});

it('uses the machine’s clock and DNS by default', async () => {
  const { port } = await httpServer((_request, response) => response.end('here'));
  const guarded = createGuardedFetch();
  onTestFinished(() => guarded.close());
  expect(await guarded.fetch(get(`http://localhost:${port}/`))).toMatchObject({ kind: 'answered', status: 200 });
});
