/**
 * The routes of key pairs: who may use them, which secrets are shown once, what is stored, and what the tokens can then
 * do at the API.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Browser, openPortalWorld, type PortalWorld } from '../../http/portal/portal-fixture.ts';
import { speak } from '../../http/server-fixture.ts';
import { isAddressOrBlock } from '../../kernel/address.ts';
import { machineRandom } from '../../kernel/machine.ts';
import { hashCredential } from '../../model/credential.ts';
import { peopleTimes } from '../../model/people.ts';
import type { ApiKey } from '../../model/records.ts';
import type { LoggedCall } from '../../model/request-log.ts';
import type { Role } from '../../model/roles.ts';
import { account, inLive, inSandbox, number, ofOther } from '../../model/world-fixture.ts';
import type { RequestSearch } from '../request-log/store/items.ts';
import { keyRoutes } from './key-routes.ts';

let world: PortalWorld;
/** The log of API calls, newest first. */
let refusals: LoggedCall[] = [];
beforeAll(async () => {
  const settings = new Map<string, string>();
  const store = {
    putRecords: async ({ apiKeys }: { apiKeys: ApiKey[] }) => {
      const kept = world.records.apiKeys.filter((key) => !apiKeys.some(({ keyId }) => keyId === key.keyId));
      world.setRecords({ ...world.records, apiKeys: [...kept, ...apiKeys] });
      return 1;
    },
    getSetting: async (name: string) => settings.get(name) ?? null,
    putSetting: async (name: string, value: string) => void settings.set(name, value),
    requests: async ({ accountId, environment, reason }: RequestSearch) =>
      refusals.filter(
        (call) => call.accountId === accountId && call.environment === environment && call.reason === reason,
      ),
  };
  const parts = { store, refreshDirectory: async () => {}, random: machineRandom, sandbox: true, isAddressOrBlock };
  world = await openPortalWorld({ modules: [keyRoutes(parts)] });
});
beforeEach(() => {
  const numbers = [
    number('12025550199', { ...inSandbox, campaignId: null }),
    number('12025550198', { ...inLive, campaignId: null }),
    number('12025550193', { ...ofOther, campaignId: null }),
  ];
  world.setRecords({ ...world.records, numbers, apiKeys: [] });
});
afterAll(() => world.close());

const form = { name: 'Billing', environment: 'sandbox', scopes: ['send', 'read'] };

async function made(browser: Browser, more: object = {}) {
  const answer = await browser.call('POST', '/keys', { ...form, ...more });
  expect(answer.status, answer.text).toBe(200);
  return answer.json.data;
}

/** The status of an API call with these tokens. */
async function tryTokens(tokens: { bearerToken: string; authToken: string }): Promise<string> {
  const { bearerToken: bearer, authToken: apikey } = tokens;
  const answer = await speak(world.testServer, { method: 'GET', path: '/api/v1/messages/none', bearer, apikey });
  return answer.json.reason;
}

describe('making a key pair', () => {
  it('shows both tokens once, keeps hashes and hints, and the pair works', async () => {
    const owner = await world.as('Owner');
    const pair = await made(owner, { numbers: ['12025550199'], dailyCap: 10, allowedIps: ['127.0.0.0/8'] });
    expect(pair).toMatchObject({ name: 'Billing', numbers: ['12025550199'], dailyCap: 10, status: 'active' });
    expect(await tryTokens(pair)).toBe('NOT_FOUND');
    const kept = JSON.stringify(world.records.apiKeys);
    expect(kept).not.toContain(pair.bearerToken);
    expect(world.records.apiKeys[0]).toMatchObject({
      bearerHash: hashCredential(pair.bearerToken),
      bearerHint: { last4: pair.bearerToken.slice(-4), prefix: expect.stringMatching(/^bt_sbx_[0-9a-z]{10}$/) },
      createdBy: 'owner@acc-one.example',
    });
    const list = await owner.call('GET', '/keys');
    expect(list.text).not.toContain(pair.bearerToken);
    expect(list.text).not.toContain('Hash');
    expect(list.json.data[0].authHint).toEqual({ last4: pair.authToken.slice(-4), prefix: expect.any(String) });
    const audit = (await owner.call('GET', '/audit?what=key.created')).json.data.entries[0];
    expect(audit).toMatchObject({ target: pair.keyId, before: null, after: { name: 'Billing', dailyCap: 10 } });
    expect(JSON.stringify(audit)).not.toContain(pair.authToken);
  });

  it.each([
    [{ name: '' }, 'name'],
    [{ name: undefined }, 'name'],
    [{ scopes: [] }, 'scopes'],
    [{ scopes: ['root'] }, 'scopes'],
    [{ scopes: 'send' }, 'scopes'],
    [{ environment: 'moon' }, 'environment'],
    [{ numbers: ['12025550193'] }, 'numbers'],
    [{ numbers: ['12025550198'] }, 'numbers'],
    [{ dailyCap: -1 }, 'dailyCap'],
    [{ dailyCap: '5' }, 'dailyCap'],
    [{ allowedIps: ['10.0.0.0/99'] }, 'allowedIps'],
    [{ expiresAt: '2001-01-01T00:00:00Z' }, 'expiresAt'],
    [{ expiresAt: '2099-01-01' }, 'expiresAt'],
    [{ exactShape: 1 }, 'exactShape'],
  ])('refuses %j beside its field', async (more, field) => {
    const answer = await (await world.as('Owner')).call('POST', '/keys', { ...form, ...more });
    expect(answer.status).toBe(400);
    expect(Object.keys(answer.json.fields)).toEqual([field]);
    expect(world.records.apiKeys).toEqual([]);
  });

  it.each([[null], [[]], ['text'], [7]])('refuses %j as a body', async (body) => {
    const answer = await (await world.as('Owner')).call('POST', '/keys', body as object);
    expect(answer.status).toBe(400);
  });

  it.each<[Role, number]>([
    ['Owner', 200],
    ['Admin', 200],
    ['Developer', 200],
    ['Support', 403],
    ['Viewer', 403],
  ])('by %s answers %i', async (role, status) => {
    expect((await (await world.as(role)).call('POST', '/keys', form)).status).toBe(status);
  });

  it('gives nobody more than their own role', async () => {
    const developer = await world.as('Developer');
    const refused = await developer.call('POST', '/keys', { ...form, scopes: ['send', 'admin'] });
    expect(refused.json.fields).toEqual({ scopes: expect.stringContaining('admin') });
    const { keyId } = await made(await world.as('Owner'), { scopes: ['send', 'admin'] });
    for (const path of [`/keys/${keyId}`, `/keys/${keyId}/rotate`, `/keys/${keyId}/revoke`]) {
      expect((await developer.call('POST', path, { name: 'Mine' })).json.reason, path).toBe('FORBIDDEN');
    }
  });

  it('asks for the password when the sign-in was a while ago', async () => {
    const owner = await world.as('Owner');
    world.clock.pass(peopleTimes.recentMs + 1);
    expect((await owner.call('POST', '/keys', form)).json.reason).toBe('RECENT_SIGN_IN_NEEDED');
    expect((await owner.call('GET', '/keys')).status).toBe(200);
    await owner.call('POST', '/me/confirm', { password: 'violins under the pear tree' });
    await made(owner);
  });
});

describe('the list', () => {
  it('is of the own company, and says where a pair was used only to those who manage keys', async () => {
    const pair = await made(await world.as('Owner'));
    await made(await world.as('Owner', 'acc_two'));
    expect((await (await world.as('Admin')).call('GET', '/keys')).json.data[0].lastUse).toBeNull();
    await tryTokens(pair);
    const [seen] = (await (await world.as('Admin')).call('GET', '/keys')).json.data;
    expect(seen.lastUse).toMatchObject({ address: '127.0.0.1', endpoint: 'GET /api/v1/messages/:messageId' });
    const list = (await (await world.as('Viewer')).call('GET', '/keys')).json.data;
    expect(list).toHaveLength(1);
    expect(list[0].lastUse.address).toBeNull();
    expect(list[0]).not.toHaveProperty('bearerHint');
    expect(list[0]).not.toHaveProperty('allowedIps');
  });
});

describe('changing', () => {
  it('changes the sent fields, and reports a change by another person', async () => {
    const owner = await world.as('Owner');
    const { keyId, version } = await made(owner, { dailyCap: 5 });
    const changed = await owner.call('POST', `/keys/${keyId}`, { name: 'Orders', version });
    expect(changed.json.data).toMatchObject({ name: 'Orders', dailyCap: 5 });
    const stale = await owner.call('POST', `/keys/${keyId}`, { dailyCap: 0, version });
    expect(stale.status).toBe(409);
    expect(stale.json.data.current).toMatchObject({ name: 'Orders', dailyCap: 5 });
  });

  it('is not there for another company', async () => {
    const { keyId } = await made(await world.as('Owner'));
    const other = await world.as('Owner', 'acc_two');
    for (const path of [`/keys/${keyId}`, `/keys/${keyId}/rotate`, `/keys/${keyId}/revoke`]) {
      expect((await other.call('POST', path, {})).status, path).toBe(404);
    }
    expect(world.records.apiKeys).toHaveLength(1);
  });
});

describe('rotating', () => {
  it('makes a new pair with the same rights; the old one works until the overlap is over', async () => {
    const owner = await world.as('Owner');
    const old = await made(owner, { numbers: ['12025550199'], dailyCap: 7 });
    const answer = await owner.call('POST', `/keys/${old.keyId}/rotate`, { overlapHours: 2 });
    const fresh = answer.json.data;
    expect(fresh).toMatchObject({ name: 'Billing', numbers: ['12025550199'], dailyCap: 7, expiresAt: null });
    expect(fresh.keyId).not.toBe(old.keyId);
    expect(await tryTokens(old)).toBe('NOT_FOUND');
    expect(await tryTokens(fresh)).toBe('NOT_FOUND');
    const list = (await owner.call('GET', '/keys')).json.data as { keyId: string; replacedBy: string | null }[];
    expect(list.find(({ keyId }) => keyId === old.keyId)?.replacedBy).toBe(fresh.keyId);
    expect((await owner.call('POST', `/keys/${old.keyId}/rotate`, {})).status).toBe(409);
    world.clock.pass(2 * 3_600_000);
    expect(await tryTokens(old)).toBe('NOT_AUTHORIZED');
    expect(await tryTokens(fresh)).toBe('NOT_FOUND');
  });

  it('counts the daily cap on, over several rotations', async () => {
    const owner = await world.as('Owner');
    const first = await made(owner, { dailyCap: 7 });
    let { keyId } = first;
    for (const _ of [1, 2]) ({ keyId } = (await owner.call('POST', `/keys/${keyId}/rotate`)).json.data);
    const stored = world.records.apiKeys.filter(({ countsWith }) => countsWith === first.keyId);
    expect(stored).toHaveLength(2);
    expect(stored.map((key) => key.keyId)).toContain(keyId);
  });

  it('keeps the length of life of a pair that expires', async () => {
    const owner = await world.as('Owner');
    const day = 86_400_000;
    const old = await made(owner, { expiresAt: new Date(world.clock.now() + 30 * day).toISOString() });
    world.clock.pass(60_000);
    const { data } = (await owner.call('POST', `/keys/${old.keyId}/rotate`)).json;
    expect(Date.parse(data.expiresAt)).toBe(world.clock.now() + 30 * day);
  });

  it.each([[-1], [1.5], [721], ['24'], [null]])('refuses an overlap of %j', async (overlapHours) => {
    const owner = await world.as('Owner');
    const { keyId } = await made(owner);
    expect((await owner.call('POST', `/keys/${keyId}/rotate`, { overlapHours })).status).toBe(400);
  });
});

describe('revoking', () => {
  it('ends a pair at once and for good', async () => {
    const owner = await world.as('Owner');
    const pair = await made(owner);
    expect((await owner.call('POST', `/keys/${pair.keyId}/revoke`)).json.data.status).toBe('revoked');
    expect(await tryTokens(pair)).toBe('NOT_AUTHORIZED');
    for (const path of ['', '/rotate', '/revoke']) {
      expect((await owner.call('POST', `/keys/${pair.keyId}${path}`, {})).status, path).toBe(409);
    }
  });
});

describe('testing credentials', () => {
  it('says what is wrong with each, and sends nothing', async () => {
    const owner = await world.as('Owner');
    const one = await made(owner);
    const two = await made(owner, { name: 'Two' });
    const live = await made(owner, { environment: 'live' });
    const theirs = await made(await world.as('Owner', 'acc_two'));
    const old = await made(owner, { name: 'Old' });
    await owner.call('POST', `/keys/${old.keyId}/revoke`);
    const late = await made(owner, { expiresAt: new Date(world.clock.now() + 1_000).toISOString() });
    world.clock.pass(1_000);
    const cases: [string, string, string | null][] = [
      [one.bearerToken, one.authToken, null],
      [` ${one.bearerToken}\n`, one.authToken, null],
      ['', one.authToken, 'missing'],
      [one.authToken, one.bearerToken, 'swapped'],
      [one.bearerToken, one.bearerToken, 'swapped'],
      [one.bearerToken.slice(0, -1) + (one.bearerToken.endsWith('0') ? '1' : '0'), one.authToken, 'mistyped'],
      [one.bearerToken, two.authToken, 'different pairs'],
      [theirs.bearerToken, theirs.authToken, 'unknown'],
      ['bt_handmade_handmade_handmade', one.authToken, 'unknown'],
      [old.bearerToken, old.authToken, 'revoked'],
      [late.bearerToken, late.authToken, 'expired'],
      [live.bearerToken, live.authToken, 'wrong environment'],
    ];
    for (const [bearerToken, authToken, fault] of cases) {
      const headers = { 'x-helio-environment': 'sandbox' };
      const answer = await owner.call('POST', '/keys/test', { bearerToken, authToken }, { headers });
      expect(answer.json.data, fault ?? 'works').toMatchObject({ works: fault === null, fault });
      if (bearerToken !== '') expect(answer.text).not.toContain(bearerToken.trim());
    }
    const support = await world.as('Support');
    const refused = await support.call('POST', '/keys/test', { bearerToken: 'a', authToken: 'b' });
    expect(refused.status).toBe(403);
  });
});

describe('an IP list', () => {
  const refusal = (keyId: string, address: string, at: number, more: Partial<LoggedCall> = {}): LoggedCall => ({
    accountId: account.accountId,
    requestId: 'req_1',
    at,
    environment: 'sandbox',
    keyId,
    method: 'POST',
    path: '/SendSMS',
    status: 401,
    reason: 'NOT_AUTHORIZED',
    detail: '',
    address,
    ms: 1,
    dryRun: false,
    body: null,
    bodyBytes: 0,
    ...more,
  });
  const at = Date.UTC(2026, 4, 4, 9);

  it('that keeps somebody out says when, and from where; to those who manage keys', async () => {
    const owner = await world.as('Owner');
    const fenced = await made(owner, { allowedIps: ['10.0.0.0/8', '2001:db8::1'] });
    const open = await made(owner, { name: 'Open' });
    refusals = [
      // Within the list, so another reason caused the refusal.
      refusal(fenced.keyId, '10.1.2.3', at + 3),
      refusal(fenced.keyId, '203.0.113.9', at + 2),
      refusal(fenced.keyId, '203.0.113.8', at + 1),
      refusal(open.keyId, '203.0.113.7', at),
    ];
    const shown = async (browser: Browser) =>
      ((await browser.call('GET', '/keys')).json.data as { keyId: string; lastRefusal?: object | null }[]).map(
        ({ keyId, lastRefusal }) => [keyId, lastRefusal],
      );
    expect(Object.fromEntries(await shown(owner))).toEqual({
      [fenced.keyId]: { at: new Date(at + 2).toISOString(), address: '203.0.113.9' },
      [open.keyId]: null,
    });
    const asViewer = Object.fromEntries(await shown(await world.as('Viewer')));
    expect(asViewer).toEqual({ [open.keyId]: undefined, [fenced.keyId]: undefined });
    await owner.call('POST', `/keys/${fenced.keyId}`, { ...form, allowedIps: ['203.0.113.0/24'] });
    expect(Object.fromEntries(await shown(owner))[fenced.keyId]).toEqual({
      at: new Date(at + 3).toISOString(),
      address: '10.1.2.3',
    });
    await owner.call('POST', `/keys/${fenced.keyId}/revoke`);
    expect(Object.fromEntries(await shown(owner))[fenced.keyId]).toBeNull();
  });

  it('shows when its tokens are tried', async () => {
    const owner = await world.as('Owner');
    const headers = { 'x-helio-environment': 'sandbox' };
    const verdict = async (allowedIps: string[]) => {
      const { bearerToken, authToken } = await made(owner, { allowedIps });
      return (await owner.call('POST', '/keys/test', { bearerToken, authToken }, { headers })).json.data;
    };
    expect(await verdict([])).toMatchObject({ works: true, isListed: false });
    const listed = await verdict(['10.0.0.0/8', ...[1, 2, 3, 4, 5].map((last) => `192.0.2.${last}`)]);
    expect(listed).toMatchObject({ works: true, isListed: true });
    expect(listed.sentence).toMatch(/address of the program that calls: only 10\.0\.0\.0\/8, .* and 1 more\./);
  });
});
