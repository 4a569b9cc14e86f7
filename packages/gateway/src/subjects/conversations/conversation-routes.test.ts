import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPortalWorld, type PortalWorld } from '../../http/portal/portal-fixture.ts';
import { recordsOf } from '../../http/server-fixture.ts';
import type { ReadMessage } from '../../model/delivery.ts';
import { account } from '../../model/world-fixture.ts';
import { inboundItem } from '../../store/contract/fixture.ts';
import { inboundMmsItem } from '../../store/contract/media-fixture.ts';
import { seeded } from '../registration/registration-fixture.ts';
import { cannedReplyRoutes } from './canned-reply-routes.ts';
import { conversationRoutes } from './conversation-routes.ts';

const peer = '12025550100';
const changed: string[] = [];
const reported: ReadMessage[] = [];
/** Who viewed a conversation, at each change. */
const seen: string[][] = [];
let world: PortalWorld;
let lastMessageId: string;
const own = '12025550199';
const others = '12025550150';

beforeAll(async () => {
  const live = {
    conversationChanged: (...names: string[]) => void changed.push(names.join(' ')),
    presenceChanged: (_account: string, _own: string, _peer: string, people: readonly { name: string }[]) =>
      void seen.push(people.map(({ name }) => name)),
  };
  world = await openPortalWorld({
    modules: ({ store }) => [
      conversationRoutes({ store, live, reportRead: (message) => reported.push(message) }),
      cannedReplyRoutes({ store }),
    ],
  });
  // Without anything live, the sandbox is shown.
  const numbers = (seeded.numbers ?? []).filter(({ environment }) => environment === 'sandbox');
  world.setRecords({ ...recordsOf([]), ...seeded, numbers });
  for (const text of ['Hello?', 'Anybody?']) {
    const item = inboundItem(world.clock.now(), { text });
    const part = { ...item.part, from: peer, to: own };
    const { messageIds } = await world.store.inbound([{ ...item, accountId: account.accountId, part }]);
    lastMessageId = messageIds[0]!;
    world.clock.pass(1_000);
  }
});
afterAll(() => world.close());

describe('conversations', () => {
  it('are listed with what is new, for those who may read texts', async () => {
    const { json } = await (await world.as('Support')).call('GET', '/conversations');
    expect(json.data.unread).toBe(2);
    expect(json.data.conversations).toMatchObject([
      { number: own, peer, unread: 2, done: false, lastText: expect.stringContaining('?') },
    ]);
    const found = async (digits: string) =>
      (await (await world.as('Support')).call('GET', `/conversations?peer=${digits}`)).json.data.conversations.length;
    expect([await found('55501'), await found('999')]).toEqual([1, 0]);
    expect((await (await world.as('Viewer')).call('GET', '/conversations')).status).toBe(403);
    expect((await (await world.as('Viewer')).call('GET', `/conversations/${own}/${peer}`)).status).toBe(403);
    expect((await (await world.as('Viewer')).call('POST', `/conversations/${own}/${peer}`, {})).status).toBe(403);
  });

  it('are listed and counted in the environment of the own number alone', async () => {
    const browser = await world.as('Owner');
    const look = async (environment: string, path = '/conversations') =>
      (await browser.call('GET', path, undefined, { headers: { 'x-helio-environment': environment } })).json.data;
    expect(await look('live')).toEqual({ conversations: [], unread: 0 });
    expect((await look('live', `/conversations?number=${own}`)).conversations).toEqual([]);
    expect(await look('sandbox')).toMatchObject({ conversations: [{ number: own }], unread: 2 });
  });

  it('of another company are not there', async () => {
    const browser = await world.as('Owner', 'acc_two');
    expect((await browser.call('GET', '/conversations')).json.data.conversations).toEqual([]);
    expect((await browser.call('GET', `/conversations/${own}/${peer}`)).status).toBe(404);
    expect((await browser.call('POST', `/conversations/${own}/${peer}`, { done: true })).status).toBe(404);
    const mine = await world.as('Owner');
    expect((await mine.call('GET', `/conversations/${others}/${peer}`)).status).toBe(404);
  });

  it('are read page by page, marked read and put away', async () => {
    const browser = await world.as('Owner');
    const path = `/conversations/${own}/${peer}`;
    const first = (await browser.call('GET', `${path}?limit=1`)).json;
    expect(first.data).toMatchObject({ number: own, peer, unread: 2, begun: true, messages: [{ state: 'received' }] });
    const second = (await browser.call('GET', `${path}?limit=1&before=${first.next}`)).json;
    expect(second).toMatchObject({ data: { messages: [{ text: expect.stringContaining('?') }] }, next: null });
    expect(second.data.messages[0].messageId).not.toBe(first.data.messages[0].messageId);
    expect((await browser.call('POST', path, { readTo: lastMessageId, done: true })).status).toBe(200);
    expect((await browser.call('GET', '/conversations')).json.data).toEqual({ conversations: [], unread: 0 });
    expect((await browser.call('GET', '/conversations?state=done')).json.data.conversations).toMatchObject([
      { unread: 0, done: true },
    ]);
    expect((await browser.call('POST', path, { done: false })).status).toBe(200);
  });

  it('wait until a time and come back by themselves', async () => {
    const browser = await world.as('Support');
    const path = `/conversations/${own}/${peer}`;
    const snoozedUntil = new Date(world.clock.now() + 60_000).toISOString();
    expect((await browser.call('POST', path, { snoozedUntil })).status).toBe(200);
    expect(changed.at(-1)).toBe(`${account.accountId} ${own} ${peer}`);
    expect((await browser.call('GET', '/conversations')).json.data.conversations).toEqual([]);
    expect((await browser.call('GET', path)).json.data).toMatchObject({ snoozedUntil, done: false });
    const snoozed = (await browser.call('GET', '/conversations?state=snoozed')).json.data.conversations;
    expect(snoozed).toMatchObject([{ peer, snoozedUntil }]);
    world.clock.pass(60_000);
    expect((await browser.call('GET', '/conversations')).json.data.conversations).toMatchObject([{ peer }]);
    expect((await browser.call('GET', '/conversations?state=snoozed')).json.data.conversations).toEqual([]);
    expect((await browser.call('POST', path, { snoozedUntil: null })).status).toBe(200);
  });

  it('are assigned to a person of the company, which the audit log records without the number', async () => {
    const browser = await world.as('Owner');
    const path = `/conversations/${own}/${peer}`;
    const { userId, name } = world.user('Support');
    expect((await browser.call('POST', path, { assignedTo: userId })).status).toBe(200);
    const list = async (who: string) =>
      (await browser.call('GET', `/conversations?assigned=${who}`)).json.data.conversations;
    expect(await list(userId)).toMatchObject([{ assignedTo: { userId, name } }]);
    expect(await list('me')).toEqual([]);
    expect(await list('nobody')).toEqual([]);
    // A Viewer could not open the conversation.
    const viewer = await browser.call('POST', path, { assignedTo: world.user('Viewer').userId });
    expect(viewer.json.fields.assignedTo).toMatch(/read texts/);
    const elsewhere = await browser.call('POST', path, { assignedTo: world.user('Admin', 'acc_two').userId });
    expect(elsewhere.json.fields).toHaveProperty('assignedTo');
    const {
      entries: [entry],
    } = await world.store.audit({
      accountId: account.accountId,
      before: null,
      userId: null,
      what: 'conversation',
      limit: 1,
    });
    expect(entry).toMatchObject({ after: { assignedTo: userId }, before: { assignedTo: null } });
    expect(JSON.stringify(entry)).not.toContain(peer);
    expect((await browser.call('POST', path, { assignedTo: null })).status).toBe(200);
    expect(await list('nobody')).toHaveLength(1);
  });

  it('report to the requester that their message was read, once', async () => {
    const browser = await world.as('Support');
    const [asker, path] = ['12025550166', `/conversations/${own}/12025550166`];
    const from = async (extras: object) => {
      world.clock.pass(1_000);
      const item = inboundMmsItem(world.clock.now(), {
        from: asker,
        to: own,
        accountId: account.accountId,
        peerMessageId: '',
      });
      return (await world.store.inboundMms([{ ...item, extras }])).messageIds[0]!;
    };
    await from({ readReport: 'old' });
    const read = async (readTo: string) => (await browser.call('POST', path, { readTo })).status;
    expect(await read(await from({}))).toBe(200);
    const wanted = (peerMessageId: string) => ({ carrier: 'c1', peerMessageId, from: asker, to: own });
    expect(reported).toEqual([wanted('old')]);
    const first = await from({ readReport: 'a' });
    const last = await from({ readReport: 'b' });
    // The newest one is still unread.
    expect(await read(first)).toBe(200);
    expect(reported).toHaveLength(1);
    expect([await read(last), await read(last)]).toEqual([200, 200]);
    expect(reported.slice(1)).toEqual([wanted('b'), wanted('a')]);
    // This id is only for us and the carrier.
    const { json } = await browser.call('GET', path);
    expect(JSON.stringify(json)).not.toContain('readReport');
  });

  it('have the name of the contact, and are found by it', async () => {
    const accountId = account.accountId;
    await world.store.putContacts([
      { accountId, contact: peer, at: 0, name: 'María', note: 'calls back', tags: ['vip'] },
      { accountId, contact: '12025550178', at: 0, name: 'Mario' },
    ]);
    const browser = await world.as('Support');
    const list = async (query: string) =>
      (await browser.call('GET', `/conversations?${query}`)).json.data.conversations;
    expect(await list('q=mari')).toMatchObject([{ peer, name: 'María' }]);
    expect(await list('q=vip&state=unread')).toMatchObject(await list(`peer=${peer}&state=unread`));
    expect(await list('q=nobody')).toEqual([]);
    expect(await list('peer=12025550166')).toMatchObject([{ name: '' }]);
    expect((await browser.call('GET', `/conversations?q=${'x'.repeat(101)}`)).status).toBe(400);
    const thread = async (number: string) => (await browser.call('GET', `/conversations/${own}/${number}`)).json.data;
    expect(await thread(peer)).toMatchObject({ contact: { name: 'María', note: 'calls back', tags: ['vip'] } });
    expect(await thread('12025550166')).toMatchObject({ contact: null });
  });

  it('show who else has them open', async () => {
    const [owner, support] = [await world.as('Owner'), await world.as('Support')];
    const say = async (browser: typeof owner, here: boolean, to = peer) =>
      browser.call('POST', `/conversations/${own}/${to}/here`, { here });
    expect((await say(owner, true)).json.data.people).toEqual([]);
    const { userId, name } = world.user('Owner');
    expect((await say(support, true)).json.data.people).toEqual([{ userId, name }]);
    expect(seen).toEqual([[name], [name, world.user('Support').name]]);
    expect((await say(support, true)).status).toBe(200);
    expect(seen).toHaveLength(2);
    expect((await say(owner, false)).json.data.people).toMatchObject([{ name: world.user('Support').name }]);
    expect(seen.at(-1)).toEqual([world.user('Support').name]);
    expect((await say(await world.as('Viewer'), true)).status).toBe(403);
    expect((await say(await world.as('Owner', 'acc_two'), true)).status).toBe(404);
    expect((await say(owner, true, 'x')).status).toBe(404);
    expect((await owner.call('POST', `/conversations/${own}/${peer}/here`, {})).status).toBe(400);
  });

  it('are answered with canned replies of the company', async () => {
    const support = await world.as('Support');
    const made = await support.call('POST', '/canned-replies', { title: ' Hours ', text: 'Hi {{name}}, 9 to 5.' });
    const { replyId } = made.json.data;
    expect((await support.call('GET', '/canned-replies')).json.data).toEqual([
      { replyId, title: 'Hours', text: 'Hi {{name}}, 9 to 5.' },
    ]);
    const change = { title: 'Hours', text: '9 to 6' };
    expect((await support.call('POST', `/canned-replies/${replyId}`, change)).status).toBe(200);
    const other = await world.as('Owner', 'acc_two');
    expect((await other.call('GET', '/canned-replies')).json.data).toEqual([]);
    expect((await other.call('POST', `/canned-replies/${replyId}`, change)).status).toBe(404);
    expect((await other.call('DELETE', `/canned-replies/${replyId}`)).status).toBe(404);
    const viewer = await world.as('Viewer');
    expect((await viewer.call('GET', '/canned-replies')).status).toBe(403);
    expect((await viewer.call('POST', '/canned-replies', change)).status).toBe(403);
    for (const wrong of [{ title: ' ', text: 'x' }, { title: 'x' }, { title: 'x', text: 'y'.repeat(1_601) }]) {
      expect((await support.call('POST', '/canned-replies', wrong)).status).toBe(400);
    }
    expect((await support.call('DELETE', `/canned-replies/${replyId}`)).status).toBe(200);
    expect((await support.call('GET', '/canned-replies')).json.data).toEqual([]);
  });

  it('with somebody who never wrote can be opened, and not be marked', async () => {
    const browser = await world.as('Owner');
    const { json } = await browser.call('GET', `/conversations/${own}/12025550177`);
    expect(json.data).toMatchObject({ begun: false, messages: [], unread: 0 });
    expect((await browser.call('POST', `/conversations/${own}/12025550177`, { done: true })).status).toBe(404);
  });

  it('say why they are closed', async () => {
    const browser = await world.as('Owner');
    const change = { accountId: account.accountId, scope: 'campaign:C1', contact: peer, at: world.clock.now() };
    await world.store.changeConsent({
      changes: [{ ...change, how: 'keyword', reason: '', evidenceMessageId: null, to: 'out' }],
      eventIds: ['evt_01HF7YAT000123456789ABCDEH'],
    });
    const look = async (environment: string) => {
      const headers = { 'x-helio-environment': environment };
      return (await browser.call('GET', `/conversations/${own}/${peer}`, undefined, { headers })).json;
    };
    expect((await look('live')).data.closed).toMatchObject({ detail: expect.stringContaining('sandbox environment') });
    const json = await look('sandbox');
    expect(json.data.closed).toMatchObject({ reason: 'OPTED_OUT', detail: expect.stringContaining('START') });
  });

  it.each([
    ['/conversations?limit=0', 'limit'],
    ['/conversations?before=x', 'before'],
    ['/conversations?number=x', 'number'],
    ['/conversations?peer=x', 'peer'],
    ['/conversations?state=x', 'state'],
    ['/conversations?assigned=x', 'assigned'],
  ])('%s is refused', async (path, named) => {
    const { status, json } = await (await world.as('Owner')).call('GET', path);
    expect(status).toBe(400);
    expect(json.detail).toContain(named);
  });

  it.each([
    [{ readTo: 'x' }],
    [{ done: 'yes' }],
    [[]],
    [{ snoozedUntil: 'tomorrow' }],
    [{ snoozedUntil: '2020-01-01T00:00:00Z' }],
    [{ snoozedUntil: '2999-01-01T00:00:00Z' }],
    [{ assignedTo: 'usr_00000000000000000000000009' }],
    [{ assignedTo: '' }],
    [{ color: 'red' }],
  ])('%j is refused', async (body) => {
    const answer = await (await world.as('Owner')).call('POST', `/conversations/${own}/${peer}`, body);
    expect(answer.status).toBe(400);
  });
});
