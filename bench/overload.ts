/**
 * `node bench/overload.ts [--postgres] [--recipients 1] [--factor 5] [--seconds 10] [--limit 0] [--pinned]`: the throughput
 * under overload. Measures the peak in a closed loop, then offers a multiple of it in an open loop, and then the peak again.
 * `--window` and `--carrier-delay-ms` make the carrier slow; `--limit` sets the longest wait for the carrier in seconds.
 * `--pinned` gives the gateway one core, and load and carrier another, in all three phases.
 */
import { execFileSync } from 'node:child_process';
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
import type { LoadParams, LoadResult } from './load.ts';
import type { OpenLoopParams, OpenLoopResult } from './open-loop.ts';
import { machineCpuSeconds, startHelper, usageOf } from './processes.ts';
import type { SinkCommand } from './sink.ts';

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
    pinned: { type: 'boolean', default: false },
    'cpu-prof': { type: 'string' },
  },
});
const recipientsPerRequest = Number(values.recipients);
const seconds = Number(values.seconds);
const quietMs = 3_000;
const warmUpMessages = 50_000;
const gatewayCore = '0';
const loadCore = '1';

const folder = mkdtempSync(join(tmpdir(), 'helio-overload-'));
// What this process starts inherits its core.
if (values.pinned) pin(process.pid, gatewayCore);
const database = values.postgres ? await startPostgres() : null;
if (values.pinned) pin(process.pid, loadCore);
const sink = startHelper<SinkCommand>(
  'sink.ts',
  JSON.stringify({ responseDelayMs: Number(values['carrier-delay-ms']) }),
);
const closed = startHelper<LoadParams>('load.ts');
const open = startHelper<OpenLoopParams>('open-loop.ts');
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
    ...(values.pinned && { wrapper: ['taskset', '-c', gatewayCore] }),
    ...(values['cpu-prof'] && { nodeArguments: ['--cpu-prof', `--cpu-prof-dir=${values['cpu-prof']}`] }),
  });
  const { port, pid } = gateway;
  const first = await peak(port, pid, warmUpMessages);
  // As long as the overload: what a burst leaves for later is done in it, too.
  const before = await peak(port, pid, first.rate * seconds);
  const oldest = watchOldest(metricsPort);
  const overload = await offered(port, pid, before.rate * Number(values.factor));
  const after = await peak(port, pid, warmUpMessages);
  const shown = ({ rate, used }: Rate) => ({
    'at the carrier/s': Math.round(rate),
    'of the peak': `${((rate / before.rate) * 100).toFixed(0)} %`,
    ...used,
  });
  console.table({
    peak: shown(before),
    [`${values.factor}× offered`]: { ...shown(overload), ...overload.shown, 'oldest waits s': oldest() },
    'peak after it': shown(after),
  });
  if (overload.lost !== 0) throw new Error(`${overload.lost} accepted messages are not at the carrier`);
} finally {
  await gateway?.stop();
  for (const helper of [sink, closed, open]) helper.stop();
  await database?.remove();
  rmSync(folder, { recursive: true, force: true });
}

function pin(pid: number, core: string): void {
  execFileSync('taskset', ['--all-tasks', '--cpu-list', '--pid', core, String(pid)], { stdio: 'ignore' });
}

interface Rate {
  /** Messages a second at the carrier. */
  rate: number;
  used: Record<string, number>;
}

/** While requests come as fast as they are answered. */
async function peak(port: number, pid: number, messages: number): Promise<Rate> {
  await sink.ask({ ask: 'reset' });
  const used = watchCpu(pid);
  const requests = Math.ceil(messages / recipientsPerRequest);
  const load = await closed.ask<LoadResult>({ port, connections: 50, requests, recipientsPerRequest, firstNumber });
  firstNumber += requests * recipientsPerRequest;
  const { distinct, lastSubmitAtMs } = await drained();
  const spentS = (lastSubmitAtMs - load.firstSentAtMs) / 1_000;
  return { rate: distinct / spentS, used: used(distinct, spentS) };
}

/** The same while `perSecond` messages a second are offered, regardless of the answers. */
async function offered(port: number, pid: number, perSecond: number) {
  await sink.ask({ ask: 'reset' });
  const requestsPerSecond = perSecond / recipientsPerRequest;
  const used = watchCpu(pid);
  const begunMs = performance.now();
  const running = open.ask<OpenLoopResult>({
    ...{ port, requestsPerSecond, recipientsPerRequest, seconds, firstNumber },
    connectionsMax: Number(values.connections),
    leavesOut: true,
  });
  await wait(seconds * 1_000);
  const { distinct } = await sink.ask<SmscCounts>({ ask: 'counts' });
  const spentS = (performance.now() - begunMs) / 1_000;
  const cpu = used(distinct, spentS);
  const load = await running;
  const sent = Math.round(requestsPerSecond * seconds) - load.leftOut;
  firstNumber += Math.ceil(requestsPerSecond * seconds) * recipientsPerRequest;
  const all = await drained();
  return {
    rate: distinct / spentS,
    used: cpu,
    lost: load.accepted - all.distinct,
    shown: {
      'offered/s': Math.round(perSecond),
      'sent/s': Math.round((sent * recipientsPerRequest) / seconds),
      'accepted/s': Math.round(load.accepted / seconds),
      'refused/s': Math.round((load.refused * recipientsPerRequest) / seconds),
      'other failures': load.failed - load.refused,
      'p99 of accepted ms': Math.round(load.acceptedP99Ms),
    },
  };
}

/** Counts from now on: the CPU of the gateway for each message, the cores of the load and those of other programs. */
function watchCpu(pid: number): (messages: number, spentS: number) => Record<string, number> {
  const now = () => ({
    gateway: usageOf(pid)?.cpuSeconds ?? 0,
    load: [closed, open].reduce((sum, helper) => sum + (usageOf(helper.pid)?.cpuSeconds ?? 0), 0),
    sink: usageOf(sink.pid)?.cpuSeconds ?? 0,
    machine: machineCpuSeconds() ?? 0,
  });
  const before = now();
  const begunMs = performance.now();
  const cores = (spent: number, spentS: number): number => Math.round((spent / spentS) * 100) / 100;
  return (messages, spentS) => {
    const after = now();
    const gateway = after.gateway - before.gateway;
    const load = after.load - before.load;
    const foreign = after.machine - before.machine - gateway - load - (after.sink - before.sink);
    return {
      'CPU µs/message': Math.round((gateway * 1e6) / messages),
      'load cores': cores(load, spentS),
      'foreign cores': cores(foreign, (performance.now() - begunMs) / 1_000),
    };
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
