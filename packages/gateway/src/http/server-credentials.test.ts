import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { account, keyOf, newPair } from '../model/world-fixture.ts';
import {
  openTestServer,
  rawHead,
  rawSocket,
  recordsOf,
  type Speak,
  speak,
  speakRaw,
  statusesIn,
  type TestServer,
} from './server-fixture.ts';

const notAccepted = '{"success":false,"reason":"NOT_AUTHORIZED","detail":"The credentials were not accepted."}';
const body = '{"from":"12025550199","to":["12025550100"],"text":"Hi"}';
let testServer: TestServer;

beforeAll(async () => {
  testServer = await openTestServer();
});
afterAll(() => testServer.close());
beforeEach(() => {
  testServer.use(recordsOf([keyOf(testServer.pair)]));
  testServer.sends.length = 0;
});

describe('credentials at the door', () => {
  it('SEC-01 one or both missing: 400, and the missing one named', async () => {
    for (const how of [{ bearer: null }, { apikey: null }, { bearer: null, apikey: null }]) {
      const answer = await speak(testServer, how);
      expect(answer.status).toBe(400);
      expect(answer.json).toMatchObject({ success: false, reason: 'NOT_AUTHORIZED' });
      expect(answer.text).toContain('missing');
      expect(answer.headers['www-authenticate']).toBeUndefined();
    }
    expect(testServer.sends).toEqual([]);
  });

  it('SEC-02 SEC-03 SEC-04 SEC-18 every fault is the same bytes and the same headers', async () => {
    const other = newPair();
    const faults: Speak[] = [
      { bearer: 'wrong' },
      { apikey: 'wrong' },
      { bearer: testServer.pair.authToken, apikey: testServer.pair.bearerToken },
      { bearer: other.bearerToken },
      { bearer: other.bearerToken, apikey: other.authToken },
      { headers: { authorization: 'Bearer' } },
      {
        headers: { authorization: [`Bearer ${testServer.pair.bearerToken}`, `Bearer ${testServer.pair.bearerToken}`] },
      },
      { headers: { authorization: `bearer  \t${testServer.pair.bearerToken}` } },
      { headers: { authorization: `Bearer ${'x'.repeat(10_000)}` } },
      { query: 'apikey=again' },
      { query: 'apikey[]=again' },
      { headers: { 'x-api-key': 'another' } },
      { apikey: '' },
    ];
    const seen = new Set<string>();
    for (const how of faults) {
      const answer = await speak(testServer, how);
      expect(answer.status, JSON.stringify(how)).toBe(400);
      expect(answer.text, JSON.stringify(how)).toBe(notAccepted);
      const { date: _date, 'x-request-id': _id, ...headers } = answer.headers;
      seen.add(JSON.stringify(headers));
    }
    testServer.use(recordsOf([keyOf(testServer.pair, { scopes: ['read'] })]));
    const { json } = await speak(testServer);
    expect(json).toMatchObject({ reason: 'NOT_AUTHORIZED', detail: expect.stringContaining('needs the scope send') });
    testServer.use(recordsOf([keyOf(testServer.pair, { revokedAt: 1 })]));
    expect((await speak(testServer)).text).toBe(notAccepted);
    testServer.use(recordsOf([keyOf(testServer.pair, { allowedIps: ['192.0.2.0/24'] })]));
    expect((await speak(testServer)).text).toBe(notAccepted);
    expect(seen.size).toBe(1);
    expect(testServer.sends).toEqual([]);
  });

  it('SEC-06 two Authorization headers on the wire are refused even when both are right', async () => {
    const head = rawHead(testServer, [
      `Authorization: Bearer ${testServer.pair.bearerToken}`,
      `Content-Length: ${body.length}`,
      'Connection: close',
    ]);
    const { text, statuses } = await speakRaw(testServer, head + body);
    expect(statuses).toEqual([400]);
    expect(text.endsWith(notAccepted)).toBe(true);
  });

  it('SEC-13 the Auth Token as X-Api-Key keeps it out of the URL', async () => {
    const answer = await speak(testServer, { apikey: null, headers: { 'x-api-key': testServer.pair.authToken } });
    expect(answer.status).toBe(200);
  });

  it('SEC-04 a change of the records counts at once: suspended, revoked, back again', async () => {
    expect((await speak(testServer)).status).toBe(200);
    testServer.use(recordsOf([keyOf(testServer.pair)], [{ ...account, status: 'suspended' }]));
    expect((await speak(testServer)).json).toMatchObject({ success: false, reason: 'ACCOUNT_SUSPENDED' });
    testServer.use(recordsOf([keyOf(testServer.pair, { revokedAt: 1 })]));
    expect((await speak(testServer)).text).toBe(notAccepted);
    testServer.use(recordsOf([keyOf(testServer.pair)]));
    expect((await speak(testServer)).status).toBe(200);
  });

  it('SEC-08 after many wrong pairs a right one from the same address still works', async () => {
    for (let i = 0; i < 30; i++) expect((await speak(testServer, { bearer: `guess${i}` })).text).toBe(notAccepted);
    expect((await speak(testServer)).status).toBe(200);
    expect(testServer.log.filter((line) => line.level === 'warn').map((line) => line.fields)).toContainEqual({
      address: '127.0.0.1',
      count: 10,
    });
  });

  it('R-18 credentials come before everything else that could be wrong', async () => {
    const worst = {
      bearer: 'wrong',
      headers: { 'content-type': 'text/plain', 'content-encoding': 'gzip' },
      query: 'dryRun=maybe',
    };
    expect((await speak(testServer, { ...worst, body: '{{{' })).text).toBe(notAccepted);
    expect((await speak(testServer, { ...worst, body: 'x'.repeat(300_000) })).text).toBe(notAccepted);
  });
});

describe('SEC-30 the rate at the door', () => {
  it('is 429 with the envelope, Retry-After and what is left, before the body is looked at', async () => {
    testServer.use(recordsOf([keyOf(testServer.pair, { requestsPerSecond: 0.01, burst: 2 })]));
    const first = await speak(testServer);
    expect(first.headers).toMatchObject({ 'ratelimit-policy': '"send";q=2;w=200', ratelimit: '"send";r=1;t=100' });
    // A refused request counts too, and its answer carries the remaining rate.
    const second = await speak(testServer, { body: '{' });
    expect(second.json.reason).toBe('INVALID_JSON');
    expect(second.headers.ratelimit).toBe('"send";r=0;t=200');
    const third = await speak(testServer, { body: '{' });
    expect(third.status).toBe(429);
    expect(third.json).toMatchObject({ success: false, reason: 'RATE_LIMITED' });
    expect(Number(third.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect(third.headers.ratelimit).toBe('"send";r=0;t=200');
    expect(testServer.sends).toHaveLength(1);
  });

  it('reveals nothing to a caller with wrong credentials', async () => {
    testServer.use(recordsOf([keyOf(testServer.pair, { requestsPerSecond: 1, burst: 2 })]));
    for (let i = 0; i < 5; i++) {
      const answer = await speak(testServer, { apikey: 'wrong' });
      expect(answer.status).toBe(400);
      expect(answer.headers.ratelimit).toBeUndefined();
    }
  });
});

describe('SEC-70 X-Forwarded-For', () => {
  const allowed = { allowedIps: ['203.0.113.9'] };
  const forwarded = { 'x-forwarded-for': '198.51.100.1, 203.0.113.9' };

  it('from somebody who is no listed proxy is ignored', async () => {
    testServer.use(recordsOf([keyOf(testServer.pair, allowed)]));
    expect((await speak(testServer, { headers: forwarded })).text).toBe(notAccepted);
    testServer.use(recordsOf([keyOf(testServer.pair, { allowedIps: ['127.0.0.1'] })]));
    expect((await speak(testServer, { headers: forwarded })).status).toBe(200);
  });

  it('from a listed proxy is believed as far as the first address that is none', async () => {
    const behind = await openTestServer({ config: { trustedProxies: ['127.0.0.0/8', '10.0.0.0/8'] } });
    try {
      behind.use(recordsOf([keyOf(behind.pair, allowed)]));
      expect((await speak(behind, { headers: forwarded })).status).toBe(200);
      expect((await speak(behind, { headers: { 'x-forwarded-for': '203.0.113.9, 10.1.1.1' } })).status).toBe(200);
      // Entries before the last untrusted address are only that client's claim.
      expect((await speak(behind, { headers: { 'x-forwarded-for': '203.0.113.9, 198.51.100.1' } })).text).toBe(
        notAccepted,
      );
      expect((await speak(behind, { headers: { 'x-forwarded-for': 'garbage' } })).text).toBe(notAccepted);
      expect((await speak(behind)).text).toBe(notAccepted);
    } finally {
      await behind.close();
    }
  });
});

describe('requests on one connection', () => {
  it('are each judged by their own credentials, and by the records of their moment', async () => {
    const other = newPair();
    const own = testServer.pair;
    testServer.use(recordsOf([keyOf(own), keyOf(other)]));
    const socket = rawSocket(testServer);
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
    });
    const ask = async (bearer: string, auth: string): Promise<string> => {
      const known = statusesIn(text).length;
      socket.write(
        `POST /SendSMS?apikey=${auth} HTTP/1.1\r\nHost: gateway.example\r\nAuthorization: Bearer ${bearer}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      );
      await expect.poll(() => statusesIn(text).length).toBe(known + 1);
      return text
        .match(/"reason":"\w+"/g)!
        .at(-1)!
        .slice(10, -1);
    };
    const asOwn = () => ask(own.bearerToken, own.authToken);
    const asOther = () => ask(other.bearerToken, other.authToken);
    const almost = `${own.bearerToken.slice(0, -1)}${own.bearerToken.endsWith('A') ? 'B' : 'A'}`;
    try {
      expect(await ask(almost, own.authToken)).toBe('NOT_AUTHORIZED');
      expect(await ask(almost, own.authToken)).toBe('NOT_AUTHORIZED');
      expect([await asOwn(), await asOwn()]).toEqual(['SUCCESS', 'SUCCESS']);
      expect(await ask(almost, own.authToken)).toBe('NOT_AUTHORIZED');
      expect(await ask(own.bearerToken, other.authToken)).toBe('NOT_AUTHORIZED');
      expect([await asOther(), await asOwn(), await asOwn()]).toEqual(['SUCCESS', 'SUCCESS', 'SUCCESS']);
      expect(testServer.sends.map(({ caller }) => caller.key.keyId)).toEqual(
        [own, own, other, own, own].map(({ keyId }) => keyId),
      );
      testServer.use(recordsOf([{ ...keyOf(own), revokedAt: 1 }, keyOf(other)]));
      expect([await asOwn(), await asOther(), await asOwn()]).toEqual(['NOT_AUTHORIZED', 'SUCCESS', 'NOT_AUTHORIZED']);
    } finally {
      socket.destroy();
    }
  });
});
