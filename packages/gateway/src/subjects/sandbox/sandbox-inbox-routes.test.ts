/** The routes of the webhook inbox: access, shown fields, refusals, and waiting. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestServer, rawHead, rawSocket, recordsOf, speak, type TestServer } from '../../http/server-fixture.ts';
import type { CredentialPair } from '../../model/credential.ts';
import {
  type InboxAnswer,
  inboxAnswerDefault,
  inboxEndpointId,
  inboxPageMax,
  type ReceivedWebhook,
  type WebhookInbox,
} from '../../model/webhook-inbox.ts';
import { accounts, endpoint, inSandbox, keyOf, newPair } from '../../model/world-fixture.ts';
import { sandboxInboxRoutes } from './sandbox-inbox-routes.ts';

const path = '/api/v1/sandbox/webhooks';
const idOf = (n: number) => `whk_${String(n).padStart(26, '0')}`;
const webhook = (n: number): ReceivedWebhook => ({
  id: idOf(n),
  receivedAt: 1_700_000_000_000 + n,
  headers: { 'webhook-id': 'evt_1' },
  body: '{}',
  signature:
    n % 2 === 0
      ? { valid: true, by: 'current', until: null, skewSeconds: 0 }
      : { valid: false, reason: 'NO_MATCHING_SIGNATURE', detail: 'Why.', skewSeconds: 0 },
  answered: 200,
});

let testServer: TestServer;
let lists: Parameters<WebhookInbox['list']>[0][];
let list: WebhookInbox['list'];
let answers: InboxAnswer[];
const pairs = { reader: newPair(), live: newPair(), other: newPair() };

beforeAll(async () => {
  const inbox: WebhookInbox = {
    list: (query) => {
      lists.push(query);
      return list(query);
    },
    answerWith: (answer) => void answers.push(answer),
    answer: () => answers.at(-1) ?? inboxAnswerDefault,
  };
  testServer = await openTestServer({ routes: [sandboxInboxRoutes(inbox)] });
  const keys = [
    keyOf(testServer.pair),
    keyOf(pairs.reader, { scopes: ['read'] }),
    keyOf(pairs.live, { environment: 'live' }),
    keyOf(pairs.other, { accountId: 'acc_two' }),
  ];
  const records = recordsOf(keys, accounts);
  testServer.use({ ...records, endpoints: [endpoint(inboxEndpointId, inSandbox)] });
});
afterAll(() => testServer.close());
beforeEach(() => {
  lists = [];
  answers = [];
  list = async () => [];
});

function ask(how: { path?: string; query?: string; body?: unknown; pair?: CredentialPair | null } = {}) {
  const { body, pair = testServer.pair } = how;
  return speak(testServer, {
    method: body === undefined ? 'GET' : 'POST',
    path: how.path ?? path,
    query: how.query,
    body,
    bearer: pair === null ? null : pair.bearerToken,
    apikey: pair === null ? null : pair.authToken,
  });
}

const answerWith = (body: unknown, pair?: CredentialPair) => ask({ path: `${path}/answer`, body, pair });

describe('GET /api/v1/sandbox/webhooks', () => {
  it('shows what arrived, with the word on each signature', async () => {
    list = async () => [webhook(1), webhook(2)];
    const { status, json } = await ask();
    expect([status, json.reason, json.detail, json.next]).toEqual([200, 'SUCCESS', '2 webhooks, oldest first.', null]);
    expect(json.data).toEqual([webhook(1), webhook(2)].map((one) => ({ ...one, receivedAt: expect.any(String) })));
    expect(json.data[0].receivedAt).toBe('2023-11-14T22:13:20.001Z');
    expect(lists).toMatchObject([{ waitMs: 0 }]);
  });

  it('says where to go on after a full page', async () => {
    list = async () => Array.from({ length: inboxPageMax }, (_, n) => webhook(n));
    expect((await ask()).json.next).toBe(idOf(inboxPageMax - 1));
  });

  it('hands on where to begin and how long to wait', async () => {
    await ask({ query: `after=${idOf(7)}&wait=60` });
    expect(lists).toMatchObject([{ after: idOf(7), waitMs: 60_000 }]);
    await ask({ query: 'after=&wait=60' });
    expect(lists[1]).not.toHaveProperty('after');
  });

  it('waits no longer than its caller', async () => {
    const gone = Promise.withResolvers<void>();
    list = ({ signal }) =>
      new Promise((resolve) => {
        signal?.addEventListener('abort', () => {
          gone.resolve();
          resolve([]);
        });
        socket.destroy();
      });
    const socket = rawSocket(testServer);
    socket.write(rawHead(testServer, ['content-length: 0'], path, 'GET'));
    await gone.promise;
    expect(lists).toHaveLength(1);
  });

  it('says when too many wait', async () => {
    list = async () => 'full';
    const { status, headers, json } = await ask({ query: 'wait=1' });
    expect([status, json.reason, headers['retry-after']]).toEqual([503, 'TEMPORARILY_UNAVAILABLE', '1']);
  });

  it.each(['after=x', 'wait=61', 'wait=-1', 'wait=1.5', 'wait=', `after=${idOf(1)}&after=${idOf(2)}`, 'wait=%'])(
    'refuses the query %s',
    async (query) => {
      const { status, json } = await ask({ query });
      expect([status, json.reason, lists.length]).toEqual([400, 'INVALID_FIELD', 0]);
    },
  );
});

describe('POST /api/v1/sandbox/webhooks/answer', () => {
  it('tells the inbox how to answer; what is left out is as at the start', async () => {
    const { status, json } = await answerWith({ status: 503, delayMs: 60_000 });
    expect([status, json.data]).toEqual([200, { status: 503, delayMs: 60_000 }]);
    await answerWith({ status: 410 });
    expect((await ask({ path: `${path}/answer` })).json.data).toEqual({ status: 410, delayMs: 0 });
    await answerWith({ delayMs: 5, status: null });
    await answerWith({});
    expect(answers).toEqual([
      { status: 503, delayMs: 60_000 },
      { status: 410, delayMs: 0 },
      { status: 200, delayMs: 5 },
      { status: 200, delayMs: 0 },
    ]);
  });

  it.each([
    [[]],
    ['"x"'],
    [7],
    [{ status: 199 }],
    [{ status: 600 }],
    [{ status: '200' }],
    [{ status: 200.5 }],
    [{ delayMs: -1 }],
    [{ delayMs: 60_001 }],
    [{ delayMs: true }],
    [{ stauts: 503 }],
  ])('refuses %j', async (body) => {
    const { status, json } = await answerWith(body);
    expect([status, json.reason, answers]).toEqual([400, 'INVALID_FIELD', []]);
  });

  it('refuses what is no JSON', async () => {
    expect((await answerWith('{')).json.reason).toBe('INVALID_JSON');
  });
});

describe('the webhook inbox', () => {
  it('is shown to sandbox pairs of its account alone', async () => {
    for (const pair of [pairs.live, pairs.other]) {
      expect((await ask({ pair })).json).toMatchObject({ success: false, reason: 'NOT_FOUND' });
      expect((await answerWith({}, pair)).status).toBe(404);
    }
    expect((await ask({ pair: null })).json.reason).toBe('NOT_AUTHORIZED');
    expect([lists, answers]).toEqual([[], []]);
  });

  it('is read with the scope read and set with the scope send', async () => {
    expect((await ask({ pair: pairs.reader })).status).toBe(200);
    expect((await answerWith({}, pairs.reader)).json.reason).toBe('NOT_AUTHORIZED');
    expect(answers).toEqual([]);
  });

  it('is described in the OpenAPI document of the sandbox', async () => {
    const { json } = await ask({ path: '/openapi-sandbox.json' });
    expect(json.paths[path].get.operationId).toBe('listReceivedWebhooks');
    expect(json.paths[`${path}/answer`].post.operationId).toBe('answerReceivedWebhooks');
  });
});
