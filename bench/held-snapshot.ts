/**
 * `node bench/held-snapshot.ts [--seconds 60] [--rate 1000] [--step 10] [--receipts]`: measures the cost of a long-lived database
 * snapshot (an open `repeatable read` transaction, such as a backup's or a report's). While it is open, deleted and replaced
 * rows cannot be vacuumed. Sends at a steady rate, ten recipients per request, to a carrier so slow that most messages are
 * claimed from the queue.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { startPostgres } from '../test/postgres.ts';
import { startGateway } from '../test/props/gateway.ts';
import { writeLiveRecords } from '../test/props/live-records.ts';
import type { SmscCounts } from '../test/props/smsc.ts';
import type { OpenLoopParams, OpenLoopResult } from './open-loop.ts';
import { childrenCpuSeconds, startHelper, usageOf } from './processes.ts';
import type { SinkCommand } from './sink.ts';
import { createStatementTimes } from './statement-times.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    rate: { type: 'string', default: '1000' },
    step: { type: 'string', default: '10' },
    receipts: { type: 'boolean', default: false },
  },
});
const recipientsPerRequest = 10;
const rate = Number(values.rate);
const stepSeconds = Number(values.step);
/** Room for 1.5 times the rate; its delay is long beside what a busy machine adds to it. */
const carrier = { responseDelayMs: 100, window: Math.ceil(rate * 0.15) };
const shownStatements = 8;

interface Step {
  name: string;
  claims: number[];
  /** Pages that a claim looked at, on average: what else the machine does has no part in it. */
  claimPages: number;
  acceptedP99Ms: number;
  /** Messages that the carrier does not have yet. */
  behind: number;
  /** Processor time, µs a message. */
  serverUs: number;
  gatewayUs: number;
  /** Execution time of each statement, ms a second. */
  statements: Map<string, number>;
}

const folder = mkdtempSync(join(tmpdir(), 'helio-held-'));
const times = createStatementTimes();
const database = await startPostgres([...times.settings, 'shared_preload_libraries=pg_stat_statements'], times.onLog);
const sink = startHelper<SinkCommand>(
  'sink.ts',
  JSON.stringify({ responseDelayMs: carrier.responseDelayMs, ...(values.receipts && { receipts: 'after' }) }),
);
const load = startHelper<OpenLoopParams>('open-loop.ts');
let firstNumber = 0;
try {
  const databaseUrl = await database.createDatabase();
  const query = (sql: string) => database.query(databaseUrl, sql);
  await query('create extension pg_stat_statements');
  const [found] = await query(`select split_part(pg_read_file('postmaster.pid'), chr(10), 1) as pid`);
  const serverPid = Number(found!.pid);
  const recordsFile = join(folder, 'records.json');
  const smscPort = await sink.ask<number>({ ask: 'port' });
  writeLiveRecords(recordsFile, { smscPort, window: carrier.window, receipts: values.receipts });
  const env = { HELIO_SANDBOX: '0', HELIO_LOG: 'error' };
  const gateway = await startGateway({ folder, recordsFile, databaseUrl, env });
  const holder = new Client({ connectionString: databaseUrl });
  await holder.connect();
  const step = (name: string) => oneStep(name, { port: gateway.port, gatewayPid: gateway.pid, serverPid, query });
  try {
    await step('warm-up');
    const before = [await step('before'), await step('before')];
    await holder.query('begin isolation level repeatable read; select count(*) from deliveries');
    const held: Step[] = [];
    for (let passed = stepSeconds; passed <= Number(values.seconds); passed += stepSeconds)
      held.push(await step(`held for ${passed} s`));
    await holder.query('commit');
    await step('let go');
    showSums(before, held);
  } finally {
    await holder.end();
    await gateway.stop();
  }
} finally {
  for (const helper of [sink, load]) helper.stop();
  await database.remove();
  rmSync(folder, { recursive: true, force: true });
}

interface Measured {
  port: number;
  gatewayPid: number;
  serverPid: number;
  query(sql: string): Promise<Record<string, unknown>[]>;
}

async function oneStep(name: string, { port, gatewayPid, serverPid, query }: Measured): Promise<Step> {
  await query('select pg_stat_statements_reset()');
  times.reset();
  const cpu = () => ({
    server: childrenCpuSeconds(serverPid) + (usageOf(serverPid)?.cpuSeconds ?? 0),
    gateway: usageOf(gatewayPid)?.cpuSeconds ?? 0,
  });
  const before = cpu();
  const requestsPerSecond = rate / recipientsPerRequest;
  const sent = await load.ask<OpenLoopResult>({
    ...{ port, requestsPerSecond, recipientsPerRequest, firstNumber },
    seconds: stepSeconds,
  });
  firstNumber += rate * stepSeconds;
  const { distinct, receiptsAcknowledged } = await sink.ask<SmscCounts>({ ask: 'counts' });
  const after = cpu();
  const perMessage = (which: 'server' | 'gateway') => ((after[which] - before[which]) * 1e6) / (rate * stepSeconds);
  const [due] = await query(
    `select coalesce(sum(shared_blks_hit + shared_blks_read) / sum(calls), 0) as pages from pg_stat_statements
     where query like 'update deliveries%d.due_at <= %'`,
  );
  const rows = await query(
    `select regexp_replace(left(query, 90), '\\s+', ' ', 'g') as text, sum(total_exec_time) as ms from pg_stat_statements group by 1`,
  );
  const [dead] = await query(`select n_dead_tup as count from pg_stat_user_tables where relname = 'deliveries'`);
  const done: Step = {
    name,
    claims: times.of('claim_due'),
    claimPages: Number(due!.pages),
    acceptedP99Ms: sent.acceptedP99Ms,
    behind: firstNumber - distinct,
    serverUs: perMessage('server'),
    gatewayUs: perMessage('gateway'),
    statements: new Map(rows.map(({ text, ms }) => [String(text), Number(ms) / stepSeconds])),
  };
  console.log(
    [
      name.padEnd(14),
      `accept p99 ${sent.acceptedP99Ms.toFixed(1)} ms, failed ${sent.failed}`,
      `behind ${done.behind}`,
      ...(values.receipts ? [`receipts behind ${firstNumber - receiptsAcknowledged}`] : []),
      claimsOf([done]),
      `server ${done.serverUs.toFixed(0)}, gateway ${done.gatewayUs.toFixed(0)} µs a message`,
      `dead deliveries ${dead?.count}`,
    ].join(' · '),
  );
  return done;
}

function claimsOf(steps: readonly Step[]): string {
  const all = steps.flatMap(({ claims }) => claims).sort((one, other) => one - other);
  const at = (part: number) => (all[Math.floor(all.length * part)] ?? 0).toFixed(3);
  return `claims ${all.length}: p50 ${at(0.5)}, p99 ${at(0.99)}, longest ${(all.at(-1) ?? 0).toFixed(1)} ms, ${mean(steps, (one) => one.claimPages).toFixed(0)} pages each`;
}

function mean(steps: readonly Step[], of: (step: Step) => number): number {
  return steps.reduce((sum, step) => sum + of(step), 0) / steps.length;
}

/** What all held steps had together, and which statements took more at the end than before. */
function showSums(before: readonly Step[], held: readonly Step[]): void {
  const last = held.slice(-before.length);
  for (const [name, steps] of Object.entries({ 'without it': before, 'while held': held, 'its end': last })) {
    const [server, gateway] = [mean(steps, (one) => one.serverUs), mean(steps, (one) => one.gatewayUs)];
    console.log(
      `\n${name}: ${claimsOf(steps)} · server ${server.toFixed(0)}, gateway ${gateway.toFixed(0)} µs a message · most behind ${Math.max(...steps.map((one) => one.behind))}`,
    );
  }
  const costOf = (steps: readonly Step[], text: string) => mean(steps, (one) => one.statements.get(text) ?? 0);
  const grown = [...new Set(last.flatMap(({ statements }) => [...statements.keys()]))]
    .map((text) => ({ text, 'ms/s before': costOf(before, text), 'ms/s at the end': costOf(last, text) }))
    .sort((one, other) => other['ms/s at the end'] - other['ms/s before'] - one['ms/s at the end'] + one['ms/s before'])
    .slice(0, shownStatements);
  console.log('\nthe statements whose time grew most:');
  for (const one of grown)
    console.log(
      `${one['ms/s before'].toFixed(2).padStart(8)} → ${one['ms/s at the end'].toFixed(2).padStart(8)} ms a second  ${one.text}`,
    );
}
