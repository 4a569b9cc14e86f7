/**
 * What NOTIFY costs: commits a second of many sessions on one PostgreSQL without it, beside one session that notifies every
 * 20 ms as gateways do, and with NOTIFY in each commit. In turn, so that whatever else the machine does hits all three.
 *
 *   node bench/notify.ts [--writers 64] [--seconds 4] [--rounds 3]
 */
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { startPostgres } from '../test/postgres.ts';

const { values } = parseArgs({
  options: {
    writers: { type: 'string', default: '64' },
    seconds: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '3' },
  },
});
const writers = Number(values.writers);
const seconds = Number(values.seconds);
const rounds = Number(values.rounds);
/** As `store/postgres-hints.ts` rests. */
const restMs = 20;
const kinds = ['none', 'beside', 'in each'] as const;

const server = await startPostgres();
const connectionString = await server.createDatabase();
const clients: Client[] = [];
try {
  for (let index = 0; index < writers + 2; index += 1) {
    const client = new Client({ connectionString });
    await client.connect();
    clients.push(client);
  }
  const [listener, teller, ...others] = clients;
  await listener!.query('create table written (a bigint); listen hints');
  await teller!.query('set synchronous_commit = off');
  const rates = new Map<string, number[]>(kinds.map((kind) => [kind, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const kind of kinds) rates.get(kind)!.push(await commitsPerSecond(kind, others, teller!));
  }
  for (const [kind, found] of rates) console.log(kind.padEnd(8), found.map(Math.round).join(' '), 'commits a second');
} finally {
  await Promise.all(clients.map((client) => client.end()));
  await server.remove();
}

async function commitsPerSecond(kind: (typeof kinds)[number], own: readonly Client[], teller: Client): Promise<number> {
  const sql = kind === 'in each' ? "begin; insert into written values (1); notify hints, 'a'; commit" : undefined;
  const end = performance.now() + seconds * 1_000;
  let commits = 0;
  const write = async (client: Client) => {
    for (; performance.now() < end; commits += 1)
      await client.query(sql ?? 'begin; insert into written values (1); commit');
  };
  const notify = async () => {
    for (; kind === 'beside' && performance.now() < end; await wait(restMs)) await teller.query("notify hints, 'a'");
  };
  await Promise.all([...own.map(write), notify()]);
  return commits / seconds;
}
