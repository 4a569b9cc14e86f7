/** The start page over HTTP: the setup progress, what needs attention, and who may read the seeded pair. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { t0 } from '../../../../../test/props/clock.ts';
import { openPortalWorld, type PortalWorld } from '../../http/portal/portal-fixture.ts';
import type { AlertKind } from '../../model/alert.ts';
import { hashCredential } from '../../model/credential.ts';
import { peopleTimes } from '../../model/people.ts';
import { campaign, carrier, endpoint, inSandbox, keyOf, newPair, number, own } from '../../model/world-fixture.ts';
import { acceptItem } from '../../store/contract/fixture.ts';
import { attentionOf, type CarrierLink } from './attention.ts';
import { homeRoutes, type SeededPair } from './home-routes.ts';

let world: PortalWorld;
const pair = newPair();
const telco = carrier('car', 'smpp', { environment: 'sandbox', name: 'Telco' });
let links: CarrierLink[] = [];
let seeded: SeededPair | null = { bearerToken: pair.bearerToken, authToken: pair.authToken };

beforeAll(async () => {
  world = await openPortalWorld({
    modules: ({ store }) => [
      homeRoutes({
        store,
        demo: null,
        certificateEndsAt: () => null,
        budgetOf: async () => null,
        carriers: () => links,
        closeTo: () => [],
        seededPair: () => seeded,
      }),
    ],
  });
  world.setRecords({
    ...world.records,
    apiKeys: [keyOf(pair, { bearerHash: hashCredential(pair.bearerToken) })],
    campaigns: [campaign('C', { ...inSandbox, name: 'Demo' })],
    numbers: [number(own, { ...inSandbox, campaignId: 'C' })],
  });
});

afterAll(() => world.close());

describe('GET /home', () => {
  it('ticks what the system saw', async () => {
    const owner = await world.as('Owner');
    const { json } = await owner.call('GET', '/home');
    const done = (data: { checklist: { step: string; done: boolean }[] }) =>
      data.checklist.filter((one) => one.done).map((one) => one.step);
    expect(done(json.data)).toEqual(['number', 'campaign']);
    expect(json.data).toMatchObject({ first: { from: '12025550199', to: '12025550100' }, pair: true, attention: [] });
    await world.store.accept([acceptItem(t0, { accountId: 'acc_one' })]);
    expect(done((await owner.call('GET', '/home')).json.data)).toEqual(['number', 'campaign', 'accepted']);
    const other = await (await world.as('Owner', 'acc_two')).call('GET', '/home');
    expect(done(other.json.data)).toEqual([]);
    expect(other.json.data).toMatchObject({ first: null, pair: false });
  });

  it('shows each side its own messages alone, and what keeps its campaign from sending', async () => {
    const owner = await world.as('Owner', 'acc_two');
    const before = world.records;
    const [campaign] = before.campaigns;
    const [number] = before.numbers;
    const mine = { accountId: 'acc_two' };
    const live = { ...mine, environment: 'live' as const, campaignId: 'CL' };
    world.setRecords({
      ...before,
      campaigns: [...before.campaigns, { ...campaign!, ...live, name: 'Shop', status: 'suspended' }],
      numbers: [
        ...before.numbers,
        { ...number!, ...mine, number: '12025550150', campaignId: null },
        { ...number!, ...live, number: '15125550120', campaignId: null },
        { ...number!, ...live, number: '15125550123' },
      ],
    });
    const home = async (environment: string) =>
      (await owner.call('GET', '/home', undefined, { headers: { 'x-helio-environment': environment } })).json.data;
    const accept = (from: string) => world.store.accept([acceptItem(t0, { accountId: 'acc_two', from })]);
    await accept('12025550150');
    expect((await home('sandbox')).checklist[3].done).toBe(true);
    const onLive = await home('live');
    expect(onLive.checklist.slice(1, 4)).toMatchObject([
      { step: 'number', facts: { number: '15125550123' } },
      { step: 'campaign', done: false, facts: { name: 'Shop', status: 'suspended', campaignId: 'CL' } },
      { step: 'accepted', done: false },
    ]);
    await accept('15125550123');
    expect((await home('live')).checklist[3].done).toBe(true);
    world.setRecords(before);
  });

  it('has the carrier of texts tick the first step, and one of MMS only where it is alone', async () => {
    const owner = await world.as('Owner');
    const carrier = (kind: string) =>
      ({
        carrierId: kind,
        environment: 'sandbox',
        name: kind,
        kind,
        enabled: true,
        smpp: { host: 'h', port: 1 },
      }) as never;
    const ticked = async (kinds: string[], up: string[]) => {
      const before = world.records;
      world.setRecords({ ...before, carriers: kinds.map(carrier) });
      links = kinds.map((carrierId) => ({
        carrierId,
        up: up.includes(carrierId),
        binds: [{ state: up.includes(carrierId) ? 'bound_trx' : 'connecting' }],
      }));
      const { json } = await owner.call('GET', '/home');
      world.setRecords(before);
      links = [];
      return [json.data.checklist[0].step, json.data.checklist[0].done];
    };
    expect(await ticked(['mm7', 'smpp'], ['mm7'])).toEqual(['carrier', false]);
    expect(await ticked(['mm7', 'smpp'], ['mm7', 'smpp'])).toEqual(['carrier', true]);
    expect(await ticked(['mm7'], ['mm7'])).toEqual(['carrier', true]);
    expect(await ticked(['mm7'], [])).toEqual(['carrier', false]);
  });

  it('counts the carriers of all environments, for those who run the gateway', async () => {
    links = [
      { carrierId: 'a', up: true, binds: [] },
      { carrierId: 'b', up: false, binds: [] },
    ];
    const seen = async (role: 'Owner' | 'Viewer') =>
      (await (await world.as(role)).call('GET', '/home')).json.data.carriers;
    expect([await seen('Owner'), await seen('Viewer')]).toEqual([{ up: 1, all: 2 }, null]);
    links = [];
  });

  it('gives the seeded pair to those who manage keys, in its own company, and writes that down', async () => {
    const developer = await world.as('Developer');
    expect((await developer.call('GET', '/home/pair')).json.data).toEqual(seeded);
    for (const role of ['Support', 'Viewer'] as const) {
      const browser = await world.as(role);
      expect((await browser.call('GET', '/home/pair')).status, role).toBe(403);
      const { json, text } = await browser.call('GET', '/home');
      expect(json.data.pair).toBe(false);
      expect(text).not.toContain(pair.authToken);
    }
    expect((await (await world.as('Owner', 'acc_two')).call('GET', '/home/pair')).status).toBe(404);
    const { json } = await (await world.as('Owner')).call('GET', '/audit');
    expect(json.data.entries).toContainEqual(expect.objectContaining({ what: 'key.revealed' }));
    seeded = null;
    expect((await developer.call('GET', '/home/pair')).status).toBe(404);
  });

  it('asks for the password again before it shows the seeded pair', async () => {
    const owner = await world.as('Owner');
    world.clock.pass(peopleTimes.recentMs);
    expect((await owner.call('GET', '/home/pair')).json.reason).toBe('RECENT_SIGN_IN_NEEDED');
  });
});

describe('what needs attention', () => {
  it('names what needs a person, and carriers to operators only', async () => {
    const records = {
      ...world.records,
      endpoints: [endpoint('ep_1', { ...inSandbox, name: 'Inbox' })],
      carriers: [telco],
    };
    const { buildDirectory } = await import('../../carriers/directory.ts');
    const facts = {
      directory: buildDirectory(records),
      accountId: 'acc_one',
      environment: 'sandbox' as const,
      unmatched: 0,
      carriers: [{ carrierId: 'car', up: false, binds: [] }],
      health: [{ endpointId: 'ep_1', failingSince: 7, lastSuccessAt: null }],
      stuck: { held: 2, uncertain: 0 },
      closeTo: () => [],
      certificateEndsAt: null,
      budgetPercent: null,
      now: t0,
    };
    const kinds = attentionOf({ ...facts, operator: true }).map(({ kind, name, count }) => [kind, name, count]);
    expect(kinds).toEqual([
      ['carrier down', 'Telco', null],
      ['endpoint failing', 'Inbox', null],
      ['held messages', null, 2],
    ]);
    expect(attentionOf({ ...facts, operator: false, budgetPercent: 79 })).toHaveLength(3);
    // An endpoint that has failed only a moment may have answered again before anybody looks.
    const failing = (ms: number) => [{ endpointId: 'ep_1', failingSince: t0 - ms, lastSuccessAt: null }];
    const shown = (ms: number) =>
      attentionOf({ ...facts, operator: false, health: failing(ms) }).map(({ kind }) => kind);
    expect(shown(29_999)).not.toContain('endpoint failing');
    expect(shown(30_000)).toContain('endpoint failing');
    const clock = 'The clock jumped.';
    expect(attentionOf({ ...facts, clock, operator: true })[0]).toMatchObject({ kind: 'clock', name: clock });
    expect(attentionOf({ ...facts, clock, operator: false }).map(({ kind }) => kind)).not.toContain('clock');
    expect(attentionOf({ ...facts, operator: false, budgetPercent: 80 })).toContainEqual(
      expect.objectContaining({ kind: 'budget', count: 80, href: '/usage' }),
    );
    expect(attentionOf({ ...facts, operator: false })[0]).toMatchObject({
      kind: 'carrier down',
      name: null,
      href: null,
    });
    expect(attentionOf({ ...facts, operator: true, accountId: 'acc_two' }).map(({ name }) => name)).not.toContain(
      'Inbox',
    );
  });

  it('warns of limits that are nearly used up, of lost binds, and of a certificate that ends', async () => {
    const { buildDirectory } = await import('../../carriers/directory.ts');
    const carriers = [telco];
    const facts = {
      directory: buildDirectory({ ...world.records, carriers }),
      accountId: 'acc_one',
      environment: 'sandbox' as const,
      unmatched: 0,
      health: [],
      now: t0,
      carriers: [{ carrierId: 'car', up: true, binds: [{ state: 'bound_trx' }, { state: 'connecting' }] }],
      stuck: { held: 0, uncertain: 0 },
      closeTo: (campaignId: string) => (campaignId === 'C' ? [{ limit: 'day' as const, percent: 85 }] : []),
      certificateEndsAt: t0 + 3.5 * 86_400_000,
      budgetPercent: null,
    };
    expect(attentionOf({ ...facts, operator: true })).toMatchObject([
      { kind: 'bind down', name: 'Telco', count: 1, href: '/carriers/car' },
      { kind: 'limit', name: 'Demo', state: 'day', count: 85, href: '/campaigns/C' },
      { kind: 'certificate', count: 3 },
    ]);
    const fires = (kind: AlertKind, subject: string) => ({ kind, subject, firedAt: t0 });
    const alerts = [fires('receipts', 'car'), fires('link', 'car'), fires('disk', '')];
    expect(attentionOf({ ...facts, operator: true, alerts }).filter(({ kind }) => kind === 'alert')).toMatchObject([
      { name: 'Telco', state: 'receipts', since: t0, href: '/alerts' },
      { name: null, state: 'disk' },
    ]);
    const ends = (days: number) => [
      { ...facts.carriers[0]!, binds: [], certificate: { validTo: t0 + days * 86_400_000 } },
    ];
    const quiet = { ...facts, operator: true, certificateEndsAt: null, closeTo: () => [] };
    expect(attentionOf({ ...quiet, carriers: ends(12.5) })).toMatchObject([
      { kind: 'carrier certificate', name: 'Telco', count: 12, href: '/carriers/car' },
    ]);
    expect(attentionOf({ ...quiet, carriers: ends(-0.5) })).toMatchObject([{ count: -1 }]);
    expect(attentionOf({ ...quiet, carriers: ends(31) })).toEqual([]);
    expect(attentionOf({ ...quiet, carriers: ends(12), operator: false })).toEqual([]);
    // An operator viewing Live also sees the sandbox's carrier, with its environment; a company does not.
    const onLive = { ...facts, environment: 'live' as const, closeTo: () => [], certificateEndsAt: null };
    expect(attentionOf({ ...onLive, operator: true })).toMatchObject([
      { kind: 'bind down', name: 'Telco', state: 'sandbox', href: '/carriers/car' },
    ]);
    const down = [{ carrierId: 'car', up: false, binds: [] }];
    expect(attentionOf({ ...onLive, carriers: down, operator: true })).toMatchObject([
      { kind: 'carrier down', name: 'Telco', state: 'sandbox' },
    ]);
    expect(attentionOf({ ...onLive, carriers: down, operator: false })).toEqual([]);
    expect(attentionOf({ ...onLive, environment: 'sandbox', carriers: down, operator: true })[0]!.state).toBeNull();
    // Carriers and certificates are not shown to a company.
    expect(attentionOf({ ...facts, operator: false }).map(({ kind }) => kind)).toEqual(['limit']);
    const later = { ...facts, operator: true, certificateEndsAt: t0 + 31 * 86_400_000, accountId: 'acc_two' };
    expect(attentionOf(later).map(({ kind }) => kind)).toEqual(['bind down']);
    // A session closed for lack of messages needs no attention.
    const binds = [{ state: 'reachable' }, { state: 'reachable_idle' }];
    expect(attentionOf({ ...later, carriers: [{ carrierId: 'car', up: true, binds }] })).toEqual([]);
  });
});
