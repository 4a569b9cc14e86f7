/** Users, invitations and the audit log: permissions, what is removed with a user, and that no company sees another. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { emailOf, good, openPortalWorld, type PortalWorld, userOf } from '../../http/portal/portal-fixture.ts';
import { peopleTimes } from '../../model/people.ts';

let world: PortalWorld;
beforeEach(async () => {
  world = await openPortalWorld();
});
afterEach(() => world.close());

const other = 'eleven herons over the weir';

describe('users', () => {
  it('are those of the own company only', async () => {
    const viewer = await world.as('Viewer', 'acc_two');
    const list = (await viewer.call('GET', '/users')).json.data;
    expect(list.map((user: { email: string }) => user.email).sort()).toEqual(
      ['Admin', 'Developer', 'Owner', 'Support', 'Viewer'].map((role) => emailOf(role as 'Owner', 'acc_two')),
    );
    expect(Object.keys(list[0])).toEqual(['userId', 'name', 'email', 'role', 'operator', 'disabled', 'readsTexts']);
  });

  it('get another role, which ends their sessions', async () => {
    const owner = await world.as('Owner');
    const viewer = await world.as('Viewer');
    const { userId } = world.user('Viewer');
    expect((await owner.call('POST', `/users/${userId}`, { role: 'Support' })).json.data).toMatchObject({
      role: 'Support',
    });
    expect((await viewer.call('GET', '/me')).status).toBe(401);
    await viewer.signIn(emailOf('Viewer'));
    expect((await viewer.call('GET', '/me')).json.data.permissions).toContain('readBody');
    expect((await owner.call('POST', `/users/${userId}`, { disabled: true })).json.data.disabled).toBe(true);
    expect((await world.browser().signIn(emailOf('Viewer'))).status).toBe(400);
    expect((await owner.call('POST', `/users/${userId}`, { disabled: false })).status).toBe(200);
    expect((await world.browser().signIn(emailOf('Viewer'))).status).toBe(200);
  });

  it('who are Owners are changed by Owners only', async () => {
    const admin = await world.as('Admin');
    const owner = world.user('Owner').userId;
    for (const form of [{ role: 'Viewer' }, { disabled: true }]) {
      expect((await admin.call('POST', `/users/${owner}`, form)).status).toBe(403);
    }
    const viewer = world.user('Viewer').userId;
    expect((await admin.call('POST', `/users/${viewer}`, { role: 'Owner' })).status).toBe(403);
    expect((await admin.call('POST', '/users/invitations', { email: 'o@o.example', role: 'Owner' })).status).toBe(403);
    expect((await admin.call('POST', `/users/${viewer}`, { role: 'Developer' })).status).toBe(200);
  });

  it('do not change themselves, and leave no company without an Owner', async () => {
    const owner = await world.as('Owner');
    const own = world.user('Owner').userId;
    expect((await owner.call('POST', `/users/${own}`, { role: 'Viewer' })).status).toBe(409);
    expect((await owner.call('POST', `/users/${own}`, { disabled: true })).status).toBe(409);
    // Two Owners remove each other at the same time: one stays.
    const second = userOf('Owner', 'acc_one', { email: 'second@acc-one.example', operator: true });
    await world.store.changePeople([{ rules: [], writes: [{ write: 'user', user: second }], audit: [] }]);
    const rival = world.browser();
    await rival.signIn(second.email);
    const both = await Promise.all([
      owner.call('POST', `/users/${second.userId}`, { role: 'Viewer' }),
      rival.call('POST', `/users/${own}`, { role: 'Viewer' }),
    ]);
    expect(both.filter(({ status }) => status === 200)).toHaveLength(1);
    const list = await world.store.users({ accountId: 'acc_one' });
    expect(list.filter(({ role, disabledAt }) => role === 'Owner' && disabledAt === null)).toHaveLength(1);
  });

  it('of another company are not there, and garbage is nobody', async () => {
    const owner = await world.as('Owner');
    for (const id of [world.user('Viewer', 'acc_two').userId, 'usr_none', '..%2F..', '%00', "x'--"]) {
      const answer = await owner.call('POST', `/users/${id}`, { role: 'Support' });
      expect([id, answer.status]).toEqual([id, 404]);
    }
    const mine = world.user('Viewer').userId;
    for (const body of [{ role: 'God' }, { role: 7 }, { disabled: 'yes' }]) {
      expect((await owner.call('POST', `/users/${mine}`, body)).status).toBe(400);
    }
  });
});

describe('signing somebody out', () => {
  it('ends their sessions everywhere, by those who may', async () => {
    const owner = await world.as('Owner');
    const support = await world.as('Support');
    const { userId } = world.user('Support');
    const path = `/users/${userId}/sessions/end`;
    expect((await support.call('POST', path)).status).toBe(403);
    const other = await world.as('Owner', 'acc_two');
    expect((await other.call('POST', path)).status).toBe(404);
    expect((await owner.call('POST', path)).json.data).toEqual({ ended: 1 });
    expect((await support.call('GET', '/me')).status).toBe(401);
    const ownerId = world.user('Owner').userId;
    const admin = await world.as('Admin');
    expect((await admin.call('POST', `/users/${ownerId}/sessions/end`)).status).toBe(403);
    expect((await owner.call('POST', `/users/${ownerId}/sessions/end`)).status).toBe(200);
    expect((await owner.call('GET', '/me')).status).toBe(200);
  });
});

describe('invitations', () => {
  async function invite(role = 'Developer', email = 'dev@rockets.example', company = 'acc_one') {
    const owner = await world.as('Owner', company);
    const answer = await owner.call('POST', '/users/invitations', { email, name: 'Dee', role });
    return { owner, answer, key: String(answer.json.data?.link).split('#k=')[1]! };
  }

  it('let one person in, with the role they say, once', async () => {
    const { owner, answer, key } = await invite();
    expect(answer.json.data).toMatchObject({
      email: 'dev@rockets.example',
      role: 'Developer',
      invitedBy: emailOf('Owner'),
    });
    expect((await owner.call('GET', '/users/invitations')).text).not.toContain(key);
    const guest = world.browser();
    const look = await guest.call('POST', '/invitation/look', { key });
    expect(look.json.data).toEqual({
      email: 'dev@rockets.example',
      name: 'Dee',
      company: 'One',
      role: 'Developer',
      passwordCharactersMin: 12,
    });
    const weak = await guest.call('POST', '/invitation', { key, name: 'Dee', password: 'dev@rockets.example' });
    expect(weak.json.fields).toHaveProperty('password');
    const form = { key, name: 'Dee', password: other };
    const more = await guest.call('POST', '/invitation', { ...form, role: 'Owner', accountId: 'acc_two' });
    expect(Object.keys(more.json.fields)).toEqual(['role', 'accountId']);
    const done = await guest.call('POST', '/invitation', form);
    expect(done.json.data.me).toMatchObject({
      user: { role: 'Developer', operator: false },
      account: { accountId: 'acc_one' },
    });
    expect((await world.browser().call('POST', '/invitation', form)).json.reason).toBe('LINK_OVER');
    expect((await owner.call('GET', '/users/invitations')).json.data).toEqual([]);
  });

  it('end when their author is disabled or gets another role', async () => {
    for (const change of [{ disabled: true }, { role: 'Viewer' }]) {
      const admin = await world.as('Admin');
      const given = await admin.call('POST', '/users/invitations', { email: 'friend@rockets.example', role: 'Admin' });
      const key = String(given.json.data.link).split('#k=')[1]!;
      const owner = await world.as('Owner');
      const { userId } = world.user('Admin');
      expect((await owner.call('POST', `/users/${userId}`, change)).status).toBe(200);
      const form = { key, name: 'Friend', password: other };
      expect((await world.browser().call('POST', '/invitation', form)).json.reason).toBe('LINK_OVER');
      expect((await owner.call('POST', `/users/${userId}`, { disabled: false, role: 'Admin' })).status).toBe(200);
    }
  });

  it('are over when they are withdrawn or old, and are no setup keys', async () => {
    const { owner, answer, key } = await invite();
    expect((await world.browser().call('POST', '/setup', { key, password: other })).json.reason).toBe('LINK_OVER');
    const { invitationId } = answer.json.data;
    const stranger = await world.as('Owner', 'acc_two');
    expect((await stranger.call('DELETE', `/users/invitations/${invitationId}`)).status).toBe(404);
    expect((await stranger.call('GET', '/users/invitations')).json.data).toEqual([]);
    expect((await owner.call('DELETE', `/users/invitations/${invitationId}`)).status).toBe(200);
    const looked = (await world.browser().call('POST', '/invitation/look', { key })).json;
    expect(looked).toMatchObject({
      reason: 'LINK_OVER',
      detail: expect.stringContaining('the person who invited you'),
    });
    expect(looked.detail).not.toContain('npx');
    const second = await invite();
    world.clock.pass(peopleTimes.invitationMs);
    const late = await world.browser().call('POST', '/invitation', { key: second.key, name: 'Dee', password: other });
    expect(late.json.reason).toBe('LINK_OVER');
  });

  it('are replaced by another for the same address: its role counts, and the earlier link is over', async () => {
    const first = await invite('Admin', 'again@rockets.example');
    const { owner, key } = await invite('Viewer', 'AGAIN@rockets.example');
    const form = { name: 'A', password: other };
    const early = await world.browser().call('POST', '/invitation', { ...form, key: first.key });
    expect(early.json.reason).toBe('LINK_OVER');
    expect((await owner.call('GET', '/users/invitations')).text).not.toContain('again@rockets.example');
    const { entries } = (await owner.call('GET', '/audit?what=user.invited&limit=1')).json.data;
    expect(entries[0]).toMatchObject({ before: { role: 'Admin' }, after: { role: 'Viewer' } });
    expect((await world.browser().call('POST', '/invitation', { ...form, key })).json.data.me.user.role).toBe('Viewer');
  });

  it('say nothing of who has a user in another company: they are made, and cannot be accepted', async () => {
    const { answer, key } = await invite('Viewer', emailOf('Viewer', 'acc_two'));
    expect(Object.keys(answer.json.data)).toEqual(Object.keys((await invite()).answer.json.data));
    const form = { key, name: 'V', password: other };
    expect((await world.browser().call('POST', '/invitation', form)).json.reason).toBe('LINK_OVER');
  });

  it('are not made for somebody who is there, in whatever case, nor from garbage', async () => {
    const owner = await world.as('Owner');
    const taken = { email: emailOf('Viewer').toUpperCase(), role: 'Viewer' };
    expect((await owner.call('POST', '/users/invitations', taken)).json.fields).toHaveProperty('email');
    for (const body of [
      { email: 'x', role: 'Viewer' },
      { email: 'a@b.example' },
      { email: 'a@b.example', role: 'King' },
      {},
    ]) {
      expect((await owner.call('POST', '/users/invitations', body)).status).toBe(400);
    }
  });

  it('make one user of two who accept for one address, invited by two companies', async () => {
    const first = await invite('Viewer', 'same@rockets.example');
    const second = await invite('Admin', 'SAME@rockets.example', 'acc_two');
    const all = await Promise.all(
      [first.key, second.key].map((key) =>
        world.browser().call('POST', '/invitation', { key, name: 'S', password: other }),
      ),
    );
    expect(all.map(({ status }) => status).sort()).toEqual([200, 400]);
  });
});

describe('a link from the command line', () => {
  it('signs a user in with a new password, once, and ends their sessions', async () => {
    const before = await world.as('Viewer');
    const { key } = (await world.people.setUp.newUserKey(emailOf('Viewer')))!;
    const person = world.browser();
    expect((await person.call('POST', '/setup/look', { key })).json.data).toMatchObject({
      purpose: 'user',
      email: emailOf('Viewer'),
    });
    expect((await person.call('POST', '/setup', { key, password: 'short' })).json.fields).toHaveProperty('password');
    expect((await person.call('POST', '/setup', { key, password: other, email: 'x@y.example' })).status).toBe(200);
    expect((await person.call('GET', '/me')).json.data.user.email).toBe(emailOf('Viewer'));
    expect((await before.call('GET', '/me')).status).toBe(401);
    expect((await world.browser().call('POST', '/setup', { key, password: other })).json.reason).toBe('LINK_OVER');
    expect(await world.people.setUp.newUserKey('nobody@nowhere.example')).toBeNull();
  });
});

describe('the audit log', () => {
  it('shows who did what, in the own company, and that its chain holds', async () => {
    const owner = await world.as('Owner');
    await (await world.as('Owner', 'acc_two')).call('POST', '/me', { name: 'Two' });
    await owner.call('POST', '/me', { name: '=cmd|calc' });
    const first = (await owner.call('GET', '/audit?limit=1')).json;
    expect(first.data).toMatchObject({
      entries: [{ who: emailOf('Owner'), what: 'profile.changed', after: { name: '=cmd|calc' }, ip: '127.0.0.1' }],
      chain: { ok: true, rows: 4, since: expect.stringMatching(/^2023-11-14T22:13:20/) },
    });
    expect(first.data.entries[0].requestId).toMatch(/^req_/);
    const rest = (await owner.call('GET', `/audit?before=${first.next}`)).json;
    expect(rest.data.entries.map(({ what }: { what: string }) => what)).toEqual(['sign_in']);
    expect(rest.next).toBeNull();
    const csv = await owner.call('GET', '/audit.csv');
    expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(csv.text).toMatch(/^\uFEFFposition,at \(UTC\),local time,who,/);
    const lines = (await owner.call('GET', '/audit.jsonl?what=sign_in&timeZone=Asia/Tokyo')).text.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).what)).toEqual(['sign_in']);
    expect((await owner.call('GET', '/audit.csv?timeZone=Asia/Tokyo')).text).toContain(',2023-11-15 07:13:20,');
    expect((await owner.call('GET', '/audit.csv?timeZone=Nowhere')).status).toBe(400);
    expect(csv.text).not.toContain('acc-two');
    for (const query of ['before=x', 'limit=0', 'who=me', 'before=1&before=2']) {
      expect((await owner.call('GET', `/audit?${query}`)).status).toBe(400);
    }
    const filtered = await owner.call('GET', `/audit?what=sign_in&who=${world.user('Owner').userId}`);
    expect(filtered.json.data.entries).toHaveLength(1);
  });

  it('is read of one record, of the own company only', async () => {
    const owner = await world.as('Owner');
    const { userId } = world.user('Owner');
    await owner.call('POST', '/me', { name: 'Ada' });
    const entriesOf = async (browser: typeof owner, query: string) =>
      (await browser.call('GET', `/audit?${query}`)).json.data.entries.map(({ what }: { what: string }) => what);
    expect(await entriesOf(owner, `target=${userId}`)).toEqual(['profile.changed', 'sign_in']);
    expect(await entriesOf(owner, `target=${userId}&what=profile`)).toEqual(['profile.changed']);
    expect(await entriesOf(owner, 'target=usr_nobody')).toEqual([]);
    expect(await entriesOf(owner, 'text=ada')).toContain('profile.changed');
    expect(await entriesOf(owner, 'text=nowhere-to-be-found')).toEqual([]);
    expect((await owner.call('GET', `/audit?text=${'x'.repeat(101)}`)).status).toBe(400);
    expect(await entriesOf(await world.as('Owner', 'acc_two'), `target=${userId}`)).toEqual([]);
    expect((await (await world.as('Support')).call('GET', `/audit?target=${userId}`)).status).toBe(403);
  });

  it('notes who tries what their role does not allow, once a minute', async () => {
    const viewer = await world.as('Viewer');
    for (let n = 0; n < 5; n++)
      expect((await viewer.call('GET', '/audit')).json.data).toEqual({ permission: 'readAudit', who: 'Owner, Admin' });
    world.clock.pass(60_000);
    await viewer.call('GET', '/audit');
    const owner = await world.as('Owner');
    const noted = await owner.call('GET', '/audit?what=access.refused');
    expect(noted.json.data.entries).toMatchObject([{ target: 'GET /api/portal/v1/audit' }, {}]);
    expect(noted.json.data.entries).toHaveLength(2);
  });

  it('never holds a password, key, code or hash', async () => {
    const owner = await world.as('Owner');
    await owner.call('POST', '/me/password', { current: good, next: other });
    const { link } = (await owner.call('POST', '/users/invitations', { email: 'a@b.example', role: 'Viewer' })).json
      .data;
    const { secret } = (await owner.call('POST', '/me/totp/begin')).json.data;
    const rows = JSON.stringify(await world.store.auditRows({ after: 0, limit: 100 }));
    for (const canary of [good, other, 'plain:', link.split('#k=')[1], secret, owner.cookie!.slice(6), owner.csrf]) {
      expect(rows).not.toContain(canary);
    }
  });
});
