/**
 * Resending, and bulk actions, over HTTP: the action applies to exactly what the preview showed, and to nothing of
 * another company.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { t0 } from '../../../../../test/props/clock.ts';
import { type Browser, openPortalWorld, type PortalWorld } from '../../http/portal/portal-fixture.ts';
import type { AcceptedSend } from '../../model/send.ts';
import { inLive, number } from '../../model/world-fixture.ts';
import { acceptItem, nextId } from '../../store/contract/fixture.ts';
import { StoreUnavailable } from '../../store/faults.ts';
import { bulkLimits, messageBulkRoutes } from './message-bulk-routes.ts';

const own = '12025550199';
let world: PortalWorld;
let nudged = 0;
/** The acceptance result for a recipient; null = accepted. */
let refuse: (to: string) => { status: string; detail: string } | 'down' | null = () => null;

beforeAll(async () => {
  world = await openPortalWorld({
    modules: ({ store, acceptor }) => [messageBulkRoutes({ store, acceptor, nudgeAll: () => nudged++ })],
  });
  world.testServer.flow.accept = async (request, caller, _, render) => {
    const [to] = request.to as [string];
    const no = refuse(to);
    if (no === 'down') throw new StoreUnavailable('busy', 'for the test');
    const result = no === null ? { to, status: 'SUCCESS', messageId: nextId('msg') } : { to, ...no };
    return {
      kind: 'accepted',
      replayed: false,
      body: render({ results: [result] } as unknown as AcceptedSend, caller),
    };
  };
});
afterAll(() => world.close());
beforeEach(() => {
  refuse = () => null;
  world.testServer.sends.length = 0;
});

async function accept(to: string, fields: object = {}): Promise<string> {
  const item = acceptItem(t0, { accountId: 'acc_one', from: own, to, text: 'hello', ...fields });
  await world.store.accept([item]);
  return item.deliveries[0]!.messageId;
}

/** A message that its carrier refused permanently. */
async function failed(to: string): Promise<string> {
  const messageId = await accept(to, { lane: `lane-${to}` });
  const { token } = world.store;
  const [claim] = await world.store.claim({ lane: `lane-${to}`, limit: 1, now: t0 + 1, token });
  await world.store.settle([
    {
      messageId,
      attempt: claim!.attempt,
      to: 'failed',
      code: 'CARRIER_REJECTED',
      carrierCode: null,
      detail: null,
      carrier: 'c1',
      parts: [],
      dueAt: t0,
      lane: 'c1',
      countsAttempt: true,
    },
  ]);
  return messageId;
}

const preview = (who: Browser, body: object) => who.call('POST', '/messages/bulk/preview', body);

describe('one message again', () => {
  it('goes over the same carrier under its reference, or as the rules choose, from its own environment', async () => {
    const messageId = await failed('12025550120');
    const { records } = world;
    world.setRecords({
      ...records,
      numbers: [number(own, { ...inLive, campaignId: null })],
    });
    const owner = await world.as('Owner');
    const same = await owner.call('POST', `/messages/${messageId}/resend`, { way: 'same' });
    expect(same.status, same.text).toBe(200);
    expect(same.json.data.messageId).toMatch(/^msg_/);
    await owner.call('POST', `/messages/${messageId}/resend`, { way: 'fresh' });
    const [first, second] = world.testServer.sends;
    expect(first!.request).toMatchObject({ from: own, to: ['12025550120'], text: 'hello', carrier: 'c1' });
    expect(first!.request.referenceId).not.toBeNull();
    expect(first!.caller.key.environment).toBe('live');
    expect(second!.request.referenceId).toBeNull();
    expect(second!.request.carrier).toBeUndefined();
    world.setRecords(records);
    const { json } = await owner.call('GET', '/audit?what=message.resend');
    expect(json.data.entries[0]).toMatchObject({ target: messageId, after: { way: 'fresh' } });
  });

  it('is refused while it is under way, to people who may not send, and to another company', async () => {
    const waiting = await accept('12025550121');
    const ended = await failed('12025550122');
    const owner = await world.as('Owner');
    const early = await owner.call('POST', `/messages/${waiting}/resend`, { way: 'same' });
    expect([early.status, early.json.reason]).toEqual([400, 'STILL_UNDER_WAY']);
    expect((await owner.call('POST', `/messages/${ended}/resend`, { way: 'other' })).status).toBe(400);
    expect((await (await world.as('Viewer')).call('POST', `/messages/${ended}/resend`, { way: 'same' })).status).toBe(
      403,
    );
    const theirs = await world.as('Owner', 'acc_two');
    expect((await theirs.call('POST', `/messages/${ended}/resend`, { way: 'same' })).status).toBe(404);
    refuse = () => ({ status: 'OPTED_OUT', detail: 'This person opted out.' });
    const refused = await owner.call('POST', `/messages/${ended}/resend`, { way: 'same' });
    expect([refused.status, refused.json.reason, refused.json.detail]).toEqual([
      400,
      'OPTED_OUT',
      'This person opted out.',
    ]);
    expect(world.testServer.sends.map(({ request }) => request.to)).toEqual([['12025550122']]);
  });
});

describe('many messages', () => {
  it('are canceled: exactly those that were shown, each reason counted', async () => {
    const owner = await world.as('Owner');
    const shown = [await accept('12025550130'), await accept('12025550130')];
    await accept('12025550130', { accountId: 'acc_two' });
    const looked = await preview(owner, { action: 'cancel', q: 'to:12025550130' });
    expect(looked.json.data).toMatchObject({ states: [{ state: 'queued', count: 2 }], more: false, typedAbove: 100 });
    const { messageIds, runId } = looked.json.data;
    expect([...messageIds].sort()).toEqual([...shown].sort());
    await accept('12025550130');
    await world.store.decide({ accountId: 'acc_one', messageId: shown[0]!, to: 'canceled', now: t0 });
    const before = nudged;
    const run = { action: 'cancel', q: 'to:12025550130', messageIds, runId };
    const ran = await owner.call('POST', '/messages/bulk', run);
    expect(ran.json.data).toEqual({
      action: 'cancel',
      count: 2,
      done: 1,
      reasons: [{ code: 'NOT_WAITING', detail: expect.any(String), count: 1 }],
    });
    expect(nudged).toBe(before + 1);
    const left = await preview(owner, { action: 'cancel', q: 'to:12025550130' });
    expect(left.json.data.messageIds).toHaveLength(1);
    const theirs = await (await world.as('Owner', 'acc_two')).call('POST', '/messages/bulk', run);
    expect(theirs.json.data).toMatchObject({ done: 0, reasons: [{ code: 'NOT_FOUND', count: 2 }] });
    const { json } = await owner.call('GET', '/audit?what=message.bulk-cancel');
    expect(json.data.entries[0]).toMatchObject({ target: 'to:12025550130', after: { count: 2, done: 1 } });
  });

  it('are none where the search asks for refused recipients, which have no message', async () => {
    const owner = await world.as('Owner');
    await accept('12025550131');
    for (const action of ['cancel', 'resend']) {
      const { json } = await preview(owner, { action, q: 'status:refused to:12025550131' });
      expect(json.data).toMatchObject({ messageIds: [], more: false });
    }
  });

  it('are sent again, but for those under way, and a repeat is the same run', async () => {
    const owner = await world.as('Owner');
    const ended = [await failed('12025550140'), await failed('12025550141')];
    await accept('12025550140');
    const looked = await preview(owner, { action: 'resend', way: 'fresh', q: 'to:12025550140 to:12025550141' });
    expect(looked.json.data.left).toEqual([{ code: 'STILL_UNDER_WAY', count: 1 }]);
    const { messageIds, runId } = looked.json.data;
    expect([...messageIds].sort()).toEqual([...ended].sort());
    refuse = (to) => (to.endsWith('1') ? 'down' : null);
    const run = { action: 'resend', way: 'fresh', messageIds, runId };
    expect((await owner.call('POST', '/messages/bulk', run)).json.data).toMatchObject({
      done: 1,
      reasons: [{ code: 'TEMPORARILY_UNAVAILABLE', count: 1 }],
    });
    await owner.call('POST', '/messages/bulk', run);
    const keys = world.testServer.sends.map(({ context }) => context.idempotency!.key);
    expect(new Set(keys).size).toBe(2);
    expect(keys).toHaveLength(4);
  });

  it('are never more than was meant: a word that was not understood, a count that was not typed, no right to send', async () => {
    const owner = await world.as('Owner');
    const odd = await preview(owner, { action: 'cancel', q: 'staus:queued' });
    expect([odd.status, odd.json.fields.q]).toEqual([400, expect.stringContaining('There is no staus: here.')]);
    expect((await preview(owner, { action: 'delete' })).status).toBe(400);
    expect((await preview(owner, { action: 'cancel', q: 'status:delivered' })).json.data.messageIds).toEqual([]);
    expect((await preview(owner, { action: 'resend', q: 'direction:inbound' })).json.data.messageIds).toEqual([]);
    for (const path of ['/messages/bulk', '/messages/bulk/preview']) {
      expect((await (await world.as('Viewer')).call('POST', path, {})).status).toBe(403);
    }
    const runId = `req_${'0'.repeat(26)}`;
    const many = Array.from({ length: bulkLimits.untyped + 1 }, () => nextId('msg'));
    const run = { action: 'cancel', messageIds: many, runId };
    for (const typed of [undefined, '100', 'yes']) {
      const answer = await owner.call('POST', '/messages/bulk', { ...run, typed });
      expect([answer.status, answer.json.fields.typed]).toEqual([400, expect.stringContaining('Type 101')]);
    }
    const typed = await owner.call('POST', '/messages/bulk', { ...run, typed: '101' });
    expect(typed.json.data).toMatchObject({ done: 0, reasons: [{ code: 'NOT_FOUND', count: 101 }] });
    for (const bad of [{ messageIds: [] }, { runId: 'x' }, { messageIds: Array(1_001).fill(many[0]) }]) {
      expect((await owner.call('POST', '/messages/bulk', { ...run, ...bad })).status).toBe(400);
    }
  });

  it('take their turn: one action of a company at a time', async () => {
    const owner = await world.as('Owner');
    const run = { action: 'cancel', messageIds: [nextId('msg')], runId: `req_${'0'.repeat(26)}` };
    const both = await Promise.all([1, 2].map(() => owner.call('POST', '/messages/bulk', run)));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect((await owner.call('POST', '/messages/bulk', run)).status).toBe(200);
  });
});
