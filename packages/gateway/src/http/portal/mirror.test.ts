/**
 * The API's routes for signed-in people: same handlers and answers, role instead of scope, no texts for people who may
 * not read them.
 */

import { afterEach, describe, expect, it } from 'vitest';
import { accounts, keyOf, newPair } from '../../model/world-fixture.ts';
import { optOutRoutes } from '../../subjects/consent/opt-out-routes.ts';
import { usageRoutes } from '../../subjects/usage/usage-routes.ts';
import { endpointRoutes } from '../../subjects/webhooks/endpoint-routes.ts';
import { success } from '../exchange.ts';
import { answers, ownBody } from '../route.ts';
import type { RouteModule } from '../server.ts';
import { goodBody, recordsOf, speak } from '../server-fixture.ts';
import { anything, plain } from '../shape.ts';
import { mirroredUrl } from './mirror.ts';
import { openPortalWorld, type PortalWorld, type WorldOptions } from './portal-fixture.ts';

let world: PortalWorld;
const open = async (options?: WorldOptions) => {
  world = await openPortalWorld(options);
  return world;
};
afterEach(() => world.close());

const message = {
  messageId: 'msg_01JD8Z6QF2X5T9V3B7N1KMHGCA',
  text: 'meet me at the weir \u{1F600}',
  wireText: 'meet me',
  mediaUrls: ['https://a.example/b.png'],
  events: [{ data: { text: 'STOP it', code: null } }],
  from: '12025550199',
};

/** A message with the fields that all messages have. */
const wholeMessage = {
  ...{ referenceId: 'r', requestId: 'req_1', direction: 'outbound', to: '12025550100', messageType: 'SMS' },
  ...{ encoding: 'GSM-7', segments: 1, state: 'queued', code: null, carrier: null, carrierCode: null },
  ...{ dupRisk: false, acceptedAt: 0, updatedAt: 0 },
};

const answersAnything = answers(anything(), '');

const texts: RouteModule = (app, { guarded }) => {
  app.get('/open-to-all', (_request, reply) => reply.send('once'));
  const made = { operationId: 'test', summary: '', answer: answersAnything };
  const body = ownBody(null);
  guarded.add({
    ...made,
    method: 'GET',
    path: '/api/v1/texts',
    scope: 'read',
    work: () => success('One.', [message], 'next'),
  });
  guarded.add({
    ...made,
    method: 'GET',
    path: '/api/v1/file',
    scope: 'read',
    work: () => ({ status: 200, reason: 'SUCCESS', body: 'bytes', contentType: 'image/png' }),
  });
  guarded.add({
    ...made,
    method: 'POST',
    path: '/api/v1/things',
    scope: 'admin',
    body,
    work: (call) => success('Done.', { body: call.body, keyId: call.caller.key.keyId }),
  });
  guarded.add({
    ...made,
    method: 'POST',
    path: '/api/v1/endpoints/:endpointId/test',
    scope: 'admin',
    people: { audit: 'endpoint.tested' },
    body: ownBody(null, { optional: true }),
    work: ({ params }) => success('Tested.', params),
  });
  guarded.add({
    ...made,
    method: 'POST',
    path: '/api/v1/endpoints',
    scope: 'admin',
    people: { audit: 'endpoint.added' },
    body,
    work: () => success('Made.', { endpointId: 'ep_new' }),
  });
  guarded.add({
    ...made,
    method: 'POST',
    path: '/api/v1/endpoints/:endpointId/replay',
    scope: 'admin',
    body,
    people: { audit: 'endpoint.replayed' },
    work: () => success('Counted.', {}),
  });
  const changed = { before: { refuseBind: false }, after: { refuseBind: true } };
  guarded.add({
    ...made,
    method: 'POST',
    path: '/api/v1/sandbox/faults',
    scope: 'send',
    body,
    people: { audit: 'sandbox.faults_changed' },
    work: () => ({ ...success('On.', {}), changed }),
  });
};

describe('sending', () => {
  it('is the same operation, under the name of who is signed in', async () => {
    const { as, testServer, user } = await open();
    const person = await as('Support');
    const answer = await person.call('POST', '/send?dryRun=true', goodBody, { headers: { 'idempotency-key': 'k1' } });
    expect(answer.json.schema).toMatchObject({ from: goodBody.from, dryRun: true });
    expect(answer.headers['x-dry-run']).toBe('1');
    const { caller, context } = testServer.sends[0]!;
    expect(caller.key).toMatchObject({
      keyId: `portal:${user('Support').userId}`,
      environment: 'sandbox',
      exactShape: false,
    });
    expect(caller.account.accountId).toBe('acc_one');
    expect(context).toMatchObject({ dryRun: true, idempotency: { key: 'k1' } });
    await person.call('POST', '/send', goodBody, { headers: { 'x-helio-environment': 'live' } });
    expect(testServer.sends[1]!.caller.key.environment).toBe('live');
    const line = testServer.log.find(({ fields }) => fields.path === '/api/portal/v1/send');
    expect(line!.fields.keyId).toBe(`portal:${user('Support').userId}`);
  });

  it.each([
    ['{"from":', 'INVALID_JSON'],
    [{ ...goodBody, from: 7 }, 'INVALID_FIELD'],
    ['{"a":1,"a":2}', 'INVALID_JSON'],
    [Buffer.from([0xff, 0xfe]), 'INVALID_JSON'],
  ])('refuses garbage as the API does: %j', async (body, reason) => {
    const { as, testServer } = await open();
    const person = await as('Owner');
    const answer = await person.call('POST', '/send', body);
    expect([answer.status, answer.json.reason]).toEqual([400, reason]);
    expect(testServer.sends).toEqual([]);
  });

  it('is refused for a suspended company, which may still look', async () => {
    const { as, setRecords, testServer } = await open({ mirrored: [texts] });
    const person = await as('Owner');
    setRecords(
      recordsOf(
        [],
        accounts.map((one) => ({ ...one, status: 'suspended' as const })),
      ),
    );
    expect((await person.call('POST', '/send', goodBody)).json.reason).toBe('ACCOUNT_SUSPENDED');
    expect((await person.call('GET', '/texts')).status).toBe(200);
    expect(testServer.sends).toEqual([]);
  });

  it('is limited per person', async () => {
    const { as } = await open();
    const person = await as('Owner');
    const all = await Promise.all(Array.from({ length: 130 }, () => person.call('GET', '/me')));
    const slow = all.filter(({ status }) => status === 429);
    expect(slow.length).toBeGreaterThan(10);
    expect(slow[0]!.headers['retry-after']).toBe('1');
    expect((await (await as('Admin')).call('GET', '/me')).status).toBe(200);
  });
});

describe('texts', () => {
  it('are there for those who may read them', async () => {
    const { as } = await open({ mirrored: [texts] });
    const answer = await (await as('Support')).call('GET', '/texts');
    expect(answer.json).toMatchObject({ data: [message], next: 'next' });
  });

  it('are a length for those who may not, wherever they stand', async () => {
    const { as } = await open({ mirrored: [texts] });
    const viewer = await as('Viewer');
    const answer = await viewer.call('GET', '/texts');
    expect(answer.json.data).toEqual([
      {
        messageId: message.messageId,
        from: message.from,
        text: null,
        textLength: 21,
        wireText: null,
        wireTextLength: 7,
        mediaUrls: [],
        mediaUrlsCount: 1,
        events: [{ data: { text: null, textLength: 7, code: null } }],
      },
    ]);
    expect(answer.json.next).toBe('next');
    expect((await viewer.call('GET', '/file')).json).toMatchObject({
      reason: 'FORBIDDEN',
      data: { permission: 'readBody' },
    });
    expect((await (await as('Support')).call('GET', '/file')).text).toBe('bytes');
  });

  it('of a message are hidden too; messages of another company are not found', async () => {
    const { as, testServer } = await open();
    const { wireText: _, ...own } = message;
    const whole = { ...wholeMessage, ...own, parts: [], events: [] };
    testServer.messages.set(`acc_one ${message.messageId}`, whole as never);
    const at = `/messages/${message.messageId}`;
    expect((await (await as('Viewer')).call('GET', at)).json.data).toMatchObject({ text: null, textLength: 21 });
    expect((await (await as('Support')).call('GET', at)).json.data.text).toBe(message.text);
    const theirs = await (await as('Owner', 'acc_two')).call('GET', at);
    const none = await (await as('Owner')).call('GET', '/messages/msg_01JD8Z6QF2X5T9V3B7N1KMHGCB');
    expect([theirs.status, theirs.text]).toEqual([404, none.text]);
  });
});

describe('registrations', () => {
  it('leave the API as it is', async () => {
    const { testServer, as, setRecords } = await open({ routes: [texts], mirrored: [texts] });
    const pair = newPair();
    setRecords(recordsOf([keyOf(pair)], accounts));
    const credentials = { bearer: pair.bearerToken, apikey: pair.authToken };
    const api = await speak(testServer, { method: 'GET', path: '/api/v1/texts', ...credentials });
    expect(api.json.data).toEqual([message]);
    expect(api.headers['content-security-policy']).toBeUndefined();
    expect((await speak(testServer, { method: 'GET', path: '/open-to-all' })).text).toBe('once');
    // Neither credential works on the other's routes.
    const person = await as('Owner');
    const { cookie, csrf } = person;
    const withCookie = { headers: { cookie: cookie!, 'x-helio-csrf': csrf, 'sec-fetch-site': 'same-origin' } };
    const viaApi = await speak(testServer, {
      method: 'GET',
      path: '/api/v1/texts',
      bearer: null,
      apikey: null,
      ...withCookie,
    });
    expect(viaApi.json.reason).toBe('NOT_AUTHORIZED');
    const viaPortal = await speak(testServer, { method: 'GET', path: '/api/portal/v1/texts', ...credentials });
    expect(viaPortal.json.reason).toBe('NOT_SIGNED_IN');
  });

  it('give way to a route the portal has of its own', async () => {
    const own = success('Mine.', 'the portal’s');
    const { as, portal } = await open({
      mirrored: [texts],
      modules: [
        (routes) =>
          routes.add({
            method: 'GET',
            path: '/texts',
            access: 'read',
            answer: answers(plain(), 'Mine'),
            work: () => own,
          }),
      ],
    });
    expect((await (await as('Viewer')).call('GET', '/texts')).json.data).toBe('the portal’s');
    expect(portal.registry.filter(({ url }) => url === '/api/portal/v1/texts')).toHaveLength(1);
  });

  it('note in the audit log what was changed, once it was', async () => {
    const { as, store } = await open({ mirrored: [texts] });
    const admin = await as('Admin');
    await admin.call('POST', '/endpoints/ep_1/test');
    await admin.call('POST', '/things', '{');
    await admin.call('POST', '/endpoints', { url: 'https://a.example' });
    await admin.call('POST', '/endpoints/ep_1/replay', { dryRun: true });
    await admin.call('POST', '/sandbox/faults', { refuseBind: true });
    const { entries } = await store.audit({ accountId: 'acc_one', before: null, userId: null, what: null, limit: 9 });
    expect(entries.map(({ what, target }) => [what, target])).toEqual([
      ['sandbox.faults_changed', 'sandbox'],
      ['endpoint.added', 'ep_new'],
      ['endpoint.tested', 'ep_1'],
      ['sign_in', expect.any(String)],
    ]);
    expect(entries[0]).toMatchObject({ before: { refuseBind: false }, after: { refuseBind: true } });
  });

  it('are mapped to permissions, and to the closest one where no rule says more', async () => {
    const nothing = {} as never;
    const { portal } = await open({
      mirrored: [endpointRoutes(nothing), optOutRoutes(nothing), usageRoutes(nothing), texts],
    });
    const permissionFor = (method: string, path: string) =>
      portal.registry.find((one) => one.method === method && one.url === mirroredUrl(path))?.access;
    expect(permissionFor('POST', '/SendSMS')).toBe('send');
    expect(permissionFor('DELETE', '/api/v1/endpoints/:endpointId')).toBe('manageWebhooks');
    expect(permissionFor('GET', '/api/v1/endpoints')).toBe('read');
    expect(permissionFor('POST', '/api/v1/opt-outs/remove')).toBe('manageOptOuts');
    expect(permissionFor('GET', '/api/v1/usage')).toBe('readUsage');
    expect(permissionFor('POST', '/api/v1/things')).toBe('manageCompany');
    expect(mirroredUrl('/SendSMS')).toBe('/api/portal/v1/send');
  });
});
