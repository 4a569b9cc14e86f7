/**
 * One measured case: a fresh gateway, or several, on a fresh store, a fresh message centre, a warm-up, then N messages in a
 * closed loop, or so many a second in an open one. README.md and the comment of each field explain the numbers.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { clusterEnv, readiness } from '../test/crash/nodes.ts';
import { type Gateway, type GatewayOptions, startGateway } from '../test/props/gateway.ts';
import { writeLiveRecords } from '../test/props/live-records.ts';
import { type MessageLog, readMessageLog } from '../test/props/message-log.ts';
import type { SmscBehaviour, SmscCounts } from '../test/props/smsc.ts';
import type { LoadParams, LoadResult } from './load.ts';
import type { OpenLoopParams, OpenLoopResult } from './open-loop.ts';
import { type Helper, machineCpuSeconds, startHelper, type Usage, usageOf } from './processes.ts';
import type { SinkCommand } from './sink.ts';

export interface CaseOptions {
  messages: number;
  recipientsPerRequest: number;
  receipts: boolean;
  window: number;
  connections: number;
  /** Requests a second in an open loop; null = as many as the connections carry. */
  requestsPerSecond: number | null;
  /** How long the carrier waits before each answer. */
  carrierDelayMs: number;
  /** How long after its answer a receipt comes. */
  receiptDelayMs: number;
  /** Null = SQLite. */
  databaseUrl: string | null;
  /** Gateways on the same database, with as many carriers, all at one message centre. With SQLite one. */
  nodes: number;
  nodeArguments: string[];
}

export interface CaseResult {
  store: 'sqlite' | 'postgres';
  nodes: number;
  recipientsPerRequest: number;
  receipts: boolean;
  requestsPerSecond: number | null;
  messages: number;
  /** 2xx answers × recipients ÷ (first request → last 2xx). */
  acceptedPerSecond: number;
  /** Messages at the carrier ÷ (first request → last submit_sm). */
  endToEndPerSecond: number;
  /** With receipts: receipts the gateway acknowledged (each is committed by then) ÷ (first request → the last of them). */
  deliveredPerSecond: number | null;
  p50Ms: number;
  p99Ms: number;
  /** CPU of all gateways with all their threads, over the whole case; null without /proc. */
  cpuMicrosecondsPerMessage: number | null;
  /** Of all gateways together. */
  rssPeakMb: number | null;
  /** Cores that other processes used meanwhile: above 0.2 the result is unreliable; null without /proc. */
  foreignCores: number | null;
  /** Messages that were acknowledged and never reached the carrier. */
  lost: number;
  /** Copies at the carrier beyond the first. */
  duplicates: number;
  /** Requests not answered with 200, and one such answer. */
  failedRequests: number;
  sampleFailure: string | null;
}

interface Loads {
  closed: Helper<LoadParams>;
  open: Helper<OpenLoopParams>;
}

const warmUpMessages = 1_000;
const quietMs = 4_000;
const drainLimitMs = 180_000;
const shareMsMax = 60_000;

export async function measureCase(options: CaseOptions): Promise<CaseResult> {
  const folder = mkdtempSync(join(tmpdir(), 'helio-bench-'));
  const behaviour: Partial<SmscBehaviour> = {
    receipts: options.receipts ? 'after' : 'off',
    responseDelayMs: options.carrierDelayMs,
    receiptDelayMs: options.receiptDelayMs,
  };
  const sink = startHelper<SinkCommand>('sink.ts', JSON.stringify(behaviour));
  const loads = { closed: startHelper<LoadParams>('load.ts'), open: startHelper<OpenLoopParams>('open-loop.ts') };
  const gateways: Gateway[] = [];
  try {
    const recordsFile = join(folder, 'records.json');
    const smscPort = await sink.ask<number>({ ask: 'port' });
    writeLiveRecords(recordsFile, {
      smscPort,
      window: options.window,
      receipts: options.receipts,
      smppCarriers: options.nodes,
    });
    for (const one of gatewayOptions(options, { folder, recordsFile })) gateways.push(await startGateway(one));
    await untilShared(gateways);
    return await measure(options, gateways, sink, loads);
  } finally {
    await Promise.all(gateways.map((gateway) => gateway.stop()));
    sink.stop();
    loads.closed.stop();
    loads.open.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Of one gateway, or of each of several: those have a folder of their own, and a key that all share. */
function gatewayOptions(
  { databaseUrl, nodes, nodeArguments }: CaseOptions,
  { folder, recordsFile }: { folder: string; recordsFile: string },
): GatewayOptions[] {
  const options = { recordsFile, nodeArguments, ...(databaseUrl !== null && { databaseUrl }) };
  if (nodes === 1) return [{ ...options, folder }];
  const env = clusterEnv(folder);
  return Array.from({ length: nodes }, (_, place) => {
    const own = join(folder, `node-${place + 1}`);
    mkdirSync(own);
    return { ...options, folder: own, env };
  });
}

/** Resolves once each of several gateways sends to a carrier. */
async function untilShared(gateways: readonly Gateway[]): Promise<void> {
  if (gateways.length === 1) return;
  const end = performance.now() + shareMsMax;
  for (;;) {
    const ready = await Promise.all(gateways.map(({ port }) => readiness(port)));
    if (ready.every((one) => one !== null && one.lanes.length > 0)) return;
    if (performance.now() > end) throw new Error(`the carriers are not shared out: ${JSON.stringify(ready)}`);
    await wait(100);
  }
}

async function measure(
  options: CaseOptions,
  gateways: readonly Gateway[],
  sink: Helper<SinkCommand>,
  loads: Loads,
): Promise<CaseResult> {
  const { recipientsPerRequest, receipts } = options;
  const ask = (messages: number, firstNumber: number): Promise<LoadResult> =>
    loads.closed.ask({
      port: gateways.map(({ port }) => port),
      connections: options.connections,
      requests: Math.ceil(messages / recipientsPerRequest),
      recipientsPerRequest,
      firstNumber,
    });
  const warmUp = await ask(Math.max(warmUpMessages, 20 * recipientsPerRequest), 9_000_000_000);
  if (warmUp.failed > 0) throw new Error(`the warm-up failed: ${warmUp.sampleFailure}`);
  await drain(sink, warmUp.ok * recipientsPerRequest, receipts);
  await wait(500);
  await sink.ask({ ask: 'reset' });
  const usage = (): Usage | null => sumOf(gateways.map(({ pid }) => usageOf(pid)));
  const pids = [...gateways.map(({ pid }) => pid), sink.pid, loads.closed.pid, loads.open.pid, process.pid];
  const before = usage();
  const foreign = watchForeignCores(pids);
  const result = await (options.requestsPerSecond === null
    ? ask(options.messages, 0)
    : steady(options, gateways, loads));
  const acknowledged = result.ok * recipientsPerRequest;
  const counts = await drain(sink, acknowledged, receipts);
  const after = usage();
  const foreignCores = foreign();
  if (receipts && acknowledged > 0) await expectDelivered(readMessageLog(gateways[0]!.port));
  const perSecond = (count: number, untilMs: number): number =>
    count === 0 ? 0 : count / ((untilMs - result.firstSentAtMs) / 1_000);
  return {
    store: options.databaseUrl === null ? 'sqlite' : 'postgres',
    nodes: options.nodes,
    recipientsPerRequest,
    receipts,
    requestsPerSecond: options.requestsPerSecond,
    messages: acknowledged,
    acceptedPerSecond: perSecond(acknowledged, result.last200AtMs),
    endToEndPerSecond: perSecond(counts.distinct, counts.lastSubmitAtMs),
    deliveredPerSecond: receipts ? perSecond(counts.receiptsAcknowledged, counts.lastReceiptAtMs) : null,
    p50Ms: result.p50Ms,
    p99Ms: result.p99Ms,
    cpuMicrosecondsPerMessage: cpuPerMessage(before, after, acknowledged),
    rssPeakMb: after?.rssPeakMb ?? null,
    foreignCores,
    lost: Math.max(0, acknowledged - counts.distinct),
    duplicates: counts.accepted - counts.distinct,
    failedRequests: result.failed,
    sampleFailure: result.sampleFailure,
  };
}

/** The messages in an open loop, at the first gateway. */
async function steady(options: CaseOptions, [gateway]: readonly Gateway[], { open }: Loads): Promise<LoadResult> {
  const { messages, recipientsPerRequest } = options;
  const requestsPerSecond = options.requestsPerSecond!;
  const result = await open.ask<OpenLoopResult>({
    port: gateway!.port,
    requestsPerSecond,
    recipientsPerRequest,
    seconds: messages / recipientsPerRequest / requestsPerSecond,
    firstNumber: 0,
    connectionsMax: options.connections,
    tickMs: 1,
  });
  return { ...result, ok: result.accepted / recipientsPerRequest };
}

function sumOf(usages: readonly (Usage | null)[]): Usage | null {
  return usages.reduce((sum, one) =>
    sum === null || one === null
      ? null
      : { cpuSeconds: sum.cpuSeconds + one.cpuSeconds, rssPeakMb: sum.rssPeakMb + one.rssPeakMb },
  );
}

function cpuPerMessage(before: Usage | null, after: Usage | null, messages: number): number | null {
  if (before === null || after === null || messages === 0) return null;
  return ((after.cpuSeconds - before.cpuSeconds) / messages) * 1e6;
}

/** Starts to watch; the returned function gives the cores that other processes used since then. */
function watchForeignCores(pids: number[]): () => number | null {
  const others = (): number | null => {
    const machine = machineCpuSeconds();
    return machine === null ? null : machine - pids.reduce((sum, pid) => sum + (usageOf(pid)?.cpuSeconds ?? 0), 0);
  };
  const before = others();
  const begun = performance.now();
  return () => {
    const after = others();
    if (before === null || after === null) return null;
    return (after - before) / ((performance.now() - begun) / 1_000);
  };
}

/** Waits until `messages` (and as many receipts) have arrived, or nothing has changed for a while. */
async function drain(sink: Helper<SinkCommand>, messages: number, receipts: boolean): Promise<SmscCounts> {
  const end = performance.now() + drainLimitMs;
  let last = -1;
  let quietSince = performance.now();
  for (;;) {
    const counts = await sink.ask<SmscCounts>({ ask: 'counts' });
    const now = performance.now();
    if (counts.distinct >= messages && (!receipts || counts.receiptsAcknowledged >= messages)) return counts;
    if (counts.submits + counts.receiptsAcknowledged !== last) {
      last = counts.submits + counts.receiptsAcknowledged;
      quietSince = now;
    }
    if (now - quietSince > quietMs || now > end) return counts;
    await wait(50);
  }
}

/** A receipt is acknowledged only after its commit, so everything must read `delivered` now. */
async function expectDelivered(log: MessageLog): Promise<void> {
  const other = (await log.all()).filter((message) => message.state !== 'delivered');
  if (other.length === 0) return;
  throw new Error(`${other.length} messages are not delivered, ${other[0]!.messageId} is ${other[0]!.state}`);
}

/** Of these runs the median by end-to-end rate. */
export function medianRun<R extends Pick<CaseResult, 'endToEndPerSecond'>>(runs: readonly R[]): R {
  return runs.toSorted((one, other) => one.endToEndPerSecond - other.endToEndPerSecond)[Math.floor(runs.length / 2)]!;
}
