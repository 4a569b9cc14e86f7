/** Requests of pairs that another cell has, at this one: what is forwarded, what comes back, and the answers to all others. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newPair } from '../model/world-fixture.ts';
import { type CellAnswer, CellAway, type CellRequest } from './forward.ts';
import type { ServerCells } from './server.ts';
import { goodBody, openTestServer, rawHead, speak, speakRaw, type TestServer } from './server-fixture.ts';

const stranger = newPair();
const caller = { bearer: stranger.bearerToken, apikey: stranger.authToken };

let testServer: TestServer;
let sent: { cell: string; request: CellRequest }[];
let find: ServerCells['requests']['find'];
let answer: () => Promise<CellAnswer>;
let forgotten: number;

beforeAll(async () => {
  const cells: ServerCells = {
    name: 'a',
    others: ['b'],
    key: { psk: Buffer.alloc(32, 1) },
    host: '127.0.0.1',
    port: 0,
    calls: () => {},
    refused: (error) => error,
    requests: {
      find: (pair) => find(pair),
      forget: () => {
        forgotten += 1;
      },
      forward: (cell, request) => {
        sent.push({ cell, request });
        return answer();
      },
    },
  };
  testServer = await openTestServer({ cells });
});
afterAll(() => testServer.close());
beforeEach(() => {
  sent = [];
  forgotten = 0;
  find = async () => 'b';
  answer = async () => ({
    status: 200,
    headers: [
      'Content-Type',
      'text/plain',
      'X-Request-Id',
      'req_of_b',
      'Connection',
      'keep-alive',
      'Content-Length',
      '2',
    ],
    body: Buffer.from('ok'),
  });
  testServer.sends.length = 0;
});

const headersOf = ({ headers }: CellRequest) =>
  Object.fromEntries(headers.flatMap((word, i) => (i % 2 === 0 ? [[word.toLowerCase(), headers[i + 1]]] : [])));

describe('a request of another cell’s account', () => {
  it('goes there as it came, without what belongs to the connection, and with the client’s true address', async () => {
    const headers = { 'helio-cell-client': '192.0.2.1', 'idempotency-key': 'k1', connection: 'close' };
    const { status, text, headers: got } = await speak(testServer, { ...caller, headers, query: 'x=1' });
    expect([status, text]).toEqual([200, 'ok']);
    expect(got).toMatchObject({ 'content-type': 'text/plain', 'x-request-id': 'req_of_b', 'content-length': '2' });
    expect(got['api-version']).toBeUndefined();
    const { cell, request } = sent[0]!;
    expect([cell, request.method, request.target]).toEqual(['b', 'POST', `/SendSMS?apikey=${stranger.authToken}&x=1`]);
    expect(request.body.toString()).toBe(JSON.stringify(goodBody));
    expect(headersOf(request)).toMatchObject({
      authorization: `Bearer ${stranger.bearerToken}`,
      'content-type': 'application/json',
      'idempotency-key': 'k1',
      'helio-cell-client': '127.0.0.1',
    });
    expect(headersOf(request)).not.toHaveProperty('connection');
    expect(request.headers.filter((word) => word === 'helio-cell-client')).toHaveLength(1);
    expect(testServer.sends).toEqual([]);
  });

  it('is looked for by hashes alone', async () => {
    const received: unknown[] = [];
    find = async (pair) => {
      received.push(pair);
      return null;
    };
    await speak(testServer, caller);
    expect(JSON.stringify(received)).toMatch(/"bearerHash":"[0-9a-f]{64}","authHash":"[0-9a-f]{64}"/);
    expect(JSON.stringify(received)).not.toContain(stranger.bearerToken);
  });

  it('is refused as any other where no cell has it, and no cell is queried where a credential is missing', async () => {
    find = async () => null;
    const refused = await speak(testServer, caller);
    expect(refused.text).toBe(
      '{"success":false,"reason":"NOT_AUTHORIZED","detail":"The credentials were not accepted."}',
    );
    find = () => Promise.reject(new Error('queried'));
    for (const how of [
      { ...caller, bearer: null },
      { ...caller, apikey: null },
      { ...caller, bearer: 'a,b' },
    ]) {
      expect((await speak(testServer, how)).json.reason).toBe('NOT_AUTHORIZED');
    }
    expect(sent).toEqual([]);
  });

  it.each([
    ['POST', 'while a cell says nothing', false, /may be known there.*Nothing was sent or billed\.$/],
    ['POST', 'that was not reached', false, /cannot be reached.*Nothing was sent or billed\.$/],
    [
      'POST',
      'that was reached and lost its answer',
      true,
      /may have been accepted.*Idempotency-Key.*referenceId first\.$/,
    ],
    ['GET', 'that was reached and lost its answer', true, /its answer was lost\. Send the same request again\.$/],
  ])('%s to a cell %s gets 503 and is sent no second time', async (method, what, wasSent, detail) => {
    const away = () => Promise.reject(new CellAway('b', { wasSent }));
    if (what.startsWith('while')) find = away;
    answer = away;
    const path = method === 'GET' ? '/api/v1/messages' : '/SendSMS';
    const response = await speak(testServer, { ...caller, method, path });
    expect([response.status, response.json.reason, response.headers['retry-after']]).toEqual([
      503,
      'TEMPORARILY_UNAVAILABLE',
      '2',
    ]);
    expect(response.json.detail).toMatch(detail);
    expect(sent).toHaveLength(what.startsWith('while') ? 0 : 1);
  });

  it('is not forwarded when its body is too large', async () => {
    const response = await speak(testServer, { ...caller, body: Buffer.alloc(3_000_000, 32) });
    expect(response.json.reason).toBe('BODY_TOO_LARGE');
    expect(sent).toEqual([]);
  });

  it('gets 100 Continue when the client waits for it', async () => {
    const body = JSON.stringify(goodBody);
    const head = rawHead({ ...testServer, pair: stranger }, [
      `Content-Length: ${body.length}`,
      'Expect: 100-continue',
      'Connection: close',
    ]);
    expect((await speakRaw(testServer, head, body)).statuses).toEqual([100, 200]);
    expect(headersOf(sent[0]!.request)).not.toHaveProperty('expect');
  });

  it('makes the door forget its cell when that does not know the pair any more', async () => {
    answer = async () => ({ status: 400, headers: ['Helio-Cell-Pair', 'unknown'], body: Buffer.from('{}') });
    const response = await speak(testServer, caller);
    expect([response.status, response.headers['helio-cell-pair']]).toEqual([400, undefined]);
    expect(forgotten).toBe(1);
  });

  it('is logged without its secrets, with the cell', async () => {
    testServer.log.length = 0;
    answer = async () => ({ status: 400, headers: [], body: Buffer.from('{}') });
    await speak(testServer, caller);
    const line = testServer.log.find(({ message }) => message === 'answered')!;
    expect(line.fields).toMatchObject({ cell: 'b', status: 400, path: '/SendSMS' });
    expect(JSON.stringify(testServer.log)).not.toContain(stranger.authToken);
  });
});
