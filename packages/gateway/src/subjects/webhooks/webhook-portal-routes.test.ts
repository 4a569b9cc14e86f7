/** The webhook pages' own routes: health, catalogue, a delivery's request, signatures. */
import { webhooks } from '@heliograph/client';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { t0 } from '../../../../../test/props/clock.ts';
import { openPortalWorld, type PortalWorld } from '../../http/portal/portal-fixture.ts';
import type { Endpoint } from '../../model/records.ts';
import type { Role } from '../../model/roles.ts';
import type { CustomerEvent, WebhookAttempt, WebhookDelivery, WebhookState } from '../../model/webhook-event.ts';
import { account, endpoint as endpointOf, inSandbox } from '../../model/world-fixture.ts';
import { renderWebhook } from './webhook-payload.ts';
import { webhookRoutes } from './webhook-portal-routes.ts';
import { webhookHeaderRules } from './webhook-poster.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const older = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';

const endpoint = (endpointId: string, more: Partial<Endpoint> = {}) =>
  endpointOf(endpointId, {
    ...inSandbox,
    name: 'Orders',
    url: 'https://shop.example/hooks',
    header: { name: 'X-Shop', value: 'sealed:shop token' },
    secrets: [
      { secret: `sealed:${secret}`, expiresAt: null },
      { secret: `sealed:${older}`, expiresAt: t0 + 60_000 },
    ],
    ...more,
  });

const deliveries: WebhookDelivery[] = [];
const attempts: WebhookAttempt[] = [];
const event: CustomerEvent = {
  position: 1,
  eventId: 'evt_01JTCQ5Z0RK3V8M2N4P6Q8S0T2',
  accountId: account.accountId,
  type: 'webhook.test',
  at: t0,
  message: null,
  data: { endpointId: 'ep_1', message: 'Grüße' },
};

function delivered(position: number, state: WebhookState, tries = 1): void {
  deliveries.push({
    deliveryId: `dlv_${position}_ep_1`,
    endpointId: 'ep_1',
    accountId: account.accountId,
    position,
    eventId: event.eventId,
    type: event.type,
    state,
    attempts: tries,
    tries,
    dueAt: t0,
    createdAt: t0,
    updatedAt: t0,
    lastStatus: tries === 0 ? null : 200,
  });
}

let world: PortalWorld;
beforeAll(async () => {
  const own = (accountId: string, endpointId: string) =>
    deliveries.filter((one) => one.accountId === accountId && one.endpointId === endpointId);
  const store = {
    webhookDeliveries: async ({ accountId, endpointIds }: { accountId: string; endpointIds: string[] }) =>
      endpointIds.flatMap((endpointId) => own(accountId, endpointId)),
    webhookDelivery: async (query: { accountId: string; endpointId: string; position: number }) => {
      const delivery = own(query.accountId, query.endpointId).find(({ position }) => position === query.position);
      return delivery === undefined ? null : { delivery, event, attempts };
    },
    webhookQueues: async () => [
      { endpointId: 'ep_1', waiting: 120, dueAt: t0 + 4_000 },
      { endpointId: 'ep_theirs', waiting: 7, dueAt: t0 },
    ],
    eventPosition: async (query: { accountId: string; eventId: string }) =>
      query.accountId === event.accountId && query.eventId === event.eventId ? 1 : null,
    accountEvents: async () => ({ events: [event], position: 1, more: false }),
    endpointHealth: async () => [{ endpointId: 'ep_1', failingSince: t0, lastSuccessAt: null }],
  };
  const sealer = { open: (sealed: string) => sealed.replace('sealed:', '') };
  world = await openPortalWorld({ modules: [webhookRoutes({ store, sealer, headerRules: webhookHeaderRules })] });
  const theirs = endpoint('ep_theirs', { accountId: 'acc_two' });
  const live = endpoint('ep_live', { environment: 'live' });
  world.setRecords({ ...world.records, endpoints: [endpoint('ep_1'), theirs, live] });
});
afterAll(() => world.close());
beforeEach(() => {
  deliveries.length = 0;
  attempts.length = 0;
});

const asSandbox = { headers: { 'x-helio-environment': 'sandbox' } };

describe('health', () => {
  it('counts what was tried lately, of the own company and environment', async () => {
    delivered(4, 'waiting', 0);
    delivered(3, 'failed', 13);
    delivered(2, 'delivered');
    delivered(1, 'delivered');
    const answered = (durationMs: number, status: number | null): WebhookAttempt => ({
      attempt: 1,
      at: t0,
      durationMs,
      status,
      error: status === null ? 'timeout' : null,
      answer: '',
      skewSeconds: null,
    });
    attempts.push(...[10, 20, 30, 40].map((ms) => answered(ms, 200)), answered(15_000, null));
    const { data } = (await (await world.as('Viewer')).call('GET', '/webhooks/health', undefined, asSandbox)).json;
    expect(data).toEqual([
      {
        endpointId: 'ep_1',
        tried: 3,
        succeeded: 2,
        waiting: 120,
        failed: 1,
        p95Ms: 40,
        nextAttemptAt: new Date(t0 + 4_000).toISOString(),
        failingSince: new Date(t0).toISOString(),
        lastSuccessAt: null,
      },
    ]);
  });

  it('says nothing of times where nothing was tried', async () => {
    const { data } = (await (await world.as('Owner')).call('GET', '/webhooks/health', undefined, asSandbox)).json;
    expect(data).toMatchObject([{ tried: 0, succeeded: 0, p95Ms: null }]);
  });
});

describe('the request of a delivery', () => {
  it('is signed with every secret in force, and shows neither them nor the own header', async () => {
    delivered(1, 'delivered');
    const owner = await world.as('Owner');
    const answer = await owner.call('GET', '/deliveries/dlv_1_ep_1/request', undefined, asSandbox);
    const { headers, body, url, secretsInForce } = answer.json.data;
    expect(url).toBe('https://shop.example/hooks');
    expect(secretsInForce).toBe(2);
    expect(headers['X-Shop']).toBe('•••');
    const now = new Date(world.clock.now());
    for (const one of [secret, older]) {
      expect(webhooks.verifySignature(body, headers, one, { now }).id).toBe(event.eventId);
      expect(answer.text).not.toContain(one.slice(6));
    }
    expect(answer.text).not.toContain('shop token');
    world.clock.pass(60_000);
    const later = await owner.call('GET', '/deliveries/dlv_1_ep_1/request', undefined, asSandbox);
    expect(later.json.data.secretsInForce).toBe(1);
  });

  it.each([['dlv_2_ep_1'], ['dlv_1_ep_theirs'], ['dlv_1_ep_live'], ['nonsense'], ['dlv_1_..%2Fep_1']])(
    'is not there for %s',
    async (id) => {
      delivered(1, 'delivered');
      const answer = await (await world.as('Owner')).call('GET', `/deliveries/${id}/request`, undefined, asSandbox);
      expect(answer.status).toBe(404);
    },
  );

  it.each<[Role, number]>([
    ['Admin', 200],
    ['Developer', 200],
    ['Support', 403],
    ['Viewer', 403],
  ])('by %s answers %i', async (role, status) => {
    delivered(1, 'delivered');
    const person = await world.as(role);
    expect((await person.call('GET', '/deliveries/dlv_1_ep_1/request', undefined, asSandbox)).status).toBe(status);
  });
});

describe('the export of deliveries', () => {
  const file = async (format: string, query = '', role: Role = 'Viewer', accountId?: string) =>
    (await world.as(role, accountId)).call('GET', `/deliveries/export.${format}${query}`, undefined, asSandbox);

  it('is a table of what fits the filter, with local times, that begins no formula', async () => {
    const { records } = world;
    world.setRecords({ ...records, endpoints: [endpoint('ep_1', { name: '=cmd|calc' })] });
    delivered(2, 'waiting', 1);
    delivered(1, 'delivered');
    const { status, headers, text } = await file('csv', '?timeZone=Asia/Tokyo');
    world.setRecords(records);
    expect([status, headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8']);
    expect(headers['content-disposition']).toBe('attachment; filename="deliveries.csv"');
    const lines = text.split('\r\n');
    expect(lines[0]).toMatch(/^\uFEFFTime \(UTC\),Local time,Event,/);
    const iso = new Date(t0).toISOString();
    expect(lines[1]).toContain(`${iso},2023-11-15 `);
    expect(lines[1]).toContain(`,dlv_2_ep_1,"'=cmd|calc",ep_1,waiting,200,1,${iso},`);
    expect(lines).toHaveLength(4);
    expect((await file('csv', '?state=waiting&q=DLV_2_')).text.split('\r\n')).toHaveLength(3);
  });

  it('names no next attempt while the endpoint is disabled, and neither does its health', async () => {
    const { records } = world;
    world.setRecords({ ...records, endpoints: [endpoint('ep_1', { disabled: { at: t0, why: 'failing' } })] });
    delivered(1, 'waiting', 1);
    const [csv, lines] = [(await file('csv')).text, (await file('jsonl')).text];
    const health = await (await world.as('Viewer')).call('GET', '/webhooks/health', undefined, asSandbox);
    world.setRecords(records);
    expect(csv.split('\r\n')[1]).toContain(',waiting,200,1,,');
    expect(JSON.parse(lines)).toMatchObject({ state: 'waiting', nextAttemptAt: null });
    expect(health.json.data).toMatchObject([{ waiting: 120, nextAttemptAt: null }]);
  });

  it('is lines of JSON as the list has them', async () => {
    delivered(1, 'delivered');
    const { headers, text } = await file('jsonl', '?endpoint=ep_1');
    expect(headers['content-type']).toBe('application/jsonl; charset=utf-8');
    expect(
      text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toMatchObject([{ deliveryId: 'dlv_1_ep_1', state: 'delivered', attemptCount: 1 }]);
  });

  it('holds nothing of another company, and is refused what it cannot read', async () => {
    delivered(1, 'delivered');
    expect((await file('jsonl', '', 'Owner', 'acc_two')).text).toBe('');
    expect((await file('csv', '?endpoint=ep_theirs')).status).toBe(404);
    for (const query of ['?state=gone', '?timeZone=Mars/Crater', '?timeZone=UTC&timeZone=UTC', '?before=x']) {
      expect((await file('csv', query)).status, query).toBe(400);
    }
  });
});

describe('the signatures of a delivery', () => {
  const attempt = (number: number, at: number, more: Partial<WebhookAttempt> = {}): WebhookAttempt => ({
    attempt: number,
    at,
    durationMs: 5,
    status: 200,
    error: null,
    answer: '',
    skewSeconds: null,
    ...more,
  });
  const signatures = async (role: Role = 'Viewer', id = 'dlv_1_ep_1') =>
    (await world.as(role)).call('GET', `/deliveries/${id}/signatures`, undefined, asSandbox);

  it('are checked for each attempt that may have left, with the secrets in force now', async () => {
    const { records } = world;
    const rotatedAt = t0 + 40_000;
    const secrets = [
      { secret: `sealed:${secret}`, expiresAt: null, since: rotatedAt },
      { secret: `sealed:${older}`, expiresAt: t0 + 10 * 60_000 },
    ];
    world.setRecords({ ...records, endpoints: [endpoint('ep_1', { secrets })] });
    delivered(1, 'delivered', 4);
    attempts.push(attempt(1, t0 + 1_000), attempt(2, rotatedAt + 1));
    attempts.push(attempt(3, rotatedAt + 2, { status: null, error: 'timeout' }));
    attempts.push(attempt(4, rotatedAt + 3, { status: null, error: 'dns' }));
    world.clock.pass(Math.max(0, t0 + 120_000 - world.clock.now()));
    const answer = await signatures();
    expect(answer.json.data).toMatchObject({
      attempts: [
        { attempt: 1, signature: { valid: true, by: 'old', until: new Date(t0 + 600_000).toISOString() } },
        { attempt: 2, signature: { valid: true, by: 'current', until: null } },
        { attempt: 3, signature: { valid: true, by: 'current' } },
      ],
    });
    for (const one of [secret, older]) expect(answer.text).not.toContain(one.slice(6));
    // After an immediate rotation no stored secret confirms the first signature.
    world.setRecords({ ...records, endpoints: [endpoint('ep_1', { secrets: [secrets[0]!] })] });
    expect((await signatures()).json.data.attempts[0].signature).toMatchObject({ valid: false, reason: 'SECRET_OVER' });
    world.setRecords(records);
  });

  it.each(['dlv_2_ep_1', 'dlv_1_ep_theirs', 'dlv_1_ep_live', 'nonsense'])('are not there for %s', async (id) => {
    delivered(1, 'delivered');
    expect((await signatures('Owner', id)).status).toBe(404);
  });
});

describe('a check of a signature', () => {
  // The standard's own example
  const signed = {
    body: '{"test": 2432232314}',
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    timestamp: '1614265330',
    signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  };
  const fresh = (): typeof signed => {
    const { body, id } = signed;
    const headers = webhooks.sign({ body, id, secret, timestamp: new Date(world.clock.now()) });
    return { body, id, timestamp: headers['webhook-timestamp'], signature: headers['webhook-signature'] };
  };
  const check = async (form: object) =>
    (await (await world.as('Developer')).call('POST', '/webhooks/verify', form, asSandbox)).json;

  it('is right for a pasted secret and for an endpoint’s own', async () => {
    expect((await check({ ...fresh(), secret })).data).toEqual({ valid: true, reason: null, skewSeconds: 0 });
    expect((await check({ ...fresh(), endpointId: 'ep_1' })).data.valid).toBe(true);
    expect((await check({ ...fresh(), endpointId: 'ep_1', secret: '' })).data.valid).toBe(true);
  });

  it.each([
    ['TIMESTAMP_TOO_OLD', () => ({ ...signed, secret })],
    ['NO_MATCHING_SIGNATURE', () => ({ ...fresh(), body: '{"test":2432232314}', secret })],
    ['NO_MATCHING_SIGNATURE', () => ({ ...fresh(), secret: older })],
    ['NO_MATCHING_SIGNATURE', () => ({ ...fresh(), signature: 'v1,', secret })],
    ['INVALID_SECRET', () => ({ ...fresh(), secret: 'whsec_no base64' })],
    ['MISSING_HEADER', () => ({ ...fresh(), timestamp: 'yesterday', secret })],
  ])('says %s', async (reason, form) => {
    const { data, detail } = await check(form());
    expect(data).toMatchObject({ valid: false, reason });
    expect(detail).not.toBe('');
  });

  it('knows a body that was written anew, or changed, from a secret that is another', async () => {
    const compact = JSON.stringify({ a: 1, b: [2] });
    const signedAs = (body: string, id: string, by = secret) => {
      const headers = webhooks.sign({ body, id, secret: by, timestamp: new Date(world.clock.now()) });
      return { body, id, timestamp: headers['webhook-timestamp'], signature: headers['webhook-signature'], secret };
    };
    const pretty = { ...signedAs(compact, 'evt_1'), body: JSON.stringify(JSON.parse(compact), null, 2) };
    expect((await check(pretty)).data.reason).toBe('BODY_CHANGED');
    const sent = renderWebhook(event, 'standard');
    const changed = { ...signedAs(sent, event.eventId), body: sent.replace('Grüße', 'Grusse') };
    const { data, detail } = await check(changed);
    expect([data.reason, detail]).toEqual(['BODY_CHANGED', expect.stringContaining('the body is not the signed one')]);
    const other = await check(signedAs(sent, event.eventId, older));
    expect([other.data.reason, other.detail]).toEqual([
      'NO_MATCHING_SIGNATURE',
      expect.stringContaining('the secret is a different one'),
    ]);
    // For a body that was never an event here, nobody can know which part is altered.
    expect((await check({ ...signedAs(compact, 'evt_1'), body: '{"a":2}' })).detail).not.toContain(
      'does not fit either',
    );
  });

  it.each([
    [-301, 'The signature is right; the timestamp is 301 seconds old, more than 5 minutes.'],
    [-90 * 60, 'The signature is right; the timestamp is 90 minutes old, more than 5 minutes.'],
    [-3 * 86_400, 'The signature is right; the timestamp is 3 days old, more than 5 minutes.'],
    [7 * 60, 'The signature is right; the timestamp is 7 minutes ahead of this clock, more than 5 minutes.'],
  ])('says both of a right signature that is %i s off', async (seconds, sentence) => {
    const { body, id } = signed;
    const headers = webhooks.sign({ body, id, secret, timestamp: new Date(world.clock.now() + seconds * 1_000) });
    const sent = { body, id, timestamp: headers['webhook-timestamp'], signature: headers['webhook-signature'] };
    expect(await check({ ...sent, secret })).toMatchObject({ detail: sentence, data: { valid: false } });
    // A wrong signature is not called right just because it is old.
    expect((await check({ ...sent, secret: older })).data.reason).toBe('NO_MATCHING_SIGNATURE');
  });

  it('requires every field, and knows no endpoint of another company', async () => {
    expect((await check(fresh())).fields).toEqual({ secret: expect.any(String) });
    expect((await check({ ...fresh(), endpointId: 'ep_theirs' })).fields).toEqual({ endpointId: expect.any(String) });
    expect((await check({ ...fresh(), body: undefined, secret })).fields).toEqual({ body: expect.any(String) });
    expect((await check([])).success).toBe(false);
  });
});

describe('the catalogue', () => {
  it('has an example and a schema of every type', async () => {
    const { events, flat, header } = (await (await world.as('Viewer')).call('GET', '/webhooks/catalogue')).json.data;
    expect(events.length).toBeGreaterThanOrEqual(15);
    for (const { type, example, schema } of events) expect([example.type, schema.title]).toEqual([type, type]);
    expect(flat.examples.reply.deliveryReceipt).toBe(false);
    expect(new RegExp(header.name).test('x-shop-token')).toBe(true);
    for (const name of ['host', 'webhook-id', 'proxy-x', 'a b']) expect(new RegExp(header.name).test(name)).toBe(false);
  });
});
