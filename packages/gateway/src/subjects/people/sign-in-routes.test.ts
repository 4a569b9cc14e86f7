/** Sign-in and sign-out: setup, links, invitations; refusals, replays, expiry, cookies, guessing. */
import { afterEach, describe, expect, it } from 'vitest';
import {
  emailOf,
  good,
  openPortalWorld,
  type PortalWorld,
  plainHashing,
  type WorldOptions,
} from '../../http/portal/portal-fixture.ts';
import { peopleTimes } from '../../model/people.ts';
import { attemptLimits } from './attempts.ts';

let world: PortalWorld;
const open = async (options?: WorldOptions) => {
  world = await openPortalWorld(options);
  return world;
};
afterEach(() => world.close());

const setUp = { name: 'Ada', email: 'ada@rockets.example', password: good };

describe('the log', () => {
  it('has a line for each wrong try, with the address and without a name, for programs that shut addresses out', async () => {
    const { browser, peopleLog, as } = await open();
    const lines = () => peopleLog.filter(({ message }) => message === 'sign-in failed');
    const visitor = browser();
    await visitor.signIn(emailOf('Owner'), 'wrong horse battery');
    await visitor.signIn('nobody@nowhere.example', 'wrong horse battery');
    const line = { level: 'warn', message: 'sign-in failed', fields: { address: '127.0.0.1', what: 'password' } };
    expect(lines()).toEqual([line, line]);
    expect(JSON.stringify(peopleLog)).not.toMatch(/nobody|wrong horse/);
    await as('Owner');
    expect(lines()).toHaveLength(2);
  });
});

describe('the first administrator', () => {
  it('comes in with the key of the start card, once', async () => {
    const { people, browser, store } = await open({ empty: true });
    const visitor = browser();
    expect((await visitor.call('GET', '/setup-state')).json.data).toMatchObject({ needsSetup: true, version: '9.9.9' });
    const key = (await people.setUp.newKey())!;
    expect(key).toMatch(/^[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}$/);
    expect((await visitor.call('POST', '/setup/look', { key })).json.data).toEqual({ purpose: 'setup' });
    const typed = key.toLowerCase().replaceAll('-', ' ');
    const made = await visitor.call('POST', '/setup', { ...setUp, key: typed, company: 'Rockets' });
    expect(made.json).toMatchObject({
      success: true,
      data: {
        next: 'done',
        me: { user: { email: setUp.email, role: 'Owner', operator: true }, account: { name: 'Rockets' } },
      },
    });
    expect(visitor.cookie).toMatch(/^helio=[A-Za-z0-9_-]{43}$/);
    expect((await visitor.call('GET', '/me')).json.data).toMatchObject({ csrf: visitor.csrf, environment: 'sandbox' });
    expect((await visitor.call('GET', '/setup-state')).json.data.needsSetup).toBe(false);
    // A replay, another key, and a key requested now.
    expect((await browser().call('POST', '/setup', { ...setUp, key, email: 'b@b.example' })).json.reason).toBe(
      'LINK_OVER',
    );
    expect(await people.setUp.newKey()).toBeNull();
    const { entries } = await store.audit({ accountId: 'acc_one', before: null, userId: null, what: null, limit: 9 });
    expect(entries.map(({ what }) => what)).toEqual(['setup']);
    expect(JSON.stringify(entries)).not.toContain(good);
  });

  it('is refused with a key that is old, wrong, or replaced', async () => {
    const { people, browser, clock } = await open({ empty: true });
    const first = (await people.setUp.newKey())!;
    const second = (await people.setUp.newKey())!;
    const visitor = browser();
    for (const key of [first, 'AAAA-BBBB-CCCC', '', '\u{1F600}', 'x'.repeat(1_000)]) {
      expect((await visitor.call('POST', '/setup', { ...setUp, key })).json.reason).toBe('LINK_OVER');
    }
    expect((await visitor.call('POST', '/setup', { ...setUp, key: second })).status).toBe(429);
    clock.pass(peopleTimes.setupKeyMs);
    expect((await visitor.call('POST', '/setup', { ...setUp, key: second })).json.reason).toBe('LINK_OVER');
    expect(visitor.cookie).toBeNull();
  });

  it('hears of each field what is wrong, and keeps the key', async () => {
    const { people, browser } = await open({ empty: true });
    const key = (await people.setUp.newKey())!;
    const bad = { key, name: ' ', email: 'nobody', password: 'password1234', company: 'x'.repeat(101) };
    const answer = await browser().call('POST', '/setup', bad);
    expect(answer.status).toBe(400);
    expect(Object.keys(answer.json.fields).sort()).toEqual(['company', 'email', 'name', 'password']);
    for (const body of [[], 'x', { key: 7 }, { password: good }]) {
      expect((await browser().call('POST', '/setup', body)).status).toBe(400);
    }
    expect((await browser().call('POST', '/setup', { ...setUp, key })).status).toBe(200);
  });

  it('is one, however many come at once', async () => {
    const { people, browser, store } = await open({ empty: true });
    const key = (await people.setUp.newKey())!;
    const all = await Promise.all(
      [1, 2, 3, 4].map((n) => browser().call('POST', '/setup', { ...setUp, email: `a${n}@b.example`, key })),
    );
    expect(all.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await store.users({ operators: true })).toHaveLength(1);
  });
});

describe('signing in', () => {
  it('begins a new session and ends the one before', async () => {
    const { browser } = await open();
    const person = browser();
    await person.signIn(emailOf('Admin').toUpperCase());
    const before = person.cookie;
    expect((await person.call('GET', '/me')).status).toBe(200);
    await person.signIn(emailOf('Admin'));
    expect(person.cookie).not.toBe(before);
    const other = browser();
    other.cookie = before;
    expect((await other.call('GET', '/me')).json.reason).toBe('NOT_SIGNED_IN');
    expect(other.cookie).toBeNull();
  });

  it('refuses wrong, unknown and disabled alike, byte for byte', async () => {
    const { browser, store, user } = await open();
    const disabled = { ...user('Viewer'), disabledAt: 1 };
    await store.changePeople([{ rules: [], writes: [{ write: 'user', user: disabled }], audit: [] }]);
    const attempts = [
      [emailOf('Owner'), 'wrong wrong wrong'],
      ['nobody@nowhere.example', good],
      ['no address', good],
      [emailOf('Viewer'), good],
      [emailOf('Owner'), 'x'.repeat(1_000)],
    ];
    const answers = await Promise.all(attempts.map(([email, password]) => browser().signIn(email!, password)));
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers[0]!.json).toMatchObject({ reason: 'NOT_ACCEPTED', fields: { password: expect.any(String) } });
  });

  it('hashes as much for somebody who is not there', async () => {
    let verified = 0;
    const verify = async (hashed: string, password: string) => {
      verified += 1;
      return plainHashing.verify(hashed, password);
    };
    const { browser } = await open({ hashing: { ...plainHashing, verify } });
    for (const email of ['nobody@nowhere.example', 'no address', emailOf('Owner')])
      await browser().signIn(email, 'wrong one here');
    expect(verified).toBe(3);
  });

  it('lets five be wrong in a quarter of an hour, known or not, also at once', async () => {
    const { browser, clock } = await open();
    for (const email of [emailOf('Owner'), 'nobody@nowhere.example']) {
      const all = await Promise.all(Array.from({ length: 8 }, () => browser().signIn(email, 'wrong one here')));
      expect(all.filter(({ status }) => status === 400)).toHaveLength(attemptLimits.perAddress);
      const slow = all.find(({ status }) => status === 429)!;
      expect(slow.json.reason).toBe('RATE_LIMITED');
      expect(Number(slow.headers['retry-after'])).toBeGreaterThan(800);
      expect((await browser().signIn(email)).status).toBe(429);
    }
    clock.pass(attemptLimits.windowMs);
    expect((await browser().signIn(emailOf('Owner'))).status).toBe(200);
  });

  it('takes no more than so many hashes at once, and says so above that', async () => {
    const waiting: (() => void)[] = [];
    const verify = () => new Promise<boolean>((resolve) => waiting.push(() => resolve(false)));
    const { browser } = await open({ hashing: { ...plainHashing, verify } });
    const answers = Array.from({ length: 70 }, (_, n) => browser().signIn(`u${n}@b.example`, 'wrong one here'));
    const busy = await Promise.race(answers);
    expect(busy.status === 503 || busy.status === 429).toBe(true);
    expect(waiting.length).toBeLessThanOrEqual(4);
    for (let rounds = 0; rounds < 100; rounds++) {
      for (const go of waiting.splice(0)) go();
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
    await Promise.all(answers);
  });

  it.each([
    ['a page of another site', { 'sec-fetch-site': 'cross-site' }],
    ['a page of a sister site', { 'sec-fetch-site': 'same-site' }],
    ['another origin', { origin: 'https://evil.example' }],
    ['no origin at all', { origin: 'null' }],
    ['a host that begins alike', { origin: 'http://gateway.example.evil.example' }],
  ])('is refused from %s', async (_, headers) => {
    const { browser } = await open();
    const person = browser();
    const answer = await person.call('POST', '/sign-in', { email: emailOf('Owner'), password: good }, { headers });
    expect(answer.json.reason).toBe('CROSS_SITE');
    expect(person.cookie).toBeNull();
  });

  it('gives a cookie for https only where the browser came by https', async () => {
    const { browser } = await open({ testServer: { config: { trustedProxies: ['127.0.0.1'] } } });
    const person = browser();
    const headers = { 'x-forwarded-proto': 'https' };
    const answer = await person.call('POST', '/sign-in', { email: emailOf('Owner'), password: good }, { headers });
    const [cookie] = answer.headers['set-cookie']!;
    expect(cookie).toMatch(/^__Host-helio=.*; Path=\/; HttpOnly; SameSite=Lax; Secure$/);
    expect(answer.headers['strict-transport-security']).toBeDefined();
    expect((await person.call('GET', '/me', undefined, { headers })).status).toBe(200);
    // The cookie has no effect over plain http.
    expect((await person.call('GET', '/me')).status).toBe(401);
  });

  it('believes a forwarded header of nobody', async () => {
    const { browser } = await open();
    const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-for': '9.9.9.9' };
    const answer = await browser().call('POST', '/sign-in', { email: emailOf('Owner'), password: good }, { headers });
    expect(answer.headers['set-cookie']![0]).toMatch(/^helio=[^;]+; Path=\/; HttpOnly; SameSite=Lax$/);
    expect(answer.headers['strict-transport-security']).toBeUndefined();
  });
});

describe('a session', () => {
  it('ends when it is not used for half an hour', async () => {
    const { as, clock } = await open();
    const person = await as('Viewer');
    for (let n = 0; n < 3; n++) {
      clock.pass(peopleTimes.sessionIdleMs - 60_000);
      expect((await person.call('GET', '/me')).status).toBe(200);
    }
    clock.pass(peopleTimes.sessionIdleMs);
    expect((await person.call('GET', '/me')).json.reason).toBe('NOT_SIGNED_IN');
  });

  it('ends after twelve hours, however much it is used', async () => {
    const { as, clock } = await open();
    const person = await as('Viewer');
    const statuses: number[] = [];
    for (let passed = 0; passed <= peopleTimes.sessionMs; passed += 20 * 60_000) {
      statuses.push((await person.call('GET', '/me')).status);
      clock.pass(20 * 60_000);
    }
    expect(statuses.slice(0, -1).every((status) => status === 200)).toBe(true);
    expect(statuses.at(-1)).toBe(401);
  });

  it('ends with the sign-out, and with its user', async () => {
    const { as, browser, store, user } = await open();
    const person = await as('Viewer');
    const { cookie } = person;
    expect((await person.call('POST', '/sign-out')).status).toBe(200);
    expect(person.cookie).toBeNull();
    const ghost = browser();
    ghost.cookie = cookie;
    expect((await ghost.call('GET', '/me')).status).toBe(401);
    const other = await as('Support');
    const [now] = await store.users({ userId: user('Support').userId });
    await store.changePeople([{ rules: [], writes: [{ write: 'user', user: { ...now!, disabledAt: 1 } }], audit: [] }]);
    expect((await other.call('GET', '/me')).status).toBe(401);
  });

  it.each(['helio=', 'helio=short', `helio=${'A'.repeat(43)}`, 'helio=a; helio=b', 'HELIO=x', 'helio=\u00e9'])(
    'is not made by the cookie %j',
    async (cookie) => {
      const { browser } = await open();
      const person = browser();
      person.cookie = cookie;
      expect((await person.call('GET', '/me')).json.reason).toBe('NOT_SIGNED_IN');
    },
  );

  it('is not believed when the browser has two', async () => {
    const { as } = await open();
    const person = await as('Viewer');
    person.cookie = `${person.cookie}; ${person.cookie}`;
    expect((await person.call('GET', '/me')).status).toBe(401);
  });

  it('is kept as a hash only', async () => {
    const { as, store, user } = await open();
    const person = await as('Viewer');
    const kept = JSON.stringify(await store.sessions(user('Viewer').userId));
    expect(kept).not.toContain(person.cookie!.slice('helio='.length));
  });
});
