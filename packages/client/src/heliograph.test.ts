import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Heliograph } from './heliograph.ts';
import { HeliographError } from './heliograph-error.ts';
import { credentials, gateway, rejected, sent } from './server-fixture.ts';
import type { SendRequest } from './types.ts';

const message = { from: '12025550199', to: ['12025550100'], text: 'Hi' };

/** The error that `work` rejects with. */
async function failure(work: Promise<unknown>): Promise<HeliographError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(HeliographError);
  return error as HeliographError;
}

describe('sendSMS', () => {
  it('sends what the contract requires, with the credentials in headers', async () => {
    const { helio, requests } = await gateway([sent]);
    const answer = await helio.sendSMS({ ...message, referenceId: 'order-77' });
    expect(answer).toMatchObject({ success: true, reason: 'SUCCESS', requestId: 'req_1', replayed: false });
    expect(answer.schema.resultResponses).toEqual([{ to: '12025550100', status: 'SUCCESS' }]);
    expect(requests).toHaveLength(1);
    expect(requests[0]).toMatchObject({ method: 'POST', url: '/SendSMS' });
    expect(JSON.parse(requests[0]!.body)).toEqual({ ...message, referenceId: 'order-77' });
    expect(requests[0]!.headers).toMatchObject({
      authorization: `Bearer ${credentials.bearerToken}`,
      'x-api-key': credentials.authToken,
      'content-type': 'application/json',
      'idempotency-key': expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  });

  it('accepts an idempotency key, a dry run, a base address with a path', async () => {
    const replayed = { ...sent, headers: { 'idempotent-replayed': 'true' } };
    const { requests, baseUrl } = await gateway([replayed]);
    const helio = new Heliograph({ baseUrl: `${baseUrl}/sms/`, ...credentials });
    const answer = await helio.sendSMS(message, { idempotencyKey: 'k-1', dryRun: true });
    expect(answer).toMatchObject({ replayed: true, requestId: null });
    expect(requests[0]).toMatchObject({ url: '/sms/SendSMS?dryRun=true', headers: { 'idempotency-key': 'k-1' } });
  });

  it('reports which fields the gateway ignored', async () => {
    const reported: unknown[] = [];
    const warned = { ...sent, headers: { 'x-request-id': 'req_1', 'x-unknown-fields': 'colour, priority' } };
    const { helio } = await gateway([warned, sent], { hooks: { onUnknownFields: (info) => void reported.push(info) } });
    expect((await helio.sendSMS({ ...message, colour: 'red' } as SendRequest)).unknownFields).toEqual([
      'colour',
      'priority',
    ]);
    expect((await helio.sendSMS(message)).unknownFields).toEqual([]);
    expect(reported).toEqual([{ fields: ['colour', 'priority'], requestId: 'req_1' }]);
  });

  it('rejects with the gateway’s reason and detail', async () => {
    const { helio, requests } = await gateway([rejected(400, 'SENDER_NOT_FOUND')]);
    const error = await failure(helio.sendSMS(message));
    expect(error).toMatchObject({ status: 400, reason: 'SENDER_NOT_FOUND', detail: 'Why.', requestId: 'req_2' });
    expect(error).toMatchObject({ retryAfter: null, message: 'SENDER_NOT_FOUND: Why. (request req_2)' });
    expect(requests).toHaveLength(1);
  });

  it.each([
    ['a page of somebody else', { status: 200, body: '<html>' }],
    ['another shape', { status: 200, body: { ok: true } }],
    ['a redirect', { status: 302, headers: { location: 'https://example.com/' }, body: '' }],
    ['a list', { status: 200, body: '[]' }],
    ['success with another status', { ...sent, status: 202 }],
  ])('does not take %s for an answer', async (_what, answer) => {
    const { helio, requests } = await gateway([answer]);
    const error = await failure(helio.sendSMS(message));
    expect(error).toMatchObject({ reason: 'INVALID_RESPONSE', status: answer.status });
    expect(requests).toHaveLength(1);
  });
});

describe('a retry', () => {
  it.each([429, 502, 503, 504])('follows %i, with the same idempotency key', async (status) => {
    const { helio, requests, waits } = await gateway([rejected(status, 'X'), rejected(status, 'X'), sent]);
    expect(await helio.sendSMS(message)).toMatchObject({ success: true });
    expect(new Set(requests.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    expect(requests).toHaveLength(3);
    expect(waits).toEqual([250, 500]);
  });

  it('follows a connection that ends', async () => {
    const { helio, requests } = await gateway(['hang up', sent]);
    expect(await helio.sendSMS(message)).toMatchObject({ success: true });
    expect(requests).toHaveLength(2);
  });

  it('follows an answer that does not come in time', async () => {
    const { helio, requests } = await gateway(['hang', sent]);
    expect(await helio.sendSMS(message, { timeoutMs: 1_000 })).toMatchObject({ success: true });
    expect(requests).toHaveLength(2);
  });

  it('follows a proxy’s error without JSON', async () => {
    const { helio } = await gateway([{ status: 502, body: '<html>Bad Gateway' }, sent]);
    expect(await helio.sendSMS(message)).toMatchObject({ success: true });
  });

  it('waits as long as Retry-After says, unless that is too long', async () => {
    const soon = await gateway([rejected(503, 'TEMPORARILY_UNAVAILABLE', { 'retry-after': '7' }), sent]);
    await soon.helio.sendSMS(message);
    expect(soon.waits).toEqual([7_000]);
    const late = await gateway([rejected(429, 'RATE_LIMITED', { 'retry-after': '61' }), sent]);
    expect(await failure(late.helio.sendSMS(message))).toMatchObject({ reason: 'RATE_LIMITED', retryAfter: 61 });
    expect(late.requests).toHaveLength(1);
  });

  it.each([400, 404, 405, 500])('does not follow %i', async (status) => {
    const { helio, requests } = await gateway([rejected(status, 'X'), sent]);
    expect(await failure(helio.sendSMS(message))).toMatchObject({ status });
    expect(requests).toHaveLength(1);
  });

  it('is never made without an idempotency key', async () => {
    for (const first of [rejected(503, 'X'), 'hang up'] as const) {
      const { helio, requests } = await gateway([first, sent]);
      await failure(helio.sendSMS(message, { idempotencyKey: null }));
      expect(requests).toHaveLength(1);
      expect(requests[0]!.headers).not.toHaveProperty('idempotency-key');
    }
  });

  it('is not made after `maxRetries`', async () => {
    const { helio, requests, waits } = await gateway([rejected(503, 'X')], { maxRetries: 6, random: () => 0.999 });
    expect(await failure(helio.sendSMS(message))).toMatchObject({ status: 503 });
    expect(requests).toHaveLength(7);
    expect(waits).toEqual([500, 1_000, 1_999, 3_998, 7_996, 7_996]);
    const none = await gateway(['hang up'], { maxRetries: 0 });
    const error = await failure(none.helio.sendSMS(message));
    expect(error).toMatchObject({ status: null, reason: 'NETWORK_ERROR', requestId: null });
  });
});

describe('an aborting caller', () => {
  it.each([undefined, null])('gets the reason of its signal, and no retry (key %j)', async (idempotencyKey) => {
    const tries: number[] = [];
    const hooks = { onRequest: ({ attempt }: { attempt: number }) => void tries.push(attempt) };
    const { helio, requests } = await gateway(['hang'], { hooks });
    const controller = new AbortController();
    const enough = new Error('enough');
    const work = helio.sendSMS(message, { signal: controller.signal, idempotencyKey });
    await expect.poll(() => requests).toHaveLength(1);
    controller.abort(enough);
    await expect(work).rejects.toBe(enough);
    await expect(helio.sendSMS(message, { signal: controller.signal })).rejects.toBe(enough);
    expect({ tries, requests: requests.length }).toEqual({ tries: [1], requests: 1 });
  });

  it('does not wait for the end of a pause', async () => {
    const { baseUrl } = await gateway([rejected(503, 'X', { 'retry-after': '60' })]);
    const controller = new AbortController();
    const onRetry = () => controller.abort(new Error('enough'));
    const helio = new Heliograph({ baseUrl, ...credentials, hooks: { onRetry } });
    await expect(helio.sendSMS(message, { signal: controller.signal })).rejects.toThrow('enough');
  });
});

describe('hooks', () => {
  it('see every attempt and no credential', async () => {
    const seen: unknown[] = [];
    const note = (info: object) => seen.push(info);
    const hooks = { onRequest: note, onResponse: note, onRetry: note };
    const { helio, baseUrl } = await gateway([rejected(503, 'X'), sent], { hooks });
    await helio.sendSMS(message, { idempotencyKey: 'k' });
    const request = {
      method: 'POST',
      url: `${baseUrl}/SendSMS`,
      headers: {
        accept: 'application/json',
        'content-type': 'application/json',
        'idempotency-key': 'k',
        authorization: 'Bearer [redacted]',
        'x-api-key': '[redacted]',
      },
    };
    expect(seen).toMatchObject([
      { ...request, attempt: 1 },
      { status: 503, requestId: 'req_2', attempt: 1 },
      { waitMs: 250, attempt: 1, error: { reason: 'X' } },
      { ...request, attempt: 2 },
      { status: 200, requestId: 'req_1', attempt: 2 },
    ]);
    expect(JSON.stringify(seen)).not.toContain('secret');
  });
});

describe('messages', () => {
  const found = (data: unknown, next?: string | null) => ({
    status: 200,
    body: { success: true, reason: 'SUCCESS', detail: '', data, ...(next === undefined ? {} : { next }) },
  });

  it('get finds one', async () => {
    const { helio, requests } = await gateway([rejected(503, 'X'), found({ messageId: 'msg_1', state: 'sent' })]);
    expect(await helio.messages.get('msg_1')).toEqual({ messageId: 'msg_1', state: 'sent' });
    expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual(Array(2).fill('GET /api/v1/messages/msg_1'));
  });

  it('cancel cancels a waiting message, and is retried on temporary failures', async () => {
    const data = { messageId: 'msg_1', state: 'canceled' };
    const { helio, requests } = await gateway([rejected(503, 'X'), found(data), rejected(409, 'NOT_WAITING')]);
    expect(await helio.messages.cancel('msg_1')).toEqual(data);
    expect(await failure(helio.messages.cancel('msg_1'))).toMatchObject({ status: 409, reason: 'NOT_WAITING' });
    expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual(
      Array(3).fill('POST /api/v1/messages/msg_1/cancel'),
    );
  });

  it('get reports NOT_FOUND, and escapes the id in the path', async () => {
    const { helio, requests } = await gateway([rejected(404, 'NOT_FOUND')]);
    expect(await failure(helio.messages.get('../accounts?x'))).toMatchObject({ status: 404, reason: 'NOT_FOUND' });
    expect(requests[0]!.url).toBe('/api/v1/messages/..%2Faccounts%3Fx');
  });

  it('list fetches pages only as needed', async () => {
    const { helio, requests } = await gateway([
      found([{ messageId: 'c' }, { messageId: 'b' }], 'b'),
      found([{ messageId: 'a' }], null),
    ]);
    const ids: string[] = [];
    for await (const { messageId } of helio.messages.list({ direction: 'inbound', to: '12025550199', pageSize: 2 })) {
      ids.push(messageId);
    }
    expect(ids).toEqual(['c', 'b', 'a']);
    expect(requests.map(({ url }) => url)).toEqual([
      '/api/v1/messages?limit=2&direction=inbound&to=12025550199',
      '/api/v1/messages?limit=2&direction=inbound&to=12025550199&before=b',
    ]);
    for await (const first of helio.messages.list()) {
      expect(first.messageId).toBe('a');
      break;
    }
    expect(requests).toHaveLength(3);
  });
});

describe('the configuration', () => {
  const names = ['HELIO_URL', 'HELIO_BEARER_TOKEN', 'HELIO_AUTH_TOKEN'];
  beforeEach(() => {
    for (const name of names) vi.stubEnv(name, undefined);
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    vi.unstubAllGlobals();
  });

  it('comes from the environment when none is given', async () => {
    const { baseUrl, requests } = await gateway([sent]);
    vi.stubEnv('HELIO_URL', baseUrl);
    vi.stubEnv('HELIO_BEARER_TOKEN', 'b');
    vi.stubEnv('HELIO_AUTH_TOKEN', 'a');
    await new Heliograph().sendSMS(message);
    expect(requests[0]!.headers).toMatchObject({ authorization: 'Bearer b', 'x-api-key': 'a' });
  });

  it.each([
    [{}, 'HELIO_URL'],
    [{ baseUrl: 'https://sms.example.com' }, 'HELIO_BEARER_TOKEN'],
    [{ baseUrl: 'https://sms.example.com', bearerToken: 'bt' }, 'authToken'],
    [{ baseUrl: 'sms.example.com', ...credentials }, 'HELIO_URL'],
    [{ baseUrl: 'ftp://sms.example.com', ...credentials }, 'HELIO_URL'],
    [{ baseUrl: 'https://user:secret@sms.example.com', ...credentials }, 'HELIO_URL'],
    [{ baseUrl: 'https://sms.example.com?apikey=secret', ...credentials }, 'HELIO_URL'],
    [{ baseUrl: 'https://sms.example.com', ...credentials, bearerToken: 'secret\n' }, 'HELIO_BEARER_TOKEN'],
  ])('is refused when it cannot work: %j', (options, hint) => {
    const error = catchError(() => new Heliograph(options));
    expect(error).toMatchObject({ reason: 'INVALID_CONFIGURATION', detail: expect.stringContaining(hint) });
    expect(String(error)).not.toContain('secret');
  });

  it('is refused in a browser, and accepted by Node with a simulated document', () => {
    const options = { baseUrl: 'https://sms.example.com', ...credentials };
    vi.stubGlobal('document', {});
    expect(new Heliograph(options)).toBeInstanceOf(Heliograph);
    vi.stubGlobal('process', { env: {} });
    expect(catchError(() => new Heliograph(options))).toMatchObject({ detail: expect.stringContaining('browser') });
  });

  it('is not shown in a printed client', async () => {
    const { inspect } = await import('node:util');
    const helio = new Heliograph({ baseUrl: 'https://sms.example.com', ...credentials });
    expect(inspect(helio, { depth: 9, showHidden: true }) + JSON.stringify(helio)).not.toContain('secret');
  });
});

function catchError(work: () => unknown): HeliographError {
  try {
    work();
  } catch (error) {
    if (error instanceof HeliographError) return error;
  }
  throw new Error('No HeliographError was thrown.');
}
