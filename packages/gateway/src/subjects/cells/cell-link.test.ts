/** Two real doors of cells on loopback: who is let in, what one hop is, and what is known of a request that got no answer. */
import { createServer, type Server as TlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { freePort } from '../../cli/prove/free-port.ts';
import { cellTls } from '../../http/cell-server.ts';
import type { CellRequest } from '../../http/forward.ts';
import type { ServerCells } from '../../http/server.ts';
import { openTestServer, recordsOf, type TestServer } from '../../http/server-fixture.ts';
import { keyOf, newPair } from '../../model/world-fixture.ts';
import { type CellLink, createCellLink } from './cell-link.ts';

const key = { psk: Buffer.alloc(32, 7) };
const answerMs = 10_000;
const open: { close(): Promise<unknown> | unknown }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

function linkTo(port: number, more: Partial<Parameters<typeof createCellLink>[0]> = {}): CellLink {
  const link = createCellLink({ name: 'a', cell: 'b', address: `127.0.0.1:${port}`, key, ...more });
  open.push(link);
  return link;
}

const ask = (more: Partial<CellRequest> = {}): CellRequest => ({
  method: 'GET',
  target: '/cells/1/state',
  headers: ['host', 'cell'],
  body: Buffer.alloc(0),
  signal: null,
  ...more,
});

/** The doors of cell b; a request from a cell must not make it query its own other cells. */
async function openCell(): Promise<{ testServer: TestServer; port: number; queries: string[] }> {
  const port = await freePort();
  const queries: string[] = [];
  const cells: ServerCells = {
    ...{ name: 'b', others: ['a', 'c'], key, host: '127.0.0.1', port },
    calls: (exchange) => exchange.send({ status: 200, reason: 'SUCCESS', body: exchange.connection.fromCell! }),
    refused: (error) => error,
    requests: {
      find: async () => {
        queries.push('find');
        return 'c';
      },
      forget: () => {},
      forward: () => Promise.reject(new Error('forwarded on')),
    },
  };
  const testServer = await openTestServer({ cells });
  open.push(testServer);
  return { testServer, port, queries };
}

const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: unknown) => error,
  );

describe('the door for other cells', () => {
  it('knows which cell is at the other end', async () => {
    const { port } = await openCell();
    const { status, body } = await linkTo(port).send(ask(), answerMs);
    expect([status, body.toString()]).toEqual([200, 'a']);
  });

  it('knows it on each of many connections, the later ones too', async () => {
    const { port } = await openCell();
    const link = linkTo(port);
    for (const _ of [1, 2]) {
      const answers = await Promise.all(Array.from({ length: 30 }, () => link.send(ask(), answerMs)));
      expect(new Set(answers.map(({ status, body }) => `${status} ${body}`))).toEqual(new Set(['200 a']));
    }
  });

  it.each([
    ['another secret', { key: { psk: Buffer.alloc(32, 8) } }],
    ['the name of a cell that it does not know', { name: 'x' }],
    ['an address of another cell', { cell: 'c' }],
  ])('lets nobody in with %s, who knows then that nothing was sent', async (_, more) => {
    const { port, testServer } = await openCell();
    expect(await failure(linkTo(port, more).send(ask(), answerMs))).toMatchObject({ name: 'CellAway', wasSent: false });
    expect(testServer.log.some(({ message }) => message.startsWith('somebody without the secret'))).toBe(true);
  });

  it('serves the routes of the API by the client’s address, and sends on nothing that came from a cell', async () => {
    const { port, testServer, queries } = await openCell();
    const far = newPair();
    testServer.use(recordsOf([keyOf(far, { allowedIps: ['192.0.2.7'] })]));
    const as = (pair: typeof far, address: string) =>
      linkTo(port).send(
        ask({
          target: `/api/v1/messages?apikey=${pair.authToken}`,
          headers: [
            'host',
            'other.example',
            'authorization',
            `Bearer ${pair.bearerToken}`,
            'helio-cell-client',
            address,
          ],
        }),
        answerMs,
      );
    expect((await as(far, '192.0.2.7')).status).toBe(200);
    expect((await as(far, '192.0.2.8')).status).toBe(400);
    const unknown = await as(newPair(), '192.0.2.7');
    expect(unknown.status).toBe(400);
    expect(unknown.headers.join(' ')).toContain('Helio-Cell-Pair unknown');
    expect(queries).toEqual([]);
  });
});

describe('a request without an answer', () => {
  it('was not sent when nobody listens', async () => {
    const link = linkTo(await freePort());
    expect(await failure(link.send(ask({ method: 'POST' }), answerMs))).toMatchObject({ wasSent: false });
  });

  it('may have been taken when the connection ends under it, and is sent no second time', async () => {
    let requests = 0;
    const server: TlsServer = createServer({ ...cellTls, pskCallback: () => key.psk }, (request) => {
      requests += 1;
      request.socket.destroy();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    open.push({ close: () => server.close() });
    const link = linkTo((server.address() as AddressInfo).port);
    for (const method of ['POST', 'GET']) {
      expect(await failure(link.send(ask({ method }), answerMs))).toMatchObject({ wasSent: true });
    }
    expect(requests).toBe(2);
  });

  it('may have been taken when the answer is cut off', async () => {
    const sockets: Socket[] = [];
    const server: TlsServer = createServer({ ...cellTls, pskCallback: () => key.psk }, (request, response) => {
      sockets.push(request.socket);
      response.writeHead(200, { 'content-length': '100' });
      response.write('half', () => request.socket.destroy());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    open.push({ close: () => server.close() });
    const link = linkTo((server.address() as AddressInfo).port);
    expect(await failure(link.send(ask({ method: 'POST', body: Buffer.from('x') }), answerMs))).toMatchObject({
      wasSent: true,
    });
    expect(sockets).toHaveLength(1);
  });

  it('is given up when its caller is gone', async () => {
    const { port } = await openCell();
    const gone = new AbortController();
    gone.abort();
    expect(await failure(linkTo(port).send(ask({ signal: gone.signal }), answerMs))).toMatchObject({ wasSent: false });
  });
});
