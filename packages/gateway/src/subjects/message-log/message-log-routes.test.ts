/**
 * The message log over HTTP: results, and what is shown to whom; exports, decisions, and nothing of another company.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { t0 } from '../../../../../test/props/clock.ts';
import { openPortalWorld, type PortalWorld } from '../../http/portal/portal-fixture.ts';
import { inSandbox, number, ofOther } from '../../model/world-fixture.ts';
import { acceptItem, nextId } from '../../store/contract/fixture.ts';
import { messageLogRoutes } from './message-log-routes.ts';

let world: PortalWorld;
let nudged = 0;

beforeAll(async () => {
  world = await openPortalWorld({
    modules: ({ store }) => [messageLogRoutes({ store, nudgeAll: () => nudged++ })],
  });
  await accept('acc_one', { text: '=SUM(A1) "quoted"', recipients: ['12025550100', '12025550101'] });
  await accept('acc_two', { text: 'of another company', to: '12025550100' });
});

afterAll(() => world.close());

async function accept(accountId: string, fields: object) {
  const item = acceptItem(t0, { accountId, from: '12025550199', ...fields });
  await world.store.accept([item]);
  return { requestId: item.message.requestId, messageIds: item.deliveries.map(({ messageId }) => messageId) };
}

describe('GET /messages', () => {
  it('finds in the own company, and says what it could not read', async () => {
    const owner = await world.as('Owner');
    const { json } = await owner.call('GET', `/messages?q=${encodeURIComponent('to:2025550100 nonsense')}`);
    expect(json.data.messages).toMatchObject([
      { to: '12025550100', from: '12025550199', state: 'queued', keyName: 'key1', text: '=SUM(A1) "quoted"' },
    ]);
    expect(json.data).toMatchObject({ searchedTo: null, problems: [{ token: 'nonsense' }] });
    expect(json.next).toBeNull();
  });

  it('pages', async () => {
    const owner = await world.as('Owner');
    const first = (await owner.call('GET', '/messages?limit=1')).json;
    expect(first.data.messages).toHaveLength(1);
    const second = (await owner.call('GET', `/messages?limit=1&before=${first.next}`)).json;
    expect(second.data.messages[0].messageId < first.data.messages[0].messageId).toBe(true);
    expect(second.next).toBeNull();
  });

  it('shows a row for each request when requested', async () => {
    const owner = await world.as('Owner');
    const { json } = await owner.call('GET', '/messages?by=request&limit=1');
    expect(json.data.messages).toMatchObject([
      { recipients: 2, states: [{ state: 'queued', count: 2 }], members: [{ state: 'queued' }, { state: 'queued' }] },
    ]);
    expect(json.next).toBeNull();
    expect((await owner.call('GET', '/messages?by=day')).status).toBe(400);
  });

  it('shows no text to a Viewer, and lets nobody guess at one by searching', async () => {
    const viewer = await world.as('Viewer');
    const { json, text } = await viewer.call('GET', `/messages?q=${encodeURIComponent('text:"nothing like it"')}`);
    expect(json.data.messages).toHaveLength(2);
    expect(json.data.messages[0]).toMatchObject({ text: null, textLength: 17 });
    expect(json.data.problems[0].sentence).toContain('may not read texts');
    expect(text).not.toContain('SUM');
  });

  it.each(['before=x', 'limit=0', 'limit=1000', 'after=msg_', 'q=a&q=b', 'q=%00'])('refuses %s', async (query) => {
    const owner = await world.as('Owner');
    expect((await owner.call('GET', `/messages?${query}`)).status).toBe(400);
  });

  it('names a key that the company does not have', async () => {
    const { json } = await (await world.as('Owner')).call('GET', '/messages?q=key:nobody');
    expect(json.data.problems).toMatchObject([{ token: 'key:nobody' }]);
    expect(json.data.messages).toEqual([]);
  });

  it('finds the answers to keywords by their name and by the id that usage shows', async () => {
    const item = acceptItem(t0, { accountId: 'acc_two', to: '12025550150' });
    await world.store.accept([{ ...item, message: { ...item.message, keyId: 'consent:out' } }]);
    const owner = await world.as('Owner', 'acc_two');
    for (const q of ['key:"consent:out"', 'key:"automatic answer"']) {
      const { json } = await owner.call('GET', `/messages?q=${encodeURIComponent(q)}`);
      expect(json.data).toMatchObject({ problems: [], messages: [{ keyName: 'Automatic answer' }] });
    }
  });

  it('finds what people sent from the portal by the name that messages show', async () => {
    const item = acceptItem(t0, { accountId: 'acc_two', to: '12025550151' });
    await world.store.accept([{ ...item, message: { ...item.message, keyId: 'portal:usr_1' } }]);
    const owner = await world.as('Owner', 'acc_two');
    for (const q of ['key:Portal', 'key:portal']) {
      const { json } = await owner.call('GET', `/messages?q=${encodeURIComponent(q)}`);
      expect(json.data).toMatchObject({ problems: [], messages: [{ to: '12025550151', keyName: 'Portal' }] });
      expect(json.data.messages).toHaveLength(1);
    }
  });
});

describe('GET /message-histogram', () => {
  it('counts what the search finds in bars, for the own company, without telling what is in hidden texts', async () => {
    const of = async (role: 'Owner' | 'Viewer', q: string) =>
      (await (await world.as(role)).call('GET', `/message-histogram?q=${encodeURIComponent(q)}`)).json.data;
    const all = await of('Owner', '');
    expect(all).toMatchObject({ count: 2, countedTo: null, problems: [] });
    expect(all.bars.length).toBeLessThanOrEqual(61);
    expect(all.bars[0]).toMatchObject({ waiting: 2, delivered: 0, failed: 0, received: 0 });
    expect(Date.parse(all.bars[0].at) % all.stepMs).toBe(0);
    expect(await of('Owner', 'to:2025550100 nonsense')).toMatchObject({ count: 1, problems: [{ token: 'nonsense' }] });
    expect(await of('Owner', 'status:delivered')).toMatchObject({ count: 0, bars: [] });
    expect(await of('Owner', 'after:2040-01-01 before:2039-01-01')).toMatchObject({ count: 0, bars: [] });
    const guess = await of('Viewer', 'text:"nothing like it"');
    expect(guess.count).toBe(2);
    expect(guess.problems[0].sentence).toContain('may not read texts');
  });

  it('begins at the requested time, and ends now or before', async () => {
    const owner = await world.as('Owner');
    const day = (at: number) => new Date(at).toISOString().slice(0, 10);
    const q = `after:${day(t0 - 86_400_000)} before:${day(t0 + 40 * 86_400_000)}`;
    const { json } = await owner.call('GET', `/message-histogram?q=${encodeURIComponent(q)}`);
    expect(json.data.from).toBe(`${day(t0 - 86_400_000)}T00:00:00.000Z`);
    expect(Date.parse(json.data.until)).toBeLessThan(t0 + 40 * 86_400_000);
  });

  it.each(['q=a&q=b', 'q=%00'])('refuses %s', async (query) => {
    expect((await (await world.as('Owner')).call('GET', `/message-histogram?${query}`)).status).toBe(400);
  });
});

describe('exports', () => {
  it('writes a table that no spreadsheet takes for formulas', async () => {
    const { status, headers, text } = await (await world.as('Owner')).call(
      'GET',
      '/messages/export.csv?timeZone=America/New_York&q=to:12025550100',
    );
    expect(status).toBe(200);
    expect(headers['content-disposition']).toContain('messages.csv');
    expect(text.startsWith('\uFEFFTime (UTC),Local time')).toBe(true);
    const [, row, end] = text.split('\r\n');
    expect(row).toContain('2023-11-14T22:13:20.000Z,2023-11-14 17:13:20,outbound,1 202 555 0199,12025550199');
    expect(row).toContain(`"'=SUM(A1) ""quoted"""`);
    expect(end).toBe('');
  });

  it('writes lines of JSON, without texts for a Viewer', async () => {
    const { text } = await (await world.as('Viewer')).call('GET', '/messages/export.jsonl');
    const lines = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatchObject({ text: null, textLength: 17, to: '12025550101' });
    expect(text).not.toContain('SUM');
  });

  it('refuses a zone that is none', async () => {
    expect((await (await world.as('Owner')).call('GET', '/messages/export.csv?timeZone=Mars')).status).toBe(400);
  });
});

describe('GET /messages/refused', () => {
  it('finds refused recipients by number, status and reason, page by page, never those of another company', async () => {
    const owner = await world.as('Owner');
    const ids = ['5', '6'].map((digit) => `req_${digit.repeat(26)}`);
    const items = ids.map((requestId, i) => {
      const item = acceptItem(t0, { accountId: 'acc_one', from: '12025550199', text: 'a secret' });
      const refused = [
        { place: 1, to: `+1 (202) 555-018${i}`, status: 'INVALID_NUMBER' as const, detail: 'Use digits only.' },
        { place: 2, to: '12025550189', status: 'OPTED_OUT' as const, detail: 'This person opted out.' },
      ];
      return { ...item, message: { ...item.message, requestId }, refused };
    });
    await world.store.accept(items);
    const search = async (q: string, more = '', who = owner) =>
      (await who.call('GET', `/messages/refused?q=${encodeURIComponent(q)}${more}`)).json;
    const { data, next } = await search('(202) 555-0181');
    expect(data).toEqual({
      recipients: [
        {
          requestId: ids[1],
          place: 1,
          from: '12025550199',
          to: '+1 (202) 555-0181',
          status: 'INVALID_NUMBER',
          detail: 'Use digits only.',
          keyId: 'key1',
          keyName: 'key1',
          referenceId: 'reference-1',
          acceptedAt: new Date(t0).toISOString(),
        },
      ],
      searchedTo: null,
      problems: [],
      asks: { status: false, reason: false, number: true },
    });
    expect(next).toBeNull();
    const first = await search('status:refused reason:OPTED_OUT', '&limit=1');
    expect([first.data.recipients, first.data.asks]).toMatchObject([
      [{ requestId: ids[1], to: '12025550189' }],
      { status: true, reason: true, number: false },
    ]);
    const second = await search('status:refused reason:OPTED_OUT', `&limit=1&before=${first.next}`);
    expect(second.data.recipients).toMatchObject([{ requestId: ids[0], to: '12025550189' }]);
    expect(second.next).toBeNull();
    expect((await search('status:failed to:12025550189')).data.recipients).toEqual([]);
    const viewer = await world.as('Viewer');
    const hidden = await search('to:12025550189 text:"nothing like it"', '', viewer);
    expect(hidden.data.recipients.map((one: { to: string }) => one.to)).toEqual(['12025550189', '12025550189']);
    expect(hidden.data.problems[0].sentence).toContain('may not read texts');
    const other = await world.as('Owner', 'acc_two');
    for (const q of ['status:refused', 'to:12025550189', ids[0]!]) {
      expect((await search(q, '', other)).data.recipients, q).toEqual([]);
    }
    const { messages } = (await owner.call('GET', '/messages?q=status:refused')).json.data;
    expect(messages).toEqual([]);
    for (const query of ['before=msg_1', `before=${ids[0]}`, 'limit=0', 'q=a&q=b']) {
      expect((await owner.call('GET', `/messages/refused?${query}`)).status, query).toBe(400);
    }
  });
});

describe('one message', () => {
  it('comes with the recipients of its request; a message of another company is not found', async () => {
    const { requestId, messageIds } = await accept('acc_one', { recipients: ['12025550102', '12025550103'] });
    const owner = await world.as('Owner');
    const { json } = await owner.call('GET', `/messages/${messageIds[0]}/full`);
    expect(json.data).toMatchObject({ message: { messageId: messageIds[0] }, key: { keyId: 'key1' }, webhooks: [] });
    expect(json.data.recipients.map((one: { to: string }) => one.to)).toEqual(['12025550102', '12025550103']);
    expect((await owner.call('GET', `/requests/${requestId}`)).json.data.messages).toHaveLength(2);
    const other = await world.as('Owner', 'acc_two');
    for (const path of [`/messages/${messageIds[0]}/full`, `/requests/${requestId}`, '/messages/x/full']) {
      expect((await other.call('GET', path)).status, path).toBe(404);
    }
    const viewer = await (await world.as('Viewer')).call('GET', `/messages/${messageIds[0]}/full`);
    expect(viewer.json.data.message).toMatchObject({ text: null, textLength: 5 });
  });

  it('comes with the recipients that its request was refused for, within the company', async () => {
    const item = acceptItem(t0, { accountId: 'acc_one', to: '12025550106' });
    const refused = [{ place: 1, to: '+1 202', status: 'INVALID_NUMBER' as const, detail: 'Use digits only.' }];
    const ids = { requestId: `req_${'7'.repeat(26)}`, messageId: `msg_${'7'.repeat(26)}` };
    const message = { ...item.message, requestId: ids.requestId };
    const deliveries = item.deliveries.map((one) => ({ ...one, messageId: ids.messageId }));
    await world.store.accept([{ ...item, message, deliveries, refused }]);
    const owner = await world.as('Owner');
    for (const path of [`/messages/${ids.messageId}/full`, `/requests/${ids.requestId}`]) {
      expect((await owner.call('GET', path)).json.data.refused, path).toEqual(refused);
    }
    const countsOf = async (q: string) =>
      (await owner.call('GET', `/messages?by=request&q=${q}`)).json.data.messages
        .filter((row: { requestId: string }) => row.requestId === ids.requestId)
        .map((row: { recipients: number; refused: number }) => [row.recipients, row.refused]);
    expect(await countsOf('')).toEqual([[1, 1]]);
    expect(await countsOf('status:queued')).toEqual([[1, 0]]);
    const { json } = await owner.call('GET', `/messages/${ids.messageId}/request`);
    expect(JSON.parse(json.data.request.body)).toMatchObject({ to: ['12025550106', '+1 202'] });
    const other = await world.as('Owner', 'acc_two');
    expect((await other.call('GET', `/messages/${ids.messageId}/full`)).text).not.toContain('+1 202');
  });

  it('is canceled once, by those who may send, and the audit log knows', async () => {
    const { messageIds } = await accept('acc_one', { to: '12025550104' });
    const path = `/messages/${messageIds[0]}/cancel`;
    expect((await (await world.as('Viewer')).call('POST', path)).status).toBe(403);
    expect((await (await world.as('Owner', 'acc_two')).call('POST', path)).status).toBe(404);
    const support = await world.as('Support');
    expect((await support.call('POST', `/messages/${messageIds[0]}/release`)).status).toBe(409);
    const before = nudged;
    expect((await support.call('POST', path)).json.data).toEqual({ messageId: messageIds[0], state: 'canceled' });
    expect(nudged).toBe(before + 1);
    const again = await support.call('POST', path);
    expect(again.status).toBe(409);
    expect(again.json.data.current).toEqual({ state: 'canceled' });
    const { json } = await (await world.as('Owner')).call('GET', '/audit');
    expect(json.data.entries).toContainEqual(
      expect.objectContaining({ what: 'message.cancel', target: messageIds[0], after: { state: 'canceled' } }),
    );
    expect((await support.call('POST', `/messages/${nextId('msg')}/cancel`)).status).toBe(404);
  });
});

describe('what a message may be sent from', () => {
  it('says of each number why not', async () => {
    world.setRecords({
      ...world.records,
      numbers: [
        number('12025550197', { ...inSandbox, campaignId: null }),
        number('12025550198', { ...ofOther, campaignId: null }),
      ],
    });
    const { json } = await (await world.as('Owner')).call('GET', '/senders');
    expect(json.data).toEqual({
      rate: null,
      senders: [
        {
          number: '12025550197',
          sms: false,
          mms: false,
          reason: 'CAMPAIGN_REQUIRED',
          why: expect.stringContaining('no 10DLC campaign'),
          waitsUntil: null,
        },
      ],
    });
  });
});

describe('GET /messages/:messageId/request', () => {
  it('shows request and answer, without texts for roles that may not read them, and nothing to another company', async () => {
    const { messageIds } = await accept('acc_one', {
      text: 'as it was sent',
      recipients: ['12025550100', '12025550101'],
    });
    const path = `/messages/${messageIds[0]}/request`;
    const { json } = await (await world.as('Owner')).call('GET', path);
    expect(json.data).toMatchObject({ by: 'api', textGone: false, response: { kept: false, status: 200 } });
    expect(JSON.parse(json.data.request.body)).toMatchObject({
      to: ['12025550100', '12025550101'],
      text: 'as it was sent',
    });
    const viewer = await (await world.as('Viewer')).call('GET', path);
    expect(viewer.json.data.request).toMatchObject({ body: null });
    expect(viewer.text).not.toContain('as it was sent');
    const other = await accept('acc_two', { text: 'theirs' });
    const owner = await world.as('Owner');
    expect((await owner.call('GET', `/messages/${other.messageIds[0]}/request`)).status).toBe(404);
  });
});

describe('GET /messages/states', () => {
  it('gives the present state of the named messages, and none of another company', async () => {
    const owner = await world.as('Owner');
    const mine = (await accept('acc_one', { text: 'how is it', to: '12025550100' })).messageIds;
    const others = (await accept('acc_two', { text: 'of another company', to: '12025550100' })).messageIds;
    const { json, text } = await owner.call('GET', `/messages/states?ids=${[...mine, ...others].join(',')}`);
    expect(json.data.states).toEqual([
      { messageId: mine[0], state: 'queued', code: null, updatedAt: new Date(t0).toISOString() },
    ]);
    expect(text).not.toContain('how is it');
  });

  it('takes as many as a page shows at once, and no more', async () => {
    const owner = await world.as('Owner');
    const ids = (count: number) => Array.from({ length: count }, () => nextId('msg')).join(',');
    expect((await owner.call('GET', `/messages/states?ids=${ids(200)}`)).json.data.states).toEqual([]);
    for (const query of [`ids=${ids(201)}`, 'ids=', '', 'ids=x', 'ids=a&ids=b'])
      expect((await owner.call('GET', `/messages/states?${query}`)).status, query).toBe(400);
  });
});
