/** A commit whose answer never arrives: the session is cut just before or just after the server receives it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { startPostgres, type TestPostgres } from '../../../../test/postgres.ts';
import { movedClock } from '../../../../test/props/clock.ts';
import { openStore } from '../app/open-store.ts';
import type { Store } from '../app/store.ts';
import { acceptItem, settlement, start } from './contract/fixture.ts';
import { StoreUnavailable } from './faults.ts';

const socketName = '.s.PGSQL.5432';
const clock = movedClock(start);

type Cut = 'before' | 'after' | null;

/** A proxy between store and server: cuts the session at the next commit, refuses connections, or delays everything. */
class CuttingProxy {
  cut: Cut = null;
  /** New sessions are closed at once. */
  away = false;
  readonly #commitCut = Promise.withResolvers<void>();
  /** Resolves at the first cut commit, not when a session ends by itself. */
  readonly commitCut = this.#commitCut.promise;
  readonly dir = mkdtempSync(join(tmpdir(), 'heliograph-cut-'));
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;

  constructor(target: string) {
    this.#server = createServer((client) => this.#join(client, connect(target)));
  }

  listen(): Promise<void> {
    return new Promise((resolve) => this.#server.listen(join(this.dir, socketName), resolve));
  }

  freeze(): void {
    for (const socket of this.#sockets) socket.pause();
  }

  thaw(): void {
    for (const socket of this.#sockets) socket.resume();
  }

  #join(client: Socket, server: Socket): void {
    if (this.away) {
      client.destroy();
      server.destroy();
      return;
    }
    let swallow = false;
    const close = () => {
      client.destroy();
      server.destroy();
    };
    const cutNow = () => {
      close();
      this.#commitCut.resolve();
    };
    for (const socket of [client, server]) {
      this.#sockets.add(socket);
      socket.on('error', close).on('close', close);
    }
    client.on('data', (bytes) => {
      const cut = bytes.includes('commit\0') ? this.cut : null;
      if (cut) this.cut = null;
      if (cut === 'before') return cutNow();
      if (cut === 'after') swallow = true;
      server.write(bytes);
    });
    server.on('data', (bytes) => (swallow ? cutNow() : client.write(bytes)));
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    rmSync(this.dir, { recursive: true, force: true });
  }
}

let server: TestPostgres;
let database: string;
/** The URL without the proxy. */
let direct: string;
let proxy: CuttingProxy;
let store: Store;
let giveUp: AbortController;
beforeAll(async () => {
  server = await startPostgres();
  database = await server.createDatabase();
});
afterAll(() => server?.remove());
beforeEach(async () => {
  direct = await server.createSchema(database);
  const cut = new URL(direct);
  proxy = new CuttingProxy(join(cut.searchParams.get('host')!, socketName));
  await proxy.listen();
  cut.searchParams.set('host', proxy.dir);
  giveUp = new AbortController();
  store = await openStore({ databaseUrl: cut.href, dataDir: '', role: 'node', clock, givenUp: giveUp.signal });
});
afterEach(async () => {
  // Needed after a failed test too: with a stopped clock the store would never close.
  vi.useRealTimers();
  await store.close();
  proxy.close();
});

/** Retries while the store reports that it is down. */
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

describe('cut right before the server has seen the commit: nothing is stored, and the caller learns that', () => {
  beforeEach(() => {
    proxy.cut = 'before';
  });

  it.each([false, true])('accept, for a lane with room: %s', async (sending) => {
    const key = { key: 'k', bodyHash: 'aa', answer: 'first' };
    const item = acceptItem(start, { key });
    item.deliveries[0]!.sending = sending;
    await expect(store.accept([item])).rejects.toMatchObject({ reason: 'down', inDoubt: false });
    expect(await inTheEnd(claim)).toEqual([]);
    expect(await store.accept([acceptItem(start, { key })])).toMatchObject([{ kind: 'stored' }]);
  });

  it('claim and settle', async () => {
    proxy.cut = null;
    const item = acceptItem(start, {});
    await store.accept([item]);
    proxy.cut = 'before';
    await expect(claim()).rejects.toMatchObject({ reason: 'down', inDoubt: false });
    const claims = await inTheEnd(claim);
    expect(claims).toMatchObject([{ messageId: item.deliveries[0]!.messageId, attempt: 1, dupRisk: false }]);
    proxy.cut = 'before';
    const settled = () => store.settle(claims.map((one) => settlement(one, start)));
    await expect(settled()).rejects.toMatchObject({ reason: 'down', inDoubt: false });
    expect(await inTheEnd(settled)).toEqual([['sent']]);
  });
});

describe('cut right after the server has seen the commit: it is looked up, and answered as if nothing had been', () => {
  beforeEach(() => {
    proxy.cut = 'after';
  });

  it('accept: stored once', async () => {
    const key = { key: 'k', bodyHash: 'aa', answer: 'first' };
    expect(await store.accept([acceptItem(start, { key })])).toMatchObject([{ kind: 'stored' }]);
    expect(await store.accept([acceptItem(start, { key })])).toMatchObject([{ kind: 'replay' }]);
    expect(await claim()).toHaveLength(1);
  });

  it('accept for a lane with room: it is the caller who hands it over', async () => {
    const item = acceptItem(start, {});
    item.deliveries[0]!.sending = true;
    expect(await store.accept([item])).toMatchObject([{ kind: 'stored' }]);
    expect(await claim()).toEqual([]);
    expect(await timeline(item.deliveries[0]!.messageId)).toEqual(['accepted', 'queued', 'sending']);
  });

  it('claim: handed out once', async () => {
    proxy.cut = null;
    const item = acceptItem(start, {});
    await store.accept([item]);
    proxy.cut = 'after';
    const claims = await claim();
    expect(claims).toMatchObject([{ messageId: item.deliveries[0]!.messageId, attempt: 1, dupRisk: false }]);
    expect(await claim()).toEqual([]);
    expect(await timeline(claims[0]!.messageId)).toEqual(['accepted', 'queued', 'sending']);
  });

  it('settle and receipts: they happen once', async () => {
    proxy.cut = null;
    const item = acceptItem(start, {});
    const messageId = item.deliveries[0]!.messageId;
    await store.accept([item]);
    const claims = await claim();
    const settlements = claims.map((one) => settlement(one, start, { parts: [{ part: 1, carrierMessageId: 'a1' }] }));
    proxy.cut = 'after';
    expect(await store.settle(settlements)).toEqual([['sent']]);
    const receipt = {
      carrier: 'c1',
      carrierMessageId: 'a1',
      idKeys: ['a1'],
      to: '14155550100',
      state: 'delivered' as const,
      code: 'DELIVERED' as const,
      carrierCode: '000',
      raw: '',
      receivedAt: start,
    };
    proxy.cut = 'after';
    expect(await store.receipts([receipt])).toMatchObject([{ messageId, state: 'delivered' }]);
    expect(await store.receipts([receipt])).toEqual([]);
    expect(await timeline(messageId)).toEqual(['accepted', 'queued', 'sending', 'sent', 'delivered']);
  });

  it('one transaction after another: the mark of each takes the place of the one before', async () => {
    for (let round = 0; round < 3; round += 1) {
      proxy.cut = 'after';
      expect(await store.accept([acceptItem(start, {})])).toMatchObject([{ kind: 'stored' }]);
      await store.accept([acceptItem(start, {})]);
    }
    const marks = await server.query(direct, `select name from counters where name like 'mark %'`);
    expect(marks).toHaveLength(1);
    expect(await claim()).toHaveLength(6);
  });

  it('many transactions: rows change, so that a snapshot held elsewhere leaves few versions to read, and one stays', async () => {
    const marks = () => server.query(direct, `select name, value from counters where name like 'mark %'`);
    const upTo = async (number: number) => {
      let [last] = await marks();
      while (Number(last?.value ?? 0) < number) {
        await store.accept([acceptItem(start, {})]);
        [last] = await marks();
      }
      return (await marks()).map(({ name }) => name);
    };
    const [first, ...none] = await upTo(255);
    expect(none).toEqual([]);
    // The first mark of a row, too, answers for its commit.
    proxy.cut = 'after';
    expect(await store.accept([acceptItem(start, {})])).toMatchObject([{ kind: 'stored' }]);
    expect(await marks()).toMatchObject([{ value: '256' }]);
    const [second] = await upTo(257);
    expect(second).not.toBe(first);
    expect(await upTo(512)).not.toContain(second);
  });
});

describe('a server that stays away after the commit', () => {
  it.each<Cut>([null, 'before', 'after'])(
    'the callers learn in the end that nobody knows; what was stored for them goes back to the queue, the session cut %s',
    async (again) => {
      const item = acceptItem(start, {});
      item.deliveries[0]!.sending = true;
      proxy.cut = 'after';
      proxy.away = true;
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      const accepted = expect(store.accept([item])).rejects.toMatchObject({ reason: 'down', inDoubt: true });
      await proxy.commitCut;
      // Other calls are not delayed meanwhile.
      await expect
        .poll(() => store.accept([acceptItem(start, {})]).catch((error) => error))
        .toMatchObject({ reason: 'down', inDoubt: false });
      vi.advanceTimersByTime(10_000);
      await accepted;
      vi.useRealTimers();
      // The commit that gives it back.
      proxy.cut = again;
      proxy.away = false;
      const claims = await inTheEnd(claim);
      expect(proxy.cut).toBeNull();
      expect(claims).toMatchObject([{ messageId: item.deliveries[0]!.messageId, attempt: 1, dupRisk: false }]);
      expect(await timeline(claims[0]!.messageId)).toEqual(['accepted', 'queued', 'sending', 'queued', 'sending']);
      expect(await store.settle(claims.map((one) => settlement(one, start)))).toEqual([['sent']]);
    },
  );
});

describe('a server that freezes', () => {
  it('what waits behind the transaction it holds is refused in time, and goes on when it goes on', async () => {
    await store.accept([acceptItem(start, {})]);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    proxy.freeze();
    const held = store.accept([acceptItem(start, {})]);
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    const behind = expect(store.accept([acceptItem(start, {})])).rejects.toMatchObject({ reason: 'busy' });
    vi.advanceTimersByTime(5_000);
    await behind;
    vi.useRealTimers();
    proxy.thaw();
    expect(await held).toMatchObject([{ kind: 'stored' }]);
    expect(await claim()).toHaveLength(2);
  });

  it('given up: the transaction it holds is refused at once, and whoever comes behind it, too', async () => {
    await store.accept([acceptItem(start, {})]);
    expect(await store.message('acc1', 'msg_1')).toBeNull();
    proxy.freeze();
    const held = store.accept([acceptItem(start, {})]);
    const looked = store.message('acc1', 'msg_1');
    await new Promise((resolve) => setTimeout(resolve, 50));
    const behind = store.accept([acceptItem(start, {})]);
    const refused = Promise.allSettled([held, behind, looked]);
    giveUp.abort();
    const reasons = (await refused).map((one) => (one.status === 'rejected' ? one.reason : one));
    for (const reason of reasons) expect(reason).toMatchObject({ reason: 'down', inDoubt: false });
    await expect(claim()).rejects.toMatchObject({ reason: 'down', inDoubt: false });
    await expect(store.message('acc1', 'msg_1')).rejects.toMatchObject({ reason: 'down', inDoubt: false });
    await store.close();
  });

  it('given up in doubt about a commit: its callers learn at once that nobody knows', async () => {
    proxy.cut = 'after';
    const accepted = store.accept([acceptItem(start, {})]).catch((error: unknown) => error);
    proxy.away = true;
    await proxy.commitCut;
    await new Promise((resolve) => setTimeout(resolve, 50));
    giveUp.abort();
    expect(await accepted).toMatchObject({ reason: 'down', inDoubt: true });
    await store.close();
  });

  it('a store whose server answers nothing any more closes all the same', async () => {
    expect(await store.message('acc1', 'msg_1')).toBeNull();
    proxy.freeze();
    await store.close();
  });
});
