import { describe, expect, it } from 'vitest';
import { buildDirectory } from '../../carriers/directory.ts';
import type { EventMessage } from '../../model/webhook-event.ts';
import { contact, own } from '../../model/world-fixture.ts';
import { StoreUnavailable } from '../../store/faults.ts';
import type { ConsentChange } from '../store/items.ts';
import { consentStore, consentWorld, part } from './consent-fixture.ts';
import { isStopped } from './consent-rules.ts';
import type { OptOutEntry } from './opt-out-file.ts';

const live = { accountId: 'acc1', environment: 'live' } as const;
const entry = (more: Partial<OptOutEntry> = {}): OptOutEntry => ({
  contact,
  number: own,
  reason: 'asked by phone',
  ...more,
});

describe('keywords', () => {
  it('SEC-64: STOP counts at once and START ends it, in the list and in the store alike', async () => {
    const { say, isOut, store, nudged } = consentWorld();
    await say('Stop!');
    expect([isOut(), store.rows.size]).toEqual([true, 1]);
    expect(nudged).toEqual(['a']);
    await say('stop');
    expect(nudged).toEqual(['a']);
    await say('start');
    expect([isOut(), store.rows.size]).toEqual([false, 0]);
    expect(nudged).toEqual(['a', 'a']);
  });

  it('cover every number of the campaign, and of a short code or toll-free number only itself', async () => {
    const { say, isOut } = consentWorld();
    await say('STOP', '12345');
    await say('STOP', '18005550100');
    expect([isOut('number:12345'), isOut('number:18005550100'), isOut('campaign:C1')]).toEqual([true, true, false]);
    await say('STOP', '12025550195');
    expect(isOut('number:12025550195')).toBe(true);
  });

  it('to a number without campaign count on when it joins one, until START', async () => {
    const { say, isOut, world, consent, store } = consentWorld();
    const alone = '12025550195';
    await say('STOP', alone);
    const { numbers, ...others } = world.directory.records;
    const joined = numbers.map((one) => (one.number === alone ? { ...one, campaignId: 'C1' } : one));
    world.directory = buildDirectory({ ...others, numbers: joined });
    const stopped = () => isStopped(consent, world.directory.number(alone)!, contact);
    expect([stopped(), isOut('campaign:C1')]).toEqual([true, false]);
    await say('START', alone);
    expect(store.items.at(-1)?.consent).toMatchObject({ scope: 'campaign:C1', earlier: `number:${alone}` });
    expect(stopped()).toBe(false);
    await say('STOP', alone);
    expect([stopped(), isOut('campaign:C1')]).toEqual([true, true]);
  });

  it('are lifted by number also where they are from before it joined its campaign', async () => {
    const { world, consent } = consentWorld();
    const alone = '12025550195';
    await consent.change(live, 'out', 'import', [entry({ number: alone })]);
    const { numbers, ...others } = world.directory.records;
    const joined = numbers.map((one) => (one.number === alone ? { ...one, campaignId: 'C1' } : one));
    world.directory = buildDirectory({ ...others, numbers: joined });
    const lifted = await consent.change(live, 'in', 'by hand', [entry({ number: alone })]);
    expect(lifted).toMatchObject([{ scope: `number:${alone}`, result: 'changed' }]);
    expect(isStopped(consent, world.directory.number(alone)!, contact)).toBe(false);
  });

  it('of one contact say nothing of another', async () => {
    const { say, isOut } = consentWorld();
    await say('STOP');
    expect(isOut('campaign:C1', '12025550101')).toBe(false);
  });

  it('do nothing in an ordinary reply, a part of a text, binary content, or from what is no number', async () => {
    const { receiver, store, isOut } = consentWorld();
    const concat = { reference: 1, total: 2, sequence: 1 };
    await receiver.inbound([
      part('stop it'),
      part('STOP', { concat }),
      part(null, { octets: new Uint8Array([1]) }),
      part('STOP', { from: '54321' }),
      part('STOP', { from: 'ACME' }),
      part('STOP', { to: '12025550111' }),
    ]);
    expect(store.items.map(({ consent }) => consent)).toEqual([null, null, null, null, null, null]);
    expect(store.items.at(-1)?.accountId).toBe('');
    expect(isOut()).toBe(false);
  });

  it('in one batch act in their order', async () => {
    const { receiver, isOut, store } = consentWorld();
    await receiver.inbound([part('STOP'), part('START'), part('STOP', { from: '12025550101' }), part('hello')]);
    expect([isOut(), isOut('campaign:C1', '12025550101')]).toEqual([false, true]);
    expect(store.items).toHaveLength(4);
  });

  it('stop sends even while the store takes nothing, and the carrier is not answered then', async () => {
    const { say, isOut, store } = consentWorld();
    store.fails.inbound = new StoreUnavailable('full', 'disk full');
    await expect(say('STOP')).rejects.toThrow(StoreUnavailable);
    expect([isOut(), store.rows.size]).toEqual([true, 0]);
    await expect(say('START')).rejects.toThrow(StoreUnavailable);
    expect(isOut()).toBe(true);
    store.fails.inbound = null;
    await say('STOP');
    await say('START');
    expect(isOut()).toBe(false);
  });

  it('are put right by a repeat when the answer to the first commit was lost', async () => {
    const { say, isOut, store } = consentWorld();
    await say('STOP');
    store.rows.clear();
    await say('START');
    expect(isOut()).toBe(false);
  });

  it('and changes by hand reach the list in the order of their commits', async () => {
    const store = consentStore();
    const answer = Promise.withResolvers<void>();
    const { say, consent, isOut } = consentWorld({
      ...store,
      // The commit is done but its answer is late: a later change must not be reported before it.
      inbound: async (items) => {
        const result = await store.inbound(items);
        await answer.promise;
        return result;
      },
    });
    const stopped = say('STOP');
    await expect.poll(() => store.rows.size).toBe(1);
    const lifted = consent.change(live, 'in', 'by hand', [entry()]);
    for (let ticks = 0; ticks < 20; ticks++) await Promise.resolve();
    answer.resolve();
    await Promise.all([stopped, lifted]);
    expect([store.rows.size, isOut()]).toEqual([0, false]);
  });
});

describe('the list in memory', () => {
  it('is the same after a restart', async () => {
    const store = consentStore();
    const before = consentWorld(store);
    const many = Array.from({ length: 10_000 }, (_, n) => entry({ contact: String(12_012_000_000 + n) }));
    await before.consent.change(live, 'out', 'import', many);
    await before.say('STOP', '12345');
    const after = consentWorld(store);
    expect(after.consent.size()).toBe(0);
    await after.consent.load();
    expect([after.consent.size(), before.consent.size()]).toEqual([10_001, 10_001]);
    expect([after.isOut('campaign:C1', '12012009999'), after.isOut('number:12345')]).toEqual([true, true]);
    expect([after.isOut('campaign:C1', '12012010000'), after.isOut('campaign:C1', '')]).toEqual([false, false]);
  });

  it('does not stumble over what is no number', async () => {
    const store = consentStore();
    store.rows.set('x', {
      accountId: 'acc1',
      scope: 'campaign:C1',
      contact: 'ACME',
      at: 1,
      how: 'import',
      reason: '',
      evidenceMessageId: null,
    });
    const { consent, isOut } = consentWorld(store);
    await consent.load();
    expect([consent.size(), isOut('campaign:C1', 'ACME')]).toEqual([0, false]);
  });
});

describe('changes that are no keyword', () => {
  it('answer each entry in its order, a repeat included', async () => {
    const { consent, store, isOut } = consentWorld();
    const entries = [
      entry(),
      entry(),
      entry({ contact: '+12025550101' }),
      entry({ contact: '12025550102', number: undefined, scope: 'campaign:C1' }),
      entry({ contact: '12025550103', number: undefined, campaign: 'C1', reason: '  moved from elsewhere ' }),
    ];
    const results = await consent.change(live, 'out', 'api', entries);
    expect(results.map(({ result }) => result)).toEqual(['changed', 'unchanged', 'refused', 'changed', 'changed']);
    expect(results[2]!.detail).toContain('no plus');
    expect(store.rows.get('campaign:C1 12025550103')).toMatchObject({ how: 'api', reason: 'moved from elsewhere' });
    expect((await consent.change(live, 'out', 'api', [entry()]))[0]!.result).toBe('unchanged');
    expect((await consent.change(live, 'in', 'by hand', [entry()]))[0]!.result).toBe('changed');
    expect(isOut()).toBe(false);
  });

  it.each<[string, Partial<OptOutEntry>]>([
    ['no reason', { reason: '' }],
    ['two characters', { reason: ' ab ' }],
    ['201 characters', { reason: 'a'.repeat(201) }],
    ['a line break', { reason: 'abc\ndef' }],
    ['half a surrogate pair', { reason: 'abc\ud800' }],
    ['no place', { number: undefined }],
    ['two places', { campaign: 'C1' }],
    ['a scope of no form', { number: undefined, scope: 'C1' }],
    ['an empty scope', { number: undefined, scope: 'campaign:' }],
    ['an unknown campaign', { number: undefined, campaign: 'NONE' }],
    ['another account’s campaign', { number: undefined, campaign: 'OTHER' }],
    ['another account’s number', { number: '12025550190' }],
    ['the other environment', { number: '12025550189' }],
    ['the other environment by scope', { number: undefined, scope: 'campaign:SANDBOX' }],
    ['a scope nobody asks', { number: undefined, scope: `number:${own}` }],
    ['a campaign as a number', { number: undefined, scope: 'number:C1' }],
    ['a contact that is no number', { contact: 'ACME' }],
  ])('are refused with why: %s', async (_name, more) => {
    const { consent, store } = consentWorld();
    const [result] = await consent.change(live, 'out', 'api', [entry(more)]);
    expect(result).toMatchObject({ result: 'refused', scope: null });
    expect(result!.detail).toMatch(/\S/);
    expect(store.rows.size).toBe(0);
  });

  it('may lift an entry from before a number joined its campaign', async () => {
    const { consent, store } = consentWorld();
    const scope = `number:${own}`;
    store.rows.set(`${scope} ${contact}`, {
      ...live,
      scope,
      contact,
      at: 1,
      how: 'api',
      reason: 'x',
      evidenceMessageId: null,
    });
    const [result] = await consent.change(live, 'in', 'api', [entry({ number: undefined, scope })]);
    expect(result!.result).toBe('changed');
    expect(store.rows.size).toBe(0);
  });

  it('are bounded, and a failed store changes nothing in the list', async () => {
    const changeConsent = async () => {
      throw new StoreUnavailable('down', 'gone');
    };
    const { consent, isOut } = consentWorld({ ...consentStore(), changeConsent });
    await expect(consent.change(live, 'out', 'api', Array(10_001).fill(entry()))).rejects.toThrow(RangeError);
    await expect(consent.change(live, 'out', 'api', [entry()])).rejects.toThrow(StoreUnavailable);
    expect(isOut()).toBe(false);
  });

  it('go in batches, each event with an id of its own', async () => {
    const store = consentStore();
    const calls: { changes: ConsentChange[]; eventIds: string[] }[] = [];
    const world = consentWorld({
      ...store,
      changeConsent: async (request) => {
        calls.push(request);
        return await store.changeConsent(request);
      },
    });
    const many = Array.from({ length: 1_001 }, (_, n) => entry({ contact: String(12_012_000_000 + n) }));
    await world.consent.change(live, 'out', 'import', many);
    expect(calls.map(({ changes }) => changes.length)).toEqual([500, 500, 1]);
    const eventIds = calls.flatMap((call) => call.eventIds);
    expect(new Set(eventIds).size).toBe(1_001);
    for (const id of eventIds) expect(id).toMatch(/^evt_[0-9A-Z]{26}$/);
  });
});

describe('lists', () => {
  it('show an account’s environment page by page', async () => {
    const { consent, say } = consentWorld();
    for (const to of [own, '12345', '12025550189', '12025550190']) await say('STOP', to);
    await say('STOP', own, '12025550101');
    const query = { scope: null, contact: null, after: null, limit: 2 };
    const first = await consent.list(live, query);
    const second = await consent.list(live, { ...query, after: first.next });
    const scopes = [...first.entries, ...second.entries].map((one) => `${one.scope} ${one.contact}`);
    expect(scopes).toEqual([`campaign:C1 ${contact}`, 'campaign:C1 12025550101', `number:12345 ${contact}`]);
    expect(second.next).toBeNull();
    expect(first.entries[0]).toMatchObject({ how: 'keyword', evidenceMessageId: expect.stringMatching(/^msg_/) });
    const sandbox = await consent.list({ accountId: 'acc1', environment: 'sandbox' }, query);
    expect(sandbox.entries.map(({ scope }) => scope)).toEqual(['campaign:SANDBOX']);
  });

  it('keep entries of vanished campaigns with the live ones', async () => {
    const { consent, store } = consentWorld();
    const gone = { scope: 'campaign:GONE', contact, at: 1, how: 'api', reason: 'x', evidenceMessageId: null } as const;
    store.rows.set('gone', { ...gone, accountId: 'acc1' });
    const query = { scope: null, contact: null, after: null, limit: 10 };
    expect((await consent.list(live, query)).entries).toHaveLength(1);
    expect((await consent.list({ ...live, environment: 'sandbox' }, query)).entries).toEqual([]);
  });
});

describe('opt-outs that carriers report', () => {
  const event = (message: Partial<EventMessage> | null) => ({
    position: 1,
    eventId: 'evt_1',
    accountId: 'acc1',
    type: 'message.failed',
    at: 5,
    data: null,
    message: message && {
      messageId: 'msg_1',
      direction: 'outbound',
      from: own,
      to: contact,
      code: 'CARRIER_OPTED_OUT',
      carrierCode: 'ESME_X',
      ...message,
    },
  });

  it('is entered once, with its proof', async () => {
    const { consent, store, isOut } = consentWorld();
    await consent.fromCarrier(event({}) as never);
    await consent.fromCarrier(event({}) as never);
    expect(isOut()).toBe(true);
    expect([...store.rows.values()]).toMatchObject([
      { how: 'carrier', at: 5, evidenceMessageId: 'msg_1', reason: 'The carrier holds an opt-out (ESME_X)' },
    ]);
  });

  it.each<[string, Partial<EventMessage> | null]>([
    ['another code', { code: 'CARRIER_FILTERED' }],
    ['a reply', { direction: 'inbound' }],
    ['an unknown number', { from: '12025550111' }],
    ['another account’s number', { from: '12025550190' }],
    ['no message', null],
  ])('is left alone: %s', async (_name, message) => {
    const { consent, store } = consentWorld();
    await consent.fromCarrier(event(message) as never);
    expect(store.rows.size).toBe(0);
  });
});
