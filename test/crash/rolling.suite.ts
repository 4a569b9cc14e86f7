/**
 * Gateways of two neighbouring versions on one PostgreSQL: one after the other is stopped and started as the next version,
 * under load through a load balancer. Every request is taken in the end, nothing is lost or sent twice, and each stop drains in
 * time. A version whose schema cannot be shared is refused until all others are stopped.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, type TestOptions } from 'vitest';
import { migrations } from '../../packages/gateway/src/store/migrate.ts';
import { checkOutVersion, type EarlierVersion } from '../earlier.ts';
import { startPostgres, type TestPostgres } from '../postgres.ts';
import { type Balancer, startBalancer } from '../props/balancer.ts';
import type { Client } from '../props/client.ts';
import { type GatewayOptions, spawnGateway, startGateway } from '../props/gateway.ts';
import { openScene, type Scene } from '../props/scene.ts';
import { clusterEnv, type Node, optionsOf, startNode } from './nodes.ts';
import { finish, planted, report } from './rounds.ts';

/** The version published last, and the newest schema that it knows. */
const published = { tag: 'v0.2.0', schema: 29 };
const nodeCount = 3;
/** Containers are killed this long after the signal to stop. */
const stopMsMax = 10_000;
const readyMsMax = 120_000;
const textsEach = 60;
/** As the launcher of a gateway that may not start exits (EX_CONFIG). */
const refusedExitCode = 78;
const refusal = 'The schema of this database is of an older version, and nodes run on it.';

/** Which gateway; this version's by default. */
type Program = Pick<GatewayOptions, 'checkout' | 'nodeArguments'>;

interface Rolling {
  scene: Scene;
  client: Client;
  nodes: Node[];
  stopMs: number[];
  server: TestPostgres;
  databaseUrl: string;
  /** Stops the node, and starts another program in its place. */
  replace(node: Node, by: Program): Promise<void>;
  /** Resolves once so many more requests were taken. */
  someRequests(): Promise<void>;
}

export function rollingSuite(how: TestOptions = {}): void {
  let server: TestPostgres;
  let earlier: EarlierVersion;
  beforeAll(async () => {
    earlier = checkOutVersion(published.tag);
    server = await startPostgres();
  });
  afterAll(async () => {
    await server?.remove();
    earlier?.remove();
  });

  const since = migrations.filter(({ version }) => version > published.schema);
  const isShared = since.every(({ besideOlder }) => besideOlder);

  describe('gateways of two versions', how, () => {
    it.runIf(isShared)(`${published.tag} is replaced by this version, one gateway after the other`, async () => {
      await play(server, { checkout: earlier.checkout }, async (rolling) => {
        for (const node of rolling.nodes) await rolling.replace(node, {});
      });
    });

    it.skipIf(isShared)(`${published.tag} is not replaced one after the other: this version is refused`, async () => {
      await play(server, { checkout: earlier.checkout }, async (rolling) => {
        await refusedBeside(rolling, {});
        await replaceAll(rolling, {});
      });
    });

    it('a later version brings its schema beside this one, which can still be started', async () => {
      await play(server, {}, async (rolling) => {
        const [first, second] = rolling.nodes;
        const next = { nodeArguments: planted('schema-beside') };
        await rolling.replace(first!, next);
        expect(await schemaOf(rolling)).toEqual({ version: migrations.length + 1, shared: String(migrations.length) });
        // A gateway of this version ends and comes back; then it goes on as the later one.
        await rolling.replace(second!, {});
        for (const node of rolling.nodes) if (node !== first) await rolling.replace(node, next);
      });
    });

    it('a later version with a schema of its own is refused until all others are stopped', async () => {
      await play(server, {}, async (rolling) => {
        const next = { nodeArguments: planted('schema-apart') };
        await refusedBeside(rolling, next);
        expect(await schemaOf(rolling)).toEqual({ version: migrations.length, shared: null });
        await replaceAll(rolling, next);
      });
    });
  });
}

async function play(server: TestPostgres, first: Program, work: (rolling: Rolling) => Promise<void>): Promise<void> {
  const keyFolder = mkdtempSync(join(tmpdir(), 'helio-key-'));
  const env = clusterEnv(keyFolder);
  const databaseUrl = await server.createDatabase();
  const scene = await openScene({ window: 10, databaseUrl, env, smppCarriers: 4 });
  const nodes: Node[] = [];
  const stopMs: number[] = [];
  let balancer: Balancer | null = null;
  try {
    const options = await Promise.all(
      Array.from({ length: nodeCount }, (_, place) => optionsOf(scene, `n${place}`, [])),
    );
    nodes.push(...(await Promise.all(options.map((own) => startNode({ ...own, ...first })))));
    balancer = await startBalancer(
      nodes.map(({ gateway }) => gateway.port),
      { inTurn: true },
    );
    const allReady = async () => {
      for (const end = performance.now() + readyMsMax; balancer!.allReady().length < nodeCount; await wait(20)) {
        if (performance.now() > end) throw new Error(`not all take requests: ${outputOf(nodes)}`);
      }
    };
    await allReady();
    const client = scene.startClient({ port: balancer.port, requestsPerSecond: 200, retry: true });
    const someRequests = async () => {
      const goal = client.acknowledged.size + textsEach;
      for (const end = performance.now() + readyMsMax; client.acknowledged.size < goal; await wait(20)) {
        if (performance.now() > end) throw new Error(`no requests are taken: ${outputOf(nodes)}`);
      }
    };
    await someRequests();
    await work({
      scene,
      client,
      nodes,
      stopMs,
      server,
      databaseUrl,
      someRequests,
      async replace(node, by) {
        await stop(node, stopMs);
        // The others take what comes.
        await someRequests();
        const { checkout: _before, nodeArguments: _plants, ...own } = node.options;
        Object.assign(node, await startNode({ ...own, ...by }));
        await allReady();
        await someRequests();
      },
    });
    await client.stop(30_000);
    const [last, ...others] = nodes;
    for (const node of others) await stop(node, stopMs);
    await stop(last!, stopMs);
    const { verdict } = await finish(withProgramOf(scene, last!), client);
    report('rolling upgrade', { ...verdict, stopMs, ...client.counts() });
    expect(verdict).toMatchObject({ lost: [], unrecorded: [], unflaggedDuplicates: [], duplicates: 0 });
    expect(verdict.acknowledged).toBe(client.counts().requests);
    for (const ms of stopMs) expect(ms).toBeLessThanOrEqual(stopMsMax);
  } finally {
    await Promise.all(nodes.map(({ gateway }) => gateway.kill()));
    await balancer?.stop();
    await scene.close();
    rmSync(keyFolder, { recursive: true });
  }
}

/** The last gateway is of the version that the database has by then. */
function withProgramOf(scene: Scene, { options: { checkout, nodeArguments } }: Node): Scene {
  const program = {
    ...(checkout !== undefined && { checkout }),
    ...(nodeArguments !== undefined && { nodeArguments }),
  };
  return { ...scene, gatewayOptions: { ...scene.gatewayOptions, ...program } };
}

async function stop({ gateway }: Node, stopMs: number[]): Promise<void> {
  const from = performance.now();
  expect(await gateway.stop()).toEqual({ code: 0, signal: null });
  stopMs.push(Math.round(performance.now() - from));
}

/** One more gateway, of a version that must not run beside these, while they go on. */
async function refusedBeside({ scene, someRequests }: Rolling, program: Program): Promise<void> {
  const own = await optionsOf(scene, 'refused', []);
  const gateway = await spawnGateway({ ...own, ...program });
  try {
    await someRequests();
    expect(await gateway.exited, gateway.stderr().slice(-1_000)).toEqual({ code: refusedExitCode, signal: null });
    expect(gateway.stderr()).toContain(refusal);
    await someRequests();
  } finally {
    await gateway.kill();
  }
}

async function replaceAll({ nodes, stopMs, someRequests }: Rolling, program: Program): Promise<void> {
  for (const node of nodes) await stop(node, stopMs);
  for (const node of nodes) {
    const { checkout: _before, nodeArguments: _plants, ...own } = node.options;
    const options = { ...own, ...program };
    Object.assign(node, { options, gateway: await startGateway(options) });
  }
  await someRequests();
}

async function schemaOf({ server, databaseUrl }: Rolling): Promise<{ version: number; shared: string | null }> {
  const [found] = await server.query(
    databaseUrl,
    `select (select max(version)::int from schema_versions) as version,
       (select value from settings where name = 'schema_shared_from') as shared`,
  );
  return { version: found!.version as number, shared: found!.shared as string | null };
}

const outputOf = (nodes: readonly Node[]): string =>
  nodes.map(({ gateway }) => gateway.stderr().slice(-1_500)).join('\n---\n');
