/** One webhook over real sockets: the request, that the standard's own package accepts it, and every way to fail. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FetchCaps } from '@heliograph/guarded-fetch';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it, onTestFinished } from 'vitest';
import { until } from '../../../../../test/props/clock.ts';
import { httpServer, openGuardedFetch, rawServer, relaxed, strict } from '../../../../guarded-fetch/src/net-fixture.ts';
import { silentLogger } from '../../kernel/logger.ts';
import { machineClock as clock, machineRandom as random } from '../../kernel/machine.ts';
import { Secret } from '../../kernel/secret.ts';
import type { Poster, WebhookPost } from './webhook-post.ts';
import { createWebhookPoster, isUsableWebhookHeader } from './webhook-poster.ts';
import { createWebhookSecret } from './webhook-signature.ts';
import { openWebhookThread } from './webhook-thread.ts';

const short: Partial<FetchCaps> = { connectMs: 500, firstByteMs: 150, totalMs: 300 };

function inProcess(caps: Partial<FetchCaps> = {}, policy = relaxed): Poster {
  return createWebhookPoster({ clock, guarded: openGuardedFetch(), policy: () => policy, version: '1.2.3', caps });
}

function inThread(caps: Partial<FetchCaps> = {}, policy = relaxed): Poster {
  const poster = openWebhookThread({ clock, logger: silentLogger, policy: () => policy, version: '1.2.3', caps });
  onTestFinished(() => poster.close());
  return poster;
}

const ways = [
  ['in the process', inProcess],
  ['in a thread', inThread],
] as const;

function webhook(port: number, more: Partial<WebhookPost> = {}): WebhookPost {
  return {
    url: `http://127.0.0.1:${port}/hook?a=b`,
    id: 'evt_1_5',
    body: '{"type":"message.delivered","timestamp":"2023-11-14T22:13:20.000Z","data":{"text":"grüße 👋"}}',
    secrets: [createWebhookSecret(random)],
    header: null,
    traceparent: null,
    timeoutMs: null,
    isSandbox: false,
    ...more,
  };
}

interface Seen {
  headers: IncomingMessage['headers'];
  method?: string;
  url?: string;
  body: string;
}

/** A server that records requests. */
async function receiver(answer: (response: ServerResponse) => void) {
  const seen: Seen[] = [];
  const listener = await httpServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { headers, method, url } = request;
    seen.push({ headers, method, url, body: Buffer.concat(chunks).toString() });
    answer(response);
  });
  return { ...listener, seen };
}

describe.each(ways)('a webhook sent %s', (_name, open) => {
  it('W-07 is believed by the standard package with each live secret, and says who sends it', async () => {
    const { port, seen } = await receiver((response) => response.end('thanks'));
    const post = webhook(port, {
      secrets: [createWebhookSecret(random), createWebhookSecret(random)],
      header: { name: 'X-Shop', value: new Secret('token 1') },
      traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
    });
    const posted = await open().post(post);
    expect(posted).toEqual({
      kind: 'answered',
      status: 200,
      answer: 'thanks',
      retryAfter: null,
      durationMs: expect.any(Number),
      skewSeconds: 0,
    });
    const { headers, body, method, url } = seen[0]!;
    expect({ method, url, body }).toEqual({ method: 'POST', url: '/hook?a=b', body: post.body });
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Heliograph/1.2.3',
      'webhook-id': 'evt_1_5',
      'x-shop': 'token 1',
      traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
    });
    for (const secret of post.secrets) {
      const verified = new Webhook(secret.reveal()).verify(body, headers as Record<string, string>);
      expect(verified).toEqual(JSON.parse(post.body));
    }
  });

  it('W-05 a redirect is an answer like any other, and Retry-After is handed on', async () => {
    const { port, seen } = await receiver((response) => {
      if (seen.length === 1) response.writeHead(302, { location: `http://127.0.0.1:${port}/other` }).end();
      else response.writeHead(429, { 'retry-after': '7' }).end();
    });
    const poster = open();
    expect(await poster.post(webhook(port))).toMatchObject({ kind: 'answered', status: 302 });
    expect(await poster.post(webhook(port))).toMatchObject({ kind: 'answered', status: 429, retryAfter: '7' });
    expect(seen).toHaveLength(2);
  });

  it('W-03 is over in its time when the endpoint hangs', async () => {
    const { port } = await rawServer(() => {});
    expect(await open(short).post(webhook(port))).toMatchObject({ kind: 'unreachable', error: 'timeout' });
  });

  it('is over in the time its endpoint grants when that hangs, and waits longer where it may', async () => {
    const { port } = await rawServer(() => {});
    const hung = await open({ totalMs: 60_000, firstByteMs: 60_000 }).post(webhook(port, { timeoutMs: 200 }));
    expect(hung).toMatchObject({ kind: 'unreachable', error: 'timeout' });
    const slow = await receiver((response) => setTimeout(() => response.end('late'), short.totalMs! + 200));
    const poster = open(short);
    expect(await poster.post(webhook(slow.port))).toMatchObject({ error: 'timeout' });
    expect(await poster.post(webhook(slow.port, { timeoutMs: 20_000 }))).toMatchObject({ status: 200 });
  });

  it('reports how far the clock of the endpoint is off, when it sends the time', async () => {
    const dates = [new Date(Date.now() + 600_000).toUTCString(), 'teatime', null];
    const { port, seen } = await receiver((response) => {
      response.sendDate = false;
      const date = dates[seen.length - 1];
      if (date != null) response.setHeader('date', date);
      response.end();
    });
    const poster = open();
    const ahead = await poster.post(webhook(port));
    expect(ahead).toMatchObject({ skewSeconds: expect.any(Number) });
    expect('skewSeconds' in ahead && ahead.skewSeconds!).toBeLessThan(-590);
    for (let i = 0; i < 2; i++) expect(await poster.post(webhook(port))).not.toHaveProperty('skewSeconds');
  });

  it('W-03 is over in its time when the answer comes a byte at a time; the status counts', async () => {
    const { port } = await rawServer((socket) => {
      socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nx'));
    });
    // The head must come in time on a busy machine too.
    const patient = open({ firstByteMs: 2_000, totalMs: 2_000 });
    expect(await patient.post(webhook(port))).toMatchObject({ kind: 'answered', status: 200, answer: 'x' });
  });

  it('W-03 is over in its time when the head of the answer never ends', async () => {
    const { port } = await rawServer((socket) => socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\nx-')));
    expect(await open(short).post(webhook(port))).toMatchObject({ kind: 'unreachable', error: 'timeout' });
  });

  it('W-03 reads at most 64 KB of an endless answer and keeps 4 KB', async () => {
    let sent = 0;
    const { port, open: connections } = await rawServer((socket: Socket) => {
      const pour = () => {
        while (!socket.destroyed && socket.write('y'.repeat(16_384))) sent += 16_384;
      };
      socket.on('drain', pour);
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000000000\r\n\r\n');
        pour();
      });
    });
    const posted = await open().post(webhook(port));
    expect(posted).toMatchObject({ kind: 'answered', status: 200, answer: 'y'.repeat(4_096) });
    await until(() => connections() === 0);
    expect(sent).toBeLessThan(20_000_000);
  });

  it('says in one word why there was no answer', async () => {
    const garbage = await rawServer((socket) => socket.once('data', () => socket.end('SMTP 220\r\n\r\n')));
    const gone = await rawServer((socket) => socket.once('data', () => socket.destroy()));
    const poster = open();
    expect(await poster.post(webhook(garbage.port))).toMatchObject({ kind: 'unreachable', error: 'protocol' });
    expect(await poster.post(webhook(gone.port))).toMatchObject({ kind: 'unreachable', error: 'reset' });
    expect(await poster.post(webhook(1))).toMatchObject({ kind: 'unreachable', error: 'connect' });
  });

  it('SEC-40 is not sent to an address that must not be dialled', async () => {
    const { port, connections } = await receiver((response) => response.end());
    const poster = open({}, { ...strict, extraPorts: [port] });
    expect(await poster.post(webhook(port))).toMatchObject({ kind: 'unreachable', error: 'blocked' });
    expect(connections()).toBe(0);
  });

  it('is not sent with a header that belongs to the gateway', async () => {
    const { port, seen } = await receiver((response) => response.end());
    const poster = open();
    for (const name of ['Webhook-Signature', 'Content-Type', 'host']) {
      const header = { name, value: new Secret('x') };
      expect(await poster.post(webhook(port, { header }))).toMatchObject({ kind: 'unreachable', error: 'blocked' });
    }
    expect(seen).toEqual([]);
  });

  it('gets an answer that any database can keep', async () => {
    const { port } = await receiver((response) => response.end(Buffer.from([0x61, 0, 0xff, 0x62])));
    expect(await open().post(webhook(port))).toMatchObject({ answer: 'a\u{fffd}\u{fffd}b' });
  });
});

describe('the thread', () => {
  it('sends many at once, each answered for itself', async () => {
    const { port, seen } = await receiver((response) => response.end());
    const poster = inThread();
    const posts = Array.from({ length: 200 }, (_, i) => poster.post(webhook(port, { id: `evt_${i}` })));
    expect((await Promise.all(posts)).every((posted) => posted.kind === 'answered')).toBe(true);
    expect(new Set(seen.map(({ headers }) => headers['webhook-id'])).size).toBe(200);
  });

  it('that dies ends what was under way as a failed attempt, takes nothing for a second, and comes back', async () => {
    const held: ServerResponse[] = [];
    const { port } = await receiver((response) => void held.push(response));
    let nowMs = 0;
    const moved = { ...clock, monotonicMs: () => nowMs };
    const poster = openWebhookThread({ clock: moved, logger: silentLogger, policy: () => relaxed, version: '1' });
    onTestFinished(() => poster.close());
    const under = poster.post(webhook(port));
    await until(() => held.length === 1);
    // An id that must not be signed is our bug: it ends the thread.
    const fatal = poster.post(webhook(port, { id: 'with.a.full.stop' }));
    expect(await fatal).toMatchObject({ kind: 'unreachable', error: 'internal' });
    expect(await under).toMatchObject({ kind: 'unreachable', error: 'internal' });
    expect(await poster.post(webhook(port))).toEqual({ kind: 'busy' });
    nowMs = 1_000;
    const again = poster.post(webhook(port));
    await until(() => held.length === 2);
    held[1]!.end();
    expect(await again).toMatchObject({ kind: 'answered', status: 200 });
  });

  it('closed tries nothing more', async () => {
    const poster = inThread();
    await poster.close();
    expect(await poster.post(webhook(1))).toEqual({ kind: 'busy' });
  });
});

describe('isUsableWebhookHeader', () => {
  it('takes what is the customer’s and nothing of ours', () => {
    expect(isUsableWebhookHeader('Authorization', 'Bearer x')).toBe(true);
    for (const name of ['webhook-id', 'WEBHOOK-x', 'content-type', 'User-Agent', 'host', 'a b']) {
      expect(isUsableWebhookHeader(name, 'x'), name).toBe(false);
    }
    expect(isUsableWebhookHeader('x', 'a\r\nb')).toBe(false);
  });
});

describe.each(ways)('a simulator of this gateway, %s', (_name, open) => {
  it('is reached by records of the sandbox whatever else is forbidden, at its very port, and by no other record', async () => {
    const simulator = await receiver((response) => response.end());
    const other = await receiver((response) => response.end());
    const poster = open({}, { ...strict, simulators: [{ address: '127.0.0.1', port: simulator.port }] });
    expect(await poster.post(webhook(simulator.port, { isSandbox: true }))).toMatchObject({ status: 200 });
    expect(await poster.post(webhook(simulator.port))).toMatchObject({ kind: 'unreachable', error: 'blocked' });
    expect(await poster.post(webhook(other.port, { isSandbox: true }))).toMatchObject({ error: 'blocked' });
    expect([simulator.seen.length, other.seen.length]).toEqual([1, 0]);
  });
});
