/** Passkeys with a real library and a software authenticator: added, used, copied, forged, replayed, removed. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Authenticator, createAuthenticator, type Wrong } from '../../../../../test/props/authenticator.ts';
import { t0 } from '../../../../../test/props/clock.ts';
import { type Browser, emailOf, good, openPortalWorld, type PortalWorld } from '../../http/portal/portal-fixture.ts';
import { peopleTimes } from '../../model/people.ts';
import { challengeLimits } from './passkey-challenges.ts';

const origin = 'https://texts.rockets.example';
const publicUrl = origin;

let world: PortalWorld;
let mine: Authenticator;
beforeEach(async () => {
  world = await openPortalWorld({ testServer: { config: { publicUrl } } });
  mine = createAuthenticator(origin);
});
afterEach(() => world.close());

const host = { headers: { host: 'texts.rockets.example' } };

async function added(browser: Browser, by = mine, wrong?: Wrong) {
  const { options } = (await browser.call('POST', '/me/passkeys/begin')).json.data;
  return browser.call('POST', '/me/passkeys', { name: 'My telephone', response: by.create(options, wrong) });
}

async function begun(browser: Browser) {
  return (await browser.call('POST', '/sign-in/passkey/begin')).json.data.options;
}

async function used(wrong?: Wrong, browser = world.browser()) {
  const response = mine.get(await begun(browser), wrong);
  return { browser, response, answer: await browser.call('POST', '/sign-in/passkey', { response }) };
}

const words = async () =>
  (await world.store.audit({ accountId: 'acc_one', before: null, userId: null, what: null, limit: 20 })).entries.map(
    ({ what }) => what,
  );

describe('a passkey', () => {
  it('is added, gives recovery codes once, and signs in without an address and without a second factor', async () => {
    const viewer = await world.as('Viewer');
    const answer = await added(viewer);
    expect(answer.json.data.passkey).toMatchObject({ name: 'My telephone', lastUsedAt: null });
    expect(answer.json.data.recoveryCodes).toHaveLength(10);
    expect((await added(viewer, createAuthenticator(origin))).json.data.recoveryCodes).toBeNull();
    const { browser, answer: signedIn } = await used();
    expect(signedIn.json.data).toMatchObject({
      next: 'done',
      me: { user: { email: emailOf('Viewer'), twoFactor: true, authenticator: false, passkeys: 2 } },
    });
    expect((await browser.call('GET', '/me/passkeys')).json.data).toMatchObject({
      none: null,
      at: origin,
      passkeys: [{ lastUsedAt: null }, { lastUsedAt: expect.any(String) }],
    });
    expect(await words()).toEqual(['sign_in', 'passkey.added', 'passkey.added', 'sign_in']);
  });

  it('is required after a password, or a recovery code, without exception', async () => {
    const viewer = await world.as('Viewer');
    const [code] = (await added(viewer)).json.data.recoveryCodes;
    const visitor = world.browser();
    const half = await visitor.signIn(emailOf('Viewer'), good);
    expect(half.json.data).toMatchObject({ next: 'totp', authenticator: false, passkey: true });
    expect(visitor.cookie).toBeNull();
    const { challenge } = half.json.data;
    expect((await visitor.call('POST', '/sign-in/totp', { challenge, code: '123456' })).status).toBe(400);
    expect((await visitor.call('POST', '/sign-in/totp', { challenge, code })).json.data.next).toBe('done');
  });

  it('keeps its challenge to one answer, for some minutes', async () => {
    await added(await world.as('Viewer'));
    const { browser, response, answer } = await used();
    expect(answer.status).toBe(200);
    // Signature and counter are right; only the challenge is already used.
    const options = await begun(browser);
    const first = mine.get(options);
    const second = mine.get(options);
    expect((await world.browser().call('POST', '/sign-in/passkey', { response })).json.reason).toBe('NOT_ACCEPTED');
    expect((await world.browser().call('POST', '/sign-in/passkey', { response: first })).status).toBe(200);
    expect((await world.browser().call('POST', '/sign-in/passkey', { response: second })).status).toBe(400);
    const late = mine.get(await begun(browser));
    world.clock.pass(peopleTimes.challengeMs);
    expect((await world.browser().call('POST', '/sign-in/passkey', { response: late })).status).toBe(400);
  });

  it.each<[string, Wrong]>([
    ['made at another site', { origin: 'https://evil.example' }],
    ['made for another site', { rpId: 'evil.example' }],
    ['whose person was not verified', { unverified: true }],
    ['signed by another key', { forged: true }],
    ['with a challenge of their own', { challenge: Buffer.alloc(32).toString('base64url') }],
    ['of somebody unknown', { userHandle: Buffer.from('usr_nobody').toString('base64url') }],
  ])('is refused %s', async (_, wrong) => {
    await added(await world.as('Viewer'));
    const { answer, browser } = await used(wrong);
    expect([answer.status, answer.json.reason]).toEqual([400, 'NOT_ACCEPTED']);
    expect(browser.cookie).toBeNull();
    expect((await used()).answer.status).toBe(200);
  });

  it('whose counter goes back may be a copy: it is refused, and the audit log says so', async () => {
    await added(await world.as('Viewer'));
    expect((await used({ counter: 7 })).answer.status).toBe(200);
    expect((await used({ counter: 7 })).answer.status).toBe(400);
    expect((await used({ counter: 6 })).answer.status).toBe(400);
    expect((await used({ counter: 8 })).answer.status).toBe(200);
    const { entries } = await world.store.audit({
      ...{ accountId: 'acc_one', before: null, userId: null, what: 'sign_in.passkey_failed', limit: 9 },
    });
    expect(entries.map(({ after }) => after?.why)).toEqual(['counter', 'counter']);
  });

  it('belongs to its person: another one’s handle does not make it theirs', async () => {
    await added(await world.as('Viewer'));
    const owner = Buffer.from(world.user('Owner').userId).toString('base64url');
    expect((await used({ userHandle: owner })).answer.status).toBe(400);
  });

  it('of a disabled person signs nobody in', async () => {
    await added(await world.as('Viewer'));
    const [viewer] = await world.store.users({ email: emailOf('Viewer') });
    await world.store.changePeople([
      { rules: [], writes: [{ write: 'user', user: { ...viewer!, disabledAt: 1 } }], audit: [] },
    ]);
    expect((await used()).answer.status).toBe(400);
  });

  it('is not added unverified, for another session, or twice with one challenge', async () => {
    const [viewer, support] = [await world.as('Viewer'), await world.as('Support')];
    expect((await added(viewer, mine, { unverified: true })).status).toBe(409);
    const { options } = (await viewer.call('POST', '/me/passkeys/begin')).json.data;
    const response = mine.create(options);
    expect((await support.call('POST', '/me/passkeys', { name: 'x', response })).status).toBe(409);
    // The attempt in the wrong session has used up the challenge.
    expect((await viewer.call('POST', '/me/passkeys', { name: 'x', response })).status).toBe(409);
    expect((await viewer.call('POST', '/me/passkeys', { name: '', response })).json.fields).toHaveProperty('name');
    for (const rubbish of [
      undefined,
      null,
      'x',
      {},
      { id: 'x', response: {} },
      { id: 'x', response: { clientDataJSON: 'x' } },
    ]) {
      expect((await viewer.call('POST', '/me/passkeys', { name: 'x', response: rubbish })).status).toBe(409);
      expect((await world.browser().call('POST', '/sign-in/passkey', { response: rubbish })).status).toBe(400);
    }
    expect((await viewer.call('GET', '/me/passkeys')).json.data.passkeys).toEqual([]);
  });

  it('is renamed and removed by its person, after the password, and by nobody else', async () => {
    const [viewer, support] = [await world.as('Viewer'), await world.as('Support')];
    const { passkeyId } = (await added(viewer)).json.data.passkey;
    const path = `/me/passkeys/${passkeyId}`;
    expect((await support.call('POST', path, { name: 'Mine now' })).status).toBe(404);
    expect((await support.call('DELETE', path)).status).toBe(404);
    expect((await viewer.call('POST', path, { name: 'Old telephone' })).status).toBe(200);
    world.clock.pass(peopleTimes.recentMs);
    expect((await viewer.call('DELETE', path)).json.reason).toBe('RECENT_SIGN_IN_NEEDED');
    const response = mine.get(await begun(viewer));
    expect((await viewer.call('POST', '/me/confirm/passkey', { response })).status).toBe(200);
    expect((await viewer.call('DELETE', path)).status).toBe(200);
    expect((await used()).answer.status).toBe(400);
    // With the last second factor, its recovery codes are removed.
    expect((await viewer.call('GET', '/me')).json.data.user).toMatchObject({ twoFactor: false, recoveryCodesLeft: 0 });
    expect((await words()).filter((word) => word.startsWith('passkey.'))).toEqual([
      ...['passkey.removed', 'passkey.renamed', 'passkey.added'],
    ]);
  });

  it('of another person confirms nothing', async () => {
    const [viewer, support] = [await world.as('Viewer'), await world.as('Support')];
    await added(viewer);
    world.clock.pass(peopleTimes.recentMs);
    const response = mine.get(await begun(support));
    expect((await support.call('POST', '/me/confirm/passkey', { response })).status).toBe(400);
    expect((await support.call('POST', '/me/passkeys/begin')).json.reason).toBe('RECENT_SIGN_IN_NEEDED');
  });

  it('satisfies a required second factor', async () => {
    const viewer = await world.as('Viewer');
    world.setRecords({
      ...world.records,
      accounts: world.records.accounts.map((one) => ({
        ...one,
        secondFactor: { roles: ['Viewer' as const], graceDays: 0, since: 0 },
      })),
    });
    expect((await viewer.call('GET', '/users')).json.reason).toBe('SECOND_FACTOR_NEEDED');
    expect((await viewer.call('GET', '/me')).json.data.secondFactorDue).not.toBeNull();
    expect((await added(viewer)).status).toBe(200);
    expect((await viewer.call('GET', '/me')).json.data.secondFactorDue).toBeNull();
    expect((await viewer.call('GET', '/users')).status).toBe(200);
  });
});

describe('a second factor that the operator requires of everyone', () => {
  it('is due from the day on, in every company, and a passkey is one', async () => {
    await world.close();
    const day = 86_400_000;
    const secondFactorFrom = t0 + day;
    world = await openPortalWorld({ testServer: { config: { publicUrl, secondFactorFrom } } });
    const [viewer, other] = [await world.as('Viewer'), await world.as('Owner', 'acc_two')];
    expect((await viewer.call('GET', '/users')).status).toBe(200);
    const { data } = (await viewer.call('GET', '/me')).json;
    expect([data.secondFactorDue, data.secondFactorFrom].map(Date.parse)).toEqual([secondFactorFrom, secondFactorFrom]);
    world.clock.pass(day);
    const [late, elsewhere] = [await world.as('Viewer'), await world.as('Owner', 'acc_two')];
    for (const shut of [late, elsewhere]) {
      expect((await shut.call('GET', '/users')).json.reason).toBe('SECOND_FACTOR_NEEDED');
    }
    expect((await added(late)).status).toBe(200);
    expect((await late.call('GET', '/users')).status).toBe(200);
    expect((await other.call('GET', '/me')).status).toBe(401);
  });
});

describe('challenges', () => {
  it('are limited for each client', async () => {
    const visitor = world.browser();
    for (let i = 0; i < challengeLimits.perClient; i++) await begun(visitor);
    expect((await visitor.call('POST', '/sign-in/passkey/begin')).status).toBe(429);
    world.clock.pass(peopleTimes.challengeMs);
    expect((await visitor.call('POST', '/sign-in/passkey/begin')).status).toBe(200);
  });
});

describe('where passkeys cannot be', () => {
  it.each<[string | null, string]>([
    ['http://texts.rockets.example', 'https'],
    ['https://192.0.2.7', 'host name'],
    ['https://[2001:db8::1]', 'host name'],
    [null, 'no address'],
  ])('with %s the reason is: %s', async (url, none) => {
    await world.close();
    world = await openPortalWorld({ testServer: { config: { publicUrl: url } } });
    const viewer = await world.as('Viewer');
    const listed = await viewer.call('GET', '/me/passkeys', undefined, url === null ? host : {});
    expect(listed.json.data).toEqual({ passkeys: [], none, at: null });
    const refused = await viewer.call('POST', '/me/passkeys/begin', undefined, url === null ? host : {});
    expect([refused.status, refused.json.reason]).toEqual([409, 'NO_PASSKEYS']);
  });
});
