import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { t0 } from '../../../../../test/props/clock.ts';
import { StoreUnavailable } from '../../store/faults.ts';
import { endpointLimits } from './endpoint-check.ts';
import { endpointOf, openWebhookServer, type WebhookTestServer } from './webhook-server-fixture.ts';

const hour = 3_600_000;
const url = 'https://shop.example/hooks';

let world: WebhookTestServer;
beforeAll(async () => {
  world = await openWebhookServer();
});
afterAll(() => world.testServer.close());
beforeEach(() => world.reset());

const make = async (body: object = {}, as: Parameters<WebhookTestServer['call']>[3] = 'own') =>
  (await world.call('POST', '/endpoints', { url, ...body }, as)).json;
const stored = (endpointId: string) => world.store.records.endpoints.find((one) => one.endpointId === endpointId)!;

describe('POST /api/v1/endpoints', () => {
  it('makes one, shows its secret once, and stores it sealed', async () => {
    const answer = await world.call('POST', '/endpoints', {
      url,
      name: 'Orders',
      types: ['message.received', 'message.failed'],
      format: 'flat',
      number: '12025550199',
      campaign: 'C-ONE',
      header: { name: 'X-Token', value: 'quiet-please' },
    });
    expect(answer.status).toBe(200);
    const { secret, ...data } = answer.json.data;
    expect(secret).toMatch(/^whsec_/);
    expect(data).toEqual({
      endpointId: expect.stringMatching(/^ep_[0-9A-HJKMNP-TV-Z]{26}$/),
      name: 'Orders',
      url,
      types: ['message.received', 'message.failed'],
      format: 'flat',
      number: '12025550199',
      campaign: 'C-ONE',
      header: { name: 'X-Token' },
      timeoutSeconds: 15,
      disabled: null,
      oldSecretUntil: null,
      createdAt: new Date(t0).toISOString(),
    });
    const record = JSON.stringify(stored(data.endpointId));
    expect(record).toContain('sealed(');
    expect(record).not.toContain(secret);
    expect(record).not.toContain('quiet-please');
    for (const path of [`/endpoints/${data.endpointId}`, '/endpoints']) {
      const { text } = await world.call('GET', path);
      for (const hidden of ['whsec', 'sealed', 'quiet-please']) expect(text, path).not.toContain(hidden);
    }
    expect(JSON.stringify(world.testServer.log)).not.toMatch(/whsec|quiet-please/);
  });

  it('grants an endpoint its requested time, in whole seconds', async () => {
    const { data } = await make({ timeoutSeconds: 3 });
    expect(data.timeoutSeconds).toBe(3);
    expect(stored(data.endpointId).timeoutMs).toBe(3_000);
    const changed = await world.call('PATCH', `/endpoints/${data.endpointId}`, { timeoutSeconds: null });
    expect(changed.json.data.timeoutSeconds).toBe(15);
    for (const timeoutSeconds of [0, 31, 1.5, '3', -1]) {
      const { json } = await world.call('PATCH', `/endpoints/${data.endpointId}`, { timeoutSeconds });
      expect(json, String(timeoutSeconds)).toMatchObject({ success: false, reason: 'INVALID_FIELD' });
    }
  });

  it('takes a URL alone: every type, standard format, named after its host', async () => {
    expect((await make({ name: null, types: null, format: null, number: null, header: null })).data).toMatchObject({
      name: 'shop.example',
      types: null,
      format: 'standard',
      header: null,
    });
  });

  it('SEC-40 refuses a URL that webhooks may not go to, and says why', async () => {
    for (const why of ['malformed', 'too-long', 'scheme', 'userinfo', 'port', 'name', 'address', 'new-word']) {
      world.url.verdict = { ok: false, why };
      const answer = await world.call('POST', '/endpoints', { url: 'http://169.254.169.254/latest' });
      expect([answer.status, answer.json.reason], why).toEqual([400, 'INVALID_FIELD']);
      expect(answer.json.detail).toMatch(/^url cannot be used: \S.*Nothing was changed\.$/);
      expect(answer.text).not.toContain('169.254');
    }
    expect(world.store.records.endpoints).toEqual([]);
  });

  it('takes a host that the DNS does not know yet, and says so', async () => {
    world.url.verdict = { ok: false, why: 'dns' };
    expect((await make()).detail).toContain('not known to the DNS');
  });

  it('wants https of a live endpoint', async () => {
    expect(await make({ url: 'http://shop.example/hooks' }, 'live')).toMatchObject({ reason: 'INVALID_FIELD' });
    expect(await make({ url: 'http://shop.example/hooks' })).toMatchObject({ reason: 'SUCCESS' });
    expect(await make({}, 'live')).toMatchObject({ reason: 'SUCCESS' });
  });

  it.each([
    [{ url: 5 }, 'INVALID_FIELD'],
    [{ url: null }, 'INVALID_FIELD'],
    [{ url: `https://a.example/${'x'.repeat(4_096)}` }, 'INVALID_FIELD'],
    [{ types: ['message.recieved'] }, 'INVALID_FIELD'],
    [{ types: [] }, 'INVALID_FIELD'],
    [{ types: ['message.sent', 'message.sent'] }, 'INVALID_FIELD'],
    [{ types: 'message.sent' }, 'INVALID_FIELD'],
    [{ type: 'message.sent' }, 'INVALID_FIELD'],
    [{ format: 'xml' }, 'INVALID_FIELD'],
    [{ name: 'a\u0000b' }, 'INVALID_FIELD'],
    [{ name: 'a\ud800b' }, 'INVALID_FIELD'],
    [{ name: 'x'.repeat(101) }, 'INVALID_FIELD'],
    [{ number: '12025550150' }, 'INVALID_FIELD'],
    [{ number: '12025550160' }, 'INVALID_FIELD'],
    [{ number: '19995550100' }, 'INVALID_FIELD'],
    [{ campaign: 'C-TWO' }, 'INVALID_FIELD'],
    [{ campaign: 'C-LIVE' }, 'INVALID_FIELD'],
    [{ header: { name: 'X-A' } }, 'MISSING_FIELD'],
    [{ header: { name: 'Host', value: 'a' } }, 'INVALID_FIELD'],
    [{ header: { name: 'webhook-id', value: 'a' } }, 'INVALID_FIELD'],
    [{ header: { name: 'Content-Type', value: 'a' } }, 'INVALID_FIELD'],
    [{ header: { name: 'X-A', value: 'a\r\nX-B: b' } }, 'INVALID_FIELD'],
    [{ header: { name: 'X A', value: 'a' } }, 'INVALID_FIELD'],
    [{ endpointId: 'ep_1' }, 'INVALID_FIELD'],
    [{ __proto__: null, secret: 'whsec_x' }, 'INVALID_FIELD'],
  ])('refuses %j', async (body, reason) => {
    expect(await make(body)).toMatchObject({ success: false, reason, detail: expect.stringMatching(/\.$/) });
    expect(world.store.records.endpoints).toEqual([]);
  });

  it.each(['', '[]', 'null', '"x"', '{', '{"url":"a","url":"b"}', '\u0000'])('refuses the body %j', async (body) => {
    const { status, json } = await world.call('POST', '/endpoints', Buffer.from(body));
    expect([status, json.success]).toEqual([400, false]);
    expect(['INVALID_FIELD', 'INVALID_JSON']).toContain(json.reason);
  });

  it('says which field is missing', async () => {
    expect((await world.call('POST', '/endpoints', {})).json).toMatchObject({
      reason: 'MISSING_FIELD',
      detail: expect.stringContaining('url'),
    });
  });

  it('has a limit for each account, and for what is made in a day', async () => {
    const many = (count: number, more = {}) => Array.from({ length: count }, (_, i) => endpointOf(`ep_${i}`, more));
    world.useEndpoints(...many(endpointLimits.perAccount));
    expect(await make()).toMatchObject({ reason: 'INVALID_FIELD', detail: expect.stringContaining('100') });
    expect(await make({}, 'live')).toMatchObject({ reason: 'INVALID_FIELD' });
    expect(await make({}, 'other')).toMatchObject({ reason: 'SUCCESS' });
    world.useEndpoints(...many(endpointLimits.createdPerDay, { deletedAt: t0 }));
    expect(await make()).toMatchObject({ reason: 'INVALID_FIELD', detail: expect.stringContaining('24 hours') });
    world.useEndpoints(...many(endpointLimits.createdPerDay, { deletedAt: t0, createdAt: t0 - 25 * hour }));
    expect(await make()).toMatchObject({ reason: 'SUCCESS' });
  });

  it('keeps the limit when many come at once', async () => {
    world.useEndpoints(...Array.from({ length: 98 }, (_, i) => endpointOf(`ep_${i}`)));
    const made = await Promise.all(Array.from({ length: 5 }, () => make()));
    expect(made.filter(({ success }) => success)).toHaveLength(2);
    expect(world.store.records.endpoints).toHaveLength(100);
  });
});

describe('one endpoint', () => {
  it('is listed oldest first, and changed field by field', async () => {
    const { data: first } = await make({ header: { name: 'X-A', value: 'a' }, number: '12025550199' });
    const { data: second } = await make();
    const list = await world.call('GET', '/endpoints');
    expect(list.json.data.map((one: { endpointId: string }) => one.endpointId)).toEqual([
      first.endpointId,
      second.endpointId,
    ]);
    expect(list.json.next).toBeNull();
    const path = `/endpoints/${first.endpointId}`;
    const { secret: _, ...shown } = first;
    const changed = await world.call('PATCH', path, { types: ['message.sent'], campaign: 'C-ONE', name: 'New' });
    const expected = { ...shown, types: ['message.sent'], campaign: 'C-ONE', name: 'New' };
    expect(changed.json.data).toEqual(expected);
    expect((await world.call('PATCH', path, { header: null, number: null })).json.data).toEqual({
      ...expected,
      header: null,
      number: null,
    });
    expect(stored(second.endpointId).types).toBeNull();
  });

  it('refuses changes that create would refuse, and an empty one', async () => {
    const { data } = await make();
    const path = `/endpoints/${data.endpointId}`;
    const before = JSON.stringify(stored(data.endpointId));
    for (const body of [{}, { number: '12025550160' }, { header: { name: 'Host', value: 'x' } }, { secret: 'x' }, []]) {
      expect((await world.call('PATCH', path, body)).json).toMatchObject({ success: false });
    }
    world.url.verdict = { ok: false, why: 'address' };
    expect((await world.call('PATCH', path, { url: 'http://10.0.0.1/' })).json.reason).toBe('INVALID_FIELD');
    expect(JSON.stringify(stored(data.endpointId))).toBe(before);
  });

  it('loses no edit of several at once', async () => {
    const { data } = await make();
    const owner = { accountId: 'acc_one', environment: 'sandbox' } as const;
    const edits = [
      { name: 'New' },
      { types: ['message.sent' as const] },
      { number: '12025550199' },
      { campaignId: 'C-ONE' },
    ];
    await Promise.all([
      ...edits.map((changes) => world.service.change(owner, data.endpointId, changes)),
      world.service.disableBy(data.endpointId, 'failing'),
    ]);
    expect(stored(data.endpointId)).toMatchObject({
      name: 'New',
      types: ['message.sent'],
      number: '12025550199',
      campaignId: 'C-ONE',
      disabled: { why: 'failing' },
    });
  });

  it('is disabled and enabled by hand, without an event', async () => {
    const { data } = await make();
    const path = `/endpoints/${data.endpointId}`;
    const off = await world.call('POST', `${path}/disable`);
    expect(off.json.data.disabled).toEqual({ at: new Date(t0).toISOString(), why: 'by hand' });
    world.clock.pass(hour);
    expect((await world.call('POST', `${path}/disable`, {})).json.data.disabled).toEqual(off.json.data.disabled);
    expect((await world.call('POST', `${path}/enable`)).json.data.disabled).toBeNull();
    expect(world.store.events).toEqual([]);
    world.clock.pass(-hour);
  });

  it('takes no settings where there are none', async () => {
    const { data } = await make();
    for (const act of ['disable', 'enable', 'test']) {
      for (const body of [{ until: 'tomorrow' }, [], '"x"']) {
        const { status, json } = await world.call('POST', `/endpoints/${data.endpointId}/${act}`, body);
        expect([status, json.reason], `${act} ${JSON.stringify(body)}`).toEqual([400, 'INVALID_FIELD']);
      }
    }
    expect(stored(data.endpointId).disabled).toBeNull();
    expect(world.store.events).toEqual([]);
  });

  it('is disabled by the sender with one event, whose notice comes first', async () => {
    const { data } = await make();
    const { putRecords } = world.store;
    world.store.putRecords = (changes) => {
      world.store.putRecords = putRecords;
      expect(world.store.events).toHaveLength(1);
      return putRecords(changes);
    };
    const versions = await Promise.all([
      world.service.disableBy(data.endpointId, 'gone'),
      world.service.disableBy(data.endpointId, 'failing'),
    ]);
    expect(versions).toEqual([world.store.records.version, world.store.records.version]);
    expect(stored(data.endpointId).disabled).toEqual({ at: t0, why: 'gone' });
    expect(world.store.events).toMatchObject([
      { type: 'endpoint.disabled', data: { endpointId: data.endpointId, url, why: 'gone', at: expect.any(String) } },
    ]);
    await world.service.disableBy('ep_unknown', 'gone');
    expect(world.store.events).toHaveLength(1);
  });

  it('is gone after it was deleted', async () => {
    const { data } = await make({ header: { name: 'X-A', value: 'a' } });
    const path = `/endpoints/${data.endpointId}`;
    expect((await world.call('DELETE', path)).status).toBe(200);
    expect(stored(data.endpointId)).toMatchObject({ deletedAt: t0, header: null });
    for (const method of ['GET', 'DELETE']) expect((await world.call(method, path)).status).toBe(404);
    expect((await world.call('PATCH', path, { name: 'x' })).status).toBe(404);
    expect((await world.call('GET', '/endpoints')).json.data).toEqual([]);
    await world.service.disableBy(data.endpointId, 'gone');
    expect(world.store.events).toEqual([]);
  });
});

describe('POST /api/v1/endpoints/{endpointId}/rotate-secret', () => {
  const rotate = async (endpointId: string, body?: object) =>
    (await world.call('POST', `/endpoints/${endpointId}/rotate-secret`, body)).json;
  const until = (endpointId: string) => stored(endpointId).secrets.map(({ expiresAt }) => expiresAt);

  it('shows a new secret once; the old one signs for 24 h more', async () => {
    const { data } = await make();
    const rotated = (await rotate(data.endpointId)).data;
    expect(rotated.secret).toMatch(/^whsec_/);
    expect(rotated.secret).not.toBe(data.secret);
    expect(rotated.oldSecretUntil).toBe(new Date(t0 + 24 * hour).toISOString());
    expect(until(data.endpointId)).toEqual([null, t0 + 24 * hour]);
    expect((await world.call('GET', `/endpoints/${data.endpointId}`)).text).not.toContain('whsec');
  });

  it('takes another overlap, or none, never makes an old one live longer, and keeps three', async () => {
    const { data } = await make();
    await rotate(data.endpointId, { overlapHours: 1 });
    await rotate(data.endpointId, { overlapHours: 168 });
    expect(until(data.endpointId)).toEqual([null, t0 + 168 * hour, t0 + hour]);
    await rotate(data.endpointId, { overlapHours: null });
    expect(until(data.endpointId)).toEqual([null, t0 + 24 * hour, t0 + 24 * hour]);
    const { detail } = await rotate(data.endpointId, { overlapHours: 0 });
    expect(detail).toMatch(/^The endpoint has a new secret\. The old one does not sign any more\. /);
    expect(until(data.endpointId)).toEqual([null]);
  });

  it.each([
    { overlapHours: -1 },
    { overlapHours: 169 },
    { overlapHours: 1.5 },
    { overlapHours: '1' },
    { hours: 1 },
    [],
  ])('refuses %j', async (body) => {
    const { data } = await make();
    expect(await rotate(data.endpointId, body)).toMatchObject({ reason: 'INVALID_FIELD' });
    expect(until(data.endpointId)).toEqual([null]);
  });
});

describe('POST /api/v1/endpoints/{endpointId}/test', () => {
  it('puts a test event into the log and says its id', async () => {
    const { data } = await make({ types: ['message.sent'] });
    const answer = await world.call('POST', `/endpoints/${data.endpointId}/test`, undefined, 'sender');
    expect(answer.json.data).toEqual({ id: world.store.events[0]!.eventId, type: 'webhook.test' });
    expect(world.store.events).toMatchObject([
      {
        type: 'webhook.test',
        accountId: 'acc_one',
        data: { endpointId: data.endpointId, message: expect.any(String) },
      },
    ]);
    expect(world.nudged.count).toBe(1);
  });

  it('says that a disabled endpoint, or one of the flat format, gets none', async () => {
    const { data } = await make();
    const { data: flat } = await make({ format: 'flat' });
    await world.call('POST', `/endpoints/${data.endpointId}/disable`);
    for (const { endpointId } of [data, flat]) {
      expect((await world.call('POST', `/endpoints/${endpointId}/test`)).json.reason).toBe('INVALID_FIELD');
    }
    expect(world.store.events).toEqual([]);
  });
});

describe('POST /api/v1/endpoints/{endpointId}/replay', () => {
  const replay = (endpointId: string, body?: object) => world.call('POST', `/endpoints/${endpointId}/replay`, body);

  it('sends a period again, however many there are, and looks again at once', async () => {
    const { data } = await make();
    world.store.replayCounts = [10_000, 10_000, 7];
    const answer = await replay(data.endpointId, { since: '2023-11-14T20:00:00Z', until: '2023-11-14T22:00:00+01:00' });
    expect(answer.json).toMatchObject({ data: { replayed: 20_007 }, next: null });
    const times = { since: Date.UTC(2023, 10, 14, 20), until: Date.UTC(2023, 10, 14, 21) };
    expect(world.store.replays).toEqual(
      [0, 10, 20].map((after) => ({
        accountId: 'acc_one',
        endpointId: data.endpointId,
        which: { ...times, after, failedOnly: false },
        now: t0,
        countOnly: false,
      })),
    );
    expect(world.replayed).toEqual([data.endpointId]);
  });

  it('only counts, and only failed ones, on request', async () => {
    const { data } = await make();
    world.store.replayCounts = [3];
    const { json } = await replay(data.endpointId, { since: '2023-11-14T20:00:00Z', failedOnly: true, dryRun: true });
    expect(json).toMatchObject({ data: { replayed: 3 }, detail: expect.stringContaining('Nothing was changed') });
    expect(world.store.replays).toMatchObject([{ which: { failedOnly: true }, countOnly: true }]);
    expect(world.replayed).toEqual([]);
  });

  it('stops after ten rounds and says where to go on', async () => {
    const { data } = await make();
    world.store.replayCounts = Array(20).fill(10_000);
    const { json } = await replay(data.endpointId, { since: '2023-11-14T20:00:00Z' });
    expect(json).toMatchObject({ data: { replayed: 100_000 }, next: 'pos_100' });
    world.store.replayCounts = [];
    await replay(data.endpointId, { since: '2023-11-14T20:00:00Z', after: json.next });
    expect(world.store.replays.at(-1)?.which).toMatchObject({ after: 100, until: t0 });
  });

  it.each([
    undefined,
    {},
    { since: 'yesterday' },
    { since: '2026-02-30T00:00:00Z' },
    { since: '2026-11-20T24:00:00Z' },
    { since: '2023-11-14' },
    { since: '2023-11-14T20:00:00' },
    { since: '2023-13-14T20:00:00Z' },
    { since: 1_700_000_000_000 },
    { since: '2023-11-14T20:00:00Z', until: '2023-11-14T19:00:00Z' },
    { since: '2023-11-14T20:00:00Z', until: 'x' },
    { since: '2023-11-14T20:00:00Z', after: 'evt_1' },
  ])('refuses %j', async (body) => {
    const { data } = await make();
    expect((await replay(data.endpointId, body)).status).toBe(400);
    expect(world.store.replays).toEqual([]);
  });
});

describe('who may', () => {
  const operations = (id: string): [string, string, object | undefined, 'read' | 'send' | 'admin'][] => [
    ['GET', '/endpoints', undefined, 'read'],
    ['POST', '/endpoints', { url }, 'admin'],
    ['GET', `/endpoints/${id}`, undefined, 'read'],
    ['PATCH', `/endpoints/${id}`, { name: 'x' }, 'admin'],
    ['DELETE', `/endpoints/${id}`, undefined, 'admin'],
    ['POST', `/endpoints/${id}/disable`, undefined, 'admin'],
    ['POST', `/endpoints/${id}/enable`, undefined, 'admin'],
    ['POST', `/endpoints/${id}/rotate-secret`, undefined, 'admin'],
    ['POST', `/endpoints/${id}/test`, undefined, 'send'],
    ['POST', `/endpoints/${id}/replay`, { since: '2023-11-14T20:00:00Z' }, 'send'],
  ];

  it('both credentials, and the scope of the operation (SEC-18)', async () => {
    const { data } = await make();
    const before = JSON.stringify(world.store.records);
    for (const [method, path, body, scope] of operations(data.endpointId)) {
      const answers = [
        await world.call(method, path, body, null),
        await world.call(method, path, body, 'own', { bearer: null }),
        await world.call(method, path, body, 'own', { apikey: null }),
      ];
      for (const [name, allowed] of [
        ['reader', 'read'],
        ['sender', 'send'],
        ['admin', 'admin'],
      ] as const) {
        if (scope !== allowed) answers.push(await world.call(method, path, body, name));
      }
      for (const { status, json } of answers)
        expect([method, path, status, json.reason]).toEqual([method, path, 400, 'NOT_AUTHORIZED']);
    }
    expect(JSON.stringify(world.store.records)).toBe(before);
    expect(world.store.events).toEqual([]);
  });

  it('SEC-20 nobody else: another account and the other environment get the same 404 as for nothing', async () => {
    const { data } = await make();
    const before = JSON.stringify(world.store.records);
    for (const [method, path, body] of operations(data.endpointId).filter(([, path]) => path !== '/endpoints')) {
      const nothing = await world.call(method, path.replace(data.endpointId, 'ep_nothing'), body);
      expect(nothing.status).toBe(404);
      for (const stranger of ['other', 'live'] as const) {
        expect((await world.call(method, path, body, stranger)).text, `${method} ${path}`).toBe(nothing.text);
      }
    }
    for (const stranger of ['other', 'live'] as const) {
      expect((await world.call('GET', '/endpoints', undefined, stranger)).json.data).toEqual([]);
    }
    expect(JSON.stringify(world.store.records)).toBe(before);
    expect([world.store.events, world.store.replays]).toEqual([[], []]);
  });

  it('answers 503 when the store is down, and reveals nothing of it', async () => {
    const { data } = await make();
    world.store.broken = new StoreUnavailable('down', 'connect ECONNREFUSED 10.0.0.5:5432');
    for (const [method, path, body] of operations(data.endpointId).filter(([method]) => method !== 'GET')) {
      // Nothing to write: it is already enabled.
      if (path.endsWith('/enable')) continue;
      const answer = await world.call(method, path, body);
      expect([path, answer.status]).toEqual([path, 503]);
      expect(answer.text).not.toContain('ECONN');
    }
    world.store.broken = null;
    expect((await world.call('PATCH', `/endpoints/${data.endpointId}`, { name: 'later' })).status).toBe(200);
  });
});
