/**
 * Two nodes on one PostgreSQL behind a load balancer, one of them acting. The acting node is killed, or paused for
 * longer than its lease and resumed. The standby takes over; nothing acknowledged is lost, copies are flagged, and the
 * paused node sends nothing more and exits.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, type TestOptions } from 'vitest';
import { startPostgres, type TestPostgres } from '../postgres.ts';
import { type Balancer, startBalancer } from '../props/balancer.ts';
import { takeOverMsMax } from '../props/cluster-rules.ts';
import type { Exit } from '../props/gateway.ts';
import { openScene } from '../props/scene.ts';
import { goesOn, type Node, optionsOf, sharedKey, someTexts, startNode } from './nodes.ts';
import { finish, planted, type RoundsResult, report, uncertainMoves } from './rounds.ts';

export interface StandbyCounts {
  kills: number;
  pauses: number;
  /** Pauses with the planted bug; they only have to find it. 0 = not tried. */
  plantedPauses: number;
  how?: TestOptions;
}

const window = 10;
/** Exit code of a node that another one has replaced (EX_SOFTWARE). */
const replacedExitCode = 70;

interface Played extends Omit<RoundsResult, 'exits'> {
  /** submit_sm from a node after its standby had taken over. */
  sentTooLate: number;
  /** Exits of the paused nodes. */
  exits: Exit[];
  takeOverMs: number[];
}

export function standbySuite(counts: StandbyCounts): void {
  let server: TestPostgres;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server?.remove());

  describe('two nodes, one acts', counts.how ?? {}, () => {
    it('killed by kill -9: the other takes over, nothing is lost, every copy is flagged', async () => {
      const { verdict, messages, takeOverMs } = await play(server, { kills: counts.kills, pauses: 0 });
      report('standby, killed', { ...verdict, takeOverMs });
      judgeSafe({ verdict, messages }, counts.kills);
    });

    it('paused past its lease: the other takes over, the first sends nothing more and exits', async () => {
      const played = await play(server, { kills: 0, pauses: counts.pauses });
      const { verdict, takeOverMs, sentTooLate, exits } = played;
      report('standby, paused', { ...verdict, takeOverMs, sentTooLate });
      judgeSafe(played, counts.pauses);
      expect(sentTooLate).toBe(0);
      for (const exit of exits) expect(exit).toEqual({ code: replacedExitCode, signal: null });
    });

    if (counts.plantedPauses === 0) return;

    it('finds the planted bug: sends without its lease', async () => {
      const { sentTooLate } = await play(server, { kills: 0, pauses: counts.plantedPauses }, planted('lease-blind'));
      expect(sentTooLate).toBeGreaterThan(0);
    });
  });
}

function judgeSafe({ verdict, messages }: Pick<Played, 'verdict' | 'messages'>, rounds: number): void {
  expect(verdict.lost).toEqual([]);
  expect(verdict.unrecorded).toEqual([]);
  expect(verdict.unflaggedDuplicates).toEqual([]);
  expect(verdict.duplicates).toBeLessThanOrEqual(rounds * window);
  expect(uncertainMoves(messages)).toBeLessThanOrEqual(rounds * window);
  expect(verdict.acknowledged).toBeGreaterThan(rounds * 20);
}

async function play(
  server: TestPostgres,
  { kills, pauses }: { kills: number; pauses: number },
  nodeArguments: string[] = [],
): Promise<Played> {
  const keyFolder = mkdtempSync(join(tmpdir(), 'helio-key-'));
  const env = { HELIO_STANDBY: '1', ...sharedKey(keyFolder) };
  const scene = await openScene({ window, databaseUrl: await server.createDatabase(), env });
  const nodes: Node[] = [];
  let balancer: Balancer | null = null;
  try {
    for (const name of ['a', 'b']) nodes.push(await startNode(await optionsOf(scene, name, nodeArguments)));
    balancer = await startBalancer(nodes.map(({ gateway }) => gateway.port));
    await untilReady(balancer, null);
    const client = scene.startClient({ port: balancer.port, requestsPerSecond: 400 });
    const figures = { sentTooLate: 0, exits: [] as Exit[], takeOverMs: [] as number[] };
    for (let round = 0; round < kills + pauses; round += 1) {
      await someTexts(scene);
      const acting = nodes.find(({ gateway }) => gateway.port === balancer!.ready())!;
      const from = performance.now();
      if (round < kills) {
        await acting.gateway.kill();
        await untilReady(balancer, acting.gateway.port);
        figures.takeOverMs.push(Math.round(performance.now() - from));
      } else {
        process.kill(acting.gateway.pid, 'SIGSTOP');
        // The sessions of the acting node: the standby has none yet.
        const sent = scene.smsc.watchOpenSessions();
        await untilReady(balancer, acting.gateway.port);
        figures.takeOverMs.push(Math.round(performance.now() - from));
        const before = sent();
        figures.exits.push(await goesOn(acting.gateway));
        figures.sentTooLate += sent() - before;
      }
      Object.assign(acting, await startNode(acting.options));
    }
    await someTexts(scene);
    await client.stop(5_000);
    const acting = nodes.find(({ gateway }) => gateway.port === balancer!.ready())!;
    for (const { gateway } of nodes) if (gateway !== acting.gateway) await gateway.kill();
    await acting.gateway.stop();
    return { ...(await finish(scene, client)), ...figures };
  } finally {
    await Promise.all(nodes.map(({ gateway }) => gateway.kill()));
    await balancer?.stop();
    await scene.close();
    rmSync(keyFolder, { recursive: true });
  }
}

async function untilReady(balancer: Balancer, not: number | null): Promise<void> {
  const end = performance.now() + takeOverMsMax * 4;
  while (balancer.ready() === null || balancer.ready() === not) {
    if (performance.now() > end) throw new Error('no node takes requests');
    await wait(20);
  }
}
