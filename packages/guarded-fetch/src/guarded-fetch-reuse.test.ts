/** Reuse of connections: how long, for which requests, and how many at once. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { settlingClock, until } from '../../../test/props/clock.ts';
import { machineConnectTcp } from './dial.ts';
import {
  get,
  httpServer,
  httpsServer,
  openGuardedFetch,
  post,
  rawServer,
  relaxed,
  testCertificate,
} from './net-fixture.ts';

/** Free connections stay longer than any test. */
const patient = { idleMs: 120_000 };

const ok = (_request: IncomingMessage, response: ServerResponse) => void response.end('ok');

describe('a connection', () => {
  it('is used again, one request after the other', async () => {
    const { port, connections } = await httpServer(ok);
    const guarded = openGuardedFetch();
    for (let i = 0; i < 50; i++) {
      expect(await guarded.fetch(post(`http://127.0.0.1:${port}/${i}`))).toMatchObject({ status: 200 });
    }
    expect(connections()).toBe(1);
  });

  it('of TLS is too', async () => {
    const { port, connections } = await httpsServer(ok);
    const guarded = openGuardedFetch({ ca: testCertificate });
    for (let i = 0; i < 5; i++) await guarded.fetch(post(`https://127.0.0.1:${port}/`));
    expect(connections()).toBe(1);
  });

  it('reaches its maximum age, however busy', async () => {
    const { port, connections } = await httpServer(ok);
    const clock = settlingClock();
    const guarded = openGuardedFetch({ clock });
    for (let i = 0; i < 7; i++) {
      await guarded.fetch(post(`http://127.0.0.1:${port}/`));
      await clock.pass(10_000);
    }
    expect(connections()).toBe(3);
  });

  it('beyond its maximum age when its request ends is closed', async () => {
    const held: ServerResponse[] = [];
    const { port, open } = await httpServer((_request, response) => void held.push(response));
    const clock = settlingClock();
    const caps = { connectMs: 60_000, firstByteMs: 60_000, totalMs: 60_000, bodyBytesMax: 10, keep: 10 };
    const answer = openGuardedFetch({ clock, limits: patient }).fetch(post(`http://127.0.0.1:${port}/`, { caps }));
    await until(() => held.length === 1);
    await clock.pass(30_000);
    held[0]!.end('ok');
    expect(await answer).toMatchObject({ status: 200 });
    await until(() => open() === 0);
  });

  it('that is not used is closed after its time, even when the server would wait longer', async () => {
    const closed: string[] = [];
    const { port } = await rawServer((socket) =>
      socket.once('data', (head) => {
        const path = / \/(\w+) /.exec(head.toString())![1];
        socket.once('close', () => closed.push(path!));
        const hint = path === 'hinted' ? 'keep-alive: timeout=600\r\n' : '';
        socket.write(`HTTP/1.1 200 OK\r\ncontent-length: 0\r\n${hint}\r\n`);
      }),
    );
    await openGuardedFetch({ limits: { idleMs: 10_000 } }).fetch(post(`http://127.0.0.1:${port}/slow`));
    for (const path of ['fast', 'hinted']) {
      await openGuardedFetch({ limits: { idleMs: 20 } }).fetch(post(`http://127.0.0.1:${port}/${path}`));
    }
    await until(() => closed.length === 2);
    expect(closed).not.toContain('slow');
  });

  it('is bound to the checked address, the name, the port and the scheme', async () => {
    const { port, connections } = await httpServer(ok);
    const addresses: Record<string, string> = { 'a.example': '127.0.0.1', 'b.example': '127.0.0.1' };
    const clock = settlingClock();
    const guarded = openGuardedFetch({ clock, resolve: async (name) => [addresses[name]!] });
    const ask = (name: string) => guarded.fetch(post(`http://${name}:${port}/`));
    await ask('a.example');
    await ask('b.example');
    expect(connections()).toBe(2);
    addresses['a.example'] = '127.0.0.2';
    await clock.pass(10_000);
    expect(await ask('a.example')).toMatchObject({ kind: 'unreachable', why: 'connect' });
    expect(connections()).toBe(2);
  });

  it('is not used for a request that may not go there', async () => {
    const { port, connections } = await httpServer(ok);
    const guarded = openGuardedFetch({ resolve: async () => ['127.0.0.1'] });
    const url = `http://a.example.com:${port}/`;
    expect(await guarded.fetch(post(url))).toMatchObject({ status: 200 });
    const forbidden = [
      { ...relaxed, allowPrivate: false, extraPorts: [port] },
      { ...relaxed, ownPorts: [port] },
    ];
    for (const policy of forbidden) {
      expect(await guarded.fetch(post(url, { policy }))).toMatchObject({ kind: 'blocked', why: 'address' });
    }
    expect(connections()).toBe(1);
  });

  it('whose response was aborted is not used again', async () => {
    const { port, connections } = await httpServer((_request, response) => response.end('z'.repeat(200_000)));
    const guarded = openGuardedFetch();
    for (let i = 0; i < 3; i++) {
      expect(await guarded.fetch(post(`http://127.0.0.1:${port}/`))).toMatchObject({ status: 200, truncated: true });
    }
    expect(connections()).toBe(3);
  });

  it('that the server closes is not used again', async () => {
    const { port, connections, open } = await httpServer((_request, response) => {
      response.writeHead(200, { connection: 'close' }).end();
    });
    const guarded = openGuardedFetch();
    for (let i = 1; i <= 3; i++) {
      expect(await guarded.fetch(post(`http://127.0.0.1:${port}/`))).toMatchObject({ status: 200 });
      await until(() => open() === 0);
      expect(connections()).toBe(i);
    }
  });

  it('that closes unnoticed before anything was written is replaced', async () => {
    const { port, connections } = await httpServer(ok);
    const sockets: Socket[] = [];
    const connectTcp = (address: string, onPort: number) => {
      const socket = machineConnectTcp(address, onPort);
      sockets.push(socket);
      return socket;
    };
    const guarded = openGuardedFetch({ connectTcp });
    await guarded.fetch(post(`http://127.0.0.1:${port}/`));
    const answer = guarded.fetch(post(`http://127.0.0.1:${port}/`));
    // The request waits for the free connection, which closes meanwhile.
    for (let i = 0; i < 12; i++) await Promise.resolve();
    sockets[0]!.destroy(new Error('gone'));
    expect(await answer).toMatchObject({ kind: 'answered', status: 200 });
    expect(connections()).toBe(2);
  });

  it('ignores bytes sent between two requests', async () => {
    const poisoned = 'HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\npoison';
    let requests = 0;
    const { port } = await rawServer((socket) => {
      socket.on('data', () => {
        requests++;
        const more = requests === 1 ? poisoned : '';
        socket.write(`HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\ntrue${more}`);
      });
    });
    const guarded = openGuardedFetch();
    await guarded.fetch(get(`http://127.0.0.1:${port}/`));
    const second = await guarded.fetch(get(`http://127.0.0.1:${port}/`));
    expect(second).toMatchObject({ kind: 'answered', body: Buffer.from('true') });
  });
});

describe('concurrent requests', () => {
  it('get a connection each, up to the limits, else `busy`', async () => {
    const held: ServerResponse[] = [];
    const first = await httpServer((_request, response) => void held.push(response));
    const second = await httpServer((_request, response) => void held.push(response));
    const guarded = openGuardedFetch({ limits: { inFlightMax: 5, inFlightPerTargetMax: 3 } });
    const ask = ({ port }: { port: number }) => guarded.fetch(post(`http://127.0.0.1:${port}/`));
    const here = Array.from({ length: 4 }, () => ask(first));
    const there = Array.from({ length: 3 }, () => ask(second));
    await until(() => held.length === 5);
    expect(await here[3]).toEqual({ kind: 'busy', ms: expect.any(Number) });
    expect(await there[2]).toMatchObject({ kind: 'busy' });
    for (const response of held) response.end();
    const answers = await Promise.all([...here.slice(0, 3), ...there.slice(0, 2)]);
    expect(answers.every(({ kind }) => kind === 'answered')).toBe(true);
    const next = ask(first);
    await until(() => held.length === 6);
    held[5]!.end();
    expect(await next).toMatchObject({ kind: 'answered' });
  });

  it('leave no more free connections than the limit', async () => {
    const held: ServerResponse[] = [];
    const { port, open } = await httpServer((_request, response) => void held.push(response));
    const guarded = openGuardedFetch({ limits: { ...patient, idleMax: 2 } });
    const answers = Array.from({ length: 6 }, () => guarded.fetch(post(`http://127.0.0.1:${port}/`)));
    await until(() => held.length === 6);
    for (const response of held) response.end();
    await Promise.all(answers);
    await until(() => open() === 2);
  });
});

describe('close', () => {
  it('ends requests under way and free connections, and allows no more requests', async () => {
    const held: ServerResponse[] = [];
    const { port, open, connections } = await httpServer((request, response) => {
      if (request.url === '/free') response.end();
      else held.push(response);
    });
    const guarded = openGuardedFetch({ limits: patient });
    const waiting = guarded.fetch(post(`http://127.0.0.1:${port}/held`));
    await until(() => held.length === 1);
    await guarded.fetch(post(`http://127.0.0.1:${port}/free`));
    expect(open()).toBe(2);
    guarded.close();
    expect(await waiting).toMatchObject({ kind: 'unreachable', why: 'timeout', sent: true });
    await until(() => open() === 0);
    expect(await guarded.fetch(post(`http://127.0.0.1:${port}/free`))).toMatchObject({ kind: 'busy' });
    expect(connections()).toBe(2);
  });
});
