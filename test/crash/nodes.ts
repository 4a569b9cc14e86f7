/** The gateways of a suite in which several share a database: each in a folder and on a port of its own. */
import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '../../packages/gateway/src/cli/prove/free-port.ts';
import type { Balancer } from '../props/balancer.ts';
import { takeOverMsMax } from '../props/cluster-rules.ts';
import { type Exit, type Gateway, type GatewayOptions, spawnGateway } from '../props/gateway.ts';
import type { Scene } from '../props/scene.ts';

export interface Node {
  options: GatewayOptions;
  gateway: Gateway;
}

/** A start on a busy machine. */
export const readyMsMax = 120_000;

export async function startNode(options: GatewayOptions): Promise<Node> {
  return { options, gateway: await spawnGateway(options) };
}

/** Writes the key that all gateways on one database share into the folder. */
export function sharedKey(folder: string): { HELIO_SECRET_KEY_FILE: string } {
  const keyFile = join(folder, 'shared.key');
  writeFileSync(keyFile, randomBytes(32).toString('hex'), { mode: 0o600 });
  return { HELIO_SECRET_KEY_FILE: keyFile };
}

/** The settings of all gateways on one database, with a fresh key in the folder. */
export const clusterEnv = (folder: string) => ({ HELIO_CLUSTER: '1', ...sharedKey(folder) });

/** Each node has a data folder and a port of its own. */
export async function optionsOf(scene: Scene, name: string, nodeArguments: string[]): Promise<GatewayOptions> {
  const folder = join(scene.folder, name);
  mkdirSync(folder);
  return { ...scene.gatewayOptions, folder, port: await freePort(), nodeArguments };
}

/** Resolves a moment after new texts have reached the carrier. */
export async function someTexts(scene: Pick<Scene, 'acceptedCount'>): Promise<void> {
  const before = scene.acceptedCount();
  const end = performance.now() + takeOverMsMax;
  while (scene.acceptedCount() < before + 40 && performance.now() < end) await wait(5);
  await wait(Math.random() * 300);
}

/** Resumes the paused node and returns its exit. */
export async function goesOn(gateway: Gateway): Promise<Exit> {
  process.kill(gateway.pid, 'SIGCONT');
  const ended = await Promise.race([gateway.exited, wait(takeOverMsMax, null, { ref: false })]);
  if (ended === null) throw new Error(`the replaced node did not end: ${gateway.stderr().slice(-2_000)}`);
  return ended;
}

/**
 * Resolves when the balancer sends to all of them. `supervised`: one that ends meanwhile, as it may lose its lease on a slow
 * machine, is started again; resolves with how many were.
 */
export async function untilAllReady(balancer: Balancer, nodes: readonly Node[], supervised = false): Promise<number> {
  const end = performance.now() + readyMsMax;
  let restarted = 0;
  while (balancer.allReady().length < nodes.length) {
    if (performance.now() > end) {
      const outputs = nodes.map(({ gateway }) => gateway.stderr().slice(-1_500));
      throw new Error(`not all nodes take requests: ${outputs.join('\n---\n')}`);
    }
    for (const node of supervised ? nodes : []) {
      if (await isRunning(node.gateway)) continue;
      Object.assign(node, await startNode(node.options));
      restarted += 1;
    }
    await wait(20);
  }
  return restarted;
}

export async function isRunning(gateway: Gateway): Promise<boolean> {
  return (await Promise.race([gateway.exited, wait(0, null)])) === null;
}

/** What one of several nodes says of itself. */
export interface Ready {
  acts: boolean;
  node: string;
  lanes: string[];
  duties: string[];
}

export async function readiness(port: number): Promise<Ready | null> {
  try {
    const init = { headers: { connection: 'close' }, signal: AbortSignal.timeout(1_000) };
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`, init);
    return ((await answer.json()) as { data?: Ready }).data ?? null;
  } catch {
    return null;
  }
}
