import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestServer, speak, type TestServer } from './server-fixture.ts';

let testServer: TestServer;
beforeAll(async () => {
  testServer = await openTestServer();
});
afterAll(() => testServer.close());

const get = (path: string) => speak(testServer, { method: 'GET', path, bearer: null, apikey: null });

describe('the reference at /docs/api, without the built documentation', () => {
  it('is a page with every operation and without anything that runs', async () => {
    const page = await get('/docs/api');
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    const { paths } = (await get('/openapi.json')).json;
    const ids = Object.values<Record<string, { operationId: string }>>(paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    );
    expect(ids).toContain('sendSMS');
    for (const id of ids) expect(page.text.split(`id="${id}"`)).toHaveLength(2);
    expect(page.text).not.toMatch(/<script|\bon[a-z]+="|style=|undefined|\[object/);
    expect(page.headers['content-security-policy']).toMatch(/^default-src 'none'; base-uri/);
    expect((await get('/docs/api')).text).toBe(page.text);
  });

  it('shows each answer of an operation once, also those that the document says in one place for all', async () => {
    const { text } = await get('/docs/api');
    const [, section = ''] = /<section class="operation" id="sendSMS">([\s\S]*?)<\/section>/.exec(text) ?? [];
    const [, answers = ''] = section.split('<h4>Answers</h4>');
    const statuses = [...answers.matchAll(/<li><p><code>(\d{3})<\/code>/g)].map(([, status]) => status);
    expect(statuses).toEqual(['200', '400', '408', '421', '429', '431', '500', '503']);
    expect(section).toContain('Too many requests (<code>RATE_LIMITED</code>).');
    expect(text).not.toContain('<code>default</code>');
  });

  it('stands in the frame of the documentation where there is one, made once', async () => {
    let made = 0;
    const framed = await openTestServer({
      referenceFrame: (_request, parts) => {
        made += parts().main.includes('id="sendSMS"') ? 1 : 0;
        return { status: 200, reason: 'SUCCESS', contentType: 'text/html; charset=utf-8', body: 'framed' };
      },
    });
    const answer = await speak(framed, { method: 'GET', path: '/docs/api', bearer: null, apikey: null });
    await framed.close();
    expect([answer.text, made]).toEqual(['framed', 1]);
  });
});
