/** The event log through the client: pages, waiting, resuming after a break, and an end by the caller. */
import { describe, expect, it, vi } from 'vitest';
import type { WebhookEvent } from './events.ts';
import { gateway, rejected, type Scripted } from './server-fixture.ts';

const event = (id: string) => ({
  id,
  type: 'message.received',
  timestamp: '2026-01-01T00:00:00.000Z',
  data: { text: id },
});
const page = (ids: string[], next: unknown): Scripted => ({
  status: 200,
  body: { success: true, reason: 'SUCCESS', detail: '', data: ids.map(event), next },
});

describe('events.list', () => {
  it('is one page and its cursor', async () => {
    const { helio, requests } = await gateway([page(['evt_1', 'evt_2'], 'pos_2'), page([], 'pos_2')]);
    expect(await helio.events.list()).toEqual({ events: [event('evt_1'), event('evt_2')], next: 'pos_2' });
    const filter = { after: 'pos_2', types: ['message.received', 'new.type'], pageSize: 5, waitSeconds: 30 };
    expect(await helio.events.list(filter)).toEqual({ events: [], next: 'pos_2' });
    expect(requests.map(({ url }) => url)).toEqual([
      '/api/v1/events?limit=100',
      '/api/v1/events?limit=5&after=pos_2&types=message.received%2Cnew.type&wait=30',
    ]);
  });

  it('adds the gateway’s waiting time to the time-out', async () => {
    const timeout = vi.spyOn(AbortSignal, 'timeout');
    const { helio } = await gateway([page([], 'a'), 'hang'], { maxRetries: 0, timeoutMs: 40 });
    await helio.events.list({ waitSeconds: 20 });
    expect(timeout.mock.calls).toEqual([[20_040]]);
    await expect(helio.events.list()).rejects.toMatchObject({ reason: 'TIMEOUT' });
    timeout.mockRestore();
  });

  it.each([null, undefined, 7])('refuses a page with the cursor %j', async (next) => {
    const { helio } = await gateway([page([], next)]);
    await expect(helio.events.list()).rejects.toMatchObject({ reason: 'INVALID_RESPONSE' });
  });
});

describe('events.iterate', () => {
  async function take(events: AsyncIterable<WebhookEvent>, count: number): Promise<string[]> {
    const ids: string[] = [];
    for await (const { id } of events) if (ids.push(id) === count) break;
    return ids;
  }

  it('continues from page to page, waiting for new events', async () => {
    const { helio, requests } = await gateway([page(['a', 'b'], '2'), page([], '3'), page(['c'], '4')]);
    expect(await take(helio.events.iterate({ after: 'latest', types: ['message.received'] }), 3)).toEqual([
      'a',
      'b',
      'c',
    ]);
    const query = (after: string) => `/api/v1/events?limit=100&after=${after}&types=message.received&wait=25`;
    expect(requests.map(({ url }) => url)).toEqual([query('latest'), query('2'), query('3')]);
  });

  it('resumes after a break, with more retries than other calls', async () => {
    const broken: Scripted[] = Array.from({ length: 9 }, (_, i) => (i % 2 === 0 ? 'hang up' : rejected(503, 'X')));
    const { helio, requests, waits } = await gateway([page(['a'], '1'), ...broken, page(['b'], '2')]);
    expect(await take(helio.events.iterate(), 2)).toEqual(['a', 'b']);
    expect(new Set(requests.slice(1).map(({ url }) => url))).toEqual(
      new Set(['/api/v1/events?limit=100&after=1&wait=25']),
    );
    expect(waits.at(-1)).toBe(4_000);
    const limited = await gateway([page(['a'], '1'), 'hang up']);
    await expect(take(limited.helio.events.iterate({}, { maxRetries: 1 }), 2)).rejects.toMatchObject({ status: null });
    expect(limited.requests).toHaveLength(3);
  });

  it('ends by a refusal of the gateway, and by its caller', async () => {
    const refused = await gateway([rejected(400, 'NOT_AUTHORIZED')]);
    await expect(take(refused.helio.events.iterate(), 1)).rejects.toMatchObject({ reason: 'NOT_AUTHORIZED' });
    const controller = new AbortController();
    const { helio } = await gateway([page(['a'], '1'), 'hang']);
    const events = helio.events.iterate({}, { signal: controller.signal });
    expect(await events.next()).toMatchObject({ value: { id: 'a' } });
    const next = events.next();
    controller.abort(new Error('enough'));
    await expect(next).rejects.toThrow('enough');
  });
});

describe('events.trigger', () => {
  it('is never retried', async () => {
    const made = { id: 'evt_1', type: 'message.failed' };
    const body = { success: true, reason: 'SUCCESS', detail: '', data: made };
    const { helio, requests } = await gateway([{ status: 200, body }]);
    expect(await helio.events.trigger('message.failed')).toEqual(made);
    expect(requests[0]).toMatchObject({
      method: 'POST',
      url: '/api/v1/events/trigger',
      body: '{"type":"message.failed"}',
    });
    const down = await gateway(['hang up']);
    await expect(down.helio.events.trigger('webhook.test')).rejects.toMatchObject({ reason: 'NETWORK_ERROR' });
    expect(down.requests).toHaveLength(1);
  });
});
