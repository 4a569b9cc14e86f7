/**
 * The webhook receiver of the crash suites: it must log complete requests, reject false signatures, and refuse on
 * request.
 */
import { createConnection } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startWebhookSink, type WebhookSink } from './webhook-sink.ts';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const body = JSON.stringify({ type: 'message.sent', data: { messageId: 'msg_1', sequence: 4 } });

let sink: WebhookSink;

beforeEach(async () => {
  sink = await startWebhookSink({ refusals: 1, answerDelayMs: 0 });
  sink.trust(secret);
});
afterEach(() => sink.stop());

async function post(id: string, text: string, signedWith = secret): Promise<number> {
  const at = new Date();
  const signature = new Webhook(signedWith).sign(id, at, text);
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': signature,
  };
  return (await fetch(sink.url, { method: 'POST', headers, body: text })).status;
}

describe('the webhook sink', () => {
  it('logs each arrival', async () => {
    expect([await post('evt_1', body), await post('evt_1', body)]).toEqual([200, 200]);
    const [first, second] = sink.arrivals;
    expect(first).toMatchObject({ id: 'evt_1', type: 'message.sent', messageId: 'msg_1', sequence: 4, genuine: true });
    expect(second).toEqual(first);
  });

  it('accepts no other secret, and parses no garbage', async () => {
    await post('evt_1', body, `whsec_${Buffer.alloc(32, 8).toString('base64')}`);
    await fetch(sink.url, { method: 'POST', body: '{"type":' });
    expect(sink.arrivals.map(({ id, type, genuine }) => [id, type, genuine])).toEqual([
      ['evt_1', '', false],
      ['undefined', '', false],
    ]);
  });

  it('refuses one id once, and counts it until it comes again', async () => {
    const statuses: number[] = [];
    for (let id = 1; id <= 100; id++) statuses.push(await post(`evt_${id}`, body));
    expect(statuses.flatMap((status, index) => (status === 200 ? [] : [[index + 1, status]]))).toEqual([[50, 503]]);
    expect(sink.owed()).toBe(1);
    expect(await post('evt_50', body)).toBe(200);
    expect(sink.owed()).toBe(0);
  });

  it('does not log a request that was cut off', async () => {
    const socket = createConnection(Number(new URL(sink.url).port), '127.0.0.1');
    await new Promise<void>((resolve) => {
      socket.write('POST / HTTP/1.1\r\nhost: sink\r\nwebhook-id: evt_1\r\ncontent-length: 9\r\n\r\nhalf', () =>
        resolve(),
      );
    });
    socket.destroy();
    // Requests are handled in order of arrival.
    await post('evt_2', body);
    expect(sink.arrivals.map(({ id }) => id)).toEqual(['evt_2']);
  });
});
