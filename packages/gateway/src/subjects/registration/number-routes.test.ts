/** Numbers in the portal: permissions, linked switches, limits, and no lost edits. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Browser } from '../../http/portal/portal-fixture.ts';
import { inSandbox, number } from '../../model/world-fixture.ts';
import {
  openRegistrationWorld,
  type RegistrationWorld,
  registrationOf,
  seeded,
  toTelco,
} from './registration-fixture.ts';

let world: RegistrationWorld;
let admin: Browser;
beforeEach(async () => {
  world = await openRegistrationWorld();
  admin = await world.as('Admin');
});
afterEach(() => world.close());

const live = { headers: { 'x-helio-environment': 'live' } };
const change = (number: string, body: object, who = admin) => who.call('POST', `/numbers/${number}`, body);

describe('the numbers of a company', () => {
  it('are listed with what they can do and what mends it', async () => {
    const viewer = await world.as('Viewer');
    const { json } = await viewer.call('GET', '/numbers');
    expect(json.data).toMatchObject([
      {
        number: '12025550198',
        campaignId: null,
        campaignName: null,
        last24h: { sent: 0, delivered: 0 },
        canSend: { ok: false, reason: 'SENDER_NOT_ENABLED', fix: { label: 'Turn SMS on' } },
      },
      { number: '12025550199', campaignStatus: 'approved', canSend: { ok: true }, version: expect.any(String) },
    ]);
    const sides = await viewer.call('GET', '/numbers', undefined, live);
    expect(sides.json.data).toMatchObject([
      { number: '15125550111', canSend: { sentence: 'No campaign', fix: { href: '/numbers/15125550111' } } },
    ]);
    expect((await viewer.call('GET', '/numbers/12025550199')).json.data).toMatchObject({ queued: 0, name: '' });
  });

  it('cannot send where no route leads from them, whatever their campaign says', async () => {
    const look = async (browser: Browser) =>
      (await browser.call('GET', '/numbers/12025550199')).json.data.canSend as unknown;
    const owner = await world.as('Owner');
    expect(await look(admin)).toEqual({ ok: true });
    // For MMS only, for another number, for another campaign: none of these routes takes a text from this one.
    for (const more of [{ kind: 'MMS' }, { number: '12025550198' }, { campaignId: 'CL' }] as const) {
      await world.put({ routes: [{ ...toTelco, ...more }] });
      expect(await look(admin), JSON.stringify(more)).toEqual({
        ok: false,
        reason: 'NO_ROUTE',
        sentence: 'No route leads from it: ask the operator',
      });
    }
    expect(await look(owner)).toMatchObject({ reason: 'NO_ROUTE', fix: { label: 'Add a route', href: '/routes' } });
    const list = (await admin.call('GET', '/numbers')).json.data as { canSend: unknown }[];
    expect(list[1]!.canSend).toMatchObject({ reason: 'NO_ROUTE' });
    await world.put({ routes: [{ ...toTelco, number: '12025550199', kind: 'SMS', campaignId: 'C1' }] });
    expect(await look(admin)).toEqual({ ok: true });
    await world.put({ carriers: [{ ...seeded.carriers![0]!, enabled: false }] });
    expect(await look(admin)).toMatchObject({ reason: 'NO_ROUTE' });
  });

  it('are not there for another company', async () => {
    expect((await admin.call('GET', '/numbers/12025550150')).status).toBe(404);
    expect((await change('12025550150', { smsEnabled: false })).status).toBe(404);
    expect((await change('12025550199', { campaignId: 'C2' })).json.fields.campaignId).toMatch(/no such campaign/);
  });

  it.each(['Developer', 'Support', 'Viewer'] as const)('are not changed by a %s', async (role) => {
    const browser = await world.as(role);
    expect((await change('12025550199', { smsEnabled: false }, browser)).status).toBe(403);
    expect((await browser.call('POST', '/numbers', { number: '12025550142' })).status).toBe(403);
  });
});

describe('a change', () => {
  it('applies at once, is logged, and SMS takes MMS along', async () => {
    const off = await change('12025550199', { smsEnabled: false });
    expect(off.json).toMatchObject({
      detail: 'SMS is off. 0 queued messages stop when their turn comes, unless it is on again by then.',
    });
    expect(off.json.data).toMatchObject({ smsEnabled: false, mmsEnabled: false, canSend: { ok: false }, queued: 0 });
    expect((await change('12025550199', { smsEnabled: true })).json.data).toMatchObject({ mmsEnabled: true });
    expect((await change('12025550199', { mmsEnabled: false })).json.data).toMatchObject({ smsEnabled: true });
    expect((await change('12025550199', { name: 'Shop', messagesPerSecond: 5 })).json.data).toMatchObject({
      mmsEnabled: false,
      name: 'Shop',
      messagesPerSecond: 5,
    });
    const log = await (await world.as('Owner')).call('GET', '/audit?what=number.changed');
    expect(log.json.data.entries[3]).toMatchObject({
      target: '12025550199',
      who: world.user('Admin').email,
      before: { smsEnabled: true, mmsEnabled: true },
      after: { smsEnabled: false, mmsEnabled: false },
    });
  });

  it.each([
    [{ mmsEnabled: true }, 'mmsEnabled'],
    [{ smsEnabled: 'yes' }, 'smsEnabled'],
    [{ messagesPerSecond: -1 }, 'messagesPerSecond'],
    [{ name: 'n'.repeat(65) }, 'name'],
    [{ campaignId: 'C9' }, 'campaignId'],
    [{ campaignId: 'CL' }, 'campaignId'],
  ])('%j is refused, and nothing is changed', async (body, field) => {
    const before = await world.recordsNow();
    const answer = await change('12025550198', body);
    expect([answer.status, Object.keys(answer.json.fields)]).toEqual([400, [field]]);
    expect((await world.recordsNow()).numbers).toEqual(before.numbers);
  });

  it('to data that somebody else changed meanwhile is refused with the present data', async () => {
    const { version } = (await admin.call('GET', '/numbers/12025550199')).json.data;
    await change('12025550199', { name: 'Theirs', version });
    const answer = await change('12025550199', { name: 'Mine', version });
    expect(answer.status).toBe(409);
    expect(answer.json.data.current).toMatchObject({ name: 'Theirs', version: expect.not.stringContaining(version) });
  });

  it('and another at the same moment are both there', async () => {
    await Promise.all([
      ...['12025550199', '12025550198'].map((number) => change(number, { name: number })),
      change('12025550199', { messagesPerSecond: 7 }),
    ]);
    const { numbers } = await world.recordsNow();
    expect(numbers).toContainEqual(expect.objectContaining({ name: '12025550199', messagesPerSecond: 7 }));
    expect(numbers).toContainEqual(expect.objectContaining({ name: '12025550198' }));
  });

  it('puts no fiftieth number on a campaign, unless it has a pool', async () => {
    const [number] = seeded.numbers!;
    const many = Array.from({ length: 48 }, (_, n) => ({
      ...number!,
      number: `150055501${String(n).padStart(2, '0')}`,
    }));
    const spare = { ...number!, number: '15005550199', campaignId: null };
    await world.put({ numbers: [...many, spare] });
    expect((await change('15005550199', { campaignId: 'C1' })).json.fields.campaignId).toMatch(/49 numbers/);
    await world.put({ campaigns: [registrationOf(seeded.campaigns![0]!, { numberPool: true })] });
    expect((await change('15005550199', { campaignId: 'C1' })).status).toBe(200);
  });
});

describe('a new number', () => {
  const add = (number: string, how = {}, who = admin) =>
    who.call('POST', '/numbers', { number, name: 'Test', campaignId: null }, how);

  it('of the sandbox is from its fictional range, and nobody else’s', async () => {
    expect((await add('1 (202) 555-0142')).json.data).toMatchObject({
      number: '12025550142',
      smsEnabled: true,
      environment: 'sandbox',
      canSend: { sentence: 'No campaign' },
    });
    for (const number of ['12025550142', '12025550150', '15125550100', '555', 'abc']) {
      expect((await add(number)).json.fields.number).toBeDefined();
    }
  });

  it('that is live is added by the operator alone', async () => {
    expect((await add('15125550122', live)).json.fields.number).toMatch(/operator/);
    const operator = await world.as('Owner');
    expect((await add('12025550143', live, operator)).json.fields.number).toMatch(/fictional/);
    expect((await add('15125550122', live, operator)).json.data).toMatchObject({ environment: 'live' });
    const numbers = (await world.recordsNow()).numbers.map(({ number }) => number);
    expect(numbers).toContain('15125550122');
    expect(numbers).not.toContain('12025550143');
  });
});

describe('a table of numbers', () => {
  const csv = { headers: { 'content-type': 'text/csv' } };
  const bring = (text: string, who = admin, how = csv) => who.call('POST', '/numbers/import', Buffer.from(text), how);

  it('adds and changes entry by entry, and says of each that it did not take why', async () => {
    const text = [
      'number,name,sms,campaign',
      '12025550142,Shop,true,C1',
      '12025550199,Till,false,C1',
      '12025550198,,false,',
      '12025550150,Theirs,true,',
      '15125550100,Real,true,',
      '12025550143,Next,perhaps,',
      '12025550144,Other,true,C2',
      '15125550111,Live,true,',
    ].join('\n');
    const { json } = await bring(text);
    expect(json.data).toMatchObject({ added: 1, changed: 1, unchanged: 1, refused: 5 });
    expect(json.data.problems.map((one: { entry: number }) => one.entry)).toEqual([4, 5, 6, 7, 8]);
    const { numbers } = await world.recordsNow();
    expect(numbers).toContainEqual(expect.objectContaining({ number: '12025550142', name: 'Shop', campaignId: 'C1' }));
    expect(numbers).toContainEqual(expect.objectContaining({ number: '12025550199', name: 'Till', smsEnabled: false }));
    expect(numbers).toContainEqual(expect.objectContaining({ number: '12025550150', accountId: 'acc_two' }));
    expect(numbers.map(({ number }) => number)).not.toContain('12025550144');
    expect((await bring(text)).json.data).toMatchObject({ added: 0, changed: 0, unchanged: 3 });
  });

  it('that cannot be read changes nothing, and needs the role for it', async () => {
    const before = (await world.recordsNow()).version;
    for (const text of ['', 'name\nx', 'number,sms\n1']) expect((await bring(text)).status).toBe(400);
    expect((await admin.call('POST', '/numbers/import', { numbers: [] })).status).toBe(400);
    expect((await bring('number\n12025550142', await world.as('Support'))).status).toBe(403);
    expect((await world.recordsNow()).version).toBe(before);
  });

  it('shows carriers to operators only', async () => {
    const operator = await world.as('Owner');
    expect((await operator.call('GET', '/numbers/12025550199')).json.data.carriers).toEqual([
      { carrierId: 'telco', name: 'Telco' },
    ]);
    expect((await admin.call('GET', '/numbers/12025550199')).json.data.carriers).toBeUndefined();
  });
});

describe('a toll-free number or short code', () => {
  const rows = ['18885550100', '72345', '12025550197'].map((digits) =>
    number(digits, { ...inSandbox, campaignId: null }),
  );

  it('sends without a campaign once an operator has recorded that carriers approved it', async () => {
    await world.put({ numbers: [...(seeded.numbers ?? []), ...rows] });
    const owner = await world.as('Owner');
    const look = async (digits: string, who = admin) => (await who.call('GET', `/numbers/${digits}`)).json.data;
    for (const digits of ['18885550100', '72345']) {
      expect(await look(digits)).toMatchObject({
        verified: false,
        canSend: { ok: false, reason: 'CAMPAIGN_REQUIRED', sentence: 'Not verified: ask the operator' },
      });
      expect(await look(digits, owner)).toMatchObject({ canSend: { fix: { href: `/numbers/${digits}` } } });
      expect((await change(digits, { verified: true })).json.data).toMatchObject({ permission: 'operator' });
      expect((await look(digits)).verified).toBe(false);
      expect((await change(digits, { verified: true }, owner)).json.data).toMatchObject({
        verified: true,
        canSend: { ok: true },
      });
      expect((await change(digits, { verified: false }, owner)).json.data.canSend.ok).toBe(false);
    }
  });

  it('is what alone can be verified', async () => {
    await world.put({ numbers: [...(seeded.numbers ?? []), ...rows] });
    const owner = await world.as('Owner');
    expect((await admin.call('GET', '/numbers/12025550197')).json.data).toMatchObject({
      verified: null,
      canSend: { sentence: 'No campaign' },
    });
    expect((await change('12025550197', { verified: true }, owner)).json.fields.verified).toMatch(/needs a campaign/);
  });
});

describe('a name as sender', () => {
  const inAcme = { environment: 'live' } as const;

  it('is added by an operator with its countries, and sends no MMS', async () => {
    const owner = await world.as('Owner');
    const add = (body: object, who = owner) => who.call('POST', '/numbers', body, live);
    expect((await add({ number: 'Acme', countries: ['DE'] }, admin)).json.fields.number).toMatch(/operator/);
    expect((await add({ number: 'Acme' })).json.fields.countries).toMatch(/needs the countries/);
    expect((await add({ number: 'Acme', countries: ['US'] })).json.fields.countries).toMatch(/US and Canada/);
    expect((await add({ number: 'Acme and Company', countries: ['DE'] })).json.fields.number).toBeDefined();
    const { json } = await add({ number: ' Acme Shop ', countries: ['DE', 'FR'] });
    expect(json.data).toMatchObject({ ...inAcme, number: 'Acme Shop', mmsEnabled: false, countries: ['DE', 'FR'] });
    const at = (who: Browser, body: object) => who.call('POST', '/numbers/Acme%20Shop', body, live);
    expect((await at(owner, { mmsEnabled: true })).json.fields.mmsEnabled).toMatch(/no MMS/);
    expect((await at(owner, { campaignId: 'CL' })).json.fields.campaignId).toMatch(/no campaign/);
    expect((await at(admin, { countries: ['GB'] })).json.data).toMatchObject({ permission: 'operator' });
    expect((await at(owner, { countries: ['GB'] })).json.data.countries).toEqual(['GB']);
    for (const smsEnabled of [false, true])
      expect((await at(owner, { smsEnabled })).json.data).toMatchObject({ smsEnabled, mmsEnabled: false });
  });
});
