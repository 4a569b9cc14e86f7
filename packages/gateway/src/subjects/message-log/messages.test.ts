import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestServer, recordsOf, scriptedApi, speak, type TestServer } from '../../http/server-fixture.ts';
import { firstIdAt } from '../../kernel/ids.ts';
import type { MessageSearchPage } from '../../messaging/store/message-log-items.ts';
import type { Decision } from '../../model/delivery.ts';
import type { MessageView } from '../../model/message-view.ts';
import { account, keyOf, newPair, number, recordsWith } from '../../model/world-fixture.ts';
import { StoreUnavailable } from '../../store/faults.ts';
import { cancelRoute } from './cancel-route.ts';

const messageId = 'msg_01JD8Z6QF2X5T9V3B7N1KMHGCA';
const view: MessageView = {
  messageId,
  referenceId: 'order-7',
  requestId: 'req_01JD8Z6QF2X5T9V3B7N1KMHGCB',
  direction: 'outbound',
  from: '12025550199',
  to: '12025550100',
  text: 'Hello',
  mediaUrls: [],
  messageType: 'SMS',
  encoding: 'GSM-7',
  segments: 1,
  state: 'delivered',
  code: 'DELIVERED',
  carrier: 'sandbox',
  carrierCode: '000',
  dupRisk: false,
  acceptedAt: 1_700_000_000_000,
  updatedAt: 1_700_000_001_234,
  parts: [
    {
      part: 1,
      carrier: 'sandbox',
      carrierMessageId: '0A3F',
      state: 'delivered',
      carrierCode: '000',
      updatedAt: 1_700_000_001_234,
    },
  ],
  events: [
    {
      sequence: 1,
      state: 'accepted',
      at: 1_700_000_000_000,
      code: null,
      carrier: null,
      carrierCode: null,
      detail: null,
    },
  ],
};

let testServer: TestServer;
/** The query that the list got. */
let listed: object[];
let broken: Error | null;
let rows: MessageView[];
/** How far a list looks, and the queries for it. */
let reach: string | null;
let looked: object[];
/** The results of a search. */
let found: MessageSearchPage;
/** Decisions about messages, and whether they took effect. */
let decided: object[];
let decides: (decision: Decision) => boolean;
beforeAll(async () => {
  const failing = async <T>(value: T): Promise<T> => {
    if (broken !== null) throw broken;
    return value;
  };
  testServer = await openTestServer({
    api: scriptedApi({
      store: {
        message: (accountId, id) => failing(testServer.messages.get(`${accountId} ${id}`) ?? null),
        messages: (query) => {
          listed.push(query);
          return failing(rows.slice(0, query.limit));
        },
        searchMessages: (query) => {
          listed.push(query);
          return failing(found);
        },
        messagesReach: async (query) => {
          looked.push(query);
          return reach;
        },
      },
    }),
    routes: [
      cancelRoute({
        store: {
          message: async (accountId, id) => testServer.messages.get(`${accountId} ${id}`) ?? null,
          decide: async (decision) => {
            decided.push(decision);
            return decides(decision);
          },
        },
        nudgeAll: () => {},
      }),
    ],
  });
});
afterAll(() => testServer.close());
beforeEach(() => {
  listed = [];
  broken = null;
  rows = [];
  found = { messages: [], next: null, searchedTo: null };
  reach = null;
  looked = [];
  decided = [];
  decides = () => true;
  testServer.messages.clear();
  testServer.use(recordsOf([keyOf(testServer.pair)]));
});

const get = (path: string, query = '') => speak(testServer, { method: 'GET', path, query });

describe('GET /api/v1/messages/{messageId}', () => {
  it('shows the message with times, parts and events', async () => {
    testServer.messages.set(`${account.accountId} ${messageId}`, view);
    const answer = await get(`/api/v1/messages/${messageId}`);
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({
      success: true,
      reason: 'SUCCESS',
      detail: expect.any(String),
      data: {
        ...view,
        acceptedAt: '2023-11-14T22:13:20.000Z',
        updatedAt: '2023-11-14T22:13:21.234Z',
        parts: [{ ...view.parts[0], updatedAt: '2023-11-14T22:13:21.234Z' }],
        events: [
          {
            eventId: 'evt_01JD8Z6QF2X5T9V3B7N1KMHGCA_1',
            sequence: 1,
            state: 'accepted',
            code: null,
            carrier: null,
            carrierCode: null,
            detail: null,
            occurredAt: '2023-11-14T22:13:20.000Z',
          },
        ],
      },
    });
    expect(testServer.log.at(-1)?.fields.route).toBe('/api/v1/messages/:messageId');
  });

  it('SEC-20 is the same 404 for a missing id, another account’s, and nonsense', async () => {
    testServer.messages.set(`acc_other ${messageId}`, view);
    const answers = await Promise.all(
      [messageId, 'msg_01JD8Z6QF2X5T9V3B7N1KMHGCZ', 'x', 'msg_', "' or 1=1", `${messageId}%00`].map((id) =>
        get(`/api/v1/messages/${encodeURIComponent(id)}`),
      ),
    );
    for (const answer of answers) expect(answer.status).toBe(404);
    expect(new Set(answers.map((answer) => answer.text)).size).toBe(1);
  });

  it('SEC-18 needs the scope read', async () => {
    testServer.use(recordsOf([keyOf(testServer.pair, { scopes: ['send', 'admin'] })]));
    expect((await get(`/api/v1/messages/${messageId}`)).json.reason).toBe('NOT_AUTHORIZED');
    expect((await get('/api/v1/messages')).json.reason).toBe('NOT_AUTHORIZED');
  });

  it('answers 503 when the store is down and 500 when it breaks, and reveals nothing of it', async () => {
    broken = new StoreUnavailable('down', 'connect ECONNREFUSED 10.0.0.5:5432');
    const down = await get(`/api/v1/messages/${messageId}`);
    expect([down.status, down.json.reason]).toEqual([503, 'TEMPORARILY_UNAVAILABLE']);
    broken = new Error('relation "message" does not exist');
    const fault = await get('/api/v1/messages');
    expect([fault.status, fault.json.reason]).toEqual([500, 'INTERNAL_ERROR']);
    expect(down.text + fault.text).not.toMatch(/ECONN|relation/);
  });
});

describe('GET /api/v1/messages', () => {
  it('queries the store for the caller’s account only', async () => {
    await get('/api/v1/messages', 'direction=inbound&from=12025550100&to=12025550199&limit=7&accountId=acc_other');
    await get('/api/v1/messages', `before=${messageId}`);
    await get('/api/v1/messages', `after=${messageId}&direction=inbound`);
    await get('/api/v1/messages', 'after=');
    const nothing = { direction: null, from: null, to: null, before: null, after: null, end: null, limit: 51 };
    expect(listed).toEqual([
      { ...nothing, accountId: 'acc_one', direction: 'inbound', from: '12025550100', to: '12025550199', limit: 8 },
      { ...nothing, accountId: 'acc_one', before: messageId },
      { ...nothing, accountId: 'acc_one', after: messageId, direction: 'inbound' },
      { ...nothing, accountId: 'acc_one' },
    ]);
  });

  it('pages with next', async () => {
    rows = Array.from({ length: 3 }, (_, i) => ({ ...view, messageId: `msg_01JD8Z6QF2X5T9V3B7N1KMHGC${i}` }));
    const first = await get('/api/v1/messages', 'limit=2');
    expect(first.json.data).toHaveLength(2);
    expect(first.json.next).toBe('msg_01JD8Z6QF2X5T9V3B7N1KMHGC1');
    const last = await get('/api/v1/messages', 'limit=3');
    expect(last.json.data).toHaveLength(3);
    expect(last.json.next).toBeNull();
  });

  it.each([
    'limit=0',
    'limit=101',
    'limit=-1',
    'limit=1.5',
    'limit=',
    'limit=x',
    'limit=1&limit=2',
    'direction=both',
    'direction=',
    'from=+1',
    'to=abc',
    "from=1'or'1",
    'before=x',
    'before=%ff',
    'after=x',
    `after=${messageId}&before=${messageId}`,
    `after=${messageId}&state=queued`,
    `after=${messageId}&referenceId=r`,
    'referenceId=',
    'referenceId=a&referenceId=b',
    'state=waiting',
    'state=',
    'since=yesterday',
    'since=2026-01-31T12:00:00',
    'until=1700000000000',
    'since=2026-02-30T00:00:00Z',
    'until=2026-11-31T12:00:00%2B01:00',
    'until=2026-11-30T24:00:00Z',
    'since=2026-02-29T00:00:00Z',
  ])('refuses %s', async (query) => {
    expect((await get('/api/v1/messages', query)).json).toMatchObject({ success: false, reason: 'INVALID_FIELD' });
    expect(listed).toEqual([]);
  });
});

describe('GET /api/v1/messages by reference, state and time', () => {
  it('searches for a reference or a state, and shows each message with its timeline', async () => {
    testServer.messages.set(`${account.accountId} ${messageId}`, view);
    found = { messages: [{ ...view, keyId: 'key_1' }], next: null, searchedTo: null };
    const times = 'since=2023-11-14T00:00:00Z&until=2023-11-15T00:00:00%2B00:00';
    const { json } = await get('/api/v1/messages', `referenceId=order-7&state=delivered&to=12025550100&${times}`);
    expect(json.data).toMatchObject([{ messageId, referenceId: 'order-7', events: [{ state: 'accepted' }] }]);
    expect(json.data[0]).not.toHaveProperty('keyId');
    expect(listed).toMatchObject([
      {
        accountId: 'acc_one',
        limit: 50,
        filter: {
          reference: 'order-7',
          states: ['delivered'],
          to: ['12025550100'],
          from: [],
          after: Date.UTC(2023, 10, 14),
          before: Date.UTC(2023, 10, 15),
        },
      },
    ]);
  });

  it('finds each reference that a request may have', async () => {
    await get('/api/v1/messages', 'referenceId=a%09b%0A%7F');
    expect(listed).toMatchObject([{ filter: { reference: 'a\tb\n\x7f' } }]);
    expect((await get('/api/v1/messages', 'referenceId=a%00b')).json.reason).toBe('INVALID_FIELD');
    expect((await get('/api/v1/messages', 'referenceId=a&from=1%09')).json.reason).toBe('INVALID_FIELD');
  });

  it('says how far it looked, and goes on from there', async () => {
    found = { messages: [], next: messageId, searchedTo: 1_700_000_000_000 };
    const { json } = await get('/api/v1/messages', 'state=failed');
    expect(json).toMatchObject({ data: [], next: messageId });
    expect(json.detail).toContain('2023-11-14T22:13:20.000Z');
    await get('/api/v1/messages', `state=failed&before=${messageId}`);
    expect(listed.at(-1)).toMatchObject({ before: messageId });
  });

  it('lists a range of time in both orders, and ends where it ends', async () => {
    const at = (minute: number) => Date.UTC(2026, 0, 1, 12, minute);
    const made = (minute: number) => ({ ...view, messageId: `${firstIdAt('msg_', at(minute))}0000000000000000` });
    const range = 'since=2026-01-01T12:10:00Z&until=2026-01-01T12:20:00Z';
    rows = [made(19), made(10), made(9)];
    const newest = await get('/api/v1/messages', range);
    expect(newest.json).toMatchObject({ data: [{}, {}], next: null });
    expect(listed.at(-1)).toMatchObject({ before: firstIdAt('msg_', at(20)), after: null });
    rows = [made(11), made(20), made(21)];
    const oldest = await get('/api/v1/messages', `${range}&after=${made(1).messageId}`);
    expect(oldest.json).toMatchObject({ data: [{}], next: null });
    expect(listed.at(-1)).toMatchObject({ after: firstIdAt('msg_', at(10)), before: null });
  });
});

describe('POST /api/v1/messages/{messageId}/cancel', () => {
  const cancel = (id = messageId, body?: unknown) =>
    speak(testServer, { method: 'POST', path: `/api/v1/messages/${id}/cancel`, ...(body !== undefined && { body }) });
  const is = (state: MessageView['state']) => testServer.messages.set(`acc_one ${messageId}`, { ...view, state });

  it.each(['queued', 'held'] as const)('cancels what is %s, with an empty body or none', async (state) => {
    is(state);
    const { status, json } = await cancel(messageId, state === 'held' ? {} : undefined);
    expect([status, json.data]).toEqual([200, { messageId, state: 'canceled' }]);
    expect(json.detail).toContain(state === 'held' ? 'may have been sent' : 'not sent');
    expect(decided).toMatchObject([{ accountId: 'acc_one', messageId, to: 'canceled', by: 'api' }]);
  });

  it.each(['sending', 'sent', 'delivered', 'failed', 'uncertain'] as const)('leaves what is %s', async (state) => {
    is(state);
    const { status, json } = await cancel();
    expect([status, json.reason]).toEqual([409, 'NOT_WAITING']);
    expect(json.detail).toContain(state);
    expect(decided).toEqual([]);
  });

  it('says so when it left in the same moment, and is safe to repeat', async () => {
    is('queued');
    decides = () => {
      is('sending');
      return false;
    };
    expect((await cancel()).json).toMatchObject({ reason: 'NOT_WAITING', detail: expect.stringContaining('sending') });
    is('canceled');
    expect((await cancel()).json).toMatchObject({ success: true, data: { state: 'canceled' } });
  });

  it('SEC-20 finds only the caller’s own, and needs the scope send', async () => {
    testServer.messages.set(`acc_other ${messageId}`, { ...view, state: 'queued' });
    for (const id of [messageId, 'x', 'msg_']) expect((await cancel(id)).json.reason).toBe('NOT_FOUND');
    testServer.use(recordsOf([keyOf(testServer.pair, { scopes: ['read'] })]));
    is('queued');
    expect((await cancel()).json).toMatchObject({ reason: 'NOT_AUTHORIZED', detail: expect.stringContaining('send') });
    expect(decided).toEqual([]);
  });
});

describe('an account with numbers of both environments', () => {
  const live = '12025550198';
  const pairs = { sandbox: newPair(), live: newPair('live') };
  const speakAs = (pair: keyof typeof pairs, path: string, method: 'GET' | 'POST' = 'GET', query = '') =>
    speak(testServer, { method, path, query, bearer: pairs[pair].bearerToken, apikey: pairs[pair].authToken });
  const stored = (more: Partial<MessageView>) =>
    testServer.messages.set(`acc_one ${messageId}`, { ...view, ...more } as MessageView);

  beforeEach(() => {
    const { accountId } = account;
    testServer.use(
      recordsWith({
        accounts: [account],
        apiKeys: [
          keyOf(pairs.sandbox, { keyId: 'key_sandbox' }),
          keyOf(pairs.live, { keyId: 'key_live', environment: 'live' }),
        ],
        numbers: [
          number('12025550199', { accountId, environment: 'sandbox' }),
          number(live, { accountId, environment: 'live' }),
          number('12025550197', { accountId: 'acc_two', environment: 'live' }),
        ],
      }),
    );
  });

  it.each([
    ['sandbox', { direction: 'outbound', from: live }],
    ['sandbox', { direction: 'inbound', from: '12025550100', to: live }],
    ['live', { direction: 'outbound' }],
    ['live', { direction: 'inbound', from: '12025550100', to: '12025550199' }],
  ] as const)('SEC-20 a %s pair neither reads nor cancels a message of the other one', async (pair, fields) => {
    stored({ ...fields, state: 'queued' });
    const invented = await speakAs(pair, '/api/v1/messages/msg_01JD8Z6QF2X5T9V3B7N1KMHGCZ');
    for (const answer of [
      await speakAs(pair, `/api/v1/messages/${messageId}`),
      await speakAs(pair, `/api/v1/messages/${messageId}/cancel`, 'POST'),
    ]) {
      expect([answer.status, answer.text]).toEqual([404, invented.text]);
    }
    expect(decided).toEqual([]);
    const other = pair === 'sandbox' ? 'live' : 'sandbox';
    expect((await speakAs(other, `/api/v1/messages/${messageId}`)).status).toBe(200);
    expect((await speakAs(other, `/api/v1/messages/${messageId}/cancel`, 'POST')).status).toBe(200);
  });

  it.each(['12025550190', '12025550197'])(
    'shows messages of %s, which it no longer has, to both pairs',
    async (from) => {
      stored({ from });
      for (const pair of ['sandbox', 'live'] as const) {
        expect((await speakAs(pair, `/api/v1/messages/${messageId}`)).status).toBe(200);
      }
    },
  );

  it('lists and searches without the numbers of the other one', async () => {
    for (const query of ['', 'state=queued']) {
      await speakAs('sandbox', '/api/v1/messages', 'GET', query);
      await speakAs('live', '/api/v1/messages', 'GET', query);
    }
    const sides = [[live], ['12025550199']];
    expect(listed).toMatchObject([...sides, ...sides].map((without) => ({ accountId: 'acc_one', without })));
  });

  it('looks at a bounded number of messages, and goes on from there, in both orders', async () => {
    reach = messageId;
    rows = [{ ...view, messageId: 'msg_01JD8Z6QF2X5T9V3B7N1KMHGCZ' }];
    const newest = await speakAs('sandbox', '/api/v1/messages', 'GET', 'direction=outbound');
    expect(newest.json).toMatchObject({ data: [{}], next: messageId });
    expect(newest.json.detail).toMatch(/^1 message, newest first\. Looked as far as 2024-.*: go on with next\.$/);
    const after = 'msg_01JD8Z6QF2X5T9V3B7N1KMHGC0';
    const oldest = await speakAs('sandbox', '/api/v1/messages', 'GET', `after=${after}`);
    expect(oldest.json).toMatchObject({ data: [{}], next: messageId });
    expect(looked).toMatchObject([
      { accountId: 'acc_one', direction: 'outbound', before: null, after: null },
      { accountId: 'acc_one', direction: null, before: null, after },
    ]);
    expect(listed).toMatchObject([{ end: messageId }, { end: messageId }]);
    // A full page goes on behind its last message, and a range ends where it ends.
    expect((await speakAs('sandbox', '/api/v1/messages', 'GET', 'limit=1')).json.next).toBe(messageId);
    rows = [rows[0]!, { ...view, messageId: 'msg_01JD8Z6QF2X5T9V3B7N1KMHGCY' }];
    expect((await speakAs('sandbox', '/api/v1/messages', 'GET', 'limit=1')).json.next).toBe(rows[0]!.messageId);
    const range = await speakAs('sandbox', '/api/v1/messages', 'GET', 'since=2026-01-01T00:00:00Z');
    expect(range.json).toMatchObject({ data: [], next: null });
  });
});
