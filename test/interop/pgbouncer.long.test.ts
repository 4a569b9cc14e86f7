/**
 * The gateway behind pgbouncer: session pooling works; every other mode is refused at start, regardless of the pool's
 * settings.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore } from '../../packages/gateway/src/app/open-store.ts';
import { acceptItem, start } from '../../packages/gateway/src/store/contract/fixture.ts';
import { StoreRefused } from '../../packages/gateway/src/store/faults.ts';
import { startPostgres, type TestPostgres } from '../postgres.ts';
import { movedClock } from '../props/clock.ts';
import { GatewayDidNotStart, startGateway } from '../props/gateway.ts';
import { type Pgbouncer, startPgbouncer } from './pgbouncer.ts';

let server: TestPostgres;
let database: string;
beforeAll(async () => {
  server = await startPostgres();
  database = await server.createDatabase();
});
afterAll(() => server?.remove());

async function behind<T>(settings: Record<string, string | number>, work: (bouncer: Pgbouncer) => Promise<T>) {
  const bouncer = await startPgbouncer(server.socketFolder, settings);
  try {
    return await work(bouncer);
  } finally {
    await bouncer.stop();
  }
}

const open = (databaseUrl: string) => openStore({ databaseUrl, dataDir: '', role: 'node', clock: movedClock(start) });

/** Leaves this many idle server sessions in the pool. */
async function warm(databaseUrl: string, sessions: number): Promise<void> {
  const clients = Array.from({ length: sessions }, () => new Client({ connectionString: databaseUrl }));
  for (const client of clients) {
    await client.connect();
    await client.query('begin');
  }
  for (const client of clients) await client.query('rollback');
  for (const client of clients) await client.end();
}

describe('pooling by transaction', () => {
  it.each([
    ['as it comes', 0, {}],
    ['with idle sessions', 3, {}],
    ['in turn, one session', 1, { server_round_robin: 1 }],
    ['in turn, two sessions', 2, { server_round_robin: 1 }],
    ['in turn, three sessions', 3, { server_round_robin: 1 }],
    ['in turn, four sessions', 4, { server_round_robin: 1 }],
    ['with a single session', 1, { default_pool_size: 1 }],
  ])('is refused: %s', (_, sessions, settings) =>
    behind({ pool_mode: 'transaction', ...settings }, async (bouncer) => {
      const url = bouncer.url(database);
      await warm(url, sessions);
      await expect(open(url)).rejects.toThrow(StoreRefused);
      await expect(open(url)).rejects.toThrow(/gives one session to several connections.*pool_mode = session/);
    }),
  );

  it('ends a gateway with 78', () =>
    behind({ pool_mode: 'transaction' }, async (bouncer) => {
      const folder = mkdtempSync(join(tmpdir(), 'helio-bounced-'));
      const refusal = await startGateway({ folder, databaseUrl: bouncer.url(database) }).then(
        (gateway) => gateway.kill(),
        (error: unknown) => error,
      );
      rmSync(folder, { recursive: true });
      expect(refusal).toBeInstanceOf(GatewayDidNotStart);
      expect((refusal as GatewayDidNotStart).exit).toEqual({ code: 78, signal: null });
      expect((refusal as GatewayDidNotStart).message).toContain('pool_mode = session');
    }));
});

it('pooling by statement is refused', () =>
  behind({ pool_mode: 'statement' }, async (bouncer) => {
    await expect(open(bouncer.url(database))).rejects.toThrow(StoreRefused);
    await expect(open(bouncer.url(database))).rejects.toThrow(/refuses what the store needs/);
  }));

it.each([0, 1])('pooling by session works (server_round_robin = %s)', (server_round_robin) =>
  behind({ pool_mode: 'session', server_round_robin }, async (bouncer) => {
    const url = bouncer.url(database);
    await warm(url, 3);
    const store = await open(url);
    await expect(open(url)).rejects.toThrow('Another node runs on this database');
    const item = acceptItem(start, {});
    await store.accept([item]);
    expect((await store.message('acc1', item.deliveries[0]!.messageId))?.state).toBe('queued');
    await store.close();
  }),
);
