/**
 * Three nodes share a PostgreSQL behind a load balancer that uses all of them; each has some of the carriers. Nodes are
 * killed, the acting one and others, or paused for longer than their lease and resumed. The remaining nodes take over
 * the carriers and continue; nothing acknowledged is lost, copies are flagged, no carrier has two senders, and a node
 * that was removed sends nothing more and exits.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, type TestOptions } from 'vitest';
import { startPostgres, type TestPostgres } from '../postgres.ts';
import { type Balancer, startBalancer } from '../props/balancer.ts';
import { brokenRules, createLogReader } from '../props/cluster-rules.ts';
import type { Exit } from '../props/gateway.ts';
import { openScene } from '../props/scene.ts';
import {
  clusterEnv,
  goesOn,
  isRunning,
  type Node,
  optionsOf,
  type Ready,
  readiness,
  readyMsMax,
  someTexts,
  startNode,
  untilAllReady,
} from './nodes.ts';
import { finish, planted, type RoundsResult, report, uncertainMoves } from './rounds.ts';

export interface ClusterCounts {
  /** Kills of the acting node. */
  kills: number;
  /** Kills of other nodes, which also have carriers. */
  otherKills: number;
  /** Pauses of the acting node and of another node, in turn. */
  pauses: number;
  /** Times that the database is away: it crashes and restarts, or freezes for longer than a lease, in turn. */
  absences: number;
  /** Pauses with the planted bug, enough to find it. 0 = not tried. */
  plantedPauses: number;
  /** Whether to test nodes that assume they own all send queues, with and without the comparison in the transaction. */
  greedy: boolean;
  how?: TestOptions;
}

const window = 10;
const nodeCount = 3;
const carriers = ['smsc', 'smsc-2', 'smsc-3', 'smsc-4'];
/** Longer than a lease, which is 6 s. */
const awayMs = 9_000;
/** Three leases, used in every second round. */
const longPauseMs = 18_000;
/** Load on nodes that nobody ends. */
const quietMs = 6_000;
/** Exit code of a node that was removed (EX_SOFTWARE). */
const removedExitCode = 70;

type Rounds = Pick<ClusterCounts, 'kills' | 'otherKills' | 'pauses' | 'absences'>;

interface Played extends Omit<RoundsResult, 'exits'> {
  /** submit_sm from a paused node after other nodes had taken over its carriers. */
  sentTooLate: number;
  /** submit_sm from a node after another one had begun to send for the same carrier. */
  staleSubmits: number;
  /** Carriers of the ended nodes, summed over all rounds: each may leave a window of uncertain messages. */
  endedLanes: number;
  /** Nodes that the suite did not end: on a slow machine they lose their lease. */
  endedBySelf: number;
  /** Exits of the paused nodes. */
  exits: Exit[];
  takeOverMs: number[];
  /** Events that a reader of the log has passed before they were there. */
  passedEvents: number[];
}

export function clusterSuite(counts: ClusterCounts): void {
  const none: Rounds = { kills: 0, otherKills: 0, pauses: 0, absences: 0 };
  let server: TestPostgres;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server?.remove());

  describe('three nodes on one database', counts.how ?? {}, () => {
    it('killed by kill -9, whichever: the others take its carriers, nothing is lost, every copy is flagged', async () => {
      const { kills, otherKills } = counts;
      const played = await play(server, { ...none, kills, otherKills });
      const { verdict, takeOverMs } = played;
      report('cluster, killed', { ...verdict, takeOverMs, endedBySelf: played.endedBySelf });
      judgeSafe(played, kills + otherKills);
    });

    it('paused past its lease: others take its carriers, it sends nothing more and exits', async () => {
      const played = await play(server, { ...none, pauses: counts.pauses });
      const { verdict, takeOverMs, sentTooLate, exits } = played;
      report('cluster, paused', { ...verdict, takeOverMs, sentTooLate, endedBySelf: played.endedBySelf });
      judgeSafe(played, counts.pauses);
      for (const exit of exits) expect(exit).toEqual({ code: removedExitCode, signal: null });
    });

    it('whose database is away for longer than a lease: all of them go on with their carriers, nothing is lost', async () => {
      const played = await play(server, { ...none, absences: counts.absences });
      report('cluster, database away', played.verdict);
      judgeSafe(played, counts.absences);
    });

    if (counts.greedy) {
      it('that all believe to have every carrier: only the one that has it on record sends', async () => {
        const played = await play(server, none, planted('lane-greedy'));
        report('cluster, greedy', { ...played.verdict, staleSubmits: played.staleSubmits });
        judgeSafe(played, 1);
      });

      it('finds the planted bug: claims without comparing who has the send queue', async () => {
        const { staleSubmits } = await play(server, none, planted('lane-blind'));
        expect(staleSubmits).toBeGreaterThan(0);
      });
    }

    if (counts.plantedPauses === 0) return;

    it('finds the planted bug: sends without its lease', async () => {
      const { sentTooLate } = await play(server, { ...none, pauses: counts.plantedPauses }, planted('lease-blind'));
      expect(sentTooLate).toBeGreaterThan(0);
    });
  });
}

function judgeSafe(played: Played, rounds: number): void {
  const { verdict, messages, endedLanes } = played;
  const inDoubtMax = endedLanes * window;
  const broken = brokenRules({ ...played, uncertainMoves: uncertainMoves(messages), inDoubtMax, limits: [] });
  expect(broken).toEqual([]);
  expect(verdict.acknowledged).toBeGreaterThan(rounds * 20);
  expect(played.endedBySelf).toBeLessThanOrEqual(rounds / 4);
}

async function play(server: TestPostgres, rounds: Rounds, nodeArguments: string[] = []): Promise<Played> {
  const keyFolder = mkdtempSync(join(tmpdir(), 'helio-key-'));
  const env = clusterEnv(keyFolder);
  const databaseUrl = await server.createDatabase();
  const scene = await openScene({ window, databaseUrl, env, smppCarriers: carriers.length });
  const nodes: Node[] = [];
  let balancer: Balancer | null = null;
  const log = readLog(server, databaseUrl);
  try {
    // All nodes start at once on an empty database.
    const options = await Promise.all(
      Array.from({ length: nodeCount }, (_, place) => optionsOf(scene, `n${place}`, nodeArguments)),
    );
    nodes.push(...(await Promise.all(options.map(startNode))));
    balancer = await startBalancer(
      nodes.map(({ gateway }) => gateway.port),
      { inTurn: true },
    );
    await untilAllReady(balancer, nodes);
    const client = scene.startClient({ port: balancer.port, requestsPerSecond: 400 });
    const figures = { sentTooLate: 0, endedLanes: 0, endedBySelf: 0, exits: [] as Exit[], takeOverMs: [] as number[] };
    const kinds = roundsOf(rounds);
    if (kinds.length === 0) await wait(quietMs);
    for (const [index, kind] of kinds.entries()) {
      await someTexts(scene);
      const before = await spreadOver(nodes);
      const acting = nodes.find((node) => before.get(node)!.acts)!;
      if (kind === 'crash' || kind === 'freeze') {
        await databaseAway(server, kind);
        await untilAllReady(balancer, nodes);
        for (const { gateway } of nodes) expect(await isRunning(gateway), gateway.stderr().slice(-2_000)).toBe(true);
        expect([...(await spreadOver(nodes)).values()]).toEqual([...before.values()]);
        // Answers of carriers during the absence may be lost, so their messages may be uncertain.
        figures.endedLanes += carriers.length;
        continue;
      }
      const isOther = kind === 'other' || kind === 'pause other';
      const hit = isOther ? nodes.find((node) => node !== acting)! : acting;
      const { lanes } = before.get(hit)!;
      const owners = () => ownersIn(server, databaseUrl);
      const owned = await owners();
      const from = performance.now();
      figures.endedLanes += lanes.length;
      if (kind === 'pause' || kind === 'pause other') {
        process.kill(hit.gateway.pid, 'SIGSTOP');
        const sent = scene.smsc.watchOpenSessions(lanes);
        await untilTaken(owners, lanes, owned);
        figures.takeOverMs.push(Math.round(performance.now() - from));
        if (index % 2 === 1) await wait(Math.max(0, longPauseMs - (performance.now() - from)));
        const atContinue = sent();
        figures.exits.push(await goesOn(hit.gateway));
        figures.sentTooLate += sent() - atContinue;
      } else {
        await hit.gateway.kill();
        await untilTaken(owners, lanes, owned);
        figures.takeOverMs.push(Math.round(performance.now() - from));
      }
      Object.assign(hit, await startNode(hit.options));
      const more = await untilAllReady(balancer, nodes, true);
      figures.endedLanes += more * carriers.length;
      figures.endedBySelf += more;
    }
    await someTexts(scene);
    await client.stop(5_000);
    // One after another, so that the acting role moves from node to node.
    for (const { gateway } of nodes) expect(await gateway.stop()).toEqual({ code: 0, signal: null });
    const { staleSubmits } = scene.smsc.counts();
    const finished = await finish(scene, client);
    return { ...finished, ...figures, staleSubmits, passedEvents: await log.passed() };
  } finally {
    await log.stop();
    await Promise.all(nodes.map(({ gateway }) => gateway.kill()));
    await balancer?.stop();
    await scene.close();
    rmSync(keyFolder, { recursive: true });
  }
}

/** Reads the event log behind everybody's back, as webhooks and the feed do. */
function readLog(server: TestPostgres, databaseUrl: string) {
  const reader = createLogReader();
  let isOver = false;
  const positions = async (after: number): Promise<number[]> => {
    const rows = await server.query(
      databaseUrl,
      `select position from events where position > ${after} order by position`,
    );
    return rows.map(({ position }) => Number(position));
  };
  const reading = (async () => {
    for (; !isOver; await wait(100)) {
      // No database, or no tables yet.
      const found = await positions(reader.cursor()).catch(() => []);
      reader.read(found);
    }
  })();
  const stop = async (): Promise<void> => {
    isOver = true;
    await reading;
  };
  return { stop, passed: async () => stop().then(async () => reader.passed(await positions(0))) };
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

type Kind = 'acting' | 'other' | 'pause' | 'pause other' | 'crash' | 'freeze';

function roundsOf({ kills, otherKills, pauses, absences }: Rounds): Kind[] {
  return [
    ...Array.from({ length: Math.max(kills, otherKills) }, (_, index) => [
      ...(index < kills ? (['acting'] as const) : []),
      ...(index < otherKills ? (['other'] as const) : []),
    ]).flat(),
    ...Array.from({ length: pauses }, (_, index) => (index % 2 === 0 ? ('pause other' as const) : ('pause' as const))),
    ...Array.from({ length: absences }, (_, index) => (index % 2 === 0 ? ('freeze' as const) : ('crash' as const))),
  ];
}

/** Who acts and has which carriers, once these are spread evenly. */
async function spreadOver(nodes: readonly Node[]): Promise<Map<Node, Pick<Ready, 'acts' | 'lanes'>>> {
  for (const end = performance.now() + readyMsMax; performance.now() < end; await wait(50)) {
    const found = await Promise.all(nodes.map(({ gateway }) => readiness(gateway.port)));
    const ready = found.flatMap((one) => one ?? []);
    const counts = ready.map(({ lanes }) => lanes.length);
    const isEven = Math.max(...counts) - Math.min(...counts) <= 1;
    const isWhole =
      ready
        .flatMap(({ lanes }) => lanes)
        .sort()
        .join() === carriers.join();
    const isLed = ready.filter(({ acts }) => acts).length === 1;
    if (ready.length === nodes.length && isEven && isWhole && isLed) {
      return new Map(nodes.map((node, place) => [node, { acts: ready[place]!.acts, lanes: ready[place]!.lanes }]));
    }
  }
  throw new Error('the carriers are not spread over the nodes');
}

type Owners = ReadonlyMap<string, string | null>;

/** The node of each carrier, from the record that all nodes compare. */
async function ownersIn(server: TestPostgres, databaseUrl: string): Promise<Owners> {
  const rows = await server.query(databaseUrl, 'select name as lane, node from owners');
  return new Map(rows.map(({ lane, node }) => [lane as string, node as string | null]));
}

/** Resolves once other nodes have taken over these carriers. */
async function untilTaken(owners: () => Promise<Owners>, lanes: readonly string[], before: Owners): Promise<void> {
  for (const end = performance.now() + readyMsMax; performance.now() < end; await wait(50)) {
    const now = await owners();
    if (lanes.every((lane) => now.get(lane) !== null && now.get(lane) !== before.get(lane))) return;
  }
  throw new Error('no node takes the carriers over');
}
