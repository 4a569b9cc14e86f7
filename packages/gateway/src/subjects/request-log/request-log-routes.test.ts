/**
 * The log of API calls, from the public API to the pages that show it: what is stored, who sees it, and never a secret.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { NoteCall } from '../../http/call-record.ts';
import { openPortalWorld, type PortalWorld } from '../../http/portal/portal-fixture.ts';
import { speak } from '../../http/server-fixture.ts';
import { silentLogger } from '../../kernel/logger.ts';
import type { CredentialPair } from '../../model/credential.ts';
import { keyOf, newPair } from '../../model/world-fixture.ts';
import { messageLogRoutes } from '../message-log/message-log-routes.ts';
import { createCallNotes, createRequestLog, type RequestLog } from './request-log.ts';
import { requestLogRoutes } from './request-log-routes.ts';

let world: PortalWorld;
let log: RequestLog;
let note: NoteCall;
const [pair, revoked, other] = [newPair(), newPair(), newPair()];
const notified: string[] = [];

beforeAll(async () => {
  world = await openPortalWorld({
    // The server starts before there is a store to write to.
    testServer: { noteCall: (...call) => note(...call) },
    modules: ({ store, clock }) => {
      log = createRequestLog({ clock, logger: silentLogger, store });
      note = createCallNotes(log, clock);
      log.onKept((accountId) => void notified.push(accountId));
      return [messageLogRoutes({ store, nudgeAll: () => {} }), requestLogRoutes({ store })];
    },
  });
  const apiKeys = [
    keyOf(pair, { name: 'Shop' }),
    keyOf(revoked, { revokedAt: 1 }),
    keyOf(other, { accountId: 'acc_two' }),
  ];
  world.setRecords({ ...world.records, apiKeys: [...world.records.apiKeys, ...apiKeys] });
});

afterAll(() => world.close());

interface Sent {
  as?: CredentialPair;
  auth?: string;
  query?: string;
  method?: string;
  path?: string;
  body?: string;
}

/** Returns its request id. */
async function send({ as = pair, auth = as.authToken, ...how }: Sent) {
  const { headers } = await speak(world.testServer, { bearer: as.bearerToken, apikey: auth, ...how });
  await log.flush();
  return String(headers['x-request-id']);
}

const good = JSON.stringify({ from: '12025550199', to: ['12025550100'], text: 'My code is 4711' });

async function listed(query = '', role: 'Owner' | 'Developer' = 'Developer') {
  return (await (await world.as(role)).call('GET', `/requests${query}`)).json;
}

describe('the request log', () => {
  it('keeps an accepted call, without its text, its query string and its credentials', async () => {
    const requestId = await send({ body: good, query: 'dryRun=true&note=hush' });
    const browser = await world.as('Developer');
    const { json, text } = await browser.call('GET', `/requests?q=${requestId}`);
    expect(json.data.calls).toMatchObject([
      { requestId, method: 'POST', path: '/SendSMS', status: 200, reason: 'SUCCESS', keyName: 'Shop', dryRun: true },
    ]);
    expect(JSON.parse(json.data.calls[0].redacted)).toEqual({
      from: '12025550199',
      to: ['12025550100'],
      text: null,
      textLength: 15,
    });
    for (const secret of [pair.bearerToken, pair.authToken, '4711', 'hush']) expect(text).not.toContain(secret);
    expect(notified).toContain('acc_one');
  });

  it('keeps refusals with their details, those of a pair that is known but not let in too', async () => {
    const bad = await send({ body: '{"from":' });
    const missing = await send({ body: '{"from":"12025550199"}' });
    const over = await send({ as: revoked, body: good });
    const { data } = await listed('?status=4xx');
    const found = new Map(data.calls.map((one: { requestId: string }) => [one.requestId, one]));
    expect(found.get(bad)).toMatchObject({ status: 400, reason: 'INVALID_JSON', redacted: null, bodyBytes: 8 });
    expect(found.get(missing)).toMatchObject({ reason: 'MISSING_FIELD', detail: expect.stringContaining('to') });
    expect(found.get(over)).toMatchObject({ reason: 'NOT_AUTHORIZED', keyId: keyOf(revoked).keyId, redacted: null });
  });

  it('keeps nothing of a call whose credentials name nobody', async () => {
    const before = (await listed()).data.calls.length;
    await send({ body: good, auth: 'at_wrong' });
    await send({ as: newPair(), body: good });
    await send({ path: '/api/v1/nothing', method: 'GET' });
    expect((await listed()).data.calls).toHaveLength(before);
  });

  it('filters by path, reason, key and time, and pages', async () => {
    await send({ method: 'GET', path: '/api/v1/messages/msg_x' });
    expect((await listed('?q=v1/messages')).data.calls).toMatchObject([{ method: 'GET', reason: 'NOT_FOUND' }]);
    expect((await listed('?reason=INVALID_JSON')).data.calls).toHaveLength(1);
    expect((await listed(`?key=${keyOf(revoked).keyId}`)).data.calls).toHaveLength(1);
    const all = (await listed()).data.calls as { requestId: string }[];
    const first = await listed('?limit=2');
    const second = await listed(`?limit=2&before=${first.next}`);
    expect([...first.data.calls, ...second.data.calls]).toEqual(all.slice(0, 4));
    const tomorrow = new Date(world.clock.now() + 86_400_000).toISOString();
    expect((await listed(`?since=${tomorrow}`)).data.calls).toEqual([]);
    expect((await listed(`?until=${tomorrow}`)).data.calls).toHaveLength(all.length);
  });

  it.each([
    'status=7',
    'status=4XX',
    'since=yesterday',
    'since=2026-02-30T00:00:00Z',
    'before=x',
    'limit=0',
    'q=a&q=b',
    `q=${'x'.repeat(101)}`,
  ])('refuses %s', async (query) => {
    expect((await (await world.as('Owner')).call('GET', `/requests?${query}`)).status).toBe(400);
  });

  it('says how many calls of a minute were not kept', async () => {
    const room = () => log.mayRecord({ accountId: 'acc_one', environment: 'sandbox' }, false);
    for (let i = 0; i < 25; i++)
      log.keep({ ...sample, requestId: `req_${'0'.repeat(24)}${String(i).padStart(2, '0')}` });
    expect(room()).toBe(false);
    await log.flush();
    expect((await listed()).data.unkept).toEqual([{ minute: expect.any(String), calls: 1 }]);
  });

  it('is a file as well', async () => {
    const browser = await world.as('Admin');
    const { text } = await browser.call('GET', '/requests/export.csv?status=4xx');
    expect(text.startsWith('\uFEFF')).toBe(true);
    expect(text).toContain('INVALID_JSON');
    const lines = (await browser.call('GET', '/requests/export.jsonl')).text.trim().split('\n');
    expect(lines.map((line) => JSON.parse(line).path)).toContain('/SendSMS');
  });

  it('shows one refused request, to those who look after keys only, and nothing to another company', async () => {
    const requestId = await send({ body: '{}' });
    const path = `/requests/${requestId}`;
    const { json } = await (await world.as('Developer')).call('GET', path);
    expect(json.data).toMatchObject({ requestId, messages: [], refused: [], call: { status: 400, redacted: '{}' } });
    expect((await (await world.as('Support')).call('GET', path)).status).toBe(404);
    for (const role of ['Support', 'Viewer'] as const) {
      expect((await (await world.as(role)).call('GET', '/requests')).status).toBe(403);
    }
    const stranger = await world.as('Owner', 'acc_two');
    expect((await stranger.call('GET', path)).status).toBe(404);
    expect((await stranger.call('GET', '/requests')).json.data).toEqual({ calls: [], unkept: [] });
  });
});

const sample = {
  ...({
    accountId: 'acc_one',
    at: 1,
    environment: 'sandbox',
    keyId: 'k',
    method: 'GET',
    path: '/x',
    status: 200,
  } as const),
  reason: 'SUCCESS',
  detail: '',
  address: '::1',
  ms: 1,
  dryRun: false,
  body: null,
  bodyBytes: 0,
};
