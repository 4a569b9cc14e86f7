/** The webhook inbox over real sockets on loopback: stored webhooks, verdicts, refusals, shutdown. */
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { webhooks } from '@heliograph/client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { steadyRandom } from '../../../../../test/props/chance.ts';
import { movedClock, quiet, until } from '../../../../../test/props/clock.ts';
import { silentLogger } from '../../kernel/logger.ts';
import { inboxHeldMax, inboxPageMax, receivedWebhookIdForm } from '../../model/webhook-inbox.ts';
import { startWebhookInbox, type WebhookInboxOptions } from './webhook-inbox.ts';

const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
const other = `whsec_${Buffer.alloc(32, 2).toString('base64')}`;
const current = (text: string) => ({ secret: text, expiresAt: null });
const body = JSON.stringify({ type: 'message.received', timestamp: '2026-01-01T00:00:00.000Z', data: { text: '✓' } });

async function inbox(more: Partial<WebhookInboxOptions> = {}) {
  const clock = movedClock();
  const parts = { clock, random: steadyRandom(), logger: silentLogger, secrets: () => [current(secret)] };
  const running = await startWebhookInbox({ host: '127.0.0.1', preferredPort: 0, ...parts, ...more });
  onTestFinished(() => running.stop());
  const signed = (id: string, key = secret) =>
    webhooks.sign({ id, body, secret: key, timestamp: new Date(clock.now()) });
  const post = (headers: Record<string, string>, content: string | Uint8Array = body, path = '/inbox') =>
    fetch(running.url.replace('/inbox', path), { method: 'POST', headers, body: content });
  const all = async () => {
    const found = await running.list({ waitMs: 0 });
    if (found === 'full') throw new Error('full');
    return found;
  };
  return { clock, running, signed, post, all };
}

describe('the webhook inbox', () => {
  it('keeps what arrives as it came, and knows the signature for valid', async () => {
    const { clock, running, signed, post, all } = await inbox();
    expect(running.url).toBe(`http://127.0.0.1:${running.port}/inbox`);
    const answer = await post({ ...signed('evt_1'), 'X-Team': 'Orders' });
    expect(answer.status).toBe(200);
    const [webhook] = await all();
    expect(webhook).toMatchObject({
      id: expect.stringMatching(receivedWebhookIdForm),
      receivedAt: clock.now(),
      headers: { 'webhook-id': 'evt_1', 'x-team': 'Orders' },
      body,
      signature: { valid: true, by: 'current', until: null, skewSeconds: 0 },
      answered: 200,
    });
  });

  it('tells what is wrong with a signature', async () => {
    const { clock, signed, post, all } = await inbox();
    const good = signed('evt_1');
    await post(good, `${body} `);
    await post(signed('evt_1', other));
    await post({});
    clock.pass(301_000);
    await post(good);
    const reasons = (await all()).map(({ signature }) => (signature.valid ? 'valid' : signature.reason));
    expect(reasons).toEqual(['NO_MATCHING_SIGNATURE', 'NO_MATCHING_SIGNATURE', 'MISSING_HEADER', 'TIMESTAMP_TOO_OLD']);
  });

  it('takes any secret that is in force, and no signature when there is none', async () => {
    const until = 4_000_000_000_000;
    let secrets = [current(other), { secret, expiresAt: until as number | null }];
    const { signed, post, all } = await inbox({ secrets: () => secrets });
    await post(signed('evt_1'));
    secrets = [];
    await post(signed('evt_2'));
    expect((await all()).map(({ signature }) => signature)).toEqual([
      { valid: true, by: 'old', until, skewSeconds: 0 },
      expect.objectContaining({ valid: false, reason: 'INVALID_SECRET' }),
    ]);
  });

  it('keeps bytes that are no text without falling over', async () => {
    const { post, all } = await inbox();
    expect((await post({}, Uint8Array.of(0xff, 0x00, 0xc3))).status).toBe(200);
    expect((await all())[0]!.body).toBe('\ufffd\0\ufffd');
  });

  it.each([
    ['POST', '/', 404],
    ['POST', '/inbox?x', 404],
    ['GET', '/inbox', 405],
  ])('refuses %s %s', async (method, path, status) => {
    const { running, all } = await inbox();
    const answer = await fetch(`http://127.0.0.1:${running.port}${path}`, { method });
    expect([answer.status, await all()]).toEqual([status, []]);
  });

  it('refuses a body over 32 KB, announced or not, and goes on', async () => {
    const { running, post, all } = await inbox();
    expect((await post({}, 'x'.repeat(32 * 1024))).status).toBe(200);
    expect((await post({}, 'x'.repeat(32 * 1024 + 1))).status).toBe(413);
    const answer = await new Promise<IncomingMessage>((resolve) => {
      const chunked = request(running.url, { method: 'POST' }, resolve);
      chunked.on('error', () => {});
      for (let i = 0; i < 40; i++) chunked.write('x'.repeat(1024));
      onTestFinished(() => void chunked.destroy());
    });
    // It does not read the rest, which may never end.
    expect([answer.statusCode, answer.headers.connection]).toEqual([413, 'close']);
    expect((await post({})).status).toBe(200);
    expect((await all()).map((webhook) => webhook.body.length)).toEqual([32 * 1024, body.length]);
  });

  it('survives garbage and a client that leaves in the middle', async () => {
    const { running, post, all } = await inbox();
    for (const text of ['garbage\r\n\r\n', 'POST /inbox HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\nabc']) {
      const socket = connect(running.port, '127.0.0.1');
      socket.on('error', () => {});
      await new Promise<void>((resolve) => socket.write(text, () => resolve()));
      socket.destroy();
    }
    expect((await post({})).status).toBe(200);
    expect(await all()).toHaveLength(1);
  });

  it('takes as many at once as the gateway sends to one endpoint', async () => {
    const { clock, running, post } = await inbox();
    running.answerWith({ status: 200, delayMs: 1_000 });
    const answers = Array.from({ length: 256 }, () => post({}));
    const answered = Promise.all(answers);
    await Promise.race([until(() => clock.timers() === 256), answered]);
    clock.pass(1_000);
    expect(new Set((await answered).map(({ status }) => status))).toEqual(new Set([200]));
  });

  it('takes another port when the preferred one is in use', async () => {
    const { running } = await inbox();
    const second = await inbox({ preferredPort: running.port });
    expect(second.running.port).not.toBe(running.port);
    expect((await second.post({})).status).toBe(200);
  });
});

describe('its answers', () => {
  it('are those that were set, from then on', async () => {
    const { running, post, all } = await inbox();
    running.answerWith({ status: 503, delayMs: 0 });
    expect((await post({})).status).toBe(503);
    running.answerWith({ status: 204, delayMs: 0 });
    expect((await post({})).status).toBe(204);
    expect((await all()).map(({ answered }) => answered)).toEqual([503, 204]);
  });

  it('come after the delay that was set, while the webhook shows at once', async () => {
    const { clock, running, post, all } = await inbox();
    running.answerWith({ status: 200, delayMs: 15_000 });
    let answered = false;
    const answer = post({}).then((response) => {
      answered = true;
      return response;
    });
    await until(() => clock.timers() === 1);
    expect(await all()).toHaveLength(1);
    clock.pass(14_999);
    await quiet();
    expect(answered).toBe(false);
    clock.pass(1);
    expect((await answer).status).toBe(200);
  });

  it('do not hold up its end', async () => {
    const { clock, running, post } = await inbox();
    running.answerWith({ status: 200, delayMs: 60_000 });
    const answer = post({}).catch(() => 'cut');
    await until(() => clock.timers() === 1);
    await running.stop();
    expect(await answer).toBe('cut');
    expect(clock.timers()).toBe(0);
  });
});

describe('its list', () => {
  it('goes on after an id, page by page, and forgets the oldest', async () => {
    const { running, post, all } = await inbox();
    for (let i = 0; i < inboxHeldMax + 3; i++) await post({ n: String(i) });
    const seen: string[] = [];
    for (let page = await all(); page.length > 0; ) {
      expect(page.length).toBeLessThanOrEqual(inboxPageMax);
      seen.push(...page.map(({ headers }) => headers.n!));
      const next = await running.list({ after: page.at(-1)!.id, waitMs: 0 });
      page = next === 'full' ? [] : next;
    }
    expect(seen).toEqual(Array.from({ length: inboxHeldMax }, (_, i) => String(i + 3)));
  });

  it('waits for the next, for so long, and not for those who hang up', async () => {
    const { clock, running, post, all } = await inbox();
    await post({});
    const { id } = (await all())[0]!;
    const next = running.list({ after: id, waitMs: 30_000 });
    await post({ n: 'next' });
    expect(await next).toMatchObject([{ headers: { n: 'next' } }]);
    const last = (await all())[1]!.id;
    const none = running.list({ after: last, waitMs: 30_000 });
    clock.pass(30_000);
    expect(await none).toEqual([]);
    const gone = new AbortController();
    const left = running.list({ after: last, waitMs: 30_000, signal: gone.signal });
    gone.abort();
    expect(await left).toEqual([]);
    expect(clock.timers()).toBe(0);
  });

  it('lets only so many wait, and nobody once it ends', async () => {
    const { running } = await inbox();
    const waiting = Array.from({ length: 100 }, () => running.list({ waitMs: 30_000 }));
    expect(await running.list({ waitMs: 30_000 })).toBe('full');
    running.endWaits();
    for (const wait of waiting) expect(await wait).toEqual([]);
    expect(await running.list({ waitMs: 30_000 })).toEqual([]);
  });
});
