/**
 * N-03 to N-05: PostgreSQL ends sessions, dies, restarts or freezes under load, and the gateway keeps running. A
 * request answered with 200 is sent once. A request answered with 503 is not sent, unless that 503 said that it may be.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, type TestOptions } from 'vitest';
import { judge } from '../../packages/gateway/src/cli/prove/judge.ts';
import { startPostgres, type TestPostgres } from '../postgres.ts';
import { callApi } from '../props/api.ts';
import { settledLog } from '../props/checker.ts';
import { type Gateway, startGateway } from '../props/gateway.ts';
import { readMessageLog } from '../props/message-log.ts';
import { openScene, type Scene } from '../props/scene.ts';
import { finish, report, someLoad } from './rounds.ts';

export interface AwayCounts {
  /** Rounds of each fault. */
  rounds: number;
  frozenMs: number;
  how?: TestOptions;
}

const sessionsOf = `from pg_stat_activity where application_name like 'heliograph %'`;

/** Each fault leaves a working server. */
function faultsOf({
  frozenMs,
}: AwayCounts): [string, (server: TestPostgres, databaseUrl: string) => Promise<unknown>][] {
  return [
    ['ends every session', (server, url) => onceUp(server, url, `select pg_terminate_backend(pid) ${sessionsOf}`)],
    [
      'loses one session to kill -9 and recovers',
      async (server, url) => {
        const found = await onceUp(server, url, `select pid ${sessionsOf} order by random() limit 1`);
        for (const { pid } of found) process.kill(Number(pid), 'SIGKILL');
      },
    ],
    ['is restarted in good order', (server) => server.stop('fast').then(() => server.start())],
    ['crashes and is started again', (server) => server.stop('crash').then(() => server.start())],
    ['is killed by kill -9 and started again', (server) => server.stop('kill').then(() => server.start())],
    [
      `freezes for ${frozenMs} ms`,
      async (server) => {
        server.freeze();
        await wait(frozenMs);
        server.thaw();
      },
    ],
  ];
}

/** The server may still be recovering from the previous fault and refuse connections. */
async function onceUp(server: TestPostgres, url: string, sql: string): Promise<Record<string, unknown>[]> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await server.query(url, sql);
    } catch (error) {
      if (tries === 300) throw error;
      await wait(100);
    }
  }
}

export function awaySuite(counts: AwayCounts): void {
  let server: TestPostgres;

  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server?.remove());

  describe('PostgreSQL under load', counts.how ?? {}, () => {
    it.each(faultsOf(counts))('%s', async (name, strike) => {
      const databaseUrl = await server.createDatabase();
      const scene = await openScene({ window: 10, databaseUrl });
      const gateway = await startGateway(scene.gatewayOptions);
      try {
        await playFault(name, { scene, gateway, strike: () => strike(server, databaseUrl), rounds: counts.rounds });
      } finally {
        await gateway.stop();
        await scene.close();
      }
    });

    it.each([
      ['crash', 'the only node'],
      ['freeze', 'the only node'],
      ['crash', 'one of several'],
      ['freeze', 'one of several'],
    ] as const)('does not delay a stop: %s, %s', (away, node) => stopWhileAway(server, { away, node }));
  });
}

/** A stop takes five seconds then; one that waits for a session to time out, 15 more. */
const stopWithinMs = 14_000;

/** A stop does not wait for an unreachable server, and says so; the next start finds everything. */
async function stopWhileAway(
  server: TestPostgres,
  { away, node }: { away: 'crash' | 'freeze'; node: 'the only node' | 'one of several' },
): Promise<void> {
  const databaseUrl = await server.createDatabase();
  const env: Record<string, string> = node === 'one of several' ? { HELIO_CLUSTER: '1' } : {};
  const scene = await openScene({ window: 10, databaseUrl, env });
  try {
    const gateway = await startGateway(scene.gatewayOptions);
    const client = scene.startClient({ requestsPerSecond: 400 });
    await someLoad({ index: 0, gateway, scene });
    if (away === 'freeze') server.freeze();
    else await server.stop(away);
    const exit = await gateway.stop(stopWithinMs);
    if (away === 'freeze') server.thaw();
    else await server.start();
    expect(exit, gateway.stderr().slice(-2_000)).toEqual({ code: 0, signal: null });
    expect(gateway.stderr()).toContain('the stop goes on without it');
    const { verdict } = await finish(scene, client);
    expect(verdict).toMatchObject({ lost: [], unrecorded: [], unflaggedDuplicates: [] });
  } finally {
    await scene.close();
  }
}

interface Play {
  scene: Scene;
  gateway: Gateway;
  strike(): Promise<unknown>;
  rounds: number;
}

async function playFault(name: string, { scene, gateway, strike, rounds }: Play): Promise<void> {
  let exit: unknown = null;
  void gateway.exited.then((ended) => {
    exit = ended;
  });
  const client = scene.startClient({ requestsPerSecond: 400 });
  const reading = { over: false };
  const readers = [1, 2, 3].map(() => readOn(gateway.port, reading));
  for (let index = 0; index < rounds; index += 1) {
    await someLoad({ index, gateway, scene });
    await strike();
  }
  // Sending resumes by itself: new texts reach the carrier.
  const before = scene.acceptedCount();
  await expect.poll(scene.acceptedCount).toBeGreaterThan(before + 20);
  await client.stop(30_000);
  reading.over = true;
  await Promise.all(readers);
  const messages = await settledLog(readMessageLog(gateway.port), scene.acceptedCount);
  expect(exit, gateway.stderr().slice(-2_000)).toBeNull();

  const copies = scene.copies();
  const verdict = judge({ acknowledged: client.acknowledged, copies, messages });
  const announced = [...client.refused].filter(([, { body }]) => body.includes('may have been accepted'));
  report(name, { ...verdict, announced: announced.length, ...client.counts() });
  expect(verdict).toMatchObject({ lost: [], unrecorded: [], unflaggedDuplicates: [], duplicates: 0 });
  const inDoubt = new Map(announced);
  const sentAllTheSame = [...client.refused.keys()].filter((to) => copies.has(to) && !inDoubt.has(to));
  expect(sentAllTheSame).toEqual([]);
  for (const { status, retryAfter } of client.refused.values()) {
    expect({ status, retryAfter }).toEqual({ status: 503, retryAfter: true });
  }
  expect(client.counts().unanswered).toBe(0);
}

/** Look-ups all the time, so that some session is in use whenever the server fails. */
async function readOn(port: number, until: { over: boolean }): Promise<void> {
  while (!until.over) {
    await callApi(port, { path: '/api/v1/messages?limit=100' }).catch(() => wait(20));
  }
}
