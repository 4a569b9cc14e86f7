/** A commit whose answer never comes: the session is cut right before or right after the server has seen it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startPostgres, type TestPostgres } from '../../../../test/postgres.ts';
import { acceptItem, createTestClock, settlement, start } from './contract/fixture.ts';
import { openStore } from './open.ts';
import { type Store, StoreUnavailable } from './store.ts';

const socketName = '.s.PGSQL.5432';
const clock = createTestClock();

type Cut = 'before' | 'after' | null;

/** Stands between store and server and cuts the session at the next commit, when told to. */
class CuttingProxy {
  cut: Cut = null;
  readonly dir = mkdtempSync(join(tmpdir(), 'heliograph-cut-'));
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;

  constructor(target: string) {
    this.#server = createServer((client) => this.#join(client, connect(target)));
  }

  listen(): Promise<void> {
    return new Promise((resolve) => this.#server.listen(join(this.dir, socketName), resolve));
  }

  #join(client: Socket, server: Socket): void {
    let swallow = false;
    const close = () => {
      client.destroy();
      server.destroy();
    };
    for (const socket of [client, server]) {
      this.#sockets.add(socket);
      socket.on('error', close).on('close', close);
    }
    client.on('data', (bytes) => {
      const cut = bytes.includes('commit\0') ? this.cut : null;
      if (cut) this.cut = null;
      if (cut === 'before') return close();
      if (cut === 'after') swallow = true;
      server.write(bytes);
    });
    server.on('data', (bytes) => (swallow ? close() : client.write(bytes)));
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    rmSync(this.dir, { recursive: true, force: true });
  }
}

let server: TestPostgres;
let database: string;
let proxy: CuttingProxy;
let store: Store;
beforeAll(async () => {
  server = await startPostgres();
  database = await server.createDatabase();
});
afterAll(() => server?.remove());
beforeEach(async () => {
  const direct = new URL(await server.createSchema(database));
  proxy = new CuttingProxy(join(direct.searchParams.get('host')!, socketName));
  await proxy.listen();
  direct.searchParams.set('host', proxy.dir);
  store = await openStore({ databaseUrl: direct.href, dataDir: '', role: 'node', clock });
});
afterEach(async () => {
  await store.close();
  proxy.close();
});

/** Tries again while the store says that it is down. */
async function inTheEnd<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof StoreUnavailable) || tries === 200) throw error;
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }
}

const claim = () => store.claim({ lane: 'c1', limit: 9, now: start, token: store.token });
const timeline = async (messageId: string) =>
  (await store.message('acc1', messageId))?.events.map((event) => event.state);

describe.each(['before', 'after'] as const)('cut right %s the server has seen the commit', (cut) => {
  it('accept: the repeat with the same key is one message', async () => {
    const key = { key: 'k', bodyHash: 'aa', answer: 'first' };
    proxy.cut = cut;
    await expect(store.accept([acceptItem(start, { key })])).rejects.toMatchObject({ reason: 'down' });
    const [result] = await inTheEnd(() => store.accept([acceptItem(start, { key })]));
    expect(result?.kind).toBe(cut === 'before' ? 'stored' : 'replay');
    expect(await claim()).toHaveLength(1);
  });

  it('accept for a lane with room: what nobody was handed goes back to the queue, its attempt unspent', async () => {
    const item = acceptItem(start, {});
    item.deliveries[0]!.sending = true;
    proxy.cut = cut;
    await expect(store.accept([item])).rejects.toMatchObject({ reason: 'down' });
    const claims = await inTheEnd(claim);
    expect(claims).toHaveLength(cut === 'before' ? 0 : 1);
    if (cut === 'after') expect(claims).toMatchObject([{ messageId: item.deliveries[0]!.messageId, attempt: 1 }]);
  });

  it('claim: what nobody was handed goes back to the queue, its attempt unspent', async () => {
    const item = acceptItem(start, {});
    await store.accept([item]);
    proxy.cut = cut;
    await expect(claim()).rejects.toMatchObject({ reason: 'down' });
    const claims = await inTheEnd(claim);
    expect(claims).toMatchObject([{ messageId: item.deliveries[0]!.messageId, attempt: 1, dupRisk: false }]);
    const lost = cut === 'after' ? ['sending', 'queued'] : [];
    expect(await timeline(claims[0]!.messageId)).toEqual(['accepted', 'queued', ...lost, 'sending']);
    expect(await store.settle(claims.map((one) => settlement(one, start)))).toEqual([['sent']]);
  });

  it('settle and receipts: told again they change nothing twice', async () => {
    const item = acceptItem(start, {});
    const messageId = item.deliveries[0]!.messageId;
    await store.accept([item]);
    const claims = await claim();
    const settlements = claims.map((one) => settlement(one, start, { parts: [{ part: 1, carrierMessageId: 'a1' }] }));
    proxy.cut = cut;
    await expect(store.settle(settlements)).rejects.toMatchObject({ reason: 'down' });
    await inTheEnd(() => store.settle(settlements));
    const receipt = {
      carrier: 'c1',
      carrierMessageId: 'a1',
      idKeys: ['a1'],
      to: '14155550100',
      state: 'delivered' as const,
      code: 'DELIVERED',
      carrierCode: '000',
      raw: '',
      receivedAt: start,
    };
    proxy.cut = cut;
    await expect(store.receipts([receipt])).rejects.toMatchObject({ reason: 'down' });
    await inTheEnd(() => store.receipts([receipt]));
    expect(await timeline(messageId)).toEqual(['accepted', 'queued', 'sending', 'sent', 'delivered']);
  });
});
