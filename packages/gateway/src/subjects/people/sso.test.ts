/** Sign-in through a real identity provider on loopback: who gets in, as whom, with which role, and who is refused. */
import { chmodSync, writeFileSync } from 'node:fs';
import { createGuardedFetch } from '@heliograph/guarded-fetch';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { movedClock } from '../../../../../test/props/clock.ts';
import {
  type IdentityProvider,
  oidcClient,
  openIdentityProvider,
  type ProvidersPerson,
  signInAtProvider,
} from '../../../../../test/props/identity-provider.ts';
import { privateFile } from '../../../../../test/props/private-file.ts';
import { createOidcClient, type OidcClientParts } from '../../app/oidc-client.ts';
import { type Browser, emailOf, good, openPortalWorld, type PortalWorld } from '../../http/portal/portal-fixture.ts';
import { keptLog, type LogLine } from '../../http/server-fixture.ts';
import { peopleTimes, type User } from '../../model/people.ts';
import type { SsoSettings } from './people-parts.ts';
import { localPath } from './sso.ts';

const redirectUri = 'https://texts.rockets.example/login/sso';
const guarded = createGuardedFetch();
const log: LogLine[] = [];
const secretFile = privateFile(oidcClient.secret);

let provider: IdentityProvider;
let world: PortalWorld;
beforeAll(async () => {
  provider = await openIdentityProvider(redirectUri);
});
afterAll(async () => {
  await provider.close();
  guarded.close();
});
afterEach(() => world.close());

const settings: SsoSettings = {
  ...{ issuer: '', name: 'Acme', roles: null, roleClaim: 'groups', roleElse: null, accounts: null },
  ...{ accountClaim: 'company', account: 'acc_one', domains: [], creates: false, passwords: true, secondFactor: [] },
};

function client(changes: Partial<OidcClientParts> = {}) {
  const policy = { allowPrivate: true, extraPorts: [], ownNames: [], ownPorts: [], simulators: [], ownAddresses: [] };
  const { issuer } = provider;
  return createOidcClient({
    ...{ clock: movedClock(), logger: keptLog(log), guarded, policy: () => policy, issuer, redirectUri },
    ...{ clientId: oidcClient.id, clientSecretFile: secretFile, scopes: 'openid email profile' },
    ...changes,
  });
}

async function open(changes: Partial<SsoSettings> = {}, parts?: Partial<OidcClientParts>): Promise<PortalWorld> {
  const { issuer } = provider;
  world = await openPortalWorld({ sso: { settings: { ...settings, issuer, ...changes }, client: client(parts) } });
  return world;
}

const viewer: ProvidersPerson = { sub: 'v-1', email: emailOf('Viewer'), email_verified: true, name: 'Vera' };

async function begun(browser: Browser, next?: string, again = false): Promise<string> {
  return (await browser.call('POST', '/sign-in/sso/begin', { next, again })).json.data.url;
}

async function came(person: ProvidersPerson | null, browser = world.browser(), next?: string) {
  provider.person = person;
  const query = await signInAtProvider(await begun(browser, next), redirectUri);
  return { browser, query, answer: await browser.call('POST', '/sign-in/sso/finish', { query }) };
}

const reasonOf = async (person: ProvidersPerson | null) => (await came(person)).answer.json.reason;
const userOf = async (email: string): Promise<User | undefined> => (await world.store.users({ email }))[0];
const words = async () =>
  (await world.store.audit({ accountId: 'acc_one', before: null, userId: null, what: null, limit: 20 })).entries.map(
    ({ what }) => what,
  );

describe('a person of the provider', () => {
  it('is linked by their verified address the first time, and known by their subject afterwards', async () => {
    const { browser } = await open();
    const { browser: mine, answer } = await came(viewer, browser(), '/messages?q=a');
    expect(answer.json.data).toMatchObject({ to: '/messages?q=a', entered: { next: 'done' } });
    expect((await mine.call('GET', '/me')).json.data.user.email).toBe(emailOf('Viewer'));
    expect(await words()).toEqual(['sign_in', 'sign_in.linked']);
    // With another address there, or none, it is still the same person.
    const { answer: again } = await came({ sub: 'v-1', email: emailOf('Support'), email_verified: true });
    expect(again.json.data.entered.me.user.email).toBe(emailOf('Viewer'));
    expect((await came({ sub: 'v-1' })).answer.json.data.entered.me.user.email).toBe(emailOf('Viewer'));
    // The address already belongs to a person, and nobody else can take it over.
    expect(await reasonOf({ ...viewer, sub: 'v-2' })).toBe('SSO_LINKED');
  });

  it.each<[string, ProvidersPerson, string]>([
    ['an address that is not verified', { ...viewer, sub: 'x-1', email_verified: false }, 'SSO_UNVERIFIED'],
    ['an address that nobody vouches for', { sub: 'x-2', email: emailOf('Owner') }, 'SSO_UNVERIFIED'],
    ['no address', { sub: 'x-3' }, 'SSO_NO_ADDRESS'],
    ['an address that nobody has', { sub: 'x-4', email: 'new@rockets.example', email_verified: true }, 'SSO_UNKNOWN'],
  ])('with %s is nobody here', async (_, person, reason) => {
    await open();
    expect(await reasonOf(person)).toBe(reason);
    expect((await world.store.users({ accountId: 'acc_one' })).filter(({ identity }) => identity !== null)).toEqual([]);
  });

  it('becomes a user where that is wanted, with a role by the claims, and without a password', async () => {
    await open({ creates: true, roles: new Map([['helpers', 'Support']]) });
    const person = {
      sub: 'n-1',
      email: 'new@rockets.example',
      email_verified: true,
      name: 'Nora',
      groups: ['helpers'],
    };
    expect((await came(person)).answer.json.data.entered.me.user).toMatchObject({
      ...{ name: 'Nora', role: 'Support', operator: false, password: false },
    });
    expect(await userOf(person.email)).toMatchObject({ passwordHash: null, accountId: 'acc_one' });
    expect((await world.browser().signIn(person.email, good)).status).toBe(400);
    expect(await reasonOf({ ...person, sub: 'n-2', email: 'two@rockets.example', groups: [] })).toBe('SSO_ROLE');
    expect((await words()).filter((word) => word !== 'sign_in.failed')).toEqual(['sign_in', 'user.made_by_sso']);
  });

  it('has the role that the claims give at each sign-in, and the sessions of the old one end', async () => {
    await open({
      roles: new Map([
        ['admins', 'Admin'],
        ['watchers', 'Viewer'],
      ] as const),
    });
    const { browser } = await came({ ...viewer, groups: ['watchers', 'admins'] });
    expect((await browser.call('GET', '/me')).json.data.user.role).toBe('Admin');
    const { answer } = await came({ ...viewer, groups: ['watchers'] });
    expect(answer.json.data.entered.me.user.role).toBe('Viewer');
    expect((await browser.call('GET', '/me')).status).toBe(401);
    expect(await reasonOf({ ...viewer, groups: ['others'] })).toBe('SSO_ROLE');
    expect(await words()).toContain('sign_in.sso_refused');
    expect(await words()).toContain('user.changed_by_sso');
  });

  it('stays Owner while there is no other, whatever the claims say; an operator stays operator', async () => {
    await open({ roles: new Map([['watchers', 'Viewer']] as const) });
    const owner = { sub: 'o-1', email: emailOf('Owner'), email_verified: true, groups: ['watchers'] };
    expect((await came(owner)).answer.json.data.entered.me.user).toMatchObject({ role: 'Owner', operator: true });
    expect(world.peopleLog.map(({ message }) => message)).toContain(
      'the identity provider would leave a company without an Owner',
    );
  });

  it('belongs to the company of the claims, and moves to no other by them', async () => {
    const accounts = new Map([
      ['rockets', 'acc_one'],
      ['bakery', 'acc_two'],
    ]);
    await open({ creates: true, roleElse: 'Viewer', accounts, account: null });
    const person = { sub: 'c-1', email: 'c@bakery.example', email_verified: true };
    expect(await reasonOf(person)).toBe('SSO_COMPANY');
    expect((await came({ ...person, company: 'bakery' })).answer.json.data.entered.me.account.accountId).toBe(
      'acc_two',
    );
    expect(await reasonOf({ ...person, company: 'rockets' })).toBe('SSO_OTHER_COMPANY');
    expect(await reasonOf({ ...viewer, company: 'bakery' })).toBe('SSO_OTHER_COMPANY');
    expect((await userOf(viewer.email!))!.identity).toBeNull();
  });

  it('is refused with another domain, and when they are disabled here', async () => {
    await open({ domains: ['rockets.example'] });
    expect(await reasonOf(viewer)).toBe('SSO_DOMAIN');
    await world.close();
    await open();
    const user = world.user('Viewer');
    await world.store.changePeople([
      { rules: [], writes: [{ write: 'user', user: { ...user, disabledAt: 1 } }], audit: [] },
    ]);
    expect(await reasonOf(viewer)).toBe('SSO_DISABLED');
  });
});

describe('the second factor', () => {
  const rule = { roles: ['Viewer' as const], graceDays: 0, since: 0 };
  const ask = () =>
    world.setRecords({
      ...world.records,
      accounts: world.records.accounts.map((one) => ({ ...one, secondFactor: rule })),
    });

  it('is required here, unless the provider says that it has checked two', async () => {
    await open({ secondFactor: ['mfa'] });
    ask();
    const { browser } = await came(viewer);
    expect((await browser.call('GET', '/users')).json.reason).toBe('SECOND_FACTOR_NEEDED');
    const { browser: strong } = await came({ ...viewer, amr: ['pwd', 'mfa'] });
    expect((await strong.call('GET', '/users')).status).toBe(200);
    expect((await strong.call('GET', '/me')).json.data.secondFactorDue).toBeNull();
    // It applies to that session only.
    expect((await (await world.as('Viewer')).call('GET', '/users')).json.reason).toBe('SECOND_FACTOR_NEEDED');
  });

  it('of this gateway is required after the provider, by default', async () => {
    await open();
    const user = { ...world.user('Viewer'), totp: { secret: 'sealed:x', lastStep: 0, since: 0 } };
    await world.store.changePeople([{ rules: [], writes: [{ write: 'user', user }], audit: [] }]);
    const { browser, answer } = await came({ ...viewer, amr: ['mfa'] });
    expect(answer.json.data.entered).toMatchObject({ next: 'totp', authenticator: true });
    expect((await browser.call('GET', '/me')).status).toBe(401);
  });
});

describe('proving again who is there', () => {
  it('is done at the provider, which asks; an old session there is no proof', async () => {
    const { clock } = await open();
    // The gateway uses the test clock and the provider the real one, so the provider is ahead.
    clock.set(Date.now());
    const { browser } = await came(viewer);
    expect((await browser.call('GET', '/me')).json.data.recent).toBe(true);
    clock.pass(peopleTimes.recentMs);
    expect((await browser.call('GET', '/me')).json.data.recent).toBe(false);
    const url = new URL(await begun(world.browser(), '/profile', true));
    expect(url.searchParams.get('prompt')).toBe('login');
    clock.set(Date.now());
    const again = world.browser();
    const query = await signInAtProvider(await begun(again, '/profile', true), redirectUri);
    expect((await again.call('POST', '/sign-in/sso/finish', { query })).json.data.to).toBe('/profile');
    expect((await again.call('GET', '/me')).json.data.recent).toBe(true);
    // Two hours later a person presents the old proof.
    clock.set(Date.now() + 7_200_000);
    const late = world.browser();
    const old = await signInAtProvider(await begun(late, '/profile', true), redirectUri);
    expect((await late.call('POST', '/sign-in/sso/finish', { query: old })).status).toBe(200);
    expect((await late.call('GET', '/me')).json.data.recent).toBe(false);
  });
});

describe('passwords', () => {
  it('are for operators alone where the operator says so', async () => {
    await open({ passwords: false });
    expect((await world.browser().call('GET', '/setup-state')).json.data.sso).toEqual({
      name: 'Acme',
      passwords: false,
    });
    const refused = await world.browser().signIn(emailOf('Viewer'));
    expect([refused.status, refused.json.reason]).toEqual([403, 'SSO_ONLY']);
    // A wrong password reveals nothing.
    expect((await world.browser().signIn(emailOf('Viewer'), 'wrong horse battery')).json.reason).toBe('NOT_ACCEPTED');
    expect((await world.browser().signIn(emailOf('Owner'))).status).toBe(200);
  });
});

describe('an answer of the provider', () => {
  it('counts once, in the browser that began, for ten minutes, with its own state', async () => {
    const { browser, clock } = await open();
    const { browser: mine, query } = await came(viewer);
    // The cookie of the flow is gone, and so is the code.
    expect((await mine.call('POST', '/sign-in/sso/finish', { query })).json.reason).toBe('SSO_STATE');

    const [begins, other] = [browser(), browser()];
    const sent = await signInAtProvider(await begun(begins), redirectUri);
    await begun(other);
    expect((await other.call('POST', '/sign-in/sso/finish', { query: sent })).json.reason).toBe('SSO_STATE');
    expect((await browser().call('POST', '/sign-in/sso/finish', { query: sent })).json.reason).toBe('SSO_STATE');
    const flow = begins.cookie;
    const forged = sent.replace(/state=[^&]+/, 'state=somebody-elses');
    expect((await begins.call('POST', '/sign-in/sso/finish', { query: forged })).json.reason).toBe('SSO_STATE');
    begins.cookie = flow;
    clock.pass(peopleTimes.ssoMs);
    expect((await begins.call('POST', '/sign-in/sso/finish', { query: sent })).json.reason).toBe('SSO_STATE');
  });

  it('with the code of another sign-in is refused', async () => {
    const { browser } = await open();
    provider.person = viewer;
    const [one, two] = [browser(), browser()];
    const mine = new URLSearchParams(await signInAtProvider(await begun(one), redirectUri));
    const theirs = new URLSearchParams(await signInAtProvider(await begun(two), redirectUri));
    mine.set('code', theirs.get('code')!);
    expect((await one.call('POST', '/sign-in/sso/finish', { query: `?${mine}` })).json.reason).toBe('SSO_ANSWER');
  });

  it('that is a refusal is shown; after five of them the client has to wait', async () => {
    await open();
    for (let i = 0; i < 5; i++) expect(await reasonOf(null)).toBe('SSO_DENIED');
    expect((await came(viewer)).answer.status).toBe(429);
    world.clock.pass(15 * 60_000);
    expect((await came(viewer)).answer.status).toBe(200);
  });

  it('from another issuer is refused', async () => {
    await open();
    provider.person = viewer;
    const browser = world.browser();
    const query = await signInAtProvider(await begun(browser), redirectUri);
    const forged = query.replace(/iss=[^&]+/, `iss=${encodeURIComponent('https://evil.example')}`);
    expect(forged).not.toBe(query);
    expect((await browser.call('POST', '/sign-in/sso/finish', { query: forged })).json.reason).toBe('SSO_ISSUER');
  });

  it('whose clock is far away says so', async () => {
    const slow: OidcClientParts['guarded'] = {
      fetch: async (request) => {
        if (!request.url.endsWith('/token')) return guarded.fetch(request);
        // The provider runs in this process, and issues a token dated two hours ago.
        vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 7_200_000 });
        try {
          return await guarded.fetch(request);
        } finally {
          vi.useRealTimers();
        }
      },
    };
    await open({}, { guarded: slow });
    expect(await reasonOf(viewer)).toBe('SSO_CLOCK');
  });

  it('that cannot be had says so: away, or behind the egress policy', async () => {
    await open({}, { issuer: 'http://127.0.0.1:9' });
    const answer = await world.browser().call('POST', '/sign-in/sso/begin', {});
    expect([answer.status, answer.json.reason]).toEqual([400, 'SSO_UNREACHABLE']);
    await world.close();
    const policy = {
      allowPrivate: false,
      extraPorts: [],
      ownNames: [],
      ownPorts: [],
      simulators: [],
      ownAddresses: [],
    };
    await open({}, { policy: () => policy });
    expect((await world.browser().call('POST', '/sign-in/sso/begin', {})).json.reason).toBe('SSO_UNREACHABLE');
    await world.close();
    await open({}, { clientSecretFile: privateFile('wrong') });
    expect(await reasonOf(viewer)).toBe('SSO_SETTINGS');
    expect(JSON.stringify(log)).not.toContain(oidcClient.secret);
  });

  it('has a client secret that the gateway alone can read, at the start and later', async () => {
    const file = privateFile('');
    expect(() => client({ clientSecretFile: file })).toThrow(/HELIO_OIDC_CLIENT_SECRET_FILE=.* holds no secret/);
    writeFileSync(file, 'secret-of-no-worth');
    chmodSync(file, 0o644);
    expect(() => client({ clientSecretFile: file })).toThrow(/is open to everybody \(mode 0644\)/);
    chmodSync(file, 0o600);
    await open({}, { clientSecretFile: file });
    chmodSync(file, 0o644);
    expect((await world.browser().call('POST', '/sign-in/sso/begin', {})).json.reason).toBe('SSO_SETTINGS');
    expect(JSON.stringify(log)).toContain('is open to everybody');
  });

  it('leads to pages of this site alone', async () => {
    for (const next of [
      'https://evil.example',
      '//evil.example',
      '/\\evil.example',
      '/\t/evil.example',
      'javascript:alert(1)',
    ]) {
      expect(localPath(next)).toBeNull();
    }
    expect(localPath('/messages?q=to:1#x')).toBe('/messages?q=to:1#x');
    await open();
    expect((await came(viewer, world.browser(), '//evil.example/x')).answer.json.data.to).toBeNull();
  });

  it('is nothing where there is no provider', async () => {
    world = await openPortalWorld();
    expect((await world.browser().call('GET', '/setup-state')).json.data.sso).toBeNull();
    for (const path of ['begin', 'finish']) {
      const answer = await world.browser().call('POST', `/sign-in/sso/${path}`, { query: '' });
      expect(answer.json.reason).toMatch(/^SSO_OFF$|^INVALID_FIELD$/);
    }
  });
});
