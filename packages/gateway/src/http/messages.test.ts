import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { MessageView } from '../domain/delivery.ts';
import { StoreUnavailable } from '../store/store.ts';
import { account, type Doors, keyOf, openDoors, recordsOf, speak } from './doors-fixture.ts';

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

let doors: Doors;
/** What the list was asked for. */
let listed: object[];
let broken: Error | null;
let rows: MessageView[];
beforeAll(async () => {
  const failing = async <T>(value: T): Promise<T> => {
    if (broken !== null) throw broken;
    return value;
  };
  doors = await openDoors({
    store: {
      message: (accountId, id) => failing(doors.messages.get(`${accountId} ${id}`) ?? null),
      messages: (asked) => {
        listed.push(asked);
        return failing(rows.slice(0, asked.limit));
      },
    },
  });
});
afterAll(() => doors.close());
beforeEach(() => {
  listed = [];
  broken = null;
  rows = [];
  doors.messages.clear();
  doors.use(recordsOf([keyOf(doors.pair)]));
});

const get = (path: string, query = '') => speak(doors, { method: 'GET', path, query });

describe('GET /api/v1/messages/{messageId}', () => {
  it('shows the message with times, parts and events', async () => {
    doors.messages.set(`${account.accountId} ${messageId}`, view);
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
    expect(doors.log.at(-1)?.fields.route).toBe('/api/v1/messages/:messageId');
  });

  it('SEC-20 is the same 404 for a missing id, another account’s, and nonsense', async () => {
    doors.messages.set(`acc_other ${messageId}`, view);
    const answers = await Promise.all(
      [messageId, 'msg_01JD8Z6QF2X5T9V3B7N1KMHGCZ', 'x', 'msg_', "' or 1=1", `${messageId}%00`].map((id) =>
        get(`/api/v1/messages/${encodeURIComponent(id)}`),
      ),
    );
    for (const answer of answers) expect(answer.status).toBe(404);
    expect(new Set(answers.map((answer) => answer.text)).size).toBe(1);
  });

  it('SEC-18 needs the scope read', async () => {
    doors.use(recordsOf([keyOf(doors.pair, { scopes: ['send', 'admin'] })]));
    expect((await get(`/api/v1/messages/${messageId}`)).json.reason).toBe('NOT_AUTHORIZED');
    expect((await get('/api/v1/messages')).json.reason).toBe('NOT_AUTHORIZED');
  });

  it('says 503 when the store is down and 500 when it breaks, and tells nothing of it', async () => {
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
  it('asks the store for the caller’s account and nothing else', async () => {
    await get('/api/v1/messages', 'direction=inbound&from=12025550100&to=12025550199&limit=7&accountId=acc_other');
    await get('/api/v1/messages', `before=${messageId}`);
    await get('/api/v1/messages', `after=${messageId}&direction=inbound`);
    const nothing = { direction: null, from: null, to: null, before: null, after: null, limit: 51 };
    expect(listed).toEqual([
      { ...nothing, accountId: 'acc_one', direction: 'inbound', from: '12025550100', to: '12025550199', limit: 8 },
      { ...nothing, accountId: 'acc_one', before: messageId },
      { ...nothing, accountId: 'acc_one', after: messageId, direction: 'inbound' },
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
    'after=',
    `after=${messageId}&before=${messageId}`,
  ])('refuses %s', async (query) => {
    expect((await get('/api/v1/messages', query)).json).toMatchObject({ success: false, reason: 'INVALID_FIELD' });
    expect(listed).toEqual([]);
  });
});
