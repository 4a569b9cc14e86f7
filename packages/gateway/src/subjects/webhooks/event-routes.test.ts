import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { t0, until } from '../../../../../test/props/clock.ts';
import { type Answered, rawHead, rawSocket } from '../../http/server-fixture.ts';
import { eventTypes } from '../../model/event-type.ts';
import { describedEvents } from '../../model/webhook-schema.ts';
import { StoreUnavailable } from '../../store/faults.ts';
import { feedLimits } from './event-feed.ts';
import { route } from './webhook-routing.ts';
import { endpointOf, openWebhookServer, type WebhookTestServer } from './webhook-server-fixture.ts';

let world: WebhookTestServer;
beforeAll(async () => {
  world = await openWebhookServer();
});
afterAll(() => world.testServer.close());
beforeEach(() => world.reset());

const own = '12025550199';
const live = '12025550150';
const others = '12025550160';

const get = (query = '', as: Parameters<WebhookTestServer['call']>[3] = 'own') =>
  world.call('GET', '/events', undefined, as, { query });
const idsOf = ({ json }: Answered) => json.data.map(({ id }: { id: string }) => id);

/** Lets all pending work reach its next wait. */
async function settled(): Promise<void> {
  for (let i = 0; i < 30; i++) await new Promise<void>((resolve) => setImmediate(resolve));
}

/** The log has grown; notified calls read again. */
async function grown(...accountIds: string[]): Promise<void> {
  world.grown(accountIds);
  await settled();
  world.clock.pass(100);
  await settled();
}

/** A call that is already waiting. */
async function waiting(query: string, as: Parameters<WebhookTestServer['call']>[3] = 'own') {
  const before = world.listening();
  const answer = get(query, as);
  await until(() => world.listening() === before + 1);
  // It reads once more before it waits.
  await settled();
  return { answer };
}

describe('GET /api/v1/events', () => {
  it('lists events, oldest first, as webhooks would', async () => {
    const first = world.happened(own);
    const second = world.happened(own, { type: 'contact.opted_in' });
    const answer = await get();
    expect(answer.json).toMatchObject({
      success: true,
      data: [
        { id: first.eventId, type: 'contact.opted_out', timestamp: new Date(t0).toISOString(), data: first.data },
        { id: second.eventId, type: 'contact.opted_in' },
      ],
      next: 'pos_2',
    });
  });

  it('goes on from next, from the id of an event, and from now', async () => {
    const events = [world.happened(own), world.happened(own), world.happened(own)];
    const first = await get('limit=1');
    expect(idsOf(first)).toEqual([events[0]!.eventId]);
    expect((await get('limit=1&after=')).json).toEqual(first.json);
    expect(idsOf(await get(`after=${first.json.next}`))).toEqual([events[1]!.eventId, events[2]!.eventId]);
    expect(idsOf(await get(`after=${events[1]!.eventId}`))).toEqual([events[2]!.eventId]);
    const latest = await get('after=latest');
    expect([latest.json.data, latest.json.next]).toEqual([[], 'pos_3']);
    expect((await get(`after=${latest.json.next}`)).json).toMatchObject({ data: [], next: 'pos_3' });
  });

  it('only the requested types', async () => {
    world.happened(own);
    const wanted = world.happened(own, { type: 'contact.opted_in' });
    expect(idsOf(await get('types=contact.opted_in,message.sent'))).toEqual([wanted.eventId]);
  });

  it('SEC-20 only of the account and the environment of the key pair, also where others fill whole pages', async () => {
    const mine = [world.happened(own)];
    for (let i = 0; i < 6; i++) world.happened(live);
    world.happened(others);
    mine.push(world.happened(own));
    expect(idsOf(await get('limit=2'))).toEqual(mine.map(({ eventId }) => eventId));
    expect((await get('', 'live')).json.data).toHaveLength(6);
    expect((await get('', 'other')).json.data).toHaveLength(1);
    expect((await get(`after=${mine[0]!.eventId}`, 'other')).json.reason).toBe('INVALID_FIELD');
  });

  it('refuses a place that the log has not reached: it would be silent for ever', async () => {
    world.happened(own);
    expect((await get('after=pos_1')).status).toBe(200);
    for (const query of ['after=pos_2', 'after=pos_999999999999999&wait=30']) {
      const { status, json } = await get(query);
      expect([status, json.reason], query).toEqual([400, 'INVALID_FIELD']);
    }
  });

  it('looks at a bounded part of the log, and says where to go on', async () => {
    for (let i = 0; i < 30; i++) world.happened(live);
    world.happened(own);
    const first = await get('limit=1');
    expect(first.json).toMatchObject({ data: [], next: 'pos_10' });
    const waited = await get('limit=1&wait=30&after=pos_10');
    expect(waited.json).toMatchObject({ data: [], next: 'pos_20' });
  });

  it('lists events of an endpoint in its environment, and refuses an unknown endpoint', async () => {
    const { data } = (await world.call('POST', '/endpoints', { url: 'https://shop.example' })).json;
    await world.call('POST', `/endpoints/${data.endpointId}/test`);
    expect((await get()).json.data).toMatchObject([{ type: 'webhook.test', data: { endpointId: data.endpointId } }]);
    expect((await get('', 'live')).json.data).toEqual([]);
    world.useEndpoints();
    expect((await get()).json.data).toEqual([]);
  });

  it.each([
    'after=x',
    'after=pos_',
    'after=pos_1.5',
    'after=evt_01JD8Z6QF2X5T9V3B7N1KMHGCA_1',
    'after=evt_nothing',
    'after=latest&after=latest',
    'types=',
    'types=message.recieved',
    'types=message.sent,',
    'limit=0',
    'limit=101',
    'wait=31',
    'wait=-1',
    'wait=1.5',
    'wait=x',
    'after=%ff',
  ])('refuses %s', async (query) => {
    expect((await get(query)).json).toMatchObject({ success: false, reason: 'INVALID_FIELD' });
  });

  it('SEC-18 needs both credentials and the scope `read`', async () => {
    for (const as of [null, 'sender', 'admin'] as const) {
      expect((await get('wait=30', as)).json.reason).toBe('NOT_AUTHORIZED');
    }
    expect((await get('', 'reader')).status).toBe(200);
  });

  it('says 503 when the store is down', async () => {
    world.store.broken = new StoreUnavailable('down', 'x');
    for (const query of ['', 'wait=5', 'after=latest']) expect((await get(query)).status).toBe(503);
    expect(world.listening()).toBe(0);
  });
});

describe('waiting for events', () => {
  it('ends at once when there is one', async () => {
    const event = world.happened(own);
    expect(idsOf(await get('wait=30'))).toEqual([event.eventId]);
    expect(world.clock.timers()).toBe(0);
  });

  it('ends with the event that happens meanwhile', async () => {
    const { answer } = await waiting('wait=30&after=latest');
    const event = world.happened(own);
    await grown('acc_one');
    expect(idsOf(await answer)).toEqual([event.eventId]);
    expect([world.listening(), world.clock.timers()]).toEqual([0, 0]);
  });

  it('ends empty after the time, with a place to go on from', async () => {
    const { answer } = await waiting('wait=30');
    world.clock.pass(29_999);
    expect(world.listening()).toBe(1);
    world.clock.pass(1);
    expect((await answer).json).toMatchObject({ success: true, data: [], next: 'pos_0' });
    expect(world.clock.timers()).toBe(0);
  });

  it('goes on while what happened is not the caller’s', async () => {
    const { answer } = await waiting('wait=30&types=contact.opted_out');
    world.happened(live);
    await grown('acc_one');
    world.happened(others);
    await grown('acc_two');
    expect(world.listening()).toBe(1);
    const event = world.happened(own);
    await grown('acc_one');
    expect(idsOf(await answer)).toEqual([event.eventId]);
  });

  it('misses nothing that is committed while it looks', async () => {
    const accountEvents = world.store.accountEvents;
    world.store.accountEvents = async (request) => {
      const page = await accountEvents(request);
      world.store.accountEvents = accountEvents;
      world.happened(own);
      world.grown();
      return page;
    };
    const answer = get('wait=30');
    await until(() => world.store.events.length === 1);
    await settled();
    world.clock.pass(100);
    expect(idsOf(await answer)).toHaveLength(1);
  });

  it('is forgotten when the caller hangs up', async () => {
    const socket = rawSocket(world.testServer);
    // The fixture's key pair is not in the records here, so the request's head is written by hand.
    const { bearer, apikey } = world.credentials('own');
    socket.write(
      rawHead(world.testServer, [], '/api/v1/events', 'GET')
        .replace(/Bearer \S+/, `Bearer ${bearer}`)
        .replace(/apikey=\S+/, `apikey=${apikey}&wait=30`),
    );
    await until(() => world.listening() === 1);
    socket.destroy();
    await until(() => world.listening() === 0);
    expect(world.clock.timers()).toBe(0);
  });

  it('has a limit for each account', async () => {
    const calls: Promise<Answered>[] = [];
    for (let i = 0; i < feedLimits.waitsPerAccount; i++) calls.push((await waiting('wait=30')).answer);
    const full = await get('wait=30');
    expect([full.status, full.json.reason, full.headers['retry-after']]).toEqual([503, 'TEMPORARILY_UNAVAILABLE', '1']);
    expect((await get()).status).toBe(200);
    calls.push((await waiting('wait=1', 'other')).answer);
    world.clock.pass(30_000);
    for (const { status } of await Promise.all(calls)) expect(status).toBe(200);
  });

  it('ends for everyone when the gateway stops', async () => {
    const other = await openWebhookServer();
    const before = other.call('GET', '/events', undefined, 'own', { query: 'wait=30' });
    await until(() => other.listening() === 1);
    other.feed.endWaits();
    expect((await before).json.data).toEqual([]);
    expect((await other.call('GET', '/events', undefined, 'own', { query: 'wait=30' })).json.data).toEqual([]);
    expect(other.clock.timers()).toBe(0);
    await other.testServer.close();
  });
});

describe('POST /api/v1/events/trigger', () => {
  const trigger = async (body: unknown, as: Parameters<WebhookTestServer['call']>[3] = 'own') =>
    (await world.call('POST', '/events/trigger', body, as)).json;

  it('logs a marked example of every type, which its own account and environment see', async () => {
    for (const type of eventTypes) {
      const { data } = await trigger({ type });
      expect(data).toEqual({ id: world.store.events.at(-1)?.eventId, type });
    }
    const { data } = (await get()).json;
    expect(data.map(({ type }: { type: string }) => type)).toEqual(eventTypes);
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    for (const { id: _, ...body } of data) {
      const fits = ajv.compile(describedEvents.find(({ type }) => type === body.type)!.schema);
      expect(fits(body), `${body.type} ${JSON.stringify(fits.errors)}`).toBe(true);
    }
    for (const event of data) expect(event.data).toMatchObject({ triggered: true, environment: 'sandbox' });
    expect(world.nudged.count).toBe(eventTypes.length);
    for (const stranger of ['live', 'other'] as const) expect((await get('', stranger)).json.data).toEqual([]);
  });

  it('puts the caller’s own number where the type has it, and the time of now', async () => {
    await trigger({ type: 'message.received' });
    await trigger({ type: 'message.sent' });
    await trigger({ type: 'contact.opted_out' }, 'live');
    const occurredAt = new Date(world.clock.now()).toISOString();
    expect(world.store.events.map(({ data }) => data)).toMatchObject([
      { to: own, messageId: expect.stringMatching(/^msg_/), receivedAt: occurredAt },
      { from: own, messageId: expect.stringMatching(/^msg_/), occurredAt },
      { number: live, scope: 'campaign:C-LIVE', campaignId: 'C-LIVE', environment: 'live' },
    ]);
  });

  it('goes to the endpoints of the environment that want its type and number', async () => {
    world.useEndpoints(
      endpointOf('ep_all'),
      endpointOf('ep_type', { types: ['endpoint.disabled'] }),
      endpointOf('ep_number', { number: own }),
      endpointOf('ep_live', { environment: 'live' }),
      endpointOf('ep_two', { accountId: 'acc_two' }),
    );
    const receiversOf = async (type: string) => {
      await trigger({ type });
      return route(world.store.events.at(-1)!, world.directory()).map(({ endpointId }) => endpointId);
    };
    expect(await receiversOf('endpoint.disabled')).toEqual(['ep_all', 'ep_type']);
    expect(await receiversOf('carrier.down')).toEqual(['ep_all']);
    expect(await receiversOf('message.sent')).toEqual(['ep_all', 'ep_number']);
    expect(await receiversOf('message.received')).toEqual(['ep_number']);
  });

  it.each([{}, { type: 'message.recieved' }, { type: 1 }, { type: 'message.sent', data: {} }, [], null])(
    'refuses %j',
    async (body) => {
      expect((await trigger(body)).success).toBe(false);
      expect(world.store.events).toEqual([]);
    },
  );

  it('SEC-18 needs both credentials and the scope `send`', async () => {
    for (const as of [null, 'reader', 'admin'] as const) {
      expect((await trigger({ type: 'message.sent' }, as)).reason).toBe('NOT_AUTHORIZED');
    }
    expect((await trigger({ type: 'message.sent' }, 'sender')).success).toBe(true);
    expect(world.store.events).toHaveLength(1);
  });
});

describe('a pair that is revoked', () => {
  it('has its waiting calls ended and refused, whatever happens meanwhile', async () => {
    const { answer } = await waiting('after=latest&wait=30');
    world.revoke();
    world.happened(own);
    const { status, json } = await answer;
    expect([status, json]).toMatchObject([400, { success: false, reason: 'NOT_AUTHORIZED' }]);
  });
});
