import { Agent, request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { movedClock } from '../../../../test/props/clock.ts';
import { acceptAll, type Doors, goodBody, openDoors, rawHead, rawSocket, speak, statusesIn } from './doors-fixture.ts';

/** A server whose flow waits until `commit` is called. */
async function waitingDoors(options: Parameters<typeof openDoors>[0] = {}): Promise<Doors & { commit: () => void }> {
  const doors = await openDoors(options);
  const waiting: (() => void)[] = [];
  doors.flow.accept = (...asked) => new Promise((resolve) => waiting.push(() => resolve(acceptAll(...asked))));
  return Object.assign(doors, { commit: () => void waiting.splice(0).map((go) => go()) });
}

describe('H-15 a graceful stop', () => {
  it('finishes open requests, answers `Connection: close`, and accepts nothing new', async () => {
    const doors = await waitingDoors();
    const answer = speak(doors);
    await expect.poll(() => doors.asked.length).toBe(1);
    const closed = doors.close();
    await expect(speak(doors)).rejects.toThrow(/ECONNREFUSED/);
    doors.commit();
    const { status, headers } = await answer;
    expect(status).toBe(200);
    expect(headers.connection).toBe('close');
    await closed;
  });

  it('gives a client between two requests the time to send the next, and an answer to it', async () => {
    const clock = movedClock();
    const doors = await openDoors({ clock });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const call = () =>
      new Promise<{ status?: number; connection?: string }>((resolve, reject) => {
        const sent = request({ port: doors.port, host: '127.0.0.1', path: '/healthz', agent }, (answer) => {
          answer.resume();
          answer.on('end', () => resolve({ status: answer.statusCode, connection: answer.headers.connection }));
        });
        sent.on('error', reject);
        sent.end();
      });
    expect(await call()).toEqual({ status: 200, connection: 'keep-alive' });
    const closed = doors.close();
    clock.pass(900);
    expect(await call()).toEqual({ status: 200, connection: 'close' });
    await closed;
    agent.destroy();
  });

  it('cuts idle connections soon', async () => {
    const clock = movedClock();
    const doors = await openDoors({ clock });
    const idle = rawSocket(doors);
    await new Promise((resolve) => idle.once('connect', resolve));
    await expect
      .poll(() => new Promise((resolve) => doors.server.app.server.getConnections((_error, count) => resolve(count))))
      .toBe(1);
    const closed = doors.close();
    clock.pass(1_000);
    await closed;
  });

  it('cuts what hangs, within ten seconds', async () => {
    const clock = movedClock();
    const doors = await waitingDoors({ clock });
    const socket = rawSocket(doors);
    const gone = new Promise((resolve) => socket.resume().on('close', resolve));
    const body = JSON.stringify(goodBody);
    socket.write(rawHead(doors, [`Content-Length: ${body.length}`]) + body);
    await expect.poll(() => doors.asked.length).toBe(1);
    const closed = doors.close();
    clock.pass(9_500);
    await closed;
    await gone;
  });

  it('answers every request that was sent without waiting', async () => {
    const doors = await waitingDoors();
    const body = JSON.stringify(goodBody);
    const one = rawHead(doors, [`Content-Length: ${body.length}`]) + body;
    const socket = rawSocket(doors);
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString();
    });
    const ended = new Promise((resolve) => socket.on('close', resolve));
    socket.write(one + one + one);
    await expect.poll(() => doors.asked.length).toBe(3);
    const closed = doors.close();
    doors.commit();
    await Promise.all([ended, closed]);
    expect(statusesIn(text)).toEqual([200, 200, 200]);
  });

  it('makes /readyz say no while it lasts', async () => {
    const doors = await waitingDoors();
    const sockets = [rawSocket(doors), rawSocket(doors)];
    await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once('connect', resolve))));
    await expect
      .poll(() => new Promise((resolve) => doors.server.app.server.getConnections((_error, count) => resolve(count))))
      .toBe(2);
    const closed = doors.close();
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
    const doors = await openDoors({ clock: movedClock() });
    const socket = rawSocket(doors);
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString();
    });
    socket.removeAllListeners('end');
    socket.write(rawHead(doors, ['Content-Length: 999999']));
    await expect.poll(() => text).toMatch(/^HTTP\/1\.1 400 /);
    await doors.close();
    socket.destroy();
  });

  it('may be requested twice', async () => {
    const doors = await openDoors();
    await Promise.all([doors.close(), doors.close()]);
  });
});

describe('listening', () => {
  it('fails with the system’s error when the port is taken', async () => {
    const doors = await openDoors();
    await expect(openDoors({ config: { port: doors.port } })).rejects.toMatchObject({ code: 'EADDRINUSE' });
    await doors.close();
  });
});
