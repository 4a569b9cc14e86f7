/**
 * `node bench/held-snapshot.ts [--seconds 60] [--rate 1000]`: measures the cost of a long-lived database snapshot (an
 * open `repeatable read` transaction, such as a backup's or a report's). While it is open, deleted and replaced rows
 * cannot be vacuumed. Sends at a steady rate, ten recipients per request, to a carrier so slow that most messages are
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
import { startHelper } from './processes.ts';
import type { SinkCommand } from './sink.ts';
import type { OpenLoopParams, OpenLoopResult } from './webhook-load.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    rate: { type: 'string', default: '1000' },
    step: { type: 'string', default: '10' },
  },
});
const recipientsPerRequest = 10;
const rate = Number(values.rate);
const stepSeconds = Number(values.step);
/** Room for 1.5 times the rate. */
const carrier = { responseDelayMs: 20, window: Math.ceil(rate * 0.03) };

const folder = mkdtempSync(join(tmpdir(), 'helio-held-'));
const database = await startPostgres(['shared_preload_libraries=pg_stat_statements']);
const sink = startHelper<SinkCommand>('sink.ts', JSON.stringify({ responseDelayMs: carrier.responseDelayMs }));
const load = startHelper<OpenLoopParams>('webhook-load.ts');
let firstNumber = 0;
try {
  const databaseUrl = await database.createDatabase();
  await database.query(databaseUrl, 'create extension pg_stat_statements');
  const recordsFile = join(folder, 'records.json');
  writeLiveRecords(recordsFile, { smscPort: await sink.ask({ ask: 'port' }), window: carrier.window });
  const env = { HELIO_SANDBOX: '0', HELIO_LOG: 'error' };
  const gateway = await startGateway({ folder, recordsFile, databaseUrl, env });
  const holder = new Client({ connectionString: databaseUrl });
  await holder.connect();
  try {
    await step('warm-up', gateway.port, databaseUrl);
    await step('before', gateway.port, databaseUrl);
    await holder.query('begin isolation level repeatable read; select count(*) from deliveries');
    for (let passed = stepSeconds; passed <= Number(values.seconds); passed += stepSeconds)
      await step(`held for ${passed} s`, gateway.port, databaseUrl);
    await holder.query('commit');
    await step('let go', gateway.port, databaseUrl);
  } finally {
    await holder.end();
    await gateway.stop();
  }
} finally {
  for (const helper of [sink, load]) helper.stop();
  await database.remove();
  rmSync(folder, { recursive: true, force: true });
}

async function step(name: string, port: number, databaseUrl: string): Promise<void> {
  await database.query(databaseUrl, 'select pg_stat_statements_reset()');
  const requestsPerSecond = rate / recipientsPerRequest;
  const sent = await load.ask<OpenLoopResult>({
    ...{ port, requestsPerSecond, recipientsPerRequest, firstNumber },
    seconds: stepSeconds,
  });
  firstNumber += rate * stepSeconds;
  const { distinct } = await sink.ask<SmscCounts>({ ask: 'counts' });
  const [claims] = await database.query(
    databaseUrl,
    `select calls, mean_exec_time as mean, max_exec_time as max from pg_stat_statements
     where query like 'select d.message_id%d.due_at <= %' order by calls desc limit 1`,
  );
  const [work] = await database.query(databaseUrl, 'select sum(total_exec_time) as ms from pg_stat_statements');
  const [dead] = await database.query(
    databaseUrl,
    `select n_dead_tup as count from pg_stat_user_tables where relname = 'deliveries'`,
  );
  const ms = (value: unknown): string => Number(value ?? 0).toFixed(2);
  console.log(
    [
      name.padEnd(14),
      `accept p99 ${sent.acceptedP99Ms.toFixed(1)} ms, failed ${sent.failed}`,
      `behind ${firstNumber - distinct}`,
      `claims ${claims?.calls ?? 0}: ${ms(claims?.mean)} ms, longest ${ms(claims?.max)}`,
      `server ${((Number(work?.ms) * 1_000) / (rate * stepSeconds)).toFixed(0)} µs a message`,
      `dead deliveries ${dead?.count}`,
    ].join(' · '),
  );
}
