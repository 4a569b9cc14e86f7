/**
 * The operator's routes over a real store: carriers, routes and companies; access; a second factor before a carrier
 * that reaches real telephones; secrets that are never shown; concurrent edits; and audit entries for everything.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CarrierLog } from '../../carriers/carrier.ts';
import { buildDirectory } from '../../carriers/directory.ts';
import type { PortalModule } from '../../http/portal/portal.ts';
import { type Browser, openPortalWorld, type PortalWorld, type WorldParts } from '../../http/portal/portal-fixture.ts';
import { createIds } from '../../kernel/ids.ts';
import { machineRandom } from '../../kernel/machine.ts';
import type { LaneReport } from '../../messaging/send-queue/lane-meter.ts';
import type { Directory } from '../../model/directory.ts';
import type { LoggedPdu } from '../../model/logged-pdu.ts';
import type { User } from '../../model/people.ts';
import { roles } from '../../model/roles.ts';
import { campaign } from '../../model/world-fixture.ts';
import { acceptItem, settlement } from '../../store/contract/fixture.ts';
import { judgeAccount, judgeCarrier, judgeRoute } from '../records/form.ts';
import { sealer } from '../records/records-fixture.ts';
import { accountRoutes } from './account-routes.ts';
import { createAccountService } from './account-service.ts';
import { carrierAdminRoutes } from './carrier-admin-routes.ts';
import { createCarrierQueueService } from './carrier-queue.ts';
import { carrierQueueRoutes } from './carrier-queue-routes.ts';
import { createCarrierService } from './carrier-service.ts';
import { createRecordsService, type RecordRules } from './records-service.ts';
import { createRouteDraftService } from './route-draft.ts';
import { createRouteService } from './route-service.ts';
import { routingRoutes } from './routing-routes.ts';
import { unmatchedRoutes } from './unmatched-routes.ts';
import { createUnmatchedService } from './unmatched-service.ts';

const smpp = { id: 'telco', kind: 'smpp', host: 'smpp.example', system_id: 'us', password: 'pa55w0rd' };

const report: LaneReport = {
  status: { carrierId: 'telco', up: true, binds: [{ state: 'bound_trx', detail: null, window: 10, inFlight: 10 }] },
  ...{ since: 17e11, detail: 'bound', inFlight: 3, outPerSecond: 2, inPerSecond: 1, outHistory: [1, 2], tries: 9 },
  ...{ accepted: 9, receipts: 8, refused: 0, throttled: 0, reported: null, silentSince: null, responseP95Ms: 18 },
};

let world: PortalWorld;
let operator: Browser;
let paused: Set<string>;
let kept: { until: number | null; entries: LoggedPdu[] };
let tested: unknown[];
beforeEach(async () => {
  paused = new Set();
  kept = { until: null, entries: [] };
  tested = [];
  let directory: Directory;
  world = await openPortalWorld({ modules: (parts) => modules(parts) });
  const refresh = async () => {
    const records = await world.store.records();
    world.setRecords(records);
    directory = buildDirectory(records);
  };
  await world.store.putRecords({ ...world.records, numbers: [] });
  await refresh();
  operator = await world.as('Owner');
  await setSecondFactor({ secret: 'sealed:', lastStep: 0 } as unknown as User['totp']);

  function modules({ clock, store, people }: WorldParts): PortalModule[] {
    const log: CarrierLog = {
      until: () => kept.until,
      entries: () => kept.entries,
      keep: (until) => {
        kept.until = until;
      },
      goOn: () => {},
    };
    const lanes = {
      up: (id: string) => id === 'telco',
      isPaused: (id: string) => paused.has(id),
      report: (id: string) => (id === 'telco' ? report : null),
      nodeOf: () => 'gw/1',
      pause: async (id: string, value: boolean) => void (value ? paused.add(id) : paused.delete(id)),
      carrier: (id: string) => (id === 'telco' ? ({ log, retry: () => tested.push('retry') } as never) : undefined),
      nudge: () => {},
    };
    const rules: RecordRules = {
      carrier: (form, onRecord) => judgeCarrier(form, { onRecord, sealer }),
      ...{ route: judgeRoute, account: judgeAccount },
    };
    const service = createRecordsService({ clock, store, refresh: () => refresh() });
    const ids = createIds(clock, machineRandom);
    const common = { clock, store, lanes, service, rules, ids, directory: () => directory };
    const carriers = createCarrierService({
      ...common,
      testConnection: async (record) => {
        tested.push(record);
        return [{ step: 'Open', ok: false, detail: 'ECONNREFUSED', tookMs: 1 }];
      },
    });
    return [
      carrierAdminRoutes(carriers),
      carrierQueueRoutes(createCarrierQueueService(common), store),
      unmatchedRoutes(createUnmatchedService(common)),
      routingRoutes(createRouteService(common), createRouteDraftService(common)),
      accountRoutes(createAccountService(common), people.users),
    ];
  }
});
afterEach(() => world.close());

/** Set on the user after the session began, because a second factor would add a step to the sign-in. */
async function setSecondFactor(totp: User['totp']): Promise<void> {
  const [user] = await world.store.users({ userId: world.user('Owner').userId });
  await world.store.changePeople([{ rules: [], writes: [{ write: 'user', user: { ...user!, totp } }], audit: [] }]);
}

const post = (path: string, body: object) => operator.call('POST', path, body);
const get = async (path: string) => (await operator.call('GET', path)).json.data;
const add = (record: object = smpp) => post('/carriers', { record });
const audited = async () => (await world.store.auditRows({ after: 0, limit: 99 })).map((row) => `${row.what}`);

describe('the operator doors', () => {
  it('are closed to every role that is no operator, and to the other company', async () => {
    const mine = world.portal.registry.filter(({ access }) => access === 'operator');
    expect(mine.length).toBe(28);
    for (const role of roles) {
      world.clock.pass(10_000);
      const other = await world.as(role, 'acc_two');
      for (const { method, url } of mine) {
        const answer = await other.call(method, url.replace(/:\w+/g, 'telco'), method === 'GET' ? undefined : {});
        expect([url, answer.status, answer.json.reason]).toEqual([url, 403, 'FORBIDDEN']);
      }
      world.clock.pass(60_000);
    }
  });
});

describe('carriers', () => {
  it('are added, shown without secrets and with live figures, changed, and recorded in the audit log', async () => {
    expect((await add()).json).toMatchObject({ success: true, data: { carrierId: 'telco', warnings: [] } });
    const shown = await get('/carriers/telco');
    expect(shown).toMatchObject({
      ...{ carrierId: 'telco', kind: 'smpp', environment: 'live', enabled: true, paused: false, isSimulated: false },
      settings: { host: 'smpp.example', system_id: 'us', port: 2775 },
      secrets: { password: true },
      ...{ kindTitle: 'SMPP 3.4', usesTls: false, asksForReceipts: true, canRetry: true, node: 'gw/1' },
      live: { since: '2023-11-14T22:13:20.000Z', outPerSecond: 2, responseP95Ms: 18 },
      queue: { waiting: 0, oldestAt: null },
      limit: "Its window: 10 of 10 requests wait for the carrier's answer.",
    });
    const changed = await post('/carriers/telco', { record: { window: 20 }, version: shown.version });
    expect(changed.status).toBe(200);
    const [again] = await get('/carriers');
    expect(again.settings.window).toBe(20);
    expect(again.version).not.toBe(shown.version);
    const rows = await world.store.auditRows({ after: 0, limit: 99 });
    expect(rows.map(({ what }) => what)).toEqual(['sign_in', 'carrier.added', 'carrier.changed']);
    const everything = JSON.stringify([shown, again, rows, await world.store.records()]);
    expect(everything).not.toContain('pa55w0rd');
    expect(JSON.stringify([shown, rows])).not.toMatch(/hs\d\./);
    expect(JSON.parse(rows[2]!.body)).toMatchObject({ before: { window: 10 }, after: { window: 20 } });
  });

  it('are written by a body with nothing else in it', async () => {
    const answer = await post('/carriers', { record: smpp, window: 20 });
    expect([answer.status, Object.keys(answer.json.fields)]).toEqual([400, ['window']]);
    expect((await post('/carriers/telco/pause', { paused: true, now: true })).json.fields).toHaveProperty('now');
    expect((await post('/routes/draft', { routes: [], moves: [] })).json.fields).toHaveProperty('moves');
  });

  it('that somebody else changed meanwhile are not written over', async () => {
    await add();
    const { version } = await get('/carriers/telco');
    await post('/carriers/telco', { record: { window: 20 }, version });
    const late = await post('/carriers/telco', { record: { window: 30 }, version });
    expect(late.json).toMatchObject({ reason: 'CONFLICT', data: { current: { settings: { window: 20 } } } });
    expect(late.status).toBe(409);
    expect((await get('/carriers/telco')).settings.window).toBe(20);
  });

  it('say field by field what is wrong, and what is there already or not at all', async () => {
    const wrong = await add({ ...smpp, port: 0, host: 'no host' });
    expect(wrong.json).toMatchObject({
      reason: 'INVALID_FIELD',
      fields: { port: expect.any(String), host: expect.any(String) },
    });
    expect((await post('/carriers', {})).json.fields).toHaveProperty('record');
    await add();
    expect((await add()).json.fields).toEqual({ id: 'There is a carrier with this id already.' });
    expect((await post('/carriers/none', { record: {}, version: '' })).status).toBe(404);
    expect((await operator.call('GET', '/carriers/none')).status).toBe(404);
  });

  it('that reach telephones need two factors, but for switching off', async () => {
    await add();
    const { version } = await get('/carriers/telco');
    await setSecondFactor(null);
    expect((await add({ ...smpp, id: 'second' })).json).toMatchObject({
      reason: 'FORBIDDEN',
      detail: expect.stringContaining('two-factor'),
    });
    expect((await post('/carriers/telco', { record: { window: 20 }, version })).status).toBe(403);
    expect((await post('/carriers/telco', { record: { enabled: false }, version })).status).toBe(200);
    const off = await get('/carriers/telco');
    expect((await post('/carriers/telco', { record: { enabled: true }, version: off.version })).status).toBe(403);
    expect((await get('/carriers/telco')).enabled).toBe(false);
  });

  it('need a recent sign-in to be changed or tried', async () => {
    world.clock.pass(11 * 60_000);
    for (const path of ['/carriers', '/carriers/test', '/carriers/telco']) {
      expect((await post(path, { record: smpp })).json.reason).toBe('RECENT_SIGN_IN_NEEDED');
    }
  });

  it('are tried without being kept; a stored password goes to no other address', async () => {
    const answer = await post('/carriers/test', { record: smpp });
    expect(answer.json.data).toEqual({
      ok: false,
      steps: [
        { step: 'Open', ok: false, detail: 'Nothing listens at its address and port. (ECONNREFUSED)', tookMs: 1 },
      ],
    });
    expect(await get('/carriers')).toEqual([]);
    await add();
    expect((await post('/carriers/test', { record: { id: 'telco' } })).status).toBe(200);
    const elsewhere = { id: 'telco', host: 'thief.example' };
    expect((await post('/carriers/test', { record: elsewhere })).json.fields).toHaveProperty('password');
    expect((await post('/carriers/test', { record: { ...elsewhere, password: 'x' } })).status).toBe(200);
    expect(tested).toHaveLength(3);
  });

  it('are paused and go on', async () => {
    await add();
    expect((await post('/carriers/telco/pause', { paused: true })).status).toBe(200);
    expect(await get('/carriers/telco')).toMatchObject({ paused: true, limit: expect.stringContaining('paused') });
    expect((await post('/carriers/telco/pause', { paused: 1 })).status).toBe(400);
    expect((await post('/carriers/none/pause', { paused: true })).status).toBe(404);
    await post('/carriers/telco/pause', { paused: false });
    expect(await audited()).toEqual(expect.arrayContaining(['carrier.paused', 'carrier.resumed']));
  });

  it('are tried at once when a person does not want to wait', async () => {
    await add();
    expect((await post('/carriers/telco/retry', {})).status).toBe(200);
    expect(tested).toEqual(['retry']);
    expect((await post('/carriers/none/retry', {})).status).toBe(404);
    expect(await audited()).toContain('carrier.retried');
  });

  it('give what waits to another carrier that a rule names, and to no other, and keep what they took a part of', async () => {
    for (const id of ['telco', 'backup', 'stranger']) await add({ ...smpp, id });
    await post('/routes/publish', { routes: [{ id: 'all', carriers: ['telco', 'backup'] }], base: [] });
    const { store, clock } = world;
    await store.accept([1, 2, 3].map(() => acceptItem(clock.now(), { lane: 'telco', segments: 3 })));
    const [begun] = await store.claim({ lane: 'telco', limit: 1, now: clock.now(), token: store.token });
    const parts = [{ part: 1, carrierMessageId: 'A' }];
    await store.settle([settlement(begun!, clock.now(), { to: 'queued', parts, dueAt: clock.now() + 1_000 })]);
    const found = await get('/carriers/telco/backups');
    expect(found).toMatchObject({ looked: 3, isAll: true });
    expect(found.backups).toMatchObject([
      { carrierId: 'backup', fits: 2, up: false },
      { carrierId: 'stranger', fits: 0 },
    ]);
    const refused = await post('/carriers/telco/send-via', { to: 'stranger' });
    expect([refused.status, refused.json.detail]).toEqual([409, expect.stringContaining('No routing rule')]);
    expect((await post('/carriers/telco/send-via', { to: 'telco' })).json.fields).toHaveProperty('to');
    expect((await post('/carriers/none/send-via', { to: 'backup' })).status).toBe(404);
    const moved = await post('/carriers/telco/send-via', { to: 'backup' });
    expect(moved.json).toMatchObject({ detail: '2 messages wait for backup now.', data: { moved: 2, left: 1 } });
    expect(await store.queueCounts()).toMatchObject([{ lane: 'backup', queued: 2 }, { lane: 'telco' }]);
    expect(await audited()).toContain('carrier.queue_moved');
    expect((await operator.call('GET', '/carriers/none/backups')).status).toBe(404);
  });

  it('are counted by what they refused', async () => {
    const { store, clock } = world;
    await store.accept([acceptItem(clock.now(), { lane: 'telco' })]);
    const [claim] = await store.claim({ lane: 'telco', limit: 1, now: clock.now(), token: store.token });
    const refused = { to: 'failed', code: 'UNKNOWN_SUBSCRIBER', carrierCode: 'ESME_RINVDSTADR', parts: [] } as const;
    await store.settle([settlement(claim!, clock.now(), { ...refused, parts: [] })]);
    expect(await get('/carriers/errors')).toMatchObject({
      since: expect.stringMatching(/Z$/),
      errors: [
        { carrier: 'telco', state: 'failed', code: 'UNKNOWN_SUBSCRIBER', carrierCode: 'ESME_RINVDSTADR', count: 1 },
      ],
    });
  });

  it('keep a log of PDUs for some minutes, half an hour at most', async () => {
    await add();
    expect((await post('/carriers/telco/log', { minutes: 31 })).status).toBe(400);
    const on = await post('/carriers/telco/log', { minutes: 5 });
    expect(on.json.data.until).toBe(new Date(world.clock.now() + 300_000).toISOString());
    kept.entries = [
      { at: 0, bind: 1, direction: 'out', command: 'submit_sm', sequence: 1, status: null, fields: {}, hex: null },
    ];
    expect((await get('/carriers/telco/log')).entries).toMatchObject([{ at: '1970-01-01T00:00:00.000Z' }]);
    await post('/carriers/telco/log', { minutes: 0 });
    expect(kept.until).toBeNull();
    expect((await operator.call('GET', '/carriers/none/log')).status).toBe(404);
  });
});

describe('routes', () => {
  const rule = (id: string, more: object = {}) => ({ id, carriers: ['telco'], ...more });
  const list = () => get('/routes') as Promise<{ routeId: string; version: string; moves: object }[]>;
  const order = async () => (await list()).map(({ routeId }) => routeId);
  const base = async () => (await list()).map(({ version }) => version);
  const publish = async (...routes: object[]) => post('/routes/publish', { routes, base: await base() });

  it('are drafted, put in order and published as a whole', async () => {
    await add();
    const rules = [rule('b', { priority: 2 }), rule('a', { priority: 1 }), rule('us', { prefix: '1' })];
    const drafted = await post('/routes/draft', { routes: rules });
    expect(drafted.json.data.map(({ routeId, moves }: { routeId: string; moves: object }) => [routeId, moves])).toEqual(
      [
        ['us', { up: false, down: false }],
        ['a', { up: false, down: true }],
        ['b', { up: true, down: false }],
      ],
    );
    expect(await order()).toEqual([]);
    const moved = await post('/routes/draft', { routes: rules, move: { routeId: 'b', way: 'up' } });
    expect(moved.json.data.map(({ routeId }: { routeId: string }) => routeId)).toEqual(['us', 'b', 'a']);
    const beside = { routeId: 'b', side: 'before', besideId: 'a' };
    const dragged = await post('/routes/draft', { routes: rules, move: beside });
    expect(dragged.json.data.map(({ routeId }: { routeId: string }) => routeId)).toEqual(['us', 'b', 'a']);
    expect((await post('/routes/draft', { routes: rules, move: { ...beside, side: 'over' } })).status).toBe(400);
    const past = await post('/routes/draft', { routes: rules, move: { ...beside, besideId: 'us' } });
    expect(past.status).toBe(409);
    const cannot = await post('/routes/draft', { routes: rules, move: { routeId: 'us', way: 'up' } });
    expect([cannot.status, cannot.json.detail]).toEqual([409, expect.stringContaining('cannot be moved there')]);
    expect((await publish(...rules)).json.detail).toBe('The rules are published.');
    expect(await order()).toEqual(['us', 'a', 'b']);
    expect((await publish(...rules)).json.detail).toBe('These are the rules already.');
    await publish(rule('us', { prefix: '1', weight: 5 }), rule('b'));
    expect(await order()).toEqual(['us', 'b']);
    const row = (await world.store.auditRows({ after: 0, limit: 99 })).at(-1)!;
    expect(JSON.parse(row.body)).toMatchObject({
      ...{ what: 'routes.published', before: { us: { weight: 1 }, a: { priority: 1 } } },
      after: { us: { weight: 5 }, a: null, b: { priority: 100 } },
    });
  });

  it('may ask for campaigns of any company', async () => {
    const campaigns = [campaign('C', { accountId: 'acc_two', name: 'Demo' })];
    await world.store.putRecords({ ...world.records, numbers: [], campaigns });
    world.setRecords(await world.store.records());
    const found = await get('/routes/campaigns');
    expect(found).toEqual([{ campaignId: 'C', name: 'Demo', environment: 'live', company: expect.any(String) }]);
    const viewer = await world.as('Viewer');
    expect((await viewer.call('GET', '/routes/campaigns')).status).toBe(403);
  });

  it('count at their hours, on the wall of the sending account', async () => {
    await add();
    const hours = { days: ['sat'], from: '22:00', to: '06:00' };
    await publish(rule('all'), rule('night', { hours }));
    const query = { from: '12025550199', to: '14155550100', kind: 'SMS' };
    const taking = async (when: object | null) => {
      const { rules, local, timeZone } = (await post('/routes/test', { ...query, when })).json.data;
      return [rules.find(({ share }: { share: number }) => share > 0).routeId, local, timeZone];
    };
    const night = { day: 'sun', clock: '05:59' };
    expect(await taking(night)).toEqual(['night', night, 'UTC']);
    expect(await taking({ day: 'sun', clock: '06:00' })).toMatchObject(['all', { clock: '06:00' }, 'UTC']);
    const { rules } = (await post('/routes/test', { ...query, when: { day: 'sun', clock: '06:00' } })).json.data;
    expect(rules[0]).toMatchObject({ routeId: 'night', misses: ['hours'] });
    for (const when of [{ day: 'Sunday', clock: '06:00' }, { day: 'sun', clock: '6' }, 'now']) {
      expect((await post('/routes/test', { ...query, when })).status).toBe(400);
    }
  });

  it('that somebody else published meanwhile are not written over', async () => {
    await add();
    const began = await base();
    await publish(rule('theirs'));
    const late = await post('/routes/publish', { routes: [rule('mine')], base: began });
    expect([late.status, late.json.data.current]).toMatchObject([409, [{ routeId: 'theirs' }]]);
    expect(await order()).toEqual(['theirs']);
  });

  it('that are for a kind none of their carriers takes are published only when that is confirmed', async () => {
    await add();
    expect((await add({ id: 'pictures', kind: 'mm7', url: 'https://mmsc.example/mm7' })).status).toBe(200);
    const routes = [rule('us', { prefix: '1', carriers: ['pictures'] })];
    const draft = { routes, base: await base() };
    const untaken = [{ routeId: 'us', prefix: '1', kinds: ['SMS'] }];
    expect((await post('/routes/impact', { routes })).json.data.untaken).toEqual(untaken);
    expect((await post('/routes/publish', draft)).json.fields).toEqual({ confirmed: expect.stringMatching(/SMS/) });
    expect(await order()).toEqual([]);
    expect((await post('/routes/publish', { ...draft, confirmed: true })).status).toBe(200);
  });

  it('are kept as they were, with who published them', async () => {
    await add();
    await publish(rule('first'));
    await publish(rule('second'));
    const history = await get('/routes/history');
    expect(history).toMatchObject([
      { version: 2, who: world.user('Owner').email, routes: [{ routeId: 'second' }] },
      { version: 1, at: expect.stringMatching(/Z$/), routes: [{ routeId: 'first' }] },
    ]);
  });

  it('are tried on what was sent last', async () => {
    await add();
    await publish(rule('all'));
    const { store, clock } = world;
    await store.accept(
      ['12025550100', '442025550100'].map((to) => acceptItem(clock.now(), { to, from: '15550001111' })),
    );
    const tried = await post('/routes/impact', { routes: [rule('us', { prefix: '1' })] });
    expect(tried.json).toMatchObject({
      detail: 'Of 2 messages 1 would take another route.',
      data: {
        ...{ looked: 2, same: 1 },
        moves: [
          {
            ...{ before: [{ carrierId: 'telco', share: 1 }], after: [{ carrierId: null, share: 1 }], count: 1 },
            examples: [{ to: '442025550100', kind: 'SMS' }],
          },
        ],
      },
    });
  });

  it('say what is wrong, and of which rule', async () => {
    await add();
    const faults = async (body: object) => (await post('/routes/draft', body)).json.fields;
    expect(await faults({ routes: [rule('c', { carriers: ['nobody'] })] })).toEqual({
      form: expect.stringMatching(/^Rule c: .*nobody/),
    });
    expect(await faults({ routes: [rule('c'), rule('c')] })).toEqual({ id: 'There is a rule with this id already.' });
    expect(await faults({ routes: [rule('c', { weight: 'much' })] })).toHaveProperty('weight');
    expect(await faults({ routes: 'all' })).toHaveProperty('routes');
    expect(await faults({ routes: [], move: { routeId: 'c', way: 'left' } })).toHaveProperty('move');
    expect((await post('/routes/impact', {})).status).toBe(400);
    expect((await post('/routes/publish', { routes: [] })).json.fields).toHaveProperty('base');
  });

  it('say where a message would go, and why', async () => {
    await add();
    await publish(rule('us', { prefix: '1' }), rule('uk', { prefix: '44' }));
    const test = (body: object) =>
      post('/routes/test', { from: '12025550199', to: '12025550100', kind: 'SMS', ...body });
    expect((await test({})).json).toMatchObject({
      detail: 'Rule us sends it to telco.',
      data: {
        ...{ isKnownSender: false, environment: 'live' },
        rules: [
          { routeId: 'uk', misses: ['prefix'], share: 0 },
          { routeId: 'us', misses: [], share: 1, carriers: [{ carrierId: 'telco', up: true, takesKind: true }] },
        ],
      },
    });
    expect((await test({ to: '4920' })).json.detail).toContain('NO_ROUTE');
    expect((await test({ kind: 'MMS' })).json.detail).toContain('no carrier that is on and takes it');
    expect((await test({ to: '+1 202' })).json.fields).toHaveProperty('to');
    paused.add('telco');
    expect((await test({})).json.detail).toContain('paused');
  });
});

describe('companies', () => {
  it('are made, suspended and priced, and handed to their first Owner', async () => {
    const made = await post('/accounts', { record: { name: 'New Co' } });
    const { accountId } = made.json.data;
    expect(accountId).toMatch(/^acc_[0-9a-z]{26}$/);
    const shown = await get(`/accounts/${accountId}`);
    expect(shown).toMatchObject({ name: 'New Co', status: 'active', counts: { numbers: 0 }, users: [] });
    const suspended = await post(`/accounts/${accountId}`, { record: { status: 'suspended' }, version: shown.version });
    expect(suspended.status).toBe(200);
    expect(
      (await post(`/accounts/${accountId}`, { record: { status: 'active' }, version: shown.version })).status,
    ).toBe(409);
    const list: { accountId: string }[] = await get('/accounts');
    expect(list.map((one) => one.accountId)).toContain(accountId);
    expect(await audited()).toEqual(expect.arrayContaining(['account.added', 'account.suspended']));

    const invited = await post(`/accounts/${accountId}/owner`, { email: 'first@new.example' });
    const key = /#k=(.+)$/.exec(invited.json.data.link)![1];
    const newcomer = world.browser();
    const welcome = await newcomer.call('POST', '/invitation', {
      key,
      name: 'First',
      password: 'pears in the violin case',
    });
    expect(welcome.json.data.me).toMatchObject({ account: { accountId }, user: { role: 'Owner', operator: false } });
    expect((await get(`/accounts/${accountId}`)).users).toMatchObject([{ email: 'first@new.example', role: 'Owner' }]);
  });

  it('say what is wrong, and know only those that are there', async () => {
    expect((await post('/accounts', { record: { name: '', destinations: ['XX'] } })).json.fields).toMatchObject({
      ...{ name: expect.any(String), destinations: expect.any(String) },
    });
    expect((await operator.call('GET', '/accounts/none')).status).toBe(404);
    expect((await post('/accounts/none', { record: {}, version: '' })).status).toBe(404);
    expect((await post('/accounts/none/owner', { email: 'a@b.example' })).status).toBe(404);
  });
});
