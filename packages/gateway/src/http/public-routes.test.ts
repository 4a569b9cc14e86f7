import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { movedClock } from '../../../../test/props/clock.ts';
import { defaultLimits } from '../model/limits.ts';
import { reasons } from '../model/reason.ts';
import type { Readiness } from './public-routes.ts';
import { openTestServer, speak, type TestServer } from './server-fixture.ts';

const clock = movedClock();
let testServer: TestServer;
let state: Readiness = { ready: true, detail: '' };
let queries = 0;
let failing = false;
let starting = false;
const look = async () => {
  queries++;
  if (failing) throw new Error('db at 10.0.0.5 is down');
  return state;
};
beforeAll(async () => {
  testServer = await openTestServer({
    clock,
    ready: () => (starting ? { ready: false, detail: 'it is starting' } : look()),
    doctorToken: 'of the doctor',
    config: { publicUrl: 'https://sms.example.org/"><script>' },
  });
});
afterAll(async () => {
  const closed = testServer.close();
  clock.pass(2_000);
  await closed;
});

const get = (path: string, headers = {}) =>
  speak(testServer, { method: 'GET', path, bearer: null, apikey: null, headers });

describe('what needs no credentials', () => {
  it('GET /limits shows every limit', async () => {
    expect((await get('/limits')).json).toEqual({
      success: true,
      reason: 'SUCCESS',
      detail: expect.any(String),
      data: defaultLimits,
    });
  });

  it('GET /reasons is the catalogue', async () => {
    const { json } = await get('/reasons');
    expect(json.data).toEqual(reasons.map((reason) => ({ ...reason })));
    expect(json.data.find((entry: { code: string }) => entry.code === 'NOT_AUTHORIZED').httpStatus).toBe(400);
  });

  it('GET /healthz says that the process is alive', async () => {
    expect((await get('/healthz')).json).toMatchObject({ success: true, data: { version: '9.9.9' } });
  });

  it('GET /readyz queries the store at most once a second, and gives the reason', async () => {
    queries = 0;
    clock.pass(1_000);
    for (let i = 0; i < 5; i++) expect((await get('/readyz')).status).toBe(200);
    expect(queries).toBe(1);
    state = { ready: false, detail: 'The store takes no writes.' };
    expect((await get('/readyz')).status).toBe(200);
    clock.pass(1_000);
    const answer = await get('/readyz');
    expect(answer.status).toBe(503);
    expect(answer.headers['retry-after']).toBe('2');
    expect(answer.json).toEqual({
      success: false,
      reason: 'TEMPORARILY_UNAVAILABLE',
      detail: 'The store takes no writes.',
    });
  });

  it('GET /readyz is ready as soon as the start is done, also for a probe that came a moment before', async () => {
    clock.pass(1_000);
    starting = true;
    expect((await get('/readyz')).status).toBe(503);
    starting = false;
    state = { ready: true, detail: '' };
    expect((await get('/readyz')).status).toBe(200);
  });

  it('GET /readyz says that the clock is in doubt, and is ready all the same', async () => {
    state = { ready: true, detail: '', clock: 'The clock jumped.' };
    clock.pass(1_000);
    const { status, json } = await get('/readyz');
    expect([status, json.detail, json.data.clock]).toEqual([200, 'Ready. The clock jumped.', 'The clock jumped.']);
  });

  it('GET /readyz names the carriers that are down, and says more only to the doctor', async () => {
    const carrier = { up: false, paused: false, since: 5, detail: 'connect ECONNREFUSED 10.0.0.9:2775' };
    const carriers = [
      { ...carrier, carrierId: 'acme' },
      { ...carrier, carrierId: 'calm', paused: true },
      { ...carrier, carrierId: 'fine', up: true },
    ];
    state = { ready: true, detail: '', carriers };
    clock.pass(1_000);
    for (const authorization of ['', 'Bearer wrong', 'of the doctor']) {
      const { status, json } = await get('/readyz', { authorization });
      expect([status, json.detail]).toEqual([200, 'Ready. Carriers that cannot be reached: acme.']);
      expect(json.data).toEqual({ ready: true, carriersDown: ['acme'] });
    }
    const response = await get('/readyz', { authorization: 'Bearer of the doctor' });
    expect(response.json.data).toEqual({ ready: true, carriersDown: ['acme'], carriers });
    const many = Array.from({ length: 9 }, (_, n) => ({ ...carrier, carrierId: `carrier-${n}` }));
    state = { ready: true, detail: '', carriers: many };
    clock.pass(1_000);
    expect((await get('/readyz')).json.detail).toMatch(/carrier-4 and 4 more\.$/);
    state = { ready: true, detail: '' };
    clock.pass(1_000);
  });

  it('probes are logged at debug, whatever the answer', async () => {
    testServer.log.length = 0;
    state = { ready: false, detail: 'The store takes no writes.' };
    clock.pass(1_000);
    expect((await get('/readyz')).status).toBe(503);
    await get('/healthz');
    await get('/carriers/acme/mm7');
    expect(testServer.log.map(({ level }) => level)).toEqual(['debug', 'debug', 'debug']);
    state = { ready: true, detail: '' };
    clock.pass(1_000);
  });

  it('GET /readyz is 500 when asking fails, without telling why, and recovers', async () => {
    failing = true;
    clock.pass(1_000);
    const answer = await get('/readyz');
    expect(answer.status).toBe(500);
    expect(answer.text).not.toContain('10.0.0.5');
    failing = false;
    state = { ready: true, detail: '' };
    clock.pass(1_000);
    expect((await get('/readyz')).status).toBe(200);
  });

  it('GET / is JSON for a program and a page for a browser', async () => {
    expect((await get('/')).json.data).toMatchObject({ name: 'Heliograph', version: '9.9.9', docs: '/docs/api' });
    const page = await get('/', { accept: 'text/html' });
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
    expect(page.text).not.toContain('<script');
    expect(page.text).toContain('https://sms.example.org/&#34;&#62;&#60;script&#62;/SendSMS');
  });

  it('a wrong credential does not matter there', async () => {
    expect((await speak(testServer, { method: 'GET', path: '/limits', bearer: 'wrong', apikey: 'wrong' })).status).toBe(
      200,
    );
  });
});
