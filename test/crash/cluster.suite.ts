/**
 * Three nodes share a PostgreSQL behind a load balancer that uses all of them; one hands messages to carriers. Nodes are
 * killed, the acting one and others, or paused for longer than their lease and resumed. The rest goes on; nothing
 * acknowledged is lost, copies are flagged, and a node that was removed sends nothing more and exits.
 */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, type TestOptions } from 'vitest';
import { startPostgres, type TestPostgres } from '../postgres.ts';
import { type Balancer, startBalancer } from '../props/balancer.ts';
import type { Exit, Gateway } from '../props/gateway.ts';
import { openScene } from '../props/scene.ts';
import { goesOn, type Node, optionsOf, someTexts, startNode, takeOverMsMax } from './nodes.ts';
import { finish, planted, type RoundsResult, report, uncertainMoves } from './rounds.ts';

export interface ClusterCounts {
  /** Of the acting node. */
  kills: number;
  /** Of nodes that only take messages. */
  otherKills: number;
  pauses: number;
  /** Of the database: it crashes and comes back, or stands still for longer than a lease, in turn. */
  absences: number;
  /** Pauses with the planted bug; they only have to find it. 0 = not tried. */
  plantedPauses: number;
  how?: TestOptions;
}

const window = 10;
const nodeCount = 3;
/** Longer than a lease, which is 6 s. */
const awayMs = 9_000;
/** Exit code of a node that was removed (EX_SOFTWARE). */
const removedExitCode = 70;

type Rounds = Pick<ClusterCounts, 'kills' | 'otherKills' | 'pauses' | 'absences'>;

interface Played extends Omit<RoundsResult, 'exits'> {
  /** submit_sm from a paused node after another one had begun to act. */
  sentTooLate: number;
  /** Exits of the paused nodes. */
  exits: Exit[];
  takeOverMs: number[];
}

export function clusterSuite(counts: ClusterCounts): void {
  const none: Rounds = { kills: 0, otherKills: 0, pauses: 0, absences: 0 };
  let server: TestPostgres;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server?.remove());

  describe('three nodes on one database', counts.how ?? {}, () => {
    it('killed by kill -9, whichever: the others go on, nothing is lost, every copy is flagged', async () => {
      const { kills, otherKills } = counts;
      const played = await play(server, { ...none, kills, otherKills });
      const { verdict, takeOverMs } = played;
      report('cluster, killed', { ...verdict, takeOverMs });
      judgeSafe(played, kills, otherKills);
      for (const ms of takeOverMs) expect(ms).toBeLessThanOrEqual(takeOverMsMax);
    });

    it('paused past its lease: another one acts, the first sends nothing more and exits', async () => {
      const played = await play(server, { ...none, pauses: counts.pauses });
      const { verdict, takeOverMs, sentTooLate, exits } = played;
      report('cluster, paused', { ...verdict, takeOverMs, sentTooLate });
      judgeSafe(played, counts.pauses, 0);
      expect(sentTooLate).toBe(0);
      for (const exit of exits) expect(exit).toEqual({ code: removedExitCode, signal: null });
    });

    it('whose database is away for longer than a lease: all of them go on, the same one acts, nothing is lost', async () => {
      const played = await play(server, { ...none, absences: counts.absences });
      report('cluster, database away', played.verdict);
      judgeSafe(played, counts.absences, 0);
    });

    if (counts.plantedPauses === 0) return;

    it('finds the planted bug: sends without its lease', async () => {
      const { sentTooLate } = await play(server, { ...none, pauses: counts.plantedPauses }, planted('lease-blind'));
      expect(sentTooLate).toBeGreaterThan(0);
    });
  });
}

/** Only an acting node leaves anything in doubt. */
function judgeSafe(
  { verdict, messages }: Pick<Played, 'verdict' | 'messages'>,
  ofActing: number,
  ofOthers: number,
): void {
  expect(verdict.lost).toEqual([]);
  expect(verdict.unrecorded).toEqual([]);
  expect(verdict.unflaggedDuplicates).toEqual([]);
  expect(verdict.duplicates).toBeLessThanOrEqual(ofActing * window);
  expect(uncertainMoves(messages)).toBeLessThanOrEqual(ofActing * window);
  expect(verdict.acknowledged).toBeGreaterThan((ofActing + ofOthers) * 20);
}

async function play(server: TestPostgres, rounds: Rounds, nodeArguments: string[] = []): Promise<Played> {
  const keyFolder = mkdtempSync(join(tmpdir(), 'helio-key-'));
  const keyFile = join(keyFolder, 'secret.key');
  writeFileSync(keyFile, randomBytes(32).toString('hex'), { mode: 0o600 });
  const env = { HELIO_CLUSTER: '1', HELIO_SECRET_KEY_FILE: keyFile };
  const scene = await openScene({ window, databaseUrl: await server.createDatabase(), env });
  const nodes: Node[] = [];
  let balancer: Balancer | null = null;
  try {
    // All at once, on an empty database.
    const options = await Promise.all(
      Array.from({ length: nodeCount }, (_, place) => optionsOf(scene, `n${place}`, nodeArguments)),
    );
    nodes.push(...(await Promise.all(options.map(startNode))));
    balancer = await startBalancer(
      nodes.map(({ gateway }) => gateway.port),
      { inTurn: true },
    );
    await untilAllReady(balancer);
    const client = scene.startClient({ port: balancer.port, requestsPerSecond: 400 });
    const figures = { sentTooLate: 0, exits: [] as Exit[], takeOverMs: [] as number[] };
    for (const kind of roundsOf(rounds)) {
      await someTexts(scene);
      const acting = await actingOf(nodes, null);
      const from = performance.now();
      if (kind === 'crash' || kind === 'freeze') {
        await databaseAway(server, kind);
        await untilAllReady(balancer);
        for (const { gateway } of nodes) expect(await isRunning(gateway), gateway.stderr().slice(-2_000)).toBe(true);
        expect(await actingOf(nodes, null)).toBe(acting);
        continue;
      }
      const hit = kind === 'other' ? nodes.find((node) => node !== acting)! : acting;
      if (kind === 'pause') {
        process.kill(hit.gateway.pid, 'SIGSTOP');
        // The sessions of the acting node: no other has any.
        const sent = scene.smsc.watchOpenSessions();
        await actingOf(nodes, hit);
        figures.takeOverMs.push(Math.round(performance.now() - from));
        const before = sent();
        figures.exits.push(await goesOn(hit.gateway));
        figures.sentTooLate += sent() - before;
      } else {
        await hit.gateway.kill();
        if (kind === 'acting') {
          await actingOf(nodes, hit);
          figures.takeOverMs.push(Math.round(performance.now() - from));
        }
      }
      Object.assign(hit, await startNode(hit.options));
      await untilAllReady(balancer);
    }
    await someTexts(scene);
    await client.stop(5_000);
    // In turn, so that the place of the acting node goes from one to the next.
    for (const { gateway } of nodes) expect(await gateway.stop()).toEqual({ code: 0, signal: null });
    return { ...(await finish(scene, client)), ...figures };
  } finally {
    await Promise.all(nodes.map(({ gateway }) => gateway.kill()));
    await balancer?.stop();
    await scene.close();
    rmSync(keyFolder, { recursive: true });
  }
}

async function databaseAway(server: TestPostgres, how: 'crash' | 'freeze'): Promise<void> {
  if (how === 'crash') {
    await server.stop('crash');
    await wait(awayMs);
    await server.start();
  } else {
    server.freeze();
    await wait(awayMs);
    server.thaw();
  }
}

async function isRunning(gateway: Gateway): Promise<boolean> {
  return (await Promise.race([gateway.exited, wait(0, null)])) === null;
}

type Kind = 'acting' | 'other' | 'pause' | 'crash' | 'freeze';

function roundsOf({ kills, otherKills, pauses, absences }: Rounds): Kind[] {
  return [
    ...Array.from({ length: Math.max(kills, otherKills) }, (_, index) => [
      ...(index < kills ? (['acting'] as const) : []),
      ...(index < otherKills ? (['other'] as const) : []),
    ]).flat(),
    ...Array.from({ length: pauses }, () => 'pause' as const),
    ...Array.from({ length: absences }, (_, index) => (index % 2 === 0 ? ('freeze' as const) : ('crash' as const))),
  ];
}

async function untilAllReady(balancer: Balancer): Promise<void> {
  const end = performance.now() + takeOverMsMax * 4;
  while (balancer.allReady().length < nodeCount) {
    if (performance.now() > end) throw new Error('not all nodes take requests');
    await wait(20);
  }
}

/** The acting node, once one other than `not` is that. */
async function actingOf(nodes: readonly Node[], not: Node | null): Promise<Node> {
  const end = performance.now() + takeOverMsMax * 4;
  for (;;) {
    for (const node of nodes) if (node !== not && (await acts(node.gateway.port))) return node;
    if (performance.now() > end) throw new Error('no node acts');
    await wait(20);
  }
}

async function acts(port: number): Promise<boolean> {
  try {
    const init = { headers: { connection: 'close' }, signal: AbortSignal.timeout(1_000) };
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`, init);
    return ((await answer.json()) as { data?: { acts?: boolean } }).data?.acts === true;
  } catch {
    return false;
  }
}
