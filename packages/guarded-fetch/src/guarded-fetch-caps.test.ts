/** Bodies that are too large, too slow or endless, and answers that never come: time, size and speed are bounded. */
import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { type SettlingClock, settlingClock, until } from '../../../test/props/clock.ts';
import { machineConnectTcp } from './dial.ts';
import type { FetchRequest } from './guarded-fetch.ts';
import { get, type Listener, mediaCaps, openGuardedFetch, post, rawServer, webhookCaps } from './net-fixture.ts';
import { slowWindowMs } from './round-trip.ts';

const head = 'HTTP/1.1 200 OK\r\n';
const endless = `${head}\r\n`;

/** A server that answers the first bytes it receives with `say`, and a guarded fetch whose time stands still. */
async function conversation(say: (socket: Socket) => void) {
  const clock = settlingClock();
  const sockets: Socket[] = [];
  const server = await rawServer((socket) => {
    sockets.push(socket);
    socket.once('data', () => say(socket));
  });
  let own: Socket | undefined;
  const guarded = openGuardedFetch({
    clock,
    connectTcp: (address, port) => {
      own = machineConnectTcp(address, port);
      return own;
    },
  });
  return {
    clock,
    server,
    far: () => sockets[0]!,
    ask: (request: (url: string) => FetchRequest) => guarded.fetch(request(`http://127.0.0.1:${server.port}/`)),
    /** Waits until our side has parsed this many bytes of the response. */
    arrived: async (bytes: number) => {
      await until(() => own !== undefined && own.bytesRead >= bytes);
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

async function gone(server: Listener): Promise<void> {
  await until(() => server.connections() === 1 && server.open() === 0);
}

/** One more byte a second, each read before the next is sent. */
async function drip(
  talk: { clock: SettlingClock; far(): Socket; arrived(bytes: number): Promise<void> },
  seconds: number,
) {
  for (let i = 1; i <= seconds; i++) {
    talk.far().write('x');
    await talk.arrived(endless.length + i);
    await talk.clock.pass(1_000);
  }
}

describe('with `keep` a number, when the status matters', () => {
  it('time ends the wait for the first byte', async () => {
    const { clock, server, far, ask } = await conversation(() => {});
    const outcome = ask(post);
    await until(() => far()?.bytesRead > 0);
    await clock.pass(webhookCaps.firstByteMs - 1);
    expect(server.open()).toBe(1);
    await clock.pass(1);
    expect(await outcome).toMatchObject({ kind: 'unreachable', why: 'timeout', sent: true, ms: 10_000 });
    await gone(server);
  });

  it('interim responses do not count as the first byte', async () => {
    const interim = 'HTTP/1.1 102 Processing\r\n\r\n';
    const { clock, server, ask, arrived } = await conversation((socket) => socket.write(interim));
    const outcome = ask(post);
    await arrived(interim.length);
    await clock.pass(webhookCaps.firstByteMs);
    expect(await outcome).toMatchObject({ kind: 'unreachable', why: 'timeout' });
    await gone(server);
  });

  it('a body of one byte a second is cut when the time is over', async () => {
    const talk = await conversation((socket) => socket.write(endless));
    const outcome = talk.ask(post);
    await talk.arrived(endless.length);
    await drip(talk, 15);
    const answer = await outcome;
    expect(answer).toMatchObject({ kind: 'answered', status: 200, truncated: true, ms: 15_000 });
    expect(answer).toHaveProperty('body', Buffer.from('x'.repeat(15)));
    await gone(talk.server);
  });

  it('an endless body is read up to the limit and kept up to its first bytes', async () => {
    let written = 0;
    const { server, ask } = await conversation((socket) => {
      const more = () => {
        while (!socket.destroyed && socket.write('z'.repeat(16_384))) written += 16_384;
      };
      socket.on('drain', more).write(endless, more);
    });
    const answer = await ask(post);
    expect(answer).toMatchObject({ kind: 'answered', status: 200, truncated: true });
    expect(answer).toHaveProperty('body', Buffer.from('z'.repeat(webhookCaps.keep)));
    await gone(server);
    expect(written).toBeLessThan(50_000_000);
  });

  it('a body that breaks off leaves the answer an answer', async () => {
    const { ask } = await conversation((socket) => socket.end(`${head}content-length: 10\r\n\r\nabc`));
    expect(await ask(post)).toMatchObject({ kind: 'answered', body: Buffer.from('abc'), truncated: true });
  });

  it('a body of exactly the kept length is complete', async () => {
    const body = 'k'.repeat(webhookCaps.keep);
    const { ask } = await conversation((socket) =>
      socket.write(`${head}content-length: ${body.length}\r\n\r\n${body}`),
    );
    expect(await ask(post)).toMatchObject({ kind: 'answered', body: Buffer.from(body), truncated: false });
  });
});

describe('with `keep` whole, when the body matters', () => {
  const whole = (body: string) => `${head}content-length: ${body.length}\r\n\r\n${body}`;

  it('the largest allowed body is complete', async () => {
    const body = 'm'.repeat(mediaCaps.bodyBytesMax);
    const { ask } = await conversation((socket) => socket.write(whole(body)));
    expect(await ask(get)).toMatchObject({ kind: 'answered', body: Buffer.from(body), truncated: false });
  });

  it('one byte more is too large, announced or not', async () => {
    const length = mediaCaps.bodyBytesMax + 1;
    const announced = await conversation((socket) => socket.write(`${head}content-length: ${length}\r\n\r\n`));
    expect(await announced.ask(get)).toMatchObject({ kind: 'unreachable', why: 'too-large', sent: true });
    await gone(announced.server);
    const silent = await conversation((socket) => socket.write(endless + 'm'.repeat(length)));
    expect(await silent.ask(get)).toMatchObject({ kind: 'unreachable', why: 'too-large' });
    await gone(silent.server);
  });

  it('a body that breaks off is a failure', async () => {
    const { ask } = await conversation((socket) => socket.end(`${head}content-length: 10\r\n\r\nabc`));
    expect(await ask(get)).toMatchObject({ kind: 'unreachable', why: 'reset' });
  });

  it('one without length ends with the connection', async () => {
    const { ask } = await conversation((socket) => socket.end(`${endless}abc`));
    expect(await ask(get)).toMatchObject({ kind: 'answered', body: Buffer.from('abc'), truncated: false });
  });

  it('a body of one byte a second is a failure when the time is over', async () => {
    const talk = await conversation((socket) => socket.write(endless));
    const outcome = talk.ask(get);
    await talk.arrived(endless.length);
    await drip(talk, 30);
    expect(await outcome).toMatchObject({ kind: 'unreachable', why: 'timeout', ms: 30_000 });
    await gone(talk.server);
  });

  it('a body slower than the minimum speed ends sooner', async () => {
    const talk = await conversation((socket) => socket.write(endless));
    const outcome = talk.ask((url) => get(url, { caps: { ...mediaCaps, bytesPerSecondMin: 2 } }));
    await talk.arrived(endless.length);
    await drip(talk, slowWindowMs / 1_000);
    expect(await outcome).toMatchObject({ kind: 'unreachable', why: 'too-slow', ms: slowWindowMs });
    await gone(talk.server);
  });

  it('a body that is fast at first and slow later ends too', async () => {
    const talk = await conversation((socket) => socket.write(endless));
    const outcome = talk.ask((url) => get(url, { caps: { ...mediaCaps, bytesPerSecondMin: 1 } }));
    await talk.arrived(endless.length);
    await drip(talk, 10);
    await talk.clock.pass(slowWindowMs);
    expect(await outcome).toMatchObject({ kind: 'unreachable', why: 'too-slow', ms: 15_000 });
  });

  it('a body of exactly the minimum speed does not', async () => {
    const talk = await conversation((socket) => socket.write(endless));
    const outcome = talk.ask((url) => get(url, { caps: { ...mediaCaps, bytesPerSecondMin: 1 } }));
    await talk.arrived(endless.length);
    await drip(talk, 20);
    talk.far().end();
    expect(await outcome).toMatchObject({ kind: 'answered', body: Buffer.from('x'.repeat(20)) });
  });
});

it('a request that the server never reads ends with the time', async () => {
  const clock = settlingClock();
  const server = await rawServer((socket) => setImmediate(() => socket.pause()));
  const outcome = openGuardedFetch({ clock }).fetch(
    post(`http://127.0.0.1:${server.port}/`, { body: new Uint8Array(32 * 1024 * 1024) }),
  );
  await until(() => server.connections() === 1);
  for (let i = 0; i < 20; i++) await new Promise((resolve) => setImmediate(resolve));
  await clock.pass(webhookCaps.totalMs);
  expect(await outcome).toMatchObject({ kind: 'unreachable', why: 'timeout' });
});
