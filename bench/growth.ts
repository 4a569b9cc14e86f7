/**
 * `node bench/growth.ts [--sizes 10000,1000000,10000000]`: what a message costs PostgreSQL with so many stored ones, and how much
 * more that is than in an empty store beside it, in turns. Each step is driven in groups, as the gateway drives it under load.
 * `--data FOLDER` fills a store there and keeps it; one that was interrupted goes on, with the same sizes. `--free-gb 12` stops
 * the fill before the disk has less; `--keep` leaves the server running after the last size, for queries by hand, until the
 * process is interrupted; `--server shared_buffers=4GB` is a setting of the server.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { openStore } from '../packages/gateway/src/app/open-store.ts';
import type { Store } from '../packages/gateway/src/app/store.ts';
import { createIds } from '../packages/gateway/src/kernel/ids.ts';
import { silentLogger } from '../packages/gateway/src/kernel/logger.ts';
import { machineClock, machineRandom } from '../packages/gateway/src/kernel/machine.ts';
import { createLogPartitions } from '../packages/gateway/src/store/postgres-partitions.ts';
import { startPostgres } from '../test/postgres.ts';
import { divide, fill, type Query } from './growth-fill.ts';
import { childrenCpuSeconds, usageOf } from './processes.ts';
import { benchItem, benchReceipt, benchSent } from './store-messages.ts';

const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '10000,1000000' },
    messages: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '5' },
    group: { type: 'string', default: '25' },
    'free-gb': { type: 'string', default: '12' },
    keep: { type: 'boolean', default: false },
    data: { type: 'string' },
    server: { type: 'string', multiple: true, default: [] },
  },
});
const sizes = values.sizes.split(',').map(Number);
const [messages, rounds, group] = [Number(values.messages), Number(values.rounds), Number(values.group)];
/** So many are deleted in a round, and as many lose their texts: the empty store has enough of both. */
const old = messages / 2;
/** A process's time has steps of 10 ms: so many that these are no part of the figure. */
const looks = 2_000;
const steps = [
  'accept',
  'claim and settle',
  'rows',
  'receipt',
  'list of 50',
  'one message',
  'deleted',
  'emptied',
] as const;
type Step = (typeof steps)[number];
const ids = createIds(machineClock, machineRandom);
let made = 0;

/** Of a step: processor time of all processes of the server, and time that passed; µs for each message or look. */
interface Cost {
  server: number;
  passed: number;
}
type Round = Record<Step, Cost>;

const folder = values.data === undefined ? null : resolve(values.data);
const database = await startPostgres(values.server, () => {}, folder);
try {
  const databaseUrl = await theDatabase();
  const query = queryOf(databaseUrl);
  const log = createLogPartitions({ databaseUrl, clock: machineClock, logger: silentLogger });
  let filled = 0;
  for (const size of sizes) {
    const fillStarted = performance.now();
    await fill(databaseUrl, query, { from: filled, to: size, of: Math.max(...sizes) }, async () => {
      refuseFullDisk();
      await log.keep();
    });
    filled = size;
    const fillSeconds = (performance.now() - fillStarted) / 1_000;
    const [empty, full] = await measured([await database.createDatabase(), databaseUrl]);
    const partitions = (await query(`select 1 from pg_inherits where inhparent = 'events'::regclass`)).length;
    const [bytes] = await query(`select pg_size_pretty(pg_database_size(current_database())) as size`);
    const facts = [bytes!.size, `${partitions} partitions of the log`, `filled in ${fillSeconds.toFixed(0)} s`];
    show(`${size.toLocaleString('en')} stored (${facts.join(', ')})`, full!, empty!);
  }
  if (values.keep) {
    console.log(`\nkept until SIGINT: ${databaseUrl}`);
    const alive = setInterval(() => {}, 60_000);
    await once(process, 'SIGINT');
    clearInterval(alive);
  }
} finally {
  await database.remove();
}

/** The one that an earlier run with the same sizes began to fill, or a new one with its schema. */
async function theDatabase(): Promise<string> {
  const note = folder === null ? null : join(folder, 'filled-database');
  if (note !== null && existsSync(note)) return readFileSync(note, 'utf8');
  const url = await database.createDatabase();
  await (await opened(url)).close();
  await divide(queryOf(url));
  if (note !== null) writeFileSync(note, url);
  return url;
}

function refuseFullDisk(): void {
  const { bavail, bsize } = statfsSync(folder ?? tmpdir());
  const freeGb = (bavail * bsize) / 1e9;
  if (freeGb < Number(values['free-gb']))
    throw new Error(`the disk has ${freeGb.toFixed(1)} GB free, less than --free-gb ${values['free-gb']}`);
}

interface Stored {
  accountId: string;
  messageId: string;
}

/** Some of the stored messages, evenly from all of their time. */
async function someStored(query: Query): Promise<Stored[]> {
  const found = await query(
    `select e.account_id, e.message_id from generate_series(1, ${looks}) n
     join events e on e.position = n * (select max(position) from events) / ${looks + 1}`,
  );
  return found.map((row) => ({ accountId: String(row.account_id), messageId: String(row.message_id) }));
}

/** The process whose children are the sessions. */
async function serverPid(query: Query): Promise<number> {
  const [found] = await query(`select split_part(pg_read_file('postmaster.pid'), chr(10), 1) as pid`);
  return Number(found!.pid);
}

function opened(databaseUrl: string): Promise<Store> {
  return openStore({ databaseUrl, dataDir: tmpdir(), role: 'node', clock: machineClock });
}

function queryOf(databaseUrl: string): Query {
  return (sql) => database.query(databaseUrl, sql);
}

/** The median of the rounds of each database, which take turns: the machine may be slower at one time than at another. */
async function measured(databaseUrls: readonly string[]): Promise<Round[]> {
  const sides = await Promise.all(databaseUrls.map(async (url) => ({ store: await opened(url), query: queryOf(url) })));
  const all = sides.map((): Partial<Round>[] => []);
  const server = await serverPid(sides[0]!.query);
  for (const { store, query } of sides) {
    await query('vacuum analyze');
    // Every session prepares its statements, and an empty store gets messages to look at.
    await oneRound(store, server, []);
  }
  await sides[0]!.query('checkpoint');
  const stored = await Promise.all(sides.map(({ query }) => someStored(query)));
  for (let round = 0; round < rounds; round += 1)
    for (const [index, { store }] of sides.entries()) all[index]!.push(await oneRound(store, server, stored[index]!));
  // Afterwards, because the looks above are at messages that an empty store has no more of then. Other messages lose their
  // texts than those that were deleted right before, whose pages are in memory.
  for (const step of ['deleted', 'emptied'] as const)
    for (let round = 0; round < rounds; round += 1)
      for (const [index, { store, query }] of sides.entries()) {
        const before = await timeOfOldest(query, old * (step === 'emptied' ? round + 1 : 1));
        const cut = { bodiesBefore: step === 'emptied' ? before : 0, messagesBefore: step === 'deleted' ? before : 0 };
        all[index]![round]![step] = await cost(server, old, () => forget(store, cut));
      }
  for (const { store } of sides) await store.close();
  return all.map(medians);
}

function medians(all: readonly Partial<Round>[]): Round {
  const middle = (step: Step, what: keyof Cost): number =>
    all.map((one) => one[step]![what]).sort((one, other) => one - other)[Math.floor(all.length / 2)]!;
  const costs = steps.map((step) => [step, { server: middle(step, 'server'), passed: middle(step, 'passed') }]);
  return Object.fromEntries(costs) as Round;
}

async function cost(server: number, count: number, work: () => Promise<unknown>): Promise<Cost> {
  const [cpu, at] = [serverSeconds(server), performance.now()];
  await work();
  return {
    passed: ((performance.now() - at) * 1_000) / count,
    server: ((serverSeconds(server) - cpu) * 1e6) / count,
  };
}

/** When the account's message was accepted that follows on its `count` oldest. */
async function timeOfOldest(query: Query, count: number): Promise<number> {
  const [found] = await query(
    `select m.accepted_at::text as at from account_messages a join deliveries d on d.message_id = a.message_id
       join messages m on m.request_id = d.request_id
     where a.account_id = 'acc_bench' and a.direction = 'outbound' order by a.message_id offset ${count} limit 1`,
  );
  return Number(found!.at);
}

/** As retention does it, which leaves the events to be dropped with their partition. */
async function forget(store: Store, cut: { bodiesBefore: number; messagesBefore: number }): Promise<void> {
  const now = machineClock.now();
  let cursor: string | null = null;
  do {
    const step = { accountId: 'acc_bench', endpointIds: [], now, limit: 2_000, cursor, eventsStayTo: now };
    ({ cursor } = await store.forgetMessages({ ...step, ...cut }));
  } while (cursor !== null);
}

async function oneRound(store: Store, server: number, stored: readonly Stored[]): Promise<Partial<Round>> {
  const taken: { to: string; carrierMessageId: string }[] = [];
  return {
    accept: await cost(server, messages, async () => {
      for (let left = messages; left > 0; left -= group)
        await store.accept(Array.from({ length: Math.min(group, left) }, newItem));
    }),
    'claim and settle': await cost(server, messages, async () => {
      while (taken.length < messages) {
        const claims = await store.claim({ lane: 'bench', limit: group, now: machineClock.now(), token: store.token });
        const named = claims.map((claim) => ({ claim, carrierMessageId: randomUUID() }));
        await store.settle(named.map(({ claim, carrierMessageId }) => benchSent(claim, carrierMessageId)));
        taken.push(...named.map(({ claim, carrierMessageId }) => ({ to: claim.to, carrierMessageId })));
      }
    }),
    // Until now the journal has them.
    rows: await cost(server, messages, () => store.newestEventAt()),
    receipt: await cost(server, messages, async () => {
      for (let at = 0; at < messages; at += group)
        await store.receipts(
          taken.slice(at, at + group).map(({ to, carrierMessageId }) => benchReceipt(to, carrierMessageId)),
        );
    }),
    'list of 50': await cost(server, looks, async () => {
      const query = { accountId: 'acc_bench', direction: 'outbound', from: null, to: null, limit: 50 } as const;
      for (let look = 0; look < looks; look += 1)
        await store.messages({ ...query, before: stored[look % Math.max(1, stored.length)]?.messageId ?? null });
    }),
    'one message': await cost(server, looks, async () => {
      for (const { accountId, messageId } of stored) await store.message(accountId, messageId);
    }),
  };
}

function newItem() {
  made += 1;
  return benchItem(made, { requestId: ids.request(), messageId: ids.message(), referenceId: ids.uuidv7() });
}

function serverSeconds(pid: number): number {
  return (usageOf(pid)?.cpuSeconds ?? 0) + childrenCpuSeconds(pid);
}

function show(name: string, found: Round, empty: Round): void {
  console.log(`\n${name}`);
  for (const step of steps) {
    const [now, then] = [found[step], empty[step]];
    const column = (what: keyof Cost): string =>
      `${what} ${then[what].toFixed(0).padStart(6)} → ${now[what].toFixed(0).padStart(6)} µs  ${(now[what] / then[what]).toFixed(2)}×`;
    console.log([step.padEnd(17), column('server'), column('passed')].join('   '));
  }
}
