/**
 * Tries every registered route of the portal with every role of two companies: who gets in, that nothing of the other
 * company is read or changed, that unsafe routes refuse requests that our own page did not send, and the headers of
 * every answer.
 */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMediaUrls } from '../../model/media-url.ts';
import { type Permission, peopleTimes } from '../../model/people.ts';
import { type Role, roles } from '../../model/roles.ts';
import { companyRoutes } from '../../subjects/company/company-routes.ts';
import { optOutRoutes } from '../../subjects/consent/opt-out-routes.ts';
import { conversationRoutes } from '../../subjects/conversations/conversation-routes.ts';
import { homeRoutes } from '../../subjects/home/home-routes.ts';
import { keyRoutes } from '../../subjects/keys/key-routes.ts';
import { streamRoutes } from '../../subjects/live/stream-routes.ts';
import { mediaRoutes } from '../../subjects/media/media-routes.ts';
import { messageMediaRoutes } from '../../subjects/media/message-media-routes.ts';
import { messageBulkRoutes } from '../../subjects/message-log/message-bulk-routes.ts';
import { messageLogRoutes } from '../../subjects/message-log/message-log-routes.ts';
import { messageStoryRoutes } from '../../subjects/message-log/message-story-routes.ts';
import { accountRoutes } from '../../subjects/operator/account-routes.ts';
import { carrierAdminRoutes } from '../../subjects/operator/carrier-admin-routes.ts';
import { carrierQueueRoutes } from '../../subjects/operator/carrier-queue-routes.ts';
import { routingRoutes } from '../../subjects/operator/routing-routes.ts';
import { unmatchedRoutes } from '../../subjects/operator/unmatched-routes.ts';
import { registrationRoutes } from '../../subjects/registration/registration-routes.ts';
import { sandboxResetRoute } from '../../subjects/sandbox/sandbox-carrier-route.ts';
import { sandboxDemoRoutes } from '../../subjects/sandbox/sandbox-demo-routes.ts';
import { sandboxFaultRoutes } from '../../subjects/sandbox/sandbox-fault-routes.ts';
import { sandboxInboxRoutes } from '../../subjects/sandbox/sandbox-inbox-routes.ts';
import { sandboxRoutes } from '../../subjects/sandbox/sandbox-routes.ts';
import { upkeepRoutes } from '../../subjects/upkeep/upkeep-routes.ts';
import { usagePortalRoutes } from '../../subjects/usage/usage-portal-routes.ts';
import { usageRoutes } from '../../subjects/usage/usage-routes.ts';
import { deliveryRoutes } from '../../subjects/webhooks/delivery-routes.ts';
import { endpointRoutes } from '../../subjects/webhooks/endpoint-routes.ts';
import { eventRoutes } from '../../subjects/webhooks/event-routes.ts';
import { webhookRoutes } from '../../subjects/webhooks/webhook-portal-routes.ts';
import { success } from '../exchange.ts';
import { answers, ownBody } from '../route.ts';
import type { RouteModule } from '../server.ts';
import type { Answered } from '../server-fixture.ts';
import { object } from '../shape.ts';
import { emailOf, openPortalWorld, type PortalWorld } from './portal-fixture.ts';
import { fresh, type PortalRoute, type PortalRoutes } from './portal-guard.ts';

/** What lies behind the mirrored routes does not matter here: admitted callers reach a gateway that fails. */
const nothing = {} as never;
const mirrored = (): RouteModule[] => [
  ...[sandboxRoutes(nothing, nothing), endpointRoutes(nothing), deliveryRoutes(nothing), eventRoutes(nothing)],
  ...[optOutRoutes(nothing), sandboxInboxRoutes(nothing), usageRoutes(nothing)],
  ...[sandboxResetRoute(nothing, nothing), sandboxDemoRoutes(nothing), sandboxFaultRoutes(nothing, nothing)],
  mediaRoutes({ store: nothing, media: nothing, urls: createMediaUrls({ key: Buffer.alloc(32), baseUrl: () => '' }) }),
];

/** The agreed table, written out rather than derived from the code. */
const agreed: Record<Permission, readonly Role[]> = {
  read: ['Owner', 'Admin', 'Developer', 'Support', 'Viewer'],
  readBody: ['Owner', 'Admin', 'Developer', 'Support'],
  send: ['Owner', 'Admin', 'Developer', 'Support'],
  manageNumbers: ['Owner', 'Admin'],
  manageCampaigns: ['Owner', 'Admin'],
  manageCompany: ['Owner', 'Admin'],
  readAudit: ['Owner', 'Admin'],
  manageUsers: ['Owner', 'Admin'],
  manageKeys: ['Owner', 'Admin', 'Developer'],
  manageWebhooks: ['Owner', 'Admin', 'Developer'],
  manageOptOuts: ['Owner', 'Admin', 'Support'],
  readUsage: ['Owner', 'Admin', 'Viewer', 'Developer'],
  // The Owner of the first company is the operator here.
  operator: ['Owner'],
};

/** Reads several things at once; each read must reject as a store's would. */
const failing = new Proxy({}, { get: () => () => Promise.reject(new Error('there is nothing')) });
const home = {
  store: failing,
  budgetOf: async () => null,
  carriers: () => [],
  seededPair: () => null,
  demo: null,
} as never;
/** A stream that has begun cannot fail any more, so this one gets a log that ends at once. */
const emptyLog = { searchMessages: async () => ({ messages: [], next: null, searchedTo: null }) } as never;
const endedLive = { watch: () => null } as never;

const messagePages = () => [
  ...[conversationRoutes(nothing), messageStoryRoutes(nothing), messageBulkRoutes(nothing), homeRoutes(home)],
  messageMediaRoutes(nothing),
  usagePortalRoutes(nothing),
  ...[messageLogRoutes({ store: emptyLog, nudgeAll: nothing }), streamRoutes({ live: endedLive, store: nothing })],
];
const operatorRoutes = () => [
  ...[carrierAdminRoutes(nothing), carrierQueueRoutes(nothing, nothing), unmatchedRoutes(nothing)],
  ...[routingRoutes(nothing, nothing), accountRoutes(nothing, nothing), upkeepRoutes(nothing)],
];

/** One route for each permission, and one that shows what a handler receives. */
function probes(routes: PortalRoutes): void {
  const work = () => success('Done.', {});
  const answer = answers(object({}), 'Done');
  for (const permission of Object.keys(agreed) as Permission[]) {
    const path = `/probe/${permission}`;
    routes.add({ method: 'GET', path, access: permission, answer, work });
    routes.add({
      method: 'POST',
      path,
      access: fresh(permission),
      body: ownBody(null, { optional: true }),
      answer,
      work,
    });
    routes.add({ method: 'PATCH', path, access: permission, body: ownBody(null), answer, work });
    routes.add({ method: 'DELETE', path, access: permission, answer, work });
  }
}

let world: PortalWorld;
let routes: readonly PortalRoute[];
beforeAll(async () => {
  const api = mirrored();
  world = await openPortalWorld({
    routes: api,
    mirrored: api,
    modules: [
      probes,
      ...messagePages(),
      ...registrationRoutes(nothing),
      keyRoutes(nothing),
      companyRoutes(nothing),
      webhookRoutes(nothing),
      ...operatorRoutes(),
    ],
  });
  routes = world.portal.registry;
});
afterAll(() => world.close());

/** Messages record their sender themselves, and what a handset does is not a change by a person. */
const recordedElsewhere = /^\/(?:SendSMS|api\/v1\/(?:media|messages|sandbox(?!\/(?:demo|faults|reset)$))\b)/;

const isUnsafe = ({ method }: PortalRoute): boolean => method !== 'GET';
const inWords = ({ method, url }: PortalRoute): string => `${method} ${url}`;

/** The API path that a route stands for; a portal route with the same path replaces the mirrored one. */
const apiPathOf = ({ mirrors, url }: PortalRoute): string => mirrors ?? url.replace('/api/portal/', '/api/');

/** The path with an id of the other company, wherever it has one. */
function aimed({ url }: PortalRoute): string {
  const theirs = world.user('Viewer', 'acc_two').userId;
  return url.replace(':userId', theirs).replace(/:\w+/g, 'theirs_1');
}

async function call(route: PortalRoute, role: Role, headers: Record<string, string> = {}): Promise<Answered> {
  world.clock.pass(10_000);
  const person = await world.as(role);
  return person.call(route.method, aimed(route), isUnsafe(route) ? {} : undefined, { headers });
}

function holdsHeaders({ headers }: Answered): void {
  expect(headers).toMatchObject({
    'content-security-policy': expect.stringMatching(/^default-src 'none'; .*frame-ancestors 'none'$/),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    'x-request-id': expect.stringMatching(/^req_/),
  });
}

describe('the registry', () => {
  it('has every route below /api/portal, and every route of the API', () => {
    const listed = [...world.testServer.server.routes].flatMap(([url, methods]) =>
      methods.filter((method) => method !== 'HEAD').map((method) => `${method} ${url}`),
    );
    const inPortal = listed.filter((route) => route.includes(' /api/portal/'));
    expect(routes.map(inWords).sort()).toEqual(inPortal.sort());
    const inApi = listed.filter((route) => / \/(api\/v1\/|SendSMS$)/.test(route));
    expect(inApi.length).toBeGreaterThan(20);
    const missing = inApi.filter((route) => !routes.some((one) => `${one.method} ${apiPathOf(one)}` === route));
    // Anyone with a signed URL may get its file.
    expect(missing.filter((route) => !route.startsWith('GET /api/v1/media/'))).toEqual([]);
  });

  it('lets nobody in without a session but where that is meant', () => {
    const open = routes.filter(({ access }) => access === 'public').map(inWords);
    expect(open.sort()).toEqual(
      [
        ...['GET /api/portal/v1/setup-state', 'POST /api/portal/v1/setup', 'POST /api/portal/v1/setup/look'],
        ...['POST /api/portal/v1/invitation', 'POST /api/portal/v1/invitation/look'],
        ...['POST /api/portal/v1/sign-in', 'POST /api/portal/v1/sign-in/totp'],
        ...['POST /api/portal/v1/password-reset', 'POST /api/portal/v1/password-reset/look'],
        'POST /api/portal/v1/password-reset/finish',
        ...['POST /api/portal/v1/sign-in/sso/begin', 'POST /api/portal/v1/sign-in/sso/finish'],
        ...['POST /api/portal/v1/sign-in/passkey', 'POST /api/portal/v1/sign-in/passkey/begin'],
      ].sort(),
    );
  });

  it('requires a recent sign-in where secrets and people are changed', () => {
    const recent = routes.filter(({ recent, url }) => recent && !url.includes('/probe/')).map(inWords);
    expect(recent.sort()).toEqual(
      [
        ...['POST /api/portal/v1/me/totp/begin', 'POST /api/portal/v1/me/totp/finish'],
        ...['POST /api/portal/v1/me/totp/remove', 'POST /api/portal/v1/endpoints'],
        ...['POST /api/portal/v1/me/passkeys/begin', 'POST /api/portal/v1/me/passkeys'],
        'DELETE /api/portal/v1/me/passkeys/:passkeyId',
        'POST /api/portal/v1/endpoints/:endpointId/rotate-secret',
        ...[
          'POST /api/portal/v1/me/recovery-codes',
          'POST /api/portal/v1/users/:userId',
          'POST /api/portal/v1/users/:userId/sessions/end',
        ],
        'POST /api/portal/v1/users/invitations',
        ...['POST /api/portal/v1/keys', 'POST /api/portal/v1/keys/:keyId'],
        ...['POST /api/portal/v1/carriers', 'POST /api/portal/v1/carriers/test'],
        ...['POST /api/portal/v1/carriers/:carrierId', 'POST /api/portal/v1/accounts/:accountId/owner'],
        ...['POST /api/portal/v1/keys/:keyId/rotate', 'POST /api/portal/v1/keys/:keyId/revoke'],
        ...['POST /api/portal/v1/company/erasures', 'POST /api/portal/v1/company/second-factor'],
        ...['GET /api/portal/v1/backups/:name', 'DELETE /api/portal/v1/backups/:name'],
        'POST /api/portal/v1/backups/:name/download',
        'GET /api/portal/v1/home/pair',
      ].sort(),
    );
  });
});

describe('every route', () => {
  it('answers nobody who is not signed in', async () => {
    for (const route of routes.filter(({ access }) => access !== 'public')) {
      const body = isUnsafe(route) ? {} : undefined;
      const answer = await world.browser().call(route.method, aimed(route), body);
      expect([inWords(route), answer.status, answer.json.reason]).toEqual([inWords(route), 401, 'NOT_SIGNED_IN']);
      holdsHeaders(answer);
    }
  });

  it('is shut to somebody whose second factor is overdue, but for their own sign-in', async () => {
    const { records } = world;
    const rule = { roles: [...roles], graceDays: 0, since: 0 };
    world.setRecords({ ...records, accounts: records.accounts.map((one) => ({ ...one, secondFactor: rule })) });
    const open: string[] = [];
    for (const route of routes) {
      if (route.access === 'public' || inWords(route).endsWith('/sign-out')) continue;
      const { status, json } = await call(route, 'Owner');
      if (status !== 403 || json?.reason !== 'SECOND_FACTOR_NEEDED') open.push(route.url.split('/')[4]!);
    }
    world.setRecords(records);
    // Anyone may read what a code means.
    expect([...new Set(open)].sort()).toEqual(['me', 'reasons']);
  });

  it.each(roles)(
    'lets a %s in exactly where the table says',
    async (role) => {
      for (const route of routes) {
        const { access } = route;
        if (access === 'public') continue;
        const answer = await call(route, role);
        const may = access === 'signed in' || agreed[access].includes(role);
        const isRefused = answer.json?.reason === 'FORBIDDEN' && answer.json.data?.permission === access;
        expect([role, inWords(route), isRefused], answer.text).toEqual([role, inWords(route), !may]);
        expect(answer.status === 403).toBe(!may);
        if (!may) expect(answer.json.data.who).not.toBe('');
        holdsHeaders(answer);
      }
    },
    60_000,
  );

  it('that changes something needs the token of the session', async () => {
    for (const route of routes.filter((one) => isUnsafe(one) && one.access !== 'public')) {
      const person = await world.as('Owner');
      const other = await world.as('Owner');
      for (const token of ['', 'wrong', other.csrf, `${person.csrf}x`]) {
        const answer = await person.call(route.method, aimed(route), {}, { headers: { 'x-helio-csrf': token } });
        expect([inWords(route), answer.status, answer.json.reason]).toEqual([inWords(route), 403, 'CROSS_SITE']);
        holdsHeaders(answer);
      }
    }
  });

  it('that changes something is refused to other sites, and to requests without an origin', async () => {
    const sites: Record<string, string>[] = [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
      { 'sec-fetch-site': 'same-origin', origin: 'https://evil.example' },
      { origin: 'null' },
    ];
    for (const route of routes.filter(isUnsafe)) {
      const person = await world.as('Owner');
      for (const headers of sites) {
        const answer = await person.call(route.method, aimed(route), {}, { headers });
        expect([inWords(route), headers, answer.json.reason]).toEqual([inWords(route), headers, 'CROSS_SITE']);
      }
      const silent = Object.assign(world.browser(), { cookie: person.cookie, csrf: person.csrf, silent: true });
      expect((await silent.call(route.method, aimed(route), {})).json.reason).toBe('CROSS_SITE');
    }
  });

  it('that requires a recent sign-in asks for the password later', async () => {
    for (const route of routes.filter(({ recent }) => recent)) {
      const person = await world.as('Owner');
      world.clock.pass(peopleTimes.recentMs);
      const answer = await person.call(route.method, aimed(route), {});
      expect([inWords(route), answer.json.reason]).toEqual([inWords(route), 'RECENT_SIGN_IN_NEEDED']);
    }
  });

  it('leaves the other company unchanged, regardless of the role', async () => {
    const [invited, session] = await theirs();
    const before = await picture();
    for (const route of routes) {
      if (route.access === 'public' || !/:(userId|invitationId|sessionId)/.test(route.url)) continue;
      for (const role of roles) {
        world.clock.pass(10_000);
        const person = await world.as(role);
        const url = aimed({
          ...route,
          url: route.url.replace(':invitationId', invited).replace(':sessionId', session),
        });
        const answer = await person.call(route.method, url, { role: 'Viewer', disabled: true });
        expect([403, 404]).toContain(answer.status);
      }
    }
    expect(await picture()).toEqual(before);
  });

  it('has words of the audit log for each route of the API that changes something', () => {
    const changing = world.portal.registry.filter(({ method, mirrors }) => mirrors !== null && method !== 'GET');
    const wordless = changing.filter(({ record, mirrors }) => {
      const { people } = record as { people?: { audit?: string } };
      return people?.audit === undefined && !recordedElsewhere.test(mirrors!);
    });
    expect(wordless.map(inWords)).toEqual([]);
    expect(changing.length).toBeGreaterThan(20);
  });

  it('takes another method for no way in', async () => {
    const person = await world.as('Owner');
    for (const method of ['PUT', 'TRACE', 'OPTIONS', 'PROPFIND']) {
      for (const path of ['/me', '/users', '/send', '/audit']) {
        const answer = await person.call(method, path);
        expect(answer.status).toBe(405);
        holdsHeaders(answer);
      }
    }
    // A wider path would match it and look for a carrier of that name.
    expect((await person.call('POST', '/carriers/errors')).status).toBe(405);
    const none = await person.call('GET', '/nothing');
    expect(none.status).toBe(404);
    holdsHeaders(none);
  });
});

async function theirs(): Promise<[invitationId: string, sessionId: string]> {
  const owner = await world.as('Owner', 'acc_two');
  const { invitationId } = (
    await owner.call('POST', '/users/invitations', { email: 'guest@two.example', role: 'Viewer' })
  ).json.data;
  const [session] = (await owner.call('GET', '/me/sessions')).json.data;
  return [invitationId, session.sessionId];
}

/** Everything in the store about the second company's people. */
async function picture(): Promise<unknown> {
  const users = await world.store.users({ accountId: 'acc_two' });
  const sessions = await Promise.all(users.map(({ userId }) => world.store.sessions(userId)));
  const keys = await world.store.oneTimeKeys({ accountId: 'acc_two', purpose: 'invitation' });
  expect(users.map(({ email }) => email)).toContain(emailOf('Viewer', 'acc_two'));
  return { users, sessions, keys };
}
