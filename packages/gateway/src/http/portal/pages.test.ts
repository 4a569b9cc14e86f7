/** The page and its files: a fresh nonce, the policy, caching, and files that are never served. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { machineRandom } from '../../kernel/machine.ts';
import { openTestServer, speak, speakRaw, type TestServer } from '../server-fixture.ts';
import { createPortalPages } from './pages.ts';
import { portalPaths } from './portal-paths.ts';

const script = `console.log(${JSON.stringify('x'.repeat(2_000))})`;
let folder: string;
let testServer: TestServer;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'h8-pages-'));
});
afterEach(async () => {
  await testServer.close();
  rmSync(folder, { recursive: true, force: true });
});

function build(
  index = '<!doctype html><head><meta property="csp-nonce" nonce="{{nonce}}" content="{{nonce}}"></head>',
): void {
  const dist = join(folder, 'dist');
  mkdirSync(join(dist, 'assets', '.hidden'), { recursive: true });
  const files = {
    'index.html': index,
    'theme.js': 'dark()',
    'icon.svg': '<svg/>',
    '.env': 'SECRET=canary',
    'assets/index-Bp1x0aaZ.js': script,
    'assets/index-Bp1x0aaZ.js.map': '{"canary":1}',
    'assets/plain.css': 'a{}',
    'assets/.hidden/x-Bp1x0aaZ.js': 'canary',
    'assets/run-Bp1x0aaZ.sh': 'canary',
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(dist, name), content);
  writeFileSync(join(folder, 'outside.js'), 'canary');
  symlinkSync(join(folder, 'outside.js'), join(dist, 'assets', 'link-Bp1x0aaZ.js'));
}

async function start(more: { publicUrl?: string } = {}): Promise<void> {
  const { publicUrl = null } = more;
  const pages = createPortalPages({ folder: join(folder, 'dist'), random: machineRandom, publicUrl, tls: false });
  testServer = await openTestServer({ routes: [pages.module], home: pages.home, config: { publicUrl } });
}

const get = (path: string, headers: Record<string, string> = { accept: 'text/html,*/*' }) =>
  speak(testServer, { method: 'GET', path, headers, bearer: null, apikey: null });

describe('the page', () => {
  it('is at the root and at every path of the portal, each time with another nonce', async () => {
    build();
    await start();
    const nonces = new Set<string>();
    const paths = ['/', ...portalPaths.map((path) => path.replace(/:\w+/g, 'x1'))];
    for (const path of paths) {
      const answer = await get(path);
      expect([path, answer.status, answer.headers['content-type']]).toEqual([path, 200, 'text/html; charset=utf-8']);
      const [, nonce] = /nonce="([A-Za-z0-9+/=]{24})" content="\1"/.exec(answer.text)!;
      nonces.add(nonce!);
      const policy = answer.headers['content-security-policy'] as string;
      expect(policy).toContain(`default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'`);
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain('unsafe');
      expect(answer.headers).toMatchObject({
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'x-frame-options': 'DENY',
      });
      expect(answer.headers['strict-transport-security']).toBeUndefined();
    }
    expect(nonces.size).toBe(paths.length);
  });

  it('has its window to itself where browsers hold to that: over https, and on this machine', async () => {
    build();
    await start({ publicUrl: 'https://sms.example.com' });
    const opener = async (host: string, path = '/login') =>
      (await get(path, { accept: 'text/html', host })).headers['cross-origin-opener-policy'];
    for (const host of ['sms.example.com', 'localhost:8088', '127.0.0.1:8088', '[::1]:8088', 'gateway.localhost'])
      expect([host, await opener(host)]).toEqual([host, 'same-origin']);
    for (const host of ['192.168.1.7:8088', 'gateway.lan', 'localhost.example.com', '127.0.0.1.example.com'])
      expect([host, await opener(host)]).toEqual([host, undefined]);
  });

  it('is not found, by its status as well, where the portal has none', async () => {
    build();
    await start();
    for (const path of ['/settings/nonsense', '/batches/1', '/nonsense', '/settings/company/nonsense', '/messages/a/b'])
      expect([path, (await get(path)).status]).toEqual([path, 404]);
  });

  it('gets its nonce even when it was built without a place for one', async () => {
    build('<!doctype html><html><head><title>x</title></head></html>');
    await start();
    expect((await get('/login')).text).toMatch(/<head><meta property="csp-nonce" nonce="[^"]{24}" content="[^"]{24}">/);
  });

  it('is for browsers: programs get what they got before', async () => {
    build();
    await start();
    expect((await get('/', { accept: 'application/json' })).json.data.name).toBe('Heliograph');
    expect((await get('/messages', { accept: '*/*' })).json.reason).toBe('NOT_FOUND');
    expect((await get('/no/such/page', { accept: 'application/json' })).json.reason).toBe('NOT_FOUND');
    expect((await get('/api/v1/no/such')).json.reason).toBe('NOT_FOUND');
    const lost = await get('/no/such/page');
    expect([lost.status, lost.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
    expect((await speak(testServer, { method: 'POST', path: '/messages' })).status).toBe(405);
    expect((await get('/SendSMS')).text).toContain('curl');
    expect((await get('/docs/api')).text).toContain('<code>/SendSMS</code>');
  });

  it('says so over https', async () => {
    build();
    await start({ publicUrl: 'https://sms.example.com' });
    const there = await get('/login', { accept: 'text/html', host: 'sms.example.com' });
    expect(there.headers['strict-transport-security']).toMatch(/^max-age=\d+/);
    expect((await get('/login')).headers['strict-transport-security']).toBeUndefined();
  });

  it('says how it is built while it is not', async () => {
    await start();
    for (const path of ['/', '/login', '/messages/msg_1']) {
      const answer = await get(path);
      expect([answer.status, answer.text.includes('npm run build --workspace packages/portal')]).toEqual([503, true]);
      expect(answer.headers['content-security-policy']).toContain("script-src 'self'");
    }
    expect((await get('/assets/index-Bp1x0aaZ.js')).status).toBe(404);
  });
});

describe('its files', () => {
  it('are kept for ever when their name changes with them, and packed for those who take that', async () => {
    build();
    await start();
    const plain = await get('/assets/index-Bp1x0aaZ.js');
    expect([plain.text, plain.headers['content-type']]).toEqual([script, 'text/javascript; charset=utf-8']);
    expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(plain.headers['content-security-policy']).toMatch(/^default-src 'none'/);
    for (const path of ['/theme.js', '/icon.svg', '/assets/plain.css']) {
      expect((await get(path)).headers['cache-control']).toBe('public, max-age=300');
    }
    const known = await get('/theme.js', { 'if-none-match': (await get('/theme.js')).headers.etag as string });
    expect([known.status, known.text]).toEqual([304, '']);
    const head = `GET /assets/index-Bp1x0aaZ.js HTTP/1.1\r\nHost: a\r\nAccept-Encoding: br, gzip\r\nConnection: close\r\n\r\n`;
    const { text } = await speakRaw(testServer, head);
    expect(text).toContain('Content-Encoding: gzip');
    const body = Buffer.from(text.slice(text.indexOf('\r\n\r\n') + 4), 'latin1');
    expect(gunzipSync(body).toString()).toBe(script);
    await testServer.close();
    writeFileSync(join(folder, 'dist', 'assets', 'index-Bp1x0aaZ.js.br'), brotliCompressSync(script));
    await start();
    const smaller = (await speakRaw(testServer, head)).text;
    expect(smaller).toContain('Content-Encoding: br');
    const packed = Buffer.from(smaller.slice(smaller.indexOf('\r\n\r\n') + 4), 'latin1');
    expect(brotliDecompressSync(packed).toString()).toBe(script);
    expect((await get('/assets/index-Bp1x0aaZ.js.br')).status).toBe(404);
    // Those who take less get it all the same.
    expect((await get('/assets/index-Bp1x0aaZ.js')).text).toBe(script);
    const zipped = (await speakRaw(testServer, head.replace('br, gzip', 'gzip'))).text;
    expect(gunzipSync(Buffer.from(zipped.slice(zipped.indexOf('\r\n\r\n') + 4), 'latin1')).toString()).toBe(script);
  });

  it.each([
    ...[
      '/assets/../outside.js',
      '/assets/..%2foutside.js',
      '/assets/%2e%2e/%2e%2e/outside.js',
      '/assets/..\\outside.js',
    ],
    ...['/../outside.js', '/.env', '/assets/.hidden/x-Bp1x0aaZ.js', '/assets/index-Bp1x0aaZ.js.map', '/index.html'],
    ...[
      '/assets/run-Bp1x0aaZ.sh',
      '/assets/link-Bp1x0aaZ.js',
      '/assets/',
      '/assets/%00',
      '/assets//etc/passwd',
      '/.git/config',
    ],
  ])('are nothing else on the disk: %s', async (path) => {
    build();
    await start();
    const { text, statuses } = await speakRaw(
      testServer,
      `GET ${path} HTTP/1.1\r\nHost: a\r\nAccept: text/html\r\nConnection: close\r\n\r\n`,
    );
    expect(statuses[0]).toBeGreaterThanOrEqual(400);
    expect(statuses[0]).toBeLessThan(500);
    expect(text).not.toContain('canary');
  });
});
