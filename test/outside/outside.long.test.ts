/**
 * Gateways as strangers see them, on a PostgreSQL of Patroni: 20 rounds of each fault with HELIO_LONG=full, and planted bugs.
 * Needs Debian's packages patroni, etcd-server, haproxy and postgresql.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isFull, type Plant, planted } from '../crash/rounds.ts';
import { startPatroni, type TestPatroni } from '../patroni.ts';
import { expectSound, type Fault, play } from './outside.suite.ts';

const rounds = isFull ? 20 : 2;
let cluster: TestPatroni;
beforeAll(async () => {
  const parameters = { synchronous_commit: 'remote_apply', max_connections: 60 };
  cluster = await startPatroni({ members: 2, synchronous: true, parameters });
}, 300_000);
afterAll(() => cluster?.remove());

async function loseDatabase(): Promise<void> {
  const leader = await cluster.whole();
  await cluster.kill(leader);
  while ((await cluster.leader()) === null) await wait(100);
  await cluster.start(leader);
  await cluster.whole();
}

const played = async (faults: Fault[], plant?: Plant) => {
  const databaseUrl = await cluster.createDatabase();
  const result = await play({
    databaseUrl,
    loseDatabase,
    faults,
    ...(plant !== undefined && { nodeArguments: planted(plant) }),
  });
  console.log('outside', plant ?? 'no bug', JSON.stringify(result));
  return result;
};

it('three gateways, killed, paused, and with their database failing over', async () => {
  expectSound(await played(Array.from({ length: rounds }, () => ['kill', 'pause', 'database'] as const).flat()));
});

it.each([
  ['answer-early', ['kill', 'kill', 'kill'], 'acknowledged and never at the carrier'],
  ['lease-blind', ['pause', 'pause', 'pause'], 'from an older session of a carrier than the one that sends'],
  ['send-early', ['kill', 'kill', 'kill'], 'at the carrier more than once and not flagged'],
] as const)('finds the planted bug %s', async (plant, faults, rule) => {
  const { broken } = await played([...faults], plant);
  expect(broken.join()).toContain(rule);
});
