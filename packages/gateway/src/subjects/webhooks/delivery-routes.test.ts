import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { t0 } from '../../../../../test/props/clock.ts';
import type { CustomerEvent } from '../../model/webhook-event.ts';
import { StoreUnavailable } from '../../store/faults.ts';
import { endpointOf, openWebhookServer, type WebhookTestServer } from './webhook-server-fixture.ts';

const iso = new Date(t0).toISOString();

let world: WebhookTestServer;
beforeAll(async () => {
  world = await openWebhookServer();
});
afterAll(() => world.testServer.close());
beforeEach(() => {
  world.reset();
  world.useEndpoints(
    endpointOf('ep_a'),
    endpointOf('ep_b'),
    endpointOf('ep_live', { environment: 'live' }),
    endpointOf('ep_two', { accountId: 'acc_two' }),
    endpointOf('ep_gone', { deletedAt: t0 }),
  );
});

/** One event, delivered to each of these. */
function given(endpointIds: string[], more = {}, number = '12025550199'): CustomerEvent {
  const event = world.happened(number);
  for (const endpointId of endpointIds) world.delivered(endpointId, event, more);
  return event;
}

const list = async (query = '', as: Parameters<WebhookTestServer['call']>[3] = 'own') =>
  (await world.call('GET', '/deliveries', undefined, as, { query })).json;
const idsOf = ({ data }: { data: { deliveryId: string }[] }) => data.map(({ deliveryId }) => deliveryId);

describe('GET /api/v1/deliveries', () => {
  it('shows what was sent to the endpoints of the caller, newest event first', async () => {
    given(['ep_a', 'ep_live', 'ep_gone']);
    const waiting = { state: 'waiting', attempts: 2, lastStatus: 503, dueAt: t0 + 5_000 };
    const event = given(['ep_b'], waiting);
    given(['ep_two'], {}, '12025550160');
    const page = await list();
    expect(idsOf(page)).toEqual(['dlv_2_ep_b', 'dlv_1_ep_a']);
    expect(page.next).toBeNull();
    expect(page.data[0]).toEqual({
      deliveryId: 'dlv_2_ep_b',
      endpointId: 'ep_b',
      eventId: event.eventId,
      type: 'contact.opted_out',
      state: 'waiting',
      attemptCount: 2,
      lastStatus: 503,
      nextAttemptAt: new Date(t0 + 5_000).toISOString(),
      createdAt: iso,
      updatedAt: iso,
    });
    expect(page.data[1].nextAttemptAt).toBeNull();
    expect(idsOf(await list('', 'live'))).toEqual(['dlv_1_ep_live']);
    expect(idsOf(await list('', 'other'))).toEqual(['dlv_3_ep_two']);
  });

  it('names no next attempt while the endpoint is disabled', async () => {
    const disabled = { at: t0, why: 'by hand' } as const;
    world.useEndpoints(endpointOf('ep_a', { disabled }), endpointOf('ep_b'));
    given(['ep_a', 'ep_b'], { state: 'waiting', dueAt: t0 + 5_000 });
    const { data } = await list();
    expect(data).toMatchObject([
      { deliveryId: 'dlv_1_ep_a', state: 'waiting', nextAttemptAt: null },
      { deliveryId: 'dlv_1_ep_b', state: 'waiting', nextAttemptAt: new Date(t0 + 5_000).toISOString() },
    ]);
    const { json } = await world.call('GET', '/deliveries/dlv_1_ep_a');
    expect(json.data).toMatchObject({ state: 'waiting', nextAttemptAt: null });
  });

  it('by endpoint and state', async () => {
    given(['ep_a'], { state: 'failed' });
    given(['ep_a', 'ep_b']);
    expect(idsOf(await list('endpoint=ep_a'))).toEqual(['dlv_2_ep_a', 'dlv_1_ep_a']);
    expect(idsOf(await list('state=failed'))).toEqual(['dlv_1_ep_a']);
    expect(idsOf(await list('state=waiting&endpoint=ep_b'))).toEqual([]);
  });

  it('by type and time, however many others there are in between', async () => {
    for (let i = 0; i < 30; i++) given(['ep_a'], { type: i % 10 === 0 ? 'webhook.test' : 'carrier.up' });
    given(['ep_a'], { createdAt: t0 + 60_000 });
    expect(idsOf(await list('type=webhook.test'))).toEqual(['dlv_21_ep_a', 'dlv_11_ep_a', 'dlv_1_ep_a']);
    const page = await list('type=webhook.test&limit=2');
    expect(idsOf(page)).toEqual(['dlv_21_ep_a', 'dlv_11_ep_a']);
    const rest = await list(`type=webhook.test&limit=2&before=${page.next}`);
    expect([idsOf(rest), rest.next]).toEqual([['dlv_1_ep_a'], null]);
    const since = new Date(t0 + 1).toISOString();
    expect(idsOf(await list(`since=${since}`))).toEqual(['dlv_31_ep_a']);
  });

  it('by a part of an id of the event or the delivery, in any case', async () => {
    const events = Array.from({ length: 12 }, () => given(['ep_a', 'ep_b']));
    const third = events[2]!.eventId;
    expect(idsOf(await list(`q=${third.toUpperCase()}`))).toEqual(['dlv_3_ep_a', 'dlv_3_ep_b']);
    expect(idsOf(await list(`q=${third}&endpoint=ep_b`))).toEqual(['dlv_3_ep_b']);
    expect(idsOf(await list('q=dlv_12_ep_b'))).toEqual(['dlv_12_ep_b']);
    expect(idsOf(await list('q=nothing'))).toEqual([]);
    expect(idsOf(await list('q=+&limit=1'))).toEqual(['dlv_12_ep_a']);
    const pages = await list(`q=${third}&limit=1`);
    expect(idsOf(await list(`q=${third}&limit=1&before=${pages.next}`))).toEqual(['dlv_3_ep_b']);
  });

  it('pages without a gap and without a repetition, also where one event went to several endpoints', async () => {
    for (let i = 0; i < 5; i++) given(['ep_a', 'ep_b']);
    given(['ep_b']);
    const whole = idsOf(await list());
    expect(whole).toHaveLength(11);
    for (const limit of [1, 2, 3, 10]) {
      const seen: string[] = [];
      let next: string | null = null;
      for (let pages = 0; pages < 20; pages++) {
        const page = await list(`limit=${limit}${next === null ? '' : `&before=${next}`}`);
        expect(page.data.length).toBeLessThanOrEqual(limit);
        seen.push(...idsOf(page));
        next = page.next;
        if (next === null) break;
      }
      expect(seen).toEqual(whole);
    }
    expect((await list('limit=11')).next).toBeNull();
  });

  it('is empty, without a query to the store, when there is no endpoint', async () => {
    world.useEndpoints();
    world.store.broken = new Error('asked');
    expect(await list()).toMatchObject({ data: [], next: null });
  });

  it.each(['ep_live', 'ep_two', 'ep_gone', 'ep_nothing', '', "' or 1=1"])(
    'SEC-20 knows no endpoint %j',
    async (endpoint) => {
      given(['ep_live', 'ep_gone']);
      given(['ep_two'], {}, '12025550160');
      const answer = await world.call('GET', '/deliveries', undefined, 'own', {
        query: `endpoint=${encodeURIComponent(endpoint)}`,
      });
      expect([answer.status, answer.json.reason]).toEqual([404, 'NOT_FOUND']);
    },
  );

  it.each([
    'state=gone',
    'state=',
    'type=nothing',
    'since=yesterday',
    'since=2026-02-30T00:00:00Z',
    'since=2026-01-01',
    'before=x',
    'before=dlv_0_ep_a',
    'before=',
    'limit=0',
    'limit=101',
    'limit=1&limit=2',
    `q=${'x'.repeat(101)}`,
  ])('refuses %s', async (query) => {
    expect(await list(query)).toMatchObject({ success: false, reason: 'INVALID_FIELD' });
  });
});

describe('GET /api/v1/deliveries/{deliveryId}', () => {
  it('shows the event and each attempt', async () => {
    const event = given(['ep_a'], { state: 'waiting', attempts: 1, lastStatus: null, dueAt: t0 + 1 });
    const failed = { attempt: 1, at: t0, durationMs: 15_000, status: null, error: 'timeout', answer: '<b>x</b>' };
    const attempt = { ...failed, skewSeconds: -7 };
    world.store.attempts = [attempt];
    const { json } = await world.call('GET', '/deliveries/dlv_1_ep_a');
    expect(json.data).toMatchObject({
      deliveryId: 'dlv_1_ep_a',
      attemptCount: 1,
      event: { id: event.eventId, type: event.type, timestamp: iso, data: event.data },
      attempts: [{ ...attempt, at: iso }],
    });
  });
});

describe('POST /api/v1/deliveries/{deliveryId}/send-as-new', () => {
  it('stores an event that points to the content and does not copy it', async () => {
    const event = given(['ep_a'], { createdAt: t0 });
    const { json } = await world.call('POST', '/deliveries/dlv_1_ep_a/send-as-new', undefined, 'sender');
    const again = world.store.events.at(-1)!;
    expect(json.data).toEqual({ id: again.eventId, type: event.type });
    expect(again.eventId).not.toBe(event.eventId);
    expect(again.data).toEqual({ resend: { endpointId: 'ep_a', position: 1 } });
    expect(world.nudged.count).toBe(1);
    world.delivered('ep_a', again);
    const shown = await world.call('GET', '/deliveries/dlv_2_ep_a');
    expect(shown.json.data).toMatchObject({
      againOf: 'dlv_1_ep_a',
      event: { id: again.eventId, data: event.data },
    });
    // A repetition uses the original's content, so that there is never a chain.
    await world.call('POST', '/deliveries/dlv_2_ep_a/send-as-new', undefined, 'sender');
    expect(world.store.events.at(-1)!.data).toEqual(again.data);
  });
});

describe('POST /api/v1/deliveries/{deliveryId}/replay', () => {
  it('puts it back and looks again at once', async () => {
    given(['ep_a']);
    const { json } = await world.call('POST', '/deliveries/dlv_1_ep_a/replay', undefined, 'sender');
    expect(json.data).toEqual({ deliveryId: 'dlv_1_ep_a' });
    expect(world.store.replays).toEqual([
      { accountId: 'acc_one', endpointId: 'ep_a', which: { position: 1 }, now: world.clock.now() },
    ]);
    expect(world.replayed).toEqual(['ep_a']);
  });

  it('takes no settings', async () => {
    given(['ep_a']);
    const { status, json } = await world.call('POST', '/deliveries/dlv_1_ep_a/replay', { since: 'yesterday' });
    expect([status, json.reason]).toEqual([400, 'INVALID_FIELD']);
    expect(world.store.replays).toEqual([]);
  });
});

describe('one delivery', () => {
  const ways = [
    ['GET', ''],
    ['POST', '/replay'],
    ['POST', '/send-as-new'],
  ] as const;

  it('SEC-20 is the same 404 for nothing, nonsense, another account, another environment and a deleted endpoint', async () => {
    given(['ep_a', 'ep_live', 'ep_gone']);
    given(['ep_two'], {}, '12025550160');
    for (const [method, end] of ways) {
      const ids = ['dlv_9_ep_a', 'dlv_1_ep_live', 'dlv_1_ep_gone', 'dlv_2_ep_two', 'dlv_2_ep_a', 'x', "dlv_1_ep_a'--"];
      const answers = await Promise.all(
        ids.map((id) => world.call(method, `/deliveries/${encodeURIComponent(id)}${end}`)),
      );
      expect(answers.map(({ status }) => status)).toEqual(ids.map(() => 404));
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
      for (const stranger of ['other', 'live'] as const) {
        expect((await world.call(method, `/deliveries/dlv_1_ep_a${end}`, undefined, stranger)).status).toBe(404);
      }
    }
    expect(world.replayed).toEqual([]);
  });

  it('SEC-18 needs both credentials, `read` to be seen and `send` to be sent again', async () => {
    given(['ep_a']);
    for (const [method, end] of [...ways, ['GET', 'list'] as const]) {
      const path = end === 'list' ? '/deliveries' : `/deliveries/dlv_1_ep_a${end}`;
      const refused = [null, 'admin', method === 'GET' ? 'sender' : 'reader'] as const;
      for (const as of refused) {
        expect((await world.call(method, path, undefined, as)).json.reason).toBe('NOT_AUTHORIZED');
      }
    }
    expect(world.store.replays).toEqual([]);
  });

  it('says 503 when the store is down', async () => {
    given(['ep_a']);
    world.store.broken = new StoreUnavailable('busy', 'x');
    for (const [method, end] of ways) {
      expect((await world.call(method, `/deliveries/dlv_1_ep_a${end}`)).status).toBe(503);
    }
    expect((await world.call('GET', '/deliveries')).status).toBe(503);
    expect(world.replayed).toEqual([]);
  });
});
