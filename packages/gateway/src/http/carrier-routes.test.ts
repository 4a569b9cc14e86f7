/**
 * The route for carriers that speak HTTP: the real adapter behind the real server, with friendly and hostile requests.
 */
import { X509Certificate } from 'node:crypto';
import { request as httpsRequest } from 'node:https';
import { createServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { steadyRandom } from '../../../../test/props/chance.ts';
import { movedClock, until } from '../../../../test/props/clock.ts';
import { type RecordingSink, recordingSink } from '../carriers/carrier-fixture.ts';
import { createMm7Carrier } from '../carriers/mm7/carrier.ts';
import { basic, deliverReq, mm7Bytes, mm7Record } from '../carriers/mm7/mm7-fixture.ts';
import type { Mm7Profile } from '../carriers/mm7/profile.ts';
import { silentLogger } from '../kernel/logger.ts';
import type { CarrierAnswer, CarrierRequest } from '../model/carrier-http.ts';
import { inboundMmsLimits } from '../model/inbound-limits.ts';
import { bodiesPerCarrierMax, carrierBodiesMax, carrierRoutes } from './carrier-routes.ts';
import {
  openTestServer,
  rawSocket,
  type Speak,
  speak,
  type TestServer,
  type TestServerOptions,
} from './server-fixture.ts';
import { otherCertificate, otherKey, testCertificate, testKey } from './tls-fixture.ts';

const login = basic('them', 'inbound-secret');
const loginOnly = { username: 'them', password: 'inbound-secret', addresses: [], clientCertSha256: [] };
const path = '/carriers/car_test/mm7';

let testServer: TestServer;
let sink: RecordingSink;
/** Stands in for the adapter when a test sets it. */
let http: ((request: CarrierRequest) => Promise<CarrierAnswer>) | null;

async function open(inbound: Mm7Profile['inbound'] = loginOnly, options: TestServerOptions = {}): Promise<void> {
  http = null;
  sink = recordingSink();
  const record = mm7Record('http://127.0.0.1:1/', { inbound });
  const carrier = createMm7Carrier(record, { clock: movedClock(), random: steadyRandom(), logger: silentLogger });
  // The carrier's own end is not reachable: only its requests to us matter here.
  carrier.start(sink);
  const routes = carrierRoutes({
    carrier: (carrierId) => {
      if (carrierId === 'car_smpp') return {};
      return ['car_test', 'car_other', 'car_third'].includes(carrierId)
        ? { http: (request) => (http ?? carrier.http!)(request) }
        : undefined;
    },
  });
  testServer = await openTestServer({ routes: [routes], ...options });
}
afterEach(() => testServer.close());

const ask = (how: Speak = {}) =>
  speak(testServer, {
    path,
    bearer: null,
    apikey: null,
    ...how,
    headers: { authorization: login, 'content-type': 'text/xml', ...how.headers },
  });
const deliver = (how: Speak = {}) => {
  const { headers, body } = mm7Bytes(deliverReq('12025550100', '12025550199', 'hi', 't-1'));
  return ask({ ...how, body, headers: { 'content-type': headers['content-type'], ...how.headers } });
};

describe('POST /carriers/{carrierId}/mm7', () => {
  it('hands a message on and answers as the adapter does', async () => {
    await open();
    const { status, headers, text } = await deliver();
    expect([status, headers['content-type'], text.includes('<StatusCode>1000<')]).toEqual([
      200,
      'text/xml; charset=utf-8',
      true,
    ]);
    expect(headers['cache-control']).toBe('no-store');
    expect(sink.mms).toMatchObject([{ text: 'hi', media: [{ contentType: 'image/png' }] }]);
  });

  it.each(['/carriers/car_none/mm7', '/carriers/car_smpp/mm7', '/carriers/__proto__/mm7'])(
    '%s is unknown',
    async (to) => {
      await open();
      const { status, json } = await deliver({ path: to });
      expect([status, json.reason]).toEqual([404, 'NOT_FOUND']);
    },
  );

  it.each(['GET', 'PUT', 'DELETE', 'OPTIONS'])('takes no %s', async (method) => {
    await open();
    const { status, headers, json } = await ask({ method });
    expect([status, json.reason, headers.allow]).toEqual([405, 'METHOD_NOT_ALLOWED', 'POST']);
  });

  it('needs no credentials of the API, and the API takes none of a carrier', async () => {
    await open();
    expect((await deliver({ headers: { authorization: `Bearer ${testServer.pair.bearerToken}` } })).status).toBe(401);
    expect((await speak(testServer, { headers: { authorization: login } })).json.reason).toBe('NOT_AUTHORIZED');
  });

  it('logs neither query nor login, and its pattern', async () => {
    await open();
    await deliver({ query: 'token=query-canary' });
    await deliver({ query: 'token=query-canary', headers: { authorization: basic('them', 'login-canary') } });
    const logged = JSON.stringify(testServer.log);
    expect(logged).toContain('/carriers/:carrierId/mm7');
    expect(logged).not.toMatch(/canary|inbound-secret/);
    expect(logged).not.toContain(login.slice(6));
    expect(logged).not.toContain(basic('them', 'login-canary').slice(6));
  });

  it('believes in the address that a trusted proxy names, and in no other', async () => {
    const inbound = { ...loginOnly, addresses: ['10.0.0.7'] };
    const headers = { 'x-forwarded-for': '10.0.0.7' };
    await open(inbound, { config: { trustedProxies: ['127.0.0.1'] } });
    expect((await deliver({ headers })).status).toBe(200);
    expect((await deliver()).status).toBe(403);
    await testServer.close();
    await open(inbound);
    expect((await deliver({ headers })).status).toBe(403);
  });

  it('is "again later" when what came cannot be stored, and 500 when the adapter breaks', async () => {
    await open();
    sink.storing = () => Promise.reject(new Error('disk-canary'));
    const { status, text } = await deliver();
    expect([status, text.includes('<StatusCode>4006<'), text.includes('canary')]).toEqual([500, true, false]);
    http = () => Promise.reject(new Error('bug-canary'));
    const broken = await deliver();
    expect([broken.status, broken.json.reason, broken.text.includes('canary')]).toEqual([500, 'INTERNAL_ERROR', false]);
  });
});

describe('a client certificate', () => {
  const tls = { cert: testCertificate, key: testKey, asksForCertificate: true };
  const pinned = new X509Certificate(otherCertificate).fingerprint256.replaceAll(':', '').toLowerCase();
  const inbound = { username: '', password: '', addresses: [], clientCertSha256: [pinned] };

  const deliverWith = (certificate: { cert?: string; key?: string }) =>
    new Promise<number>((resolve, reject) => {
      const { headers, body } = mm7Bytes(deliverReq('12025550100', '12025550199', 'hi', 't-1'));
      const target = { host: '127.0.0.1', port: testServer.port, path, method: 'POST', headers, agent: false };
      const sent = httpsRequest({ ...target, ca: testCertificate, ...certificate } as object, (answer) => {
        answer.resume().on('end', () => resolve(answer.statusCode!));
      });
      sent.on('error', reject).end(body);
    });

  it('that is pinned lets in, another or none does not, and nobody else needs one', async () => {
    await open(inbound, { config: { tls } });
    expect(await deliverWith({ cert: otherCertificate, key: otherKey })).toBe(200);
    expect(await deliverWith({ cert: testCertificate, key: testKey })).toBe(403);
    expect(await deliverWith({})).toBe(403);
    expect(sink.mms).toHaveLength(1);
    expect((await speak(testServer, { tls: true })).status).toBe(200);
  });

  it('is absent when it is not requested', async () => {
    await open(inbound, { config: { tls: { ...tls, asksForCertificate: false } } });
    expect(await deliverWith({ cert: otherCertificate, key: otherKey })).toBe(403);
  });
});

describe('a hostile carrier', () => {
  const soap = (inner: string): string =>
    `<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body>${inner}</e:Body></e:Envelope>`;
  const nested = (depth: number): string => {
    let body = 'Content-Type: text/plain\r\n\r\nhi\r\n';
    for (let n = 0; n < depth; n++) {
      body = `Content-Type: multipart/mixed; boundary=b${n}\r\n\r\n--b${n}\r\n${body}\r\n--b${n}--\r\n`;
    }
    return body.slice(body.indexOf('\r\n\r\n') + 4);
  };

  it('makes us fetch nothing (SEC-48)', async () => {
    await open();
    let dialled = 0;
    const trap = createServer(() => dialled++);
    await new Promise<void>((resolve) => trap.listen(0, '127.0.0.1', () => resolve()));
    const url = `http://127.0.0.1:${(trap.address() as { port: number }).port}/x`;
    for (const body of [
      `<!DOCTYPE a [<!ENTITY x SYSTEM "${url}">]>${soap('<DeliverReq><Sender><Number>&x;</Number></Sender></DeliverReq>')}`,
      `<!DOCTYPE a SYSTEM "${url}">${soap('<DeliverReq/>')}`,
      `<!DOCTYPE a [<!ENTITY % p SYSTEM "${url}"> %p;]>${soap('<DeliverReq/>')}`,
      `<?xml-stylesheet href="${url}"?>${soap(`<DeliverReq xmlns:xi="http://www.w3.org/2001/XInclude"><xi:include href="${url}"/></DeliverReq>`)}`,
      '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>',
    ]) {
      const { status, text } = await ask({ body });
      expect([status, /<StatusCode>[24]00[0-9]</.test(text), text.includes('root:')]).toEqual([500, true, false]);
    }
    expect([dialled, sink.order]).toEqual([0, []]);
    trap.close();
  });

  it.each([
    [
      'a bomb of entities',
      `<!DOCTYPE a [<!ENTITY a "${'x'.repeat(100)}">${Array.from({ length: 9 }, (_, i) => `<!ENTITY ${'bcdefghij'[i]} "${`&${'abcdefghi'[i]};`.repeat(10)}">`).join('')}]>${soap('&j;')}`,
      'text/xml',
    ],
    ['a million attributes', soap(`<DeliverReq ${'a="" '.repeat(1_000_000)}/>`), 'text/xml'],
    ['100,000 elements', soap('<a/>'.repeat(100_000)), 'text/xml'],
    ['elements 10,000 deep', soap(`${'<a>'.repeat(10_000)}${'</a>'.repeat(10_000)}`), 'text/xml'],
    ['1,000 nested parts', nested(1_000), 'multipart/related; boundary=b999'],
    ['100,000 parts', `${'--b\r\n\r\n\r\n'.repeat(100_000)}--b--`, 'multipart/related; boundary=b'],
    ['a header without end', `--b\r\nX: ${'x'.repeat(1_000_000)}`, 'multipart/related; boundary=b'],
    ['bytes of all sorts', Buffer.from(Array.from({ length: 4_096 }, (_, i) => (i * 7) & 255)), 'text/xml'],
  ])('is refused %s', async (_, body, contentType) => {
    await open();
    const { status, text } = await ask({ body, headers: { 'content-type': contentType } });
    expect([status, /<StatusCode>(2007|4004)</.test(text)]).toEqual([500, true]);
    expect(sink.order).toEqual([]);
    // The route still works for others.
    expect((await deliver()).status).toBe(200);
  });

  it('sends 50 MB: refused unread when it says so, and cut when it does not', async () => {
    await open();
    const socket = rawSocket(testServer);
    let text = '';
    socket.on('data', (chunk) => (text += chunk.toString('latin1')));
    const ended = new Promise((resolve) => socket.on('close', resolve));
    socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${login}\r\nContent-Length: 50000000\r\n\r\n`);
    await ended;
    expect([/^HTTP\/1\.1 503 /.test(text), text.includes('<StatusCode>4006<')]).toEqual([true, true]);

    const unmeasured = rawSocket(testServer);
    text = '';
    let written = 0;
    const cut = new Promise((resolve) => unmeasured.on('close', resolve));
    unmeasured.on('data', (chunk) => (text += chunk.toString('latin1')));
    unmeasured.write(
      `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${login}\r\nTransfer-Encoding: chunked\r\n\r\n`,
    );
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
    const pour = (): void => {
      while (written < 50_000_000 && !unmeasured.destroyed) {
        written += 0x10000;
        if (!unmeasured.write(chunk)) {
          unmeasured.once('drain', pour);
          return;
        }
      }
    };
    pour();
    await cut;
    expect(text).toMatch(/^HTTP\/1\.1 503 /);
    expect(written).toBeLessThan(4 * inboundMmsLimits.messageBytesMax);
    expect(sink.order).toEqual([]);
  });

  it('that nobody knows is refused before its body is read', async () => {
    await open();
    const socket = rawSocket(testServer);
    let text = '';
    socket.on('data', (chunk) => (text += chunk.toString('latin1')));
    const ended = new Promise((resolve) => socket.on('close', resolve));
    socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 9000000\r\n\r\n`);
    await ended;
    expect([/^HTTP\/1\.1 401 /.test(text), text.includes('<StatusCode>4001<')]).toEqual([true, true]);
  });

  const deliverTo = async (carrierId: string) => (await deliver({ path: `/carriers/${carrierId}/mm7` })).status;

  it('holds no more bodies than we can bear, of each carrier its share, and none once it is gone', async () => {
    await open();
    let waiting = 0;
    http = async (request) => {
      waiting++;
      await request.body(1_000_000);
      throw new Error('never read to its end');
    };
    const hold = (carrierId: string) => {
      const socket = rawSocket(testServer);
      socket.write(`POST /carriers/${carrierId}/mm7 HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nx`);
      return socket;
    };
    const sockets = Array.from({ length: bodiesPerCarrierMax }, () => hold('car_test'));
    await until(() => waiting === bodiesPerCarrierMax);
    const flooding = http;
    http = null;
    expect([await deliverTo('car_test'), await deliverTo('car_other')]).toEqual([503, 200]);
    http = flooding;
    while (sockets.length < carrierBodiesMax) sockets.push(hold('car_other'));
    await until(() => waiting === carrierBodiesMax);
    expect(await deliverTo('car_third')).toBe(503);
    const { status, headers, json } = await deliver();
    expect([status, json.reason, headers['retry-after']]).toEqual([503, 'TEMPORARILY_UNAVAILABLE', '1']);
    for (const socket of sockets) socket.destroy();
    http = null;
    let last = 503;
    for (let tries = 0; last === 503 && tries < 1_000; tries++) last = (await deliver()).status;
    expect(last).toBe(200);
  });
});
