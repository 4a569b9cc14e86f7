import { Agent, request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { movedClock } from '../../../../test/props/clock.ts';
import {
  acceptAll,
  goodBody,
  openTestServer,
  rawHead,
  rawSocket,
  speak,
  statusesIn,
  type TestServer,
} from './server-fixture.ts';

/** A server whose flow waits until `commit` is called. */
async function waitingServer(
  options: Parameters<typeof openTestServer>[0] = {},
): Promise<TestServer & { commit: () => void }> {
  const testServer = await openTestServer(options);
  const waiting: (() => void)[] = [];
  testServer.flow.accept = (...params) => new Promise((resolve) => waiting.push(() => resolve(acceptAll(...params))));
  return Object.assign(testServer, { commit: () => void waiting.splice(0).map((go) => go()) });
}

describe('H-15 a graceful stop', () => {
  it('finishes open requests, answers `Connection: close`, and accepts nothing new', async () => {
    const testServer = await waitingServer();
    const answer = speak(testServer);
    await expect.poll(() => testServer.sends.length).toBe(1);
    const closed = testServer.close();
    await expect(speak(testServer)).rejects.toThrow(/ECONNREFUSED/);
    testServer.commit();
    const { status, headers } = await answer;
    expect(status).toBe(200);
    expect(headers.connection).toBe('close');
    await closed;
  });

  it('gives a client between two requests the time to send the next, and an answer to it', async () => {
    const clock = movedClock();
    const testServer = await openTestServer({ clock });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const call = () =>
      new Promise<{ status?: number; connection?: string }>((resolve, reject) => {
        const sent = request({ port: testServer.port, host: '127.0.0.1', path: '/healthz', agent }, (answer) => {
          answer.resume();
          answer.on('end', () => resolve({ status: answer.statusCode, connection: answer.headers.connection }));
        });
        sent.on('error', reject);
        sent.end();
      });
    expect(await call()).toEqual({ status: 200, connection: 'keep-alive' });
    const closed = testServer.close();
    clock.pass(900);
    expect(await call()).toEqual({ status: 200, connection: 'close' });
    await closed;
    agent.destroy();
  });

  it('cuts idle connections soon', async () => {
    const clock = movedClock();
    const testServer = await openTestServer({ clock });
    const idle = rawSocket(testServer);
    await new Promise((resolve) => idle.once('connect', resolve));
    await expect
      .poll(
        () => new Promise((resolve) => testServer.server.app.server.getConnections((_error, count) => resolve(count))),
      )
      .toBe(1);
    const closed = testServer.close();
    clock.pass(1_000);
    await closed;
  });

  it('cuts what hangs, within ten seconds', async () => {
    const clock = movedClock();
    const testServer = await waitingServer({ clock });
    const socket = rawSocket(testServer);
    const gone = new Promise((resolve) => socket.resume().on('close', resolve));
    const body = JSON.stringify(goodBody);
    socket.write(rawHead(testServer, [`Content-Length: ${body.length}`]) + body);
    await expect.poll(() => testServer.sends.length).toBe(1);
    const closed = testServer.close();
    clock.pass(9_500);
    await closed;
    await gone;
  });

  it('answers every request that was sent without waiting', async () => {
    const testServer = await waitingServer();
    const body = JSON.stringify(goodBody);
    const one = rawHead(testServer, [`Content-Length: ${body.length}`]) + body;
    const socket = rawSocket(testServer);
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString();
    });
    const ended = new Promise((resolve) => socket.on('close', resolve));
    socket.write(one + one + one);
    await expect.poll(() => testServer.sends.length).toBe(3);
    const closed = testServer.close();
    testServer.commit();
    await Promise.all([ended, closed]);
    expect(statusesIn(text)).toEqual([200, 200, 200]);
  });

  it('makes /readyz say no while it lasts', async () => {
    const testServer = await waitingServer();
    const sockets = [rawSocket(testServer), rawSocket(testServer)];
    await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once('connect', resolve))));
    await expect
      .poll(
        () => new Promise((resolve) => testServer.server.app.server.getConnections((_error, count) => resolve(count))),
      )
      .toBe(2);
    const closed = testServer.close();
    let text = '';
    sockets[0]!.on('data', (chunk) => {
      text += chunk.toString();
    });
    sockets[0]!.write('GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n');
    await expect.poll(() => text).toMatch(/^HTTP\/1\.1 503 [\s\S]*stopping/);
    for (const socket of sockets) socket.destroy();
    await closed;
  });

  it('does not wait for clients that only have a last answer to read', async () => {
    // The timers of this clock never fire, so anything that waits for one waits for ever.
    const testServer = await openTestServer({ clock: movedClock() });
    const socket = rawSocket(testServer);
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString();
    });
    socket.removeAllListeners('end');
    socket.write(rawHead(testServer, ['Content-Length: 999999']));
    await expect.poll(() => text).toMatch(/^HTTP\/1\.1 400 /);
    await testServer.close();
    socket.destroy();
  });

  it('may be requested twice', async () => {
    const testServer = await openTestServer();
    await Promise.all([testServer.close(), testServer.close()]);
  });
});

describe('listening', () => {
  it('fails with the system’s error when the port is taken', async () => {
    const testServer = await openTestServer();
    await expect(openTestServer({ config: { port: testServer.port } })).rejects.toMatchObject({ code: 'EADDRINUSE' });
    await testServer.close();
  });
});
