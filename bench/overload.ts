/**
 * `node bench/overload.ts [--postgres] [--recipients 1] [--factor 5] [--seconds 10] [--limit 0]`: the throughput under
 * overload. Measures the peak in a closed loop, then offers a multiple of it in an open loop, and then the peak again.
 * `--window` and `--carrier-delay-ms` make the carrier slow; `--limit` sets the longest wait for the carrier in
 * seconds.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { freePort } from '../packages/gateway/src/cli/prove/free-port.ts';
import { startPostgres } from '../test/postgres.ts';
import { type Gateway, startGateway } from '../test/props/gateway.ts';
import { writeLiveRecords } from '../test/props/live-records.ts';
import type { SmscCounts } from '../test/props/smsc.ts';
import type { LoadQuestion, LoadResult } from './load.ts';
import { startHelper } from './processes.ts';
import type { SinkQuestion } from './sink.ts';
import type { OpenLoopQuestion, OpenLoopResult } from './webhook-load.ts';

const { values } = parseArgs({
  options: {
    postgres: { type: 'boolean', default: false },
    recipients: { type: 'string', default: '1' },
    factor: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '10' },
    limit: { type: 'string', default: '0' },
    window: { type: 'string', default: '100' },
    'carrier-delay-ms': { type: 'string', default: '0' },
    connections: { type: 'string', default: '500' },
  },
});
const recipientsPerRequest = Number(values.recipients);
const seconds = Number(values.seconds);
const quietMs = 3_000;

const folder = mkdtempSync(join(tmpdir(), 'helio-overload-'));
const database = values.postgres ? await startPostgres() : null;
const sink = startHelper<SinkQuestion>(
  'sink.ts',
  JSON.stringify({ responseDelayMs: Number(values['carrier-delay-ms']) }),
);
const closed = startHelper<LoadQuestion>('load.ts');
const open = startHelper<OpenLoopQuestion>('webhook-load.ts');
let gateway: Gateway | null = null;
let firstNumber = 0;
try {
  const recordsFile = join(folder, 'records.json');
  const metricsPort = await freePort();
  writeLiveRecords(recordsFile, { smscPort: await sink.ask({ ask: 'port' }), window: Number(values.window) });
  gateway = await startGateway({
    folder,
    recordsFile,
    ...(database && { databaseUrl: await database.createDatabase() }),
    env: {
      HELIO_SANDBOX: '0',
      HELIO_LOG: 'error',
      HELIO_METRICS_PORT: String(metricsPort),
      HELIO_WAITING_SECONDS_MAX: values.limit,
    },
  });
  const { port } = gateway;
  await peak(port);
  const before = await peak(port);
  const oldest = watchOldest(metricsPort);
  const overload = await offered(port, before * Number(values.factor));
  const after = await peak(port);
  const percent = (rate: number): string => `${((rate / before) * 100).toFixed(0)} %`;
  console.table({
    peak: { 'at the carrier/s': Math.round(before), 'of the peak': '' },
    [`${values.factor}× offered`]: {
      'at the carrier/s': Math.round(overload.goodput),
      'of the peak': percent(overload.goodput),
      ...overload.shown,
      'oldest waits s': oldest(),
    },
    'peak after it': { 'at the carrier/s': Math.round(after), 'of the peak': percent(after) },
  });
  if (overload.lost !== 0) throw new Error(`${overload.lost} accepted messages are not at the carrier`);
} finally {
  await gateway?.stop();
  for (const helper of [sink, closed, open]) helper.stop();
  await database?.remove();
  rmSync(folder, { recursive: true, force: true });
}

/** Messages a second at the carrier while requests come as fast as they are answered. */
async function peak(port: number): Promise<number> {
  await sink.ask({ ask: 'reset' });
  const rate = recipientsPerRequest === 1 ? 3_000 : 5_000;
  const requests = Math.ceil((rate * seconds) / recipientsPerRequest);
  const load = await closed.ask<LoadResult>({ port, connections: 50, requests, recipientsPerRequest, firstNumber });
  firstNumber += requests * recipientsPerRequest;
  const { distinct, lastSubmitAtMs } = await drained();
  return distinct / ((lastSubmitAtMs - load.firstSentAtMs) / 1_000);
}

/** The same while `perSecond` messages a second are offered, regardless of the answers. */
async function offered(port: number, perSecond: number) {
  await sink.ask({ ask: 'reset' });
  const requestsPerSecond = perSecond / recipientsPerRequest;
  const asked = open.ask<OpenLoopResult>({
    ...{ port, requestsPerSecond, recipientsPerRequest, seconds, firstNumber },
    connectionsMax: Number(values.connections),
  });
  const begunMs = performance.now();
  const load = await asked;
  const spentS = (performance.now() - begunMs) / 1_000;
  const { distinct } = await sink.ask<SmscCounts>({ ask: 'counts' });
  firstNumber += Math.ceil(requestsPerSecond * seconds) * recipientsPerRequest;
  const all = await drained();
  return {
    goodput: distinct / spentS,
    lost: load.accepted - all.distinct,
    shown: {
      'offered/s': Math.round((requestsPerSecond * seconds * recipientsPerRequest) / spentS),
      'accepted/s': Math.round(load.accepted / spentS),
      'refused/s': Math.round((load.refused * recipientsPerRequest) / spentS),
      'other failures': load.failed - load.refused,
      'p99 of accepted ms': Math.round(load.acceptedP99Ms),
    },
  };
}

/** Resolves when no more messages arrive. */
async function drained(): Promise<SmscCounts> {
  let counts = await sink.ask<SmscCounts>({ ask: 'counts' });
  for (let quietSinceMs = performance.now(); performance.now() - quietSinceMs < quietMs; await wait(50)) {
    const now = await sink.ask<SmscCounts>({ ask: 'counts' });
    if (now.submits !== counts.submits) quietSinceMs = performance.now();
    counts = now;
  }
  return counts;
}

/**
 * Reads the metrics each second; the returned function gives the longest time for which the oldest waiting message was
 * due.
 */
function watchOldest(port: number): () => number {
  let longest = 0;
  const timer = setInterval(async () => {
    const text = await fetch(`http://127.0.0.1:${port}/metrics`).then(
      (answer) => answer.text(),
      () => '',
    );
    const [, found = '0'] = /^helio_lane_oldest_seconds\{carrier="smsc"\} (\S+)$/m.exec(text) ?? [];
    longest = Math.max(longest, Number(found));
  }, 1_000);
  return () => {
    clearInterval(timer);
    return Math.round(longest * 10) / 10;
  };
}
