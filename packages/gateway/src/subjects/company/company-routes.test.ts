/** The company's own page: who may change it, that concurrent edits do not undo each other, and erasing a number. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openPortalWorld, type PortalWorld } from '../../http/portal/portal-fixture.ts';
import { createIds } from '../../kernel/ids.ts';
import { machineRandom } from '../../kernel/machine.ts';
import { roles } from '../../model/roles.ts';
import { companyRoutes } from './company-routes.ts';

let world: PortalWorld;
let nudges = 0;
beforeEach(async () => {
  nudges = 0;
  world = await openPortalWorld({
    modules: ({ store, clock }) => [
      companyRoutes({
        store,
        ids: createIds({ ...clock, after: () => () => {} }, machineRandom),
        refreshDirectory: async () => world.setRecords(await store.records()),
        erasureRequested: () => {
          nudges += 1;
        },
      }),
    ],
  });
  const { version: _, ...lists } = world.records;
  await world.store.putRecords(lists);
});
afterEach(() => world.close());

describe('the company', () => {
  it('is read by everybody and changed by Owner and Admin', async () => {
    for (const role of roles) {
      const person = await world.as(role, 'acc_two');
      const { data } = (await person.call('GET', '/company')).json;
      expect(data).toMatchObject({ accountId: 'acc_two', bodyDays: 30, metadataDays: 400, timeZone: null });
      const { status } = await person.call('POST', '/company', { version: data.version, supportContact: role });
      expect([role, status]).toEqual([role, role === 'Owner' || role === 'Admin' ? 200 : 403]);
    }
  });

  it('has a monthly budget, or none, and no other than an amount', async () => {
    const owner = await world.as('Owner');
    const save = async (monthlyBudget: string | null) => {
      const { version } = (await owner.call('GET', '/company')).json.data;
      return (await owner.call('POST', '/company', { version, monthlyBudget })).json;
    };
    expect((await save(' 99.50 ')).data.monthlyBudget).toBe('99.50');
    for (const wrong of ['0', '-1', 'lots', '1e3', '1.0000001']) {
      expect((await save(wrong)).fields).toHaveProperty('monthlyBudget');
    }
    expect((await save(null)).data.monthlyBudget).toBeNull();
  });

  it('is saved at once, with a row of the audit log that has what differs', async () => {
    const owner = await world.as('Owner');
    const before = (await owner.call('GET', '/company')).json.data;
    const form = { name: ' New name ', destinations: ['us', 'de', 'US'], timeZone: 'Europe/Berlin', bodyDays: 7 };
    const saved = await owner.call('POST', '/company', { version: before.version, ...form });
    expect(saved.json.data).toMatchObject({
      name: 'New name',
      destinations: ['US', 'DE'],
      bodyDays: 7,
      metadataDays: 400,
    });
    expect((await owner.call('GET', '/me')).json.data.account).toMatchObject({
      name: 'New name',
      timeZone: 'Europe/Berlin',
    });
    const [entry] = (await owner.call('GET', '/audit?what=company.changed')).json.data.entries;
    expect(entry).toMatchObject({ who: 'owner@acc-one.example', before: { name: before.name } });
    expect(Object.keys(entry.after).sort()).toEqual(['destinations', 'name', 'retention', 'timeZone']);
    const { accounts } = await world.store.records();
    expect(accounts.find(({ accountId }) => accountId === 'acc_two')).toMatchObject({ name: 'Two' });
  });

  it('texts only the countries that the operator allows, whom its people may leave out and take again', async () => {
    const admin = await world.as('Admin', 'acc_two');
    const save = async (person: typeof admin, form: object) => {
      const { version } = (await person.call('GET', '/company')).json.data;
      return (await person.call('POST', '/company', { version, ...form })).json;
    };
    const { destinations } = (await admin.call('GET', '/company')).json.data;
    expect(destinations).toEqual(['US']);
    for (const wider of [['US', 'DE'], ['*'], ['DE']]) {
      expect((await save(admin, { destinations: wider })).fields.destinations).toContain('allows your company US');
    }
    const { accounts } = await world.store.records();
    const two = accounts.find(({ accountId }) => accountId === 'acc_two')!;
    const { version: _, ...lists } = world.records;
    const changed = { ...two, destinations: ['US', 'DE'] };
    await world.store.putRecords({ ...lists, accounts: [changed] });
    world.setRecords(await world.store.records());
    expect((await save(admin, { destinations: ['DE'] })).data.destinations).toEqual(['DE']);
    expect((await save(admin, { destinations: ['FR'] })).fields.destinations).toContain('US, DE');
    expect((await save(admin, { destinations: ['us', 'de'] })).data.destinations).toEqual(['US', 'DE']);
    // When an operator changes their own company, its limits follow.
    expect((await save(await world.as('Owner'), { destinations: ['*'] })).data).toMatchObject({ destinations: ['*'] });
  });

  it('turns the fraud guard off only where the operator allows it', async () => {
    const admin = await world.as('Admin', 'acc_two');
    const save = async (fraudGuard: string) => {
      const { version } = (await admin.call('GET', '/company')).json.data;
      return (await admin.call('POST', '/company', { version, fraudGuard })).json;
    };
    expect((await save('off')).fields.fraudGuard).toContain('operator');
    const { accounts } = await world.store.records();
    const two = accounts.find(({ accountId }) => accountId === 'acc_two')!;
    const { version: _, ...lists } = world.records;
    await world.store.putRecords({ ...lists, accounts: [{ ...two, fraudGuardOptional: true }] });
    world.setRecords(await world.store.records());
    expect((await save('off')).data).toMatchObject({ fraudGuard: 'off', fraudGuardOptional: true });
    expect((await save('on')).data.fraudGuard).toBe('on');
  });

  it('that was changed meanwhile is not overwritten, and is shown as it is', async () => {
    const [ada, bob] = [await world.as('Owner'), await world.as('Admin')];
    const { version } = (await ada.call('GET', '/company')).json.data;
    expect((await ada.call('POST', '/company', { version, name: 'Ada’s' })).status).toBe(200);
    const late = await bob.call('POST', '/company', { version, name: 'Bob’s' });
    expect([late.status, late.json.reason, late.json.data.current.name]).toEqual([409, 'CONFLICT', 'Ada’s']);
    const again = await bob.call('POST', '/company', { version: late.json.data.current.version, name: 'Bob’s' });
    expect(again.json.data.name).toBe('Bob’s');
  });

  it.each([
    ['name', { name: '  ' }],
    ['destinations', { destinations: ['XX'] }],
    ['destinations', { destinations: [] }],
    ['timeZone', { timeZone: 'Mars/Base' }],
    ['bodyDays', { bodyDays: 0 }],
    ['metadataDays', { metadataDays: 3 }],
    ['uncertainPolicy', { uncertainPolicy: 'guess' }],
    ['mmsFallback', { mmsFallback: true }],
  ])('learns what is wrong with %s', async (field, form) => {
    const owner = await world.as('Owner');
    const { version } = (await owner.call('GET', '/company')).json.data;
    const answer = await owner.call('POST', '/company', { version, ...form });
    expect([answer.status, Object.keys(answer.json.fields)]).toEqual([400, [field]]);
  });

  it('does not take what is an operator’s', async () => {
    const owner = await world.as('Owner');
    const { version } = (await owner.call('GET', '/company')).json.data;
    const form = { version, status: 'suspended', rates: [], requestsPerSecond: 9, name: 'N' };
    const { json } = await owner.call('POST', '/company', form);
    expect(Object.keys(json.fields)).toEqual(['status', 'rates', 'requestsPerSecond']);
    expect((await owner.call('POST', '/company', { version, name: 'N' })).status).toBe(200);
    const account = (await world.store.records()).accounts.find(({ accountId }) => accountId === 'acc_one')!;
    expect(account).toMatchObject({ name: 'N', status: 'active' });
    expect(account.rates ?? 'none').toBe('none');
  });
});

describe('quiet hours', () => {
  const night = { on: true, from: '21:00', to: '08:00' };
  const set = async (who: Awaited<ReturnType<PortalWorld['as']>>, form: object) => {
    const { version } = (await who.call('GET', '/company')).json.data;
    return who.call('POST', '/company/quiet-hours', { version, ...form });
  };

  it('are set and taken away by Owner and Admin, with a row of the audit log', async () => {
    for (const role of roles) {
      const { status } = await set(await world.as(role, 'acc_two'), night);
      expect([role, status]).toEqual([role, role === 'Owner' || role === 'Admin' ? 200 : 403]);
    }
    const owner = await world.as('Owner', 'acc_two');
    expect((await set(owner, { on: false })).json.data.quietHours).toBeNull();
    const [entry] = (await owner.call('GET', '/audit?what=company.changed')).json.data.entries;
    expect([entry.before.quietHours, entry.after.quietHours]).toEqual([{ from: '21:00', to: '08:00' }, null]);
    expect((await (await world.as('Owner')).call('GET', '/company')).json.data.quietHours).toBeNull();
  });

  it('show what they mean at this moment, in the zone of the company', async () => {
    const owner = await world.as('Owner');
    const shown = async (form: object) => (await set(owner, { on: true, ...form })).json.data.quietHours;
    const clock = (hours: number) => new Date(world.clock.now() + hours * 3_600_000).toISOString().slice(11, 16);
    const under = await shown({ from: clock(-1), to: clock(1) });
    expect(under).toMatchObject({ now: true, begins: null, timeZone: 'UTC', exceptCampaigns: [] });
    expect(Date.parse(under.ends) - world.clock.now()).toBeLessThanOrEqual(3_600_000);
    expect(under.days).toHaveLength(7);
    const ahead = await shown({ from: clock(2), to: clock(3), days: [...under.days] });
    expect(ahead).toMatchObject({ now: false });
    expect(Date.parse(ahead.ends) - Date.parse(ahead.begins)).toBe(3_600_000);
    const { accounts } = await world.store.records();
    expect(accounts.find(({ accountId }) => accountId === 'acc_one')!.quietHours).not.toHaveProperty('days');
  });

  it('are refused when they are never, name no day, or except the campaign of another company', async () => {
    const owner = await world.as('Owner');
    const theirs = world.records.campaigns.find(({ accountId }) => accountId !== 'acc_one')?.campaignId ?? 'NONE';
    const wrong = [{ to: '21:00' }, { from: '9pm' }, { days: ['someday'] }, { exceptCampaigns: [theirs] }];
    for (const form of wrong) {
      const { status, json } = await set(owner, { ...night, ...form });
      expect([status, Object.keys(json.fields)]).toEqual([400, [expect.stringMatching(/^(quietHours|days)$/)]]);
    }
    expect((await owner.call('POST', '/company/quiet-hours', { ...night, version: 'x' })).status).toBe(409);
    expect((await owner.call('POST', '/company', { version: 'x', quietHours: null })).json.fields).toHaveProperty(
      'quietHours',
    );
  });
});

describe('a second factor that the company requires', () => {
  const day = 86_400_000;
  const ask = async (who: Awaited<ReturnType<PortalWorld['as']>>, form: object) => {
    const { version } = (await who.call('GET', '/company')).json.data;
    return who.call('POST', '/company/second-factor', { version, ...form });
  };

  it('is due after the days of grace; then only what people change of themselves is open to them', async () => {
    const [owner, viewer] = [await world.as('Owner'), await world.as('Viewer')];
    expect((await owner.call('GET', '/me')).json.data.secondFactorDue).toBeNull();
    expect((await ask(owner, { roles: ['Viewer'], graceDays: 0 })).status).toBe(200);
    expect((await owner.call('GET', '/company')).status).toBe(200);
    const shut = await viewer.call('GET', '/company');
    expect([shut.status, shut.json.reason]).toEqual([403, 'SECOND_FACTOR_NEEDED']);
    expect(Date.parse((await viewer.call('GET', '/me')).json.data.secondFactorDue)).toBe(world.clock.now());
    expect((await viewer.call('POST', '/me/totp/begin')).status).toBe(200);
    expect((await ask(owner, { roles: ['Viewer'], graceDays: 7 })).status).toBe(200);
    expect((await viewer.call('GET', '/company')).status).toBe(200);
    const due = (await viewer.call('GET', '/me')).json.data.secondFactorDue;
    expect(Date.parse(due)).toBe(world.clock.now() + 7 * day);
    expect((await ask(owner, { roles: [], graceDays: 7 })).json.data.secondFactor).toBeNull();
    expect((await viewer.call('GET', '/me')).json.data.secondFactorDue).toBeNull();
    const other = await world.as('Viewer', 'acc_two');
    expect((await other.call('GET', '/company')).json.data.secondFactor).toBeNull();
    const [entry] = (await owner.call('GET', '/audit?what=company.changed')).json.data.entries;
    expect([entry.before.secondFactor.roles, entry.after.secondFactor]).toEqual([['Viewer'], null]);
  });

  it('is required by Owner and Admin, with valid values, and a recent sign-in', async () => {
    const [owner, developer] = [await world.as('Owner'), await world.as('Developer')];
    expect((await ask(developer, { roles: ['Owner'], graceDays: 0 })).status).toBe(403);
    expect(Object.keys((await ask(owner, { roles: ['King'], graceDays: 7 })).json.fields)).toEqual(['roles']);
    expect(Object.keys((await ask(owner, { graceDays: 700 })).json.fields)).toEqual(['roles', 'graceDays']);
    expect((await owner.call('POST', '/company', { version: 'x', secondFactor: null })).json.fields).toHaveProperty(
      'secondFactor',
    );
    const stale = await owner.call('POST', '/company/second-factor', { version: 'x', roles: [], graceDays: 0 });
    expect(stale.status).toBe(409);
    world.clock.pass(11 * 60_000);
    expect((await ask(owner, { roles: [], graceDays: 0 })).json.reason).toBe('RECENT_SIGN_IN_NEEDED');
  });
});

describe('how long passwords are', () => {
  const old = 'seven purple kettles whistle';
  const long = `${old} all night`;

  it('is required by the company, for passwords set from then on', async () => {
    const owner = await world.as('Owner');
    const { version, passwordCharactersMin } = (await owner.call('GET', '/company')).json.data;
    expect(passwordCharactersMin).toBe(12);
    const changed = await owner.call('POST', '/company', { version, passwordCharactersMin: 32 });
    expect(changed.json.data.passwordCharactersMin).toBe(32);
    const [entry] = (await owner.call('GET', '/audit?what=company.changed')).json.data.entries;
    expect([entry.before, entry.after]).toEqual([{ passwordCharactersMin: null }, { passwordCharactersMin: 32 }]);
    expect((await owner.call('GET', '/me')).json.data.account.passwordCharactersMin).toBe(32);

    const short = await owner.call('POST', '/me/password', { current: 'whatever', next: old });
    expect([short.status, short.json.fields.next]).toEqual([400, expect.stringContaining('Use at least 32')]);
    const enough = await owner.call('POST', '/me/password', { current: 'whatever', next: long });
    expect(Object.keys(enough.json.fields)).toEqual(['current']);
    const other = await world.as('Owner', 'acc_two');
    const theirs = await other.call('POST', '/me/password', { current: 'whatever', next: old });
    expect(Object.keys(theirs.json.fields)).toEqual(['current']);
  });

  it('is shown to invited people, and required of them', async () => {
    const owner = await world.as('Owner');
    const { version } = (await owner.call('GET', '/company')).json.data;
    await owner.call('POST', '/company', { version, passwordCharactersMin: 32 });
    const invited = await owner.call('POST', '/users/invitations', { email: 'new@acc-one.example', role: 'Viewer' });
    const key = new URL(invited.json.data.link).hash.slice('#k='.length);
    const guest = world.browser();
    const seen = await guest.call('POST', '/invitation/look', { key });
    expect(seen.json.data.passwordCharactersMin).toBe(32);
    const refused = await guest.call('POST', '/invitation', { key, name: 'New', password: old });
    expect(refused.json.fields.password).toContain('Use at least 32');
    expect((await guest.call('POST', '/invitation', { key, name: 'New', password: long })).status).toBe(200);
  });

  it.each([11, 65, 'many', null])('is not %j', async (passwordCharactersMin) => {
    const owner = await world.as('Owner');
    const { version } = (await owner.call('GET', '/company')).json.data;
    const refused = await owner.call('POST', '/company', { version, passwordCharactersMin });
    expect([refused.status, Object.keys(refused.json.fields)]).toEqual([400, ['passwordCharactersMin']]);
  });
});

describe('erasing a number', () => {
  it('is recorded, logged without the number, and begun', async () => {
    const owner = await world.as('Owner');
    const response = await owner.call('POST', '/company/erasures', { number: '14155550100' });
    expect(response.json.data).toMatchObject({
      number: '1415•••0100',
      doneAt: null,
      requestedBy: 'owner@acc-one.example',
    });
    expect(nudges).toBe(1);
    expect(await world.store.erasures({ accountId: null, limit: 9 })).toMatchObject([{ peer: '14155550100' }]);
    const log = (await owner.call('GET', '/audit')).text;
    expect(log).toContain('number.erased');
    expect(log).not.toContain('14155550100');
    const other = await world.as('Owner', 'acc_two');
    expect((await other.call('GET', '/company/erasures')).json.data).toEqual([]);
    expect((await owner.call('GET', '/company/erasures')).json.data).toHaveLength(1);
  });

  it('needs a number, the permission and a recent sign-in', async () => {
    const owner = await world.as('Owner');
    expect((await owner.call('POST', '/company/erasures', { number: '+1 415' })).json.fields.number).toBeDefined();
    const developer = await world.as('Developer');
    expect((await developer.call('POST', '/company/erasures', { number: '14155550100' })).status).toBe(403);
    world.clock.pass(11 * 60_000);
    const late = await owner.call('POST', '/company/erasures', { number: '14155550100' });
    expect(late.json.reason).toBe('RECENT_SIGN_IN_NEEDED');
    expect(nudges).toBe(0);
  });
});
