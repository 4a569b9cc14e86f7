/** Host names that requests may use for the gateway, and the answer to any other. */
import { hostname } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ownHosts } from './own-hosts.ts';
import { openTestServer, speak, speakRaw, type TestServer } from './server-fixture.ts';

const parts = { publicUrl: 'https://SMS.example.com:8443', host: '192.0.2.7', allowed: ['helio.internal'] };

describe('the names of a gateway', () => {
  const isOwn = ownHosts(parts);

  it.each([
    'localhost',
    'LOCALHOST:8088',
    'localhost.',
    '127.0.0.1:8088',
    '[::1]:8088',
    '[::1]',
    'sms.example.com',
    'sms.example.com:443',
    '192.0.2.7:8088',
    'helio.internal:1',
    hostname(),
    '10.1.2.3:8088',
  ])('%s', (host) => {
    expect(isOwn(host, '::ffff:10.1.2.3')).toBe(true);
  });

  it.each(['evil.example', 'sms.example.com.evil.example', '10.1.2.4', '[2001:db8::1]:80', '', 'xlocalhost'])(
    'not %s',
    (host) => {
      expect(isOwn(host, '10.1.2.3')).toBe(false);
    },
  );

  it('any with *', () => {
    expect(ownHosts({ ...parts, allowed: ['*'] })('evil.example', undefined)).toBe(true);
  });
});

describe('a request by another name', () => {
  let testServer: TestServer;
  beforeAll(async () => {
    testServer = await openTestServer({
      config: { isOwnHost: ownHosts({ publicUrl: null, host: '127.0.0.1', allowed: [] }) },
    });
  });
  afterAll(() => testServer.close());

  it('is refused with 421 and the envelope before anything is looked at', async () => {
    const { text } = await speakRaw(
      testServer,
      'POST /SendSMS HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 2\r\n\r\n{}',
    );
    expect(text).toMatch(/^HTTP\/1\.1 421 /);
    expect(text).toContain('"reason":"INVALID_REQUEST"');
    expect(text).toContain('HELIO_ALLOWED_HOSTS');
    expect(text).not.toContain('evil.example');
    expect(testServer.sends).toEqual([]);
  });

  it.each(['/healthz', '/readyz'])('may probe %s', async (path) => {
    const { text } = await speakRaw(testServer, `GET ${path} HTTP/1.1\r\nHost: pod-7\r\nConnection: close\r\n\r\n`);
    expect(text).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('by our own is answered as ever', async () => {
    expect((await speak(testServer)).status).toBe(200);
  });
});
