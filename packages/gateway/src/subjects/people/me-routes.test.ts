/** What people change about themselves: profile, password, second factor, sessions; replays, guesses, invalid input. */
import { TOTP } from 'otpauth';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type Browser,
  emailOf,
  good,
  guessable,
  openPortalWorld,
  type PortalWorld,
} from '../../http/portal/portal-fixture.ts';
import { peopleTimes } from '../../model/people.ts';
import { inLive, number } from '../../model/world-fixture.ts';

let world: PortalWorld;
beforeEach(async () => {
  world = await openPortalWorld();
});
afterEach(() => world.close());

const other = 'eleven herons over the weir';
const codeOf = (secret: string, atMs = world.clock.now()) => new TOTP({ secret }).generate({ timestamp: atMs });

async function withTotp(
  role: 'Owner' | 'Viewer' = 'Viewer',
): Promise<{ person: Browser; secret: string; codes: string[] }> {
  const person = await world.as(role);
  const { secret } = (await person.call('POST', '/me/totp/begin')).json.data;
  const answer = await person.call('POST', '/me/totp/finish', { code: codeOf(secret) });
  return { person, secret, codes: answer.json.data.recoveryCodes };
}

async function challenge(): Promise<{ person: Browser; token: string }> {
  const person = world.browser();
  const answer = await person.signIn(emailOf('Viewer'));
  expect(answer.json.data.next).toBe('totp');
  expect(person.cookie).toBeNull();
  return { person, token: answer.json.data.challenge };
}

describe('/me', () => {
  it('says who is signed in and what they may do, and no secret', async () => {
    const person = await world.as('Support');
    const answer = await person.call('GET', '/me');
    expect(answer.json.data).toMatchObject({
      user: { role: 'Support', operator: false, twoFactor: false, email: emailOf('Support') },
      account: { accountId: 'acc_one', status: 'active' },
      permissions: ['read', 'readBody', 'send', 'manageOptOuts'],
      environments: ['sandbox', 'live'],
      sandbox: true,
      version: '9.9.9',
      publicUrl: null,
      timeZone: null,
      recent: true,
    });
    expect(answer.text).not.toMatch(/plain:|passwordHash|idHash/);
  });

  it('shows the portal as a role that may less, and takes its permissions away meanwhile', async () => {
    const owner = await world.as('Owner');
    const before = (await owner.call('GET', '/me')).json.data;
    expect(before).toMatchObject({ viewAs: null, viewableRoles: ['Admin', 'Developer', 'Support', 'Viewer'] });
    const answer = await owner.call('POST', '/me/view-as', { role: 'Viewer' });
    const seen = { user: { role: 'Viewer', operator: false }, viewAs: 'Viewer', permissions: ['read', 'readUsage'] };
    expect(answer.json.data).toMatchObject(seen);
    expect((await owner.call('GET', '/me')).json.data).toMatchObject(seen);
    expect((await owner.call('GET', '/audit')).status).toBe(403);
    expect((await owner.call('GET', '/users/invitations')).status).toBe(403);
    // Changing their profile does not change their role.
    expect((await owner.call('POST', '/me', { name: 'Olga' })).json.data.user.role).toBe('Viewer');
    expect(await world.store.users({ userId: before.user.userId })).toMatchObject([
      { role: 'Owner', operator: true, name: 'Olga' },
    ]);
    // Another browser of the same person still has all permissions.
    expect((await (await world.as('Owner')).call('GET', '/audit')).status).toBe(200);
    const ended = await owner.call('POST', '/me/view-as', { role: null });
    expect(ended.json.data).toMatchObject({ viewAs: null, user: { role: 'Owner', operator: true } });
    const { entries } = (await owner.call('GET', '/audit?what=view_as')).json.data;
    expect(entries).toMatchObject([
      { what: 'view_as.ended', after: { role: 'Owner' } },
      { what: 'view_as.started', before: { role: 'Owner' }, after: { role: 'Viewer' } },
    ]);
  });

  it('is viewed as no role that may more, and by nobody who manages no people', async () => {
    const admin = await world.as('Admin');
    expect((await admin.call('POST', '/me/view-as', { role: 'Owner' })).status).toBe(403);
    expect((await admin.call('POST', '/me/view-as', { role: 'King' })).status).toBe(400);
    expect((await (await world.as('Developer')).call('POST', '/me/view-as', { role: 'Viewer' })).status).toBe(403);
    expect((await admin.call('POST', '/me/view-as', { role: 'Support' })).status).toBe(200);
    // The real role decides, so nobody gains a role step by step.
    expect((await admin.call('POST', '/me/view-as', { role: 'Developer' })).status).toBe(200);
    expect((await admin.call('GET', '/audit')).status).toBe(403);
  });

  it("uses the requested environment, else the company's own", async () => {
    const person = await world.as('Viewer');
    const environmentFor = async (value?: string) => {
      const headers: Record<string, string> = value === undefined ? {} : { 'x-helio-environment': value };
      return (await person.call('GET', '/me', undefined, { headers })).json.data.environment;
    };
    expect([await environmentFor(), await environmentFor('live'), await environmentFor('moon')]).toEqual([
      'sandbox',
      'live',
      'sandbox',
    ]);
    world.setRecords({ ...world.records, numbers: [number('12025550150', { ...inLive, campaignId: null })] });
    expect([await environmentFor(), await environmentFor('sandbox')]).toEqual(['live', 'sandbox']);
  });

  it('changes the profile, and nothing the form does not offer', async () => {
    const person = await world.as('Viewer');
    const form = { name: 'Vi', timeZone: 'Europe/Prague', language: 'es', singleKeys: false };
    const unasked = { role: 'Owner', operator: true, accountId: 'acc_two', email: 'x@y.example', userId: 'usr_1' };
    const refused = await person.call('POST', '/me', { ...form, ...unasked });
    expect(Object.keys(refused.json.fields)).toEqual(Object.keys(unasked));
    expect(refused.json.fields.role).toContain('no such field');
    const answer = await person.call('POST', '/me', form);
    expect(answer.json.data).toMatchObject({
      user: {
        name: 'Vi',
        role: 'Viewer',
        operator: false,
        email: emailOf('Viewer'),
        language: 'es',
        singleKeys: false,
      },
      timeZone: 'Europe/Prague',
    });
    const bad = await person.call('POST', '/me', { name: '\t', timeZone: 'Moon/Sea', language: '<b>' });
    expect(Object.keys(bad.json.fields).sort()).toEqual(['language', 'name', 'timeZone']);
    for (const language of ['xx', 'fr', 'es_MX', 'constructor']) {
      const { status, json } = await person.call('POST', '/me', { language });
      expect([status, json.fields?.language]).toEqual([
        400,
        'Choose one of: en, es. A region may follow, as in es-MX.',
      ]);
    }
    for (const language of ['en', 'es-MX', null, 'es']) {
      expect((await person.call('POST', '/me', { language })).json.data.user.language).toBe(language);
    }
    for (const body of [{ name: 7 }, { name: 'a\0b' }, { singleKeys: 'yes' }, [], 'x']) {
      expect((await person.call('POST', '/me', body)).status).toBe(400);
    }
    expect((await person.call('GET', '/me')).json.data.user.name).toBe('Vi');
  });
});

describe('the password', () => {
  it('ends every session when it is changed, and this browser gets a new one', async () => {
    const person = await world.as('Viewer');
    const elsewhere = await world.as('Viewer');
    const old = { cookie: person.cookie, csrf: person.csrf };
    expect((await person.call('POST', '/me/password', { current: good, next: other })).status).toBe(200);
    expect(person.cookie).not.toBe(old.cookie);
    expect((await person.call('POST', '/me', { name: 'Still here' })).status).toBe(200);
    expect((await elsewhere.call('GET', '/me')).status).toBe(401);
    const ghost = Object.assign(world.browser(), old);
    expect((await ghost.call('GET', '/me')).status).toBe(401);
    expect((await world.browser().signIn(emailOf('Viewer'))).status).toBe(400);
    expect((await world.browser().signIn(emailOf('Viewer'), other)).status).toBe(200);
  });

  it('is not changed without the old one, or to a bad one', async () => {
    const person = await world.as('Viewer');
    const wrong = await person.call('POST', '/me/password', { current: 'not this one', next: other });
    expect(wrong.json).toMatchObject({ reason: 'NOT_ACCEPTED', fields: { current: expect.any(String) } });
    const leaked = await person.call('POST', '/me/password', { current: good, next: guessable });
    expect(leaked.json.fields.next).toContain('a common one');
    const bad = await person.call('POST', '/me/password', { current: good, next: 'password1234' });
    expect(bad.json.fields).toHaveProperty('next');
    for (let n = 0; n < 4; n++) await person.call('POST', '/me/password', { current: 'not this one', next: other });
    expect((await person.call('POST', '/me/password', { current: good, next: other })).status).toBe(429);
    expect((await person.call('GET', '/me')).status).toBe(200);
  });

  it('is required again before sensitive actions', async () => {
    const person = await world.as('Viewer');
    world.clock.pass(peopleTimes.recentMs);
    expect((await person.call('GET', '/me')).json.data.recent).toBe(false);
    expect((await person.call('POST', '/me/totp/begin')).json.reason).toBe('RECENT_SIGN_IN_NEEDED');
    expect((await person.call('POST', '/me/confirm', { password: 'not this one' })).json.reason).toBe('NOT_ACCEPTED');
    expect((await person.call('POST', '/me/confirm', { password: good })).status).toBe(200);
    expect((await person.call('POST', '/me/totp/begin')).status).toBe(200);
    world.clock.pass(peopleTimes.recentMs);
    expect((await person.call('POST', '/me/totp/begin')).json.reason).toBe('RECENT_SIGN_IN_NEEDED');
  });
});

describe('the second factor', () => {
  it('is turned on by a code, shown once, and required at the next sign-in', async () => {
    const { person, secret, codes } = await withTotp();
    expect(codes).toHaveLength(10);
    expect((await person.call('GET', '/me')).json.data.user).toMatchObject({ twoFactor: true, recoveryCodesLeft: 10 });
    const [kept] = await world.store.users({ userId: world.user('Viewer').userId });
    expect(JSON.stringify(kept)).not.toContain(secret);
    for (const code of codes) expect(JSON.stringify(kept)).not.toContain(code);
    world.clock.pass(30_000);
    const { person: next, token } = await challenge();
    const answer = await next.call('POST', '/sign-in/totp', { challenge: token, code: ` ${codeOf(secret)} ` });
    expect(answer.json.data.me.user.twoFactor).toBe(true);
  });

  it('takes each code once, also for the next challenge, and never an older one', async () => {
    const { secret } = await withTotp();
    const used = codeOf(secret);
    const first = await challenge();
    expect((await first.person.call('POST', '/sign-in/totp', { challenge: first.token, code: used })).status).toBe(400);
    world.clock.pass(60_000);
    const second = await challenge();
    const code = codeOf(secret);
    expect((await second.person.call('POST', '/sign-in/totp', { challenge: second.token, code })).status).toBe(200);
    const third = await challenge();
    const older = codeOf(secret, world.clock.now() - 30_000);
    for (const again of [code, older]) {
      expect((await third.person.call('POST', '/sign-in/totp', { challenge: third.token, code: again })).status).toBe(
        400,
      );
    }
  });

  it('lets one in of many who bring the same code at once', async () => {
    const { secret } = await withTotp();
    world.clock.pass(30_000);
    const all = await Promise.all([1, 2, 3].map(challenge));
    const code = codeOf(secret);
    const answers = await Promise.all(
      all.map(({ person, token }) => person.call('POST', '/sign-in/totp', { challenge: token, code })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
  });

  it('takes the step before and after, and no other', async () => {
    const { secret } = await withTotp();
    world.clock.pass(5 * 60_000);
    const at = async (offsetMs: number) => {
      const { person, token } = await challenge();
      const code = codeOf(secret, world.clock.now() + offsetMs);
      return (await person.call('POST', '/sign-in/totp', { challenge: token, code })).status;
    };
    expect([await at(-60_000), await at(60_000), await at(-30_000), await at(30_000)]).toEqual([400, 400, 200, 200]);
  });

  it('ends a challenge after five tries, five minutes, or its use', async () => {
    const { secret } = await withTotp();
    world.clock.pass(30_000);
    const first = await challenge();
    const tries: string[] = [];
    for (let n = 0; n < 6; n++) {
      tries.push(
        (await first.person.call('POST', '/sign-in/totp', { challenge: first.token, code: '000000' })).json.reason,
      );
    }
    expect(tries).toEqual([...Array.from({ length: 5 }, () => 'NOT_ACCEPTED'), 'CHALLENGE_OVER']);
    world.clock.pass(15 * 60_000);
    const second = await challenge();
    world.clock.pass(peopleTimes.challengeMs);
    const late = { challenge: second.token, code: codeOf(secret) };
    expect((await second.person.call('POST', '/sign-in/totp', late)).json.reason).toBe('CHALLENGE_OVER');
    const third = await challenge();
    const right = { challenge: third.token, code: codeOf(secret) };
    expect((await third.person.call('POST', '/sign-in/totp', right)).status).toBe(200);
    expect((await world.browser().call('POST', '/sign-in/totp', right)).json.reason).toBe('CHALLENGE_OVER');
    for (const garbage of ['', 'x', '\u{1F600}', 'a'.repeat(999)]) {
      const answer = await world.browser().call('POST', '/sign-in/totp', { challenge: garbage, code: '123456' });
      expect(answer.json.reason).toBe('CHALLENGE_OVER');
    }
  });

  it('takes each recovery code once', async () => {
    const { codes } = await withTotp();
    const use = async (code: string) => {
      const { person, token } = await challenge();
      return (await person.call('POST', '/sign-in/totp', { challenge: token, code })).status;
    };
    expect(await use(codes[3]!.toLowerCase().replaceAll('-', ''))).toBe(200);
    expect(await use(codes[3]!)).toBe(400);
    expect(await use(codes[4]!)).toBe(200);
    const { person, token } = await challenge();
    await person.call('POST', '/sign-in/totp', { challenge: token, code: codes[5]! });
    expect((await person.call('GET', '/me')).json.data.user.recoveryCodesLeft).toBe(7);
    const fresh = (await person.call('POST', '/me/recovery-codes')).json.data.recoveryCodes;
    expect([await use(codes[6]!), await use(fresh[0])]).toEqual([400, 200]);
  });

  it('is not turned on by a wrong code, nor without beginning, and is turned off', async () => {
    const person = await world.as('Viewer');
    expect((await person.call('POST', '/me/totp/finish', { code: '123456' })).status).toBe(409);
    await person.call('POST', '/me/totp/begin');
    const bad = await person.call('POST', '/me/totp/finish', { code: 'abcdef' });
    expect(bad.json.fields).toHaveProperty('code');
    expect((await person.call('POST', '/me/recovery-codes')).status).toBe(409);
    const { person: withCodes, codes } = await withTotp('Owner');
    const remove = (code: string) => withCodes.call('POST', '/me/totp/remove', { code });
    for (const wrong of ['', '000000', 'AAAA-AAAA-AAAA-AAAA-AAAA-AAAA']) expect((await remove(wrong)).status).toBe(400);
    expect((await withCodes.call('GET', '/me')).json.data.user.twoFactor).toBe(true);
    expect((await remove(codes[0]!)).status).toBe(200);
    expect((await remove(codes[0]!)).status).toBe(409);
    expect((await withCodes.call('GET', '/me')).json.data.user).toMatchObject({
      twoFactor: false,
      recoveryCodesLeft: 0,
    });
  });
});

describe('sessions', () => {
  it('are listed and ended one by one or all but this', async () => {
    const first = await world.as('Viewer');
    world.clock.pass(1_000);
    const second = await world.as('Viewer');
    const list = (await second.call('GET', '/me/sessions')).json.data;
    expect(list).toMatchObject([{ current: true }, { current: false }]);
    expect(JSON.stringify(list)).not.toMatch(/idHash/);
    expect((await second.call('DELETE', `/me/sessions/${list[1].sessionId}`)).status).toBe(200);
    expect((await first.call('GET', '/me')).status).toBe(401);
    expect((await second.call('DELETE', `/me/sessions/${list[1].sessionId}`)).status).toBe(404);
    await world.as('Viewer');
    expect((await second.call('DELETE', '/me/sessions')).json.data).toEqual({ ended: 1 });
    expect((await second.call('DELETE', `/me/sessions/${list[0].sessionId}`)).status).toBe(200);
    expect(second.cookie).toBeNull();
  });

  it('of somebody else are not there', async () => {
    const owner = await world.as('Owner');
    const viewer = await world.as('Viewer');
    const [theirs] = (await viewer.call('GET', '/me/sessions')).json.data;
    expect((await owner.call('DELETE', `/me/sessions/${theirs.sessionId}`)).status).toBe(404);
    expect((await viewer.call('GET', '/me')).status).toBe(200);
  });
});
