/** A start that finds the store busy. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { startPostgres } from '../../../../test/postgres.ts';
import { settlingClock } from '../../../../test/props/clock.ts';
import { startGateway } from '../../../../test/props/gateway.ts';
import { silentLogger } from '../kernel/logger.ts';
import { StoreUnavailable } from '../store/faults.ts';
import { againMs, patienceMs, whileBusy } from './start-patience.ts';

const clock = settlingClock();
const parts = { clock, timers: clock, logger: silentLogger };

/** Fails this many times, then succeeds. */
function failing(times: number, error: Error) {
  const calls = { count: 0 };
  const work = async (): Promise<string> => {
    calls.count += 1;
    if (calls.count <= times) throw error;
    return 'done';
  };
  return { calls, work };
}

it('tries again until the store has room', async () => {
  const { calls, work } = failing(3, new StoreUnavailable('busy', 'another one writes'));
  const done = whileBusy(parts, work);
  await clock.pass(3 * againMs);
  expect(await done).toBe('done');
  expect(calls.count).toBe(4);
});

it('gives up after a minute', async () => {
  const busy = new StoreUnavailable('busy', 'another one writes');
  const { calls, work } = failing(Number.POSITIVE_INFINITY, busy);
  const ended = whileBusy(parts, work).catch((error: unknown) => error);
  await clock.pass(patienceMs + againMs);
  expect(await ended).toBe(busy);
  expect(calls.count).toBeGreaterThan(100);
});

it.each([new StoreUnavailable('down', 'away'), new StoreUnavailable('full', 'no room'), new Error('a bug')])(
  'does not wait for what another try does not mend: %s',
  async (error) => {
    const { calls, work } = failing(1, error);
    await expect(whileBusy(parts, work)).rejects.toBe(error);
    expect(calls.count).toBe(1);
  },
);

/** Opens sessions until the server has none left. */
async function takeAllSessions(connectionString: string): Promise<Client[]> {
  const taken: Client[] = [];
  for (;;) {
    const client = new Client({ connectionString });
    client.on('error', () => {});
    try {
      await client.connect();
    } catch {
      return taken;
    }
    taken.push(client);
  }
}

it('lives on while others have every session of PostgreSQL, and starts when there is one', async () => {
  const refused = /too many clients/g;
  let log = '';
  const server = await startPostgres(['max_connections=12'], (piece) => {
    log += piece;
  });
  onTestFinished(() => server.remove());
  const databaseUrl = await server.createDatabase();
  const folder = mkdtempSync(join(tmpdir(), 'heliograph-patience-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const taken = await takeAllSessions(databaseUrl);
  const refusedBefore = log.match(refused)?.length ?? 0;
  const starting = startGateway({ folder, databaseUrl });
  starting.catch(() => {});
  // Two tries of the gateway: it is still there after the first one.
  await expect.poll(() => (log.match(refused)?.length ?? 0) - refusedBefore, { timeout: 60_000 }).toBeGreaterThan(1);
  await Promise.all(taken.map((client) => client.end()));
  const gateway = await starting;
  expect(await gateway.stop()).toEqual({ code: 0, signal: null });
});

it('begins again where the store is busy only once it is open', async () => {
  const server = await startPostgres();
  onTestFinished(() => server.remove());
  const databaseUrl = await server.createDatabase();
  const folder = mkdtempSync(join(tmpdir(), 'heliograph-patience-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  expect(await (await startGateway({ folder, databaseUrl })).stop()).toMatchObject({ code: 0 });
  const other = new Client({ connectionString: databaseUrl });
  await other.connect();
  await other.query('begin; lock table opt_outs in access exclusive mode');
  const starting = startGateway({ folder, databaseUrl });
  starting.catch(() => {});
  const log = () => readFileSync(join(folder, 'gateway.stderr'), 'utf8');
  await expect.poll(log, { timeout: 60_000 }).toContain('the store is busy: the start tries again');
  await other.end();
  const gateway = await starting;
  expect(await gateway.stop()).toEqual({ code: 0, signal: null });
});
