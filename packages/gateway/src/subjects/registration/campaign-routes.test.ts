/** Brands and campaigns in the portal, from the first draft to the outcome: permissions, and what never changes. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Browser } from '../../http/portal/portal-fixture.ts';
import { goodBrand, goodCampaign, openRegistrationWorld, type RegistrationWorld } from './registration-fixture.ts';

let world: RegistrationWorld;
let admin: Browser;
beforeEach(async () => {
  world = await openRegistrationWorld();
  admin = await world.as('Admin');
});
afterEach(() => world.close());

const live = { headers: { 'x-helio-environment': 'live' } };
const post = (path: string, body: object = {}, who = admin, how = {}) => who.call('POST', path, body, how);

async function brandId(how = {}): Promise<string> {
  return (await post('/brands', goodBrand, admin, how)).json.data.brandId;
}

/** Creates a complete draft; returns its id. */
async function draft(how = {}): Promise<string> {
  const answer = await post('/campaigns', { ...goodCampaign, brandId: await brandId(how) }, admin, how);
  return answer.json.data.campaignId;
}

describe('brands', () => {
  it('are added, checked and changed; what the registry found is the operator’s', async () => {
    const added = await post('/brands', { ...goodBrand, ein: '00-1234567' });
    expect(added.json.data.checks).toContainEqual(expect.objectContaining({ rule: 'brand.ein', ok: false }));
    const { brandId, version } = added.json.data;
    const path = `/brands/${brandId}`;
    expect(
      (await post(path, { ein: '12-3456789', version })).json.data.checks.every((one: { ok: boolean }) => one.ok),
    ).toBe(true);
    expect((await post(path, { city: 'Dallas', version })).status).toBe(409);
    expect((await post(path, { vettingScore: 80 })).json.data).toMatchObject({ permission: 'operator' });
    const operator = await world.as('Owner');
    expect((await post(path, { vettingScore: 101 }, operator)).status).toBe(400);
    const found = { vettingScore: 80, identityStatus: 'vetted', tcrId: 'B123' };
    expect((await post(path, found, operator)).json.data).toMatchObject({ ...found, city: 'Austin' });
    expect((await admin.call('GET', '/brands')).json.data).toHaveLength(1);
    expect((await admin.call('GET', '/brands', undefined, live)).json.data).toEqual([]);
  });

  it('are nobody else’s, and need a name and the role for it', async () => {
    const id = await brandId();
    const other = await world.as('Owner', 'acc_two');
    expect((await other.call('GET', `/brands/${id}`)).status).toBe(404);
    expect((await post(`/brands/${id}`, { city: 'X' }, other)).status).toBe(404);
    expect((await post('/brands', { ...goodBrand, legalName: ' ' })).json.fields.legalName).toBeDefined();
    const wrong = { ...goodBrand, ein: '12', postalCode: '787', email: 'ann', website: 'x' };
    for (const path of ['/brands', `/brands/${id}`]) {
      expect(Object.keys((await post(path, wrong)).json.fields)).toEqual(['ein', 'postalCode', 'email', 'website']);
    }
    expect((await post('/brands', { entityType: 'CLUB', legalName: 'x' })).json.fields.entityType).toBeDefined();
    expect((await post('/brands', goodBrand, await world.as('Developer'))).status).toBe(403);
  });
});

describe('a draft', () => {
  it('is kept as it is filled in, with what is missing', async () => {
    const { campaignId, version, status, form, checks } = (await post('/campaigns', { name: 'New' })).json.data;
    expect([status, form.samples, form.optOutKeywords]).toEqual(['draft', [], ['STOP']]);
    expect(checks.filter((one: { ok: boolean }) => !one.ok).length).toBeGreaterThan(5);
    const path = `/campaigns/${campaignId}`;
    const saved = await post(path, { samples: ['One'], flags: { ageGated: true }, version });
    expect(saved.json.data.form).toMatchObject({ name: 'New', samples: ['One'], flags: { ageGated: true } });
    expect(saved.json.data.form.flags.embeddedLink).toBe(false);
    expect((await post(path, { name: 'Late', version })).json.data.current.form.samples).toEqual(['One']);
    expect((await post(`${path}/check`)).json.data).toEqual(saved.json.data.checks);
    expect((await post(`${path}/submit`)).json.fields).toMatchObject({ useCase: expect.any(String) });
  });

  it('was last changed when it was last saved, also by a save after which nothing differs for others', async () => {
    const { campaignId, updatedAt, version } = (await post('/campaigns', { name: 'New' })).json.data;
    expect(updatedAt).toBe(new Date(world.clock.now()).toISOString());
    world.clock.pass(60_000);
    const saved = (await post(`/campaigns/${campaignId}`, { name: 'New' })).json.data;
    expect(saved).toMatchObject({ updatedAt: new Date(world.clock.now()).toISOString(), version });
    expect(Date.parse(saved.updatedAt)).toBeGreaterThan(Date.parse(updatedAt));
    expect(saved.history).toHaveLength(1);
    const { data } = (await admin.call('GET', '/campaigns')).json;
    expect(data.find((one: { campaignId: string }) => one.campaignId === campaignId).updatedAt).toBe(saved.updatedAt);
  });

  it.each([
    [{ name: '' }, 'name'],
    [{ samples: 'one' }, 'samples'],
    [{ flags: { other: true } }, 'flags'],
    [{ brandId: 'brd_none' }, 'brandId'],
    [{ optOutText: 's'.repeat(641) }, 'optOutText'],
  ])('%j is refused', async (body, field) => {
    const answer = await post(`/campaigns/${await draft()}`, body);
    expect([answer.status, Object.keys(answer.json.fields)]).toEqual([400, [field]]);
  });

  it('is nobody else’s', async () => {
    const id = await draft();
    const other = await world.as('Owner', 'acc_two');
    for (const answer of [
      await other.call('GET', `/campaigns/${id}`),
      await post(`/campaigns/${id}`, { name: 'X' }, other),
      await post(`/campaigns/${id}/check`, {}, other),
      await post(`/campaigns/${id}/submit`, {}, other),
      await post(`/campaigns/${id}/withdraw`, {}, other),
    ]) {
      expect(answer.status).toBe(404);
    }
    expect((await post(`/campaigns/${id}`, { name: 'X' }, await world.as('Support'))).status).toBe(403);
    const sandboxBrand = await brandId();
    expect((await post('/campaigns', { name: 'L', brandId: sandboxBrand }, admin, live)).json.fields.brandId).toMatch(
      /never mix/,
    );
  });
});

describe('a campaign that is sent in', () => {
  it('is decided by the operator, and comes back with what has to change', async () => {
    const id = await draft();
    const path = `/campaigns/${id}`;
    expect((await post(`${path}/submit`)).json.data).toMatchObject({ status: 'submitted', versions: [{ version: 1 }] });
    expect((await post(path, { description: 'Something else entirely.' })).status).toBe(409);
    expect((await post(path, { name: 'Orders 2' })).status).toBe(200);
    const outcome = {
      status: 'changes_needed',
      note: 'E-mail of 12 Nov',
      reasons: [{ field: 'samples.0', sentence: 'Say more.' }],
    };
    expect((await post(`${path}/outcome`, outcome)).status).toBe(403);
    const operator = await world.as('Owner');
    expect((await post(`${path}/outcome`, { ...outcome, reasons: [] }, operator)).json.fields.reasons).toBeDefined();
    expect((await post(`${path}/outcome`, { ...outcome, status: 'draft' }, operator)).json.fields.status).toBeDefined();
    expect((await post(`${path}/outcome`, { ...outcome, note: ' ' }, operator)).json.fields.note).toBeDefined();
    expect((await post(`${path}/outcome`, outcome, operator)).status).toBe(200);
    const [sample] = goodCampaign.samples!;
    const again = await post(path, { samples: [`${sample} More: HELP.`] });
    expect(again.json.data).toMatchObject({ status: 'changes_needed' });
    await post(`${path}/submit`);
    const approved = { status: 'approved', note: 'Call', tcrId: 'C77', carriers: { tmobile: 'approved' } };
    const { data } = (await post(`${path}/outcome`, approved, operator)).json;
    expect(data).toMatchObject({ status: 'approved', tcrId: 'C77', carriers: { tmobile: 'approved' }, pacing: null });
    expect(data.history.map((one: Record<string, string>) => `${one.what} ${one.status} ${one.version}`)).toEqual([
      ...['created draft 0', 'submitted submitted 1', 'outcome changes_needed 1'],
      ...['submitted submitted 2', 'outcome approved 2'],
    ]);
    expect(data.versions.map((one: { form: { samples: string[] } }) => one.form.samples.length)).toEqual([1, 1]);
    expect(data.versions[0].form.samples[0]).toBe(sample);
    expect((await post(path, { optOutText: 'x' })).status).toBe(409);
    expect((await post(`${path}/submit`)).status).toBe(409);
  });

  it('has an outcome only while somebody may decide on it, and only one that may follow', async () => {
    const id = await draft();
    const operator = await world.as('Owner');
    const decide = async (status: string, more: object = {}) =>
      (await post(`/campaigns/${id}/outcome`, { status, note: 'n', ...more }, operator)).status;
    for (const status of ['in_review', 'approved', 'suspended', 'expired']) expect(await decide(status)).toBe(409);
    expect((await operator.call('GET', `/campaigns/${id}`)).json.data).toMatchObject({
      status: 'draft',
      outcomes: [],
      history: [{ what: 'created' }],
    });
    await post(`/campaigns/${id}/submit`);
    expect([await decide('suspended'), await decide('expired'), await decide('in_review')]).toEqual([400, 400, 200]);
    expect(await decide('changes_needed', { reasons: [{ field: '', sentence: 'More.' }] })).toBe(200);
    expect(await decide('approved')).toBe(409);
    await post(`/campaigns/${id}/submit`);
    expect([await decide('approved'), await decide('in_review'), await decide('changes_needed')]).toEqual([
      200, 400, 400,
    ]);
    expect([await decide('suspended'), await decide('expired'), await decide('approved')]).toEqual([200, 400, 200]);
    expect([await decide('expired'), await decide('approved'), await decide('expired')]).toEqual([200, 400, 200]);
  });

  it('is taken back by its company', async () => {
    const id = await draft();
    expect((await post(`/campaigns/${id}/withdraw`)).status).toBe(409);
    await post(`/campaigns/${id}/submit`);
    expect((await post(`/campaigns/${id}/withdraw`)).json.data.status).toBe('draft');
  });

  it('gets the networks’ limits when it is live and approved, until the operator sets others', async () => {
    const id = await draft(live);
    const operator = await world.as('Owner');
    await post(`/campaigns/${id}/submit`);
    const outcome = (more: object) =>
      post(`/campaigns/${id}/outcome`, { status: 'approved', note: 'n', ...more }, operator);
    const tables = { segmentsPerMinute: 75, mmsPerMinute: 50, segmentsPerDay: 2_000 };
    expect((await outcome({})).json.data.pacing).toEqual(tables);
    expect((await outcome({ pacing: null })).json.data.pacing).toBeNull();
    expect((await outcome({})).json.data.pacing).toBeNull();
    expect((await outcome({ pacing: { segmentsPerMinute: 9 } })).json.data.pacing).toEqual({
      segmentsPerMinute: 9,
      mmsPerMinute: null,
      segmentsPerDay: null,
    });
    expect((await outcome({ pacing: { segmentsPerMinute: 0 } })).status).toBe(400);
    expect((await outcome({ pacing: 'tables' })).json.data.pacing).toEqual(tables);
  });

  it('of any company is found and decided by the operator', async () => {
    const other = await world.as('Owner', 'acc_two');
    const made = await post('/brands', goodBrand, other);
    const form = { ...goodCampaign, brandId: made.json.data.brandId };
    const { campaignId } = (await post('/campaigns', form, other)).json.data;
    await post(`/campaigns/${campaignId}/submit`, {}, other);
    const operator = await world.as('Owner');
    expect((await admin.call('GET', '/campaigns?waiting=true')).status).toBe(403);
    expect((await operator.call('GET', '/campaigns?waiting=true')).json.data).toMatchObject([
      { campaignId, company: 'Two', status: 'submitted' },
    ]);
    expect((await operator.call('GET', `/campaigns/${campaignId}`)).status).toBe(200);
    expect((await post(`/campaigns/${campaignId}/outcome`, { status: 'approved', note: 'ok' }, operator)).status).toBe(
      200,
    );
    expect((await other.call('GET', `/campaigns/${campaignId}`)).json.data.status).toBe('approved');
    const log = (await other.call('GET', '/audit?what=campaign.outcome')).json.data.entries;
    expect(log).toMatchObject([{ target: campaignId, who: world.user('Owner').email }]);
  });
});

describe('a campaign of a records file', () => {
  it('is shown, and gets a name, an outcome and nothing else', async () => {
    expect((await admin.call('GET', '/campaigns')).json.data).toMatchObject([
      { campaignId: 'C1', status: 'approved', numbers: 1, useCase: '', brandName: null },
    ]);
    const { data } = (await admin.call('GET', '/campaigns/C1')).json;
    expect(data).toMatchObject({ history: [], versions: [], pacing: null, numberList: [{ number: '12025550199' }] });
    expect((await post('/campaigns/C1', { name: 'Demo' })).json.data.name).toBe('Demo');
    expect((await post('/campaigns/C1', { useCase: '2FA' })).status).toBe(409);
    const operator = await world.as('Owner');
    const outcome = { status: 'suspended', note: 'Complaint', reasons: [] };
    expect((await post('/campaigns/C1/outcome', outcome, operator)).json.data.status).toBe('suspended');
    expect((await admin.call('GET', '/numbers/12025550199')).json.data.canSend).toMatchObject({
      reason: 'CAMPAIGN_NOT_ACTIVE',
    });
  });
});
