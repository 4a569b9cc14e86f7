/** Three gateways and a carrier of several queues on a cluster of Patroni, each gateway with its own client. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Client as PgClient } from 'pg';
import { expect } from 'vitest';
import { judge, type Verdict } from '../../packages/gateway/src/cli/prove/judge.ts';
import type { TestPatroni } from '../patroni.ts';
import { settledLog } from '../props/checker.ts';
import type { Client, ClientCounts, Refusal } from '../props/client.ts';
import { type Exit, startGateway } from '../props/gateway.ts';
import { type LoggedMessage, readMessageLog } from '../props/message-log.ts';
import { openScene, type Scene } from '../props/scene.ts';
import { clusterEnv, type Node, optionsOf } from './nodes.ts';
import { uncertainMoves } from './rounds.ts';

const window = 10;
const carriers = 4;
const nodes = 3;
const requestsPerSecond = 60;
/** A start, or the spread of the carriers, on a busy machine. */
const readyMsMax = 240_000;
/** Far apart, so that no two clients send to the same destination. */
const clientNumbers = 10_000_000;
const databasePatienceMs = 240_000;

export interface PatroniSceneOptions {
  /** By how much the clock of each gateway is off, ms. */
  clockMs: readonly number[];
  nodeArguments: readonly string[];
}

export interface PatroniScene extends Pick<Scene, 'acceptedCount'> {
  /** Of the carrier. */
  readonly behaviour: Scene['smsc']['behaviour'];
  readonly databaseUrl: string;
  readonly nodes: readonly Node[];
  /** One for each gateway, straight to its door. */
  readonly clients: readonly Client[];
  /** Resolves once the gateways have noted that the standby has every commit. */
  untilNotedSynchronous(): Promise<void>;
  /** Ends the load, waits until nothing moves any more, stops the gateways in good order, and judges. */
  finish(stuckMs?: number): Promise<PatroniPlayed>;
  close(): Promise<void>;
}

export interface PatroniPlayed {
  verdict: Verdict;
  messages: LoggedMessage[];
  clients: ClientCounts;
  refusals: Refusal[];
  /** Sent although its 503 did not mention it. */
  sentAllTheSame: string[];
  staleSubmits: number;
  /** Exits of gateways that ended before they were stopped. */
  ended: Exit[];
  /** Of the stopped ones, in ms. */
  stopMs: number[];
  stopped: Exit[];
}

export async function openPatroniScene(cluster: TestPatroni, options: PatroniSceneOptions): Promise<PatroniScene> {
  const keyFolder = mkdtempSync(join(tmpdir(), 'helio-key-'));
  const env = clusterEnv(keyFolder);
  const databaseUrl = await cluster.createDatabase();
  const scene = await openScene({ window, databaseUrl, env, smppCarriers: carriers });
  const gateways: Node[] = [];
  const clients: Client[] = [];

  const close = async () => {
    await Promise.all(clients.map((client) => client.stop(0)));
    await Promise.all(gateways.map(({ gateway }) => gateway.kill()));
    await scene.close();
    rmSync(keyFolder, { recursive: true });
  };

  async function start(): Promise<void> {
    const given = await Promise.all(
      Array.from({ length: nodes }, async (_, place) => {
        const own = await optionsOf(scene, `n${place}`, [...options.nodeArguments]);
        return withClock(own, options.clockMs[place] ?? 0);
      }),
    );
    for (const own of given) {
      gateways.push({ options: own, gateway: await startGateway({ ...own, readyWithinMs: readyMsMax }) });
    }
    await untilSpread(cluster, databaseUrl, gateways);
    for (const [place, { gateway }] of gateways.entries()) {
      const firstNumber = place * clientNumbers;
      const acknowledgedFile = join(scene.folder, `acknowledged-${place}`);
      clients.push(
        scene.startClient({ port: gateway.port, connections: 8, requestsPerSecond, firstNumber, acknowledgedFile }),
      );
    }
  }

  async function finish(stuckMs?: number): Promise<PatroniPlayed> {
    await Promise.all(clients.map((client) => client.stop(30_000)));
    const alive = await Promise.all(gateways.map(({ gateway }) => exitNow(gateway)));
    const ended = alive.filter((exit) => exit !== null);
    const living = gateways[alive.indexOf(null)];
    if (living === undefined) throw new Error(`all gateways ended: ${outputOf(gateways)}`);
    const messages = await settledLog(readMessageLog(living.gateway.port), scene.acceptedCount, stuckMs);
    const acknowledged = new Map(clients.flatMap((client) => [...client.acknowledged]));
    const refused = new Map(clients.flatMap((client) => [...client.refused]));
    const copies = scene.copies();
    const isAnnounced = ({ body }: Refusal) => body.includes('may have been accepted');
    const [stopped, stopMs]: [Exit[], number[]] = [[], []];
    for (const { gateway } of gateways) {
      const from = performance.now();
      stopped.push(await gateway.stop());
      stopMs.push(Math.round(performance.now() - from));
    }
    return {
      verdict: judge({ acknowledged, copies, messages }),
      messages,
      clients: sum(clients.map((client) => client.counts())),
      refusals: [...refused.values()],
      sentAllTheSame: [...refused].filter(([to, refusal]) => copies.has(to) && !isAnnounced(refusal)).map(([to]) => to),
      staleSubmits: scene.smsc.counts().staleSubmits,
      ended,
      stopMs,
      stopped,
    };
  }

  try {
    await start();
  } catch (error) {
    await close();
    throw error;
  }
  return {
    acceptedCount: scene.acceptedCount,
    behaviour: scene.smsc.behaviour,
    databaseUrl,
    nodes: gateways,
    clients,
    async untilNotedSynchronous() {
      const noted = async () => {
        const sql = `select value from settings where name = 'postgres_standing'`;
        const rows = await cluster.query(cluster.urlAt(await cluster.whole(), databaseUrl), sql);
        return (JSON.parse(String(rows[0]?.value ?? '{}')) as { isSynchronous?: boolean }).isSynchronous;
      };
      await expect.poll(() => noted().catch(() => null), { timeout: databasePatienceMs }).toBe(true);
    },
    finish,
    close,
  };
}

/** What must hold however often the leader was lost. */
export function judgePatroni(played: PatroniPlayed & { kills: number }): void {
  const { verdict, messages, refusals, sentAllTheSame, staleSubmits, ended, stopped, clients, kills } = played;
  expect(ended).toEqual([]);
  expect(verdict.lost).toEqual([]);
  expect(verdict.unrecorded).toEqual([]);
  expect(verdict.unflaggedDuplicates).toEqual([]);
  expect(verdict.duplicates).toBeLessThanOrEqual(kills * carriers * window);
  expect(uncertainMoves(messages)).toBeLessThanOrEqual(kills * carriers * window);
  expect(verdict.acknowledged).toBeGreaterThan(kills * 40);
  expect(staleSubmits).toBe(0);
  expect(sentAllTheSame).toEqual([]);
  for (const { status, retryAfter } of refusals)
    expect({ status, retryAfter }).toEqual({ status: 503, retryAfter: true });
  expect(clients.unanswered).toBe(0);
  for (const exit of stopped) expect(exit).toEqual({ code: 0, signal: null });
}

/** Resolves when a member other than the lost one has accepted a write of anybody. */
export async function firstWrite(cluster: TestPatroni, databaseUrl: string, lost: string): Promise<void> {
  const others = cluster.members.filter((member) => member !== lost);
  const sql = 'create table if not exists probe (at timestamptz); insert into probe values (now())';
  for (const end = performance.now() + databasePatienceMs; performance.now() < end; await wait(20)) {
    const tries = others.map((member) => cluster.query(cluster.urlAt(member, databaseUrl), sql));
    const isTaken = Promise.any(tries).then(
      () => true,
      () => false,
    );
    if (await isTaken) return;
  }
  throw new Error('no member accepts writes');
}

/** Resolves when every client has got a new 200, with the ms that each took. */
export async function acceptsAgain(clients: readonly Client[]): Promise<number[]> {
  const from = performance.now();
  return Promise.all(
    clients.map(async ({ acknowledged }) => {
      const before = acknowledged.size;
      for (const end = from + databasePatienceMs; acknowledged.size === before; await wait(10)) {
        if (performance.now() > end) throw new Error('a gateway accepts nothing');
      }
      return Math.round(performance.now() - from);
    }),
  );
}

/** The standby gets no more of what the leader commits, and its Patroni sleeps, which would connect it again. */
export async function cutOff(cluster: TestPatroni, standby: string, databaseUrl: string): Promise<void> {
  cluster.signalPatroni(standby, 'SIGSTOP');
  const at = cluster.urlAt(standby, databaseUrl);
  await cluster.query(at, `alter system set primary_conninfo = ''`);
  await cluster.query(at, 'select pg_reload_conf()');
  const receiving = async () => (await cluster.query(at, 'select count(*)::int as n from pg_stat_wal_receiver'))[0]!.n;
  await expect.poll(receiving, { timeout: databasePatienceMs }).toBe(0);
}

/**
 * Others take every session that the leader has to give, at once after those of the gateways were ended: none of them gets one
 * until `release`.
 */
export async function holdSessions(cluster: TestPatroni, databaseUrl: string): Promise<{ release(): void }> {
  const at = cluster.urlAt(await cluster.whole(), databaseUrl).replace('postgres@', 'gateway@');
  const held: PgClient[] = [];
  let over = false;
  const taker = async () => {
    while (!over) {
      const client = new PgClient({ connectionString: at, application_name: 'others' });
      client.on('error', () => {});
      try {
        await client.connect();
        held.push(client);
      } catch {
        await wait(5);
      }
    }
  };
  const takers = Array.from({ length: 8 }, taker);
  const release = () => {
    over = true;
    void Promise.all(takers).then(() => Promise.all(held.map((client) => client.end().catch(() => {}))));
  };
  try {
    // First what is free, then what the gateways had.
    await wait(1_000);
    const ended = `select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'heliograph %'`;
    const end = async () => cluster.query(cluster.urlAt(await cluster.whole(), databaseUrl), ended);
    for (let times = 0; times < 3; times += 1) {
      // Sessions that are being refused take the superuser's places too, for a moment.
      await expect.poll(() => end().catch(() => null), { timeout: databasePatienceMs }).not.toBeNull();
      await wait(200);
    }
    return { release };
  } catch (error) {
    release();
    throw error;
  }
}

/** Resolves once every gateway has carriers, by the record that all of them compare, and every carrier a gateway. */
async function untilSpread(cluster: TestPatroni, databaseUrl: string, gateways: readonly Node[]): Promise<void> {
  const sql = `select count(*)::int as owned, count(distinct node)::int as nodes from owners
    where node is not null and name not like 'duty/%'`;
  let found: Record<string, unknown> | undefined;
  for (const end = performance.now() + readyMsMax; performance.now() < end; await wait(250)) {
    const at = cluster.urlAt((await cluster.leader()) ?? cluster.members[0]!, databaseUrl);
    [found] = await cluster.query(at, sql).catch((error: unknown) => [{ error: String(error) }]);
    if (found?.owned === carriers && found.nodes === nodes) return;
  }
  const seen = JSON.stringify(found);
  throw new Error(`the carriers are not spread over the gateways, ${seen}: ${outputOf(gateways)}`);
}

/** Its clock is off by this. */
function withClock(options: Node['options'], offMs: number): Node['options'] {
  if (offMs === 0) return options;
  const file = join(options.folder, 'clock');
  writeFileSync(file, String(offMs));
  const plant = new URL('../props/plants/clock.ts', import.meta.url).href;
  return {
    ...options,
    env: { ...options.env, CLOCK_FILE: file },
    nodeArguments: [...(options.nodeArguments ?? []), '--import', plant],
  };
}

const exitNow = (gateway: Node['gateway']): Promise<Exit | null> => Promise.race([gateway.exited, wait(0, null)]);

const outputOf = (gateways: readonly Node[]): string =>
  gateways.map(({ gateway }) => gateway.stderr().slice(-1_500)).join('\n---\n');

function sum(counts: readonly ClientCounts[]): ClientCounts {
  const total: ClientCounts = { requests: 0, refused: {}, unanswered: 0, repeated: 0 };
  for (const { requests, refused, unanswered, repeated } of counts) {
    total.requests += requests;
    total.unanswered += unanswered;
    total.repeated += repeated;
    for (const [status, count] of Object.entries(refused)) total.refused[status] = (total.refused[status] ?? 0) + count;
  }
  return total;
}
