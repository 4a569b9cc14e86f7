/** Redirects: none for webhooks, three for media, each checked like the first URL. */
import { describe, expect, it } from 'vitest';
import { until } from '../../../test/props/clock.ts';
import {
  get,
  httpServer,
  httpsServer,
  openGuardedFetch,
  post,
  pretendingConnect,
  publicAddress,
  rawServer,
  strict,
  testCertificate,
} from './net-fixture.ts';

/** Answers /n with a redirect to /(n-1), and /0 with a body. Other paths: the decoded path is the Location. */
async function countdown() {
  const requests: { path: string; headers: Record<string, unknown> }[] = [];
  const server = await httpServer((request, response) => {
    const path = request.url!;
    requests.push({ path, headers: request.headers });
    const n = Number(path.slice(1));
    if (n === 0) return response.end('here');
    const location = Number.isNaN(n) ? decodeURIComponent(path.slice(1)) : `/${n - 1}`;
    return response.writeHead(302, { location }).end('y'.repeat(1_000));
  });
  return { ...server, requests };
}

describe('a redirect', () => {
  it('is an answer where none is followed, and for methods other than GET', async () => {
    const { port, requests } = await countdown();
    expect(await openGuardedFetch().fetch(post(`http://127.0.0.1:${port}/1`))).toMatchObject({
      kind: 'answered',
      status: 302,
    });
    const many = post(`http://127.0.0.1:${port}/1`, { redirectsMax: 3 });
    expect(await openGuardedFetch().fetch(many)).toMatchObject({ kind: 'answered', status: 302 });
    expect(requests).toHaveLength(2);
  });

  it('is followed three times and no more', async () => {
    const { port, requests } = await countdown();
    const three = await openGuardedFetch().fetch(get(`http://127.0.0.1:${port}/3`));
    expect(three).toMatchObject({ kind: 'answered', status: 200, body: Buffer.from('here') });
    expect(requests.map(({ path }) => path)).toEqual(['/3', '/2', '/1', '/0']);
    const four = await openGuardedFetch().fetch(get(`http://127.0.0.1:${port}/4`));
    expect(four).toMatchObject({ kind: 'unreachable', why: 'redirect' });
    expect(requests).toHaveLength(8);
  });

  it('in a circle ends', async () => {
    const { port, connections } = await httpServer((_request, response) => {
      response.writeHead(307, { location: '/' }).end();
    });
    const answer = await openGuardedFetch().fetch(get(`http://127.0.0.1:${port}/`, { redirectsMax: 20 }));
    expect(answer).toMatchObject({ kind: 'unreachable', why: 'redirect' });
    expect(connections()).toBeLessThanOrEqual(21);
  });

  it('to nowhere is a failure', async () => {
    const { port } = await httpServer((_request, response) => response.writeHead(301).end());
    expect(await openGuardedFetch().fetch(get(`http://127.0.0.1:${port}/`))).toMatchObject({ why: 'redirect' });
    const { port: other } = await countdown();
    const unreadable = await openGuardedFetch().fetch(
      get(`http://127.0.0.1:${other}/${encodeURIComponent('http://[')}`),
    );
    expect(unreadable).toMatchObject({ kind: 'unreachable', why: 'redirect' });
  });

  it('has a body that is not read', async () => {
    const { port } = await countdown();
    const dawdling = await rawServer((socket) =>
      socket.write(`HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:${port}/0\r\n\r\nx`),
    );
    const answer = await openGuardedFetch().fetch(get(`http://127.0.0.1:${dawdling.port}/`));
    expect(answer).toMatchObject({ kind: 'answered', body: Buffer.from('here') });
    await until(() => dawdling.open() === 0);
  });

  it('with a status other than the five is an answer', async () => {
    const { port } = await httpServer((_request, response) => response.writeHead(300, { location: '/x' }).end());
    expect(await openGuardedFetch().fetch(get(`http://127.0.0.1:${port}/`))).toMatchObject({
      kind: 'answered',
      status: 300,
    });
  });
});

describe('the target of a redirect', () => {
  const inside = [
    'http://127.0.0.1/',
    'http://localhost/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://[::1]/',
    'http://10.0.0.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://metadata.google.internal/',
    'http:\\\\127.0.0.1\\',
    '//127.0.0.1/',
    'http://user@example.com/',
    'http://hooks.example.com:22/',
    'http://inside.example.com/',
    'file:///etc/passwd',
    'gopher://127.0.0.1/',
    'data:text/plain,x',
    'javascript:1',
  ];

  it.each(inside)('is checked like the first URL: %s', async (location) => {
    const { port, connections } = await countdown();
    const { connectTcp, dialled } = pretendingConnect();
    const resolve = async (name: string) => (name.startsWith('inside') ? ['127.0.0.1'] : [publicAddress]);
    const guarded = openGuardedFetch({ connectTcp, resolve });
    const policy = { ...strict, extraPorts: [port] };
    const url = `http://hooks.example.com:${port}/${encodeURIComponent(location)}`;
    expect(await guarded.fetch(get(url, { policy }))).toMatchObject({ kind: 'blocked' });
    expect({ dialled, connections: connections() }).toEqual({ dialled: [publicAddress], connections: 1 });
  });

  it('may not change from https to http', async () => {
    const plain = await countdown();
    const secure = await httpsServer((_request, response) =>
      response.writeHead(302, { location: `http://127.0.0.1:${plain.port}/0` }).end(),
    );
    const answer = await openGuardedFetch({ ca: testCertificate }).fetch(get(`https://127.0.0.1:${secure.port}/`));
    expect(answer).toMatchObject({ kind: 'unreachable', why: 'redirect' });
    expect(plain.connections()).toBe(0);
  });

  it('may change from http to https', async () => {
    const secure = await httpsServer((_request, response) => response.end('safe'));
    const plain = await countdown();
    const location = encodeURIComponent(`https://127.0.0.1:${secure.port}/`);
    const answer = await openGuardedFetch({ ca: testCertificate }).fetch(
      get(`http://127.0.0.1:${plain.port}/${location}`),
    );
    expect(answer).toMatchObject({ kind: 'answered', body: Buffer.from('safe') });
  });

  it('gets no dropped header again, even back at the first origin', async () => {
    const [here, there] = [await countdown(), await countdown()];
    const back = encodeURIComponent(`http://127.0.0.1:${here.port}/0`);
    const location = encodeURIComponent(`http://127.0.0.1:${there.port}/${back}`);
    const headers = { 'x-key': 'y' };
    await openGuardedFetch().fetch(get(`http://127.0.0.1:${here.port}/${location}`, { headers }));
    expect(here.requests.map((request) => request.headers['x-key'])).toEqual(['y', undefined]);
  });

  it('gets only two headers when it is another origin', async () => {
    const [here, there] = [await countdown(), await countdown()];
    const headers = { authorization: 'Bearer x', 'x-key': 'y', Accept: 'image/*', 'user-agent': 'Heliograph' };
    const location = encodeURIComponent(`http://127.0.0.1:${there.port}/1`);
    const answer = await openGuardedFetch().fetch(get(`http://127.0.0.1:${here.port}/${location}`, { headers }));
    expect(answer).toMatchObject({ kind: 'answered', status: 200 });
    expect(here.requests[0]!.headers).toMatchObject({ authorization: 'Bearer x', 'x-key': 'y' });
    for (const { headers: learnt } of there.requests) {
      expect(learnt).toMatchObject({ accept: 'image/*', 'user-agent': 'Heliograph' });
      expect(learnt).not.toHaveProperty('authorization');
      expect(learnt).not.toHaveProperty('x-key');
    }
  });
});
