import { once } from 'node:events';
import type { Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it } from 'vitest';
import { movedClock } from '../../../../test/props/clock.ts';
import { ClientSockets } from './client-sockets.ts';
import { answersRaw } from './route.ts';
import {
  goodBody,
  openTestServer,
  rawHead,
  rawSocket,
  speak,
  type TestServer,
  type TestServerOptions,
} from './server-fixture.ts';

/** A route that answers text and nothing else. */
const plainText = (path: string) => ({
  ...({ method: 'GET', path, scope: 'read', operationId: 'test', summary: '' } as const),
  answer: answersRaw('text/plain', ''),
});

const resetting = `
  const { connect } = require('node:net');
  const { port, bytes, isReset } = require('node:worker_threads').workerData;
  const socket = connect(port, '127.0.0.1', () => socket.write(bytes, () => socket.resetAndDestroy()));
  socket.on('close', () => Atomics.store(isReset, 0, 1) + Atomics.notify(isReset, 0));
`;

describe('sockets of a client', () => {
  it('are counted until they are gone, and not at all when it is exempt or nothing is limited', () => {
    const from = (remoteAddress: string) => ({ remoteAddress }) as Socket;
    const clients = new ClientSockets(2, ['10.0.0.0/8']);
    const [a, b, c] = [from('192.0.2.7'), from('::ffff:192.0.2.7'), from('192.0.2.7')];
    expect([clients.add(a), clients.add(b), clients.add(from('192.0.2.8')), clients.add(c)]).toEqual([
      null,
      null,
      null,
      a,
    ]);
    clients.remove(a);
    clients.remove(c);
    expect(clients.add(from('192.0.2.7'))).toBeNull();
    for (let i = 0; i < 9; i++) expect(clients.add(from('10.1.2.3'))).toBeNull();
    const unlimited = new ClientSockets(0, []);
    for (let i = 0; i < 9; i++) expect(unlimited.add(from('192.0.2.7'))).toBeNull();
  });
});

describe('one client', () => {
  let testServer: TestServer;
  const open = async (options: TestServerOptions) => {
    testServer = await openTestServer(options);
  };
  const ended = (socket: Socket) => once(socket, 'close');
  const connected = async () => {
    const socket = rawSocket(testServer);
    await once(socket, 'connect');
    return socket;
  };
  afterEach(() => testServer.close());

  it('has so many connections and no more, with one line in the log, and again when some are closed', async () => {
    await open({ caps: { connectionsPerClient: 3 } });
    const kept = [await connected(), await connected(), await connected()];
    const over = [rawSocket(testServer), rawSocket(testServer)];
    await Promise.all(over.map(ended));
    expect(kept.every((socket) => !socket.destroyed)).toBe(true);
    const lines = testServer.log.filter(({ message }) => message.startsWith('too many connections'));
    expect(lines).toMatchObject([{ level: 'warn', fields: { address: '127.0.0.1', max: 3 } }]);
    kept[0]!.destroy();
    await expect
      .poll(async () => (await speak(testServer, { path: '/limits', method: 'GET' }).catch(() => null))?.status)
      .toBe(200);
    for (const socket of kept) socket.destroy();
  });

  it('that is a trusted proxy is not held to it', async () => {
    await open({ caps: { connectionsPerClient: 1 }, config: { trustedProxies: ['127.0.0.0/8'] } });
    const sockets = [await connected(), await connected(), await connected()];
    expect((await speak(testServer, { path: '/limits', method: 'GET' })).status).toBe(200);
    for (const socket of sockets) socket.destroy();
  });

  it('that never reads its answers keeps so many of them waiting: the oldest is cut for one more', async () => {
    const body = Buffer.alloc(8 << 20, 'x');
    await open({
      caps: { unreadPerClient: 2 },
      routes: [
        (_app, { guarded }) =>
          guarded.add({
            ...plainText('/big'),
            work: () => ({ status: 200, reason: 'SUCCESS', contentType: 'text/plain', body }),
          }),
      ],
    });
    const ask = async () => {
      const socket = await connected();
      socket.pause();
      const answered = testServer.log.length;
      socket.write(rawHead(testServer, [], '/big', 'GET'));
      await expect.poll(() => testServer.log.length).toBeGreaterThan(answered);
      return socket;
    };
    const first = await ask();
    const others = [await ask(), await ask()];
    first.resume();
    await ended(first);
    expect(first.bytesRead).toBeLessThan(body.length);
    for (const socket of others) socket.destroy();
  });

  it('that sent a request and reset the connection before it was taken has sent nothing', async () => {
    await open({});
    const body = JSON.stringify(goodBody);
    const bytes = rawHead(testServer, [`Content-Length: ${body.length}`]) + body;
    const isReset = new Int32Array(new SharedArrayBuffer(4));
    const worker = new Worker(resetting, { eval: true, workerData: { port: testServer.port, bytes, isReset } });
    // Meanwhile this thread takes no connections.
    expect(Atomics.wait(isReset, 0, 0, 20_000)).toBe('ok');
    await once(worker, 'exit');
    expect((await speak(testServer)).status).toBe(200);
    expect(testServer.sends).toHaveLength(1);
  });

  it('that stops reading a long answer is cut off in time', async () => {
    const clock = movedClock();
    let pieces = 0;
    let waits = false;
    await open({
      clock,
      routes: [
        (_app, { guarded }) =>
          guarded.add({
            ...plainText('/long'),
            work: async ({ exchange }) => {
              const stream = exchange.stream({ contentType: 'text/plain' })!;
              let isOver = false;
              exchange.whenOver(() => {
                isOver = true;
              });
              while (!isOver) {
                pieces += 1;
                waits = !stream.write('x'.repeat(1 << 20));
                await stream.drained();
              }
              return { status: 200, reason: 'SUCCESS', body: '' };
            },
          }),
      ],
    });
    const socket = await connected();
    socket.pause();
    socket.write(rawHead(testServer, [], '/long', 'GET'));
    let seen = 0;
    const isStuck = () => {
      const still = waits && pieces === seen;
      seen = pieces;
      return still;
    };
    await expect.poll(isStuck, { interval: 200 }).toBe(true);
    clock.pass(15_000);
    socket.resume();
    await ended(socket);
  });
});
