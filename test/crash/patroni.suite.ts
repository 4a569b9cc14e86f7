/**
 * Three gateways on a PostgreSQL that Patroni runs, under load through every door. Its leader is killed again and again: what
 * was answered with 200 is sent, copies are flagged, no carrier has two senders, all gateways stay, refuse with 503 and
 * `Retry-After` meanwhile, and accept soon after the new leader does.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, type TestOptions } from 'vitest';
import { startPatroni, type TestPatroni } from '../patroni.ts';
import { someTexts, startNode } from './nodes.ts';
import {
  acceptsAgain,
  cutOff,
  firstWrite,
  holdSessions,
  judgePatroni,
  openPatroniScene,
  type PatroniScene,
} from './patroni-scene.ts';
import { planted, report } from './rounds.ts';

export interface PatroniCounts {
  members: number;
  kills: number;
  /** Kills while the clocks of the gateways are a minute apart; 0 = not tried. */
  clocksApart: number;
  /** Times that others take every session of the server; 0 = not tried. */
  starved: number;
  /** Kills with a planted bug, which they have to find. 0 = not tried. */
  plantedKills: number;
  /** From the first write that the new leader accepts, by anybody, to the first that each gateway accepts. */
  acceptsMsMax: number;
  how?: TestOptions;
}

/** How long the server has no session to give. */
const starvedMs = 5_000;
const minuteMs = 60_000;
/** A message waits for the time of its gateway: with clocks a minute to both sides for two. */
const apartPatienceMs = 150_000;

export function patroniSuite(counts: PatroniCounts): void {
  let cluster: TestPatroni;
  beforeAll(async () => {
    const parameters = { synchronous_commit: 'remote_apply', max_connections: 60 };
    cluster = await startPatroni({ members: counts.members, synchronous: true, parameters });
  }, 300_000);
  afterAll(() => cluster?.remove());

  /** `work` with three gateways under load; then everything is judged. */
  async function play(
    options: { kills: number; nodeArguments?: string[]; clocksApart?: boolean },
    work: (scene: PatroniScene) => Promise<unknown>,
  ) {
    const clockMs = options.clocksApart ? [0, minuteMs, -minuteMs] : [0, 0, 0];
    const scene = await openPatroniScene(cluster, { clockMs, nodeArguments: options.nodeArguments ?? [] });
    try {
      await work(scene);
      const played = await scene.finish(options.clocksApart ? apartPatienceMs : undefined);
      return { ...played, kills: options.kills };
    } finally {
      await scene.close();
    }
  }

  describe('three gateways on a PostgreSQL of Patroni', counts.how ?? {}, () => {
    it('whose leader is killed: nothing acknowledged is lost, and the gateways go on with the next one', async () => {
      const acceptsMs: number[] = [];
      const played = await play({ kills: counts.kills }, async (scene) => {
        for (let round = 0; round < counts.kills; round += 1) acceptsMs.push(...(await killLeader(cluster, scene)));
      });
      report('patroni, leader killed', { ...played.verdict, ...played.clients, acceptsMs });
      judgePatroni(played);
      expect(played.clients.refused).toHaveProperty('503');
      for (const ms of acceptsMs) expect(ms).toBeLessThanOrEqual(counts.acceptsMsMax);
    });

    if (counts.clocksApart > 0) {
      it('with clocks a minute apart: the same', async () => {
        const played = await play({ kills: counts.clocksApart, clocksApart: true }, async (scene) => {
          for (let round = 0; round < counts.clocksApart; round += 1) await killLeader(cluster, scene);
        });
        report('patroni, clocks apart', { ...played.verdict, ...played.clients });
        judgePatroni(played);
      });
    }

    if (counts.starved > 0) {
      it('that has no session to give: 503 until it has, and every gateway has its carriers again', async () => {
        const played = await play({ kills: counts.starved }, async (scene) => {
          for (let round = 0; round < counts.starved; round += 1) {
            await someTexts(scene);
            const held = await holdSessions(cluster, scene.databaseUrl);
            try {
              await wait(starvedMs);
            } finally {
              held.release();
            }
            await acceptsAgain(scene.clients);
          }
        });
        report('patroni, starved', { ...played.verdict, ...played.clients });
        judgePatroni(played);
        expect(played.clients.refused).toHaveProperty('503');
      });
    }

    if (counts.plantedKills > 0) {
      it('finds the planted bug: answered before the commit', async () => {
        const nodeArguments = planted('answer-early');
        const { verdict } = await play({ kills: counts.plantedKills, nodeArguments }, async (scene) => {
          for (let round = 0; round < counts.plantedKills; round += 1) await killLeader(cluster, scene);
        });
        expect(verdict.lost.length).toBeGreaterThan(0);
      });
    }
  });
}

/** A standby that lacks commits is promoted, which Patroni does only where its settings keep none synchronous. */
export function asynchronousSuite(how: TestOptions = {}): void {
  describe('three gateways on a PostgreSQL of Patroni with an asynchronous standby', how, () => {
    it('say so; once it is promoted without the newest commits, all end, and the next start holds what waits', async () => {
      const cluster = await startPatroni({ members: 2, synchronous: false, parameters: { max_connections: 60 } });
      let scene: PatroniScene | null = null;
      try {
        scene = await openPatroniScene(cluster, { clockMs: [], nodeArguments: [] });
        for (const { gateway } of scene.nodes) expect(gateway.stderr()).toContain('standbys are asynchronous');
        // More than the carrier takes, so that messages wait.
        scene.behaviour.responseDelayMs = 400;
        await someTexts(scene);
        await someTexts(scene);
        const leader = await cluster.whole();
        const standby = cluster.members.find((member) => member !== leader)!;
        await cutOff(cluster, standby, scene.databaseUrl);
        await someTexts(scene);
        await cluster.kill(leader);
        cluster.signalPatroni(standby, 'SIGCONT');
        for (const node of scene.nodes) {
          expect(await node.gateway.exited, node.gateway.stderr().slice(-1_500)).toEqual({ code: 70, signal: null });
        }
        scene.behaviour.responseDelayMs = 0;
        for (const node of scene.nodes) Object.assign(node, await startNode(node.options));
        await acceptsAgain(scene.clients);
        const output = scene.nodes.map(({ gateway }) => gateway.stderr()).join('');
        // Whichever a gateway finds first: its commit is missing, or a timeline on which nobody need have it.
        expect(output).toMatch(/messages acknowledged last (are|may be) missing/i);
        expect(output).toContain('what waited is held');
        const { verdict, messages, staleSubmits } = await scene.finish();
        const held = messages.filter(({ state, code }) => state === 'held' && code === 'UNCERTAIN').length;
        report('patroni, asynchronous', {
          ...verdict,
          lost: verdict.lost.length,
          unrecorded: verdict.unrecorded.length,
          held,
        });
        // What the judge must notice: this is what a standby without `synchronous_mode` costs.
        expect(verdict.unrecorded.length).toBeGreaterThan(0);
        expect(held).toBeGreaterThan(0);
        expect(verdict.unflaggedDuplicates).toEqual([]);
        expect(staleSubmits).toBe(0);
      } finally {
        await scene?.close();
        await cluster.remove();
      }
    });
  });
}

/** One round; the ms from the new leader's first write to each gateway's. */
async function killLeader(cluster: TestPatroni, scene: PatroniScene): Promise<number[]> {
  await scene.untilNotedSynchronous();
  const leader = await cluster.whole();
  await someTexts(scene);
  await cluster.kill(leader);
  await firstWrite(cluster, scene.databaseUrl, leader);
  const acceptsMs = await acceptsAgain(scene.clients);
  await cluster.start(leader);
  return acceptsMs;
}
