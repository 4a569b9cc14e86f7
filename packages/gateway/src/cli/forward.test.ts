/**
 * Forwards one event to a local server that hangs, speaks no HTTP or closes in the middle; `listen.test.ts` has the
 * successful cases.
 */
import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';
import type { WebhookEvent } from '@heliograph/client';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { machineClock } from '../kernel/machine.ts';
import { Secret } from '../kernel/secret.ts';
import { createForward, type Forwarded, type ForwardParts } from './forward.ts';
import { event } from './listen-fixture.ts';

const secret = new Secret(`whsec_${Buffer.alloc(32, 1).toString('base64')}`);

/** A raw TCP server, and a forwarder to it that records the result of each attempt. */
async function forwarder(serve: (socket: Socket, connection: number) => void, more: Partial<ForwardParts> = {}) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    serve(socket, sockets.size);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const outcomes: (Forwarded & { again: boolean })[] = [];
  const forward = createForward({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    secret,
    clock: machineClock,
    wait: () => new Promise((resolve) => setImmediate(resolve)),
    report: (_event, _attempt, outcome, again) => outcomes.push({ ...outcome, again }),
    timeoutMs: 10_000,
    ...more,
  });
  const never = new AbortController();
  return { outcomes, forward: () => forward(event(1) as WebhookEvent, never.signal), never };
}

const good = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n';
const answering = (text: string) => (socket: Socket) => void socket.once('data', () => socket.write(text));

describe('forward', () => {
  it('lets go of an event to which no answer comes, after five tries', async () => {
    const { outcomes, forward } = await forwarder(() => {}, { timeoutMs: 40 });
    await forward();
    expect(outcomes.map(({ kind, again }) => [kind, again])).toEqual([
      ...Array(4).fill(['timeout', true]),
      ['timeout', false],
    ]);
  });

  it('lets go of an event at which connections end in the middle or speak no HTTP, after five tries', async () => {
    const { outcomes, forward } = await forwarder((socket, connection) => {
      if (connection % 2 === 0) socket.once('data', () => socket.destroy());
      else answering('garbage\r\n\r\n')(socket);
    });
    await forward();
    expect(outcomes.map(({ kind, again }) => [kind, again])).toEqual([
      ...Array(4).fill(['broken', true]),
      ['broken', false],
    ]);
  });

  it('does not wait for the end of an answer that has none', async () => {
    const { outcomes, forward } = await forwarder(
      answering('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n'),
    );
    await forward();
    expect(outcomes).toMatchObject([{ kind: 'answered', status: 200 }]);
  });

  it('ends with the reason of its signal', async () => {
    const { outcomes, forward, never } = await forwarder(() => never.abort(new Error('enough')));
    await expect(forward()).rejects.toThrow('enough');
    expect(outcomes).toEqual([]);
  });

  it('signs each try anew, with the same id', async () => {
    const heads: string[] = [];
    const clock = { ...machineClock, now: vi.fn().mockReturnValueOnce(5_000).mockReturnValue(9_999) };
    const serve = (socket: Socket) => {
      socket.once('data', (data) => {
        heads.push(data.toString());
        socket.end(heads.length === 1 ? good.replace('200', '500') : good);
      });
    };
    const { forward } = await forwarder(serve, { clock });
    await forward();
    const headers = (name: string) => heads.map((head) => new RegExp(`^${name}: (.*?)\\r?$`, 'mi').exec(head)?.[1]);
    expect(headers('webhook-id')).toEqual(['evt_1', 'evt_1']);
    expect(headers('webhook-timestamp')).toEqual(['5', '9']);
    expect(new Set(headers('webhook-signature')).size).toBe(2);
    expect(headers('content-type')).toEqual(Array(2).fill('application/json'));
    expect(headers('user-agent')).toEqual(Array(2).fill(expect.stringMatching(/^Heliograph\/\d/)));
  });
});
