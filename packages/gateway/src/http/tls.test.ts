import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestServer, speak, speakRaw, type TestServer } from './server-fixture.ts';
import { otherCertificate, otherKey, testCertificate, testKey } from './tls-fixture.ts';

let testServer: TestServer;
beforeAll(async () => {
  testServer = await openTestServer({ config: { tls: { cert: testCertificate, key: testKey } } });
});
afterAll(() => testServer.close());

describe('https', () => {
  it('answers like http', async () => {
    const answer = await speak(testServer, { tls: true });
    expect(answer.status).toBe(200);
    expect((await speak(testServer, { tls: true, body: 'x'.repeat(300_000) })).json.reason).toBe('BODY_TOO_LARGE');
    expect((await speak(testServer, { tls: true, method: 'GET', headers: { accept: 'text/html' } })).text).toContain(
      'https://localhost:',
    );
  });

  it('SEC-11 plain http on its port is refused without a word, least of all a redirect', async () => {
    const { text } = await speakRaw(testServer, `GET /SendSMS?apikey=canary HTTP/1.1\r\nHost: x\r\n\r\n`);
    expect(text).not.toMatch(/HTTP\/|Location|canary/);
    expect((await speak(testServer, { tls: true })).status).toBe(200);
  });

  const shake = (options: ConnectionOptions = {}) =>
    new Promise<string>((resolve) => {
      const socket = connectTls(
        { port: testServer.port, host: '127.0.0.1', rejectUnauthorized: false, ...options },
        () => {
          resolve(`${socket.getProtocol()} ${socket.getPeerCertificate().fingerprint256}`);
          socket.destroy();
        },
      );
      socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    });

  it.each([
    ['TLS 1.3', {}, /^TLSv1\.3/],
    ['TLS 1.2 with forward secrecy', { maxVersion: 'TLSv1.2', ciphers: 'ECDHE-ECDSA-AES128-GCM-SHA256' }, /^TLSv1\.2/],
    [
      'no CBC',
      { maxVersion: 'TLSv1.2', ciphers: 'ECDHE-ECDSA-AES128-SHA:ECDHE-ECDSA-AES256-SHA384' },
      /HANDSHAKE_FAILURE/,
    ],
    [
      'no TLS 1.1',
      { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'ALL:@SECLEVEL=0' },
      /ALERT_PROTOCOL_VERSION/,
    ],
  ] as [string, ConnectionOptions, RegExp][])('speaks %s', async (_what, options, seen) => {
    expect(await shake(options)).toMatch(seen);
  });

  it('SEC-58 says on every answer that it is to be https from now on, also at the edge and for what is not there', async () => {
    const hsts = 'max-age=63072000';
    for (const path of ['/SendSMS', '/limits', '/nowhere', '/readyz']) {
      expect((await speak(testServer, { tls: true, method: 'GET', path })).headers['strict-transport-security']).toBe(
        hsts,
      );
    }
    const long = await speak(testServer, { tls: true, headers: { 'x-long': 'x'.repeat(20_000) } });
    expect([long.status, long.headers['strict-transport-security']]).toEqual([431, hsts]);
  });

  it('serves a renewed certificate from the next connection on', async () => {
    const before = await shake();
    testServer.server.renewCertificate({ cert: otherCertificate, key: otherKey });
    const after = await shake();
    expect(after).toMatch(/^TLSv1\.3/);
    expect(after).not.toBe(before);
    expect(await shake({ maxVersion: 'TLSv1.2', ciphers: 'ECDHE-ECDSA-AES128-SHA' })).toMatch(/HANDSHAKE_FAILURE/);
    testServer.server.renewCertificate({ cert: testCertificate, key: testKey });
  });

  it('survives garbage for a handshake', async () => {
    await speakRaw(testServer, Buffer.alloc(5_000, 0x16));
    expect((await speak(testServer, { tls: true })).status).toBe(200);
  });
});
