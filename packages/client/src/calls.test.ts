/** Endpoints, deliveries and opt-outs through the client: what is requested, what is retried and what is not. */
import { describe, expect, it } from 'vitest';
import type { Heliograph } from './heliograph.ts';
import { gateway, rejected, type Scripted, sent } from './server-fixture.ts';

const found = (data: unknown, next?: string | null): Scripted => ({
  status: 200,
  body: { success: true, reason: 'SUCCESS', detail: '', data, ...(next === undefined ? {} : { next }) },
});
const url = 'https://shop.example/hooks';
const entry = { contact: '12025550100', campaign: 'C1', reason: 'asked by telephone' };

type Work = (helio: Heliograph) => Promise<unknown>;
const calls: [name: string, work: Work, wanted: object, twice: boolean][] = [
  ['endpoints.list', (h) => h.endpoints.list(), { method: 'GET', url: '/api/v1/endpoints', body: '' }, true],
  [
    'endpoints.get',
    (h) => h.endpoints.get('../x?'),
    { method: 'GET', url: '/api/v1/endpoints/..%2Fx%3F', body: '' },
    true,
  ],
  [
    'endpoints.create',
    (h) => h.endpoints.create({ url, types: ['message.received'], header: { name: 'X-A', value: 'b' } }),
    {
      method: 'POST',
      url: '/api/v1/endpoints',
      body: JSON.stringify({ url, types: ['message.received'], header: { name: 'X-A', value: 'b' } }),
    },
    false,
  ],
  [
    'endpoints.change',
    (h) => h.endpoints.change('ep_1', { types: null }),
    { method: 'PATCH', url: '/api/v1/endpoints/ep_1', body: '{"types":null}' },
    true,
  ],
  [
    'endpoints.disable',
    (h) => h.endpoints.disable('ep_1'),
    { method: 'POST', url: '/api/v1/endpoints/ep_1/disable', body: '' },
    true,
  ],
  [
    'endpoints.enable',
    (h) => h.endpoints.enable('ep_1'),
    { method: 'POST', url: '/api/v1/endpoints/ep_1/enable' },
    true,
  ],
  ['endpoints.delete', (h) => h.endpoints.delete('ep_1'), { method: 'DELETE', url: '/api/v1/endpoints/ep_1' }, false],
  [
    'endpoints.rotateSecret',
    (h) => h.endpoints.rotateSecret('ep_1', { overlapHours: 0 }),
    { method: 'POST', url: '/api/v1/endpoints/ep_1/rotate-secret', body: '{"overlapHours":0}' },
    false,
  ],
  ['endpoints.test', (h) => h.endpoints.test('ep_1'), { method: 'POST', url: '/api/v1/endpoints/ep_1/test' }, false],
  ['deliveries.get', (h) => h.deliveries.get('dlv_1'), { method: 'GET', url: '/api/v1/deliveries/dlv_1' }, true],
  [
    'deliveries.replay',
    (h) => h.deliveries.replay('dlv_1'),
    { method: 'POST', url: '/api/v1/deliveries/dlv_1/replay' },
    false,
  ],
  [
    'optOuts.add',
    (h) => h.optOuts.add(entry),
    { method: 'POST', url: '/api/v1/opt-outs', body: JSON.stringify(entry) },
    true,
  ],
  [
    'optOuts.remove',
    (h) => h.optOuts.remove(entry),
    { method: 'POST', url: '/api/v1/opt-outs/remove', body: JSON.stringify(entry) },
    true,
  ],
  [
    'optOuts.import',
    (h) => h.optOuts.import([entry]),
    { method: 'POST', url: '/api/v1/opt-outs/import', body: JSON.stringify({ entries: [entry] }) },
    true,
  ],
  [
    'media.upload',
    (h) => h.media.upload(Buffer.of(0xff, 0xd8, 0x00, 0x80), { fileName: 'cat & dog.jpg' }),
    {
      method: 'POST',
      url: '/api/v1/media?fileName=cat+%26+dog.jpg',
      bytes: Buffer.of(0xff, 0xd8, 0x00, 0x80),
      headers: expect.objectContaining({ 'content-type': 'application/octet-stream', 'content-length': '4' }),
    },
    true,
  ],
  ['limits', (h) => h.limits(), { method: 'GET', url: '/limits', body: '' }, true],
  ['reasons', (h) => h.reasons(), { method: 'GET', url: '/reasons', body: '' }, true],
];

describe.each(calls)('%s', (_name, work, wanted, twice) => {
  it('sends the request and returns the answer', async () => {
    const { helio, requests } = await gateway([found({ some: 'data' })]);
    expect(await work(helio)).toEqual({ some: 'data' });
    expect(requests).toEqual([expect.objectContaining(wanted)]);
    if (/^[{[]/.test(requests[0]!.body)) expect(requests[0]!.headers['content-type']).toBe('application/json');
  });

  it(twice ? 'is tried again' : 'is not tried again', async () => {
    const { helio, requests } = await gateway(['hang up', found({})]);
    if (twice) await work(helio);
    else await expect(work(helio)).rejects.toMatchObject({ reason: 'NETWORK_ERROR' });
    expect(requests).toHaveLength(twice ? 2 : 1);
  });

  it('reports the gateway’s refusal', async () => {
    const { helio } = await gateway([rejected(404, 'NOT_FOUND')]);
    await expect(work(helio)).rejects.toMatchObject({ status: 404, reason: 'NOT_FOUND' });
  });
});

describe('endpoints.replay', () => {
  it('continues until the whole period is replayed', async () => {
    const { helio, requests } = await gateway([found({ replayed: 3 }, 'pos_9'), found({ replayed: 2 }, null)]);
    const range = { since: new Date('2026-01-01T00:00:00Z'), until: '2026-01-02T00:00:00Z' };
    expect(await helio.endpoints.replay('ep_1', range)).toBe(5);
    const sent = { since: '2026-01-01T00:00:00.000Z', until: '2026-01-02T00:00:00Z' };
    expect(requests.map(({ body }) => JSON.parse(body))).toEqual([sent, { ...sent, after: 'pos_9' }]);
    expect(requests[0]!.url).toBe('/api/v1/endpoints/ep_1/replay');
  });
});

describe('usage.get', () => {
  const figures = { smsMessages: 1, smsSegments: 2, mmsMessages: 0, cost: '0.0150', unpricedMessages: 0 };
  const page = (name: string) => ({
    from: '2026-11-01',
    to: '2026-11-02',
    groupBy: 'number',
    currency: 'USD',
    total: figures,
    groups: [{ name, ...figures }],
  });

  it('collects the groups of all pages', async () => {
    const { helio, requests } = await gateway([found(page('a'), 'a'), found(page('b'), null)]);
    const usage = await helio.usage.get({ from: '2026-11-01', groupBy: 'number' });
    expect(usage).toEqual({ ...page('a'), groups: [...page('a').groups, ...page('b').groups] });
    expect(requests.map(({ url }) => url)).toEqual([
      '/api/v1/usage?from=2026-11-01&groupBy=number',
      '/api/v1/usage?from=2026-11-01&groupBy=number&after=a',
    ]);
  });

  it('is retried, reports refusals, and accepts no other answer as usage', async () => {
    const { helio, requests } = await gateway([
      'hang up',
      found(page('a'), null),
      rejected(400, 'INVALID_FIELD'),
      found({}),
    ]);
    await helio.usage.get();
    expect(requests).toHaveLength(2);
    await expect(helio.usage.get()).rejects.toMatchObject({ reason: 'INVALID_FIELD' });
    await expect(helio.usage.get()).rejects.toMatchObject({ reason: 'INVALID_RESPONSE' });
  });
});

describe('deliveries.list', () => {
  it('fetches all pages', async () => {
    const { helio, requests } = await gateway([found([{ deliveryId: 'a' }], 'a'), found([{ deliveryId: 'b' }], null)]);
    const ids: string[] = [];
    for await (const { deliveryId } of helio.deliveries.list({ endpoint: 'ep_1', state: 'failed', pageSize: 1 })) {
      ids.push(deliveryId);
    }
    expect(ids).toEqual(['a', 'b']);
    expect(requests.map((one) => one.url)).toEqual([
      '/api/v1/deliveries?limit=1&endpoint=ep_1&state=failed',
      '/api/v1/deliveries?limit=1&endpoint=ep_1&state=failed&before=a',
    ]);
  });

  it('asks by type of event, part of an id and time', async () => {
    const { helio, requests } = await gateway([found([], null)]);
    const filter = { type: 'message.received', q: 'evt_1', since: '2026-11-01T00:00:00Z' } as const;
    for await (const one of helio.deliveries.list(filter)) throw new Error(`unexpected: ${one.deliveryId}`);
    const { searchParams } = new URL(requests[0]!.url!, 'http://gateway.example');
    expect(Object.fromEntries(searchParams)).toMatchObject(filter);
  });
});

describe('media.upload', () => {
  it('accepts bytes of every type, also without a name', async () => {
    const { helio, requests } = await gateway([found({ url: 'https://sms.example.com/media/x' })]);
    const whole = Uint8Array.of(1, 2, 3, 4, 5);
    for (const bytes of [whole, whole.buffer, Buffer.from(whole), whole.subarray(1, 3)])
      await helio.media.upload(bytes);
    expect(requests.map(({ bytes }) => [...bytes])).toEqual([[...whole], [...whole], [...whole], [2, 3]]);
    expect(requests[0]!.url).toBe('/api/v1/media');
  });

  it('returns a URL for a message', async () => {
    const uploaded = found({ url: 'https://sms.example.com/media/x' });
    const { helio, requests } = await gateway([uploaded, sent]);
    const { url } = await helio.media.upload(Uint8Array.of(1));
    await helio.sendSMS({ from: '12025550199', to: ['12025550100'], text: 'Look', mediaUrls: [url] });
    expect(JSON.parse(requests[1]!.body).mediaUrls).toEqual([url]);
  });

  it('reports why it was refused', async () => {
    const { helio } = await gateway([rejected(400, 'UNSUPPORTED_CONTENT_TYPE')]);
    await expect(helio.media.upload(Buffer.from('<html>'))).rejects.toMatchObject({
      reason: 'UNSUPPORTED_CONTENT_TYPE',
    });
  });
});

describe('optOuts.list', () => {
  it('fetches all pages', async () => {
    const { helio, requests } = await gateway([
      found([{ contact: '1' }], '1~number:2'),
      found([{ contact: '2' }], null),
    ]);
    const contacts: string[] = [];
    for await (const { contact } of helio.optOuts.list({ campaign: 'C1' })) contacts.push(contact);
    expect(contacts).toEqual(['1', '2']);
    expect(requests.map((one) => one.url)).toEqual([
      '/api/v1/opt-outs?limit=100&campaign=C1',
      '/api/v1/opt-outs?limit=100&campaign=C1&after=1%7Enumber%3A2',
    ]);
  });
});

describe('messages.list after a message', () => {
  it('pages forwards', async () => {
    const { helio, requests } = await gateway([found([{ messageId: 'b' }], 'b'), found([{ messageId: 'c' }], null)]);
    const ids: string[] = [];
    for await (const { messageId } of helio.messages.list({ after: 'a' })) ids.push(messageId);
    expect(ids).toEqual(['b', 'c']);
    expect(requests.map((one) => one.url)).toEqual([
      '/api/v1/messages?limit=100&after=a',
      '/api/v1/messages?limit=100&after=b',
    ]);
  });
});
