import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Doors, openDoors, speak } from './doors-fixture.ts';

let doors: Doors;
beforeAll(async () => {
  doors = await openDoors();
});
afterAll(() => doors.close());

const get = (path: string) => speak(doors, { method: 'GET', path, bearer: null, apikey: null });

describe('Swagger UI at /docs/api', () => {
  it('is a page that asks only this host, without inline script', async () => {
    const page = await get('/docs/api');
    expect(page.status).toBe(200);
    expect(page.text).not.toMatch(/https?:\/\//);
    expect(page.text).not.toMatch(/<script>|<script [^>]*>[^<]/);
    const policy = String(page.headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'; script-src 'self'");
    expect(policy).not.toContain('http');
    for (const [, url] of page.text.matchAll(/(?:src|href)="([^"]+)"/g))
      expect((await get(url!)).status, url).toBe(200);
  });

  it('serves its files with types that browsers take under nosniff', async () => {
    expect((await get('/docs/api/start.js')).headers['content-type']).toBe('text/javascript; charset=utf-8');
    expect((await get('/docs/api/swagger-ui-bundle.js')).headers['content-type']).toBe(
      'text/javascript; charset=utf-8',
    );
    expect((await get('/docs/api/swagger-ui.css')).headers['content-type']).toBe('text/css; charset=utf-8');
    expect((await get('/docs/api/favicon-32x32.png')).headers['content-type']).toBe('image/png');
    expect((await get('/docs/api/start.js')).text).toContain("url: '/openapi.json'");
    expect((await get('/docs/api/start.js')).text).toContain('validatorUrl: null');
  });

  it('serves the same file twice', async () => {
    const first = await get('/docs/api/swagger-ui.css');
    expect((await get('/docs/api/swagger-ui.css')).text).toBe(first.text);
  });
});
