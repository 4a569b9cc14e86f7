/** Requests that are refused before their body is read: who is, and who is not. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  acceptAll,
  goodBody,
  openTestServer,
  rawHead,
  rawSocket,
  recordsOf,
  speak,
  statusesIn,
  type TestServer,
} from '../../http/server-fixture.ts';
import { keyOf } from '../../model/world-fixture.ts';
import { StoreUnavailable } from '../../store/faults.ts';

let testServer: TestServer;

beforeAll(async () => {
  testServer = await openTestServer();
});
afterAll(() => testServer.close());
beforeEach(() => {
  testServer.flow.accept = acceptAll;
  testServer.sends.length = 0;
  testServer.use(recordsOf([keyOf(testServer.pair)]));
});

describe('while more come than can be stored', () => {
  beforeEach(() => {
    testServer.flow.refusesUnread = 'busy';
    return () => {
      testServer.flow.refusesUnread = null;
    };
  });

  it('refuses unread, with the answer of a store that has no room', async () => {
    const unread = await speak(testServer, { body: '{"from":' });
    testServer.flow.refusesUnread = null;
    testServer.flow.accept = async () => {
      throw new StoreUnavailable('busy', 'x');
    };
    const read = await speak(testServer);
    expect(unread).toMatchObject({
      status: 503,
      text: read.text,
      headers: { 'retry-after': '2', 'cache-control': 'no-store' },
    });
    expect(read.headers['retry-after']).toBe('2');
    expect(testServer.sends).toHaveLength(1);
  });

  it('reads repeats, whose answer may be there, and dry runs', async () => {
    expect((await speak(testServer, { headers: { 'Idempotency-Key': 'k1' } })).status).toBe(200);
    expect((await speak(testServer, { query: 'dryRun=true' })).status).toBe(200);
    expect(testServer.sends.map(({ context }) => [context.idempotency?.key, context.dryRun])).toEqual([
      ['k1', false],
      [undefined, true],
    ]);
  });

  it('refuses for credentials first', async () => {
    expect((await speak(testServer, { apikey: 'wrong' })).json.reason).toBe('NOT_AUTHORIZED');
  });

  it('keeps the connection, and passes over the body', async () => {
    const body = JSON.stringify(goodBody);
    const request = `${rawHead(testServer, [`Content-Length: ${body.length}`])}${body}`;
    const socket = rawSocket(testServer);
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
    });
    socket.write(request);
    await expect.poll(() => statusesIn(text)).toEqual([503]);
    testServer.flow.refusesUnread = null;
    socket.write(request);
    await expect.poll(() => statusesIn(text)).toEqual([503, 200]);
    socket.destroy();
  });

  it('names the limit of an account whose messages would wait too long', async () => {
    for (const retrySeconds of [3, 3, 4]) {
      testServer.flow.refusesUnread = { limitSeconds: 30, retrySeconds };
      const answer = await speak(testServer);
      expect(answer.headers['retry-after']).toBe(String(retrySeconds));
      expect(answer.json).toMatchObject({ reason: 'TEMPORARILY_UNAVAILABLE' });
      expect(answer.json.detail).toContain('longer than the 30 seconds that your account allows');
    }
    expect(testServer.sends).toEqual([]);
  });
});
