/** The details behind a timeline over HTTP: rules, PDUs, receipts, figures; and what is shown to whom. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { t0 } from '../../../../../test/props/clock.ts';
import { openPortalWorld, type PortalWorld } from '../../http/portal/portal-fixture.ts';
import type { RouteVersion } from '../../messaging/store/records-items.ts';
import type { Receipt } from '../../model/delivery.ts';
import type { LoggedPdu } from '../../model/logged-pdu.ts';
import type { Route } from '../../model/records.ts';
import type { WireEntry } from '../../model/sandbox-wire.ts';
import { carrier, inSandbox, number, route as routeOf } from '../../model/world-fixture.ts';
import { acceptItem } from '../../store/contract/fixture.ts';
import { mmsItem, queuedMedia } from '../../store/contract/media-fixture.ts';
import { messageStoryRoutes } from './message-story-routes.ts';

const own = '12025550199';
const to = '12025550100';
const until = t0 + 60_000;

let world: PortalWorld;
let newest: Receipt[] = [];
let logged: LoggedPdu[] = [];
let onWire: WireEntry[] = [];
let messageId: string;
let versions: RouteVersion[] = [];
let pausedSince: number | null = null;

const lanes = {
  up: (carrierId: string) => carrierId === 'c1',
  isPaused: () => pausedSince !== null,
  pausedSince: () => pausedSince,
  report: (carrierId: string) =>
    carrierId === 'c1'
      ? ({
          since: t0 - 5_000,
          silentSince: null,
          status: { up: true, binds: [] },
          outPerSecond: 0,
          throttled: 0,
        } as never)
      : null,
  carrier: () => ({ log: { until: () => until, entries: () => logged, keep: () => {} } }) as never,
  newestReceipts: (carrierId: string) => (carrierId === 'c1' ? newest : []),
};

const route = (routeId: string, more: Partial<Route> = {}) =>
  routeOf(routeId, ['c1'], { environment: 'sandbox', priority: 1, ...more });

beforeAll(async () => {
  world = await openPortalWorld({
    modules: ({ store }) => [
      messageStoryRoutes({
        store: { ...store, routeVersions: async (limit) => versions.slice(0, limit) },
        lanes,
        wire: { list: async () => onWire },
      }),
    ],
  });
  world.setRecords({
    ...world.records,
    numbers: [number(own, { ...inSandbox, mmsEnabled: false, campaignId: null })],
    carriers: [carrier('c1', 'smpp', { environment: 'sandbox', name: 'One', smpp: { messagesPerSecond: 0 } })],
    routes: [route('rest'), route('us', { prefix: '1' }), route('other', { prefix: '1', number: '12025559999' })],
  });
  messageId = await sent('id-1');
});
afterAll(() => world.close());

async function sent(carrierMessageId: string): Promise<string> {
  const item = acceptItem(t0, { accountId: 'acc_one', from: own, to, text: 'hello', lane: carrierMessageId });
  await world.store.accept([item]);
  const { token } = world.store;
  const [claim] = await world.store.claim({ lane: carrierMessageId, limit: 1, now: t0 + 10, token });
  await world.store.settle([
    {
      messageId: claim!.messageId,
      attempt: 1,
      to: 'sent',
      code: null,
      carrierCode: null,
      detail: null,
      carrier: 'c1',
      parts: [{ part: 1, carrierMessageId }],
      dueAt: t0 + 999_999,
      lane: 'c1',
      countsAttempt: true,
    },
  ]);
  return claim!.messageId;
}

async function storyOf(id = messageId, role: 'Owner' | 'Viewer' = 'Owner') {
  return (await (await world.as(role)).call('GET', `/messages/${id}/story`)).json.data;
}

describe('the story of a message', () => {
  it('names the rule that sent it, of then where that is kept, and says which rules it was judged by', async () => {
    const { routed } = await storyOf();
    expect(routed).toMatchObject({ agrees: true, basis: { rules: 'unknown', changedAt: null } });
    expect(routed.rules).toMatchObject([{ routeId: 'us', prefix: '1', share: 1, campaign: null, hours: null }]);
    expect(routed.rules[0].carriers).toMatchObject([{ carrierId: 'c1', name: 'One' }]);
    const version = (at: number, routes: Route[]) => ({ version: at, at, who: '', routes });
    const routedNow = async () => (await storyOf()).routed;
    versions = [version(t0 - 1, [])];
    expect(await routedNow()).toMatchObject({ basis: { rules: 'same', changedAt: new Date(t0 - 1).toISOString() } });
    versions = [version(t0 + 1, []), version(t0 - 1, [route('earlier', { weight: 3 })])];
    expect(await routedNow()).toMatchObject({
      basis: { rules: 'past' },
      agrees: true,
      rules: [{ routeId: 'earlier', weight: 3 }],
    });
    const { data } = (await (await world.as('Owner')).call('GET', `/messages/${messageId}/route`)).json;
    expect(data).toMatchObject({ outcome: 'Rule earlier sends it to One.', today: 'Rule us sends it to One.' });
    versions = [version(t0 + 2, []), version(t0 + 1, [route('later')])];
    expect(await routedNow()).toMatchObject({ basis: { rules: 'now' }, rules: [{ routeId: 'us' }] });
    versions = [version(t0 + 1, []), version(t0 - 1, [route('earlier', { carrierIds: ['c2'] })])];
    expect(await routedNow()).toMatchObject({ agrees: false, rules: [{ routeId: 'earlier' }] });
    versions = [];
  });

  it('shows every rule to an operator, to others only those that fit', async () => {
    const operator = (await (await world.as('Owner')).call('GET', `/messages/${messageId}/route`)).json;
    expect(operator.data.rules.map((rule: { routeId: string }) => rule.routeId)).toEqual(['other', 'us', 'rest']);
    expect(operator.detail).toBe('Rule us sends it to One.');
    const { data } = (await (await world.as('Admin')).call('GET', `/messages/${messageId}/route`)).json;
    expect(data.rules.map((rule: { routeId: string }) => rule.routeId)).toEqual(['us', 'rest']);
    expect(data.hidden).toBe(1);
  });

  it('says how the carrier does, how long it usually takes, and when it was heard last', async () => {
    expect((await storyOf()).receipts).toEqual({ count: 0, usualMs: null, lastAt: null, looked: 500 });
    const other = await sent('id-2');
    const receipt: Receipt = {
      carrier: 'c1',
      carrierMessageId: 'ID-2',
      idKeys: ['id-2'],
      to,
      state: 'delivered',
      code: null,
      carrierCode: 'DELIVRD',
      raw: 'id:ID-2 stat:DELIVRD text:hello',
      receivedAt: world.clock.now() + 3_000,
    };
    await world.store.receipts([receipt]);
    newest = [receipt];
    const story = await storyOf();
    expect(story.link).toEqual({ running: true, up: true, since: new Date(t0 - 5_000).toISOString(), paused: false });
    expect(story.receipts).toMatchObject({ count: 1, lastAt: new Date(receipt.receivedAt).toISOString() });
    expect(story.receipts.usualMs).toBeGreaterThan(0);
    expect(story.receiptTexts).toEqual([]);
    expect((await storyOf(other)).receiptTexts).toMatchObject([{ part: 1, text: receipt.raw }]);
    expect((await storyOf(other, 'Viewer')).receiptTexts).toMatchObject([
      { text: null, textLength: receipt.raw.length },
    ]);
  });

  it('shows what was on the wire, of the sandbox before the log, and texts to nobody who may not read them', async () => {
    const at = t0 + 11;
    const entry = {
      bind: 1,
      direction: 'out',
      command: 'submit_sm',
      sequence: 7,
      status: null,
      at,
      hex: null,
    } as const;
    const fields = { source_addr: own, destination_addr: to, short_message: '5 octets' };
    logged = [
      { ...entry, fields },
      { ...entry, direction: 'in', command: 'submit_sm_resp', status: 'ESME_ROK', fields: { message_id: 'id-1' } },
    ];
    const fromLog = (await storyOf()).wire;
    expect(fromLog).toMatchObject({ source: 'log', canLog: true, until: new Date(until).toISOString() });
    expect(fromLog.pdus.map((pdu: { command: string }) => pdu.command)).toEqual(['submit_sm', 'submit_sm_resp']);
    expect(fromLog.pdus[1]).toMatchObject({ status: 'ESME_ROK', carrierMessageId: 'id-1', hex: null, event: 4 });
    const common = { link: 'smpp', own, handset: to, data_coding: 0, esm_class: 0, sizeBytes: 0, hex: '', at } as const;
    onWire = [
      {
        ...common,
        ...({ id: 'pdu_1', direction: 'to_carrier', command: 'submit_sm', sequence: '9', status: null } as const),
        messageId: null,
        text: 'hello',
      },
      {
        ...common,
        ...({
          id: 'pdu_2',
          direction: 'to_gateway',
          command: 'submit_sm_resp',
          sequence: '9',
          status: 'ESME_ROK',
        } as const),
        messageId: 'id-1',
        text: null,
      },
    ];
    const fromSandbox = (await storyOf()).wire;
    expect(fromSandbox).toMatchObject({ source: 'sandbox', pdus: [{ sequence: '9', text: 'hello' }, {}] });
    expect((await storyOf(messageId, 'Viewer')).wire.pdus[0]).toMatchObject({ text: null, textLength: 5 });
  });

  it('says why a message waits, since when and until when', async () => {
    const item = acceptItem(t0, { accountId: 'acc_one', from: own, to, text: 'waits', lane: 'c1' });
    await world.store.accept([item]);
    const id = item.deliveries[0]!.messageId;
    pausedSince = t0 - 1_000;
    expect((await storyOf(id)).waiting).toMatchObject({
      why: 'paused',
      carrier: { carrierId: 'c1', name: 'One' },
      until: null,
      since: new Date(t0 - 1_000).toISOString(),
    });
    pausedSince = null;
    expect((await storyOf(id)).waiting).toMatchObject({ why: 'turn', since: null, also: [] });
    expect((await storyOf()).waiting).toBeNull();
  });

  it('shows that an MMS waits for its media, and what else holds it', async () => {
    const item = mmsItem(t0, { accountId: 'acc_one', from: own, to, lane: 'c1' });
    await world.store.accept([item]);
    const id = item.deliveries[0]!.messageId;
    pausedSince = t0 - 1_000;
    expect((await storyOf(id)).waiting).toEqual({
      why: 'media',
      carrier: { carrierId: 'c1', name: 'One' },
      since: null,
      until: null,
      code: null,
      perSecond: null,
      also: [{ why: 'paused', since: new Date(t0 - 1_000).toISOString(), until: null, code: null }],
    });
    pausedSince = null;
    await world.store.prepareMedia([queuedMedia(item, t0)]);
    expect((await storyOf(id)).waiting).toMatchObject({ why: 'turn', also: [] });
  });

  it('is not there for another company, nor for what is no message', async () => {
    const theirs = await world.as('Owner', 'acc_two');
    for (const path of [`/messages/${messageId}/story`, `/messages/${messageId}/route`]) {
      expect((await theirs.call('GET', path)).status).toBe(404);
    }
    expect((await (await world.as('Owner')).call('GET', '/messages/msg_x/story')).status).toBe(404);
  });
});
